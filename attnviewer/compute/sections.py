"""The sections of every attention: up to the scores, the weights, and after."""

from collections.abc import Iterable
from functools import cached_property, lru_cache

from attnviewer.compute.stages import (
    Comparison,
    Mix,
    Normalize,
    PointWise,
    Project,
    Stage,
    Stored,
)


class Pipeline:
    """The stages of an attention, by their role.

    Parameters
    ----------
    stages : iterable of Stage
        All stages in order: some compare queries with keys, and one mixes the values.
        What these need is computed before the first comparison; from there to the mix,
        every step has a row per query and a column per key.

    Attributes
    ----------
    stages : tuple of Stage
        All of them.
    before : tuple of Stage
        The inputs and the stages up to queries, keys and values.
    sides : tuple of Stored
        The same without the inputs.
    projections : tuple of Project
        Those of `sides` that are computed from inputs, without pins or mistakes.
    comparison : Comparison
        From queries and keys to scores; the first, where there are more.
    comparisons : tuple of Comparison
        All of them.
    on_scores : tuple of PointWise
        The stages on single scores that directly follow it.
    weighing : tuple of Stage
        The stages from there to the weights that the values are mixed by; of most
        variants, one that normalises.
    mix : Mix
        The weighted sum of the values.
    after : tuple of Stored
        The stages after the weighted sums.
    normalizing : tuple of Normalize
        All that normalise; none, one or several.
    scores, weights : str
        The names of the first comparison's step, and of the step that the values are
        mixed by.
    """

    def __init__(self, stages: Iterable[Stage]) -> None:
        self.stages = tuple(stages)
        self.comparisons = tuple(s for s in self.stages if isinstance(s, Comparison))
        self.comparison = self.comparisons[0]
        (self.mix,) = (s for s in self.stages if isinstance(s, Mix))
        self.normalizing = tuple(s for s in self.stages if isinstance(s, Normalize))
        first = self.stages.index(self.comparison)
        last = self.stages.index(self.mix)
        self.before = self.stages[:first]
        self.sides = tuple(s for s in self.before if isinstance(s, Stored))
        given = {stage.name for stage in self.stages if not stage.inputs}
        self.projections = tuple(
            s for s in self.sides if type(s) is Project and given.issuperset(s.inputs)
        )
        self.on_scores = _chain(self.comparison, self.stages[first + 1 : last])
        self.weighing = self.stages[first + 1 + len(self.on_scores) : last]
        self.scores, self.weights = self.comparison.name, self.mix.inputs[0]
        after = self.stages[last + 1 :]
        self.after = tuple(s for s in after if isinstance(s, Stored))

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The mistakes that steps are computed with, in a few words each.

        With any, the steps from the scores to the weights are computed as wholes.
        """
        found = (stage.mistake for stage in self.stages if stage.mistake)
        return tuple(dict.fromkeys(found))

    @property
    def weighed(self) -> frozenset[str]:
        """The steps with a row per query and a column per key, up to the weights."""
        stages = (self.comparison, *self.on_scores, *self.weighing)
        return frozenset(stage.name for stage in stages)

    @cached_property
    def masked(self) -> frozenset[str]:
        """The steps in which `on_scores` may hide keys, from the mask to the weights.

        In those of `weighing`, the number of a hidden key is 0.
        """
        masked = {stage.name for stage in self.on_scores if stage.hides}
        for stage in (*self.on_scores, *self.weighing):
            if masked.intersection(stage.inputs):
                masked.add(stage.name)
        return frozenset(masked)

    @cached_property
    def _sources(self) -> dict[str, frozenset[str]]:
        """The steps that each step is computed from, and itself."""
        found: dict[str, frozenset[str]] = {}
        for stage in self.stages:
            found[stage.name] = frozenset({stage.name}).union(
                *(found[name] for name in stage.inputs)
            )
        return found

    def rule_of(self, step: str) -> Normalize | None:
        """Return the stage whose rule yields a step; None where another makes it."""
        rules = (s for s in self.normalizing if not s.mistake)
        return next((s for s in rules if s.name == step), None)

    def normalize_of(self, step: str) -> Normalize | None:
        """Return the first stage that normalises a step or what is computed from it.

        The stage itself for a step that it yields; None where none does.
        """
        stages = (s for s in self.normalizing if step in self._sources[s.name])
        return next(stages, None)

    def between(self, first: Stage, last: Stage) -> frozenset[str]:
        """Return the steps on the way from a stage to a later one, with that one's."""
        later = (s.name for s in self.stages if s.name in self._sources[last.name])
        on_the_way = (name for name in later if first.name in self._sources[name])
        return frozenset(on_the_way) - {first.name}

    def comparison_of(self, step: str) -> Comparison | None:
        """Return the comparison that a step is computed from; None for none or several.

        Parameters
        ----------
        step : str
            A step up to the weights; that of a comparison is computed from this one.
        """
        found = [s for s in self.comparisons if s.name in self._sources[step]]
        return found[0] if len(found) == 1 else None

    @property
    def normalize(self) -> Normalize:
        """The only stage that normalises.

        Raises
        ------
        ValueError
            If several do, or none.
        """
        if len(self.normalizing) != 1:
            raise ValueError(
                "The attention must normalise its scores exactly once. Got "
                f"{len(self.normalizing)} stages that normalise instead."
            )
        return self.normalizing[0]

    @property
    def by_rule(self) -> Normalize | None:
        """The stage whose rule yields the weights; None where another makes them."""
        return self.rule_of(self.weights)

    @property
    def only_normalizes(self) -> bool:
        """Whether the last scores, normalised, are what the values are mixed by."""
        scores = (self.comparison, *self.on_scores)[-1]
        return (
            not self.mistakes
            and self.weighing == self.normalizing
            and [stage.inputs for stage in self.weighing] == [(scores.name,)]
            and self.weights == self.weighing[0].name
        )


@lru_cache(maxsize=8)
def sections(stages: tuple[Stage, ...]) -> Pipeline:
    """Return the pipeline of stages; cached, as neither holds numbers."""
    return Pipeline(stages)


def _chain(first: Stage, stages: Iterable[Stage]) -> tuple[PointWise, ...]:
    """Return the stages on single scores up to the first stage of another kind."""
    chain: list[PointWise] = []
    source = first.name
    for stage in stages:
        if not isinstance(stage, PointWise) or stage.inputs[0] != source:
            break
        chain.append(stage)
        source = stage.name
    return tuple(chain)
