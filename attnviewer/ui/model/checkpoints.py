"""Comparing the open model with another checkpoint of its architecture."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.one_line import one_line
from attnviewer.sources import CONFIG, GGUF
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.head_report.differences import CheckpointReading
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.work.worker import Job, Worker


class CheckpointComparing(QObject):
    """Opens a second checkpoint, and shows how the open model differs from it.

    The differences of weights become columns of the head report; attention over the
    same sentence is compared in the difference view.

    Attributes
    ----------
    compare, end : QAction
        Asks for the other checkpoint; ends the comparison.
    worker : Worker
        Reads the other checkpoint.
    """

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        notice: NoticeBar,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._step_view, self._notice, self._window = step_view, notice, window
        self.worker = Worker(self)
        self.worker.done.connect(self._on_read)
        self.worker.failed.connect(self._on_failed)
        asks = self.tr("Compare with another chec&kpoint…")
        ends = self.tr("End t&he comparison with the checkpoint")
        self.compare = make_action(
            window, ActionRow("model.compare_checkpoint", asks, self._ask)
        )
        self.compare.setToolTip(
            self.tr(
                "Compare weights and attention, such as before and after fine-tuning"
            )
        )
        self.end = make_action(
            window, ActionRow("model.end_checkpoint", ends, self._end)
        )
        self._model.changed.connect(self._update)
        self._update()

    @Slot(object)
    def open(self, path: Path) -> None:
        """Compare the open model with a checkpoint; if it does not fit, say why."""
        experiment = self._model.experiment
        if experiment is None:
            return
        commit_pending_input()
        self.cancel()
        self._notice.dismiss()
        self.worker.start(CheckpointReading(path, experiment.run.model))

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, CheckpointReading)
        text = self.tr("comparing layer {layer} with “{name}”…")
        return text.format(layer=job.layer, name=one_line(job.path.name))

    @Slot()
    def cancel(self) -> None:
        """Read nothing any more."""
        self.worker.stop_all()

    def close(self) -> None:
        """Cancel the reading, and wait for the thread."""
        self.worker.close()

    def _ask(self, _data: object = None) -> None:
        name, _filter = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Compare with another checkpoint"),
            str(documents_folder()),
            self.tr("Models ({patterns});;All files (*)").format(
                patterns=f"{CONFIG} *.safetensors *{GGUF}"
            ),
        )
        if name:
            self.open(Path(name))

    def _end(self, _data: object = None) -> None:
        experiment = self._model.experiment
        assert experiment is not None
        commit_pending_input()
        self._workbench.head_report.show_differences({})
        self._model.compare_checkpoint(None, stays=self._is_of_model())

    @Slot()
    def _update(self) -> None:
        experiment = self._model.experiment
        self.compare.setEnabled(experiment is not None)
        compared = experiment is not None and experiment.reference is not None
        self.end.setVisible(compared)

    @Slot(object)
    def _on_read(self, job: CheckpointReading) -> None:
        experiment = self._model.experiment
        if experiment is None or experiment.run.model not in job.differences:
            return  # another one has been opened meanwhile
        assert job.other is not None
        try:
            self._model.compare_checkpoint(job.other, stays=self._is_of_model())
        except ValueError as error:
            self._notice.refuse(str(error))
            return
        self._workbench.head_report.show_differences(job.differences)
        self._step_view.set_view("difference")
        text = self.tr(
            "Compared with “{name}”: heads can be sorted by the difference of their "
            "weights."
        )
        self._notice.show_message(text.format(name=job.other.name))

    @Slot(object, str)
    def _on_failed(self, _job: CheckpointReading, reason: str) -> None:
        self._notice.refuse(reason)

    def _is_of_model(self) -> bool:
        return self._workbench.link is not None
