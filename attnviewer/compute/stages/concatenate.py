"""The heads side by side."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.stages.base import Steps, Stored, number
from attnviewer.compute.stages.project import join_heads, split_heads


class Concatenate(Stored):
    """Concat(head₀, head₁, …) of Vaswani et al. 2017, section 3.2.2.

    Parameters
    ----------
    name : str
        ``concatenated`` before W_O, ``output`` where nothing follows.
    source : str
        The step that holds the heads: ``heads``, or ``gated``.
    """

    kind = "concatenation"

    def __init__(self, name: str, source: str = "heads") -> None:
        super().__init__(
            name,
            (source,),
            f"{source} side by side",
            "concat",
            ("queries", "features"),
            per_head=False,
        )

    rearranges = True
    stacks = True

    def shape(self, *inputs: Shape) -> Shape:
        *batch, n_heads, n, width = inputs[0]
        return *batch, n, n_heads * width

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        heads = inputs[0][..., part.rows, :]  # (..., h, rows, d_v)
        return part.all_rows.of(join_heads(heads))  # (..., rows, columns)

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (split_heads(gradient, inputs[0].shape[-3]),)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        *batch, row, column = index
        (source,) = self.inputs
        head, feature = divmod(column, steps.shape(source)[-1])
        cell = Cell(self.name, index)
        return Formula(
            cell,
            steps.value(cell),
            "column j of the heads side by side",
            (number(steps, source, (*batch, head, row, feature)),),
            f"Head {head} owns this column.",
        )
