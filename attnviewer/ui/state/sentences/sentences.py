"""The list of sentences, computed in the background for the layer of a head."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from math import isnan
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.sentences.job import SentenceNumbers, SentencesJob
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import Job, Worker

if TYPE_CHECKING:
    from attnviewer.models import Model
    from attnviewer.models.layer_documents import WeightPatch

_tr = translate_in("Sentences")

MOST = 1000
"""How many sentences the list holds."""
UNKNOWN = SentenceNumbers()
"""The entry of a sentence that is still to be computed."""


@dataclass(frozen=True, slots=True, eq=False)
class _Origin:
    """The subject of results."""

    model: "Model"
    patches: "tuple[WeightPatch, ...]"
    layer: int


class Order(Enum):
    """The order of the sentences."""

    LISTED = auto()
    LARGEST = auto()
    SMALLEST = auto()


class Sentences(QObject):
    """Sentences to step through, with a column of the head report across them.

    The list stays while the window is open, whichever model is.

    Parameters
    ----------
    workbench : Workbench
        The open model and the selection.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    changed : Signal
        The list, its order, what is known of it, or what is selected has changed.
    """

    changed = Signal()

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._model = workbench, workbench.model
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self.worker.progressed.connect(self._on_progressed)
        self._texts: list[str] = []
        self._selected = ""
        self._wanted = False
        self._column, self._order = "entropy", Order.LISTED
        self._origin: _Origin | None = None
        self._known: dict[str, SentenceNumbers] = {}
        for signal in (
            workbench.opened,
            self._model.changed,
            self._model.completed,
            workbench.selection.head_changed,
        ):
            signal.connect(self.follow)

    @property
    def head(self) -> HeadLocation | None:
        """The chosen head; None without a model."""
        return self._workbench.chosen_head

    @property
    def texts(self) -> list[str]:
        """The sentences in the order of the list."""
        if self._order is Order.LISTED:
            return list(self._texts)
        sign, values = (-1 if self._order is Order.LARGEST else 1), self.values
        # Without a number they come last.
        return sorted(
            self._texts, key=lambda t: (isnan(values[t]), sign * (values[t] or 0.0))
        )

    @property
    def column(self) -> str:
        """The number that is listed, a name of `DETECTORS`."""
        return self._column

    @property
    def order(self) -> Order:
        """The order in which that number sorts them."""
        return self._order

    @property
    def selected(self) -> str:
        """The sentence that is open or was chosen last; "" for none of the list."""
        return self._selected if self._selected in self._texts else ""

    @property
    def refused(self) -> int:
        """The number of sentences that the model refused."""
        return sum(bool(self.known(text).reason) for text in self._texts)

    def known(self, text: str) -> SentenceNumbers:
        """Return what is known of a sentence."""
        return self._known.get(text, UNKNOWN)

    @property
    def values(self) -> dict[str, float]:
        """The number of the chosen head in each sentence; NaN where there is none."""
        head = self.head
        if head is None:
            return dict.fromkeys(self._texts, float("nan"))
        known, column = self.known, self._column
        return {text: known(text).value(head.head, column) for text in self._texts}

    def add(self, texts: Sequence[str]) -> str:
        """Add sentences that the list does not hold yet.

        Returns
        -------
        str
            Why some were not added; "" if all were.
        """
        listed = set(self._texts)
        new = [text for text in dict.fromkeys(texts) if text not in listed]
        taken = new[: MOST - len(self._texts)]
        self._texts += taken
        self.follow()
        if len(taken) == len(new):
            return ""
        return _tr(
            "The list holds at most {most} sentences: {count} were not added."
        ).format(most=MOST, count=len(new) - len(taken))

    def remove(self, texts: Sequence[str]) -> None:
        """Remove sentences."""
        gone = set(texts)
        self._texts = [text for text in self._texts if text not in gone]
        for text in texts:
            self._known.pop(text, None)
        self.follow()

    def choose_column(self, column: str) -> None:
        """Choose the number."""
        self._column = column
        self.changed.emit()

    def sort(self, order: Order) -> None:
        """Sort by the number, or not at all."""
        self._order = order
        self.changed.emit()

    def open(self, text: str) -> None:
        """Run the model over a sentence, unless it is known to refuse it."""
        self._selected = text
        runs = self._model.experiment is not None and not self.known(text).reason
        if runs and text != self._model.wished_text:
            self._model.set_text(text)
        self.changed.emit()

    def step(self, by: int) -> None:
        """Open the next or the previous sentence of the list."""
        texts = self.texts
        place = texts.index(self.selected) + by if self.selected else 0
        if 0 <= place < len(texts):
            self.open(texts[place])

    def set_wanted(self, wanted: bool) -> None:
        """Have the numbers computed, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self.follow()

    @Slot()
    def follow(self) -> None:
        """Compute what is not known of the list, for the layer of the chosen head."""
        self._adopt()
        experiment, head = self._model.experiment, self.head
        if self._model.text in self._texts and not self._model.computing:
            self._selected = self._model.text
        here = None
        if experiment is not None and head is not None and head.layer is not None:
            here = _Origin(experiment.run.model, experiment.patches, head.layer)
        if not _same(here, self._origin):
            self.worker.stop_all()
            self._origin = here
            self._known.clear()
        missing = [text for text in self._texts if text not in self._known]
        running = [t for job in self._jobs for t in job.texts if t not in job.known]
        if not self._wanted or set(running) != set(missing):
            self.worker.stop_all()
            if self._wanted and missing and here is not None:
                assert experiment is not None
                self.worker.start(SentencesJob(experiment, here.layer, missing))
        self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, SentencesJob)
        return _tr("computing sentence {number} of {count}…").format(
            number=len(job.known) + 1, count=len(job.texts)
        )

    @Slot()
    def cancel(self) -> None:
        """Cancel at the user's request; other sentences or heads start again."""
        self._adopt()
        self.worker.stop_all()
        self.changed.emit()

    def close(self) -> None:
        """Cancel everything and wait for the thread."""
        self.worker.close()

    @property
    def computing(self) -> bool:
        """Whether numbers are still to come."""
        return bool(self.worker.jobs)

    @property
    def _jobs(self) -> list[SentencesJob]:
        return [job for job in self.worker.jobs if isinstance(job, SentencesJob)]

    def _adopt(self) -> None:
        """Take what the running job has computed so far."""
        for job in self._jobs:
            self._take(job)

    def _take(self, job: SentencesJob) -> None:
        # A copy: the worker adds to it.
        listed = set(self._texts)
        self._known |= {t: n for t, n in job.known.copy().items() if t in listed}

    @Slot(object)
    def _on_done(self, job: SentencesJob) -> None:
        self._take(job)
        self.changed.emit()

    @Slot(object)
    def _on_progressed(self, job: SentencesJob) -> None:
        self._take(job)
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, job: SentencesJob, reason: str) -> None:
        left = (text for text in job.texts if text not in job.known)
        self._take(job)
        self._known |= {text: SentenceNumbers(reason=reason) for text in left}
        self.changed.emit()


def _same(first: _Origin | None, other: _Origin | None) -> bool:
    """Return whether results are of the same model, weights and layer."""
    if first is None or other is None:
        return first is other
    # Weights are arrays: the same ones, not equal ones.
    return first.patches is other.patches and (first.model, first.layer) == (
        other.model,
        other.layer,
    )
