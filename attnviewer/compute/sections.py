"""The sections of every attention: up to the scores, the weights, and after."""

from collections.abc import Iterable

from attnviewer.compute.stages import (
    Comparison,
    Mix,
    Normalize,
    PointWise,
    Stage,
    Stored,
)


class Pipeline:
    """The stages of an attention, by their role.

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
        The inputs and the stages up to queries, keys and values.
    sides : tuple of Stored
        The same without the inputs.
    comparison : Comparison
        From queries and keys to scores.
    on_scores : tuple of PointWise
        The stages on single scores.
    normalize : Normalize
        From scores to weights.
    mix : Mix
        The weighted sum of the values.
    after : tuple of Stored
        The stages after the weighted sums.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.stages = tuple(stages)
        (self.comparison,) = (s for s in self.stages if isinstance(s, Comparison))
        (self.normalize,) = (s for s in self.stages if isinstance(s, Normalize))
        (self.mix,) = (s for s in self.stages if isinstance(s, Mix))
        self.on_scores = tuple(s for s in self.stages if isinstance(s, PointWise))
        self.before = self.stages[: self.stages.index(self.comparison)]
        self.sides = tuple(s for s in self.before if isinstance(s, Stored))
        after = self.stages[self.stages.index(self.mix) + 1 :]
        self.after = tuple(s for s in after if isinstance(s, Stored))
