"""A case in float32, in which most mistakes are soon ruled out."""

import numpy as np

from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.agreement import largest
from attnviewer.doctor.case import Case
from attnviewer.doctor.precision import Precision

SLACK = 2.0**-5
"""The share of the largest number that float32 loses at most in all steps."""

LARGEST_SCORE = 1e3
"""Scores beyond which the softmax turns errors of float32 into more than that."""


class Sketch:
    """The numbers of a case in float32.

    Parameters
    ----------
    case : Case
        The case.
    """

    def __init__(self, case: Case) -> None:
        self._case = case
        self._inputs = {name: _short(array) for name, array in case.inputs.items()}
        self._theirs = {name: _short(case.mine[name]) for name in case.steps}
        self._right = Evaluation(case.plan, self._inputs)
        self._right_apart: dict[str, float] = {}

    @property
    def usable(self) -> bool:
        """Whether the numbers are in the range of float32."""
        case = self._case
        scores = largest(self._right[case.plan.last_scores])
        pairs = [(self._inputs[n], a) for n, a in case.inputs.items()]
        pairs += [(self._theirs[n], case.mine[n]) for n in case.steps]
        kept = all(
            np.array_equal(np.isfinite(short), np.isfinite(full))
            for short, full in pairs
        )
        return kept and scores < LARGEST_SCORE

    def rules_out(self, plan: Plan, precision: Precision) -> tuple[bool, bool]:
        """Return what a plan cannot be.

        Parameters
        ----------
        plan : Plan
            The plan.
        precision : Precision
            In which the implementation computes.

        Returns
        -------
        tuple of bool
            Whether it is far from the implementation's steps, and whether one of
            these differs from the right one in it.

        Raises
        ------
        UnfitError
            If a step cannot be computed.
        """
        far, different = False, False
        share = self._case.share_of(precision) + SLACK
        numbers = Evaluation(plan, self._inputs, like=self._right)
        for name in self._case.steps:
            far = far or self._apart(name, numbers) > share
            if not different and not numbers.shares(name):
                different = _apart(self._right[name], numbers[name]) > SLACK
            if far and different:
                break
        return far, different

    def _apart(self, name: str, numbers: Evaluation) -> float:
        """Return how far a step is from the implementation's."""
        if not numbers.shares(name):
            return self._measured(name, numbers[name])
        if name not in self._right_apart:
            self._right_apart[name] = self._measured(name, self._right[name])
        return self._right_apart[name]

    def _measured(self, name: str, numbers: Numbers) -> float:
        return _apart(self._case.shown(name, self._theirs[name], numbers), numbers)


def _short(array: Numbers) -> Numbers:
    with np.errstate(over="ignore"):
        return array.astype(np.float32) if array.dtype.kind == "f" else array


def _apart(theirs: Numbers, numbers: Numbers) -> float:
    """Return the largest difference as a share of the largest number.

    What overflows tells nothing.
    """
    if theirs.shape != numbers.shape:
        return np.inf
    with np.errstate(all="ignore"):
        off = np.abs(theirs - numbers)
        highest = float(off.max(initial=0.0))
        if not np.isfinite(highest):
            overflown = ~(theirs < np.inf) | ~(numbers < np.inf)
            off = np.where((theirs == numbers) | overflown, 0.0, off)
            highest = float(off.max(initial=0.0))
    return highest / (largest(numbers) or 1.0)
