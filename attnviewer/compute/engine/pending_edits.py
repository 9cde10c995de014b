"""Edits of inputs that wait to be applied together."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from attnviewer.compute.arguments import check_name, rows_or_columns
from attnviewer.compute.arrays import Array
from attnviewer.compute.changes import Dirty
from attnviewer.compute.numbers import (
    check_convertible,
    check_numbers,
    converted,
    in_words,
)


class PendingEdits:
    """Copies the changed cells of the caller's arrays until they are written.

    Parameters
    ----------
    given : mapping of str to ndarray
        The caller's arrays by input, (rows, columns) with any axes before, or a single
        row.
    dtype : dtype
        The type that numbers are copied in; masks stay as they are.

    Attributes
    ----------
    given : mapping of str to ndarray
        Where edits are read.
    """

    def __init__(self, given: Mapping[str, Array], dtype: "np.dtype[Any]") -> None:
        self.given = given
        self._dtype = dtype
        self._edits: list[tuple[str, tuple[slice, slice], Array]] = []

    def __bool__(self) -> bool:
        return bool(self._edits)

    def inputs(self, shared: Collection[str]) -> dict[str, Array]:
        """Return copies of the arrays, and some of the arrays themselves.

        Parameters
        ----------
        shared : collection of str
            Inputs that are not copied.

        Raises
        ------
        ValueError
            If a number is too large for the type of the copies.
        """
        for name in shared:
            check_convertible(in_words(name), self.given[name], self._dtype)
        return {
            name: array if name in shared else self._copied(name, array)
            for name, array in self.given.items()
        }

    def add(self, matrix: str, region: tuple[slice, slice]) -> None:
        """Copy the changed cells of an array.

        Parameters
        ----------
        matrix, region
            As for `IncrementalEngine.edit`.

        Raises
        ------
        TypeError, ValueError
            If there is no such input, the region is invalid, or a number is not finite
            in the type of the copies; nothing is added then.
        """
        check_name("matrix", matrix, self.given)
        if not isinstance(region, tuple) or len(region) != 2:
            raise TypeError(
                "The 'region' parameter must be two slices, of rows and of columns. "
                f"Got {region!r} instead."
            )
        given = np.atleast_2d(self.given[matrix])  # (..., rows, columns)
        n_rows, n_columns = given.shape[-2:]
        rows = _ascending(rows_or_columns("region", region[0]), n_rows)
        columns = _ascending(rows_or_columns("region", region[1]), n_columns)
        ranges = range(n_rows)[rows], range(n_columns)[columns]
        block = self._copied(matrix, given[..., rows, columns], ranges)
        if block.dtype != np.bool_:
            check_numbers(
                in_words(matrix), block, infinite=matrix == "bias", ranges=ranges
            )
        if block.size:
            self._edits.append((matrix, (rows, columns), block))

    def regions(self) -> dict[str, Dirty]:
        """Return the block of each input that all its edits together reach."""
        dirty: dict[str, Dirty] = {}
        for matrix, region, _ in self._edits:
            shape = np.atleast_2d(self.given[matrix]).shape[-2:]
            rows, columns = (
                np.arange(size)[part] for part, size in zip(region, shape, strict=True)
            )
            here = Dirty(rows, columns)
            dirty[matrix] = dirty[matrix] | here if matrix in dirty else here
        return dirty

    def write(self, copies: Mapping[str, Array], shared: Collection[str]) -> None:
        """Write the edits into copies of the inputs; none is pending then.

        Parameters
        ----------
        copies : mapping of str to ndarray
            The copies; changed in place.
        shared : collection of str
            Inputs that are no copies but the caller's own, which have changed already.
        """
        for matrix, region, numbers in self._edits:
            if matrix not in shared:
                np.atleast_2d(copies[matrix])[..., *region] = numbers
        self._edits.clear()

    def _copied(self, name: str, array: Array, ranges: Sequence[range] = ()) -> Array:
        """Return a copy of an input, or of a block of it, in the type of the copies."""
        if array.dtype == np.bool_:
            return np.array(array, order="C")
        infinite = name == "bias"
        return converted(
            in_words(name), array, self._dtype, infinite=infinite, ranges=ranges
        )


def _ascending(part: slice, size: int) -> slice:
    """Return the same positions as a slice with a positive step."""
    positions = range(size)[part]
    if positions.step < 0:
        positions = positions[::-1]
    return slice(positions.start, positions.stop, positions.step)
