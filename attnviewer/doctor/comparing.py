"""Comparison of an implementation's steps with the right ones, one by one."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from attnviewer.compute.arrays import Index, Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.compute.progress import Progress
from attnviewer.doctor.case import Case
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.precision import TF32

Standing = Literal["exact", "rounded", "differs"]


@dataclass(frozen=True, slots=True)
class ComparedStep:
    """A step of an implementation beside the right one.

    Parameters
    ----------
    step : str
        Its name in the plan.
    name : str
        The implementation's name for it.
    standing : str
        ``exact`` where only its own numbers are rounded, ``rounded`` where it is as
        good as its precision can be, ``differs`` otherwise.
    follows : bool
        Whether it agrees, or is what the implementation's own earlier steps give: one
        that differs and follows has no mistake of its own.
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


def compared_steps(
    case: Case, diagnosis: Diagnosis, progress: Progress | None = None
) -> tuple[ComparedStep, ...]:
    """Return how each step that an implementation shows compares with the right one.

    Parameters
    ----------
    case : Case
        What is compared.
    diagnosis : Diagnosis
        What was found out about it.
    progress : callable, optional
        Called with the completed fraction; may raise to abort.
    """
    if diagnosis.precision == TF32.name:
        case = case.assuming(TF32)
    found: list[ComparedStep] = []
    held: dict[str, Numbers] = {}
    standings = _standings(case, known_to_agree=_agrees_throughout(diagnosis))
    for step, standing in standings.items():
        if progress is not None:
            progress(len(found) / len(standings))
        differs = standing == "differs"
        earlier = Evaluation(case.plan, case.inputs, held)
        follows = not differs or case.off_at(step, earlier) <= 1
        right = case.right[step]
        largest, worst = largest_difference(case.visible(step, right), right)
        name = case.name_of(step)
        found.append(ComparedStep(step, name, standing, follows, largest, worst))
        held[step] = case.wide[step]
    return tuple(found)


def _agrees_throughout(diagnosis: Diagnosis) -> bool:
    """Return whether every step agrees, not only the results."""
    return diagnosis.agrees and not diagnosis.harmless


def _standings(case: Case, *, known_to_agree: bool) -> dict[str, Standing]:
    """Return the standing of each step; rounding is estimated only where it decides."""
    none = np.zeros(())
    exact = {s for s in case.steps if case.off(s, case.right, none) <= 1}
    rounded = {s for s in case.steps if known_to_agree and s not in exact}
    doubtful = tuple(
        step
        for step in case.steps
        if step not in exact | rounded and case.near(step, case.right, case.precision)
    )
    if doubtful:
        expected = case.deviations(case.right, doubtful, case.precision)
        rounded |= {s for s in doubtful if case.off(s, case.right, expected[s]) <= 1}
    return {
        s: "exact" if s in exact else "rounded" if s in rounded else "differs"
        for s in case.steps
    }


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
