"""Arrays printed in longer texts, such as a session's output or a notebook."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.text.blocks import parse_block
from attnviewer.document.text.data_frames import printed_frame
from attnviewer.document.text.matlab_display import as_plain_rows
from attnviewer.document.text.printed_names import PrintedNames

MOST_CHARACTERS = 16 * 2**20
MOST_ARRAYS = 1000
UNNAMED = "array "
"""Begins the names of arrays that have none in the text."""
MOST_DIMENSIONS = 4
"""Maximum number of axes: layers, heads, rows and columns."""

# A bracket after a name is an index; after others a number or a name follows, but no
# call, as in a list of tensors.
_START = re.compile(
    r"(?<![\w\])'\"])\[(?=[\[\s(]{0,100}"
    r"(?:[-+.…−\d]|(?!(?:\w{1,60}\.)?\w{1,60}\(\s{0,9}\[)[^\W\d]))"
)
_PIECE = re.compile(r"\[|\]|[^\[\]]+")
_CONTENT = re.compile(r"[\w\s.,+\-−*/;()…∞]*")
_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_COMMENT = re.compile(r"#[^\n]*")
_SIZE = re.compile(r"torch\.Size\(\[([0-9, ]*)\]\)")
_PARENTHESES = str.maketrans("[]", "()")
_ROW_COMMENT = re.compile(r"\][ \t]*,?[ \t]*#[ \t]*([^\n]*)")
_NAMES = re.compile(r"\[\s*([^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*)\s*,?\s*\]")
_OTHER_WORD = re.compile(
    r"(?<![\w.])(?!(?:nan|inf|null|true_?|false_?)\b|(?:np|numpy)\.)[^\W\d]",
    re.IGNORECASE,
)
_ARGUMENT = r"\s*,\s*\w+=(?:<[^<>\n]*>|\([^()\n]*\)|[\w.:'\"]+(?:\([^()\n]*\))?)"
_TYPE = r"\s*,\s*(?:\w+\.)?float\w*"
_AS_FLOATS = r"\.(?:astype\((?:\w+\.)?float\w*\)|(?:float|double)\(\))"
_TAIL = re.compile(  # > ends <tf.Tensor: …>
    rf"(?:{_TYPE})?(?:{_ARGUMENT}){{0,8}}(?:\s*\))?(?:{_AS_FLOATS})?>?"
)
_LINE_END = re.compile(  # possessive, or long blanks would backtrack
    r"(?!\[)[ \t]*+[;,)}]*+(?:(?<=\))\][])}]*+)?"  # an index would follow at once
    r"[ \t]*+(?:#[^\n]*+)?+"
    r"(?=\n|\Z|<tf\.|\(['\"]|"
    r"['\"]?[^\W\d][\w ]{0,40}['\"]?[ \t]*[:=][ \t]*[\[\w]|[\w.]{0,40}\(?\[)"
)
_NUMBER = r"[-+−]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_LINES = re.compile(
    rf"^([^\n\[\]]{{1,200}}[=:])[ \t]*\n(?:[ \t]*\n)?"
    rf"((?:[ \t]*{_NUMBER}(?:[ \t,;]+{_NUMBER})*[ \t]*(?:\n|\Z))+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, eq=False)
class PrintedArrays:
    """The arrays of a text, in order.

    Parameters
    ----------
    values : dict of str to ndarray
        Arrays of 1 to 4 dimensions by name. Arrays without a name are numbered, and so
        are different arrays of the same name; repeated arrays appear once.
    tokens : dict of str to tuple of str
        The row comments of arrays, or the labels of tables, that have them.
    left_out : dict of str to str
        Why an array cannot be used, by its name.
    """

    values: dict[str, Array] = field(default_factory=dict)
    tokens: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _ArraySpan:
    """The position of an array."""

    start: int
    end: int
    text: str
    label: str | None = None
    """The line above lines of numbers; None for others."""
    is_table: bool = False
    """Whether it is a table of pandas."""


def printed_arrays(text: str) -> PrintedArrays:
    r"""Return the arrays of a text by their names there.

    These are arrays in brackets, as printed by NumPy, PyTorch and Python or as in code,
    tables of pandas, and lines of numbers below a name. The name is a label beside or
    above the array (``Q =``, ``weights:``, ``Query weights (W_Q):``), or the expression
    that the code above prints. Nothing is run: code is searched for names and literals.

    Parameters
    ----------
    text : str
        The output of a session or a notebook, with or without its code.

    Raises
    ------
    ValueError
        If it is too long.

    Examples
    --------
    >>> found = printed_arrays("Q =\n[[2 0]\n [1 1]]\nscores: [1. 3.]")
    >>> {name: array.tolist() for name, array in found.values.items()}
    {'Q': [[2.0, 0.0], [1.0, 1.0]], 'scores': [1.0, 3.0]}
    """
    if len(text) > MOST_CHARACTERS:
        raise ValueError(
            f"A text to search for arrays must have at most {MOST_CHARACTERS:,} "
            f"characters. Got {len(text):,} instead."
        )
    text = as_plain_rows(text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _SIZE.sub(r"(\1)", _COMMENT.sub(_without_brackets, _COLORS.sub("", text)))
    printed, names, end = PrintedArrays(), PrintedNames(), 0
    for found in _array_spans(text):
        if len(printed.values) == MOST_ARRAYS:
            printed.left_out["rest"] = f"Only {MOST_ARRAYS:,} arrays are taken."
            break
        if found.start < end:
            continue
        name = names.name(text[end : found.start], found.label)
        end = found.end
        if name is None:
            continue
        try:
            values, tokens = _values(found, printed.values)
        except ValueError as error:
            called = name or f"{UNNAMED}{len(printed.values) + 1}"
            printed.left_out.setdefault(called, str(error))
            continue
        if values is not None and values.shape != (1,):
            _keep(printed, name, values, tokens)
    return printed


def _keep(
    printed: PrintedArrays, name: str, values: Array, tokens: tuple[str, ...]
) -> None:
    called, number = name or f"{UNNAMED}{len(printed.values) + 1}", 1
    while called in printed.values:
        if np.array_equal(printed.values[called], values):
            return
        number += 1
        called = f"{name} ({number})"
    printed.values[called] = values
    if tokens:
        printed.tokens[called] = tokens


# ------------------------------------------------------------------------ places


def _array_spans(text: str) -> Iterator[_ArraySpan]:
    """Yield the positions of possible arrays, in order; they may overlap."""
    lines = [
        _ArraySpan(found.start(2), found.end(2), found[2], found[1])
        for found in _LINES.finditer(text)
    ]
    spans = [*lines, *_tables(text), *_brackets(text)]
    yield from sorted(spans, key=lambda found: found.start)


def _tables(text: str) -> Iterator[_ArraySpan]:
    """Yield the positions of pandas' tables: their headings are indented."""
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    number = 0
    while number < len(lines):
        read = printed_frame(lines, number) if lines[number][:2] == "  " else None
        number += 1
        if read is not None and (len(read[0].rows) > 1 or len(read[0].columns) > 1):
            first, number = number - 1, read[1]
            start, end = starts[first], starts[number] - 1
            yield _ArraySpan(start, end, text[start:end], is_table=True)


def _brackets(text: str) -> Iterator[_ArraySpan]:
    part_of = 0
    for found in _START.finditer(text):
        start = found.start()
        inside = _closed(text, start) if start >= part_of else None
        if inside is None:
            continue
        end = _ended(text, inside)
        if end is None:
            part_of = inside  # the rows of an operand are no arrays of their own
        else:
            yield _ArraySpan(start, end, text[start:inside])


def _without_brackets(comment: re.Match[str]) -> str:
    return comment[0].translate(_PARENTHESES)


def _closed(text: str, start: int) -> int | None:
    """Return where the bracket that opens at `start` closes."""
    depth = 0
    for piece in _PIECE.finditer(text, start):
        if piece[0] == "[":
            depth += 1
            if depth > MOST_DIMENSIONS:
                return None
        elif piece[0] == "]":
            depth -= 1
            if depth == 0:
                return piece.end()
        elif not _CONTENT.fullmatch(_COMMENT.sub("", piece[0])):
            return None
    return None


def _ended(text: str, inside: int) -> int | None:
    """Return the end of an array, with what is printed after its last bracket.

    None if the line goes on: then the brackets are part of an expression.
    """
    tail = _TAIL.match(text, inside)
    assert tail is not None  # possibly empty
    return tail.end() if _LINE_END.match(text, tail.end()) else None


# ------------------------------------------------------------------------ values


def _values(
    found: _ArraySpan, known: Mapping[str, Array]
) -> tuple[Array | None, tuple[str, ...]]:
    """Return the numbers of an array and the names of its rows, if they have any.

    None for the numbers if it holds something else.
    """
    if found.is_table:
        block = parse_block(found.text, infinite=True)
        return block.values, block.names
    code = _COMMENT.sub("", found.text)
    if (listed := _NAMES.fullmatch(code)) and _OTHER_WORD.search(code):
        names = tuple(name.strip() for name in listed[1].split(","))
        return _stacked([known[name] for name in names if name in known], names)
    if _OTHER_WORD.search(code):
        return None, ()
    values = _nested(code)
    return values, _row_comments(found.text, values)


def _stacked(
    rows: list[Array], names: tuple[str, ...]
) -> tuple[Array | None, tuple[str, ...]]:
    """Return the stack of vectors that code joins by their names."""
    if len(rows) < len(names) or {row.shape for row in rows} != {rows[0].shape[:1]}:
        return None, ()
    return np.stack(rows), names if len({*names}) == len(names) else ()


def _nested(text: str) -> Array:
    text = text.strip()
    if not re.match(r"\[\s*\[\s*\[", text):
        values = parse_block(text, infinite=True).values  # (rows, columns)
        flat = text.startswith("[") and "[" not in text[1:] and len(values) == 1
        return values[0] if flat else values
    parts = [_nested(part) for part in _parts(text)]
    if len({part.shape for part in parts}) != 1:
        raise ValueError("The matrices of the array must have the same shape.")
    return np.stack(parts)


def _parts(text: str) -> Iterator[str]:
    """Yield the items inside the outermost brackets."""
    depth = start = 0
    for position, sign in (
        (found.start(), found[0]) for found in _BRACKET.finditer(text)
    ):
        if sign == "[":
            depth += 1
            if depth == 2:
                start = position
        else:
            depth -= 1
            if depth == 1:
                yield text[start : position + 1]


_BRACKET = re.compile(r"[\[\]]")


def _row_comments(text: str, values: Array) -> tuple[str, ...]:
    """Return the comments beside a matrix's rows, if each row has one."""
    if "#" not in text or values.ndim != 2:
        return ()
    comments = tuple(c.strip().strip("'\"") for c in _ROW_COMMENT.findall(text))
    return comments if len(comments) == len(values) and all(comments) else ()
