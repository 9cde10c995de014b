"""Maps over all layers of the open model: combined layers, and what heads write."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.layer_map import (
    LayerChoice,
    LayerMap,
    MapJob,
    Wanted,
    Written,
)
from attnviewer.ui.state.model.open_model import OpenModel
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Job, Worker

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models.experiment import Experiment

_tr = translate_in("LayerMaps")


class LayerMaps(QObject):
    """Computes maps of the open model when they are first asked for.

    Parameters
    ----------
    model : OpenModel
        The model.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        A map is there, or the reason why there is none.
    """

    changed = Signal()

    def __init__(self, model: OpenModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._experiment: Experiment | None = None
        self._found: dict[Wanted, LayerMap | Written] = {}
        self._troubles: dict[Wanted, str] = {}
        model.changed.connect(self._follow)

    def map(self, choice: LayerChoice) -> LayerMap | None:
        """Return a map; None while it is computed, or where there is a `trouble`."""
        found = self._get(choice)
        return found if isinstance(found, LayerMap) else None

    @property
    def written(self) -> Written | None:
        """The lengths of what each head writes; None while computed or in `trouble`."""
        found = self._get("written")
        return found if isinstance(found, Written) else None

    def trouble(self, wanted: Wanted) -> str:
        """Return why there is no map; "" if there is one or it is being computed."""
        return self._troubles.get(wanted, "")

    def retry(self) -> None:
        """Compute what failed or was cancelled when it is asked for again."""
        self._troubles.clear()

    def leave(self, choice: LayerChoice) -> None:
        """Stop computing a map that is not looked at any more."""
        self._troubles.pop(choice, None)
        for job in self.worker.jobs:
            if isinstance(job, MapJob) and job.wanted == choice:
                self.worker.stop(job)

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, MapJob)
        percent = round(100 * job.share)
        return _tr("combining layers… {percent} %").format(percent=percent)

    @Slot()
    def cancel(self) -> None:
        """Stop computing at the user's request."""
        for job in self.worker.jobs:
            assert isinstance(job, MapJob)
            self.worker.stop(job)
            self._on_failed(job, _tr("This was cancelled. Choose it again to go on."))

    def finish(self) -> None:
        """Wait for what is being computed."""
        self.worker.finish()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    def _get(self, wanted: Wanted) -> LayerMap | Written | None:
        """Return the known map, or have it computed."""
        self._follow()
        started = {job.wanted for job in self.worker.jobs if isinstance(job, MapJob)}
        missing = wanted not in self._found and wanted not in self._troubles
        ready = self._experiment is not None and self._model.heads is not None
        if missing and ready and wanted not in started:
            assert self._experiment is not None
            self.worker.start(MapJob(self._experiment, wanted))
        return self._found.get(wanted)

    @Slot()
    def _follow(self) -> None:
        """Drop what is of another run."""
        if self._model.experiment is not self._experiment:
            self._experiment = self._model.experiment
            self.worker.stop_all()
            self._found.clear()
            self._troubles.clear()

    @Slot(object)
    def _on_done(self, job: MapJob) -> None:
        assert job.found is not None
        self._found[job.wanted] = job.found
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: MapJob, reason: str) -> None:
        self._troubles[job.wanted] = reason
        self.changed.emit()
