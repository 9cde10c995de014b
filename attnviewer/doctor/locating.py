"""The cells in which two arrays differ."""

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.agreement import bound, largest
from attnviewer.doctor.case import Case
from attnviewer.doctor.roundings import MANY

ROUNDED = 8.0
"""How far the numbers of many steps are off, in units in the last place of the largest.

Computing that takes as long as the steps.
"""

ALL_NAN = (
    "All of its numbers are NaN. NaN comes from ∞ − ∞, 0 · ∞, 0 / 0 or ∞ / ∞: an "
    "exponential overflows, say, a mask is multiplied by −∞, or a whole row is hidden. "
    "Give the earlier steps, too, to see where it begins."
)


def where_different(case: Case, step: str, held: dict[str, Numbers]) -> str:
    """Return a sentence on where a step differs from what follows from those before.

    Parameters
    ----------
    case : Case
        What is compared.
    step : str
        The step.
    held : mapping of str to ndarray
        The implementation's steps before it.
    """
    right = Evaluation(case.plan, case.inputs, held)
    theirs, exact = case.mine[step], right[step]
    if theirs.shape != exact.shape:
        return f"Its shape is {theirs.shape} where {exact.shape} is right."
    if np.isnan(theirs).any() and not np.isnan(exact).any():
        count = int(np.isnan(theirs).sum())
        if count == theirs.size:
            return ALL_NAN
        return f"{count} of its {theirs.size} numbers are not numbers (NaN)."
    if right.size < MANY:
        expected = case.deviations(right, (step,), case.precision)[step]
    else:
        expected = np.asarray(ROUNDED * case.precision.roundoff * largest(exact))
    limits = bound(exact, case.precisions[step], expected)
    with np.errstate(all="ignore"):
        off = ~((np.abs(theirs - exact) <= limits) | (theirs == exact))
    share = f"{int(off.sum())} of {off.size} numbers differ"
    if off.all():
        same = "" if right.size >= MANY else _held_by(theirs, right, limits)
        return f"All {off.size} numbers differ.{same}"
    parts = []
    if off.ndim > 2 and off.shape[-3] > 1:
        parts.append(_named("head", off.any(axis=(-2, -1)).reshape(-1)))
    matrix = off.reshape(-1, *off.shape[-2:]).any(axis=0)  # (rows, columns)
    if (
        matrix.shape[0] == matrix.shape[1]
        and not matrix[~np.eye(len(matrix), dtype=bool)].any()
    ):
        parts.append("all on the diagonal")
    else:
        parts += [
            _named("row", matrix.any(axis=1)),
            _named("column", matrix.any(axis=0)),
        ]
    kept = [part for part in parts if part]
    return f"{share}{': ' if kept else ''}{', '.join(kept)}."


def _held_by(theirs: Numbers, right: Evaluation, limits: Numbers) -> str:
    """Return a sentence naming the step whose numbers an array has; "" for none."""
    with np.errstate(all="ignore"):
        for name in right.plan.steps:
            other = right[name]
            if other.shape == theirs.shape and (np.abs(theirs - other) <= limits).all():
                return f" They are those of '{name}'."
    return ""


def _named(kind: str, flags: Numbers) -> str:
    """Return which of some rows differ; "" where all do."""
    which = np.flatnonzero(flags).tolist()
    if len(which) == flags.size or not which:
        return ""
    if len(which) == 1:
        return f"{kind} {which[0]}"
    if which[-1] - which[0] + 1 == len(which):
        return f"{kind}s {which[0]} to {which[-1]}"
    shown = ", ".join(map(str, which[:6]))
    return f"{kind}s {shown}{' …' if len(which) > 6 else ''}"
