"""Edits of the tokens of a sequence: added, removed, copied, moved and renamed."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import count as counting

import numpy as np

from attnviewer.compute import Array
from attnviewer.document.document import Document
from attnviewer.document.drawing.recipe import Recipe, overwritten, still_drawn
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.rearranging import (
    NEW,
    matched,
    named,
    rearranged,
    reordered,
    take_or_fill,
    tokens_and_matrix,
    tokens_of,
)
from attnviewer.document.region import Region
from attnviewer.document.rows import EMBEDDED, SequenceName

_NUMBERED = re.compile(r"(.*[ _])([0-9]{1,9})", re.DOTALL)
_COPY = re.compile(r" \([0-9]{1,9}\)\Z")


def next_names(tokens: Sequence[str], count: int) -> tuple[str, ...]:
    """Return names for new tokens.

    They continue the numbers of the tokens ("word 4", then "word 5"); if none is
    numbered, they are named by position, such as "token 3".
    """
    prefix, number = "token ", len(tokens)
    numbered = [match for token in tokens if (match := _NUMBERED.fullmatch(token))]
    if numbered:
        prefix = numbered[-1][1]
        number = 1 + max(int(match[2]) for match in numbered if match[1] == prefix)
    return tuple(f"{prefix}{index}" for index in range(number, number + count))


def _copy_name(token: str, in_use: Collection[str]) -> str:
    """Return an unused name for a copy of a token."""
    base = _COPY.sub("", token)
    names = (f"{base} ({number})" for number in counting(2))
    return next(name for name in names if name not in in_use)


def insert_tokens(
    document: Document,
    sequence: SequenceName,
    at: int,
    tokens: Sequence[str],
    rows: Array,
    label: str,
) -> Replace:
    """Return the edit that inserts tokens at a position.

    Parameters
    ----------
    document : Document
        The document to edit.
    sequence : str
        The matrix that gets the rows; others with rows of the same tokens get zeros.
    at : int
        The position of the first new token; the number of tokens to append.
    tokens : sequence of str
        Their names.
    rows : ndarray, shape (new, features)
        Their embeddings, or given queries, keys or values.
    label : str
        The edit's name in the undo history.

    Raises
    ------
    EditError
        If there is no such sequence or position, or the rows do not fit.
    """
    before, matrix = tokens_and_matrix(document, sequence)
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
    whole = take_or_fill(matrix, sources, 0, 0.0)  # (n + new, features)
    whole[at : at + len(tokens)] = rows
    return rearranged(document, sequence, sources, names, label, {sequence: whole})


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
    """Return the edit that removes neighbouring tokens.

    Raises
    ------
    EditError
        If they are not there, or are all there are.
    """
    before, _ = tokens_and_matrix(document, sequence)
    _check_block(before, start, count)
    if count == len(before):
        which = "The last token" if count == 1 else "All tokens together"
        raise EditError(f"{which} cannot be removed: a sequence needs at least one.")
    sources = np.delete(np.arange(len(before)), np.s_[start : start + count])
    return reordered(document, sequence, sources, label)


def duplicate_tokens(
    document: Document, sequence: SequenceName, start: int, count: int, label: str
) -> Replace:
    """Return the edit that inserts copies of neighbouring tokens after them.

    A copy has the mask and bias of its original. Its name is that of the original
    followed by a number, such as "cat (2)".

    Raises
    ------
    EditError
        If they are not there.
    """
    before, _ = tokens_and_matrix(document, sequence)
    _check_block(before, start, count)
    block = np.arange(start, start + count)
    sources = np.insert(np.arange(len(before)), start + count, block)
    end, in_use, copies = start + count, set(before), []
    for token in before[start:end]:
        copies.append(_copy_name(token, in_use))
        in_use.add(copies[-1])
    tokens = (*before[:end], *copies, *before[end:])
    return rearranged(document, sequence, sources, tokens, label)


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
        The document to edit.
    sequence : str
        The sequence.
    start, count : int
        The tokens.
    to : int
        The new position of the first of them.
    label : str
        The edit's name in the undo history.

    Raises
    ------
    EditError
        If they are not there, or there is no such position.
    """
    before, _ = tokens_and_matrix(document, sequence)
    _check_block(before, start, count)
    last = len(before) - count
    if not 0 <= to <= last:
        raise EditError(f"The 'to' must be from 0 to {last}. Got {to} instead.")
    others = np.delete(np.arange(len(before)), np.s_[start : start + count])
    sources = np.insert(others, to, np.arange(start, start + count))
    return reordered(document, sequence, sources, label)


def rename_token(
    document: Document, sequence: SequenceName, row: int, token: str, label: str
) -> Replace:
    """Return the edit that renames a token.

    Raises
    ------
    EditError
        If there is no such token.
    """
    before, _ = tokens_and_matrix(document, sequence)
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
    """Return the edit that replaces all tokens of a sequence.

    Bias and mask follow the tokens that stay, see `matched`. The embeddings' recipes
    are dropped.

    Parameters
    ----------
    document : Document
        The document to edit.
    sequence : str
        ``X`` or ``context``.
    tokens : sequence of str
        The new tokens.
    rows : ndarray, shape (tokens, features)
        Their embeddings.
    label : str
        The edit's name in the undo history.
    recipe : Recipe, optional
        How the embeddings were drawn.

    Raises
    ------
    EditError
        If there is no such sequence, or the rows do not fit; also where queries, keys
        and values are given, as those of the new tokens are unknown.
    """
    before, matrix = tokens_and_matrix(document, sequence)
    if sequence not in EMBEDDED:
        raise EditError(
            "The tokens must have embeddings to get others by a sentence. Got queries, "
            "keys and values that are given instead."
        )
    sources = matched(before, tokens)
    whole = {sequence: rows}
    edit = rearranged(document, sequence, sources, tuple(tokens), label, whole)
    everything = Region(0, 0, *matrix.shape)
    recipes = overwritten(document.recipes, sequence, everything)
    recipes = still_drawn(recipes, document.matrices, edit.matrices)
    if recipe is not None:
        recipes = (*recipes, recipe)
    return replace(edit, recipes=None if recipes == document.recipes else recipes)


def _check_block(tokens: Sequence[str], start: int, count: int) -> None:
    if start < 0 or count < 1 or start + count > len(tokens):
        raise EditError(
            f"The tokens must lie among the {len(tokens)} of the sequence. "
            f"Got {count} from {start} on instead."
        )
