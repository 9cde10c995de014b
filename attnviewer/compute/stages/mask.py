"""Hides keys from queries."""

from collections.abc import Sequence

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray, Index
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
        if mask.allows is None:
            raise ValueError(
                f"The 'mask' must hide something. Got '{mask.name}' instead."
            )
        super().__init__(
            "masked",
            (source,),
            f"{source}, −∞ where {mask.reason}",
            mask.name,
            ("queries", "keys"),
        )
        self.mask = mask
        self._allows = mask.allows

    def forward(self, *inputs: Array) -> Array:
        (scores,) = inputs  # (..., n_q, n_k)
        hidden = self.hidden(*scores.shape[-2:])  # (n_q, n_k)
        return np.where(hidden, -np.inf, scores)  # (..., n_q, n_k)

    def hidden(self, n_q: int, n_k: int) -> BoolArray:
        """Return which keys are hidden from which queries, shape (n_q, n_k)."""
        queries, keys = np.ogrid[:n_q, :n_k]  # (n_q, 1), (1, n_k)
        return ~self._allows(queries, keys)

    def explain(
        self, inputs: Sequence[Array], output: Array, index: Index, limit: int
    ) -> Formula:
        source = self.inputs[0]
        cell, value = Cell(self.name, index), float(output[index])
        score = float(inputs[0][index])
        query, key = (np.array(place) for place in index[-2:])
        if not self._allows(query, key):
            return Formula(cell, value, "−∞", (), f"Masked: {self.mask.reason}.")
        step = Number(score, Cell(source, index))
        return Formula(cell, value, f"{source}ᵢⱼ", (step,))
