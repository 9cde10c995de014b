"""The Lines dock: the lines of the chosen head."""

from PySide6.QtCore import Qt

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.head_lines import LinesBeside
from attnviewer.ui.widgets.docks import Panel


class HeadLinesFeature(Feature):
    """Shows the lines of the chosen head, whatever the central view shows."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        dock = frame.dock(self.tr("Lines"))
        self._panel = LinesBeside(frame.workbench, frame.appearance, dock)
        frame.panels.append(
            Panel(
                "lines",
                dock,
                self.tr("&Lines"),
                self._panel,
                self._panel.heading,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    def join(self) -> None:
        self._panel.filled.connect(self.frame.order_tabs)
