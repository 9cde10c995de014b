"""Changes of all matrices when tokens are added, removed or moved.

All matrices with rows of the same tokens follow together, see `Document.rows`. The bias
on the scores and the mask have a row for each query token and a column for each key
token; they follow the tokens as long as their shape fits. A new token is visible and
has a bias of 0. The position table belongs to positions, not to tokens: it grows by
rows of zeros when it has too few, and is never cut. Positions along several axes go
with their tokens, see `position_ids_after`. A number of keys that are not padding is
lowered to the number of keys.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, Axis
from attnviewer.compute.stages.offsets import PerItem
from attnviewer.document.document import TABLE, Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.moved_pins import pins_after
from attnviewer.document.position_ids import POSITION_IDS, position_ids_after
from attnviewer.document.rows import SequenceName
from attnviewer.document.token_groups import groups_after

NEW = -1
"""The source of a token that was not there before."""

Sources: TypeAlias = NDArray[np.intp]


def tokens_of(document: Document, sequence: SequenceName) -> tuple[str, ...]:
    """Return the tokens of a sequence; none if the document does not have it."""
    if sequence in document.rows.tokens:
        return document.tokens
    return document.context_tokens if sequence in document.rows.context_tokens else ()


def together_with(
    document: Document, sequence: SequenceName
) -> tuple[SequenceName, ...]:
    """Return all matrices with rows of the same tokens; none if there are none."""
    return next((names for names in document.rows if sequence in names), ())


def matched(before: Sequence[str], after: Sequence[str]) -> Sources:
    """Return where each token was before, or `NEW`.

    Tokens of the same name are matched in order: the first with the first.

    Parameters
    ----------
    before, after : sequence of str
        Two lists of tokens.

    Returns
    -------
    ndarray of int, shape (after,)
        Positions in `before`.
    """
    indices: dict[str, deque[int]] = {token: deque() for token in after}
    for index, token in enumerate(before):
        if token in indices:
            indices[token].append(index)
    found = [indices[token].popleft() if indices[token] else NEW for token in after]
    return np.array(found, dtype=np.intp)


def destinations(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return the new position of each token of a sequence, by its old one.

    Tokens are matched by name, see `matched`; if as many are gone as are new, they were
    renamed. Removed tokens are left out.
    """
    sources = matched(before, after).tolist()
    found = {source: index for index, source in enumerate(sources) if source != NEW}
    if len(before) == len(after):
        gone = [index for index in range(len(before)) if index not in found]
        new = [index for index, source in enumerate(sources) if source == NEW]
        found |= dict(zip(gone, new, strict=True))
    return found


def tokens_and_matrix(
    document: Document, sequence: SequenceName
) -> tuple[tuple[str, ...], Array]:
    """Return the tokens of a sequence, and the matrix that names it.

    Raises
    ------
    EditError
        If there is no such matrix.
    """
    if not together_with(document, sequence):
        raise EditError(f"The '{sequence}' matrix must be there. Got none instead.")
    return tokens_of(document, sequence), document.matrix(sequence)


def named(
    document: Document, sequence: SequenceName, tokens: tuple[str, ...], label: str
) -> Replace:
    """Return the edit that renames all tokens of a sequence."""
    if sequence in document.rows.tokens:
        return Replace(label, tokens=tokens)
    return Replace(label, context_tokens=tokens)


def reordered(
    document: Document, sequence: SequenceName, sources: Sources, label: str
) -> Replace:
    """Return the edit after which a sequence has the tokens from some positions."""
    before, _ = tokens_and_matrix(document, sequence)
    tokens = tuple(before[source] for source in sources)
    return rearranged(document, sequence, sources, tokens, label)


def rearranged(
    document: Document,
    sequence: SequenceName,
    sources: Sources,
    tokens: tuple[str, ...],
    label: str,
    whole: Mapping[SequenceName, Array] = MappingProxyType({}),
) -> Replace:
    """Return the edit that gives a sequence other tokens.

    Parameters
    ----------
    document : Document
        The document to edit.
    sequence : str
        The sequence.
    sources : ndarray of int, shape (tokens,)
        Where each token was before, or `NEW`.
    tokens : tuple of str
        Their names.
    label : str
        The edit's name in the undo history.
    whole : mapping of str to ndarray
        Matrices whose new values are known already.
    """
    spec, present = document.spec, document.matrices
    together = together_with(document, sequence)
    matrices: dict[str, Array | None] = {
        name: whole[name]
        if name in whole
        else take_or_fill(present[name], sources, 0, 0.0)
        for name in together
    }
    queries, keys, _ = spec.sources
    axes = [axis for axis, of in enumerate((queries, keys)) if of in together]
    scores = tuple(map(len, document.labels))
    for name, new in ((BIAS, 0.0), (MASK, True)):
        if name in present and present[name].shape == scores and axes:
            matrix = present[name]
            for axis in axes:
                matrix = take_or_fill(matrix, sources, axis, new)
            matrices[name] = matrix
    if keys in together and "S" in present:
        scores_now = matrices.get("S")
        given = present["S"] if scores_now is None else scores_now
        matrices["S"] = _keys_taken(given, sources, spec.n_heads)
    if keys in together and POSITION_IDS in spec.input_names:
        matrices[POSITION_IDS] = position_ids_after(present[POSITION_IDS], sources)
    if queries in together and TABLE in present:
        lacking = len(tokens) - len(present[TABLE])
        if lacking > 0:
            matrices[TABLE] = np.pad(present[TABLE], ((0, lacking), (0, 0)))
    lengths = spec.key_lengths
    if keys in together and lengths is not None:
        spec = replace(spec, key_lengths=at_most(lengths, len(tokens)))
    if spec.pins:
        moved: set[Axis] = {"tokens", "queries"} if queries in together else set()
        moved |= {"keys"} if keys in together else set()
        spec = replace(spec, pins=pins_after(document, [(moved, sources)]))
    changed = spec if spec != document.spec else None
    edit = named(document, sequence, tokens, label)
    edit = replace(edit, matrices=matrices, spec=changed)
    if sequence in document.rows.tokens:
        return replace(edit, groups=groups_after(document.groups, sources))
    groups = groups_after(document.context_groups, sources)
    return replace(edit, context_groups=groups)


def _keys_taken(given: Array, sources: Sources, n_heads: int) -> Array:
    """Return given scores (n, h·n_k) with other keys in each head."""
    n_queries = len(given)
    heads = given.reshape(n_queries, n_heads, -1)  # (n, h, n_k)
    return take_or_fill(heads, sources, 2, 0.0).reshape(n_queries, -1)


def take_or_fill(matrix: Array, sources: Sources, axis: int, new: float) -> Array:
    """Return the rows or columns from some positions, filled with `new` where `NEW`."""
    found = np.take(matrix, sources, axis)  # NEW takes the last, overwritten below
    found[(slice(None),) * axis + (sources == NEW,)] = new
    return found


def at_most(lengths: PerItem, count: int) -> PerItem:
    """Return numbers of keys that are not padding, at most the number of keys."""
    if isinstance(lengths, tuple):
        return tuple(at_most(length, count) for length in lengths)
    return min(lengths, count)
