"""Tokens of a sequence come, go and move, with all that has a place for each of them.

All matrices with rows of the same tokens follow together, see `Document.rows`. The
bias on the scores and the mask have a row for each token that asks and a column for
each that is looked at; they follow the tokens as long as their shape fits. A new token
is visible and has a bias of 0. The position table belongs to places, not to tokens: it
grows by rows of zeros when it has too few, and is never cut. A count of keys that are
not padding is lowered to the keys that are left.
"""

import re
from collections import defaultdict, deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import count as counting
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.stages.offsets import PerItem
from attnviewer.document.document import TABLE, Document
from attnviewer.document.drawing.recipe import Recipe, overwritten, still_drawn
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.region import Region
from attnviewer.document.rows import EMBEDDED, SequenceName

NEW = -1
"""Where a token was before that was not there."""

Sources: TypeAlias = NDArray[np.intp]

_NUMBERED = re.compile(r"(.*[ _])([0-9]{1,9})", re.DOTALL)
_COPY = re.compile(r" \([0-9]{1,9}\)\Z")


def tokens_of(document: Document, sequence: SequenceName) -> tuple[str, ...]:
    """Return the tokens of a sequence; none if the document does not have it."""
    if sequence in document.rows.tokens:
        return document.tokens
    return document.context_tokens if sequence in document.rows.context_tokens else ()


def together_with(
    document: Document, sequence: SequenceName
) -> tuple[SequenceName, ...]:
    """Return all matrices with rows of the same tokens; none if there is no such."""
    return next((names for names in document.rows if sequence in names), ())


def next_names(tokens: Sequence[str], count: int) -> tuple[str, ...]:
    """Return names for new tokens.

    They go on counting where the tokens do ("word 4", then "word 5"); where none is
    numbered, they are called by their places, such as "token 3".
    """
    prefix, number = "token ", len(tokens)
    numbered = [match for token in tokens if (match := _NUMBERED.fullmatch(token))]
    if numbered:
        prefix = numbered[-1][1]
        number = 1 + max(int(match[2]) for match in numbered if match[1] == prefix)
    return tuple(f"{prefix}{place}" for place in range(number, number + count))


def _copy_name(token: str, taken: Collection[str]) -> str:
    """Return a name for a copy of a token that no other one has."""
    base = _COPY.sub("", token)
    numbers = (f"{base} ({number})" for number in counting(2))
    return next(name for name in numbers if name not in taken)


def insert_tokens(
    document: Document,
    sequence: SequenceName,
    at: int,
    tokens: Sequence[str],
    rows: Array,
    label: str,
) -> Replace:
    """Return the edit that puts tokens before the one at a place.

    Parameters
    ----------
    document : Document
        What is edited.
    sequence : str
        The matrix that gets the rows; others with rows of the same tokens get zeros.
    at : int
        The place of the first new token; as many as there are to append.
    tokens : sequence of str
        Their names.
    rows : ndarray, shape (new, features)
        Their embeddings, or given queries, keys or values.
    label : str
        What undo calls it.

    Raises
    ------
    EditError
        If there is no such sequence or place, or the rows do not fit.
    """
    before, matrix = _parts(document, sequence)
    n, width = matrix.shape
    if not 0 <= at <= n:
        raise EditError(f"The 'at' must be from 0 to {n}. Got {at} instead.")
    rows = np.asarray(rows, dtype=np.float64)
    if rows.shape != (len(tokens), width):
        raise EditError(
            "The 'rows' must have one row for each new token, "
            f"({len(tokens)}, {width}). Got {rows.shape} instead."
        )
    sources = np.insert(np.arange(n), at, np.full(len(tokens), NEW))  # (n + new,)
    names = (*before[:at], *tokens, *before[at:])
    whole = _taken(matrix, sources, 0, 0.0)  # (n + new, features)
    whole[at : at + len(tokens)] = rows
    return _rearranged(document, sequence, sources, names, label, {sequence: whole})


def grown(
    document: Document,
    sequence: SequenceName,
    tokens: Sequence[str],
    rows: Array,
    label: str,
) -> Replace:
    """Return the edit that appends tokens, see `insert_tokens`."""
    at = len(tokens_of(document, sequence))
    return insert_tokens(document, sequence, at, tokens, rows, label)


def remove_tokens(
    document: Document, sequence: SequenceName, start: int, count: int, label: str
) -> Replace:
    """Return the edit that takes neighbouring tokens away.

    Raises
    ------
    EditError
        If they are not there, or are all there are.
    """
    before, _ = _parts(document, sequence)
    _check_block(before, start, count)
    if count == len(before):
        which = "The last token" if count == 1 else "All tokens together"
        raise EditError(f"{which} cannot be removed: a sequence needs at least one.")
    sources = np.delete(np.arange(len(before)), np.s_[start : start + count])
    return _reordered(document, sequence, sources, label)


def duplicate_tokens(
    document: Document, sequence: SequenceName, start: int, count: int, label: str
) -> Replace:
    """Return the edit that puts copies of neighbouring tokens below them.

    A copy sees and is seen as its original is. Its name is that of the original with
    a number behind it, such as "cat (2)".

    Raises
    ------
    EditError
        If they are not there.
    """
    before, _ = _parts(document, sequence)
    _check_block(before, start, count)
    block = np.arange(start, start + count)
    sources = np.insert(np.arange(len(before)), start + count, block)
    end, taken, copies = start + count, set(before), []
    for token in before[start:end]:
        copies.append(_copy_name(token, taken))
        taken.add(copies[-1])
    tokens = (*before[:end], *copies, *before[end:])
    return _rearranged(document, sequence, sources, tokens, label)


def move_tokens(
    document: Document,
    sequence: SequenceName,
    start: int,
    count: int,
    to: int,
    label: str,
) -> Replace:
    """Return the edit that moves neighbouring tokens.

    Parameters
    ----------
    document : Document
        What is edited.
    sequence : str
        Which of them.
    start, count : int
        The tokens.
    to : int
        The place of the first of them afterwards.
    label : str
        What undo calls it.

    Raises
    ------
    EditError
        If they are not there, or there is no such place for them.
    """
    before, _ = _parts(document, sequence)
    _check_block(before, start, count)
    last = len(before) - count
    if not 0 <= to <= last:
        raise EditError(f"The 'to' must be from 0 to {last}. Got {to} instead.")
    others = np.delete(np.arange(len(before)), np.s_[start : start + count])
    sources = np.insert(others, to, np.arange(start, start + count))
    return _reordered(document, sequence, sources, label)


def rename_token(
    document: Document, sequence: SequenceName, row: int, token: str, label: str
) -> Replace:
    """Return the edit that gives a token another name.

    Raises
    ------
    EditError
        If there is no such token.
    """
    before, _ = _parts(document, sequence)
    _check_block(before, row, 1)
    return named(document, sequence, (*before[:row], token, *before[row + 1 :]), label)


def set_sentence(
    document: Document,
    sequence: SequenceName,
    tokens: Sequence[str],
    rows: Array,
    label: str,
    recipe: Recipe | None = None,
) -> Replace:
    """Return the edit that puts other tokens in place of all tokens of a sequence.

    Bias and mask follow the tokens that stay, see `matched`. What was drawn into the
    embeddings before is forgotten.

    Parameters
    ----------
    document : Document
        What is edited.
    sequence : str
        ``X`` or ``context``.
    tokens : sequence of str
        The new tokens.
    rows : ndarray, shape (tokens, features)
        The embeddings of all of them.
    label : str
        What undo calls it.
    recipe : Recipe, optional
        How the embeddings were drawn.

    Raises
    ------
    EditError
        If there is no such sequence, or the rows do not fit; also where queries, keys
        and values are given, as nothing says what those of other tokens are.
    """
    before, matrix = _parts(document, sequence)
    if sequence not in EMBEDDED:
        raise EditError(
            "The tokens must have embeddings to get others by a sentence. Got queries, "
            "keys and values that are given instead."
        )
    sources = matched(before, tokens)
    whole = {sequence: rows}
    edit = _rearranged(document, sequence, sources, tuple(tokens), label, whole)
    everything = Region(0, 0, *matrix.shape)
    recipes = overwritten(document.recipes, sequence, everything)
    recipes = still_drawn(recipes, document.matrices, edit.matrices)
    if recipe is not None:
        recipes = (*recipes, recipe)
    return replace(edit, recipes=None if recipes == document.recipes else recipes)


def matched(before: Sequence[str], after: Sequence[str]) -> Sources:
    """Return where each token was before, or `NEW`.

    Tokens of the same name are matched in their order: the first with the first.

    Parameters
    ----------
    before, after : sequence of str
        Two lists of tokens.

    Returns
    -------
    ndarray of int, shape (after,)
        Places in `before`.
    """
    places: dict[str, deque[int]] = defaultdict(deque)
    for place, token in enumerate(before):
        places[token].append(place)
    found = [places[token].popleft() if places[token] else NEW for token in after]
    return np.array(found, dtype=np.intp)


def destinations(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return where each token of a sequence is afterwards, by its place before.

    Tokens are matched by their names, see `matched`; where as many have gone as are
    new, they were renamed. Those that are there no longer are left out.
    """
    sources = matched(before, after).tolist()
    found = {source: place for place, source in enumerate(sources) if source != NEW}
    if len(before) == len(after):
        gone = [place for place in range(len(before)) if place not in found]
        new = [place for place, source in enumerate(sources) if source == NEW]
        found |= dict(zip(gone, new, strict=True))
    return found


def _parts(document: Document, sequence: SequenceName) -> tuple[tuple[str, ...], Array]:
    if not together_with(document, sequence):
        raise EditError(f"The '{sequence}' matrix must be there. Got none instead.")
    return tokens_of(document, sequence), document.matrix(sequence)


def _check_block(tokens: Sequence[str], start: int, count: int) -> None:
    if start < 0 or count < 1 or start + count > len(tokens):
        raise EditError(
            f"The tokens must lie among the {len(tokens)} of the sequence. "
            f"Got {count} from {start} on instead."
        )


def named(
    document: Document, sequence: SequenceName, tokens: tuple[str, ...], label: str
) -> Replace:
    """Return the edit that gives all tokens of a sequence other names."""
    if sequence in document.rows.tokens:
        return Replace(label, tokens=tokens)
    return Replace(label, context_tokens=tokens)


def _reordered(
    document: Document, sequence: SequenceName, sources: Sources, label: str
) -> Replace:
    before, _ = _parts(document, sequence)
    tokens = tuple(before[source] for source in sources)
    return _rearranged(document, sequence, sources, tokens, label)


def _rearranged(
    document: Document,
    sequence: SequenceName,
    sources: Sources,
    tokens: tuple[str, ...],
    label: str,
    whole: Mapping[SequenceName, Array] = MappingProxyType({}),
) -> Replace:
    """Return an edit.

    `sources` tell where each token was before, or `NEW`; `whole` are matrices that
    are known already.
    """
    spec, present = document.spec, document.matrices
    together = together_with(document, sequence)
    matrices: dict[str, Array | None] = {
        name: whole[name] if name in whole else _taken(present[name], sources, 0, 0.0)
        for name in together
    }
    queries, keys, _ = spec.sources
    axes = [axis for axis, of in enumerate((queries, keys)) if of in together]
    scores = tuple(map(len, document.labels))
    for name, new in ((BIAS, 0.0), (MASK, True)):
        if name in present and present[name].shape == scores and axes:
            matrix = present[name]
            for axis in axes:
                matrix = _taken(matrix, sources, axis, new)
            matrices[name] = matrix
    if keys in together and "S" in present:
        scores_now = matrices.get("S")
        given = present["S"] if scores_now is None else scores_now
        matrices["S"] = _keys_taken(given, sources, spec.n_heads)
    if queries in together and TABLE in present:
        lacking = len(tokens) - len(present[TABLE])
        if lacking > 0:
            matrices[TABLE] = np.pad(present[TABLE], ((0, lacking), (0, 0)))
    lengths = spec.key_lengths
    if keys in together and lengths is not None:
        spec = replace(spec, key_lengths=_at_most(lengths, len(tokens)))
    changed = spec if spec != document.spec else None
    edit = named(document, sequence, tokens, label)
    return replace(edit, matrices=matrices, spec=changed)


def _keys_taken(given: Array, sources: Sources, n_heads: int) -> Array:
    """Return given scores (n, h·n_k) with other keys in each head."""
    n_queries = len(given)
    heads = given.reshape(n_queries, n_heads, -1)  # (n, h, n_k)
    return _taken(heads, sources, 2, 0.0).reshape(n_queries, -1)


def _taken(matrix: Array, sources: Sources, axis: int, new: float) -> Array:
    taken = np.take(matrix, sources, axis)  # NEW takes the last, written over here
    taken[(slice(None),) * axis + (sources == NEW,)] = new
    return taken


def _at_most(lengths: PerItem, count: int) -> PerItem:
    if isinstance(lengths, tuple):
        return tuple(_at_most(length, count) for length in lengths)
    return min(lengths, count)
