"""Detection of a table's row and column names."""

import re
from dataclasses import dataclass
from unicodedata import category

from attnviewer.document.text.column_names import column_names_notice
from attnviewer.document.text.doubtful_numbers import DECIMAL_COMMA, GROUPED
from attnviewer.document.text.expression import PLAIN, shortened
from attnviewer.document.text.parsing import NO_NUMBERS

MISSING = {"na", "n/a", "n.a.", "null", "none", "nil", "missing", "-", "--", "?", "."}
"""Markers of missing numbers."""
TRUTH = {"true", "false"}
_WHOLE = re.compile(r"\s*[0-9]+\s*")
_BROKEN_NUMBER = re.compile(r"\W*\d|=")
_ERROR = re.compile(r"#(?:[^\s,;]+[!?]|N/?[AV])(?=[\s,;]|\Z)")
"""Error values of spreadsheets."""

Row = list[str]


@dataclass(frozen=True, slots=True)
class Names:
    """The places of the names in a table.

    Parameters
    ----------
    above : bool
        Whether the first row names the columns.
    beside : bool
        Whether the first column names the rows.
    notice : str
        A remark for the user, or "".
    """

    above: bool
    beside: bool
    notice: str = ""


def find_names(rows: list[Row]) -> Names:
    """Find the names in the first rows of a table.

    Words are names, and so is everything above and beside the numbers if the corner
    between them is empty. Malformed and missing numbers are not names.

    Parameters
    ----------
    rows : list of list of str
        At least one.
    """
    first = rows[0]
    others = [row for row in rows[1:] if not is_comment(row[0])]
    if len(first) > 1 and not first[0].strip() and _has_corner(first, rows[1:]):
        return Names(True, True, _of_corner(first, [row[0] for row in rows[1:]]))
    second = others[0] if others else []
    if all(map(is_name, first[1:] or first)) and not is_number(first[0]):
        beside = len(second) > 1 and is_name(second[0])
        names = first[1:] if beside else first
        if is_name(first[0]) or beside:
            return Names(True, beside, column_names_notice(names))
    if len(first) > 1 and is_name(first[0]) and (not second or is_name(second[0])):
        return Names(False, True, _of_first_row(first[0], first[1:]))
    return Names(False, False, _of_count(first, others))


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, possibly an unusable one."""
    text = cell.strip().replace("−", "-")
    return bool(
        text
        and (
            PLAIN.fullmatch(text)
            or DECIMAL_COMMA.fullmatch(text)
            or GROUPED.fullmatch(text)
            or text.lower().lstrip("+-") in NO_NUMBERS
        )
    )


def is_name(cell: str) -> bool:
    """Return whether a cell is a word, and not a malformed number."""
    text = cell.strip()
    return bool(
        text
        and not is_number(text)
        and text.lower() not in MISSING | TRUTH
        and not category(text[0]).startswith("N")
        and not _BROKEN_NUMBER.match(text)
        and not _ERROR.match(text)
    )


def is_comment(text: str) -> bool:
    """Return whether a line, or a row's first cell, begins a comment."""
    return text.startswith("#") and not _ERROR.match(text)


def _has_corner(first: Row, others: list[Row]) -> bool:
    """Return whether an empty cell is a corner, and not a missing number."""
    above = first[1:]
    if not any(cell.strip() for cell in above):
        return False
    if not others or any(row[0].strip() for row in others):
        return True
    return _count(above) or not any(map(is_number, above))


def _of_corner(first: Row, beside: list[str]) -> str:
    above = first[1:]
    numbers = all(map(is_number, above)) and all(map(is_number, beside))
    if not numbers or _count(above):
        return ""
    return (
        "The first cell is empty, so the first row was taken as the names of the "
        "columns, and the first column as those of the rows."
    )


def _of_first_row(name: str, numbers: Row) -> str:
    if not all(map(_WHOLE.fullmatch, numbers)):
        return ""
    return (
        f"The first row was read as the numbers of “{shortened(name)}”. If it names "
        "the columns, leave its first cell empty."
    )


def _of_count(first: Row, others: list[Row]) -> str:
    """Return a remark on a first row that counts the columns, unlike the others."""
    whole = all(_WHOLE.fullmatch(cell) for row in others for cell in row)
    if len(first) < 2 or whole or not _count(first):
        return ""
    return "The first row was read as numbers, although they count the columns."


def _count(cells: Row) -> bool:
    return [cell.strip() for cell in cells] == [str(n) for n in range(len(cells))]
