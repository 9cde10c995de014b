"""One sheet of a workbook: its cells and their contents."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from attnviewer.io.matrices.workbook.parts import Parts, local, text_of
from attnviewer.io.spreadsheet import MOST_COLUMNS, MOST_ROWS, cell_name
from attnviewer.io.strict_json import shortened

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_CELLS = 2**22
"""Maximum number of cells: each takes far more memory than its number."""
_NAME = re.compile("([A-Z]{1,3})([0-9]{1,7})")
_NUMBER = re.compile("[0-9]{1,7}")
_DATE = "The cell is a date or a time, not a number."
_NO_VALUE = (
    "The formula has no value. Open the workbook in a spreadsheet program and save it "
    "there, which computes it."
)


class SheetError(ValueError):
    """An unusable sheet.

    Parameters
    ----------
    reason : str
        The reason, as a sentence.
    cell : str or None
        The name of the cell, if there is one.
    """

    def __init__(self, reason: str, cell: str | None = None) -> None:
        super().__init__(reason)
        self.cell = cell


@dataclass(slots=True)
class Sheet:
    """The non-empty cells of a sheet.

    Parameters
    ----------
    rows : dict of int to dict of int to str
        Their texts by rows and columns, from zero.
    wrong : dict of (int, int) to str
        The cells that are not numbers whatever their text, with the reason.
    """

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    wrong: dict[tuple[int, int], str] = field(default_factory=dict)

    def box(self) -> tuple[list[int], range]:
        """Return the rows that have cells, and the range of columns.

        Raises
        ------
        SheetError
            If there are too many cells between them.
        """
        rows = sorted(self.rows)
        columns = [column for row in self.rows.values() for column in row]
        spanned = range(min(columns), max(columns) + 1)
        if len(rows) * len(spanned) > MOST_CELLS:
            raise SheetError(f"A sheet may have {MOST_CELLS:,} cells.")
        return rows, spanned


def read_sheet(parts: Parts, name: str, texts: list[str], dates: set[str]) -> Sheet:
    """Return the cells of a sheet, ignoring its stated size.

    Parameters
    ----------
    parts : Parts
        The parts of the workbook.
    name : str
        The part of the sheet.
    texts : list of str
        The shared strings.
    dates : set of str
        The date styles.

    Raises
    ------
    SheetError
        If it has too many cells, or an impossible one.
    FileFormatError
        If it is damaged.
    """
    sheet = Sheet()
    count = 0
    for (row, column), cell in _placed(parts, name):
        if not (0 <= row < MOST_ROWS and 0 <= column < MOST_COLUMNS):
            raise SheetError("There is no such cell.", cell.get("r"))
        try:
            text, wrong = _content(cell, texts, dates)
        except (ValueError, IndexError):
            name = cell_name(row, column)
            raise SheetError("The cell is damaged.", name) from None
        if not text and not wrong:
            continue
        count += 1
        if count > MOST_CELLS:
            raise SheetError(f"A sheet may have {MOST_CELLS:,} cells.")
        cells = sheet.rows.setdefault(row, {})
        if column in cells:
            raise SheetError("The cell is there twice.", cell_name(row, column))
        cells[column] = text
        if wrong:
            sheet.wrong[row, column] = wrong
    return sheet


def _placed(parts: Parts, name: str) -> Iterator[tuple[tuple[int, int], "Element"]]:
    """Yield the cells of a sheet with their positions, which may be implicit."""
    row = -1
    for element in parts.elements(name, "row"):
        reference = element.get("r", "")
        row = int(reference) - 1 if _NUMBER.fullmatch(reference) else row + 1
        column = -1
        for cell in element:
            if local(cell) != "c":
                continue
            column += 1
            cell_reference = cell.get("r")
            if cell_reference is not None:
                match = _NAME.fullmatch(cell_reference)
                if match is None:
                    raise SheetError(
                        "There is no such cell.", shortened(cell_reference)
                    )
                row, column = int(match[2]) - 1, _column(match[1])
            yield (row, column), cell


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _content(cell: "Element", texts: list[str], dates: set[str]) -> tuple[str, str]:
    """Return a cell's text, and why it is not a number if the text does not show it."""
    kind = cell.get("t", "n")
    value, has_formula = "", False
    for child in cell:
        if local(child) == "v":
            value = child.text or ""
        elif local(child) == "f":
            has_formula = True
        elif local(child) == "is" and kind == "inlineStr":
            return text_of(child), ""
    if not value:
        return "", _NO_VALUE if has_formula and kind != "str" else ""
    if kind == "s":
        if not value.isdecimal():
            raise ValueError(value)
        return texts[int(value)], ""
    if kind == "b":
        return "FALSE" if value == "0" else "TRUE", ""
    if kind == "d" or (kind == "n" and cell.get("s") in dates):
        return value, _DATE
    return value, ""
