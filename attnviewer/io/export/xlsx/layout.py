"""The layout of a workbook: the sheet of each matrix, and the names of its cells."""

import re
from collections.abc import Iterable

from attnviewer.compute import Index, Trace
from attnviewer.compute.expression import Cell
from attnviewer.io.export.xlsx.cells import quoted
from attnviewer.io.export_markers import ABOUT
from attnviewer.io.spreadsheet import cell_name

LONGEST_NAME = 31
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")


class OutsideWorkbookError(LookupError):
    """A formula refers to cells outside the workbook; with the reason."""


class Layout:
    """The sheets of a workbook, and references to their cells.

    Parameters
    ----------
    trace : Trace
        The computation.
    matrices : iterable of (str, int or None)
        The steps, with one of their heads where they have several.
    headers : bool
        Whether the sheets have labels.
    """

    def __init__(
        self, trace: Trace, matrices: Iterable[tuple[str, int | None]], headers: bool
    ) -> None:
        self.trace = trace
        self.labels = int(headers)
        self.sheets: dict[tuple[str, int | None], str] = {}
        for step, head in matrices:
            self.name(step, head)

    def name(self, step: str, head: int | None) -> str:
        """Return the name of a matrix's sheet, adding a new one if necessary."""
        if (step, head) not in self.sheets:
            used = {ABOUT.lower(), *map(str.lower, self.sheets.values())}
            self.sheets[step, head] = _distinct(step, head, used)
        return self.sheets[step, head]

    def cell(self, cell: Cell) -> str:
        """Return how a formula names a cell of a step.

        Raises
        ------
        OutsideWorkbookError
            If no sheet holds it.
        """
        sheet, row, column = self._locate(cell.step, cell.index)
        return f"{sheet}!{self._named(row, column)}"

    def row(self, step: str, index: Index) -> str:
        """Return how a formula names the row of a step at ``(…, row)``."""
        sheet, row, _ = self._locate(step, (*index, 0))
        last = self.trace.shape(step)[-1] - 1
        return f"{sheet}!{self._named(row, 0)}:{self._named(row, last)}"

    def column(self, step: str, index: Index) -> str:
        """Return how a formula names the column of a step at ``(…, column)``."""
        *lead, column = index
        sheet, _, column = self._locate(step, (*lead, 0, column))
        last = self.trace.shape(step)[-2] - 1
        return f"{sheet}!{self._named(0, column)}:{self._named(last, column)}"

    def _locate(self, step: str, index: Index) -> tuple[str, int, int]:
        *lead, row, column = (0, *index) if len(index) == 1 else index
        head = lead[-1] if self.trace.n_heads(step) > 1 else None
        if (step, head) not in self.sheets:
            raise OutsideWorkbookError(
                f"all of '{step}' would have to be in the workbook"
            )
        return quoted(self.sheets[step, head]), row, column

    def _named(self, row: int, column: int) -> str:
        return cell_name(row + self.labels, column + self.labels)


def _distinct(step: str, head: int | None, used: set[str]) -> str:
    """Return a valid sheet name, unique regardless of case."""
    plain = _FORBIDDEN.sub("_", step).strip("'") or "_"
    end = "" if head is None else f" H{head}"
    number = 1
    while True:
        more = end if number == 1 else f"{end} ({number})"
        name = plain[: LONGEST_NAME - len(more)] + more
        if name.lower() not in used:
            return name
        number += 1
