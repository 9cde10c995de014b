"""A matrix as a figure shows it: colours, labels, marks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np

from attnviewer.compute import (
    Array,
    Axis,
    BoolArray,
    Combined,
    Folded,
    Folding,
    InMemory,
    Overview,
    StepHead,
    Subtraction,
    Windowed,
)
from attnviewer.compute.progress import Progress
from attnviewer.ui.figures.panel import SINGLE, Panel
from attnviewer.ui.figures.texts import axis_title, quantity
from attnviewer.ui.paint.color_scale import OVER, UNDER, ColorScale, Rgb, make_scale
from attnviewer.ui.paint.colors import rgb
from attnviewer.ui.paint.folded_content import brackets_of
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.folds import NO_FOLDS, Bracket
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.tokens import lines_along

MOST = 1024
"""Beyond so many rows or columns, cells are pooled in blocks."""
_MANY = 32
"""From so many keys on, weights may need a logarithmic scale."""
_DARK, _MOSTLY = 0.05, 0.75
"""A linear scale shows nothing if that share of cells is below that share of it."""
_DECADES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A matrix with its labels and colours.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        Its numbers; one per block if it is large.
    hidden : ndarray of bool, shape (rows, columns), or None
        Which cells a mask hides.
    shape : tuple of two int
        Rows and columns, before pooling.
    scale : ColorScale
        The colour scale.
    labels : tuple of two tuples of str
        The labels of rows and of columns.
    axes : tuple of two str
        The titles of rows and of columns.
    quantity : str
        What the numbers are: the title of the colour bar.
    of_features : bool
        Whether columns are features, which need not be square where they are many.
    is_weights : bool
        Whether the numbers are attention weights.
    cell : tuple of two int, optional
        The cell that is framed.
    title : str
        Its title above; "" for none.
    pinned : ndarray of bool, shape (rows, columns), or None
        Which cells are pinned; None for none, and where it is large.
    brackets : tuple of two tuple of Bracket
        The groups of its rows and of its columns.
    """

    values: Array
    hidden: BoolArray | None
    shape: tuple[int, int]
    scale: ColorScale
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    axes: tuple[str, str]
    quantity: str
    of_features: bool
    is_weights: bool
    cell: Position | None = None
    title: str = ""
    pinned: BoolArray | None = None
    brackets: tuple[tuple[Bracket, ...], tuple[Bracket, ...]] = ((), ())

    @property
    def is_pooled(self) -> bool:
        """Whether there is one number per block of cells."""
        return self.values.shape != self.shape

    @property
    def seen(self) -> Array:
        """The numbers that no mask hides, shape (n,)."""
        seen: Array = (
            self.values.ravel() if self.hidden is None else self.values[~self.hidden]
        )
        return seen

    @property
    def is_clipped(self) -> bool:
        """Whether numbers reach beyond the scale, as typed limits allow.

        The low end of a logarithmic scale stands for everything below it.
        """
        kinds = self.scale.kinds(self.seen)
        if kinds is None:
            return False
        beyond = (OVER,) if self.scale.scaling == "log" else (OVER, UNDER)
        return bool(np.isin(kinds, beyond).any())

    def colors(self, theme: Theme) -> Rgb:
        """Return the colour of each cell, shape (rows, columns, 3).

        Numbers beyond the ends of the scale have the colours of its ends.
        """
        shares = np.clip(self.scale.shares(self.values), 0.0, 1.0)
        defined = np.isfinite(self.values)
        index = np.rint(np.where(defined, shares, 0.0) * 255).astype(np.uint8)
        colors: Rgb = self.scale.table()[index].copy()
        colors[~defined] = rgb(theme.text)
        if self.hidden is not None:
            colors[self.hidden] = rgb(theme.sunken)
        return colors


_READ: WeakKeyDictionary[Panel, dict[tuple[Theme, int | None], Matrix]] = (
    WeakKeyDictionary()
)
"""The matrices of panels, by theme and head: panels are laid out in several widths."""


def matrix_of(panel: Panel, theme: Theme, own: int | None = None) -> Matrix:
    """Return one head of a panel's step, or several combined; each is read once.

    Parameters
    ----------
    panel : Panel
        The panel.
    theme : Theme
        The figure's colours.
    own : int, optional
        Which of the step's own heads; by default the one that serves the panel's.
    """
    known = _READ.setdefault(panel, {})
    if (theme, own) not in known:
        known[theme, own] = _read_matrix(panel, theme, own)
    return known[theme, own]


def _read_matrix(panel: Panel, theme: Theme, own: int | None) -> Matrix:
    trace, step = panel.trace, panel.step
    signed = trace.stages[step].signed
    limits = trace.limits(step) if signed else None
    scale = panel.scale or scale_for(limits, signed=signed, theme=theme)
    windowed, folding = _windowed_of(panel, own), panel.folding
    progress = None if panel.progress is None else partial(_tell, panel, own)
    matrix = labelled(panel, windowed, scale, folding=folding, progress=progress)
    return replace(matrix, cell=FoldedLines(folding).shown(panel.cell))


def _tell(panel: Panel, own: int | None, share: float) -> None:
    """Tell how far a panel is when a part of one of its heads has been read."""
    assert panel.progress is not None
    panel.progress(share if own is None else (own + share) / panel.n_heads)


def whole_matrix_of(panel: Panel, theme: Theme) -> Matrix:
    """Return what `matrix_of` does, for a view that needs every number.

    Raises
    ------
    ValueError
        If it is too large for that; nothing is then read.
    """
    rows, columns = _windowed_of(panel).shape
    if max(rows, columns) > MOST:
        raise ValueError(
            f"A figure of the {panel.view} must have at most {MOST} rows and columns. "
            f"Got {rows} × {columns} instead."
        )
    return matrix_of(panel, theme)


def _windowed_of(panel: Panel, own: int | None = None) -> Windowed:
    """Return the numbers of `matrix_of`, yet to be read."""
    trace, step = panel.trace, panel.step
    head = panel.head if own is None else trace.served_by(step, own)[0]
    windowed: Windowed = StepHead(trace, step, head)
    if panel.combination is not None:
        heads = [trace.served_by(step, head)[0] for head in panel.combined_heads]
        every = [StepHead(trace, step, head) for head in heads]
        windowed = Combined(every, panel.combination)
    return windowed if panel.folding is None else Folded(windowed, panel.folding)


def labelled(
    panel: Panel,
    windowed: Windowed,
    scale: ColorScale,
    title: str = "",
    *,
    folding: Folding | None = None,
    progress: Progress | None = None,
) -> Matrix:
    """Return a matrix with the labels of a panel's step.

    Parameters
    ----------
    panel : Panel
        The panel.
    windowed : Windowed
        The matrix.
    scale : ColorScale
        Its colours.
    title : str
        Its title.
    folding : Folding, optional
        How its rows and columns were combined.
    progress : callable, optional
        Called with the part of a long matrix that has been read.
    """
    stage, tokens = panel.trace.stages[panel.step], panel.computation.labels
    if isinstance(windowed, Folded) and max(windowed.shape) <= MOST:
        windowed = windowed.stored()
    shape = windowed.shape
    values, hidden = _read(windowed, progress)
    axes: tuple[Axis, Axis] = stage.axes
    spans = None if folding is None else (folding.rows, folding.columns)
    if folding is not None:
        rows, columns = panel.folds.weight_names(tokens, folding)
    else:
        rows, columns = (
            lines_along(axis, tokens, count)
            for axis, count in zip(axes, shape, strict=True)
        )
    groups = panel.folds if panel.view not in SINGLE else NO_FOLDS
    brackets = brackets_of(groups, axes, panel.shape, spans)
    return Matrix(
        values,
        hidden if hidden is not None and hidden.any() else None,
        shape,
        scale,
        (rows, columns),
        (axis_title(axes[0]), axis_title(axes[1])),
        quantity(panel.step),
        "features" in axes,
        panel.step == "weights",
        title=title,
        pinned=_pinned(windowed),
        brackets=brackets,
    )


def readable(matrices: Sequence[Matrix]) -> ColorScale:
    """Return a scale for some matrices, as theirs or logarithmic.

    It is logarithmic for weights on many keys of which a linear one would show nothing.
    """
    first = matrices[0]
    if not first.is_weights or first.shape[1] < _MANY:
        return first.scale
    seen = np.concatenate([matrix.seen for matrix in matrices])  # (n,)
    seen = seen[np.isfinite(seen) & (seen > 0)]
    if not seen.size or np.mean(first.scale.shares(seen) < _DARK) < _MOSTLY:
        return first.scale
    high = 10.0 ** math.ceil(math.log10(float(seen.max())) - 1e-9)
    low = 10.0 ** math.floor(math.log10(float(np.percentile(seen, 1))))
    low = max(low, high * 10.0**-_DECADES)
    return make_scale(first.scale.name, low, high, log=True)


def _read(
    windowed: Windowed, progress: Progress | None
) -> tuple[Array, BoolArray | None]:
    if max(windowed.shape) > MOST:
        if isinstance(windowed, StepHead):
            overview = windowed.overview(MOST, read=False)
            if overview.share < 1:
                for _ in overview.reading():
                    if progress is not None:
                        progress(overview.share)
        else:
            overview = Overview(windowed, MOST)
        pooled = overview.pooled((1, 1))
        return pooled.values, pooled.hidden
    return windowed.window(), windowed.hidden()


def _pinned(windowed: Windowed) -> BoolArray | None:
    if max(windowed.shape) > MOST or not isinstance(
        windowed, StepHead | Combined | Subtraction | InMemory
    ):
        return None
    return windowed.pinned()
