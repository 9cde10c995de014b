"""The dot product with a learned matrix between query and key."""

from collections.abc import Sequence

from attnviewer.compute.scoring.base import Side
from attnviewer.compute.scoring.dot import Dot
from attnviewer.compute.stages.base import Stage
from attnviewer.compute.stages.project import Project


def weighed(side: Side, weight: str) -> Project:
    """Return the stage that multiplies one side by a weight of the score."""
    name = f"{side.step} {weight}"
    return Project(name, side.step, weight, rows=side.rows, per_head=side.per_head)


class General(Dot):
    """scores = (Q w) Kᵀ.

    References
    ----------
    Luong et al. 2015, "Effective Approaches to Attention-based Neural Machine
    Translation", section 3.1, *general*.
    """

    name = "general"
    title = "general (Luong)"
    sentence = "A learned matrix stands between query and key (Luong et al. 2015)."
    plain_rule = "(q w) · k"
    weights = ("w",)
    same_width = False

    def prepare(self, queries: Side, keys: Side) -> Sequence[Stage]:
        return [weighed(queries, "w")]

    def compared(self, queries: str, keys: str) -> tuple[str, str]:
        return f"{queries} w", keys
