"""Scores of batches, put together in the order of the texts."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.model import Model
from attnviewer.models.survey.result import Survey
from attnviewer.models.survey.scoring import RAN, SKIPPED, TRUNCATED, Scores
from attnviewer.models.survey.texts import Batch
from attnviewer.models.survey.totals import Totals

LONGEST_EXAMPLE = 20_000
"""Maximum number of characters that are kept of an example."""

NO_TEXT = "The 'texts' must be at least one that has a token. Got none instead."


class Collected:
    """Statistics over the batches that were added, in whatever order they come.

    They are merged one after another by their number, so that rounding is always the
    same; what comes too early waits.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Batch, Scores]] = {}
        self._next = 0
        self._totals: Totals | None = None
        self._texts: dict[int, str] = {}
        self._states = np.zeros(3, np.int64)

    def add(self, batch: Batch, scores: Scores) -> None:
        """Add a batch."""
        self._waiting[batch.number] = batch, scores
        while self._next in self._waiting:
            self._merge(*self._waiting.pop(self._next))
            self._next += 1

    def survey(self, model: Model, metrics: tuple[str, ...]) -> Survey:
        """Return the survey of all batches.

        Raises
        ------
        ValueError
            If there is no text.
        """
        totals, states = self._totals, self._states
        if totals is None or not states[[RAN, TRUNCATED]].any():
            raise ValueError(NO_TEXT)
        return Survey(
            model.name,
            model.fingerprint,
            metrics,
            int(states[RAN] + states[TRUNCATED]),
            int(states[TRUNCATED]),
            int(states[SKIPPED]),
            count=totals.count,
            mean=_where_any(totals, totals.mean),
            spread=_where_any(totals, totals.deviation),
            minimum=totals.minimum,
            lowest=totals.lowest,
            highest=totals.highest,
            highest_values=totals.highest_values,
            texts=self._texts,
        )

    def _merge(self, batch: Batch, scores: Scores) -> None:
        own = Totals.of(scores.values, batch.first)
        self._totals = own if self._totals is None else self._totals.with_later(own)
        self._states += np.bincount(scores.states, minlength=len(self._states))
        self._texts.update(
            (batch.first + place, _shortened(text))
            for place, text in enumerate(batch.texts)
        )
        named = self._totals.named
        self._texts = {n: text for n, text in self._texts.items() if n in named}


def _where_any(totals: Totals, values: Array) -> Array:
    return np.where(totals.count > 0, values, np.nan)


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_EXAMPLE else f"{text[: LONGEST_EXAMPLE - 1]}…"
