"""Weights that are the scores themselves."""

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
