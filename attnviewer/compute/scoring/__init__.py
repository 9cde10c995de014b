"""Scores of queries and keys. Each rule is a file here and a line below."""

from attnviewer.compute.scoring.additive import Additive, Concat
from attnviewer.compute.scoring.base import ColumnScoring, Scoring, Side
from attnviewer.compute.scoring.cosine import Cosine
from attnviewer.compute.scoring.dot import Dot
from attnviewer.compute.scoring.general import General
from attnviewer.compute.scoring.given import GivenScoring

SCORES: dict[str, Scoring] = {
    scoring.name: scoring()
    for scoring in (Dot, Cosine, General, Additive, Concat, GivenScoring)
}
"""How a query is compared with a key, by name."""

__all__ = ["SCORES", "ColumnScoring", "Scoring", "Side"]
