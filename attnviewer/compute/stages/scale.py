"""The factor that keeps scores from growing with the dimension."""

import math
from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell, Expression, Number, Product, Quotient
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import SquareRoot
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.point_wise import PointWise


class Scale(PointWise):
    """scaled = scores / √d_k, or scores times a given factor.

    Parameters
    ----------
    d_k : int
        Width of a key.
    factor : float or None
        None divides by √d_k (Vaswani et al. 2017, section 3.2.1).
    source : str
        The step that holds the scores.
    """

    stacks = True

    def __init__(
        self, d_k: int, factor: float | None = None, source: str = "scores"
    ) -> None:
        by_root = factor is None
        super().__init__(
            "scaled",
            (source,),
            f"{source} / √d_k" if by_root else f"{source} · {factor:g}",
            f"÷ √{d_k}" if by_root else f"× {factor:g}",
            ("queries", "keys"),
        )
        self.d_k = d_k
        self.factor = factor
        self._slope = 1 / math.sqrt(d_k) if factor is None else factor
        self.slope = self._slope

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        if self.factor is None:
            scores /= math.sqrt(self.d_k)
        else:
            # Half precision cannot represent every factor.
            exact = np.promote_types(scores.dtype, np.float32)
            np.multiply(
                scores, self.factor, out=scores, dtype=exact, casting="same_kind"
            )

    def of_extremes(self, numbers: Array) -> Array | None:
        if not self._slope > 0:
            return None
        scaled = numbers.copy()
        self.apply(scaled, Part())
        return scaled

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        return (gradient * self._slope,)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        (source,) = self.inputs
        score = number(steps, source, index)
        step: Expression
        if self.factor is None:
            symbols = f"{source}ᵢⱼ / √d_k"
            step = Quotient(score, SquareRoot(Number(float(self.d_k))))
        else:
            symbols = f"{source}ᵢⱼ · scale"
            step = Product(score, Number(self.factor))
        cell = Cell(self.name, index)
        return Formula(cell, steps.value(cell), symbols, (step,))
