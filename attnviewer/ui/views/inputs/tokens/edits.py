"""Edits of tokens, with their undo texts."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Array
from attnviewer.document import Document, Recipe, Replace
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.rows import SequenceName
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    next_names,
    remove_tokens,
    set_sentence,
)
from attnviewer.io import has_example_texts
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Tokens")

_WORDS_OF_LABEL, _WORDS_OF_TITLE = 3, 12


def sequence_at(document: Document, table: str) -> SequenceName | None:
    """Return the sequence whose tokens have rows in a table; None for other tables."""
    tables = document.rows._asdict()
    if table in tables:
        return next(iter(tables[table]), None)
    names = (name for names in tables.values() for name in names)
    return next((name for name in names if name == table), None)


def token_table(document: Document, sequence: SequenceName) -> str:
    """Return the name of the table of a sequence's tokens."""
    tables = document.rows._asdict()
    return next(table for table, names in tables.items() if sequence in names)


def bears_tokens(document: Document, matrix: str) -> bool:
    """Return whether the tokens are beside a matrix: the first of their sequence."""
    return any(matrix in names[:1] for names in document.rows)


def add_edit(document: Document, sequence: SequenceName, at: int) -> Replace:
    """Return the edit that inserts a token of zeros before an index."""
    names = next_names(tokens_of(document, sequence), 1)
    rows = np.zeros((1, document.matrix(sequence).shape[1]))
    label = _tr("Add token {name}").format(name=token_label(names[0]))
    return insert_tokens(document, sequence, at, names, rows, label)


def remove_edit(
    document: Document, sequence: SequenceName, start: int, count: int
) -> Replace:
    """Return the edit that removes tokens."""
    one, many = _tr("Remove token {name}"), _tr("Remove {count} tokens")
    label = _label(one, many, document, sequence, start, count)
    return remove_tokens(document, sequence, start, count, label)


def duplicate_edit(
    document: Document, sequence: SequenceName, start: int, count: int
) -> Replace:
    """Return the edit that duplicates tokens below themselves."""
    one, many = _tr("Duplicate token {name}"), _tr("Duplicate {count} tokens")
    label = _label(one, many, document, sequence, start, count)
    return duplicate_tokens(document, sequence, start, count, label)


def move_edit(
    document: Document, sequence: SequenceName, start: int, count: int, to: int
) -> Replace:
    """Return the edit that moves tokens; the first of them is at `to` afterwards."""
    one, many = _tr("Move token {name} to {to}"), _tr("Move {count} tokens to {to}")
    label = _label(one, many, document, sequence, start, count, to)
    return move_tokens(document, sequence, start, count, to, label)


def sentence_edit(
    document: Document,
    sequence: SequenceName,
    tokens: Sequence[str],
    rows: Array,
    recipe: Recipe | None,
) -> Replace:
    """Return the edit that replaces all tokens.

    Title and notes of a bundled example are about its own tokens: the sentence becomes
    the title, and the notes are removed.
    """
    label = _tr("Sentence: {words}").format(words=_first(tokens, _WORDS_OF_LABEL))
    edit = set_sentence(document, sequence, tokens, rows, label, recipe)
    before = tokens_of(document, sequence)
    if sequence == "X" and tuple(tokens) != before and has_example_texts(document):
        return replace(edit, title=_first(tokens, _WORDS_OF_TITLE), notes="")
    return edit


def _first(tokens: Sequence[str], count: int) -> str:
    words = " ".join(token_label(token) for token in tokens[:count])
    return words + "…" if len(tokens) > count else words


def _label(
    one: str,
    many: str,
    document: Document,
    sequence: SequenceName,
    start: int,
    count: int,
    to: int | None = None,
) -> str:
    name = token_label(tokens_of(document, sequence)[start])
    return (one if count == 1 else many).format(name=name, count=count, to=to)
