"""A preview of the open model with its chosen head off, or at its mean."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import HeadLocation
from attnviewer.document.variants.ablation import Ablation
from attnviewer.ui.state.model.open_model import OpenModel
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Job, Stopped, Worker

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.ablation import AblationEffect

_tr = translate_in("OpenModel")


@dataclass(frozen=True, slots=True)
class AblationRequest:
    """A request for an effect.

    Parameters
    ----------
    run : ModelTrace
        The completed run.
    head : HeadLocation
        The head.
    kind : str
        What its output is replaced by.
    position : int
        The token after which a decoder predicts.
    """

    run: "ModelTrace"
    head: HeadLocation
    kind: Ablation
    position: int


class AblationJob:
    """Runs a model with a head's output replaced, as a job for a worker.

    Parameters
    ----------
    request : AblationRequest
        What is wanted.
    before : AblationEffect or None
        An effect whose run is taken if only the position differs.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    layer : int
        The layer being computed.
    effect : AblationEffect or None
        The result.
    """

    def __init__(
        self, request: AblationRequest, before: "AblationEffect | None"
    ) -> None:
        self.request = request
        self.stopped = False
        self.layer = 0
        self.effect: AblationEffect | None = None
        self._before = before

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number is not finite.
        Stopped
            If it was cancelled.
        """
        from attnviewer.models.ablation import HeadAblation, ablation_effect

        request, before = self.request, self._before
        run, head = request.run, request.head
        assert head.layer is not None
        ablation = HeadAblation(head.layer, head.head, request.kind)
        ablated = ablation.of(run) if before is None else before.run
        for layer in range(head.layer, run.model.n_layers):
            if self.stopped:
                raise Stopped
            self.layer = layer
            ablated.stream(layer + 1)
        self.effect = ablation_effect(ablation, run, ablated, request.position)


class AblationPreview(QObject):
    """The effect of switching the chosen head off, or of holding it at its mean.

    It changes neither document nor model. While it is on, it follows the chosen head,
    the sentence and the weights.

    Parameters
    ----------
    model : OpenModel
        The model.
    chosen_head : callable
        Returns the chosen head of the model; None if there is none.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The choice, the head, the effect or the reason why there is none has changed.
    """

    changed = Signal()

    def __init__(
        self,
        model: OpenModel,
        chosen_head: Callable[[], HeadLocation | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._model, self._chosen_head = model, chosen_head
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._kind: Ablation | None = None
        self._head: HeadLocation | None = None
        self._request: AblationRequest | None = None
        self._effect: AblationEffect | None = None
        self._trouble = ""
        for signal in (model.changed, model.completed, model.predicted):
            signal.connect(self.follow)

    @property
    def kind(self) -> Ablation | None:
        """The replacement of the head's output; None for the model as it is."""
        return self._kind

    @property
    def head(self) -> HeadLocation | None:
        """The chosen head of the model."""
        return self._head

    @property
    def effect(self) -> "AblationEffect | None":
        """The effect; None while it is off or being computed."""
        return self._effect

    @property
    def trouble(self) -> str:
        """The reason why there is no effect; "" if there is one or will be."""
        return self._trouble

    def choose(self, kind: Ablation | None) -> None:
        """Choose what the head's output is replaced by; None for nothing."""
        if kind != self._kind:
            self._kind = kind
            self._update()
            self.changed.emit()

    @Slot()
    def follow(self) -> None:
        """Follow the chosen head, and what the model has computed."""
        before, self._head = self._head, self._chosen_head()
        if self._update() or self._head != before:
            self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, AblationJob)
        return _tr("computing layer {layer}…").format(layer=job.layer)

    @Slot()
    def cancel(self) -> None:
        """Show the model as it is."""
        if self.worker.jobs:
            self.choose(None)

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    def _update(self) -> bool:
        """Start what is wanted now; return whether that is something else."""
        before, effect = self._request, self._effect
        wanted = self._request = self._wanted()
        if wanted == before:
            return False
        self.worker.stop_all()
        self._effect, self._trouble = None, ""
        if wanted is not None:
            same = before is not None and wanted == replace(
                before, position=wanted.position
            )
            self.worker.start(AblationJob(wanted, effect if same else None))
        return True

    def _wanted(self) -> AblationRequest | None:
        experiment, outcome = self._model.experiment, self._model.outcome
        if self._kind is None or self._head is None or outcome is None:
            return None
        assert experiment is not None
        found = outcome.predicted
        position = None if found is None else found.position
        position = -1 if position is None else position
        return AblationRequest(experiment.run, self._head, self._kind, position)

    @Slot(object)
    def _on_done(self, job: AblationJob) -> None:
        self._effect = job.effect
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, _job: AblationJob, reason: str) -> None:
        self._trouble = reason
        self.changed.emit()
