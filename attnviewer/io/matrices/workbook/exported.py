"""The overview sheet of an exported workbook."""

from dataclasses import dataclass
from typing import Any

from attnviewer.io.export_markers import INDEX, SPEC, WORKBOOK
from attnviewer.io.matrices.workbook.sheet import MOST_CELLS, Sheet
from attnviewer.io.strict_json import SchemaError, decode

_MOST_DIGITS = 7
"""Maximum number of digits of a count of rows or columns."""


@dataclass(frozen=True, slots=True)
class ExportedWorkbook:
    """The content of an exported workbook's overview sheet.

    Parameters
    ----------
    steps : dict of str to str
        The step that each sheet holds.
    shapes : dict of str to tuple of two int
        How many rows and columns each sheet has, without labels.
    statement : dict of str to object
        The statement.
    """

    steps: dict[str, str]
    shapes: dict[str, tuple[int, int]]
    statement: dict[str, Any]

    def labels(self, name: str, sheet: Sheet) -> int | None:
        """Return how many rows and columns of labels a sheet has.

        None if the size of the sheet has changed.
        """
        if not sheet.rows:
            return None
        rows, columns = sheet.box()
        labels = rows[-1] + 1 - self.shapes[name][0]
        fits = labels in (0, 1) and columns.stop - self.shapes[name][1] == labels
        small = (rows[-1] + 1) * columns.stop <= MOST_CELLS
        return labels if fits and small else None


def exported_workbook(sheet: Sheet) -> ExportedWorkbook | None:
    """Return the overview's content; None if the workbook was not exported."""
    if sheet.rows.get(0, {}).get(0) != WORKBOOK:
        return None
    rows = (sheet.rows[row] for row in sorted(sheet.rows))
    statement: dict[str, Any] = {}
    for row in rows:
        if tuple(row.get(k, "") for k in range(len(INDEX))) == INDEX:
            break
        if 0 in row:
            statement[row[0].replace(" ", "_")] = row.get(1, "")
    if SPEC in statement:
        try:
            statement[SPEC] = decode(statement[SPEC].encode(), dict[str, Any])
        except (SchemaError, UnicodeEncodeError):
            del statement[SPEC]
    listed = [row for row in rows if 0 in row and 1 in row]
    return ExportedWorkbook(
        {row[0]: row[1] for row in listed},
        {row[0]: (_count(row.get(3, "")), _count(row.get(4, ""))) for row in listed},
        statement,
    )


def _count(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else 0
