"""Maps over all layers of the open model: combined layers, and what heads write."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.model.open_model import OpenModel
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Job, Stopped, Worker

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import ModelTrace
    from attnviewer.models.experiment import Experiment
    from attnviewer.models.written_heads import WrittenHeads

_tr = translate_in("LayerMaps")

LayerWay: TypeAlias = Literal["rollout", "flow", "attention_gradient"]
"""How the heads of all layers are combined into one map."""
LAYER_WAYS: tuple[LayerWay, ...] = get_args(LayerWay)
Kind: TypeAlias = LayerWay | Literal["written"]
"""What is computed: a map, or what each head writes."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerMap:
    """The layers of a model as one map.

    Parameters
    ----------
    way : str
        How they are combined.
    values : ndarray, shape (n, n)
        The numbers.
    of : str
        What they are numbers of: the token whose logit is differentiated; "" for
        others.
    """

    way: LayerWay
    values: "Array"
    of: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """What each head writes.

    Parameters
    ----------
    heads : WrittenHeads
        The heads.
    largest : float
        The largest of all numbers.
    """

    heads: "WrittenHeads"
    largest: float


class MapJob:
    """Computes a map, as a job for a worker.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    share : float
        How much of it is done, 0 to 1.
    found : LayerMap or Written or None
        The result.
    """

    def __init__(self, experiment: "Experiment", kind: Kind) -> None:
        self.experiment, self.kind = experiment, kind
        self.stopped = False
        self.share = 0.0
        self.found: LayerMap | Written | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If the model has no such map, or a number is not finite.
        Stopped
            If it was cancelled.
        """
        run = self.experiment.run
        if self.kind == "rollout":
            from attnviewer.models import rollout

            self.found = LayerMap("rollout", rollout(run).values)
        elif self.kind == "flow":
            self.found = LayerMap("flow", self._flow(run))
        elif self.kind == "written":
            self.found = self._written(run)
        else:
            self.found = _by_gradient(self.experiment)

    def _flow(self, run: "ModelTrace") -> "Array":
        import numpy as np

        from attnviewer.models.flow import flow_rows

        rows: list[Array] = []
        for row in flow_rows(run):
            rows.append(row)
            self._advance(len(rows) / len(row))
        return np.array(rows)

    def _written(self, run: "ModelTrace") -> Written:
        from attnviewer.models.written_heads import WrittenHeads

        heads, largest = WrittenHeads(run), 0.0
        for layer in heads.layers:
            self._advance(layer / len(heads.layers))
            heads.compute(layer)
            largest = max(largest, heads.largest(layer))
        return Written(heads, largest)

    def _advance(self, share: float) -> None:
        self.share = share
        if self.stopped:
            raise Stopped


def _by_gradient(experiment: "Experiment") -> LayerMap:
    """Return attention × gradient; of an encoder, on the cosine with what it differs.

    Raises
    ------
    ValueError
        If an encoder is compared with nothing.
    """
    from attnviewer.models import EmbeddingCosine, Logit, attention_gradient

    run, other = experiment.run, experiment.compared
    if run.model.kind == "encoder":
        if other is None:
            raise ValueError(
                _tr(
                    "Attention × gradient of an encoder needs a second sentence, whose "
                    "embedding it is compared with: choose Compare… above."
                )
            )
        found = attention_gradient(run, EmbeddingCosine(other))
        return LayerMap("attention_gradient", found.by_token().values)
    likely = run.next_tokens(1)[0]
    (name,) = run.model.readable([likely.token])
    found = attention_gradient(run, Logit(likely.id))
    return LayerMap("attention_gradient", found.by_token().values, name)


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
        self._found: dict[Kind, LayerMap | Written] = {}
        self._troubles: dict[Kind, str] = {}
        model.changed.connect(self._follow)

    def map(self, way: LayerWay) -> LayerMap | None:
        """Return a map; None while it is computed, or where there is a `trouble`."""
        found = self._get(way)
        return found if isinstance(found, LayerMap) else None

    @property
    def written(self) -> Written | None:
        """What each head writes; None while it is computed, or in `trouble`."""
        found = self._get("written")
        return found if isinstance(found, Written) else None

    def trouble(self, kind: Kind) -> str:
        """Return why there is no map; "" if there is one or it is being computed."""
        return self._troubles.get(kind, "")

    def retry(self) -> None:
        """Compute what failed or was cancelled when it is asked for again."""
        self._troubles.clear()

    def leave(self, way: LayerWay) -> None:
        """Stop computing a map that is not looked at any more."""
        self._troubles.pop(way, None)
        for job in self.worker.jobs:
            if isinstance(job, MapJob) and job.kind == way:
                self.worker.stop(job)

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, MapJob)
        percent = round(100 * job.share)
        return _tr("combining layers … {percent} %").format(percent=percent)

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

    def _get(self, kind: Kind) -> LayerMap | Written | None:
        """Return what is known, or have it computed."""
        self._follow()
        started = {job.kind for job in self.worker.jobs if isinstance(job, MapJob)}
        missing = kind not in self._found and kind not in self._troubles
        ready = self._experiment is not None and self._model.heads is not None
        if missing and ready and kind not in started:
            assert self._experiment is not None
            self.worker.start(MapJob(self._experiment, kind))
        return self._found.get(kind)

    @Slot()
    def _follow(self) -> None:
        """Drop what is of another run."""
        if self._model.experiment is not self._experiment:
            self._experiment = self._model.experiment
            for job in self.worker.jobs:
                self.worker.stop(job)
            self._found.clear()
            self._troubles.clear()

    @Slot(object)
    def _on_done(self, job: MapJob) -> None:
        assert job.found is not None
        self._found[job.kind] = job.found
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: MapJob, reason: str) -> None:
        self._troubles[job.kind] = reason
        self.changed.emit()
