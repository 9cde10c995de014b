"""The output of the chosen head, as a small map."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.layer_map import Written
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.step.heads.card_content import Card
from attnviewer.ui.views.step.heads.layers import content_of_written
from attnviewer.ui.views.step.heads.wall import HeadWall
from attnviewer.ui.widgets.labels import heading, note

HEIGHT = 18
"""The map's, in heights of a line."""


class WrittenMap(QWidget):
    """Shows how much the chosen head moves from each key to each query.

    Parameters
    ----------
    workbench : Workbench
        The model and the chosen head.
    appearance : Appearance
        The theme.
    after : QWidget
        The widget that the Tab key leaves for the map.
    """

    def __init__(
        self, workbench: Workbench, appearance: Appearance, after: QWidget
    ) -> None:
        super().__init__()
        self.setObjectName("contributions.written")
        self._workbench, self._appearance = workbench, appearance
        self._shown: object = None
        self._title = heading("contributions.written.title")
        self._note = note("contributions.written.note")
        formula = self.tr(
            "‖A_ij v_j W_O‖: the length of what the head moves from key j to query i. "
            "A large weight on a short value writes little.\nKobayashi et al. 2020, "
            "“Attention is Not Only a Weight”."
        )
        for label in (self._title, self._note):
            label.setToolTip(formula)
        self.wall = HeadWall(after, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self._title, self._note, self.wall):
            column.addWidget(widget)
        selection = workbench.selection
        for signal in (
            workbench.layer_maps.changed,
            workbench.model.completed,
            workbench.opened,
            selection.head_changed,
            selection.cell_changed,
            appearance.changed,
        ):
            signal.connect(self.refresh)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the chosen head, if it is in sight."""
        bench, maps = self._workbench, self._workbench.layer_maps
        if not self.isVisible():
            return
        if bench.link is None:
            self.wall.hide()
            self._title.setText(self.tr("What a head writes"))
            self._note.setText(self.tr("The document is no head of the open model."))
            return
        location, written = bench.head_location(bench.selection.head), maps.written
        title = self.tr("What {head} writes").format(head=location.name)
        self._title.setText(title)
        self.wall.setVisible(written is not None)
        if written is None:
            self._note.setText(maps.trouble("written") or self.tr("Computing…"))
            return
        pattern = self.tr(
            "How much it moves from each key (columns) to each query (rows): colours "
            "go from 0 to {largest}, the largest number of all heads."
        )
        self._note.setText(
            pattern.format(largest=significant_number(written.largest, 3))
        )
        self._show(location, written)

    def _show(self, location: HeadLocation, written: Written) -> None:
        theme, selection = self._appearance.theme, self._workbench.selection
        shown = location, written, theme
        if shown != self._shown:
            self._shown = shown
            matrix = written.heads.matrix(location)
            content = content_of_written(written, theme).with_matrix(matrix)
            card = Card(location, location.name, "", content, numbers=object())
            self.wall.setFixedHeight(HEIGHT * self.fontMetrics().height())
            self.wall.show_cards([card], theme)
        trace, step = self._workbench.engine.current.trace, selection.step
        of_pair = trace.stages[step].axes == ("queries", "keys")
        self.wall.mark(selection.cell if of_pair else None, None)
