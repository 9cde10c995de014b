"""Detection of a table's delimiter and of its first row."""

from dataclasses import dataclass
from itertools import chain, islice
from typing import TextIO

from attnviewer.io.matrices.delimited.names import Row, is_comment, is_name, is_number
from attnviewer.io.matrices.delimited.rows import (
    BLANKS,
    DELIMITERS,
    Lines,
    check_lengths,
    sampled_rows,
)

_SAMPLE = 50  # lines
_SAMPLE_CHARACTERS = 2**16
_TOLD = "sep="
_TOLD_ONES = ("\t", ";", ",", "|")


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A text table with its delimiter.

    Parameters
    ----------
    delimiter : str
        The delimiter.
    sample : list of list of str
        The cells of its first rows.
    lines : Lines
        All its lines.
    comments : list of (int, int)
        The comment lines above it, and the number of cells that each would have.
    declared : bool
        Whether the file itself declares the delimiter.
    """

    delimiter: str
    sample: list[Row]
    lines: Lines
    comments: list[tuple[int, int]]
    declared: bool


def find_table(file: TextIO) -> Table:
    """Detect the delimiter of a text.

    Parameters
    ----------
    file : text file
        At its start.

    Raises
    ------
    RowError
        If its lines are too long.
    """
    above = 0
    comments: list[tuple[int, str]] = []
    declared = None
    start: list[str] = []
    for line in file:
        if above == 0 and (declared := _declared_delimiter(line)):
            above += 1
            continue
        if line.strip() and not is_comment(line):
            start.append(line)
            break
        above += 1
        if line.strip() and len(comments) < _SAMPLE:
            comments.append((above, line))
    for line in islice(file, _SAMPLE):
        start.append(line)
        if sum(map(len, start)) > _SAMPLE_CHARACTERS:
            break
    check_lengths(start, above)
    delimiter = declared or max(DELIMITERS, key=lambda sign: _fitness(start, sign))
    widths = [
        (at, len(next(sampled_rows([line], delimiter), []))) for at, line in comments
    ]
    lines = Lines(chain(start, file), delimiter, above)
    sample = list(sampled_rows(start, delimiter))
    return Table(delimiter, sample, lines, widths, declared is not None)


def _declared_delimiter(line: str) -> str | None:
    """Return the delimiter that Excel's ``sep=`` line declares, if this is one."""
    line = line.strip('\r\n "')
    sign = line[len(_TOLD) :]
    return sign if line.lower().startswith(_TOLD) and sign in _TOLD_ONES else None


def _fitness(
    lines: list[str], delimiter: str
) -> tuple[bool, bool, int, int, bool, float]:
    """Return how well a delimiter splits lines into a table: greater is better."""
    rows = list(sampled_rows(lines, delimiter))
    if delimiter == BLANKS and any(map(_is_cut_by_blanks, lines)):
        return False, False, 0, 0, False, 0.0
    if not rows:
        return False, any(delimiter in line for line in lines[:1]), 0, 0, False, 0.0
    width = len(rows[0])
    # Names may be above and beside the numbers, and contain anything.
    beside = 1 if width > 1 else 0
    agreeing = sum(
        len(row) == width and all(map(is_number, row[beside:])) for row in rows[1:]
    )
    agreeing += width > 1 or _is_alone(rows[0][0])
    fits = agreeing == len(rows)
    several = max(map(len, rows)) > 1
    alike = sum(len(row) == width for row in rows) if width > 1 else 0
    named = several and fits and len(rows) > 1 and not rows[0][0].strip()
    numbers = sum(is_number(cell) for row in rows for cell in row)
    return fits, several, agreeing, alike, named, numbers / sum(map(len, rows))


def _is_cut_by_blanks(line: str) -> bool:
    """Return whether splitting at spaces would cut through a cell."""
    opened = line.count('"') % 2 == 1 and any(c[0] == '"' for c in line.split())
    return "\t" in line or ";" in line or opened


def _is_alone(cell: str) -> bool:
    """Return whether a cell can be the first one of a single column."""
    return is_number(cell) or (is_name(cell) and not {*cell} & {";", ","})
