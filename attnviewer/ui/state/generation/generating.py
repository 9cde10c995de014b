"""The open decoder goes on, step by step or until it is paused."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.ui.state.generation.choices import GenerationChoices
from attnviewer.ui.state.generation.jobs import SentenceJob, TokenJob
from attnviewer.ui.state.model import OpenModel
from attnviewer.ui.state.model.jobs import LayerJob

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.generation import Continuation, Step

PAUSE = 150
"""Milliseconds for which a token is in sight before the next one is generated."""


class Generating(QObject):
    """Tokens that the open decoder has generated, and the one that is shown.

    The sentence with a token becomes that of the model. Any other sentence, or other
    weights, begin anew.

    Parameters
    ----------
    model : OpenModel
        The model.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The model, the choices, the tokens or the one that is shown have changed.
    """

    changed = Signal()

    def __init__(self, model: OpenModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._choices = GenerationChoices()
        self._prompt: ModelTrace | None = None
        self._steps: list[Step] = []
        self._shown = 0
        self._continuation: Continuation | None = None
        self._job: SentenceJob | None = None
        self._target = 0
        self._playing = False
        self._stopped = self._notice = ""
        self._next = QTimer(self, singleShot=True, interval=PAUSE)
        self._next.timeout.connect(self._on_pause_over)
        model.layer_computed.connect(self._on_computed)
        model.changed.connect(self._follow)
        for signal in (model.completed, model.predicted):
            signal.connect(self._go_on)
        for signal in (model.cancelled, model.interrupted):
            signal.connect(self.pause)
        model.refused.connect(self._on_refused)

    @property
    def choices(self) -> GenerationChoices:
        """The choice of the next token."""
        return self._choices

    @property
    def has_model(self) -> bool:
        """Whether a model is open."""
        return self._model.experiment is not None

    @property
    def has_decoder(self) -> bool:
        """Whether the open model predicts next tokens, by self-attention."""
        run = self._run
        return run is not None and run.model.kind == "decoder" and not self.crosses

    @property
    def crosses(self) -> bool:
        """Whether the cross-attention of the open model is shown."""
        return self._run is not None and self._run.spec(0).context

    @property
    def prompt(self) -> "ModelTrace | None":
        """The run over the sentence that is continued."""
        return self._prompt

    @property
    def steps(self) -> "tuple[Step, ...]":
        """The generated tokens."""
        return tuple(self._steps)

    @property
    def shown(self) -> int:
        """The number of them in the open sentence."""
        return self._shown

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._playing

    @property
    def stopped(self) -> str:
        """The reason why it does not go on, in one sentence; "" if it can."""
        return self._stopped

    @property
    def notice(self) -> str:
        """The settings of the checkpoint that its tokens ignore, in one sentence."""
        return self._notice

    @property
    def step(self) -> "Step | None":
        """The step that is shown; None for the sentence before them."""
        return self._steps[self._shown - 1] if self._shown else None

    def cached(self, layer: int) -> range:
        """Return the tokens whose keys and values an earlier step has computed.

        Parameters
        ----------
        layer : int
            The layer; with a window, it keeps only the last ones.
        """
        step = self.step
        if step is None:
            return range(0)
        count = len(step.run.ids)
        return range(count - step.cached[layer], count - 1)

    def choose(self, choices: GenerationChoices) -> None:
        """Choose the next tokens otherwise."""
        if choices != self._choices:
            self._choices = choices
            self.changed.emit()

    @Slot()
    def play(self) -> None:
        """Go on until a token ends the text, or `pause` is called."""
        if self.has_decoder and not self._playing:
            self._playing = True
            if not self._busy:
                self._advance()
            self.changed.emit()

    @Slot()
    def pause(self) -> None:
        """Go on no further; the token that is being computed is still shown."""
        self._next.stop()
        if self._playing:
            self._playing = False
            self.changed.emit()

    @Slot()
    def toggle(self) -> None:
        """Play or pause."""
        if self._playing:
            self.pause()
        else:
            self.play()

    @Slot()
    def advance(self) -> None:
        """Generate one token after the shown one; the tokens after that are dropped.

        Do nothing while one is being computed.
        """
        self.pause()
        if self.has_decoder and not self._busy:
            self._advance()

    @Slot()
    def back(self) -> None:
        """Show the sentence without the token that is shown last."""
        self.go_to(self._shown - 1)

    def go_to(self, count: int) -> None:
        """Show the sentence with so many of the generated tokens."""
        self.pause()
        experiment = self._model.experiment
        if experiment is None or not 0 <= count <= len(self._steps):
            return
        if count == self._shown and not self._busy:
            return
        assert self._prompt is not None
        run = self._steps[count - 1].run if count else self._prompt
        self._stopped, self._target = "", count
        # The continuation has already seen the later tokens.
        self._continuation = None
        location = self._model.location
        self._start(SentenceJob(experiment, location, run, self._prompt))

    def close(self) -> None:
        """Go on no further."""
        self._next.stop()

    @property
    def _busy(self) -> bool:
        """Whether a token, or an earlier step, is being computed to be shown."""
        return self._job is not None and self._job in self._model.worker.jobs

    @property
    def _run(self) -> "ModelTrace | None":
        experiment = self._model.experiment
        return None if experiment is None else experiment.run

    @Slot()
    def _advance(self) -> None:
        experiment = self._model.experiment
        assert experiment is not None
        assert self._prompt is not None
        self._stopped, self._target = "", self._shown + 1
        location, continuation = self._model.location, self._continuation
        # A cancelled job leaves the continuation half advanced.
        self._continuation = None
        self._start(
            TokenJob(experiment, location, self._prompt, self._choices, continuation)
        )

    def _start(self, job: SentenceJob) -> None:
        self._job = job
        self._model.start(job)

    @Slot(object)
    def _on_computed(self, job: LayerJob) -> None:
        if job is not self._job:
            return
        self._shown = self._target
        if isinstance(job, TokenJob):
            assert job.step is not None
            assert job.continuation is not None
            self._continuation = job.continuation
            self._steps[self._shown - 1 :] = [job.step]
            self._stopped = job.continuation.stopped_by(job.step)
            self._notice = job.continuation.notice

    @Slot()
    def _follow(self) -> None:
        """Begin anew with another sentence or other weights."""
        self._job, run, step = None, self._run, self.step
        known = self._prompt if step is None else step.run
        if run is not known:
            self._continuation, self._stopped, self._notice = None, "", ""
            self._prompt, self._steps, self._shown = run, [], 0
            self._playing = False
        elif self._stopped:
            self._playing = False
        self._go_on()
        self.changed.emit()

    @Slot()
    def _go_on(self) -> None:
        """Generate the next token once this one was in sight for a while."""
        if self._playing:
            self._next.start()

    @Slot()
    def _on_pause_over(self) -> None:
        # Otherwise the model's layers are still to be computed: it says when.
        if self._playing and not self._model.computing:
            self._advance()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        if self._job is not None:
            self._job, self._stopped = None, reason
            self._playing = False
            self.changed.emit()
