"""Scores by a small network of one hidden layer."""

from collections.abc import Sequence

from attnviewer.compute.functions import HyperbolicTangent
from attnviewer.compute.rules import KEY, QUERY, Entry, Named
from attnviewer.compute.scoring.base import Scoring, Side
from attnviewer.compute.scoring.general import weighed
from attnviewer.compute.stages.base import Stage
from attnviewer.compute.stages.column_sum import ColumnSum
from attnviewer.compute.stages.comparison import Comparison


class Additive(Scoring):
    """scores = Σ v · tanh(q w_q + k w_k).

    References
    ----------
    Bahdanau et al. 2015, "Neural Machine Translation by Jointly Learning to Align
    and Translate", appendix A.1.2.
    """

    name = "additive"
    title = "additive (Bahdanau)"
    sentence = "A small learned network compares query and key (Bahdanau et al. 2015)."
    plain_rule = "v · tanh(q w_q + k w_k)"
    weights = ("w_q", "w_k", "v")
    same_width = False
    term = Entry("v") * Named("hidden", HyperbolicTangent(QUERY + KEY))

    def prepare(self, queries: Side, keys: Side) -> Sequence[Stage]:
        return [weighed(queries, "w_q"), weighed(keys, "w_k")]

    def compared(self, queries: str, keys: str) -> tuple[str, str]:
        return f"{queries} w_q", f"{keys} w_k"

    def compare(self, queries: str, keys: str) -> Comparison:
        return ColumnSum(queries, keys, self.term, ("v",), "tanh, · v")


class Concat(Additive):
    """The same, with both weights side by side in one matrix.

    References
    ----------
    Luong et al. 2015, "Effective Approaches to Attention-based Neural Machine
    Translation", section 3.1, *concat*.
    """

    name = "concat"
    title = "concat (Luong)"
    sentence = (
        "A small learned network looks at query and key side by side (Luong et al. "
        "2015)."
    )
    plain_rule = "v · tanh([q, k] [w_q; w_k])"
