"""Pins: numbers of computed steps that the user holds."""

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.features.goal_seek import GoalSeekFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.pins.commands import PinCommands
from attnviewer.ui.pins.dropped import DroppedPins
from attnviewer.ui.pins.heatmap import HeatmapPinning
from attnviewer.ui.pins.table import TablePinning
from attnviewer.ui.pins.target import Target, selected_target
from attnviewer.ui.pins.writer import PinWriter
from attnviewer.ui.views.pins import PinsPanel
from attnviewer.ui.views.step.table import StepTable
from attnviewer.ui.widgets.docks import Panel


class PinsFeature(Feature):
    """Pins cells of steps, and lists the pins of the open document."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench, step_view = frame.workbench, frame.step_view
        self.commands = PinCommands(workbench, frame.notice, frame.window)
        self._writer = PinWriter(workbench, frame.window)
        self._table: TablePinning | None = None
        self._heatmap: HeatmapPinning | None = None
        step_view.follow_pages(self._on_page)
        rows = self.commands.rows("edit", keys=True, of=self._target)
        frame.menus.add("edit.pins", rows)
        self._dropped = DroppedPins(workbench, frame.notice, frame.window)
        self._dock = dock = frame.dock(self.tr("Pins"))
        frame.panels.append(
            Panel(
                "pins",
                dock,
                self.tr("&Pins"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20.5,
                opened=False,
                keys="Ctrl+Shift+K",
            )
        )

    def _parts(self) -> tuple[QWidget, QWidget]:
        panel = PinsPanel(self.frame.workbench, self.commands.text_of, self._dock)
        panel.adding.connect(self.commands.ask)
        panel.changing.connect(self.commands.change)
        panel.chosen.connect(self.commands.show_cells)
        panel.comparing.connect(self._compare)
        panel.refused.connect(self.frame.reason.say)
        return panel, panel.heading

    @Slot(QWidget)
    def _on_page(self, page: QWidget) -> None:
        frame = self.frame
        if page.objectName() == "step.heatmap":
            self._heatmap = HeatmapPinning(
                frame.workbench,
                frame.step_view.heatmap,
                self._writer,
                self.commands,
                frame.reason,
                frame.notice,
            )
        elif isinstance(page, StepTable):
            seek = frame.feature(GoalSeekFeature).commands
            self._table = TablePinning(
                frame.workbench,
                page,
                self._writer,
                self.commands,
                frame.reason,
                frame.notice,
                seek.rows("step"),
                partial(seek.line_rows, "step"),
            )

    def commit_editors(self) -> bool:
        in_heatmap = self._heatmap is None or self._heatmap.commit()
        return (self._table is None or self._table.commit()) and in_heatmap

    def _target(self) -> Target | None:
        """Return the block of the table, or what the other views have selected."""
        if self._table is not None and self.frame.step_view.view == "table":
            return self._table.target()
        return selected_target(self.frame.workbench)

    @Slot()
    def _compare(self) -> None:
        self.frame.workbench.baseline.choose("without_pins")
        self.frame.step_view.set_view("difference")
