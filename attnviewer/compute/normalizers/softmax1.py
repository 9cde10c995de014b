"""Softmax that may leave a row without any attention."""

from attnviewer.compute.expression import Maximum, Number
from attnviewer.compute.functions import Exponential
from attnviewer.compute.normalizers.softmax import Softmax
from attnviewer.compute.rules import SCORE, Named, RowMaximum, RowSum

_LARGEST = Named("largest", Maximum(Number(0.0), RowMaximum(SCORE)), "mᵢ")
_EXPONENTIALS = Named("exponentials", Exponential(SCORE - _LARGEST))
_BESIDE = Named("beside", Exponential(0 - _LARGEST))


class Softmax1(Softmax):
    """αᵢⱼ = e^(sᵢⱼ) / (1 + Σₖ e^(sᵢₖ)): softmax with one more key, of score 0.

    That key takes part in the sum and is then left out, so a row adds up to less
    than 1, and to nearly 0 where all its scores are far below 0. As in softmax, the
    maximum is subtracted first, here mᵢ = max(0, maxₖ sᵢₖ), and the 1 becomes e^(−mᵢ).

    References
    ----------
    Miller 2023, "Attention Is Off By One".
    """

    name = "softmax1"
    title = "softmax1"
    sentence = (
        "Softmax with 1 added to the sum, so that a query that finds nothing "
        "may attend to nothing."
    )
    plain_rule = "e^sⱼ / (1 + Σₖ e^sₖ)"
    rule = _EXPONENTIALS / Named("total", _BESIDE + RowSum(_EXPONENTIALS))
    convex = False
    beside = (0.0,)
