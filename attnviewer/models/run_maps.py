"""The attention of all heads of a run as small maps, for Jupyter."""

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.compute.cost import SCORE_COST
from attnviewer.compute.matrix_svg import matrix_svg
from attnviewer.compute.pooling import pool

if TYPE_CHECKING:
    from attnviewer.models.trace import ModelTrace

MOST_LAYERS, MOST_HEADS = 12, 16
"""The most layers and heads of a layer that are shown, the first ones."""
MOST_WORK = 2**32
"""The most multiply-adds for the maps: a few tenths of a second."""
_READING = 16
"""The cost of reading a weight from a file, in multiply-adds."""
_MOST_CELLS = 2**15
"""Of all maps together, so that the text stays short."""
_SIDE = 48
"""Of a map, in pixels."""


def run_maps(run: "ModelTrace") -> str:
    """Return a map of the weights of each head; layers that take long are left out.

    In a map of a long sentence, a cell is the largest weight of a block.
    """
    model = run.model
    layers = min(MOST_LAYERS, model.n_layers, MOST_WORK // max(1, layer_work(run)))
    heads = min(MOST_HEADS, model.n_heads)
    if not layers:
        return _small("No maps, as the run is large: see attention(layer).")
    cells = math.isqrt(_MOST_CELLS // (layers * heads))
    size = -(-max(len(run.ids), len(run.key_tokens)) // cells)  # of a block, rounded up
    try:
        rows = "".join(_row(run, layer, heads, size) for layer in range(layers))
    except ValueError as error:  # a number is not finite
        return _small(f"No maps: {escape(str(error))}")
    shown = f"layer 0 to {layers - 1} of {model.n_layers}, " * (layers < model.n_layers)
    shown += f"head 0 to {heads - 1} of {model.n_heads}, " * (heads < model.n_heads)
    pooled = f"the largest of {size} × {size} to a cell, " * (size > 1)
    note = f"Attention weights, {shown}{pooled}each map with colours of its own"
    names = "".join(f"<td>H{head}</td>" for head in range(heads))
    return (
        '<table cellpadding="2" style="border-collapse:collapse;text-align:center">'
        f"<tr><td></td>{names}</tr>{rows}</table>{_small(note)}"
    )


def layer_work(run: "ModelTrace") -> int:
    """Estimate the multiply-adds of a layer of a run."""
    parts, n = run.model.architecture, len(run.ids)
    shapes = parts.shapes().items()
    weights = sum(math.prod(shape) for name, shape in shapes if name.startswith("W_"))
    scores = n * n * parts.n_heads * (2 * parts.d_head + SCORE_COST)
    return (n + _READING) * weights + scores


def _row(run: "ModelTrace", layer: int, heads: int, size: int) -> str:
    """Return the maps of a layer."""
    weights = run.attention(layer)["weights"]  # (h, n, n)
    maps = (pool(weights[head], (size, size), np.maximum) for head in range(heads))
    cells = "".join(
        f'<td title="L{layer} H{head}">{matrix_svg(cell, side=_SIDE)}</td>'
        for head, cell in enumerate(maps)
    )
    return f"<tr><td>L{layer}</td>{cells}</tr>"


def _small(text: str) -> str:
    return f"<div><small>{text}</small></div>"
