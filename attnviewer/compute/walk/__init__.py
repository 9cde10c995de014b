"""The computation for one query, number by number."""

from attnviewer.compute.walk.moves import Move, Phase
from attnviewer.compute.walk.query_walk import QueryWalk

__all__ = ["Move", "Phase", "QueryWalk"]
