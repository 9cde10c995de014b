"""Rows of an activation that replace those of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.activations.site import Site


@dataclass(frozen=True, slots=True, eq=False)
class Replacement:
    """Rows that replace those of an activation, (n, d_model).

    Parameters
    ----------
    values : ndarray, shape (n, d_model)
        The rows in float32, which become read-only.
    positions : tuple of int
        The tokens whose rows are replaced, in ascending order; others are not used.
    """

    values: Array
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        self.values.flags.writeable = False

    def __reduce__(self) -> tuple[object, ...]:
        # Made anew, as arrays of a pickle can be written to.
        return Replacement, (self.values, self.positions)

    def apply(self, rows: Array) -> Array:
        """Return a read-only copy of rows with those of the positions replaced."""
        # Column-major, as `embed` returns its rows.
        replaced = np.array(rows, order="F")  # (n, d_model)
        some = list(self.positions)
        replaced[some] = self.values[some]
        replaced.flags.writeable = False
        return replaced

    def resized(self, count: int) -> "Replacement":
        """Return the rows of the same tokens in a sentence of so many."""
        rows = np.zeros((count, self.values.shape[1]), np.float32)  # (count, d_model)
        kept = min(count, len(self.values))
        rows[:kept] = self.values[:kept]
        return Replacement(rows, tuple(k for k in self.positions if k < count))

    def over(self, before: "Replacement | None") -> "Replacement":
        """Return the rows of two replacements, its own where both have one."""
        if before is None:
            return self
        positions = sorted({*before.positions, *self.positions})
        return Replacement(self.apply(before.values), tuple(positions))


Replaced: TypeAlias = Mapping[Site, Replacement]
"""The replacements of activations outside of the attention."""


def with_replaced(replaced: Replaced, site: Site, rows: Array) -> Array:
    """Return the rows of an activation with those that are replaced, (n, d_model)."""
    replacement = replaced.get(site)
    return rows if replacement is None else replacement.apply(rows)
