"""How well each query fits each key."""

from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula, dot_product
from attnviewer.compute.stages.base import Stage


class Score(Stage):
    """scores = Q Kᵀ, the dot product of every query with every key.

    Parameters
    ----------
    queries, keys : str
        The steps that hold them; both X in simplified self-attention.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    def __init__(self, queries: str = "Q", keys: str = "K") -> None:
        product = f"{queries} {keys}ᵀ"
        super().__init__(
            "scores", (queries, keys), product, product, ("queries", "keys")
        )

    def forward(self, *inputs: Array) -> Array:
        queries, keys = inputs  # (..., n_q, d_k), (..., n_k, d_k)
        return queries @ keys.swapaxes(-1, -2)  # (..., n_q, n_k)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        queries, keys = inputs  # (..., n_q, d_k), (..., n_k, d_k)
        query, key = (*index[:-2], index[-2]), (*index[:-2], index[-1])
        steps = dot_product(
            queries[query],
            keys[key],
            lambda c: Cell(self.inputs[0], (*query, c)),
            lambda c: Cell(self.inputs[1], (*key, c)),
            limit,
        )
        symbols = f"{self.inputs[0]}ᵢ · {self.inputs[1]}ⱼ"
        return Formula(Cell(self.name, index), float(output[index]), symbols, steps)
