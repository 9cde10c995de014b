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
    starts = np.append(0, ends[:-1] + 1)  # (columns,)
    first = starts[small] + (row[small] < 0)  # (small,)
    signs[first[:, np.newaxis] + np.arange(_ZEROS)] = 0  # to be left out
    digits = first + _ZEROS  # (small,)
    pointed = digits[ends[small] > digits + 1] + 1
    added = [
        (pointed, np.full(pointed.size, _POINT, np.uint8)),
        (ends[small].repeat(4), np.tile(_EXPONENT, small.size)),
        (ends[short] - 1, np.full(short.size, _ZERO, np.uint8)),
    ]
    places, new = (np.concatenate(parts) for parts in zip(*added, strict=True))
    signs = np.insert(signs, places, new)
    kept: NDArray[np.uint8] = signs[signs != 0]
    return kept.tobytes()
