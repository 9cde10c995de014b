"""Matrices as MATLAB and Octave display them: in parts, with a common factor."""

import re
from collections.abc import Iterator

from attnviewer.document.text.expression import PLAIN

_FACTOR = re.compile(r"[ \t]*1\.0+[eE]([+-]?[0-9]{1,3})[ \t]*\*[ \t]*")
_PART = re.compile(r"[ \t]*Columns? [0-9]+(?: (?:through|and|to) [0-9]+)?:?[ \t]*")
_EITHER = re.compile(rf"^(?:{_FACTOR.pattern}|{_PART.pattern})$", re.MULTILINE)

_KIND = re.compile(
    r"^[ \t]*[0-9]+[×x][0-9]+ \w+ (?:array|matrix|(?:row|column) vector)[ \t]*\n+",
    re.MULTILINE,
)
"""What MATLAB writes above other arrays than of doubles: 2×2 logical array."""

_Rows = list[list[str]]


def as_plain_rows(text: str) -> str:
    r"""Return a text with such matrices whole, and their numbers at full size.

    Parameters
    ----------
    text : str
        The text, with ``\n`` between its lines.

    Raises
    ------
    ValueError
        If the parts of a matrix differ in their number of rows.

    Examples
    --------
    >>> as_plain_rows("   1.0e+03 *\n\n    0.0010    2.5000")
    '0.0010e+03 2.5000e+03'
    """
    text = _KIND.sub("", text)
    if not _EITHER.search(text):
        return text
    return "\n".join(_lines(text.split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if not _EITHER.fullmatch(lines[at]):
            yield lines[at]
            at += 1
            continue
        factor = ""
        if scaled := _FACTOR.fullmatch(lines[at]):
            factor, at = f"e{scaled[1]}", at + 1
        parts, at = _parts(lines, at)
        yield from (
            " ".join(_scaled(cell, factor) for cells in row for cell in cells)
            for row in zip(*parts, strict=True)
        )


def _parts(lines: list[str], at: int) -> tuple[list[_Rows], int]:
    """Return the parts of a matrix, and where the lines after it begin."""
    parts: list[_Rows] = [[]]
    end = at
    while at < len(lines):
        cells = lines[at].split()
        if cells and all(map(_is_cell, cells)):
            parts[-1].append(cells)
        elif _PART.fullmatch(lines[at]):
            parts.append([])
        elif cells:
            break
        at += 1
        end = at if cells else end
    parts = [part for part in parts if part]
    if len({*map(len, parts)}) > 1:
        raise ValueError(
            "The parts of a matrix must have the same number of rows. Got "
            f"{' and '.join(map(str, map(len, parts)))} rows instead."
        )
    return parts, end


def _is_cell(word: str) -> bool:
    return bool(PLAIN.fullmatch(word)) or word.lower() in ("nan", "inf", "-inf")


def _scaled(cell: str, factor: str) -> str:
    # The factor becomes the exponent, so that the number is not rounded twice.
    return cell + factor if PLAIN.fullmatch(cell) else cell
