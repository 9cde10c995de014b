"""Attention as lines: queries on the left, keys on the right."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from attnviewer.compute import Array, Folded, StepHead, Windowed
from attnviewer.ui.figures.cells import pin_mark
from attnviewer.ui.figures.elements import Block, Element, Text
from attnviewer.ui.figures.line_legend import (
    PITCH,
    legend_of_heads,
    legend_of_weights,
)
from attnviewer.ui.figures.matrix import Matrix, whole_matrix_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import LABEL, SMALLER, SMALLEST, TALLEST, TITLE
from attnviewer.ui.figures.weighted_line import THICKEST, THINNEST, weighted_line
from attnviewer.ui.paint.head_hues import hue
from attnviewer.ui.paint.line_threshold import half_of_even_share
from attnviewer.ui.paint.pin_mark import ALONG, diamond
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.workbench import STEP_OF_ALL

_PITCH = 1.55
"""Distance of tokens, as a share of their size."""
_WIDE, _NARROW = 190.0, 60.0
"""The widest and the narrowest room for lines."""
_FULL = 0.85
"""Share of a token's height that its lines may take."""
_LONGEST = 0.3
_GAP = 3.0
_MARK = 2.0
"""Half of the height of the mark of a pinned weight."""
Places: TypeAlias = NDArray[np.intp]
MOST_LINES = 2000
"""The most lines that are drawn; the strongest ones."""


def threshold_of(panel: Panel) -> float:
    """Return the least size of a weight with a line: a higher one if too many had."""
    matrices = _weights_of(panel)
    asked, (_, columns) = panel.threshold, matrices[0].shape
    if asked is None:
        asked = half_of_even_share(columns)
    sizes = (_sizes(matrix.window()) for matrix in matrices)  # (n_q, n_k) each
    above = np.concatenate([size[size >= asked] for size in sizes])
    if above.size <= MOST_LINES:
        return asked
    least = float(np.partition(above, above.size - MOST_LINES)[-MOST_LINES])
    # Rounded up: no line below the stated number is drawn.
    unit = 10.0 ** (math.floor(math.log10(least)) - 1)
    return math.ceil(least / unit) * unit


def has_dashes(panel: Panel, threshold: float) -> bool:
    """Return whether lines of negative weights are drawn, which are dashed."""
    windows = (matrix.window() for matrix in _weights_of(panel))  # (n_q, n_k) each
    return any(((w < 0) & (_sizes(w) >= threshold)).any() for w in windows)


def _weights_of(panel: Panel) -> list[Windowed]:
    """Return the weights of each head that has lines."""
    matrices: list[Windowed] = [
        StepHead(panel.trace, STEP_OF_ALL, head) for head in panel.lined_heads
    ]
    if panel.folding is not None:
        matrices = [Folded(matrix, panel.folding) for matrix in matrices]
    return matrices


def _sizes(weights: Array) -> Array:
    """Return the size of each weight; 0 for NaN and ±inf, which no line shows."""
    return np.where(np.isfinite(weights), np.abs(weights), 0.0)


def lines(panel: Panel, room: Room) -> Block:
    """Lay out the weights of a head, or several, as lines, whichever step is shown.

    Raises
    ------
    ValueError
        If there are too many tokens.
    """
    own = panel
    if panel.step != STEP_OF_ALL:
        own = replace(panel, step=STEP_OF_ALL, cell=None)
    heads = panel.lined_heads
    matrices = [whole_matrix_of(replace(own, head=head), room.theme) for head in heads]
    matrix, *_ = matrices
    colored = bool(panel.heads) and panel.hues
    inks = [hue(room.theme, h) if colored else room.theme.accent for h in heads]
    face, (rows, columns) = room.face, matrix.shape
    tallest = max(rows, columns)
    for size in (LABEL, SMALLER, SMALLEST):
        top, pitch = TITLE * 1.6, min(size * _PITCH, _tallest() / tallest)
        if room.rows is not None and rows == tallest:
            top, pitch = room.rows
        if pitch >= size * 1.05:
            break
    every = max(1, int(np.ceil(size * 1.05 / pitch)))
    longest = room.whole * _LONGEST
    queries, keys = (face.all_elided(side, size, longest) for side in matrix.labels)
    left = max(*(face.width(t, size) for t in queries), face.width("Query", TITLE))
    right = max(*(face.width(t, size) for t in keys), face.width("Key", TITLE))
    wide = min(max(room.width - left - right - 4 * _GAP, _NARROW), _WIDE)
    x0 = (room.width - wide - left - right) / 2 + left
    x1 = x0 + wide
    middle = face.rise("x", size) / 2
    base = max(top - TITLE * 1.6, 0.0) + face.rise("Q", TITLE)
    starts = [top + (k + 0.5 + (tallest - rows) / 2) * pitch for k in range(rows)]
    stops = [top + (k + 0.5 + (tallest - columns) / 2) * pitch for k in range(columns)]
    elements: list[Element] = [
        Text(x0 - _GAP, base, "Query", TITLE, "end"),
        Text(x1 + _GAP, base, "Key", TITLE),
    ]
    threshold, ends = threshold_of(own), (starts, stops)
    elements += _curves(matrices, inks, threshold, (x0, x1), ends, pitch, room.theme)
    for k in range(0, rows, every):
        elements.append(Text(x0 - _GAP, starts[k] + middle, queries[k], size, "end"))
    for k in range(0, columns, every):
        elements.append(Text(x1 + _GAP, stops[k] + middle, keys[k], size))
    bottom = top + tallest * pitch + 6.0
    ink = room.theme.muted if colored else room.theme.accent
    negative = has_dashes(own, threshold)
    elements += legend_of_weights(threshold, bottom, ink, room, negative=negative)
    bottom += PITCH
    if colored:
        named, height = legend_of_heads(heads, inks, bottom, room)
        elements += named
        bottom += height
    return Block(
        tuple(elements),
        room.width,
        bottom,
        complete=every == 1,
        cell=math.sqrt(pitch * wide / tallest),
        smallest=size,
    )


def _tallest() -> float:
    return TALLEST - 4 * TITLE


def _curves(
    matrices: Sequence[Matrix],
    inks: Sequence[str],
    threshold: float,
    across: tuple[float, float],
    ends: tuple[list[float], list[float]],
    pitch: float,
    theme: Theme,
) -> Iterator[Element]:
    """Yield the lines of each head in its ink."""
    (starts, stops) = ends
    size = np.stack([_sizes(matrix.values) for matrix in matrices])  # (h, n_q, n_k)
    heads, queries, keys = np.nonzero((size >= threshold) & (size > 0))
    order = np.argsort(size[heads, queries, keys], kind="stable")  # the weakest below
    heads, queries, keys = heads[order], queries[order], keys[order]
    widths = np.minimum(size[heads, queries, keys], 1.0) * THICKEST  # (n,)
    widths = np.maximum(widths, THINNEST)
    room = _FULL * pitch
    leaves = _stacked(queries, keys, widths, room)
    arrives = _stacked(keys, queries, widths, room)
    (x0, x1), bend = across, (across[1] - across[0]) * 0.4
    marks: list[Element] = []
    for k, head in enumerate(heads.tolist()):
        weight = float(matrices[head].values[queries[k], keys[k]])
        y0 = starts[queries[k]] + float(leaves[k])
        y1 = stops[keys[k]] + float(arrives[k])
        points = ((x0, y0), (x0 + bend, y0), (x1 - bend, y1), (x1, y1))
        yield weighted_line(points, weight, inks[head], theme, curved=True)
        pinned = matrices[head].pinned
        if pinned is not None and pinned[queries[k], keys[k]]:
            marks.append(pin_mark(diamond(_at_mark(points), _MARK)))
    yield from marks  # above all lines


def _at_mark(points: tuple[tuple[float, float], ...]) -> QPointF:
    """Return where the mark of a pinned weight is on the curve of four points."""
    path = QPainterPath(QPointF(*points[0]))
    path.cubicTo(*(QPointF(*point) for point in points[1:]))
    return path.pointAtPercent(ALONG)


def _stacked(own: Places, others: Places, widths: Array, room: float) -> Array:
    """Return how far from its token's middle each line ends, shape (n,).

    Lines of a token lie side by side in the order of their other ends, closer together
    where there is not room for all of them.
    """
    totals = np.bincount(own, widths)  # (tokens,)
    order = np.lexsort((others, own))  # (n,)
    places = np.empty_like(widths)
    before = np.cumsum(totals) - totals
    places[order] = np.cumsum(widths[order]) - widths[order] / 2
    squeeze = np.minimum(1.0, room / np.maximum(totals, THINNEST))
    stacked: Array = (places - before[own] - totals[own] / 2) * squeeze[own]
    return stacked
