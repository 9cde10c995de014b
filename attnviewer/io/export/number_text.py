"""Rows of numbers as text that reads back bit for bit, many times as fast as `repr`."""

from collections.abc import Callable
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array

_SMALL, _TINY, _ONE_DIGIT, _HUGE = 1e-4, 1e-5, 1e-9, 1e16
_COMMA, _POINT, _ZERO = b",.0"
_ZEROS = len("0.0000")
_EXPONENT = np.frombuffer(b"e-05", np.uint8)

Encoder = Callable[[Array], bytes]
"""Writes a row of doubles as a list in JSON, with the fewest digits."""


def find_encoder() -> Encoder:
    """Return the fastest encoder that is installed."""
    try:
        import orjson
    except ImportError:
        return encode_plainly
    return partial(orjson.dumps, option=orjson.OPT_SERIALIZE_NUMPY)


def encode_plainly(row: Array) -> bytes:
    """Encode a row without what is optional."""
    return msgspec.json.encode(row.tolist())


_ENCODER = find_encoder()


def number_text(
    row: Array, *, quoted: bool = False, encoder: Encoder = _ENCODER
) -> bytes:
    """Return a row of numbers with commas between them, each as `repr` writes it.

    Numbers of lower precision are written as the doubles that they are.

    Parameters
    ----------
    row : ndarray, shape (columns,)
        The numbers.
    quoted : bool
        Put inf, -inf and nan in quotation marks, as JSON has no numbers for them.
    encoder : callable
        What writes most of them.
    """
    row = np.ascontiguousarray(row, np.float64)
    text = encoder(row)[1:-1]
    size = np.abs(row)  # (columns,)
    usual = (size >= _SMALL) & (size < _HUGE) | (size == 0)
    if usual.all():
        return text
    # JSON has no words for what is not finite, and other signs for the exponents.
    rare = np.flatnonzero(~(size < _HUGE))  # also NaN
    if rare.size:
        cells = text.split(b",")
        for place, number in zip(rare.tolist(), row[rare].tolist(), strict=True):
            mark = '"' if quoted and not np.isfinite(number) else ""
            cells[place] = f"{mark}{number!r}{mark}".encode()
        text = b",".join(cells)
    return _as_repr(text, row, size)


def _as_repr(text: bytes, row: Array, size: Array) -> bytes:
    """Write 0.000015 as 1.5e-05 and 1.5e-7 as 1.5e-07, all at once."""
    small = np.flatnonzero((size < _SMALL) & (size >= _TINY))
    short = np.flatnonzero((size < _TINY) & (size >= _ONE_DIGIT))
    if not small.size and not short.size:
        return text
    signs = np.frombuffer(text, np.uint8).copy()  # (characters,)
    ends = np.append(np.flatnonzero(signs == _COMMA), signs.size)  # (columns,)
    if small.size:
        starts = ends[small - 1] + 1  # (small,)
        starts[small == 0] = 0
        _write_exponents(signs, starts + (row[small] < 0), ends[small])
    if short.size:
        signs = np.insert(signs, ends[short] - 1, _ZERO)
    return signs.tobytes().translate(None, b"\0")


def _write_exponents(
    signs: NDArray[np.uint8], starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> None:
    """Overwrite numbers like 0.000015, which are longer than 1.5e-05, in place.

    Parameters
    ----------
    signs : ndarray, shape (characters,)
        The text. What is too much becomes null characters.
    starts, ends : ndarray, shape (numbers,)
        Where the numbers are, without their signs.
    """
    leading = signs[starts + _ZEROS]  # (numbers,)
    others = ends - starts - _ZEROS - 1  # (numbers,) digits after the first
    places = np.arange(others.max())
    moved = (starts[:, np.newaxis] + places)[places < others[:, np.newaxis]]
    signs[moved + 2] = signs[moved + _ZEROS + 1]
    signs[starts] = leading
    signs[starts + 1] = _POINT
    exponents = starts + np.where(others > 0, others + 2, 1)  # (numbers,)
    signs[exponents[:, np.newaxis] + np.arange(4)] = _EXPONENT
    signs[ends - 1] = 0
    signs[ends[others == 0] - 2] = 0
