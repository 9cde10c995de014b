"""The open model whose heads are shown."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.model.jobs import AllLayersJob, LayerJob, PredictionJob, Work
from attnviewer.ui.state.model.progress import progress_of
from attnviewer.ui.state.model.reconnect import Reconnect
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest
from attnviewer.ui.work.worker import Job, Worker

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import Model
    from attnviewer.models.effect import ModelEffect
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.heads import ModelHeads
    from attnviewer.models.layer_documents import Link
    from attnviewer.models.parts import PartName
    from attnviewer.models.telling import TellingHead


class OpenModel(QObject):
    """A model run over a sentence, its replaced weights, and the part that is shown.

    A worker computes it up to the layer that is shown and then, while that is visible
    already, the rest. The newest request wins; a request that fails changes nothing.

    Attributes
    ----------
    worker : Worker
        The worker.
    started : Signal
        A `LayerJob` that has been requested.
    layer_computed : Signal
        A `LayerJob` is done: its document is to be opened, unless the open one stays,
        and compared.
    changed : Signal
        The model, sentence, location or weights have changed; emitted after
        `layer_computed`.
    completed : Signal
        All layers are computed.
    predicted : Signal
        The prediction at another position has been computed.
    refused : Signal
        Why a request failed.
    sentence_refused : Signal
        Why a sentence was refused, and the sentence.
    unconnected : Signal
        A `Reconnect` that failed, and why.
    cancelled : Signal
        The user cancelled a request.
    interrupted : Signal
        The user cancelled the layers after the one that is shown.
    """

    started = Signal(object)
    layer_computed = Signal(object)
    changed = Signal()
    completed = Signal()
    predicted = Signal()
    refused = Signal(str)
    sentence_refused = Signal(str, str)
    unconnected = Signal(object, str)
    cancelled = Signal()
    interrupted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._experiment: Experiment | None = None
        self._text = self._other = ""
        self._location = ModelLocation(0)
        self._heads: ModelHeads | None = None
        self._outcome: ModelEffect | None = None
        self._seeks = False
        self._telling: TellingHead | None = None
        self._position: int | None = None
        self._job: Work | None = None

    @property
    def experiment(self) -> "Experiment | None":
        """The runs; None while no model is open."""
        return self._experiment

    @property
    def text(self) -> str:
        """The text it ran over, as typed."""
        return self._text

    @property
    def other(self) -> str:
        """The sentence that it is compared with; "" for none."""
        return self._other

    @property
    def location(self) -> ModelLocation:
        """The layer or head that is shown."""
        return self._location

    @property
    def requested(self) -> ModelLocation:
        """The layer or head that is being computed to be shown, or else `location`."""
        job = self._job
        return job.request.location if isinstance(job, LayerJob) else self._location

    @property
    def wished_text(self) -> str | None:
        """The requested sentence; None if a model being opened chooses the default."""
        job = self._job
        if not isinstance(job, LayerJob):
            return self._text
        text, opening = job.request.text, isinstance(job.request.source, Path)
        return text if opening or text is not None else self._text

    @property
    def heads(self) -> "ModelHeads | None":
        """The heads of all layers; None until they are computed."""
        return None if self._outcome is None else self._heads

    @property
    def computing(self) -> bool:
        """Whether the worker is busy."""
        return self._job is not None

    @property
    def outcome(self) -> "ModelEffect | None":
        """The effect of the changes on the model; None until all layers are computed.

        Its next tokens are those of the previous position until `predicted`.
        """
        return self._outcome

    @property
    def telling(self) -> "TellingHead | None":
        """The most telling head of a model that was just opened, without changes.

        None where the layer or head was given, no weight tells much, or layers are
        still to be computed.
        """
        return self._telling

    def link_of(self, document: "Document") -> "Link | None":
        """Return a document's link to the open model; None if it is not from it."""
        if self._experiment is None:
            return None
        from attnviewer.models.layer_documents import link_of

        link = link_of(document)
        model = self._experiment.run.model
        return link if link is not None and link.run.model is model else None

    def follow(self, document: "Document") -> None:
        """Show the place an open document is from, if it is from the open model."""
        link = self.link_of(document)
        if link is not None and ModelLocation(link.layer, link.head) != self._location:
            self._location = ModelLocation(link.layer, link.head)
            self.changed.emit()

    def compare_from(self, document: "Document") -> None:
        """Show the place an open document is from, to compare both.

        Do nothing if it is not from the model, or if nothing is compared.
        """
        link, experiment = self.link_of(document), self._experiment
        if link is not None and experiment is not None and experiment.compared:
            self._change(location=ModelLocation(link.layer, link.head), stays=True)

    def open(
        self, path: Path, text: str | None = None, location: ModelLocation | None = None
    ) -> None:
        """Open another checkpoint by its folder, or a file of it.

        It runs over `text`, by default a sentence that fits it, and the layer or head
        at `location` is shown, by default the first layer.
        """
        seeks = location is None
        where = location or ModelLocation(0)
        self.start(LayerJob(ModelRequest(path, where, text, seeks=seeks)))

    def start(self, job: LayerJob) -> None:
        """Start a job; any other one is cancelled."""
        self._stop()
        self._job = job
        self.worker.start(job)
        self.started.emit(job)

    def continue_from(self, job: LayerJob) -> None:
        """Adopt a finished job whose document is open."""
        self._stop()
        self._adopt(job)
        self.changed.emit()
        self.complete()

    def set_text(self, text: str) -> None:
        """Run over another sentence."""
        self._change(text=text, stays=False)

    def show(self, location: ModelLocation, head: int | None = None) -> None:
        """Show another layer, choosing `head` among all of it, or a single head."""
        self._change(location=location, head=head, stays=False)

    def show_part(self, part: "PartName") -> None:
        """Show another part of an encoder–decoder, over the same sentences."""
        other = self._other or None
        self._change(part=part, text=self.wished_text, other=other, stays=False)

    def compare(self, text: str, *, stays: bool = False) -> None:
        """Compare with another sentence; "" for none.

        With `stays`, the open document stays open, being the model's; not if another
        one is on its way.
        """
        self._change(other=text, stays=stays and self._may_stay)

    def compare_checkpoint(self, model: "Model | None", *, stays: bool) -> None:
        """Compare with another checkpoint, None for none, unless a model is opening.

        With `stays`, as in `compare`.

        Raises
        ------
        ValueError
            If it cannot run over the sentence.
        """
        source = self._base().source
        if not isinstance(source, Path):
            self._change(source=source.against(model), stays=stays and self._may_stay)

    def put_back(self, document: "Document") -> None:
        """Replace the model's weights by those of a document.

        Raises
        ------
        ValueError
            If it is not from the model.
        """
        from attnviewer.models.layer_documents import patch_of

        if self.link_of(document) is None:
            raise ValueError(
                "The 'document' must be from the open model. "
                f"Got '{document.title}' instead."
            )
        patch, request = patch_of(document), self._base()
        if isinstance(request.source, Path):  # cancelled in favour of this one
            request = self._present()
        self.start(LayerJob(request.with_patch(patch)))

    def take_out(self) -> None:
        """Restore the original weights of all layers and heads."""
        self._change(patches=(), stays=False)

    def predict_after(self, position: int | None) -> None:
        """Predict at another position; None for the masked token, or the last one."""
        self._position = position
        if self._outcome is not None and not isinstance(self._job, LayerJob):
            self._stop()
            self._predict(self._outcome)

    def progress(self, job: Job) -> str:
        """Return the progress message of a long-running job."""
        assert isinstance(job, Work)
        return progress_of(job)

    @Slot()
    def cancel(self) -> None:
        """Cancel the computation at the user's request."""
        job = self._job
        self._stop()
        if isinstance(job, LayerJob):
            self.complete()
            self.cancelled.emit()
        elif job is not None:
            self.interrupted.emit()

    def give_up(self) -> None:
        """Cancel a request in favour of another one, silently."""
        if isinstance(self._job, LayerJob):
            self._stop()
            self.complete()

    @Slot()
    def complete(self) -> None:
        """Compute whatever is not known yet about the current model."""
        # A slot may have made another request already.
        if self._job is not None or self._experiment is None:
            return
        if self._outcome is not None:
            self._predict(self._outcome)
            return
        assert self._heads is not None
        self._job = AllLayersJob(
            self._experiment,
            self._heads,
            self._prediction_position(),
            seeks=self._seeks,
        )
        self.worker.start(self._job)

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self._job = None
        self.worker.close()

    def _base(self) -> ModelRequest:
        """Return the pending request, or one for the current state."""
        job = self._job
        return job.request if isinstance(job, LayerJob) else self._present()

    def _present(self) -> ModelRequest:
        assert self._experiment is not None
        return ModelRequest(self._experiment, self._location)

    @property
    def _may_stay(self) -> bool:
        """Whether no document is on its way that replaces the open one."""
        return not isinstance(self._job, LayerJob) or self._job.request.stays

    def _change(self, **requested: Any) -> None:
        self.start(LayerJob(replace(self._base(), **requested)))

    def _stop(self) -> None:
        if self._job is not None:
            self.worker.stop(self._job)
            self._job = None

    @Slot(object)
    def _on_done(self, job: Work) -> None:
        self._job = None
        if isinstance(job, LayerJob):
            self._on_layer_computed(job)
        elif isinstance(job, PredictionJob):
            assert self._outcome is not None
            self._outcome = job.put_into(self._outcome)
            self.predicted.emit()
        else:
            self._outcome = job.outcome
            self._telling = job.telling
            self.completed.emit()
            self.complete()

    def _on_layer_computed(self, job: LayerJob) -> None:
        if isinstance(job, Reconnect):
            job.connect()
        self._adopt(job)
        self.layer_computed.emit(job)
        self.changed.emit()
        self.complete()

    def _adopt(self, job: LayerJob) -> None:
        from attnviewer.models.heads import ModelHeads

        before, self._experiment = self._experiment, job.experiment
        assert self._experiment is not None
        self._location = job.location
        self._seeks, self._telling = job.request.seeks, None
        if job.text is not None:
            self._text = job.text
        document = job.document
        if document is not None and document.checkpoint is not None:
            document.checkpoint = replace(document.checkpoint, text=self._text)
        if isinstance(job.request.source, Path):
            self._other = ""
        if job.request.other is not None:
            self._other = job.request.other
        if self._experiment is not before:
            self._heads = ModelHeads(self._experiment.run)
            self._outcome = None

    def _predict(self, outcome: "ModelEffect") -> None:
        found = outcome.predicted
        position = None if found is None else found.position
        if position is not None and position != self._prediction_position():
            assert self._experiment is not None
            self._job = PredictionJob(self._experiment, self._prediction_position())
            self.worker.start(self._job)

    def _prediction_position(self) -> int:
        """Return the predicted position; another sentence may be shorter."""
        assert self._experiment is not None
        run = self._experiment.run
        if self._position is None:
            return run.masked_position
        return min(self._position, len(run.ids) - 1)

    @Slot(object, str)
    def _on_failed(self, job: Work, reason: str) -> None:
        self._job = None
        if isinstance(job, LayerJob):  # which has stopped the previous job
            self.complete()
        if isinstance(job, Reconnect):
            self.unconnected.emit(job, reason)
        elif isinstance(job, LayerJob) and job.refused_text is not None:
            self.sentence_refused.emit(reason, job.refused_text)
        else:
            self.refused.emit(reason)
