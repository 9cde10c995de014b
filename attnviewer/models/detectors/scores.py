"""Scores of the heads of a layer by detectors."""

from collections.abc import Container, Iterator, Sequence

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.detectors.readings import HeadsReading, LayerReading, RunReading
from attnviewer.models.detectors.table import DETECTORS

ONE_SEQUENCE = "It is defined for queries and keys of a single sequence."
"""Why a cross-attention does not have a detector."""
_OF_A_ROW = ("entropy", "effective_keys")
"""Detectors that do not ask which query or key a weight is of."""
_ALONE = "It is defined for models that run over a single sequence."
_OF_THE_MODEL = ("prefix_matching", "copy_suppression")
"""Detectors that run the model over other tokens, or use its unembedding."""


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
    parts = reading.run.beside is not None
    crosses = reading.run.spec(0).context
    for name in names:
        if crosses and name not in _OF_A_ROW:
            yield name, ONE_SEQUENCE
        elif parts and name in _OF_THE_MODEL:
            yield name, _ALONE
        elif reason := DETECTORS[name].lacks(reading):
            yield name, reason
