"""The negative squared distance of query and key."""

from attnviewer.compute.rules import KEY, QUERY, Named
from attnviewer.compute.scoring.base import ColumnScoring


class Distance(ColumnScoring):
    """scores = −Σ (Q − K)²: the nearer, the larger.

    References
    ----------
    Nadaraya 1964, "On Estimating Regression"; its kernel is the Gaussian.
    """

    name = "distance"
    title = "negative squared distance"
    sentence = "The squared distance of query and key, with its sign turned."
    plain_rule = "−‖q − k‖²"
    term = -(Named("difference", QUERY - KEY) ** 2)
