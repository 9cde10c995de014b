"""Opening surveys: what the heads of the open model do over many texts."""

from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.one_line import one_line
from attnviewer.sources import SURVEY
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.head_report.surveys import SurveyReading
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, make_action
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class SurveyOpener(QObject):
    """Reads surveys in the background, and adds their columns to the head report.

    Attributes
    ----------
    action : QAction
        Asks for a file; disabled while no model is open.
    worker : Worker
        Reads the files.
    """

    def __init__(
        self, workbench: Workbench, opener: Opener, notice: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window
        self.worker = Worker(self)
        self.worker.done.connect(self._on_read)
        self.worker.failed.connect(self._on_failed)
        row = ActionRow("survey", self.tr("Open s&urvey…"), self.ask)
        self.action = make_action(window, row)
        opener.survey_wanted.connect(self.open)
        workbench.model.changed.connect(self._update)
        self._update()

    @Slot()
    def ask(self, _data: object = None) -> None:
        """Ask for the file of a survey and open it."""
        name, _filter = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Open a survey of the model’s heads"),
            str(documents_folder()),
            self.tr("Surveys ({pattern});;All files (*)").format(pattern=f"*{SURVEY}"),
        )
        if name:
            self.open(Path(name))

    @Slot(object)
    def open(self, path: Path) -> None:
        """Open a survey; if it does not fit the open model, nothing changes."""
        experiment = self._workbench.model.experiment
        if experiment is None:
            self._notice.refuse(self._reason())
            return
        self.cancel()
        self._notice.dismiss()
        self.worker.start(SurveyReading(path, experiment.run.model))

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, SurveyReading)
        return self.tr("reading “{file}”…").format(file=one_line(job.path.name))

    @Slot()
    def cancel(self) -> None:
        """Read nothing any more."""
        self.worker.stop_all()

    def close(self) -> None:
        """Cancel the reading, and wait for the thread."""
        self.worker.close()

    def _reason(self) -> str:
        return self.tr("A survey is of a model’s heads: open the model first.")

    @Slot()
    def _update(self) -> None:
        is_open = self._workbench.model.experiment is not None
        self.action.setEnabled(is_open)
        self.action.setToolTip(self.action.iconText() if is_open else self._reason())

    @Slot(object)
    def _on_read(self, job: SurveyReading) -> None:
        assert job.survey is not None
        experiment = self._workbench.model.experiment
        if experiment is None or experiment.run.model is not job.model:
            return  # another one has been opened meanwhile
        self._workbench.head_report.show_survey(job.survey, job.model)
        text = self.tr("Heads can be sorted by what they do over {count} texts.")
        self._notice.show_message(text.format(count=f"{job.survey.n_texts:,}"))

    @Slot(object, str)
    def _on_failed(self, _job: SurveyReading, reason: str) -> None:
        self._notice.refuse(reason)
