"""The heads side by side."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula, Number
from attnviewer.compute.stages.base import Stage


class Concatenate(Stage):
    """Concat(head₀, head₁, …) of Vaswani et al. 2017, section 3.2.2.

    Parameters
    ----------
    name : str
        ``concatenated`` before W_O, ``output`` where nothing follows.
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            name, ("heads",), "heads side by side", "concat", ("queries", "features")
        )

    def forward(self, *inputs: Array) -> Array:
        (heads,) = inputs  # (h, n, d_v)
        n_heads, n, d_v = heads.shape
        return heads.transpose(1, 0, 2).reshape(n, n_heads * d_v)  # (n, h·d_v)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        row, column = index
        head, feature = divmod(column, inputs[0].shape[-1])
        source = (head, row, feature)
        step = Number(float(inputs[0][source]), Cell("heads", source))
        return Formula(
            Cell(self.name, index),
            float(output[index]),
            "column j of the heads side by side",
            (step,),
            f"Head {head} owns this column.",
        )
