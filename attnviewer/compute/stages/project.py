"""Multiplication by a weight matrix from the right, cut into heads."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula, dot_product
from attnviewer.compute.stages.base import Axis, Stage


class Project(Stage):
    """Q = X W_Q and its like.

    With several heads the product (n, h·d) becomes (h, n, d): head k owns the
    columns k·d to (k+1)·d (Vaswani et al. 2017, section 3.2.2). With one head it
    stays (n, d).

    Parameters
    ----------
    name, source, weight : str
        The step, what is multiplied, and the matrix it is multiplied by.
    n_heads : int
        How many heads share the columns of the weight.
    rows : Axis
        What the rows stand for: queries, or keys with their values.
    """

    def __init__(
        self,
        name: str,
        source: str,
        weight: str,
        n_heads: int = 1,
        *,
        rows: Axis,
    ) -> None:
        super().__init__(
            name,
            (source, weight),
            f"{source} {weight}",
            f"× {weight}",
            (rows, "features"),
        )
        self.n_heads = n_heads

    def forward(self, *inputs: Array) -> Array:
        source, weight = inputs  # (n, d_in), (d_in, h·d)
        product = source @ weight  # (n, h·d)
        if self.n_heads == 1:
            return product
        n, columns = product.shape
        heads = product.reshape(n, self.n_heads, columns // self.n_heads)  # (n, h, d)
        return heads.transpose(1, 0, 2)  # (h, n, d)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        source, weight = inputs  # (n, d_in), (d_in, h·d)
        head = index[0] if len(index) == 3 else 0
        row, column = index[-2], head * output.shape[-1] + index[-1]
        steps = dot_product(
            source[row],
            weight[:, column],
            lambda k: Cell(self.inputs[0], (row, k)),
            lambda k: Cell(self.inputs[1], (k, column)),
            limit,
        )
        symbols = f"{self.inputs[0]}ᵢ · {self.inputs[1]}, column j"
        return Formula(Cell(self.name, index), float(output[index]), symbols, steps)
