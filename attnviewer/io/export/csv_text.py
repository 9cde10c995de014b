"""Tables as portable CSV or TSV."""

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from attnviewer.compute import Array
from attnviewer.document.text.formula_guard import guard_text
from attnviewer.io.export.number_text import number_text

# RFC 4180's own line end. With it the csv module also quotes a field that holds a
# lone CR or LF, on every Python version.
_LINE_END = "\r\n"
_END = _LINE_END.encode()
_PIECE = 2**16  # bytes

COMMA, TAB = ",", "\t"


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """A row of numbers, optionally after a label.

    Parameters
    ----------
    values : ndarray, shape (columns,)
        The numbers.
    label : str or None
        The label in front of them, if any.
    """

    values: Array
    label: str | None = None


Row = Sequence[str | int | float] | Numbers


def csv_pieces(
    rows: Iterable[Row], delimiter: str = COMMA, *, bom: bool = False
) -> Iterator[bytes]:
    """Yield a table as UTF-8 CSV, in pieces.

    Numbers are written with the fewest digits that read back bit for bit; ``inf``,
    ``-inf`` and ``nan`` for non-finite numbers. Numbers of lower precision are written
    as doubles. Texts are written verbatim, except that the null character, which no
    reader accepts, becomes U+FFFD; guard untrusted texts before, see `guard_text`.

    Parameters
    ----------
    rows : iterable of rows
        The table.
    delimiter : str
        The column separator.
    bom : bool
        Whether to start with a byte order mark.
    """
    parts: list[bytes] = [codecs.BOM_UTF8] if bom else []
    size = 0
    for row in rows:
        if isinstance(row, Numbers):
            new = [number_text(row.values), _END]
            if delimiter != COMMA:
                new[0] = new[0].replace(COMMA.encode(), delimiter.encode())
            if row.label is not None:
                new.insert(0, _line([row.label, ""], delimiter).removesuffix(_END))
        else:
            new = [_line(row, delimiter)]
        parts += new
        size += sum(map(len, new))
        if size >= _PIECE:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


def matrix_rows(
    values: Iterable[Array], row_labels: Sequence[str], column_labels: Sequence[str]
) -> Iterator[Row]:
    """Yield the rows of a matrix with its labels, below an empty corner cell.

    Parameters
    ----------
    values : iterable of ndarray, shape (columns,)
        The numbers, row by row.
    row_labels, column_labels : sequence of str
        One per row and per column; guarded here.
    """
    yield ["", *map(guard_text, column_labels)]
    for label, row in zip(row_labels, values, strict=True):
        yield Numbers(row, guard_text(label))


def bare_rows(values: Iterable[Array]) -> Iterator[Row]:
    """Yield the rows of a matrix, numbers only.

    Parameters
    ----------
    values : iterable of ndarray, shape (columns,)
        The numbers, row by row.
    """
    for row in values:
        yield Numbers(row)


def _line(fields: Sequence[str | int | float], delimiter: str) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=delimiter, lineterminator=_LINE_END).writerow(fields)
    text = line.getvalue().replace("\0", "\ufffd")
    # A lone surrogate has no UTF-8; it is written as \udc80 rather than lost.
    return text.encode("utf-8", "backslashreplace")
