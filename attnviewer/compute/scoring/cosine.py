"""The cosine of the angle between query and key."""

from collections.abc import Sequence

from attnviewer.compute.scoring.base import Side
from attnviewer.compute.scoring.dot import Dot
from attnviewer.compute.stages.base import Stage
from attnviewer.compute.stages.unit import Unit


class Cosine(Dot):
    """scores = Q Kᵀ, with the rows of Q and K scaled to length 1."""

    name = "cosine"
    title = "cosine"
    sentence = (
        "The cosine of the angle between query and key, from −1 to 1: their lengths "
        "do not count."
    )
    plain_rule = "q · k / (‖q‖ ‖k‖)"

    def prepare(self, queries: Side, keys: Side) -> Sequence[Stage]:
        if queries.step == keys.step:
            return [Unit(keys.step, rows="tokens", per_head=keys.per_head)]
        sides = (queries, keys)
        return [Unit(s.step, rows=s.rows, per_head=s.per_head) for s in sides]

    def compared(self, queries: str, keys: str) -> tuple[str, str]:
        return f"unit {queries}", f"unit {keys}"
