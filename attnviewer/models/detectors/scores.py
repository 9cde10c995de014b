"""Scores of the heads of a layer by detectors."""

from collections.abc import Container, Iterator, Sequence

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.detectors.readings import HeadsReading, LayerReading, RunReading
from attnviewer.models.detectors.table import DETECTORS

ONE_SEQUENCE = "It is defined for models that run over a single sequence."
"""Why no part of an encoder–decoder but its encoder has a detector."""


def layer_scores(
    reading: LayerReading, names: Sequence[str], lacking: Container[str]
) -> Array:
    """Return the scores of all heads of a layer, shape (h, names) in float64.

    Parameters
    ----------
    reading : LayerReading
        The layer.
    names : sequence of str
        Names of `DETECTORS`.
    lacking : container of str
        Those that the run does not have, see `lacks`: their scores are NaN.
    """
    blocks = (block_scores(heads, names, lacking) for heads in reading.blocks())
    return np.concatenate(list(blocks))


def block_scores(
    heads: HeadsReading, names: Sequence[str], lacking: Container[str]
) -> Array:
    """Return the scores of some heads of a layer, shape (k, names) in float64."""
    scores = np.full((len(heads.heads), len(names)), np.nan)
    for column, name in enumerate(names):
        if name not in lacking:
            scores[:, column] = DETECTORS[name].scores(heads)
    return scores


def lacks(reading: RunReading, names: Sequence[str]) -> dict[str, str]:
    """Return why a run does not have a detector, by its name."""
    return dict(_reasons(reading, names))


def _reasons(reading: RunReading, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    if reading.run.beside is not None:
        yield from ((name, ONE_SEQUENCE) for name in names)
        return
    for name in names:
        if reason := DETECTORS[name].lacks(reading):
            yield name, reason
