"""Columns divided among heads."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.stages.base import Axis, Steps, Stored, number
from attnviewer.compute.stages.project import join_heads, split_heads


class Split(Stored):
    """split Q = Q (n, h·d) as (h, n, d): head k owns the columns k·d to (k+1)·d.

    Parameters
    ----------
    source : str
        The step whose columns are divided.
    n_heads : int
        Among how many heads.
    rows, columns : Axis
        What rows and columns stand for.
    """

    stacks = True

    def __init__(
        self, source: str, n_heads: int, *, rows: Axis, columns: Axis = "features"
    ) -> None:
        super().__init__(
            f"split {source}",
            (source,),
            f"{source}, its columns divided among the heads",
            "split",
            (rows, columns),
        )
        self.n_heads = n_heads

    rearranges = True
    reads_rows = True

    def shape(self, *inputs: Shape) -> Shape:
        *batch, n, width = inputs[0]
        return *batch, self.n_heads, n, width // self.n_heads

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        # A copy, because an engine writes into its steps but never into its inputs.
        return part.of(split_heads(inputs[0], self.n_heads)).copy()  # (h, n, d)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (join_heads(gradient),)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        head, row, column = index
        source = self.inputs[0]
        width = steps.shape(self.name)[-1]
        cell = Cell(self.name, index)
        return Formula(
            cell,
            steps.value(cell),
            f"{source}, column {head} · {width} + j",
            (number(steps, source, (row, head * width + column)),),
            f"Head {head} owns this column.",
        )

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        source = dirty[0] or EVERYTHING
        if source.columns is None:
            return Dirty(rows=source.rows)
        heads, features = np.divmod(source.columns, shape[-1])
        return Dirty(source.rows, np.unique(features), np.unique(heads))
