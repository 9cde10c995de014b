"""The cells of a step that a task asks for: ``2, :`` or ``0..1, 2; 3, 3``."""

from dataclasses import dataclass
from typing import TypeAlias

from attnviewer.compute import Trace
from attnviewer.document import Document
from attnviewer.teaching.scanning import Scanner
from attnviewer.teaching.steps import Place, position

MOST_CELLS = 4096
"""The most cells that a task asks for."""
Span: TypeAlias = tuple[Place, Place] | None
"""The first and the last row or column; None for all."""


@dataclass(frozen=True, slots=True)
class CellBlock:
    """The cells where some rows cross some columns.

    Parameters
    ----------
    rows, columns : tuple of two (int or str), or None
        The first and the last, or all.
    """

    rows: Span
    columns: Span

    def positions(
        self, document: Document, trace: Trace, step: str
    ) -> list[tuple[int, int]]:
        """Return the cells, (row, column).

        Raises
        ------
        ValueError
            If the step has no such rows or columns.
        """
        rows = _range(document, trace, step, 0, self.rows)
        columns = _range(document, trace, step, 1, self.columns)
        if len(rows) * len(columns) > MOST_CELLS:
            raise ValueError(
                f"The 'cells' must be at most {MOST_CELLS}. "
                f"Got {len(rows) * len(columns)} instead."
            )
        return [(row, column) for row in rows for column in columns]


def parse_cells(text: str) -> tuple[CellBlock, ...]:
    """Return the cells as they are written.

    Parameters
    ----------
    text : str
        ``all``, or blocks such as ``2, 0``, ``2, :``, ``:, "cat"`` and ``0..1, 2``,
        apart by semicolons.

    Raises
    ------
    ValueError
        With what cannot be read.
    """
    if text.strip() == "all":
        return (CellBlock(None, None),)
    parts = text.split(";")
    if len(parts) > 100:
        raise ValueError(f"The 'cells' must be at most 100 blocks. Got {len(parts)}.")
    return tuple(_block(part) for part in parts)


def _block(text: str) -> CellBlock:
    scanner = Scanner(text.replace("..", "~"))
    rows = _span(scanner)
    scanner.expect(",")
    columns = _span(scanner)
    scanner.finish()
    return CellBlock(rows, columns)


def _span(scanner: Scanner) -> Span:
    if scanner.take(":"):
        return None
    first = scanner.place()
    return first, scanner.place() if scanner.take("~") else first


def _range(document: Document, trace: Trace, step: str, axis: int, span: Span) -> range:
    if span is None:
        return range(trace.shape(step)[-2:][axis])
    first, last = (position(document, trace, step, axis, at) for at in span)
    if first > last:
        raise ValueError(
            "The 'cells' must go from a smaller to a larger number. "
            f"Got {first}..{last} instead."
        )
    return range(first, last + 1)
