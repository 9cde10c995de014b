"""Numbers of the heads of a layer in sentences, as a job for a worker."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute import Array
from attnviewer.io import FileError
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.work.worker import NO_MEMORY, Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import ModelTrace
    from attnviewer.models.experiment import Experiment

_tr = translate_in("Sentences")

LONGEST = 10_000
"""Characters of a sentence that a model is run over."""
ELSEWHERE = ("prefix_matching", "retrieval")
"""Detectors that are the same in every sentence, or need a needle."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceNumbers:
    """The entry of a sentence.

    Parameters
    ----------
    n_tokens : int
        Its length in tokens.
    columns : tuple of str
        The names of the numbers, see `DETECTORS`.
    values : ndarray of float64, shape (h, columns)
        The numbers of the heads of a layer.
    lacking : mapping of str to str
        Why a column has no numbers.
    reason : str
        Why the sentence was refused; "" if it was not.
    """

    n_tokens: int = 0
    columns: tuple[str, ...] = ()
    values: Array = field(default_factory=lambda: np.empty((0, 0)))
    lacking: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""

    def value(self, head: int, column: str) -> float:
        """Return a number of a head; NaN if there is none."""
        if column not in self.columns:
            return float("nan")
        return float(self.values[head, self.columns.index(column)])


class SentencesJob:
    """Runs a model over sentences, for the numbers of the heads of a layer.

    Parameters
    ----------
    experiment : Experiment
        The model with its replaced weights.
    layer : int
        The layer.
    texts : sequence of str
        The sentences.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    known : dict of str to SentenceNumbers
        The results so far.
    """

    def __init__(
        self, experiment: "Experiment", layer: int, texts: Sequence[str]
    ) -> None:
        self.experiment = experiment
        self.layer = layer
        self.texts = tuple(texts)
        self.stopped = False
        self.known: dict[str, SentenceNumbers] = {}

    def run(self) -> None:
        """Compute.

        Raises
        ------
        Stopped
            If it was cancelled.
        """
        for text in self.texts:
            if self.stopped:
                raise Stopped
            self.known[text] = self._numbers(text)

    def _numbers(self, text: str) -> SentenceNumbers:
        if len(text) > LONGEST:
            pattern = _tr("It has {count} characters; at most {most} are read.")
            reason = pattern.format(count=f"{len(text):,}", most=f"{LONGEST:,}")
            return SentenceNumbers(reason=reason)
        try:
            return self._computed(text)
        except (ValueError, FileError) as error:
            return SentenceNumbers(reason=str(error))
        except MemoryError:
            return SentenceNumbers(reason=NO_MEMORY)

    def _computed(self, text: str) -> SentenceNumbers:
        from attnviewer.models import head_table
        from attnviewer.models.detectors import DETECTORS

        run = self._run_over(text)
        wanted = [name for name in DETECTORS if name not in ELSEWHERE]
        table = head_table(run, [self.layer], detectors=wanted)
        lacking = dict(note.split(": ", 1) for note in table.notes)
        titles = {name: DETECTORS[name].title for name in wanted}
        return SentenceNumbers(
            len(run.ids),
            table.columns[2:],
            table.values[:, 2:],
            {name: lacking[t] for name, t in titles.items() if t in lacking},
        )

    def _run_over(self, text: str) -> "ModelTrace":
        from attnviewer.ui.state.model.picture_files import run_over_typed

        run = run_over_typed(self.experiment.run.model, text)
        return self.experiment.with_run(run).run
