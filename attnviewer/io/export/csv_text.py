"""Tables as CSV or TSV that every program reads back alike."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from attnviewer.compute import Array

# RFC 4180's own line end. With it the csv module also quotes a field that holds a
# lone CR or LF, on every Python version.
_LINE_END = "\r\n"
_PIECE = 2**16  # characters
# White space and control characters are looked past, as some spreadsheets trim
# them, and so are apostrophes, which makes the guard reversible.
_FORMULA = re.compile(r"'*(?:[\s\x00-\x1f\ufeff]*[=+\-@＝＋－＠]|[\t\r\n])")

COMMA, TAB = ",", "\t"

Row = Sequence[str | int | float]


def guard_text(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula.

    A text that would be one gets an apostrophe in front: it begins with ``=``,
    ``+``, ``-``, ``@`` (full-width ones too, and after white space), a tab or a
    line break, or with apostrophes and then one of these. Taking one apostrophe
    off such a text restores it.
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded_text(text: str) -> str:
    """Return a text as it was before `guard_text`."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def csv_pieces(rows: Iterable[Row], delimiter: str = COMMA) -> Iterator[bytes]:
    """Yield a table as UTF-8 CSV, a piece at a time.

    Numbers are written by ``repr``, so they read back bit for bit; ``inf``,
    ``-inf`` and ``nan`` for what is not finite. Texts are written as they are:
    guard those that come from outside.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=_LINE_END)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() >= _PIECE:
            yield _taken(buffer)
    yield _taken(buffer)


def matrix_rows(
    values: Array, row_labels: Sequence[str], column_labels: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows of a matrix with its labels, below an empty corner cell.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    row_labels, column_labels : sequence of str
        One per row and per column; guarded here.
    """
    yield ["", *map(guard_text, column_labels)]
    for label, row in zip(row_labels, values, strict=True):
        yield [guard_text(label), *row.tolist()]


def bare_rows(values: Array) -> Iterator[Row]:
    """Yield the rows of a matrix, numbers only.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers.
    """
    for row in values:
        yield row.tolist()


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    # A lone surrogate has no UTF-8; it comes out as \udc80 rather than not at all.
    return text.encode("utf-8", "backslashreplace")
