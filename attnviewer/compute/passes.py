"""One pass over the rows of the scores: their weights and the weighted values."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.pinned_weights import PinnedWeights
from attnviewer.compute.progress import Progress
from attnviewer.compute.row_blocks import at_once
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.size import check_work
from attnviewer.compute.stages import Mix
from attnviewer.compute.stages.project import split_heads
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.streaming import StreamedWeights, can_stream
from attnviewer.compute.threads import in_threads
from attnviewer.compute.weights import Weights, WeightsByStage

Rows = TypeVar("Rows")
"""Some rows of some matrices."""

MOST_KEPT, MOST_OF_HEAD = 2**30, 2**27
"""The most bytes of weights that are stored, of all heads and of each; larger ones are
computed when read."""


def attend(pipeline: Pipeline, steps: Mapping[str, Array]) -> tuple[Weights, Array]:
    """Compute the weights and the weighted sum of the values.

    Parameters
    ----------
    pipeline : Pipeline
        The stages.
    steps : mapping of str to ndarray
        The steps before the scores.

    Returns
    -------
    weights : Weights
        The weights.
    heads : ndarray, shape (..., h, n_q, d_v)
        The weighted values, before their pins.

    Raises
    ------
    ValueError
        If there are too many scores to be computed.
    """
    scores = Scores(pipeline, steps)
    weights = weights_of(pipeline, steps, _kept(scores, pipeline))
    check_work(weights)
    if pipeline.only_normalizes and pipeline.normalize.pins is not None:
        weights = PinnedWeights(weights, pipeline.normalize)
    values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
    heads = _heads(scores.shape, values.shape[-1], scores.dtype)
    each_part(mixing(weights, pipeline.mix, values, heads), list(weights.blocks()))
    return weights, heads


def weights_of(
    pipeline: Pipeline, steps: Mapping[str, Array], kept: Array | None
) -> Weights:
    """Return the weights before any of them is computed, without pins.

    Parameters
    ----------
    pipeline, steps
        As in `attend`.
    kept : ndarray, shape (..., h, n_q, n_k), or None
        Where they are stored; None where they are computed when read.
    """
    scores = Scores(pipeline, steps)
    if not pipeline.only_normalizes:
        return WeightsByStage(scores, pipeline, steps, kept)
    normalizer = pipeline.normalize.normalizer
    if kept is None and can_stream(normalizer):
        return StreamedWeights(scores, normalizer)
    state = np.empty((*scores.shape[:-1], 0), scores.dtype)
    # Pins are held while the values are mixed, and read the weights.
    divides = pipeline.normalize.pins is None
    return FusedWeights(scores, normalizer, state, kept, divides)


def mixing(
    weights: Weights, mix: Mix, values: Array, heads: Array
) -> Callable[[tuple[Index, slice]], None]:
    """Return what computes some rows of the weights and the values weighted by them.

    Parameters
    ----------
    weights : Weights
        The weights.
    mix : Mix
        The weighted sum.
    values : ndarray, shape (..., h_kv, n_k, d_v)
        The values.
    heads : ndarray, shape (..., h, n_q, d_v)
        Where the weighted values are written.
    """
    group = shared_by(weights.scores.shape, values.shape)

    def attend_part(part: tuple[Index, slice]) -> None:
        lead, rows = part
        shared = share(values, lead, group)  # (..., n_k, d_v)
        mixed = heads[lead][..., rows, :]  # (..., rows, d_v)
        mixed[...] = weights.mix(lead, rows, shared, mix, mixed)

    return attend_part


def each_part(
    attend: Callable[[Rows], None],
    parts: Sequence[Rows],
    progress: Progress | None = None,
) -> None:
    """Process parts in threads.

    Parameters
    ----------
    attend : callable
        Processes a part.
    parts : sequence of tuple of Index and slice
        The matrices and rows.
    progress : callable, optional
        Called with the completed fraction of the parts.
    """
    done: list[None] = []

    def attend_part(part: Rows) -> None:
        attend(part)
        done.append(None)
        if progress is not None:
            progress(len(done) / len(parts))

    in_threads(attend_part, parts)


def _kept(scores: Scores, pipeline: Pipeline) -> Array | None:
    """Return memory for all weights; None where they would be too large."""
    size = np.dtype(scores.dtype).itemsize
    of_head = size * math.prod(scores.shape[-2:])
    if of_head > MOST_OF_HEAD or size * math.prod(scores.shape) > MOST_KEPT:
        return None
    # With several blocks, parts that a mask hides entirely are never written.
    hides = any(stage.hides for stage in pipeline.on_scores)
    create = np.zeros if hides and not at_once(scores.shape) else np.empty
    return create(scores.shape, scores.dtype)


def _heads(shape: Shape, d_v: int, dtype: np.dtype[Any]) -> Array:
    """Return memory for the heads, laid out side by side as once concatenated."""
    if len(shape) == 2:
        return np.empty((shape[0], d_v), dtype)
    *batch, n_heads, n_q, _ = shape
    return split_heads(np.empty((*batch, n_q, n_heads * d_v), dtype), n_heads)
