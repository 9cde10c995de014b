"""Activations of a run, read by their sites."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attnviewer.compute import Array, Shape, Trace, step_shapes
from attnviewer.models.activations.site import PER_HEAD, Kind, Site

if TYPE_CHECKING:
    from attnviewer.models.trace import ModelTrace

_STEPS: dict[Kind, str] = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "weights": "weights",
    "heads": "heads",
    "attention": "output",
}
"""The step of the attention that a kind is; for scores see `step_of`."""


def activation(run: "ModelTrace", site: Site) -> Array:
    """Return an activation of a run.

    Parameters
    ----------
    run : ModelTrace
        The run.
    site : Site
        The activation; its shape stands there.

    Returns
    -------
    ndarray
        The activation in float32, read-only.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If a number up to there is not finite.
    """
    return activations(run, [site])[site]


def activations(run: "ModelTrace", sites: Iterable[Site]) -> dict[Site, Array]:
    """Return activations of a run; the attention of a layer is computed once."""
    traces: dict[int, Trace] = {}
    found: dict[Site, Array] = {}
    for site in sites:
        shape_of(run, site)
        layer = site.layer
        if site.kind == "stream":
            array = run.stream(layer)
        elif site.kind == "after_attention":
            array = run.after_attention(layer)
        elif site.kind == "feed_forward":
            array = run.feed_forward(layer)
        else:
            if layer not in traces:
                traces[layer] = run.attention(layer)
            array = traces[layer][step_of(run, site)]
            array = array if site.head is None else array[site.head]
        found[site] = array
    return found


def is_step(kind: Kind) -> bool:
    """Return whether an activation is a step of the attention."""
    return kind == "scores" or kind in _STEPS


def step_of(run: "ModelTrace", site: Site) -> str:
    """Return the step of the attention that a site is; of scores, the last one."""
    if site.kind != "scores":
        return _STEPS[site.kind]
    steps = list(step_shapes(run.spec(site.layer), run.attention_shapes(site.layer)))
    return steps[steps.index("weights") - 1]


def shape_of(run: "ModelTrace", site: Site) -> Shape:
    """Return the shape of an activation, without computing it.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    """
    architecture, n = run.model.architecture, len(run.ids)
    last = architecture.n_layers - (site.kind != "stream")
    if site.layer > last:
        raise IndexError(
            f"The 'layer' of the {_spaced(site.kind)} must be from 0 to {last}. "
            f"Got {site.layer} instead."
        )
    if site.kind not in PER_HEAD:
        return n, architecture.d_model
    shared = site.kind in ("keys", "values")
    count = architecture.n_kv_heads if shared else architecture.n_heads
    n_k = len(run.key_tokens)
    width = n_k if site.kind in ("scores", "weights") else architecture.d_head
    n = n_k if shared else n
    if site.head is None:
        return count, n, width
    if site.head >= count:
        raise IndexError(
            f"The 'head' of the {site.kind} must be from 0 to {count - 1}. "
            f"Got {site.head} instead."
        )
    return n, width


def _spaced(kind: Kind) -> str:
    return kind.replace("_", " ")
