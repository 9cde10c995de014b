"""How an implementation's steps compare with the right ones, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from attnviewer.compute.arrays import Index
from attnviewer.compute.mistakes import Evaluation
from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.doctor.agreement import noise
from attnviewer.doctor.case import Case
from attnviewer.doctor.precision import FLOAT64, TF32

Standing = Literal["exact", "rounded", "differs"]


@dataclass(frozen=True, slots=True)
class ComparedStep:
    """A step of an implementation beside the right one.

    Parameters
    ----------
    step : str
        Its name in the plan.
    name : str
        What it is called by who made it.
    standing : str
        ``exact`` where only its own numbers are rounded, ``rounded`` where it is as
        good as its precision can be, ``differs`` otherwise.
    follows : bool
        Whether it is what the implementation's own earlier steps give, up to rounding:
        one that differs and follows has no mistake of its own.
    largest : float
        The largest difference; ∞ where one of two numbers is not finite, NaN for
        arrays of two shapes.
    worst : tuple of int or None
        Where that is; None where nothing differs and for arrays of two shapes.
    """

    step: str
    name: str
    standing: Standing
    follows: bool
    largest: float
    worst: Index | None


def compared_steps(case: Case, precision: str) -> tuple[ComparedStep, ...]:
    """Return how each step that an implementation shows compares with the right one.

    Parameters
    ----------
    case : Case
        What is compared.
    precision : str
        That of the implementation, by the name that its diagnosis gives.
    """
    if precision == TF32.name:
        case = replace(case, assumed=TF32)
    return tuple(_compared(case))


def _compared(case: Case) -> Iterator[ComparedStep]:
    exact, usual = (
        noise(case.plan, case.inputs, precision, case.steps)
        for precision in (FLOAT64, case.precision)
    )
    held: dict[str, Numbers] = {}
    for step in case.steps:
        standing: Standing = "differs"
        if case.off(step, case.right, exact[step]) <= 1:
            standing = "exact"
        elif case.off(step, case.right, usual[step]) <= 1:
            standing = "rounded"
        follows = case.off_at(step, Evaluation(case.plan, case.inputs, held)) <= 1
        right = case.right[step]
        largest, worst = largest_difference(case.visible(step, right), right)
        yield ComparedStep(step, case.name_of(step), standing, follows, largest, worst)
        held[step] = case.mine[step]


def largest_difference(theirs: Numbers, right: Numbers) -> tuple[float, Index | None]:
    """Return the largest difference of two arrays, and where it is.

    See `ComparedStep`.
    """
    if theirs.shape != right.shape:
        return float("nan"), None
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(theirs.astype(np.float64) - right)
    same = (theirs == right) | (np.isnan(theirs) & np.isnan(right))
    off = np.where(same, 0.0, np.nan_to_num(off, nan=np.inf, posinf=np.inf))
    place = np.unravel_index(int(off.argmax()), off.shape)
    largest = float(off[place])
    return largest, tuple(int(k) for k in place) if largest else None
