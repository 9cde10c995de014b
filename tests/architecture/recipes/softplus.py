"""Shares of softplus."""

from attnviewer.compute.expression import Maximum, Number
from attnviewer.compute.functions import Absolute, Exponential, LogOnePlus
from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.rules import SCORE, Named, RowSum

# log(1 + e^x), in a form that never overflows.
_SOFTPLUS = Named(
    "softplus",
    Maximum(Number(0.0), SCORE) + LogOnePlus(Exponential(-Absolute(SCORE))),
    "softplus(sᵢⱼ)",
)


class Softplus(Normalizer):
    """αᵢⱼ = softplus(sᵢⱼ) / Σₖ softplus(sᵢₖ) with softplus(x) = log(1 + e^x).

    References
    ----------
    Dugas et al. 2001, "Incorporating Second-Order Functional Knowledge".
    """

    name = "softplus"
    title = "softplus"
    sentence = (
        "Softplus makes each score positive and divides it by the sum of its row."
    )
    convex = False
    rule = _SOFTPLUS / Named("total", RowSum(_SOFTPLUS))
