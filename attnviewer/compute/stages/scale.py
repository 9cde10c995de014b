"""The factor that keeps scores from growing with the dimension."""

import math
from collections.abc import Sequence

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import (
    Cell,
    Expression,
    Formula,
    Number,
    Product,
    Quotient,
    SquareRoot,
)
from attnviewer.compute.stages.base import Stage


class Scale(Stage):
    """scaled = scores / √d_k, or scores times a factor of one's own.

    Parameters
    ----------
    d_k : int
        Width of a key.
    factor : float or None
        None divides by √d_k (Vaswani et al. 2017, section 3.2.1).
    """

    def __init__(self, d_k: int, factor: float | None = None) -> None:
        by_root = factor is None
        super().__init__(
            "scaled",
            ("scores",),
            "scores / √d_k" if by_root else f"scores · {factor:g}",
            f"÷ √{d_k}" if by_root else f"× {factor:g}",
            ("queries", "keys"),
        )
        self.d_k = d_k
        self.factor = factor

    def forward(self, *inputs: Array) -> Array:
        (scores,) = inputs  # (..., n_q, n_k)
        if self.factor is None:
            return scores / math.sqrt(self.d_k)
        return scores * self.factor

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        score = Number(float(inputs[0][index]), Cell("scores", index))
        step: Expression
        if self.factor is None:
            symbols = "scoresᵢⱼ / √d_k"
            step = Quotient(score, SquareRoot(Number(float(self.d_k))))
        else:
            symbols = "scoresᵢⱼ · scale"
            step = Product(score, Number(self.factor))
        return Formula(Cell(self.name, index), float(output[index]), symbols, (step,))
