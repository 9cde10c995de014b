"""What pasting does to a document."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.edits import Replace
from attnviewer.document.rearranging import named, tokens_of
from attnviewer.document.region import Region
from attnviewer.document.rows import SequenceName
from attnviewer.document.sequences import grown, next_names
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.resizing import plan_dimensions


def tiled(values: Array, block: Region) -> Array:
    """Repeat values over selected cells, if they fill them evenly.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        What is pasted.
    block : Region
        The selected cells.

    Returns
    -------
    ndarray
        The values as often as they go into the block, or else once.
    """
    down, down_left = divmod(block.height, values.shape[0])
    across, across_left = divmod(block.width, values.shape[1])
    if down_left or across_left:
        return values
    return np.tile(values, (down, across))


def paste_and_grow(
    document: Document,
    matrix: str,
    row: int,
    column: int,
    values: Array,
    label: str,
    *,
    names: Sequence[str] = (),
    dimensions: Dimensions | None = None,
) -> Replace:
    """Return the edit that pastes a block into a matrix that grows as needed.

    Rows beyond the last token become tokens.

    Parameters
    ----------
    document : Document
        What is edited.
    matrix : str
        The matrix that gets the block.
    row, column : int
        Where the upper left value goes.
    values : ndarray, shape (rows, columns)
        The numbers; what else is new is 0.
    label : str
        What undo calls it.
    names : sequence of str
        What the tokens of these rows are called; by default those that are there keep
        their names.
    dimensions : Dimensions, optional
        The dimensions that the document gets, see `dimensions_to_fit`.

    Raises
    ------
    EditError
        If the dimensions are not possible.
    """
    # Shares the arrays with the document, which replacing whole matrices never writes.
    grown_document = document.with_matrices(document.matrices)
    changed = {matrix}
    if dimensions is not None:
        resized = plan_dimensions(document, dimensions).edit(label)
        grown_document.apply(resized)
        changed |= resized.matrices.keys()
    sequence = next((one for one in chain(*document.rows) if one == matrix), None)
    if sequence is not None:
        rows, width = grown_document.matrix(matrix).shape
        new = max(0, row + len(values) - rows)
        added = next_names(tokens_of(document, sequence), new)
        longer = grown(grown_document, sequence, added, np.zeros((new, width)), label)
        grown_document.apply(longer)
        changed |= longer.matrices.keys()
        tokens = tokens_of(grown_document, sequence)
        called = (*tokens[:row], *names, *tokens[row + len(names) :])
        grown_document.apply(named(grown_document, sequence, called, label))
    cells = np.array(grown_document.matrix(matrix))  # (rows, columns)
    cells[row : row + len(values), column : column + values.shape[1]] = values
    return Replace(
        label,
        spec=grown_document.spec,
        tokens=grown_document.tokens,
        context_tokens=grown_document.context_tokens,
        matrices={n: grown_document.matrix(n) for n in changed} | {matrix: cells},
    )


def paste_tokens(
    document: Document,
    sequence: SequenceName,
    row: int,
    names: Sequence[str],
    label: str,
) -> Replace:
    """Return the edit that renames tokens, and appends those beyond the last one.

    Parameters
    ----------
    document : Document
        What is edited.
    sequence : str
        Which of them.
    row : int
        The first token that is renamed.
    names : sequence of str
        The new names; tokens beyond the last one have rows of 0.
    label : str
        What undo calls it.
    """
    tokens = tokens_of(document, sequence)
    all_names = (*tokens[:row], *names, *tokens[row + len(names) :])
    edit = named(document, sequence, all_names, label)
    beyond = names[len(tokens) - row :]
    if not beyond:
        return edit
    rows = np.zeros((len(beyond), document.matrix(sequence).shape[1]))
    longer = grown(document, sequence, beyond, rows, label)
    return replace(longer, tokens=edit.tokens, context_tokens=edit.context_tokens)
