"""Typed numbers that are not all right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from attnviewer.compute import Trace
from attnviewer.compute.arrays import Numbers
from attnviewer.document import Document
from attnviewer.teaching.tolerance import Tolerance

Position: TypeAlias = tuple[int, int]
"""A row and a column."""

_EXACT = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """Typed numbers, some of them wrong.

    Parameters
    ----------
    document : Document
        The document.
    trace : Trace
        Its computation.
    step : str
        The step that was asked for.
    head : int
        The head.
    tolerance : Tolerance
        How close numbers must come.
    texts : mapping of (int, int) to str
        What was typed, by (row, column).
    numbers : mapping of (int, int) to float
        The same as numbers.
    wrong : tuple of (int, int)
        Where the numbers are wrong.
    carried : tuple of Trace
        What follows from earlier answers.
    """

    document: Document
    trace: Trace
    step: str
    head: int
    tolerance: Tolerance
    texts: Mapping[Position, str]
    numbers: Mapping[Position, float]
    wrong: tuple[Position, ...]
    carried: tuple[Trace, ...] = ()

    def fits(self, cell: Position, matrix: Numbers) -> bool:
        """Return whether the typed number is that of a matrix.

        A bare 0 is meant exactly: a number that is rounded to 0 has digits.
        """
        row, column = cell
        if row >= matrix.shape[0] or column >= matrix.shape[1]:
            return False
        if self.texts[cell].strip() == "0":
            return abs(float(matrix[cell])) < _EXACT
        return self.tolerance.holds(self.numbers[cell], float(matrix[cell]))

    def typed(self, cell: Position) -> str:
        """Return the typed text, cut where it is long."""
        return self.texts[cell].strip()[:30]
