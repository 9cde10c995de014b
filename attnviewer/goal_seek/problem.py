"""The requirements as functions of the free numbers, with their exact gradients."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, BoolArray, Trace
from attnviewer.compute.progress import Counted
from attnviewer.compute.run import compute
from attnviewer.document import Document
from attnviewer.goal_seek.free_numbers import FreeNumbers
from attnviewer.goal_seek.quantities import Slope
from attnviewer.goal_seek.requirements import Requirement

TOLERANCE = 1e-9
"""How far a target may be missed, in its own unit."""
LOST = 1e6
"""The size of a change, relative to the largest free or required number, above which
the search counts as diverging."""


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """Changes of the free numbers, and the computation with them.

    Attributes
    ----------
    changes : ndarray, shape (size,)
        The changes.
    trace : Trace or None
        The computation; None where the document refuses such numbers.
    off : ndarray, shape (requirements,)
        How far each is off on its curve; those other than ``=`` ask for at most 0.
    bends : ndarray, shape (requirements,)
        The slopes of the curves.
    residuals : ndarray, shape (requirements,)
        By how much each is missed, in its own unit.
    missed : float
        The most that any is missed by; +inf where one is undefined, or the search
        diverges.
    """

    changes: Array
    trace: Trace | None
    off: Array
    bends: Array
    residuals: Array
    missed: float

    @property
    def norm(self) -> float:
        """The size of the changes, ‖Δ‖_F."""
        return float(np.linalg.norm(self.changes))

    @property
    def met(self) -> bool:
        """Whether all requirements are met."""
        return self.missed <= TOLERANCE


class Problem:
    """Requirements on a document with free numbers.

    Parameters
    ----------
    document : Document
        The document as it is; it is not changed.
    free : FreeNumbers
        What may change.
    required : sequence of Requirement
        What is asked for.
    followed : Counted
        Told of each computation; may raise to end the search.

    Attributes
    ----------
    followed : Counted
        As given.
    equal : ndarray of bool, shape (requirements,)
        Which requirements are equations.
    furthest : float
        The size of a change at which a search is lost.
    """

    def __init__(
        self,
        document: Document,
        free: FreeNumbers,
        required: Sequence[Requirement],
        followed: Counted,
    ) -> None:
        self.document = document
        self.free = free
        self.required = tuple(required)
        self.followed = followed
        self._inputs = document.inputs()
        self._all = range(len(self.required))
        self.equal: BoolArray = np.array([r.relation == "=" for r in required])
        sizes = [abs(r.wanted) for r in required]
        sizes += [
            float(np.abs(document.matrices[name].flat[cells]).max(initial=0.0))
            for name, cells in free.cells.items()
        ]
        self.furthest = LOST * max(1.0, *sizes)

    def only(self, chosen: BoolArray) -> "Problem":
        """Return the problem with fewer free numbers."""
        free = self.free.only(chosen)
        return Problem(self.document, free, self.required, self.followed)

    def at(self, changes: Array) -> Point:
        """Compute what comes of changes."""
        self.followed.tick()
        count = len(self.required)
        try:
            spec, inputs = self.free.moved(self.document.spec, self._inputs, changes)
            trace = compute(spec, inputs)
        except ValueError:
            # Numbers that are no longer finite, or a row whose weights are undefined.
            bad = np.full(count, np.inf)
            return Point(changes, None, bad, bad, bad, np.inf)
        values = [r.quantity.value(trace) for r in self.required]
        pairs = zip(self.required, values, strict=True)
        curved = np.array([r.curved(value) for r, value in pairs])  # (count, 2)
        pairs = zip(self.required, values, strict=True)
        residuals = np.array([r.residual(value) for r, value in pairs])
        near = np.linalg.norm(changes) <= self.furthest
        known = near and np.isfinite(curved).all() and np.isfinite(residuals).all()
        missed = float(np.abs(residuals).max()) if known else np.inf
        return Point(changes, trace, curved[:, 0], curved[:, 1], residuals, missed)

    def violation(self, off: Array) -> Array:
        """Return by how much requirements are missed on their curves."""
        missed: Array = np.where(self.equal, off, np.maximum(off, 0.0))
        return missed

    def jacobian(self, point: Point) -> Array:
        """Return the gradients of the requirements, shape (requirements, size)."""
        return self._gradients(point, [self._slopes(point, i) for i in self._all])

    def pull(self, point: Point, factors: Array) -> Array:
        """Return the gradient of Σ factors · requirements, shape (size,)."""
        slopes = [
            (step, index, factors[i] * slope)
            for i in self._all
            if factors[i]
            for step, index, slope in self._slopes(point, i)
        ]
        gradient: Array = self._gradients(point, [slopes])[0]
        return gradient

    def _slopes(self, point: Point, number: int) -> list[Slope]:
        """Return the derivatives of a requirement on its curve."""
        assert point.trace is not None
        bend = float(point.bends[number])
        return [
            (step, index, bend * slope)
            for step, index, slope in self.required[number].quantity.slopes(point.trace)
        ]

    def _gradients(self, point: Point, slopes: Sequence[Sequence[Slope]]) -> Array:
        assert point.trace is not None
        gradients = self.free.gradients(point.trace, slopes)
        # Undefined derivatives, at kinks or after overflow, count as 0.
        return np.nan_to_num(gradients, nan=0.0, posinf=0.0, neginf=0.0)
