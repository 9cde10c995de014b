"""The position of each token, added to its embedding."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape, positions, sum_to
from attnviewer.compute.changes import Dirty
from attnviewer.compute.expression import Cell, Sum
from attnviewer.compute.formula import Formula
from attnviewer.compute.positions.sinusoidal import sines_and_cosines
from attnviewer.compute.stages.base import RowWise, Steps, Stored, number


class Encode(Stored):
    """P = the sinusoidal encoding of the positions of X.

    Parameters
    ----------
    offset : int
        The position of the first row.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
    """

    kind = "encoding"
    reads_rows = True

    def __init__(self, offset: int) -> None:
        super().__init__(
            "P",
            ("X",),
            "sin and cos of position / 10000^(2k / d_model)",
            "positions",
            ("tokens", "features"),
            per_head=False,
        )
        self.offset = offset

    def shape(self, *inputs: Shape) -> Shape:
        return inputs[0][-2:]

    def from_row(self, row: int) -> "Encode":
        return Encode(self.offset + row)

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        *_, n, d_model = inputs[0].shape
        rows = np.arange(self.offset, self.offset + n)[part.rows]  # (rows,)
        encoding = sines_and_cosines(rows, d_model)  # (rows, d_model)
        return encoding[:, part.columns].astype(inputs[0].dtype)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (None,)

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        return Dirty(
            rows=np.empty(0, dtype=np.intp)
        )  # it depends on the shape of X alone

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        position, column = index[-2] + self.offset, index[-1]
        wave = "cos" if column % 2 else "sin"
        symbols = f"{wave}({position} / 10000^({column - column % 2} / d_model))"
        cell = Cell(self.name, index)
        note = "It depends on the position alone, not on the token."
        return Formula(cell, steps.value(cell), symbols, (), note)


class AddPositions(RowWise):
    """X + P: row i of the table P added to the embedding of token i."""

    def __init__(self) -> None:
        super().__init__(
            "X + P", ("X", "P"), "X + P", "+ P", ("tokens", "features"), per_head=False
        )

    def takes_row(self, number: int, shape: Shape) -> bool:
        return True

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        embeddings, table = inputs  # (..., n, d_model), (at least n, d_model)
        chosen = embeddings[..., part.rows, :]  # (..., rows, d_model)
        own = positions(part.rows, chosen.shape[-2])  # (rows,)
        added: Array = chosen + table[..., own, :]
        return part.all_rows.of(added)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        _, table = inputs
        n = gradient.shape[-2]
        on_table = np.zeros_like(table)  # (at least n, d_model)
        on_table[:n] = sum_to(gradient, (n, table.shape[1]))
        return gradient, on_table

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        terms = (number(steps, "X", index), number(steps, "P", index[-2:]))
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), "Xᵢⱼ + Pᵢⱼ", (Sum(terms),))
