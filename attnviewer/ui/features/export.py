"""Exporting steps to files."""

from attnviewer.ui.export import Exporter
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow


class ExportFeature(Feature):
    """Writes steps to files, and copies them."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._exporter = exporter = Exporter(
            frame.workbench, frame.step_view, frame.notice, frame.window
        )
        frame.work.follow(exporter)
        step, every = self.tr("This &step as CSV…"), self.tr("&All steps as CSV…")
        frame.menus.add(
            "export.steps",
            [
                ActionRow("export_step", step, exporter.export_step, "Ctrl+E"),
                ActionRow("export_all", every, exporter.export_all, "Ctrl+Shift+E"),
                ActionRow(
                    "export", self.tr("&Other formats…"), exporter.choose, "Ctrl+Alt+E"
                ),
                SEPARATOR,
                ActionRow("copy_step", self.tr("&Copy this step"), exporter.copy_step),
                exporter.with_headers,
            ],
        )

    def release(self) -> None:
        self._exporter.finish()
