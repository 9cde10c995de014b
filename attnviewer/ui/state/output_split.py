"""The output of the open model, split over what its parts write."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.ui.state.selected_token import selected_token
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.debounced_worker import DebouncedWorker

# Models are imported in functions: most windows open none.
if TYPE_CHECKING:
    from attnviewer.compute import Array
    from attnviewer.models import Contributions, LogitLens, ModelTrace

MOST_KEPT = 16
"""How many splits of a run are kept."""


@dataclass(frozen=True, slots=True)
class OutputRequest:
    """The output that is to be split.

    Parameters
    ----------
    run : ModelTrace
        The completed run.
    position : int or None
        The token after which a decoder predicts; None for a sentence embedding.
    token, against : int or None
        The token whose logit is split, by default the most probable next one, and the
        one whose logit is subtracted.
    """

    run: "ModelTrace"
    position: int | None
    token: int | None = None
    against: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The predictions of a decoder, layer by layer.

    Parameters
    ----------
    after, token, against : str
        The token that it predicts after, the one whose logit is split, and the one
        whose logit is subtracted, "" for none; in readable form.
    lens : LogitLens
        What each layer would predict.
    probabilities : ndarray, shape (n_layers + 1,)
        That of the token at each layer.
    capped : bool
        Whether logits have a soft cap, before which they are split.
    """

    after: str
    token: str
    against: str
    lens: "LogitLens"
    probabilities: "Array"
    capped: bool


@dataclass(frozen=True, slots=True, eq=False)
class OutputParts:
    """A split output.

    Parameters
    ----------
    contributions : Contributions
        To the logit, or to the length of the sentence embedding.
    prediction : Prediction or None
        What a decoder predicts; None for an encoder.
    """

    contributions: "Contributions"
    prediction: Prediction | None = None


class OutputJob:
    """Splits an output, as a job for a worker.

    Attributes
    ----------
    stopped : bool
        Set to cancel it before it starts.
    parts : OutputParts or None
        The result.
    """

    def __init__(self, request: OutputRequest) -> None:
        self.request = request
        self.stopped = False
        self.parts: OutputParts | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If the model has no such output, or a number is not finite.
        """
        request = self.request
        run, position = request.run, request.position
        if position is None:
            self.parts = OutputParts(run.embedding_shares())
            return
        lens = run.logit_lens(position)
        likely = lens.most_probable[-1][0].id
        token = likely if request.token is None else request.token
        found = run.attribution(token, request.against, position)
        name, against = (_readable(run, id) for id in (token, request.against))
        (after,) = run.model.readable([run.tokens[position]])
        chances = lens.probabilities_of(token)
        capped = run.model.architecture.logit_cap is not None
        prediction = Prediction(after, name, against, lens, chances, capped)
        self.parts = OutputParts(found, prediction)


def _readable(run: "ModelTrace", id: int | None) -> str:
    if id is None:
        return ""
    (name,) = run.model.readable(run.model.names([id]))
    return name


class OutputSplit(QObject):
    """Splits the open model's output at the selected query, while that is wanted.

    Parameters
    ----------
    workbench : Workbench
        The model and the selection.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The output, its parts or the reason why there are none have changed.
    model_changed : Signal
        Another model is open: no tokens are chosen.
    """

    changed = Signal()
    model_changed = Signal()

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._model = workbench, workbench.model
        self.worker = DebouncedWorker(self)
        self.worker.due.connect(self._start)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._wanted = False
        self._tokens: tuple[int | None, int | None] = (None, None)
        self._request: OutputRequest | None = None
        self._kept: dict[OutputRequest, OutputParts] = {}
        self._parts: OutputParts | None = None
        self._trouble = ""
        model, selection = self._model, workbench.selection
        for signal in (
            workbench.opened,
            model.changed,
            model.completed,
            selection.cell_changed,
        ):
            signal.connect(self.follow)

    @property
    def run(self) -> "ModelTrace | None":
        """The run of the open model; None while none is open."""
        experiment = self._model.experiment
        return None if experiment is None else experiment.run

    @property
    def parts(self) -> OutputParts | None:
        """The newest split; that of an earlier output while `computing`."""
        return self._parts

    @property
    def computing(self) -> bool:
        """Whether the split is still to come."""
        return self.worker.busy

    @property
    def trouble(self) -> str:
        """The reason why there is no split; "" if there is one or will be."""
        return self._trouble

    def set_wanted(self, wanted: bool) -> None:
        """Have outputs split, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.follow()

    def choose(self, token: str | int | None, against: str | int | None) -> None:
        """Choose whose logits are split.

        Parameters
        ----------
        token, against : str or int or None
            The token, by default the most probable next one, and the one whose logit
            is subtracted: as `Model.id_of` takes them.

        Raises
        ------
        ValueError
            If one is no single token.
        """
        chosen = self._id_of(token), self._id_of(against)
        if chosen != self._tokens:
            self._tokens = chosen
            self.follow()

    def name_of(self, id: int) -> str:
        """Return a token of the model as `choose` takes it; "" without a model."""
        run = self.run
        if run is None:
            return ""
        return str(id) if run.model.tokenizer is None else run.model.names([id])[0]

    @Slot()
    def follow(self) -> None:
        """Drop what is outdated, and split the output at the selected query."""
        run = self.run
        before = self._request
        if before is not None and (run is None or before.run is not run):
            self._kept.clear()
            self._parts, self._trouble = None, ""
            if run is None or before.run.model is not run.model:
                self._tokens = None, None
                self.model_changed.emit()
        request = self._requested()
        if request != before or request is None:
            self.worker.stop_all()
            self._request = request
            if request in self._kept:
                self._take(self._kept[request], "")
                return
            if request is not None:
                self.worker.request()
        self.changed.emit()

    def finish(self) -> None:
        """Wait for the split that is wanted."""
        self.worker.finish()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    def _requested(self) -> OutputRequest | None:
        """Return what is to be split; None while it is not wanted or not computed."""
        run = self.run
        if run is None or not self._wanted or self._model.heads is None:
            return None
        if run.model.kind == "encoder":
            return OutputRequest(run, None)
        position, last = selected_token(self._workbench), len(run.ids) - 1
        place = last if position is None else min(position, last)
        return OutputRequest(run, place, *self._tokens)

    def _id_of(self, token: str | int | None) -> int | None:
        run = self.run
        if run is None or token is None:
            return None
        if run.model.tokenizer is None and isinstance(token, str):
            token = int(token) if token.isdecimal() else token
        return run.model.id_of(token)

    @Slot()
    def _start(self) -> None:
        if self._request is not None:
            self.worker.start(OutputJob(self._request))

    def _take(self, parts: OutputParts | None, trouble: str) -> None:
        self._parts, self._trouble = parts, trouble
        self.changed.emit()

    @Slot(object)
    def _on_done(self, job: OutputJob) -> None:
        assert job.parts is not None
        if len(self._kept) == MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[job.request] = job.parts
        self._take(job.parts, "")

    @Slot(object, str)
    def _on_failed(self, _job: OutputJob, reason: str) -> None:
        self._take(None, reason)
