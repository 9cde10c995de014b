"""What pasting does to a document."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.edits import Replace
from attnviewer.document.region import Region
from attnviewer.document.rows import SequenceName
from attnviewer.document.sequences import grown, named, next_names, tokens_of


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
    sequence: SequenceName,
    row: int,
    column: int,
    values: Array,
    label: str,
) -> Replace:
    """Return the edit that pastes rows into a sequence and appends those beyond it.

    Parameters
    ----------
    document : Document
        What is edited.
    sequence : str
        The matrix that gets them.
    row, column : int
        Where the upper left value goes.
    values : ndarray, shape (rows, columns)
        The numbers; new tokens are 0 beside them.
    label : str
        What undo calls it.
    """
    tokens, width = tokens_of(document, sequence), document.matrix(sequence).shape[1]
    inside = len(tokens) - row
    columns = slice(column, column + values.shape[1])
    rows = np.zeros((len(values) - inside, width))  # (new, features)
    rows[:, columns] = values[inside:]
    edit = grown(document, sequence, next_names(tokens, len(rows)), rows, label)
    matrix = np.array(edit.matrices[sequence])  # (n + new, features)
    matrix[row : len(tokens), columns] = values[:inside]
    return replace(edit, matrices={**edit.matrices, sequence: matrix})


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
