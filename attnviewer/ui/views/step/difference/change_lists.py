"""The lists beside the picture: the largest changes, and the largest per step."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviewer.document import Incomparable
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.views.step.difference.changes_list import ChangesList, NamedChange
from attnviewer.ui.views.step.difference.finder import ChangesFinder
from attnviewer.ui.views.step.difference.texts import step_change
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.step_changes import step_rows

FEWEST_LETTERS, LETTERS = 28, 54
"""The least and the largest width, in characters."""


class ChangeLists(QWidget):
    """Lists the largest changes as links.

    Attributes
    ----------
    changes : ChangesList
        The largest changes of a step.
    steps : LinkList
        The largest change of each step, by name.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference.beside")
        self.changes, self.steps = ChangesList(self), LinkList(2, wide=1, parent=self)
        self.steps.setObjectName("difference.steps")
        self.steps.setAccessibleName(self.tr("Changes of all steps"))
        self.steps.setAccessibleDescription(self.tr("Enter opens the step."))
        self._changes_title = QLabel(self.tr("Largest changes"), self)
        steps_title = QLabel(self.tr("Largest change of each step"), self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 12, 12)
        column.setSpacing(4)
        listed = {self._changes_title: self.changes, steps_title: self.steps}
        for heading, links in listed.items():
            heading.setProperty("heading", True)
            heading.setBuddy(links)
            column.addWidget(heading)
            column.addWidget(links, 1)

    def fit(self) -> None:
        """Leave unused space to the picture."""
        letter = self.fontMetrics().averageCharWidth()
        least = max(FEWEST_LETTERS * letter, self.minimumSizeHint().width())
        self.setMinimumWidth(least)
        self.setMaximumWidth(LETTERS * letter)

    def list_changes(self, changes: list[NamedChange], longest_name: str = "") -> None:
        """List the largest changes of a step; hidden if there are none."""
        self.changes.show_changes(changes, longest_name)
        for widget in (self._changes_title, self.changes):
            widget.setVisible(bool(changes))

    def list_steps(self, shown: DisplayedStep, finder: ChangesFinder) -> None:
        """List the largest change of each step, as far as known."""
        known = map(finder.changes, finder.steps)
        found = [changes for changes in known if changes is not None]
        largest = max((changes.reach for changes in found), default=0.0)
        steps = []
        for step in finder.steps:
            changes, pair = finder.changes(step), finder.pair(step)
            if isinstance(pair, Incomparable):
                steps.append(step_change(step, pair, largest))
            elif changes is not None:
                steps.append(step_change(step, changes, largest))
        self.steps.set_theme(shown.theme)
        self.steps.show_rows(step_rows(steps, shown.step))
