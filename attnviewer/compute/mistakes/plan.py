"""A computation as steps that a mistake can change."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute.arrays import Array, Numbers, Part, Shape
from attnviewer.compute.mistakes.remembering import Remembering
from attnviewer.compute.pipeline import right_stages
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Given, Stage


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One step of a plan; two are the same where they are the same object.

    Parameters
    ----------
    name : str
        The step's name.
    inputs : tuple of str
        The steps and inputs that it is computed from.
    compute : callable
        From the whole arrays of `inputs` to the whole step.
    """

    name: str
    inputs: tuple[str, ...]
    compute: Callable[..., Numbers]


@dataclass(frozen=True, eq=False)
class Plan:
    """The steps of an attention computation, in order.

    Parameters
    ----------
    spec : Spec
        The variant that is intended.
    shapes : mapping of str to tuple of int
        The shapes of the inputs.
    stages : mapping of str to Stage
        The right stages, by the names of their steps.
    steps : mapping of str to Step
        What is computed: the right steps, some of them changed by mistakes.
    right : mapping of str to Step
        The right steps.
    """

    spec: Spec
    shapes: Mapping[str, Shape]
    stages: Mapping[str, Stage]
    steps: Mapping[str, Step]
    right: Mapping[str, Step]

    @classmethod
    def of(cls, spec: Spec, shapes: Mapping[str, Shape]) -> "Plan":
        """Return the plan of a variant without mistakes."""
        listed = right_stages(spec, shapes)
        stages = {s.name: s for s in listed if not isinstance(s, Given)}
        steps = {name: as_step(stage) for name, stage in stages.items()}
        return cls(spec, dict(shapes), stages, steps, steps)

    def __contains__(self, name: object) -> bool:
        return name in self.steps

    def __getitem__(self, name: str) -> Step:
        return self.steps[name]

    def with_steps(self, *steps: Step) -> "Plan":
        """Return the plan with other steps in place of those of the same names.

        Raises
        ------
        KeyError
            If the plan has no step of a name.
        """
        changed = dict(self.steps)
        for step in steps:
            if step.name not in changed:
                raise KeyError(step.name)
            changed[step.name] = step
        return replace(self, steps=changed)

    def computing(
        self,
        name: str,
        compute: Callable[..., Numbers],
        inputs: Iterable[str] | None = None,
    ) -> "Plan":
        """Return the plan with one step computed in another way.

        Parameters
        ----------
        name : str
            The step.
        compute : callable
            From the whole arrays of its inputs to the step.
        inputs : iterable of str, optional
            Its inputs; those that it has by default.
        """
        names = self[name].inputs if inputs is None else tuple(inputs)
        return self.with_steps(Step(name, names, compute))

    def then(self, name: str, change: Callable[[Numbers], Numbers]) -> "Plan":
        """Return the plan with the result of a step changed."""
        step = self[name]
        return self.computing(name, lambda *arrays: change(step.compute(*arrays)))

    def skipping(self, name: str) -> "Plan":
        """Return the plan with a step that passes on its first input."""
        return self.computing(name, lambda first, *_: first)

    def changes(self, name: str, other: "Plan") -> bool:
        """Return whether a step is computed in another way than in another plan."""
        return self[name] is not other[name]

    def is_right(self, name: str) -> bool:
        """Return whether a step is computed without a mistake."""
        return self[name] is self.right[name]

    @property
    def last_scores(self) -> str:
        """The step that is normalised."""
        return self.stages["weights"].inputs[0]

    @property
    def masked(self) -> bool:
        """Whether there is a mask."""
        return "masked" in self.stages

    @property
    def queries(self) -> str:
        """The step or input that is compared with the keys."""
        return self.stages["scores"].inputs[0]

    @property
    def keys(self) -> str:
        """The step or input that queries are compared with."""
        return self.stages["scores"].inputs[1]

    @property
    def values(self) -> str:
        """The step or input whose rows are added up."""
        return self.stages[self.mixed].inputs[1]

    @property
    def mixed(self) -> str:
        """The step in which the values are added up."""
        return "heads" if "heads" in self.stages else "output"

    @property
    def lengths(self) -> tuple[int, int]:
        """The numbers of queries and of keys."""
        queries, keys, _ = self.spec.sources
        if self.spec.score == "given":
            return self.shapes["S"][-2], self.shapes["S"][-1]
        return self.shapes[queries][-2], self.shapes[keys][-2]

    @property
    def key_width(self) -> int:
        """The width d_k of a head's keys; 0 where scores are given."""
        if self.spec.score == "given":
            return 0
        if self.spec.projected:
            return self.shapes["W_K"][-1] // self.spec.kv_heads
        width = self.shapes[self.spec.sources[1]][-1]
        return width // self.spec.kv_heads if self.spec.heads_joined else width

    @property
    def value_width(self) -> int:
        """The width d_v of a head's values."""
        if self.spec.projected:
            return self.shapes["W_V"][-1] // self.spec.kv_heads
        width = self.shapes[self.spec.sources[2]][-1]
        return width // self.spec.kv_heads if self.spec.heads_joined else width

    def reading(self, name: str, change: Callable[[Numbers], Numbers]) -> "Plan":
        """Return the plan in which a step reads its first input changed."""
        compute = self[name].compute
        return self.computing(
            name, lambda first, *others: compute(change(first), *others)
        )


def as_step(stage: Stage) -> Step:
    """Return a stage as a step."""

    def compute(*arrays: Array) -> Numbers:
        with np.errstate(all="ignore"):
            return stage.forward(Part(), *arrays)

    return Step(stage.name, stage.inputs, Remembering(compute))
