"""Scores that are given, not computed."""

from attnviewer.compute.scoring.base import Scoring
from attnviewer.compute.stages.comparison import Comparison
from attnviewer.compute.stages.given_score import GivenScore


class GivenScoring(Scoring):
    """scores = S, a matrix of the document."""

    name = "given"
    title = "given as they are"
    sentence = (
        "The scores are entered as numbers and not computed from queries and keys."
    )
    plain_rule = "s = S"
    same_width = False

    def compare(self, queries: str, keys: str) -> Comparison:
        return GivenScore(queries, keys)
