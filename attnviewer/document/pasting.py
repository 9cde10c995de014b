"""Edits that paste into a document."""

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
    """Tile values over the selected cells, if they fit a whole number of times.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The pasted values.
    block : Region
        The selected cells.

    Returns
    -------
    ndarray
        The tiled values, or else the values once.
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
        The document to edit.
    matrix : str
        The matrix that gets the block.
    row, column : int
        Where the upper left value is written.
    values : ndarray, shape (rows, columns)
        The values; other new cells are 0.
    label : str
        The edit's name in the undo history.
    names : sequence of str
        The names of the tokens of these rows; by default present tokens keep theirs.
    dimensions : Dimensions, optional
        The new dimensions, see `dimensions_to_fit`.

    Raises
    ------
    EditError
        If the dimensions are not possible.
    """
    # Shares arrays with the document; replacing whole matrices never writes to them.
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
        The document to edit.
    sequence : str
        The sequence.
    row : int
        The first token that is renamed.
    names : sequence of str
        The new names; tokens beyond the last one have rows of 0.
    label : str
        The edit's name in the undo history.
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
