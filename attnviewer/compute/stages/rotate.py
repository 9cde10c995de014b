"""Queries or keys rotated by their position."""

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import (
    ALL,
    Array,
    Index,
    Part,
    Selection,
    Shape,
    positions,
)
from attnviewer.compute.expression import (
    Cell,
    Difference,
    Expression,
    Number,
    Product,
    Sum,
)
from attnviewer.compute.formula import Formula
from attnviewer.compute.number_text import short_number
from attnviewer.compute.positions import Rotary, rotate, scheme_angles
from attnviewer.compute.stages.base import Axis, RowWise, Steps, number
from attnviewer.compute.stages.offsets import PerItem, shifted


class Rotate(RowWise):
    """rotated Q = pairs of columns rotated by position · base^(−2k / rotary_dim).

    A scheme with explicit frequencies uses them instead of powers of the base.

    Parameters
    ----------
    source : str
        The step whose rows are rotated.
    scheme : Rotary
        Which pairs, and how fast they rotate.
    offset : int or tuple of int
        The position of the first row, added to the scheme's offset.
    rows : Axis
        What the rows stand for.
    per_head : bool
        Whether the source has a head axis.

    References
    ----------
    Su et al. 2021, "RoFormer", section 3.2.2 and equation 34.
    """

    kind = "rotation"
    stacks = True

    def __init__(
        self,
        source: str,
        scheme: Rotary,
        offset: PerItem,
        *,
        rows: Axis,
        per_head: bool,
    ) -> None:
        super().__init__(
            f"rotated {source}",
            (source,),
            f"{source}, pairs of columns rotated by their position",
            "RoPE",
            (rows, "features"),
            per_head=per_head,
        )
        self.scheme = scheme
        self.offset = offset

    def from_row(self, row: int) -> "Rotate":
        later = copy(self)
        later.offset = shifted(self.offset, row)
        return later

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        if self._differs(inputs):
            chosen = inputs[0][..., part.rows, :]  # (..., rows, d)
            at = self._positions(inputs, part.rows, chosen.shape[-2])
            return part.all_rows.of(self._turn(chosen, at, 1))
        chosen = inputs[0][part.lead][..., part.rows, :]  # (..., rows, d)
        at = self._positions(inputs, part.rows, chosen.shape[-2])
        return self._turn(chosen, at, 1)[..., part.columns]

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        at = self._positions(inputs, ALL, output.shape[-2])
        # A rotation's transpose rotates the other way.
        return (self._turn(gradient, at, -1),)

    def _differs(self, inputs: Sequence[Array]) -> bool:
        """Return whether the items of a batch have positions of their own."""
        return isinstance(self.offset, tuple)

    def _positions(
        self, inputs: Sequence[Array], rows: Selection, count: int
    ) -> NDArray[Any]:
        """Return the positions that `count` rows turn by."""
        own = positions(rows, count) + self.scheme.offset  # (rows,)
        offset = np.asarray(self.offset)[..., np.newaxis]  # (1,) or (batch, 1)
        at: NDArray[Any] = own + offset  # (rows,) or (batch, rows)
        if self.per_head and at.ndim > 1:
            return at[..., np.newaxis, :]  # (batch, 1, rows)
        return at

    def _turn(self, chosen: Array, at: NDArray[Any], direction: int) -> Array:
        width = self._width(chosen.shape)
        cos, sin = self._angles(at, width)  # (..., rows, width / 2)
        sin = direction * sin
        return rotate(chosen, cos, sin, self.scheme.interleaved, rotary_dim=width)

    def _angles(self, at: NDArray[Any], width: int) -> tuple[Array, Array]:
        return scheme_angles(self.scheme, at, width)

    def _width(self, shape: Shape) -> int:
        rotary_dim = self.scheme.rotary_dim
        return shape[-1] if rotary_dim is None else rotary_dim

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        cell = Cell(self.name, index)
        value = steps.value(cell)
        row, column = index[:-1], index[-1]
        turned = self._width(steps.shape(source))
        own = number(steps, source, index)
        if column >= turned:
            note = f"Only the first {turned} columns are rotated."
            return Formula(cell, value, f"{source}ᵢⱼ", (own,), note)
        if self.scheme.interleaved:
            pair, second = divmod(column, 2)
            partner = column + 1 - 2 * second
        else:
            second, pair = divmod(column, turned // 2)
            partner = pair if second else pair + turned // 2
        other = number(steps, source, (*row, partner))
        turning, note = self._turning(steps, index, pair, turned)
        lines = []
        for cos, sin in turning:
            kept, moved = Product(own, cos), Product(other, sin)
            lines.append(Sum((kept, moved)) if second else Difference(kept, moved))
        sign = "+" if second else "−"
        symbols = f"{source}ᵢⱼ · cos θ {sign} {source}ᵢₚ · sin θ"
        low, high = min(column, partner), max(column, partner)
        note = f"Columns {low} and {high} are a pair{note}."
        if self.scheme.attention_factor != 1:
            factor = short_number(self.scheme.attention_factor)
            note += f" cos θ and sin θ are multiplied by {factor}."
        return Formula(cell, value, symbols, tuple(lines), note)

    def _place(self, index: Index) -> int:
        """Return the place of a cell's row in the sequence of the keys."""
        offset = np.asarray(self.offset)  # () or (batch,)
        return int(index[-2] + offset[index[: offset.ndim]])

    def _turning(
        self, steps: Steps, index: Index, pair: int, turned: int
    ) -> tuple[list[tuple[Expression, Expression]], str]:
        """Return the ways to write cosine and sine of a pair, and more to its note."""
        at = np.array([self._place(index) + self.scheme.offset])
        cos, sin = self._angles(at, turned)  # (1, turned / 2)
        return [(Number(float(cos[0, pair])), Number(float(sin[0, pair])))], ""
