"""The sections that every attention has: up to the scores, the weights, and after."""

from collections.abc import Iterable

from attnviewer.compute.stages import Comparison, Mix, Normalize, PointWise, Stage


class Pipeline:
    """The stages of an attention, by what they do.

    Parameters
    ----------
    stages : iterable of Stage
        All stages in order: one compares queries with keys, one normalises, and one
        mixes the values.

    Attributes
    ----------
    stages : tuple of Stage
        All of them.
    before : tuple of Stage
        The inputs, and what leads to queries, keys and values.
    comparison : Comparison
        From queries and keys to scores.
    on_scores : tuple of PointWise
        What is done with each score.
    normalize : Normalize
        From scores to weights.
    mix : Mix
        The weighted sum of the values.
    after : tuple of Stage
        What is done with the sums.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.stages = tuple(stages)
        (self.comparison,) = (s for s in self.stages if isinstance(s, Comparison))
        (self.normalize,) = (s for s in self.stages if isinstance(s, Normalize))
        (self.mix,) = (s for s in self.stages if isinstance(s, Mix))
        self.on_scores = tuple(s for s in self.stages if isinstance(s, PointWise))
        self.before = self.stages[: self.stages.index(self.comparison)]
        self.after = self.stages[self.stages.index(self.mix) + 1 :]
