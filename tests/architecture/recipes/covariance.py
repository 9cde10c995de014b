"""The covariance of query and key."""

from collections.abc import Sequence

from attnviewer.compute.stages.center import Center

from attnviewer.compute.scoring.base import Side
from attnviewer.compute.scoring.dot import Dot
from attnviewer.compute.stages.base import Stage


class Covariance(Dot):
    """scores = Q Kᵀ, with the mean of each row taken off first."""

    name = "covariance"
    title = "covariance"
    sentence = "The covariance of query and key over their columns, times d."
    plain_rule = "(q − mean q) · (k − mean k)"

    def prepare(self, queries: Side, keys: Side) -> Sequence[Stage]:
        if queries.step == keys.step:
            return [Center(keys.step, rows="tokens", per_head=keys.per_head)]
        sides = (queries, keys)
        return [Center(s.step, rows=s.rows, per_head=s.per_head) for s in sides]

    def compared(self, queries: str, keys: str) -> tuple[str, str]:
        return f"centred {queries}", f"centred {keys}"
