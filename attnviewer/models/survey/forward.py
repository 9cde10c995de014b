"""The forward pass over several texts at once."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.compute.numbers import check_numbers
from attnviewer.models.blocks import (
    ATTENTION_INPUTS,
    FEED_PARTS,
    add_branch,
    apply_norm,
    attention_of,
    embed,
    feed_forward_branch,
)
from attnviewer.models.forward_pass import quiet
from attnviewer.models.model import Model

_PARTS = (*ATTENTION_INPUTS, *FEED_PARTS, "attention_")
"""Prefixes of all names of a layer's weights."""


def attentions(
    model: Model, sentences: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int, Trace]]:
    """Yield the attention of each layer over each of several texts.

    Weights are read, and all but the attention is computed, for all texts together:
    many short texts take about half the time of as many runs. Numbers may differ from
    theirs in the last bits.

    Parameters
    ----------
    model : Model
        The model.
    sentences : sequence of sequence of int
        The ids of each text.

    Yields
    ------
    layer, text : int
        The layer, and which of the texts; all texts of a layer one after another.
    trace : Trace
        As `ModelTrace.attention` returns it.

    Raises
    ------
    ValueError
        If a number is not finite.
    """
    ends = np.cumsum([0, *map(len, sentences)]).tolist()
    spans = [slice(first, end) for first, end in pairwise(ends)]
    rows = _embedded(model, sentences)  # (all tokens, d_model)
    for layer in range(model.n_layers):
        parts = model.weights.layer(layer, _PARTS)
        x = _normed(model, rows, parts)
        outputs = np.empty_like(rows)  # (all tokens, d_model)
        for text, span in enumerate(spans):
            spec = model.architecture.attention_of(layer, len(sentences[text]))
            trace = attention_of(spec, x[span], parts)
            outputs[span] = trace["output"]
            yield layer, text, trace
        check_numbers(f"output of the attention of layer {layer}", outputs)
        if layer + 1 < model.n_layers:
            rows = _next(model, layer, rows, outputs, parts)
            check_numbers(f"hidden states after layer {layer}", rows)


@quiet
def _embedded(model: Model, sentences: Sequence[Sequence[int]]) -> Array:
    each = [embed(model.weights, model.architecture, ids) for ids in sentences]
    return np.asfortranarray(np.concatenate(each))


@quiet
def _normed(model: Model, rows: Array, parts: dict[str, Array]) -> Array:
    return apply_norm(rows, "attention_input", parts, model.architecture)


@quiet
def _next(
    model: Model, layer: int, rows: Array, outputs: Array, parts: dict[str, Array]
) -> Array:
    """Return what a layer makes of its input and the output of its attention."""
    architecture, before = model.architecture, rows
    rows = add_branch(rows, outputs, "attention", parts, architecture)
    read = before if architecture.parallel else rows
    inner = apply_norm(read, "feed_input", parts, architecture)
    experts = model.weights.read_expert(layer)
    branch = feed_forward_branch(inner, parts, architecture, experts)
    return add_branch(rows, branch, "feed", parts, architecture)
