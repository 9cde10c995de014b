"""The numbers of a plan, computed when they are asked for."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.plan import Plan


class UnfitError(ValueError):
    """The shapes of a plan do not fit once a mistake is made."""


class Evaluation:
    """The steps of a plan from its inputs, each computed once.

    Parameters
    ----------
    plan : Plan
        The plan.
    inputs : mapping of str to ndarray
        Its inputs.
    held : mapping of str to ndarray
        Steps that are given instead of computed.
    like : Evaluation, optional
        An evaluation of another plan from the same inputs; what both have in common
        is taken from it.
    """

    def __init__(
        self,
        plan: Plan,
        inputs: Mapping[str, Numbers],
        held: Mapping[str, Numbers] | None = None,
        like: "Evaluation | None" = None,
    ) -> None:
        self.plan = plan
        self.inputs = inputs
        self.held = dict(held or {})
        self._values: dict[str, Numbers] = {}
        self.like = like
        self._common: dict[str, bool] = {}

    def __getitem__(self, name: str) -> Numbers:
        """Return a step or an input; numbers that overflow are ±inf or NaN.

        Raises
        ------
        UnfitError
            If the arrays that a step is computed from do not fit each other.
        """
        if name in self.held:
            return self.held[name]
        if name not in self.plan:
            return self.inputs[name]
        if name not in self._values:
            if self.like is not None and self.shares(name):
                self._values[name] = self.like[name]
            else:
                step = self.plan[name]
                arrays = [self[source] for source in step.inputs]
                try:
                    with np.errstate(all="ignore"):
                        self._values[name] = step.compute(*arrays)
                except (IndexError, TypeError, ValueError) as error:
                    # Two mistakes at once may also differ in how many arrays there are.
                    raise UnfitError(
                        f"The step '{name}' cannot be computed."
                    ) from error
        return self._values[name]

    @property
    def origin(self) -> "Evaluation":
        """The evaluation at the end of those that each is like."""
        return self if self.like is None else self.like.origin

    @property
    def size(self) -> int:
        """The count of numbers that were computed or taken over so far."""
        return sum(array.size for array in self._values.values())

    def shares(self, name: str) -> bool:
        """Return whether a step has the same numbers in the evaluation it is like."""
        if self.like is None:
            return False
        if name not in self._common:
            self._common[name] = self._is_common(name)
        return self._common[name]

    def _is_common(self, name: str) -> bool:
        assert self.like is not None
        held, others = self.held.get(name), self.like.held.get(name)
        if held is not None or others is not None:
            return held is others
        if name not in self.plan:
            return True
        if self.plan.changes(name, self.like.plan):
            return False
        return all(self.shares(source) for source in self.plan[name].inputs)
