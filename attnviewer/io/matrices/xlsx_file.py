"""Workbooks of Excel and other spreadsheets, one matrix per sheet."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.array_roles.assignment import ROLES
from attnviewer.io.errors import FileFormatError
from attnviewer.io.export_markers import ABOUT
from attnviewer.io.matrices.arrays import as_floats
from attnviewer.io.matrices.collected import left_out_notices
from attnviewer.io.matrices.delimited.cells import CellError, CellReader
from attnviewer.io.matrices.delimited.names import Names, find_names
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.workbook.exported import ExportedWorkbook, exported_workbook
from attnviewer.io.matrices.workbook.parts import Parts
from attnviewer.io.matrices.workbook.sheet import Sheet, SheetError, read_sheet
from attnviewer.io.spreadsheet import cell_name
from attnviewer.io.strict_json import shortened

_SAMPLE = 50
"""Rows in which names are detected."""


@dataclass(slots=True)
class _Table:
    """The numbers of a sheet, the names of its rows, and remarks."""

    values: Array
    names: tuple[str, ...]
    notices: list[str] = field(default_factory=list)


def read_xlsx_file(path: Path, limit: int) -> Matrices:
    """Return the matrices of a workbook, each named after its sheet.

    Formulas are not computed: their cached values are read. In an exported workbook,
    sheets are named after their steps, and those of several heads become one array.

    Parameters
    ----------
    path : Path
        The file.
    limit : int
        Maximum total size of its parts, in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    parts = Parts(path, limit)
    texts, dates = parts.texts(), parts.date_styles()
    sheets = parts.sheets()
    own: ExportedWorkbook | None = None
    tables: dict[str, _Table] = {}
    left_out: list[tuple[str, str]] = []
    for position, (name, part) in enumerate(sheets):
        if own is not None and name not in own.steps:
            continue
        try:
            sheet = read_sheet(parts, part, texts, dates)
            if position == 0 and name == ABOUT:
                own = exported_workbook(sheet)
                if own is not None:
                    continue
            if sheet.rows:
                labels = None if own is None else own.labels(name, sheet)
                tables[name] = _table(sheet, shortened(name), labels)
        except SheetError as error:
            where = f"sheet '{shortened(name)}'"
            if error.cell:
                where += f", cell {error.cell}"
            # Of an export, what is computed can be left out; missing inputs are told.
            if len(sheets) == 1 or (own is None and name in ROLES):
                raise FileFormatError(path, str(error), where) from None
            cell = f"Cell {error.cell}: " if error.cell else ""
            left_out.append((shortened(name), f"{cell}{error}"))
    if not tables:
        if left_out:
            raise FileFormatError(path, left_out[0][1], f"sheet '{left_out[0][0]}'")
        raise FileFormatError(path, "There are no numbers in it.")
    if own is not None:
        return _exported(path, tables, own, left_out)
    # Those that name no sheet are true of all.
    notices = list(dict.fromkeys(n for table in tables.values() for n in table.notices))
    values = {name: table.values for name, table in tables.items()}
    named = next((n for n in ("X", "Q") if n in tables), next(iter(tables)))
    return Matrices(values, notices + left_out_notices(left_out), tables[named].names)


def _exported(
    path: Path,
    tables: dict[str, _Table],
    own: ExportedWorkbook,
    left_out: list[tuple[str, str]],
) -> Matrices:
    sheets: dict[str, list[str]] = {}
    for sheet, step in own.steps.items():
        sheets.setdefault(step, []).append(sheet)
    values: dict[str, Array] = {}
    names: dict[str, tuple[str, ...]] = {}
    for step, of_heads in sheets.items():
        found = [tables[sheet] for sheet in of_heads if sheet in tables]
        heads = [table.values for table in found]
        if not found:
            continue
        if len(found) < len(of_heads):
            reason = "Not all of its heads have a sheet that can be read."
            left_out.append((shortened(step), reason))
        elif len({head.shape for head in heads}) > 1:
            reason = "The sheets of its heads differ in size."
            left_out.append((shortened(step), reason))
        else:
            values[step] = np.stack(heads) if len(heads) > 1 else heads[0]
            names[step] = found[0].names
    if not values:
        step, reason = left_out[-1]
        raise FileFormatError(path, reason, step)
    notices: list[str] = []
    for step, array in values.items():
        as_floats(array, notices, step)
    tokens, keys = (
        next((names[step] for step in steps if names.get(step)), ())
        for steps in (("X", "Q", "S"), ("context", "K", "V"))
    )
    return Matrices(
        values,
        notices + left_out_notices(left_out),
        tokens,
        keys,
        own.statement,
    )


def _table(sheet: Sheet, name: str, labels: int | None) -> _Table:
    """Return the numbers of a sheet.

    `labels` is its number of rows and columns of labels, if known.
    """
    rows, columns = sheet.box()
    if labels is not None:  # empty labels have no cells
        rows, columns = list(range(rows[-1] + 1)), range(columns.stop)
    texts = [[sheet.rows.get(row, {}).get(k, "") for k in columns] for row in rows]
    if labels is None:
        found = find_names(texts[:_SAMPLE])
    else:
        found = Names(above=bool(labels), beside=bool(labels))
    above, beside = int(found.above), int(found.beside)
    positions = [(row, k) for row in rows[above:] for k in columns[beside:]]
    cells = [text for row in texts[above:] for text in row[beside:]]
    if not cells:
        raise SheetError("There are only names in it, and no numbers.")
    for position in positions if sheet.wrong else ():
        if position in sheet.wrong:
            raise SheetError(sheet.wrong[position], cell_name(*position))
    reader = CellReader()
    try:
        values = reader.numbers(cells)
    except CellError as error:
        raise SheetError(str(error), cell_name(*positions[error.cell])) from None
    notices = list(_notices(name, found, rows)) + reader.notices()
    shaped = values.reshape(-1, len(columns) - beside)  # (rows, columns)
    floats = as_floats(shaped, notices, name)
    return _Table(floats, _names(texts[above:]) if beside else (), notices)


def _names(rows: list[list[str]]) -> tuple[str, ...]:
    names = tuple(row[0] for row in rows)
    return names if any(names) else ()


def _notices(name: str, found: Names, rows: list[int]) -> Iterator[str]:
    if found.notice:
        yield f"In '{name}': {found.notice}"
    if rows[-1] - rows[0] + 1 > len(rows):
        yield f"In '{name}', empty rows between the others were left out."
