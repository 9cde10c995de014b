"""The weighted sum of the values."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula, dot_product
from attnviewer.compute.stages.base import Stage


class Mix(Stage):
    """Each query's context vector: the values, weighted by its attention.

    Parameters
    ----------
    name : str
        ``output``, or ``heads`` where more steps follow.
    values : str
        The step that holds the values; X in simplified self-attention.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    def __init__(self, name: str, values: str = "V") -> None:
        super().__init__(
            name,
            ("weights", values),
            f"weights {values}",
            f"× {values}",
            ("queries", "features"),
        )

    def forward(self, *inputs: Array) -> Array:
        weights, values = inputs  # (..., n_q, n_k), (..., n_k, d_v)
        return weights @ values  # (..., n_q, d_v)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        weights, values = inputs  # (..., n_q, n_k), (..., n_k, d_v)
        head, query, column = index[:-2], index[-2], index[-1]
        steps = dot_product(
            weights[(*head, query)],
            values[..., column][head],
            lambda key: Cell("weights", (*head, query, key)),
            lambda key: Cell(self.inputs[1], (*head, key, column)),
            limit,
        )
        symbols = f"Σₖ weightsᵢₖ · {self.inputs[1]}ₖⱼ"
        return Formula(Cell(self.name, index), float(output[index]), symbols, steps)
