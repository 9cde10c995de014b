"""The context menus of views whose cells have no other: lines, and How."""

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from attnviewer.ui.goal_seek.cell_reference import (
    CellReference,
    Quantity,
    reference_to,
    selected_reference,
)
from attnviewer.ui.goal_seek.commands import GoalSeekCommands
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import fill_menu

VIEWS = ("lines", "how")


class PointedMenu(QObject):
    """Offers Goal Seek for the cell under the pointer, or else for the selected one."""

    def __init__(
        self, workbench: Workbench, step_view: StepView, commands: GoalSeekCommands
    ) -> None:
        super().__init__(step_view)
        self._workbench, self._step_view = workbench, step_view
        self._commands = commands
        self._pointed: CellReference | None = None
        step_view.installEventFilter(self)

    def remembered(self) -> tuple[CellReference, Quantity] | None:
        """Return the cell that was remembered, or else the selected one."""
        reference = self._pointed or selected_reference(self._workbench)
        return None if reference is None else (reference, "cell")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Child widgets of the view ignore these events, so they arrive here.
        if isinstance(event, QContextMenuEvent) and self._step_view.view in VIEWS:
            return self._open(event)
        return False

    def _open(self, event: QContextMenuEvent) -> bool:
        selection = self._workbench.selection
        step, cell = selection.hovered
        if event.reason() != QContextMenuEvent.Reason.Mouse or cell is None:
            step, cell = selection.step, selection.cell
        rows = self._commands.cell_rows(self._step_view.view, step, cell)
        if not rows:
            return False
        menu = QMenu(self._step_view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, rows)
        menu.popup(event.globalPos())
        return True

    @Slot()
    def remember(self) -> None:
        """Keep the cell under the pointer, which leaves it for the menu."""
        step, cell = self._workbench.selection.hovered
        at = cell is not None and step == self._workbench.selection.step
        self._pointed = None
        if at and cell is not None:
            self._pointed = reference_to(self._workbench, step, cell)
