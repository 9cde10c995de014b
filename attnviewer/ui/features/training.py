"""Training: matrices of the open document learn a task, and every view follows."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot

from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.training import Trainer, TrainingChoices
from attnviewer.ui.training.exporter import RunExporter
from attnviewer.ui.views.training import TrainingPanel
from attnviewer.ui.widgets.docks import Panel

if TYPE_CHECKING:
    from attnviewer.document import Document

SHARE = 0.64
"""Of its side's height: the run without its choices, and some of Explain above it."""


class TrainingFeature(Feature):
    """Trains the open document, and opens its panel with one that is about training.

    Attributes
    ----------
    trainer : Trainer
        The run.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench = frame.workbench
        self.trainer = Trainer(workbench, self)
        self._offered: Document | None = None
        dock = frame.dock(self.tr("Training"))
        self._panel = panel = TrainingPanel(
            workbench, self.trainer, frame.appearance, dock
        )
        self._exporter = RunExporter(
            workbench, self.trainer, frame.notice, frame.window
        )
        panel.export_wanted.connect(self._exporter.ask)
        frame.work.follow(self.trainer)
        frame.panels.append(
            Panel(
                "training",
                dock,
                self.tr("&Training"),
                lambda: (panel, panel.heading),
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=20.5,
                opened=False,
                keys="Ctrl+Shift+T",
                meanwhile_beside="lesson",
                share=SHARE,
            )
        )

    def join(self) -> None:
        self.frame.workbench.opened.connect(self._offer)
        self.trainer.changed.connect(self._keep_tables_calm)

    def settle(self) -> None:
        if self._offer():
            # A narrow window has yet to put its docks behind one another.
            QTimer.singleShot(0, self, self._raise)

    def commit_editors(self) -> bool:
        # While the window asks what to save, nothing may change.
        self.trainer.pause()
        return True

    def release(self) -> None:
        self.trainer.close()

    @Slot()
    def _keep_tables_calm(self) -> None:
        look = self.frame.feature(InputsFeature).panel.look
        look.keep_calm(calm=self.trainer.playing)

    @Slot()
    def _offer(self) -> bool:
        """Open the panel, ready to play, with a document that is about training.

        With one of a lesson it is only made ready, as it would cover the page.
        """
        workbench = self.frame.workbench
        document = workbench.document
        first, before = document.first_training, self._offered
        self._offered = document
        if first is None or document is before or self.trainer.run is not None:
            return False
        self._panel.offer(TrainingChoices.of(first))
        if workbench.host is not None:
            return False
        self._raise()
        return True

    @Slot()
    def _raise(self) -> None:
        self.frame.docks.open_panel("training")
