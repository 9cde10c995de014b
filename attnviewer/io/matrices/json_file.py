"""Matrices in JSON: nested lists of numbers, alone or by name, with tokens."""

import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from attnviewer.compute import Array
from attnviewer.document.array_roles.assignment import ROLES
from attnviewer.document.array_roles.names import named
from attnviewer.io.errors import FileFormatError
from attnviewer.io.example_file import FILE_LIMIT
from attnviewer.io.example_schema import FORMAT
from attnviewer.io.export_markers import (
    CONTEXT_TOKENS,
    STATEMENT,
    STEPS,
    TOKENS,
    VALUES,
)
from attnviewer.io.matrices.arrays import EXACT, LOWEST, ROUNDED, VANISHED
from attnviewer.io.matrices.collected import left_out_notices
from attnviewer.io.matrices.matrices import Matrices
from attnviewer.io.matrices.nested_lists import decode_array, decode_list
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import (
    SchemaError,
    bare,
    decode,
    decode_entries,
    shortened,
)

WITH_TOKENS = "X", "Q", "weights", "scores", "K", "V"
"""Roles with a row for each token; the first one present decides."""
DEEPEST, MOST_NAMES = 8, 10_000
"""Objects within objects are searched for matrices down to here, and so many entries
at most: vocabularies of tokenizers have hundreds of thousands."""
MOST_LISTS = 2**20
MOST_ENTRIES = 2**18
"""Maximum number of rows: reading one takes far more memory and time than its text."""
LONG_TOKEN = 1000
_OBJECT = re.compile(rb"\s*\{")
_LIST = re.compile(rb"\s*\[")
_MATRIX = re.compile(rb"\s*\[\s*\[")
_ESCAPED = re.compile(
    rb"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}"
    rb"|(u[dD][89a-fA-F][\da-fA-F]{2})|.)",
    re.DOTALL,
)
"""Escaped characters; the group is a surrogate."""
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_LONG_INTEGER = re.compile(rb"[\[,\s]-?(\d{16,})(?=[\],\s])")
_SMALL = re.compile(rb"[eE]-0*(?:[3-9]\d\d|[1-9]\d{3})\d*|\.0{323}\d*")
"""The end of a number that may be less than the smallest float."""
_DIGITS = 32
"""So many signs before it are looked at."""


def read_json_file(path: Path, limit: int) -> Matrices:
    """Return the matrices of a file.

    Parameters
    ----------
    path : Path
        The file: nested lists, named after the file, or an object with such lists by
        name and, optionally, the "tokens". Those in an object within it are named
        after both, as in ``layer.W_Q``.
    limit : int
        Maximum size of the file and the numbers together, in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is unusable.
    """
    notices: list[str] = []
    try:
        text = _mended(bare(read_bounded(path, limit)), notices)
        if text.count(b"[") > MOST_LISTS:
            raise SchemaError(f"It has more than {MOST_LISTS:,} lists.")
        room = limit - len(text)
        if _OBJECT.match(text):
            if text.count(b":") > MOST_ENTRIES:
                raise SchemaError(f"It has more than {MOST_ENTRIES:,} entries.")
            return _named(decode_entries(text), room, notices)
        array = _array(decode(text, msgspec.Raw), room, notices, path.stem)
        return Matrices({path.stem: array}, notices)
    except SchemaError as error:
        raise FileFormatError(path, str(error), error.location) from None


def is_matrices_json(path: Path) -> bool:
    """Return whether `read_json_file` reads a file, and it is not an example.

    An object counts if it has a matrix or the name of one, or was exported.

    Raises
    ------
    FileError
        If it cannot be read.
    """
    try:
        if path.stat().st_size > FILE_LIMIT:
            return True  # no example is so large
        text = _mended(bare(read_bounded(path, FILE_LIMIT)), [])
        if not _OBJECT.match(text):
            return text.lstrip()[:1] == b"["
        entries = decode_entries(text)
    except (SchemaError, OSError):
        return False
    if STATEMENT in entries and STEPS in entries:
        return True
    if "format" in entries or entries.keys() >= {"version", "matrices"}:
        return False  # perhaps an example, which is refused by what it lacks
    try:
        lists = _flat(entries).items()
    except SchemaError:
        return True  # told where it is read
    return any(n in ROLES or _MATRIX.match(memoryview(e)) for n, e in lists)


def _named(entries: dict[str, msgspec.Raw], room: int, notices: list[str]) -> Matrices:
    if "format" in entries and bytes(entries["format"]) == f'"{FORMAT}"'.encode():
        raise SchemaError("It is an example, which is opened rather than imported.")
    if STATEMENT in entries and STEPS in entries:
        return _exported(entries, room, notices)
    tokens = entries.pop(TOKENS, None)
    values: dict[str, Array] = {}
    refused: list[SchemaError] = []
    left_out: list[tuple[str, str]] = []
    for name, entry in _flat(entries).items():
        called = shortened(name)
        try:
            values[name] = _array(entry, room, notices, called)
            room -= values[name].nbytes
        except SchemaError as error:
            if name in ROLES:
                location = f"{called}, {error.location}" if error.location else called
                refused.append(SchemaError(str(error), location))
            else:
                where = f"In {error.location}: " if error.location else ""
                left_out.append((called, f"{where}{error}"))
    if refused:
        raise _one(refused)
    told = left_out_notices(left_out)
    if not values:
        raise SchemaError(" ".join(["There are no matrices in it.", *told]))
    notices += told
    return Matrices(values, notices, _tokens(tokens, values, notices) if tokens else ())


def _flat(entries: dict[str, msgspec.Raw], depth: int = 1) -> dict[str, msgspec.Raw]:
    """Return entries with those of the objects among them, named after both."""
    found: dict[str, msgspec.Raw] = {}
    for name, entry in entries.items():
        inner = {name: entry}
        if depth < DEEPEST and _OBJECT.match(memoryview(entry)):
            within = _flat(decode_entries(entry), depth + 1)
            # An object in the place of a matrix is reported as such.
            lists = any(_LIST.match(memoryview(value)) for value in within.values())
            if lists or name not in ROLES:
                inner = {f"{name}.{key}": value for key, value in within.items()}
        if both := found.keys() & inner.keys():
            raise SchemaError(f"Two entries have the name '{shortened(min(both))}'.")
        found |= inner
        if len(found) > MOST_NAMES:
            raise SchemaError(
                f"The entries must be at most {MOST_NAMES:,}. Got more instead."
            )
    return found


def _exported(
    entries: dict[str, msgspec.Raw], room: int, notices: list[str]
) -> Matrices:
    """Return the finite steps of an exported file."""
    values: dict[str, Array] = {}
    left_out: list[tuple[str, str]] = []
    for name, step in decode_entries(entries[STEPS]).items():
        called = shortened(name)
        try:
            values_text = decode_entries(step).get(VALUES, msgspec.Raw(b"null"))
            values[name] = _array(values_text, room, notices, called)
            room -= values[name].nbytes
        except SchemaError as error:
            where = f"In {error.location}: " if error.location else ""
            left_out.append((called, f"{where}{error}"))
    if not values:
        reasons = " ".join(left_out_notices(left_out)) or "There are no steps in it."
        raise SchemaError(reasons, STEPS)
    notices += left_out_notices(left_out)
    tokens, keys = (
        tuple(decode(entries[name], list[str])) if name in entries else ()
        for name in (TOKENS, CONTEXT_TOKENS)
    )
    statement = decode(entries[STATEMENT], dict[str, Any])
    return Matrices(values, notices, tokens, keys, statement)


def _one(errors: list[SchemaError]) -> SchemaError:
    """Combine several errors into one."""
    if len(errors) == 1:
        return errors[0]
    return SchemaError(" ".join(f"{error.location}: {error}" for error in errors))


def _array(text: msgspec.Raw, room: int, notices: list[str], name: str) -> Array:
    array = decode_array(text, room)
    if np.isneginf(array.min()):
        notices.append(LOWEST.format(name))
    if max(array.max(), -array.min()) >= EXACT:
        whole = _LONG_INTEGER.finditer(memoryview(text))
        if any(int(number[1]) > EXACT for number in whole):
            notices.append(ROUNDED.format(name))
    if not array.all():
        read = memoryview(text)
        if any(_vanished(read, end) for end in _SMALL.finditer(read)):
            notices.append(VANISHED.format(name))
    return array


def _vanished(text: memoryview, end: re.Match[bytes]) -> bool:
    """Return whether a number other than 0 was read as 0."""
    start = text[max(0, end.start() - _DIGITS) : end.start()]
    number = re.split(rb"[^\d.]", bytes(start))[-1] + end[0]
    digits, *_ = re.split(rb"[eE]", number)
    return float(number) == 0 and bool(digits.strip(b"0."))


def _tokens(
    text: msgspec.Raw, values: dict[str, Array], notices: list[str]
) -> tuple[str, ...]:
    try:
        tokens = tuple(decode_list(text, str))
    except SchemaError as error:
        location = ", ".join(filter(None, [TOKENS, error.location]))
        raise SchemaError(str(error), location) from None
    roles = {known.role: name for name in values if (known := named(name))}
    first = next((roles[role] for role in WITH_TOKENS if role in roles), None)
    if first is None:
        names = ", ".join(WITH_TOKENS)
        notices.append(f"The tokens were left out: the file has none of {names}.")
        return ()
    rows = np.atleast_2d(values[first]).shape[-2]
    if len(tokens) != rows:
        raise SchemaError(
            f"The tokens must be as many as the rows of '{shortened(first)}', "
            f"{rows:,}. Got {len(tokens):,} instead.",
            TOKENS,
        )
    longest = max(range(len(tokens)), key=lambda k: len(tokens[k]))
    if len(tokens[longest]) > LONG_TOKEN:
        length = len(tokens[longest])
        notices.append(f"Token {longest + 1} has {length:,} characters.")
    return tokens


def _mended(text: bytes, notices: list[str]) -> bytes:
    """Return a text with lone surrogates replaced by U+FFFD."""
    if not _HALF.search(text):
        return text
    halves = [escaped.start() for escaped in _ESCAPED.finditer(text) if escaped[1]]
    if not halves:
        return text
    notices.append(
        "Some text holds an unpaired surrogate (half a character), shown as �."
    )
    mended = bytearray(text)
    for start in halves:
        mended[start : start + 6] = rb"\ufffd"
    return bytes(mended)
