"""One pass over the rows of the scores: their weights and the weighted values."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape
from attnviewer.compute.fused_weights import FusedWeights
from attnviewer.compute.pinned_weights import PinnedWeights
from attnviewer.compute.row_blocks import at_once
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages.project import split_heads
from attnviewer.compute.stages.shared_heads import share, shared_by
from attnviewer.compute.streaming import StreamedWeights, can_stream
from attnviewer.compute.threads import in_threads
from attnviewer.compute.weights import Weights, WeightsByStage

MOST_KEPT = 2**30
"""The most bytes of weights that are stored; larger ones are computed when read."""


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
    """
    weights = _prepare(pipeline, steps)
    values = steps[pipeline.mix.inputs[1]]  # (..., h_kv, n_k, d_v)
    shape = weights.scores.shape
    heads = _room(shape, values.shape[-1], weights.scores.dtype)  # (..., h, n_q, d_v)
    group = shared_by(shape, values.shape)

    def attend_block(block: tuple[Index, slice]) -> None:
        lead, rows = block
        shared = share(values, lead, group)  # (..., n_k, d_v)
        mixed = heads[lead][..., rows, :]  # (..., rows, d_v)
        mixed[...] = weights.mix(lead, rows, shared, pipeline.mix, mixed)

    first, *others = weights.blocks()
    attend_block(first)  # allocates the states of all rows
    in_threads(attend_block, others)
    return weights, heads


def _prepare(pipeline: Pipeline, steps: Mapping[str, Array]) -> Weights:
    """Return the weights before any of them is computed, with memory for them."""
    scores = Scores(pipeline, steps)
    shape, dtype = scores.shape, scores.dtype
    kept = None
    if np.dtype(dtype).itemsize * math.prod(shape) <= MOST_KEPT:
        # With several blocks, parts that a mask hides entirely are never written.
        create = np.empty if at_once(shape) else np.zeros
        kept = create(shape, dtype)  # (..., h, n_q, n_k)
    if not pipeline.only_normalizes:
        return WeightsByStage(scores, pipeline, steps, kept)
    normalize = pipeline.normalize
    normalizer = normalize.normalizer
    if kept is None and can_stream(normalizer) and normalize.pins is None:
        return StreamedWeights(scores, normalizer)
    state = np.empty((*shape[:-1], 0), dtype)
    weights = FusedWeights(scores, normalizer, state, kept)
    return weights if normalize.pins is None else PinnedWeights(weights, normalize)


def _room(shape: Shape, d_v: int, dtype: np.dtype[Any]) -> Array:
    """Return memory for the heads, laid out side by side as once concatenated."""
    if len(shape) == 2:
        return np.empty((shape[0], d_v), dtype)
    *batch, n_heads, n_q, _ = shape
    return split_heads(np.empty((*batch, n_q, n_heads * d_v), dtype), n_heads)
