"""The dot product."""

from attnviewer.compute.scoring.base import Scoring
from attnviewer.compute.stages.comparison import Comparison
from attnviewer.compute.stages.score import Score


class Dot(Scoring):
    """scores = Q Kᵀ.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1.
    """

    name = "dot"
    title = "dot product"
    sentence = (
        "The dot product is large where query and key point the same way, and larger "
        "the longer they are."
    )
    plain_rule = "q · k"

    def compare(self, queries: str, keys: str) -> Comparison:
        return Score(queries, keys)
