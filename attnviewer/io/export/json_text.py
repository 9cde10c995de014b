"""Steps as JSON: nested lists of numbers with labels, formulas and the statement."""

import json
from collections.abc import Iterator

from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.number_text import number_text
from attnviewer.io.export.parts import Part, check_choice, chosen_matrices, read_part
from attnviewer.io.export.statement import with_numbers
from attnviewer.io.export_markers import (
    CONTEXT_TOKENS,
    STATEMENT,
    STEPS,
    TOKENS,
    VALUES,
)

_PIECE = 2**16  # bytes


def json_text(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield an object as strict JSON, in pieces.

    Under ``steps`` each step has its ``formula``, the labels of its ``rows`` and
    ``columns``, and as ``values`` lists of rows, nested once more where it has several
    heads. Numbers that JSON lacks are strings: ``"-inf"``, ``"inf"`` or ``"nan"``,
    as `float` and NumPy understand it.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells.
    """
    parts: list[bytes] = []
    size = 0
    for part in _parts(computation, choice):
        parts.append(part)
        size += len(part)
        if size >= _PIECE:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


def _parts(computation: Computation, choice: Choice) -> Iterator[bytes]:
    description = with_numbers(computation, choice)
    yield b"{" + _entry(STATEMENT, description)
    if choice.headers:
        queries, keys = computation.labels
        yield b",\n" + _entry(TOKENS, queries)
        if keys != queries:
            yield b",\n" + _entry(CONTEXT_TOKENS, keys)
    yield b",\n" + _encoded(STEPS) + b": {"
    trace = computation.trace
    for index, step in enumerate(check_choice(trace, choice)):
        yield (b",\n" if index else b"\n") + _encoded(step)
        yield b': {"formula": ' + _encoded(trace.stages[step].formula)
        of_step = Choice((step,), choice.head, choice.cells)
        heads = [
            read_part(computation, *p, choice) for p in chosen_matrices(trace, of_step)
        ]
        if choice.headers:
            yield b',\n"rows": ' + _encoded(heads[0].row_labels)
            yield b',\n"columns": ' + _encoded(heads[0].column_labels)
        yield b",\n" + _encoded(VALUES) + b": "
        yield from _values(heads)
        yield b"}"
    yield b"}}\n"


def _values(heads: list[Part]) -> Iterator[bytes]:
    several = len(heads) > 1
    yield b"[" * several
    for index, head in enumerate(heads):
        yield b",\n" * (index > 0)
        before = b"[["
        for row in head.rows():
            yield before + number_text(row, quoted=True)
            before = b"],\n["
        yield b"]]"
    yield b"]" * several


def _entry(name: str, value: object) -> bytes:
    return _encoded(name) + b": " + _encoded(value)


def _encoded(value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False)
    # A lone surrogate has no UTF-8, but it can be escaped.
    return text.encode("utf-8", "backslashreplace")
