"""Steps as arrays for `np.load`, without pickles."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io.archive import archive
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import check_choice, chosen_matrices, read_part
from attnviewer.io.export.statement import with_numbers
from attnviewer.io.export_markers import CONTEXT_TOKENS, STATEMENT, TOKENS
from attnviewer.io.npy import npy_pieces


def npz(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a file with an array per step, in pieces.

    Arrays keep the step's axis of heads, unless one head is chosen. Numbers are
    doubles, masks boolean. The entry `attnviewer` is the statement as JSON, with the
    spec, so that the file opens as the document that it came from. The same computation
    gives the same bytes.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells.
    """
    return archive(_entries(computation, choice))


def _entries(
    computation: Computation, choice: Choice
) -> Iterator[tuple[str, list[bytes | memoryview]]]:
    for name, array in _arrays(computation, choice):
        yield f"{name}.npy", npy_pieces(array)


def _arrays(
    computation: Computation, choice: Choice
) -> Iterator[tuple[str, NDArray[Any]]]:
    description = json.dumps(with_numbers(computation, choice), ensure_ascii=False)
    yield STATEMENT, np.array(description)
    if choice.headers:
        queries, keys = computation.labels
        yield TOKENS, np.array(queries)
        if keys != queries:
            yield CONTEXT_TOKENS, np.array(keys)
    for step in check_choice(computation.trace, choice):
        values = _chosen(computation, step, choice)
        is_mask = values.dtype == np.bool_
        yield step, values if is_mask else values.astype(np.float64, copy=False)


def _chosen(computation: Computation, step: str, choice: Choice) -> Array:
    """Return a step, or the chosen part of it, shape (rows, columns) with one head."""
    folded = choice.folded_in(computation.trace, step)
    if choice.cells is None and choice.head is None and folded is None:
        return computation.trace[step]
    of_step = Choice((step,), choice.head, choice.cells)
    parts = [
        read_part(computation, *matrix, choice).values
        for matrix in chosen_matrices(computation.trace, of_step)
    ]
    return parts[0] if len(parts) == 1 else np.stack(parts)
