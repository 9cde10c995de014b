"""Rows of queries or keys after a norm."""

import math
from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import (
    Cell,
    Difference,
    Expression,
    Number,
    Product,
    Quotient,
    Sum,
)
from attnviewer.compute.formula import Formula, largest_terms
from attnviewer.compute.functions import SquareRoot
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.stages.base import Axis, RowWise, Steps


class RowNorm(RowWise):
    """normed Q = gain · (Q − μ) / √(mean (Q − μ)² + ε) + shift; μ = 0 for an RMS norm.

    Parameters
    ----------
    source : str
        The step whose rows are normalised.
    side : str
        ``Q`` or ``K``, whose gain and shift it has.
    norm : QKNorm
        The norm.
    rows : Axis
        What the rows stand for.
    per_head : bool
        Whether the source has a head axis.

    References
    ----------
    Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", equation 4; Ba et
    al. 2016, "Layer Normalization", equation 4.
    """

    stacks = True

    def __init__(
        self, source: str, side: str, norm: QKNorm, *, rows: Axis, per_head: bool
    ) -> None:
        own = norm.inputs_of(side)
        less = f"({source} − mean)" if norm.centred else source
        super().__init__(
            f"normed {source}",
            (source, *own),
            _affine(norm, own, f"{less} / √(mean {less}² + ε)"),
            norm.title,
            (rows, "features"),
            per_head=per_head,
        )
        self.norm = norm

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        # All heads of a row, as they may be normalised together.
        chosen = Part(part.lead[:-1], part.rows).of(inputs[0])  # (..., rows, d)
        normed, _, _ = self._normed(chosen)
        if self.norm.gain:
            normed *= self._gain(inputs)
        if self.norm.shift:
            normed += _by_head(inputs[-1], inputs[0].shape)
        own: Array = normed[part.lead[-1:]][..., part.columns]
        return own

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        if union(dirty[1:]) is not None:
            return EVERYTHING
        reached = super().reach(dirty[:1], shape)
        return Dirty(rows=reached.rows) if self.norm.full_width else reached

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        source, axes = inputs[0], self._axes(inputs[0])
        normed, largest, root = self._normed(source)
        on_normed = gradient * self._gain(inputs) if self.norm.gain else gradient
        along = (on_normed * normed).mean(axis=axes, keepdims=True)  # (..., n, 1)
        on_source = on_normed - normed * along
        if self.norm.centred:
            on_source -= on_normed.mean(axis=axes, keepdims=True)
        own = iter(inputs[1:])
        stack = gradient.shape[: gradient.ndim - output.ndim]
        on_rows = []
        if self.norm.gain:
            on_rows.append(_summed(gradient * normed, next(own), stack))
        if self.norm.shift:
            on_rows.append(_summed(gradient, next(own), stack))
        return (on_source / largest / root).astype(gradient.dtype), *on_rows

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        cells = self._row(steps, index)
        row = np.array([steps.value(cell) for cell in cells])  # (d,) or (h·d,)
        mean = math.fsum(row.tolist()) / row.size if self.norm.centred else 0.0

        def less_mean(cell: Cell) -> Expression:
            own = Number(steps.value(cell), cell)
            return Difference(own, Number(mean)) if self.norm.centred else own

        squares = np.square(row - mean)  # (d,) or (h·d,)
        kept, omitted, remainder = largest_terms(squares, limit)
        written = [less_mean(cells[k]) for k in kept]
        total = Sum(tuple(Product(x, x) for x in written), omitted, remainder)
        epsilon = Number(self.norm.epsilon)
        root = SquareRoot(Sum((Quotient(total, Number(float(row.size))), epsilon)))
        short = Number(math.sqrt(math.fsum(squares) / row.size + epsilon.value))
        own = less_mean(Cell(source, index))
        lines = tuple(
            self._affine_at(steps, index, Quotient(own, below))
            for below in (root, short)
        )
        less = f"{source}ᵢₖ"
        first = f"{source}ᵢⱼ"
        note = ""
        if self.norm.centred:
            first, less = f"({first} − μ)", f"({less} − μ)"
            note = "μ is the mean of the row. "
        if self.norm.full_width:
            note += "The row is that of all heads together."
        cell = Cell(self.name, index)
        normed = f"{first} / √(Σₖ {less}² / d + ε)"
        symbols = _affine(self.norm, self.inputs[1:], normed, "ⱼ")
        return Formula(cell, steps.value(cell), symbols, lines, note.strip())

    def place(self, steps: Steps, name: str, index: Index) -> Cell:
        """Return the cell of a gain or shift that goes with a cell of the step.

        Parameters
        ----------
        steps : Steps
            The shapes.
        name : str
            The gain or shift.
        index : tuple of int
            The cell of the step.
        """
        *lead, _, column = index
        shape, width = steps.shape(name), steps.shape(self.name)[-1]
        if shape[-1] != width:
            column += lead[-1] * width
        return Cell(name, (*(0,) * (len(shape) - 1), column))

    def _row(self, steps: Steps, index: Index) -> list[Cell]:
        """Return the cells that are normalised together with one."""
        source = self.inputs[0]
        shape, (*lead, row, _) = steps.shape(source), index
        leads = [tuple(lead)]
        if self.norm.full_width and lead:
            leads = [(*lead[:-1], head) for head in range(shape[-3])]
        return [
            Cell(source, (*lead, row, column))
            for lead in leads
            for column in range(shape[-1])
        ]

    def _affine_at(self, steps: Steps, index: Index, normed: Expression) -> Expression:
        """Return a cell after gain and shift, given the one before."""
        own = iter(self.inputs[1:])
        if self.norm.gain:
            cell = self.place(steps, next(own), index)
            gain: Expression = Number(steps.value(cell), cell)
            if self.norm.gain_offset:
                gain = Sum((Number(self.norm.gain_offset), gain))
            normed = Product(normed, gain)
        if self.norm.shift:
            cell = self.place(steps, next(own), index)
            normed = Sum((normed, Number(steps.value(cell), cell)))
        return normed

    def _axes(self, rows: Array) -> tuple[int, ...]:
        """Return the axes that are normalised together."""
        return (-3, -1) if self.norm.full_width and rows.ndim > 2 else (-1,)

    def _normed(self, rows: Array) -> tuple[Array, Array, Array]:
        """Return rows before gain and shift, and two numbers whose product is σ.

        The first of these is the largest number of a row, or 1 if that is larger, so
        that no square overflows.
        """
        axes = self._axes(rows)
        largest = np.abs(rows).max(axis=axes, keepdims=True)  # (..., n, 1)
        largest = np.maximum(largest, 1, dtype=rows.dtype)
        normed = rows / largest  # (..., n, d)
        if self.norm.centred:
            normed -= normed.mean(axis=axes, keepdims=True)
        squares = np.square(normed, dtype=np.float64)  # (..., n, d)
        epsilon = self.norm.epsilon / np.square(largest, dtype=np.float64)
        root = np.sqrt(squares.mean(axis=axes, keepdims=True) + epsilon)
        root = root.astype(rows.dtype)  # (..., n, 1)
        return normed / root, largest, root

    def _gain(self, inputs: Sequence[Array]) -> Array:
        """Return the factors, (d,) or (h, 1, d)."""
        gain = _by_head(inputs[1], inputs[0].shape)
        return gain + gain.dtype.type(self.norm.gain_offset)


def _affine(norm: QKNorm, own: Sequence[str], normed: str, column: str = "") -> str:
    """Return a formula with gain and shift: ``(1 + gain_Q) · … + shift_Q``."""
    if norm.gain:
        gain = f"{own[0]}{column}"
        if norm.gain_offset:
            gain = f"({norm.gain_offset:g} + {gain})"
        normed = f"{gain} · {normed}"
    return f"{normed} + {own[-1]}{column}" if norm.shift else normed


def _by_head(row: Array, shape: Shape) -> Array:
    """Return a gain or shift to be broadcast to a step: (d,), or (h, 1, d)."""
    flat, width = row.reshape(-1), shape[-1]
    return flat if flat.size == width else flat.reshape(-1, 1, width)


def _summed(on_cells: Array, row: Array, stack: Shape) -> Array:
    """Return the gradient on a gain or shift, given that on what each cell has of it.

    Parameters
    ----------
    on_cells : ndarray, shape (stack, ..., n, d)
        The gradient on each cell.
    row : ndarray
        The gain or shift.
    stack : tuple of int
        The axes before those of the step.
    """
    width = on_cells.shape[-1]
    by_head = on_cells.sum(axis=-2).reshape(*stack, -1, row.size // width, width)
    summed: Array = by_head.sum(axis=-3)  # (stack, h, d), (stack, 1, d) if shared
    return summed.reshape(*stack, *row.shape)
