"""Queries or keys rotated by their position."""

from collections.abc import Sequence

import numpy as np

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
from attnviewer.compute.stages.offsets import PerItem


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
            f"{source}, pairs of columns turned by their place",
            "RoPE",
            (rows, "features"),
            per_head=per_head,
        )
        self.scheme = scheme
        self.offset = offset

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        chosen = inputs[0][..., part.rows, :]  # (..., rows, d)
        return part.all_rows.of(self._turn(chosen, part.rows, 1))

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        # A rotation's transpose rotates the other way.
        return (self._turn(gradient, ALL, -1),)

    def _turn(self, chosen: Array, rows: Selection, direction: int) -> Array:
        own = positions(rows, chosen.shape[-2]) + self.scheme.offset  # (rows,)
        offset = np.asarray(self.offset)[..., np.newaxis]  # (1,) or (batch, 1)
        at = own + offset  # (rows,) or (batch, rows)
        width = self._width(chosen.shape)
        cos, sin = self._angles(at, width)  # (..., rows, width / 2)
        sin = direction * sin
        return rotate(chosen, cos, sin, self.scheme.interleaved, rotary_dim=width)

    def _angles(self, at: Array, width: int) -> tuple[Array, Array]:
        return scheme_angles(self.scheme, at, width)

    def _width(self, shape: Shape) -> int:
        rotary_dim = self.scheme.rotary_dim
        return shape[-1] if rotary_dim is None else rotary_dim

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        (source,) = self.inputs
        cell = Cell(self.name, index)
        value = steps.value(cell)
        row, column = index[:-1], index[-1]
        turned = self._width(steps.shape(source))
        own = number(steps, source, index)
        if column >= turned:
            note = f"Only the first {turned} columns turn."
            return Formula(cell, value, f"{source}ᵢⱼ", (own,), note)
        if self.scheme.interleaved:
            pair, second = divmod(column, 2)
            partner = column + 1 - 2 * second
        else:
            second, pair = divmod(column, turned // 2)
            partner = pair if second else pair + turned // 2
        offset = np.asarray(self.offset)  # () or (batch,)
        position = index[-2] + self.scheme.offset + offset[index[: offset.ndim]]
        cos, sin = self._angles(np.array([position]), turned)  # (1, rotated / 2)
        other = number(steps, source, (*row, partner))
        kept: Expression = Product(own, Number(float(cos[0, pair])))
        moved: Expression = Product(other, Number(float(sin[0, pair])))
        step = Sum((kept, moved)) if second else Difference(kept, moved)
        sign = "+" if second else "−"
        symbols = f"{source}ᵢⱼ · cos θ {sign} {source}ᵢₚ · sin θ"
        note = f"Columns {min(column, partner)} and {max(column, partner)} are a pair."
        if self.scheme.attention_factor != 1:
            factor = short_number(self.scheme.attention_factor)
            note += f" cos θ and sin θ are multiplied by {factor}."
        return Formula(cell, value, symbols, (step,), note)
