"""Arrays and texts as exact Python literals."""

import base64
import textwrap
import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute import Array, IndexArray
from attnviewer.compute.notation import Library
from attnviewer.io.export.plain_text import unwrapped

WRITTEN = 2**11
"""Largest array, in numbers, that is written out; larger ones are packed."""
MOST_BYTES = 2**27
"""Maximum size of an array in a program, in bytes."""

_LINE, _INDENT = 88, "    "
_BASE64_LINE = 96


def array_code(values: Array, library: Library, row_names: Sequence[str] = ()) -> str:
    """Return code that reproduces an array bit for bit.

    Small arrays are written out by ``repr``, one row per line; larger ones are packed:
    their bytes, compressed, in base64.

    Parameters
    ----------
    values : ndarray
        Floating-point numbers, which become float64, or booleans.
    library : Library
        The library that the code uses.
    row_names : sequence of str
        The names of the rows, for comments.

    Raises
    ------
    ValueError
        If the array is too large for a program.
    """
    if values.size > WRITTEN:
        return _packed(values)
    written = [nested_code(values, row_names)]
    if values.dtype == np.bool_:
        written.append(f"dtype={library.bool_type}")
    return library.call("array", *written)


def nested_code(values: Array | IndexArray, row_names: Sequence[str] = ()) -> str:
    """Return an array as nested lists, the innermost on lines of their own."""
    numbers = values.astype(int if values.dtype.kind in "bi" else np.float64)
    if numbers.ndim < 2:
        return _row(numbers, "")
    return "\n".join(_nested(numbers, row_names, "")).strip()


def text_code(text: str) -> str:
    """Return a text for a comment or a docstring: one line that ends neither."""
    return unwrapped(text).replace("\\", "\\\\").replace('"', '\\"')


def _nested(numbers: Array, row_names: Sequence[str], indent: str) -> Iterator[str]:
    yield f"{indent}["
    deeper = indent + _INDENT
    for row, part in enumerate(numbers):
        if part.ndim > 1:
            yield from _nested(part, row_names, deeper)
            continue
        # Names as Python literals: nothing in one can end the comment.
        named = f"  # {row_names[row]!r}" if row < len(row_names) else ""
        first, *more = _row(part, deeper).split("\n")
        yield f"{deeper}{first}{'' if more else ','}{named}"
        if more:
            yield from more[:-1]
            yield f"{more[-1]},"
    yield f"{indent}]" + ("," if indent else "")


def _row(numbers: Array, indent: str) -> str:
    written = ", ".join(map(repr, numbers.tolist()))
    if len(indent) + len(written) + 3 <= _LINE:
        return f"[{written}]"
    deeper = indent + _INDENT
    lines = textwrap.fill(
        f"{written},", _LINE, initial_indent=deeper, subsequent_indent=deeper
    )
    return f"[\n{lines}\n{indent}]"


def _packed(values: Array) -> str:
    if values.nbytes > MOST_BYTES:
        raise ValueError(
            f"An array in a program must have at most {MOST_BYTES} bytes. Got "
            f"{values.nbytes} instead: export the numbers as a table or as NPZ."
        )
    # Little-endian on every machine.
    kind = values.dtype.newbyteorder("<").str
    content = zlib.compress(values.astype(kind).tobytes(), level=1)
    written = base64.b64encode(content).decode("ascii")
    lines = "\n".join(
        written[start : start + _BASE64_LINE]
        for start in range(0, len(written), _BASE64_LINE)
    )
    return f'unpack(\n    "{kind}",\n    {values.shape},\n    """\n{lines}\n""",\n)'
