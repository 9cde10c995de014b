"""The pinned cells of one step, applied to its numbers and to their gradient."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from attnviewer.compute.arrays import (
    ALL,
    Array,
    BoolArray,
    Index,
    IndexArray,
    Part,
    Selection,
)
from attnviewer.compute.pins.pin import How, Pin, Positions


class PinnedCells:
    """The pins of one step, in their order.

    Parameters
    ----------
    pins : iterable of Pin
        The enabled pins of the step.
    per_head : bool
        Whether the axis before the rows, if there is one, counts heads.
    first : int
        The row of the step that is row 0 of the arrays.
    """

    def __init__(self, pins: Iterable[Pin], *, per_head: bool, first: int = 0) -> None:
        self.pins = tuple(pins)
        self._per_head = per_head
        self._first = first
        self._numbers = [pin.array() for pin in self.pins]
        self._rows: dict[tuple[Index, int], IndexArray] = {}

    def from_row(self, first: int) -> "PinnedCells":
        """Return the cells for the rows from one on, which is then row 0."""
        return PinnedCells(
            self.pins, per_head=self._per_head, first=self._first + first
        )

    @cached_property
    def shares(self) -> bool:
        """Whether the others of a row share what its pinned weights leave."""
        return any(pin.rest == "share" for pin in self.pins)

    @cached_property
    def nonnegative(self) -> bool:
        """Whether numbers that are not negative stay so."""
        return all((numbers >= 0).all() for numbers in self._numbers)

    def rows(self, lead: Index, count: int) -> IndexArray:
        """Return the rows of a matrix that have pinned cells.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head of a matrix; () for all of them together.
        count : int
            The number of its rows.
        """
        known = self._rows.get((lead, count))
        if known is None:
            found = [
                _among(pin.rows, ALL, count, self._first)[0]
                for pin in self.pins
                if self._concerns(pin, lead)
            ]
            known = np.unique(np.concatenate([np.empty(0, np.intp), *found]))
            self._rows[lead, count] = known
        return known

    def hold(self, numbers: Array, part: Part) -> None:
        """Apply the pins to a part of the step, in place.

        Parameters
        ----------
        numbers : ndarray, shape (..., rows, columns)
            The computed part; of whole rows where `shares`.
        part : Part
            The part.
        """
        computed = numbers.copy() if self.shares else numbers
        self._hold_cells(numbers, part)
        if self.shares:
            sharing = self._sharing(computed, numbers, part)
            others = sharing.rows & ~sharing.pinned  # (..., rows, n_k)
            np.multiply(computed, sharing.factors, out=numbers, where=others)

    def pass_back(self, gradient: Array, computed: Array) -> Array:
        """Return the gradient on the computed step, given that on the pinned one.

        Nothing passes a number that is set; one that is scaled passes its factor.

        Parameters
        ----------
        gradient, computed : ndarray, shape (..., rows, columns)
            The gradient, and the step before its pins.
        """
        passed = gradient.copy()  # (..., rows, columns)
        if self.shares:
            passed = self._pass_sharing(passed, computed)
        for pin, cells, values in reversed(list(self._cells(passed, Part()))):
            if pin.how == "set":
                passed[cells] = 0
            elif pin.how == "scale":
                passed[cells] *= values
        return passed

    def _pass_sharing(self, gradient: Array, computed: Array) -> Array:
        """Return the gradient before the others of a row share what is left.

        With computed weights c and pinned ones p, another weight of the row is
        c · f with f = (1 − Σ p) / Σ c, so that f depends on all of them.
        """
        sharing = self._sharing(computed, self._held(computed), Part())
        others = np.where(sharing.pinned, 0, computed)  # (..., rows, n_k)
        along = (gradient * others).sum(axis=-1, keepdims=True)  # (..., rows, 1)
        # The factor of a row that has nothing left stays 0.
        changes = sharing.rows & (sharing.rest > 0)  # (..., rows, 1)
        of_factor = np.divide(
            along, sharing.total, out=np.zeros_like(along), where=changes
        )  # (..., rows, 1)
        slopes = np.where(sharing.pinned, 1, sharing.factors)  # (..., rows, n_k)
        of_others = np.where(sharing.pinned, of_factor, sharing.factors * of_factor)
        passed = slopes * gradient - of_others  # (..., rows, n_k)
        return np.where(sharing.rows, passed, gradient)

    def at(self, index: Index) -> list[tuple[How, float]]:
        """Return what is done to the cell at ``(…, row, column)``, and by how much."""
        *lead, row, column = index
        part = Part(tuple(lead), slice(row, row + 1), slice(column, column + 1))
        return [
            (pin.how, float(values[0, 0]))
            for pin, _, values in self._cells(np.zeros((1, 1)), part)
        ]

    def shares_row(self, row: Index) -> bool:
        """Return whether others of the row at ``(…, row)`` share what pins leave."""
        *lead, position = row
        return any(
            pin.rest == "share"
            and self._concerns(pin, tuple(lead))
            and _among(pin.rows, slice(position, position + 1), 1, self._first)[0].size
            for pin in self.pins
        )

    def show(self, hidden: BoolArray, part: Part) -> BoolArray:
        """Return which cells of a part are still hidden: none that is set."""
        still_hidden = hidden.copy()
        for pin, cells, values in self._cells(still_hidden, part):
            if pin.how == "set":
                still_hidden[cells] = np.isneginf(values)
        return still_hidden

    def mask(self, shape: tuple[int, int], part: Part) -> BoolArray:
        """Return which cells of a part of one matrix are pinned.

        Parameters
        ----------
        shape : tuple of two int
            Rows and columns of the part.
        part : Part
            The part.
        """
        held = np.zeros(shape, dtype=np.bool_)  # (rows, columns)
        for _, cells, _ in self._cells(held, part):
            held[cells] = True
        return held

    def columns(self, lead: Index, rows: slice, count: int) -> slice | None:
        """Return a range that holds all columns pinned in some rows; None for none.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head of a matrix; () for all of them together.
        rows : slice
            The rows, from one to another.
        count : int
            The number of columns.
        """
        found = [
            _among(pin.columns, ALL, count)[0]
            for pin in self.pins
            if self._concerns(pin, lead)
            and _among(pin.rows, rows, rows.stop - rows.start, self._first)[0].size
        ]
        if not found:
            return None
        together = np.concatenate(found)
        return slice(int(together.min()), int(together.max()) + 1)

    def rest_and_total(self, computed: Array) -> tuple[Array, Array]:
        """Return what pins leave in each row, and the sum of the others, (..., rows).

        NaN in rows whose others do not share.

        Parameters
        ----------
        computed : ndarray, shape (..., rows, n_k)
            The weights before their pins.
        """
        sharing = self._sharing(computed, self._held(computed), Part())
        numbers = np.stack([sharing.rest, sharing.total])  # (2, ..., rows, 1)
        numbers[:, ~sharing.wanted] = np.nan
        rest, total = numbers[..., 0]
        return rest, total

    def _held(self, computed: Array) -> Array:
        """Return whole weights with their pins, before the others share."""
        held = computed.copy()  # (..., rows, n_k)
        self._hold_cells(held, Part())
        return held

    def _hold_cells(self, numbers: Array, part: Part) -> None:
        for pin, cells, values in self._cells(numbers, part):
            if pin.how == "set":
                numbers[cells] = values
            elif pin.how == "add":
                numbers[cells] += values
            else:
                scaled = numbers[cells]  # (..., rows, columns)
                # A hidden score stays hidden: −∞ · 0 and −∞ · −1 are not −∞.
                shown = ~np.isneginf(scaled)
                np.multiply(scaled, values, out=scaled, where=shown)
                numbers[cells] = scaled

    def _sharing(self, computed: Array, held: Array, part: Part) -> "_Sharing":
        pinned = np.zeros(computed.shape, dtype=np.bool_)  # (..., rows, n_k)
        wanted = np.zeros((*computed.shape[:-1], 1), dtype=np.bool_)  # (..., rows, 1)
        for pin, cells, _ in self._cells(pinned, part):
            pinned[cells] = True
            wanted[(*cells[:-1], 0)] |= pin.rest == "share"
        total = computed.sum(axis=-1, keepdims=True, where=~pinned)  # (..., rows, 1)
        rest = 1 - held.sum(axis=-1, keepdims=True, where=pinned)  # (..., rows, 1)
        return _Sharing(wanted, pinned, rest, total)

    def _cells(
        self, numbers: Array | BoolArray, part: Part
    ) -> Iterator[tuple[Pin, tuple[Any, ...], Array]]:
        """Yield pins with their cells in a part, and with the numbers of these."""
        *_, n_rows, n_columns = numbers.shape
        first, last = self._ends(part.rows, n_rows)
        for pin, block in zip(self.pins, self._numbers, strict=True):
            apart = pin.rows[-1] < first or pin.rows[0] > last
            if apart or not self._concerns(pin, part.lead):
                continue
            rows, own_rows = _among(pin.rows, part.rows, n_rows, self._first)
            columns, own_columns = _among(pin.columns, part.columns, n_columns)
            if rows.size and columns.size:
                one = block.size == 1
                values = block if one else block[own_rows[:, np.newaxis], own_columns]
                heads = self._heads(pin, part.lead, numbers.ndim)
                yield pin, (*heads, rows[:, np.newaxis], columns), values

    def _ends(self, rows: Selection, count: int) -> tuple[int, int]:
        """Return the first and the last row of the step that a selection has."""
        if isinstance(rows, slice):
            start = self._first + (rows.start or 0)
            return start, start + count - 1
        if not rows.size:
            return 0, -1
        return self._first + int(rows.min()), self._first + int(rows.max())

    def _concerns(self, pin: Pin, lead: Index) -> bool:
        return (
            pin.head is None or not lead or not self._per_head or lead[-1] == pin.head
        )

    def _heads(self, pin: Pin, lead: Index, n_axes: int) -> tuple[Any, ...]:
        if pin.head is None or lead or not self._per_head or n_axes < 3:
            return (...,)
        return ..., pin.head


@dataclass(frozen=True, slots=True, eq=False)
class _Sharing:
    """The shares of the weights that are not pinned in what the pinned ones leave.

    Parameters
    ----------
    wanted : ndarray of bool, shape (..., rows, 1)
        In which rows they shall.
    pinned : ndarray of bool, shape (..., rows, n_k)
        The pinned cells.
    rest, total : ndarray, shape (..., rows, 1)
        What the pinned weights leave of 1, and the sum of the others as computed.
    """

    wanted: BoolArray
    pinned: BoolArray
    rest: Array
    total: Array

    @property
    def rows(self) -> BoolArray:
        """The rows in which they have something to share, shape (..., rows, 1)."""
        return self.wanted & (self.total > 0)

    @property
    def factors(self) -> Array:
        """The factor of the other weights of each row, shape (..., rows, 1)."""
        rest = np.maximum(self.rest, 0)
        return np.divide(rest, self.total, out=np.ones_like(rest), where=self.rows)


def _among(
    pinned: Positions, selection: Selection, count: int, first: int = 0
) -> tuple[IndexArray, IndexArray]:
    """Return where pinned rows or columns lie in a selection, and which ones they are.

    Parameters
    ----------
    pinned : range or tuple of int
        Positions in the step.
    selection : slice or ndarray of intp
        The selected ones, less `first`.
    count : int
        How many are selected.
    first : int
        The position that the selection counts from.
    """
    if isinstance(selection, slice):
        start = first + (selection.start or 0)
        if isinstance(pinned, range):
            # A range may be endless.
            skipped = max(0, -(-(start - pinned.start) // pinned.step))
            within = pinned[skipped:]
            stop = min(within.stop, start + count)
            found = np.arange(within.start, stop, within.step, dtype=np.intp)
            return found - start, np.arange(skipped, skipped + found.size)
        found = np.array(pinned, dtype=np.intp) - start
        inside = np.flatnonzero((found >= 0) & (found < count))
        return found[inside], inside
    positions = selection + first  # (count,)
    if isinstance(pinned, range):
        own, beside = np.divmod(positions - pinned.start, pinned.step)
        inside = (beside == 0) & (own >= 0) & (positions < pinned.stop)
        return np.flatnonzero(inside), own[inside]
    _, local, own = np.intersect1d(
        positions, np.array(pinned), assume_unique=True, return_indices=True
    )
    return local, own
