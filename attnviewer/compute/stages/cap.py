"""A soft bound on the scores."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.expression import Cell, Number, Product, Quotient
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import HyperbolicTangent
from attnviewer.compute.stages.base import Steps, number
from attnviewer.compute.stages.point_wise import PointWise


class Cap(PointWise):
    """capped = c · tanh(scores / c): nearly the scores while small, never beyond ±c.

    Before bias and mask, so that a hidden key stays at −inf.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    bound : float
        c.

    References
    ----------
    Gemma Team 2024, "Gemma 2", section 2, "Logit soft-capping".
    """

    slope = None

    stacks = True

    def __init__(self, source: str, bound: float) -> None:
        super().__init__(
            "capped",
            (source,),
            f"{bound:g} · tanh({source} / {bound:g})",
            f"cap ±{bound:g}",
            ("queries", "keys"),
        )
        self.bound = bound

    def apply(self, scores: Array, part: Part, *others: Array) -> None:
        # Half precision cannot hold every bound, nor can single.
        capped = np.divide(scores, self.bound, dtype=np.float64)
        np.tanh(capped, out=capped)
        np.multiply(capped, self.bound, out=scores, casting="same_kind")

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        share = np.divide(output, self.bound, dtype=np.float64)  # (..., n_q, n_k)
        return ((gradient * (1 - share * share)).astype(gradient.dtype),)

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        source = self.inputs[0]
        bound = Number(self.bound)
        tangent = HyperbolicTangent(Quotient(number(steps, source, index), bound))
        cell = Cell(self.name, index)
        symbols = f"c · tanh({source}ᵢⱼ / c)"
        return Formula(cell, steps.value(cell), symbols, (Product(bound, tangent),))
