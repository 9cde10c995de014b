"""The result of a search, for review before it is applied."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.document import Document, Edit, Replace, SetCells
from attnviewer.goal_seek.free_numbers import TEMPERATURE
from attnviewer.goal_seek.html import proposal_html

LABEL = "Goal-seek"
"""The name of the edit in the undo history."""
NOTICEABLE = 1e-12
"""Smaller changes of weights count as rounding errors."""


@dataclass(frozen=True, slots=True)
class SideEffect:
    """A row of the weights that changes though no target is about it.

    Attributes
    ----------
    row, head : int
        The query and its head, counted from zero.
    column : int
        The key whose weight changes most.
    change : float
        By how much it changes.
    """

    row: int
    head: int
    column: int
    change: float


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """The changes that meet the targets, or come nearest to doing so.

    Attributes
    ----------
    reached : bool
        Whether all targets are met to 1e-9, as a full pass over the changed inputs has
        confirmed.
    changes : dict of str to ndarray
        Of each free input the new numbers less the old, of the input's shape; of the
        temperature, of shape ().
    norm : float
        ‖Δ‖_F over all of them.
    residuals : ndarray, shape (targets,)
        By how much each target is missed, in its own unit: positive where the number
        is too large, negative where too small, 0 where an inequality holds. Of a
        target of several heads, that of the worst.
    reason : str
        Why targets are not met, and what would help; ``""`` where they are.
    edit : SetCells, Replace or None
        The one step of undo that makes the changes; None where there are none.
    result : Trace
        The computation after the changes.
    side_effects : tuple of SideEffect
        Other rows of the weights that change, largest first.
    """

    reached: bool
    changes: dict[str, Array]
    norm: float
    residuals: Array
    reason: str
    edit: Edit | None
    result: Trace = field(repr=False)
    side_effects: tuple[SideEffect, ...] = field(repr=False)

    @property
    def cells(self) -> int:
        """The number of cells that change."""
        return sum(int(np.count_nonzero(change)) for change in self.changes.values())

    def _repr_html_(self) -> str:
        return proposal_html(self)


def edit_between(
    document: Document, changed: Document, names: Iterable[str]
) -> Edit | None:
    """Return the edit that turns a document into a changed one.

    Parameters
    ----------
    document, changed : Document
        Alike but for numbers of inputs and the temperature.
    names : iterable of str
        The inputs that may differ.

    Returns
    -------
    SetCells, Replace or None
        The block of cells that differ, where they are of one matrix; None where none
        differs.
    """
    matrices = [name for name in names if name != TEMPERATURE]
    different = {
        name: changed.matrices[name] != document.matrices[name] for name in matrices
    }
    moved = [name for name, cells in different.items() if cells.any()]
    if changed.spec != document.spec:
        new = {name: changed.matrices[name].copy() for name in moved}
        return Replace(LABEL, spec=changed.spec, matrices=new)
    if len(moved) > 1:
        new = {name: changed.matrices[name].copy() for name in moved}
        return Replace(LABEL, matrices=new)
    for name in moved:
        rows, columns = (np.flatnonzero(different[name].any(axis=a)) for a in (1, 0))
        block = changed.matrices[name][
            rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1
        ]
        return SetCells(LABEL, name, int(rows[0]), int(columns[0]), block.copy())
    return None


def changes_between(
    document: Document, changed: Document, names: tuple[str, ...]
) -> dict[str, Array]:
    """Return by how much inputs differ, new less old, of their shapes."""
    old, new = document.inputs(), changed.inputs()
    changes: dict[str, Array] = {}
    for name in names:
        if name == TEMPERATURE:
            warmer = changed.spec.temperature - document.spec.temperature
            changes[name] = np.asarray(warmer)
        else:
            # A bias of −∞ does not change, and −∞ − (−∞) is NaN.
            same = new[name] == old[name]
            with np.errstate(invalid="ignore"):
                changes[name] = np.where(same, 0.0, new[name] - old[name])
    return changes


def side_effects(
    before: Trace, after: Trace, own: set[tuple[int, int]]
) -> tuple[SideEffect, ...]:
    """Return which rows of the weights change besides the targets' own, largest first.

    Parameters
    ----------
    before, after : Trace
        The computations.
    own : set of (int, int)
        The heads and rows that targets are about.
    """
    found: list[SideEffect] = []
    step = before.pipeline.weights
    for head in range(before.n_heads(step)):
        old, new = (t.window(step, head=head) for t in (before, after))
        change = new - old  # (n_q, n_k)
        columns = np.abs(change).argmax(axis=-1)  # (n_q,)
        for row, column in enumerate(columns.tolist()):
            size = float(change[row, column])
            if abs(size) > NOTICEABLE and (head, row) not in own:
                found.append(SideEffect(row, head, column, size))
    return tuple(sorted(found, key=lambda effect: -abs(effect.change)))
