"""Going to a cell of the open step, and what helps in a large one."""

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.navigation.go_to_dialog import GoToDialog
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.views import PICTURE_VIEW


class GoToCommand(QObject):
    """Opens the dialog that goes to a cell, and shows that cell in the heatmap."""

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._step_view = workbench, step_view
        self._notice, self._window = notice, window
        self._dialog: GoToDialog | None = None

    @property
    def row(self) -> ActionRow:
        """The row of the menu."""
        return ActionRow("go_to", self.tr("Go to to&ken…"), self.ask, "Ctrl+L")

    @property
    def context_row(self) -> ActionRow:
        """The row of the context menu of the heatmap."""
        return ActionRow("heatmap.go_to", self.tr("Go &to token…"), self.ask)

    @Slot()
    def ask(self, _data: object = None) -> None:
        """Ask where to go, beside the heatmap."""
        commit_pending_input()
        workbench, step_view = self._workbench, self._step_view
        if workbench.selection.step in workbench.engine.current.withheld:
            self._notice.refuse(workbench.withheld_reason)
            return
        if self._dialog is None:
            self._dialog = GoToDialog(workbench, self._window)
            self._dialog.chosen.connect(self._go)
            self._dialog.finished.connect(self._return)
            self._dialog.adjustSize()
            # Beside the middle, where the cell will be.
            corner = step_view.mapToGlobal(step_view.rect().topRight())
            self._dialog.move(corner.x() - self._dialog.width(), corner.y())
            self._dialog.show()
        self._dialog.activateWindow()
        self._dialog.start()

    @Slot()
    def _return(self) -> None:
        self._dialog = None
        self._step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def _go(self, cell: Position) -> None:
        view, selection = self._step_view, self._workbench.selection
        if view.view != PICTURE_VIEW:
            view.set_view(PICTURE_VIEW)
        selection.choose_cell(selection.step, cell)
        view.heatmap.reveal(cell)
