"""A case in float32, in which most mistakes are soon ruled out."""

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation, Plan
from attnviewer.doctor.agreement import blocks, largest
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
    last : Case, optional
        The last queries of it, on which mistakes made before the scores show as well.
    """

    def __init__(self, case: Case, last: Case | None = None) -> None:
        self._case = case
        self._last = None if last is None else Sketch(last)
        self._inputs = {name: _short(array) for name, array in case.inputs.items()}
        self._theirs = {name: _short(case.mine[name]) for name in case.steps}
        self._right = Evaluation(case.plan, self._inputs)
        self._right_is_far: dict[tuple[str, float], bool] = {}

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
        far = different = False
        share = self._case.share_of(precision) + SLACK
        numbers = Evaluation(plan, self._inputs, like=self._right)
        if self._last is not None and self._last.is_far_from(numbers, share):
            return True, True
        for name in self._case.steps:
            far = far or self._is_far(name, numbers, share)
            if not different and not numbers.shares(name):
                different = _apart(self._right[name], numbers[name], SLACK)
            if far and (different or self._case.across_rows):
                break
        return far, different

    def is_far_from(self, all_rows: Evaluation, share: float) -> bool:
        """Return whether the last queries rule out a plan for all of them.

        Parameters
        ----------
        all_rows : Evaluation
            The plan's numbers; those of steps after the scores and after the last one
            that it changes are not computed.
        share : float
            The share of the largest number that is not distinguished.
        """
        plan, like = all_rows.plan, all_rows.origin.plan
        names = list(plan.steps)
        # What a plan changes may mix queries; what follows does not.
        first = 1 + max(k for k, name in enumerate(names) if plan.changes(name, like))
        later = names[max(first, names.index("scores")) :]
        steps = [name for name in self._case.steps if name in later]
        if not steps:
            return False
        read = {source for name in later for source in plan[name].inputs}
        held = dict[str, Numbers]()
        for name in read.difference(later).intersection(names):
            right = self._right[name]
            held[name] = rows = all_rows[name][..., -right.shape[-2] :, :]
            if rows.shape != right.shape:
                return False
        numbers = Evaluation(self._case.plan, self._inputs, held, like=self._right)
        return any(self._is_far(name, numbers, share) for name in steps)

    def _is_far(self, name: str, numbers: Evaluation, share: float) -> bool:
        """Return whether a step is far from the implementation's."""
        if not numbers.shares(name):
            return self._compared(name, numbers[name], share)
        if (name, share) not in self._right_is_far:
            is_far = self._compared(name, self._right[name], share)
            self._right_is_far[name, share] = is_far
        return self._right_is_far[name, share]

    def _compared(self, name: str, numbers: Numbers, share: float) -> bool:
        theirs = self._case.shown(name, self._theirs[name], numbers)
        return _apart(theirs, numbers, share)


def _short(array: Numbers) -> Numbers:
    with np.errstate(over="ignore"):
        return array.astype(np.float32) if array.dtype.kind == "f" else array


def _apart(theirs: Numbers, numbers: Numbers, share: float) -> bool:
    """Return whether numbers differ by more than a share of the largest.

    What overflows tells nothing.
    """
    if theirs.shape != numbers.shape:
        return True
    limit = share * (largest(numbers) or 1.0)
    with np.errstate(all="ignore"):
        for one, other in blocks(theirs, numbers):
            off = np.abs(one - other) > limit
            if off.any():
                overflown = ~(one < np.inf) | ~(other < np.inf)
                if (off & ~overflown & (one != other)).any():
                    return True
    return False
