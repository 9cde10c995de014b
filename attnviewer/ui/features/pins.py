"""Pins: numbers of computed steps that the user holds."""

from PySide6.QtCore import Qt, Slot

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.pins.commands import PinCommands
from attnviewer.ui.pins.dropped import DroppedPins
from attnviewer.ui.views.pins import PinsPanel
from attnviewer.ui.widgets.docks import Panel


class PinsFeature(Feature):
    """Pins cells of steps, and lists the pins of the open document."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench = frame.workbench
        self.commands = PinCommands(workbench, frame.notice, frame.window)
        frame.menus.add("edit.pins", self.commands.rows("edit", keys=True))
        self._dropped = DroppedPins(workbench, frame.notice, frame.window)
        dock = frame.dock(self.tr("Pins"))
        panel = PinsPanel(workbench, dock)
        panel.adding.connect(self.commands.ask)
        panel.changing.connect(self.commands.change)
        panel.comparing.connect(self._compare)
        frame.panels.append(
            Panel(
                "pins",
                dock,
                self.tr("P&ins"),
                panel,
                panel.heading,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20,
                opened=False,
                keys="Ctrl+Shift+K",
            )
        )

    @Slot()
    def _compare(self) -> None:
        self.frame.workbench.baseline.choose("without_pins")
        self.frame.step_view.set_view("difference")
