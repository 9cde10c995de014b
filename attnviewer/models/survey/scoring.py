"""The scores of all heads over a batch of texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.threads import in_this_thread
from attnviewer.io import FileFormatError
from attnviewer.models.detectors.readings import LayerReading, ModelReading, RunReading
from attnviewer.models.detectors.scores import lacks, layer_scores
from attnviewer.models.model import Model, load
from attnviewer.models.sentences import run_over
from attnviewer.models.survey.forward import attentions
from attnviewer.models.survey.texts import Batch
from attnviewer.models.trace import ModelTrace

MOST_TOKENS = 2048
"""Maximum number of tokens of a text, where the model has no limit of its own."""
RAN, TRUNCATED, SKIPPED = 0, 1, 2
"""The outcome of a text."""
_AT_ONCE = 4096
"""Tokens of several texts that are computed together."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """The scores of a batch.

    Parameters
    ----------
    states : ndarray of uint8, shape (texts,)
        `RAN`, `TRUNCATED` or `SKIPPED`, as it has no token.
    values : ndarray of float64, shape (texts, metrics, layers, heads)
        The scores; NaN where a text does not have a metric.
    """

    states: NDArray[np.uint8]
    values: Array


@dataclass(frozen=True, slots=True)
class Scoring:
    """Computes the scores of batches, in this process or in another one.

    Parameters
    ----------
    source : Path
        The model's files.
    fingerprint : str
        The model's fingerprint.
    metrics : tuple of str
        Names of `DETECTORS`.
    most_tokens : int
        Longer texts are cut to so many tokens.
    """

    source: Path
    fingerprint: str
    metrics: tuple[str, ...]
    most_tokens: int

    def __call__(self, batch: Batch) -> Scores:
        """Return the scores of a batch, by a model that each process opens once.

        Raises
        ------
        ValueError
            If the model cannot run over a text.
        FileError
            If the model's files cannot be read, or have changed.
        """
        return self.of(_opened(self.source, self.fingerprint), batch)

    def of(self, reading: ModelReading, batch: Batch) -> Scores:
        """Return the scores of a batch; the same bits wherever it is computed."""
        with in_this_thread():
            return self._scores(reading, batch)

    def _scores(self, reading: ModelReading, batch: Batch) -> Scores:
        model = reading.model
        states = np.zeros(len(batch.texts), np.uint8)
        runs: dict[int, RunReading] = {}
        for index, text in enumerate(batch.texts):
            try:
                run, states[index] = _run(model, text, self.most_tokens)
            except ValueError as error:
                raise ValueError(f"{batch.places[index]}: {error}") from None
            if run is not None:
                runs[index] = RunReading(run, reading)
        shape = len(states), len(self.metrics), model.n_layers, model.n_heads
        values = np.full(shape, np.nan)
        for group in _groups(runs):
            self._fill(values, group)
        return Scores(states, values)

    def _fill(self, values: Array, runs: dict[int, RunReading]) -> None:
        places, readings = list(runs), list(runs.values())
        lacking = [lacks(reading, self.metrics) for reading in readings]
        model = readings[0].run.model
        passes = attentions(model, [reading.run.ids for reading in readings])
        for layer, text, trace in passes:
            reading = LayerReading(readings[text], layer, trace)
            scores = layer_scores(reading, self.metrics, lacking[text])  # (h, metrics)
            values[places[text], :, layer] = scores.T


def most_tokens_of(model: Model, wanted: int | None) -> int:
    """Return to how many tokens texts are cut."""
    own = model.most_tokens
    if wanted is None:
        return MOST_TOKENS if own is None else own
    return wanted if own is None else min(wanted, own)


@lru_cache(maxsize=1)
def _opened(source: Path, fingerprint: str) -> ModelReading:
    """Return the model of a survey, which is opened once in each process."""
    model = load(source)
    if model.fingerprint != fingerprint:
        raise FileFormatError(source, "Its files have changed since the survey began.")
    return ModelReading(model)


def _run(model: Model, text: str, most: int) -> tuple[ModelTrace | None, int]:
    """Return a run over a text, cut if it is too long; none if it has no token."""
    if model.tokenizer is None:
        typed = text.replace(",", " ").split()  # ids
        state = TRUNCATED if len(typed) > most else RAN
        return run_over(model, " ".join(typed[:most])), state
    ids = model.tokenizer.encode(text).ids
    if not ids:
        return None, SKIPPED
    if len(ids) <= most:
        return model.run(ids), RAN
    last = _special_at_the_end(ids, model.tokenizer.encode("").ids)
    kept = ids[: max(0, most - last)] + ids[len(ids) - last :]
    return model.run(kept[:most]), TRUNCATED


def _special_at_the_end(ids: Sequence[int], empty: Sequence[int]) -> int:
    """Return how many tokens the tokenizer has put after a text.

    Parameters
    ----------
    ids, empty : sequence of int
        The tokens of the text and those of an empty one.
    """
    counts = range(len(empty), 0, -1)
    return next((n for n in counts if ids[-n:] == empty[-n:]), 0)


def _groups(runs: dict[int, RunReading]) -> Iterator[dict[int, RunReading]]:
    """Yield consecutive runs that are computed together, at least one."""
    group: dict[int, RunReading] = {}
    tokens = 0
    for index, reading in runs.items():
        count = len(reading.run.ids)
        if group and tokens + count > _AT_ONCE:
            yield group
            group, tokens = {}, 0
        group[index] = reading
        tokens += count
    if group:
        yield group
