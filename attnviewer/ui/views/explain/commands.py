"""The actions of the Explain dock."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.sensitivity import Sensitivity
from attnviewer.ui.views.explain.visit_history import VisitHistory
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, make_action


class Commands(QObject):
    """The actions of the Explain dock.

    Parameters
    ----------
    visited : VisitHistory
        The cells to go back and forward to.
    copy_text, copy_latex : callable
        Copy the explanation.
    sensitivity : Sensitivity
        The gradients that the tables can show.
    panel : QWidget
        The dock; it owns the actions.

    Attributes
    ----------
    back, forward : QAction
        Go back to the previous cell, and forward again.
    copying : list of QAction
        The actions that copy.
    all_terms : QAction
        The action that shows more than the largest terms of sums.
    effect : QAction
        The action that shows the gradient on the input tables.
    """

    def __init__(
        self,
        visited: VisitHistory,
        copy_text: Callable[[], None],
        copy_latex: Callable[[], None],
        sensitivity: Sensitivity,
        panel: QWidget,
    ) -> None:
        super().__init__(panel)
        self._visited = visited
        self._copy_as_text, self._copy_as_latex = copy_text, copy_latex
        self.back, self.forward, *self.copying = (
            make_action(panel, row)
            for row in (
                ActionRow("explain.back", self.tr("&Back"), self._go_back, "Ctrl+["),
                ActionRow(
                    "explain.forward", self.tr("&Forward"), self._go_forward, "Ctrl+]"
                ),
                ActionRow(
                    "explain.copy_text",
                    self.tr("Copy as &text"),
                    self._copy_text,
                    "Ctrl+Shift+C",
                ),
                ActionRow(
                    "explain.copy_latex",
                    self.tr("Copy as &LaTeX"),
                    self._copy_latex,
                    "Ctrl+Shift+L",
                ),
            )
        )
        for sign, action in (("←", self.back), ("→", self.forward)):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            tip = self.tr("{name} ({keys}, or the side button of the mouse)")
            action.setToolTip(tip.format(name=action.toolTip(), keys=keys))
            action.setIconText(sign)  # on the buttons
        self.effect = effect = QAction(self.tr("Colour inputs by &gradient"), panel)
        effect.setObjectName("action.explain.effect")
        effect.setCheckable(True)
        effect.setShortcut("Ctrl+Shift+G")
        effect.toggled.connect(sensitivity.set_shown)
        self.all_terms = all_terms = QAction(self.tr("Show &all terms of sums"), panel)
        all_terms.setObjectName("action.explain.all_terms")
        all_terms.setCheckable(True)
        all_terms.setIconText(self.tr("Σ all"))  # on its button
        visited.changed.connect(self._enable)
        self._enable()

    @property
    def rows(self) -> Rows:
        """All of them, for a menu."""
        going = [self.back, self.forward]
        shown = [self.all_terms, self.effect]
        return [*going, SEPARATOR, *self.copying, SEPARATOR, *shown]

    def _go_back(self, _data: object) -> None:
        self._visited.back()

    def _go_forward(self, _data: object) -> None:
        self._visited.forward()

    def _copy_text(self, _data: object) -> None:
        self._copy_as_text()

    def _copy_latex(self, _data: object) -> None:
        self._copy_as_latex()

    @Slot()
    def _enable(self) -> None:
        self.back.setEnabled(self._visited.can_go_back)
        self.forward.setEnabled(self._visited.can_go_forward)
