"""Sparsemax: the probabilities nearest to the scores."""

from attnviewer.compute.normalizers.thresholded import Thresholded


class Sparsemax(Thresholded):
    """αᵢⱼ = max(0, sᵢⱼ − maxᵢ − τᵢ), with τᵢ such that the row adds up to 1.

    The Euclidean projection of the row onto the probabilities: keys far enough
    below the largest score get no weight at all. Subtracting maxᵢ shifts τᵢ and
    changes no weight.

    References
    ----------
    Martins & Astudillo 2016, "From Softmax to Sparsemax", algorithm 1; the
    gradient is that of section 2.5.
    """

    name = "sparsemax"
    title = "sparsemax"
    sentence = (
        "Sparsemax takes a threshold off the scores and cuts at 0, so that low "
        "scores get no weight at all; each row adds up to 1."
    )
    plain_rule = "max(0, sⱼ − τ)"
    power = 1
