"""Backpropagation through a layer of a model."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.gradients import backward
from attnviewer.models.activations import PER_HEAD, Kind, Site, with_replaced
from attnviewer.models.activations.reading import step_of
from attnviewer.models.architecture import Architecture
from attnviewer.models.blocks import (
    FEED_PARTS,
    Parts,
    add_branch,
    apply_norm,
    feed_forward_branch,
    feed_forward_layers,
    router,
)
from attnviewer.models.layers import (
    ACTIVATIONS,
    DERIVATIVES,
    ReadExpert,
    feed_forward_backward,
    layer_norm_backward,
    rms_norm_backward,
    routed_backward,
)
from attnviewer.models.trace import ModelTrace


def layer_backward(run: ModelTrace, layer: int, on_next: Array) -> dict[Kind, Array]:
    """Return the gradient of a number on every activation of a layer.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    on_next : ndarray, shape (n, d_model)
        The gradient on the stream that the layer computes.

    Returns
    -------
    dict of Kind to ndarray
        Of the shapes of a `Site` with all heads.
    """
    architecture = run.model.architecture
    parts = run.model.weights.layer(layer, ("attention_", *FEED_PARTS))
    x, trace = run.stream(layer), run.attention(layer)
    attention = trace["output"]  # (n, d_model)
    after, feed = Site("after_attention", layer), Site("feed_forward", layer)
    rows = add_branch(x, attention, "attention", parts, architecture)  # (n, d_model)
    rows = with_replaced(run.replaced, after, rows)
    read = x if architecture.parallel else rows
    inner = apply_norm(read, "feed_input", parts, architecture)  # (n, d_model)
    experts = run.model.weights.read_expert(layer)
    branch = feed_forward_branch(inner, parts, architecture, experts)  # (n, d_model)
    branch = with_replaced(run.replaced, feed, branch)

    on_rows, on_feed = _add_branch_backward(
        on_next, rows, branch, "feed", parts, architecture
    )
    on_inner = _feed_forward_backward(
        through(run, feed, on_feed), inner, parts, architecture, experts
    )
    on_read = norm_backward(on_inner, read, "feed_input", parts, architecture)
    if not architecture.parallel:
        on_rows = on_rows + on_read
    on_x, on_attention = _add_branch_backward(
        through(run, after, on_rows), x, attention, "attention", parts, architecture
    )
    steps = {kind: step_of(run, Site(kind, layer)) for kind in PER_HEAD}
    on_steps = backward(
        tuple(trace.stages.values()), trace, {"output": on_attention}, steps.values()
    )
    on_x = on_x + norm_backward(
        on_steps["X"], x, "attention_input", parts, architecture
    )
    if architecture.parallel:
        on_x = on_x + on_read
    return {
        "stream": on_x,
        **{kind: on_steps[step] for kind, step in steps.items()},
        "attention": on_attention,
        "after_attention": on_rows,
        "feed_forward": on_feed,
    }


def norm_backward(
    gradient: Array, x: Array, norm: str, parts: Parts, architecture: Architecture
) -> Array:
    """Return the gradient on the rows x, given that on what `apply_norm` returns."""
    weight = parts.get(f"{norm}.weight")
    if weight is None:
        return gradient
    if architecture.norm == "layer":
        return layer_norm_backward(gradient, x, weight, architecture.epsilon)
    weight = weight + np.float32(architecture.weight_offset)
    return rms_norm_backward(gradient, x, weight, architecture.epsilon)


def through(run: ModelTrace, site: Site, gradient: Array) -> Array:
    """Return the gradient on an activation as it is computed, (n, d_model).

    Rows that are replaced have none.
    """
    replacement = run.replaced.get(site)
    if replacement is None:
        return gradient
    passed = gradient.copy()
    passed[list(replacement.positions)] = 0
    return passed


def _add_branch_backward(
    gradient: Array,
    x: Array,
    branch: Array,
    of: str,
    parts: Parts,
    architecture: Architecture,
) -> tuple[Array, Array]:
    """Return the gradients on stream and branch, given that on what `add_branch` is."""
    normed = apply_norm(branch, f"{of}_output", parts, architecture)  # (n, d_model)
    on_x = norm_backward(gradient, x + normed, f"{of}_sum", parts, architecture)
    return on_x, norm_backward(on_x, branch, f"{of}_output", parts, architecture)


def _feed_forward_backward(
    gradient: Array,
    x: Array,
    parts: Parts,
    architecture: Architecture,
    read: ReadExpert | None,
) -> Array:
    own = architecture.experts
    if own is not None:
        assert read is not None
        return routed_backward(
            gradient,
            x,
            router(parts),
            read,
            k=own.chosen,
            alpha=own.alpha,
            limit=own.limit,
        )
    gate, up, down = feed_forward_layers(parts)
    name = architecture.activation
    functions = ACTIVATIONS[name], DERIVATIVES[name]
    return feed_forward_backward(gradient, x, up, down, *functions, gate)
