"""The History dock: the list of edits."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.history import HistoryPanel
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.docks import Panel


class HistoryFeature(Feature):
    """Lists the edits of the open document."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        row = ActionRow("history", self.tr("&History…"), self._open)
        frame.menus.add("edit.history", [row])
        self._dock = dock = frame.dock(self.tr("History"))
        frame.panels.append(
            Panel(
                "history",
                dock,
                self.tr("Histor&y"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20.5,
                opened=False,
                keys="Ctrl+Shift+H",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = HistoryPanel(self.frame.workbench.edits, self._dock)
        return panel, panel.heading

    def _open(self, _data: object) -> None:
        self.frame.docks.open_panel("history")
