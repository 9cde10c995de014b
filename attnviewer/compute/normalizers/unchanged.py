"""Weights that are the scores themselves."""

import numpy as np

from attnviewer.compute.arrays import Array, BoolArray
from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.rules import SCORE


class Unchanged(Normalizer):
    """αᵢⱼ = sᵢⱼ: nothing is normalised, and masked keys get zero.

    For scores that already are attention weights returned by a model, and so are not
    negative.
    """

    name = "none"
    title = "unchanged"
    sentence = (
        "The scores are used as the weights, unchanged: they may be negative, "
        "and a row may add up to anything."
    )
    plain_rule = "weights = s"
    formula = "{source}"
    rule = SCORE
    convex = False

    def keeps_state(
        self, before: Array, after: Array, state: Array, first: int = 0
    ) -> BoolArray:
        # Each key is weighted by itself.
        return np.ones(before.shape[:-1], dtype=bool)
