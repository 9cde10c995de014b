"""The search for inputs that meet targets."""

import math
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.compute.arguments import check_name
from attnviewer.compute.progress import Counted, Progress
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.threads import one_blas_thread
from attnviewer.document import Document
from attnviewer.goal_seek.bounded import objective
from attnviewer.goal_seek.fewest import fewest_cells
from attnviewer.goal_seek.free_numbers import Free, FreeNumbers, Limits, free_numbers
from attnviewer.goal_seek.hard_max import decided
from attnviewer.goal_seek.problem import TOLERANCE, Point, Problem
from attnviewer.goal_seek.proposal import (
    Proposal,
    changes_between,
    edit_between,
    side_effects,
)
from attnviewer.goal_seek.reach import beyond_reach
from attnviewer.goal_seek.refusals import refusal
from attnviewer.goal_seek.requirements import requirements
from attnviewer.goal_seek.score_gaps import by_ratios, by_scores
from attnviewer.goal_seek.search import computations, least_change, local
from attnviewer.goal_seek.targets import AnyTarget, RowTarget, Target
from attnviewer.goal_seek.uniform import levelled

Norm: TypeAlias = Literal["least-squares", "fewest-cells"]
_SEARCHES: dict[str, Callable[[Problem, Point | None], Point]] = {
    "least-squares": least_change,
    "fewest-cells": fewest_cells,
}
USUAL = 300
"""The computations of a usual search."""
ALIKE = 1e-9
"""Changes whose sizes differ by a smaller share count as equal."""
APART = 1e-6
"""The gap between scores up to which two weights count as equal. The gap between the
weights does not tell, as it is within the tolerance if both vanish."""


@short_signature
def seek(
    document: Document,
    targets: AnyTarget | Iterable[AnyTarget],
    free: Iterable[Free],
    limits: Limits = None,
    norm: Norm = "least-squares",
    *,
    progress: Progress | None = None,
) -> Proposal:
    """Find the smallest change of inputs that meets targets.

    The document is not changed; `Proposal.edit` changes it.

    Parameters
    ----------
    document : Document
        The document.
    targets : Target, RowTarget or sequence of them
        What is required, all at once.
    free : sequence of str or tuple
        What may change: whole inputs by name (``"X"``, ``"W_Q"``, ``"b_K"``, ``"P"``,
        ``"bias"``, ...), parts of them as ``("W_Q", rows, columns)``, with an int, a
        slice, a sequence of ints or ``...`` for all, and ``"temperature"``. The −∞ of a
        bias stay.
    limits : float or mapping of str to float, optional
        The most that each free number may change by, up or down; with a mapping, of
        those of an input by its name, and the others as they like.
    norm : str
        ``least-squares``: the changes' least Frobenius norm ‖Δ‖_F; the temperature
        counts as one more number. ``fewest-cells``: as few changed numbers as were
        found, and of these the least norm.
    progress : callable, optional
        Called often with the completed fraction; may raise to abort the search, and
        what it raises is raised here.

    Returns
    -------
    Proposal
        With `reached`, or the nearest that was found and the reason. What is known to
        be impossible is not tried: then nothing changes.

    Raises
    ------
    TypeError, ValueError
        If there are no targets, one is about a step, row, column or head that is not
        there, or `free`, `limits` or `norm` are invalid.

    References
    ----------
    Sequential quadratic programming and augmented Lagrangian: Nocedal & Wright 2006,
    "Numerical Optimization", chapters 17 and 18.

    Examples
    --------
    >>> import attnviewer
    >>> document = attnviewer.load_example("four-words")
    >>> target = attnviewer.Target("weights", 0, 1, "=", 0.5)
    >>> proposal = attnviewer.seek(document, target, free=["X"])
    >>> proposal.reached
    True
    """
    check_name("norm", norm, _SEARCHES)
    asked = [targets] if isinstance(targets, Target | RowTarget) else list(targets)
    if not asked:
        raise ValueError("The 'targets' must be at least one. Got none instead.")
    chosen = free_numbers(document, free, limits)
    with np.errstate(all="ignore"):
        return _Seeking(document, asked, chosen, Counted(progress, USUAL)).by(norm)


def _best(points: Sequence[Point], norm: str) -> Point:
    """Return the least change that meets the requirements, or that misses least.

    Of changes that are alike but for rounding, the first.
    """
    met = [point for point in points if point.met]
    if not met:
        return min(points, key=objective)
    if norm == "fewest-cells":
        fewest = min(int(np.count_nonzero(point.changes)) for point in met)
        met = [p for p in met if int(np.count_nonzero(p.changes)) == fewest]
    least = min(point.norm for point in met)
    return next(point for point in met if point.norm <= least * (1 + ALIKE))


def _lasting(points: Sequence[Point], by_score: Problem) -> list[Point]:
    """Return the points that meet the requirements without weights that vanish.

    All of them, where none does.
    """
    lasting = [
        point
        for point in points
        if point.met and by_score.at(point.changes).missed <= APART
    ]
    return lasting or list(points)


def _size(residual: float) -> float:
    """Return by how much a requirement is missed, infinite where it is undefined."""
    return math.inf if math.isnan(residual) else abs(residual)


class _Seeking:
    """One search, from the targets to what is proposed."""

    def __init__(
        self,
        document: Document,
        targets: Sequence[AnyTarget],
        free: FreeNumbers,
        followed: Counted,
    ) -> None:
        self._document, self._targets, self._free = document, targets, free
        self._followed = followed
        self._before = document.compute()
        self._required = requirements(self._before, targets)

    def by(self, norm: str) -> Proposal:
        """Return what is found with a norm."""
        nothing = np.zeros(self._free.size)
        if (np.abs(self._residuals(self._before)) <= TOLERANCE).all():
            return self._proposal(nothing, "")
        before, targets, required = self._before, self._targets, self._required
        reason = refusal(self._document, before, targets, required)
        if reason:
            return self._proposal(nothing, reason)
        required = decided(before, levelled(before, required))
        problem = Problem(self._document, self._free, required, self._followed)
        reason = beyond_reach(problem, targets)
        if reason:
            return self._proposal(nothing, reason)
        import scipy.optimize  # noqa: F401  # first, so that its BLAS is known below

        with one_blas_thread():
            found = self._found(problem, norm)
        return self._proposal(found.changes, "")

    def _found(self, problem: Problem, norm: str) -> Point:
        """Return the best point of all searches."""
        search = _SEARCHES[norm]
        direct = self._found_by_ratios(problem, norm)
        if direct and self._followed.done > computations(problem):
            return direct[0]
        found = [*direct, search(problem, None)]
        scores = by_scores(self._before, problem.required)
        if scores != problem.required:
            other = Problem(self._document, self._free, scores, self._followed)
            # Judged by the targets; the requirements on scores only guide the search.
            found.insert(0, problem.at(search(other, None).changes))
            found = _lasting(found, other)
        return _best(found, norm)

    def _found_by_ratios(self, problem: Problem, norm: str) -> list[Point]:
        """Return what is found by ratios of weights, if it meets the targets."""
        ratios = by_ratios(self._before, problem.required)
        if ratios == problem.required or self._free.has_temperature:
            return []
        other = Problem(self._document, self._free, ratios, self._followed)
        first = local(other, other.at(np.zeros(self._free.size)))
        if not first.met and self._followed.done > computations(other):
            return []  # the time is left to the search by the weights themselves
        point = problem.at(_SEARCHES[norm](other, first).changes)
        return [point] if point.met else []

    def _proposal(self, changes: Array, reason: str) -> Proposal:
        """Return a proposal, as a full pass over the changed inputs confirms it."""
        document, names = self._document, self._free.names
        changed = copy(document)
        edit = edit_between(document, self._free.changed(document, changes), names)
        if edit is not None:
            changed.apply(edit)
        result = changed.compute()
        residuals = self._residuals(result)
        reached = not reason and bool((np.abs(residuals) <= TOLERANCE).all())
        differences = changes_between(document, changed, names)
        squares = sum(float((change**2).sum()) for change in differences.values())
        return Proposal(
            reached,
            differences,
            math.sqrt(squares),
            residuals,
            reason if reached or reason else self._nearest(result, residuals),
            edit,
            result,
            side_effects(self._before, result, self._own_rows()),
        )

    def _residuals(self, trace: Trace) -> Array:
        """Return by how much targets are missed, the worst of all heads, (targets,)."""
        residuals = np.zeros(len(self._targets))
        for required in self._required:
            residual = required.residual(required.quantity.value(trace))
            if _size(residual) > _size(residuals[required.target]):
                residuals[required.target] = residual
        return residuals

    def _nearest(self, result: Trace, residuals: Array) -> str:
        """Return the message on the nearest numbers that were found."""
        missed = [
            f"{target.place} {self._value(number, result):.6g} instead of {target}"
            for number, target in enumerate(self._targets)
            if not abs(residuals[number]) <= TOLERANCE
        ]
        limited = bool(np.isfinite(self._free.highs).any())
        within = " within the limits" if limited else ""
        larger = "Allow larger changes, free" if limited else "Free"
        return (
            f"No change{within} was found that meets all targets. The nearest found "
            f"makes {'; '.join(missed)}. {larger} more numbers, or ask for less."
        )

    def _value(self, number: int, trace: Trace) -> float:
        """Return the number that a target is about, in the head that misses most."""
        own = (r for r in self._required if r.target == number)
        values = ((r, r.quantity.value(trace)) for r in own)
        return max(values, key=lambda pair: _size(pair[0].residual(pair[1])))[1]

    def _own_rows(self) -> set[tuple[int, int]]:
        """Return the heads and rows that the targets are about."""
        heads = range(self._before.n_query_heads)
        return {
            (head, target.row)
            for target in self._targets
            for head in (heads if target.head is None else (target.head,))
        }
