"""Steps as arrays for `np.load`, without pickles."""

import json
import math
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io.archive import Content, Streamed, archive
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import (
    BLOCK,
    check_choice,
    chosen_matrices,
    read_part,
)
from attnviewer.io.export.statement import with_numbers
from attnviewer.io.export_markers import CONTEXT_TOKENS, FOLDED, STATEMENT, TOKENS
from attnviewer.io.npy import npy_header, npy_pieces, number_pieces


def npz(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a file with an array per step, in pieces.

    Arrays keep the step's axis of heads, unless one head is chosen. Numbers are
    doubles, masks boolean. The entry `attnviewer` is the statement as JSON, with the
    spec, so that the file opens as the document that it came from; it says where chosen
    cells begin, and names the rows and columns of folded weights. The same computation
    gives the same bytes.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells.
    """
    return archive(_entries(computation, choice))


def _entries(computation: Computation, choice: Choice) -> Iterator[tuple[str, Content]]:
    for name, texts in _texts(computation, choice):
        yield f"{name}.npy", npy_pieces(texts)
    for step in check_choice(computation.trace, choice):
        yield f"{step}.npy", _content(computation, step, choice)


def _texts(
    computation: Computation, choice: Choice
) -> Iterator[tuple[str, NDArray[Any]]]:
    entries: dict[str, Any] = {**with_numbers(computation, choice)}
    folded = choice.folded
    if choice.headers and folded is not None and FOLDED in entries:
        entries["folded_queries"] = folded.row_labels
        entries["folded_keys"] = folded.column_labels
    yield STATEMENT, np.array(json.dumps(entries, ensure_ascii=False))
    if choice.headers:
        queries, keys = computation.labels
        yield TOKENS, np.array([_whole(token) for token in queries])
        if keys != queries:
            yield CONTEXT_TOKENS, np.array([_whole(token) for token in keys])


def _whole(text: str) -> str:
    """Return a text of which NumPy keeps all: it drops NUL at the end of one."""
    kept = text.rstrip("\0")
    return kept + "\ufffd" * (len(text) - len(kept))


def _content(computation: Computation, step: str, choice: Choice) -> Content:
    """Return a step, or the chosen part of it: a matrix if that is of one head."""
    trace = computation.trace
    whole = choice.cells is None and choice.head is None
    whole = whole and choice.folded_in(trace, step) is None
    if whole and math.prod(trace.shape(step)) <= BLOCK:
        return npy_pieces(_as_written(trace[step]))
    of_step = Choice((step,), choice.head, choice.cells)
    parts = [
        read_part(computation, *matrix, choice)
        for matrix in chosen_matrices(trace, of_step)
    ]
    shape: tuple[int, ...] = parts[0].shape
    if whole:
        shape = trace.shape(step)
    elif len(parts) > 1:
        shape = len(parts), *shape
    blocks = (_as_written(block) for part in parts for block in part.blocks())
    first = next(blocks)
    size = math.prod(shape) * first.itemsize
    header = npy_header(shape, first.dtype)
    pieces = (piece for b in chain([first], blocks) for piece in number_pieces(b))
    return Streamed(len(header) + size, chain([header], pieces))


def _as_written(values: Array) -> Array:
    """Return numbers as doubles, and masks as they are."""
    is_mask = values.dtype == np.bool_
    return values if is_mask else values.astype(np.float64, copy=False)
