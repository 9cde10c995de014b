"""Hides keys from queries."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.formula import Cell, Formula, Number
from attnviewer.compute.masks import Mask
from attnviewer.compute.stages.base import Stage


class ApplyMask(Stage):
    """masked = the scores, with −inf where a query may not look.

    A true −inf rather than a large negative number: no score, however small, can
    then win against it.

    Parameters
    ----------
    source : str
        The step that holds the scores.
    mask : Mask
        The rule.
    """

    def __init__(self, source: str, mask: Mask) -> None:
        super().__init__(
            "masked",
            (source,),
            f"{source}, −∞ where {mask.reason}",
            f"{mask.name} mask",
            ("queries", "keys"),
        )
        self.mask = mask

    def forward(self, *inputs: Array) -> Array:
        (scores,) = inputs  # (..., n_q, n_k)
        if self.mask.allowed is None:
            return scores
        allowed = self.mask.allowed(scores.shape[-2], scores.shape[-1])  # (n_q, n_k)
        return np.where(allowed, scores, -np.inf)  # (..., n_q, n_k)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        source = self.inputs[0]
        cell, value = Cell(self.name, index), float(output[index])
        score = float(inputs[0][index])
        if value != score and np.isneginf(value):
            return Formula(cell, value, "−∞", (), f"Masked: {self.mask.reason}.")
        step = Number(score, Cell(source, index))
        return Formula(cell, value, f"{source}ᵢⱼ", (step,))
