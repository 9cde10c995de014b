"""Edits of the groups of a document's tokens."""

from collections.abc import Sequence
from itertools import takewhile

from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.found_groups import FOUND
from attnviewer.document.token_groups import (
    TokenGroup,
    groups_of_beginning,
    with_group,
)


def find_groups(document: Document, kind: str, label: str) -> Replace:
    """Return the edit that groups the tokens of all sequences as they show.

    Parameters
    ----------
    document : Document
        The document to edit.
    kind : str
        One of `FOUND`: ``words``, ``sentences``, ``segments`` or ``speakers``.
    label : str
        The edit's name in the undo history.

    Raises
    ------
    EditError
        If the tokens show no groups of that kind.
    """
    found = FOUND[kind](document.tokens), FOUND[kind](document.context_tokens)
    if not any(found):
        raise EditError(_WITHOUT[kind])
    return Replace(label, groups=found[0], context_groups=found[1])


def ungroup(label: str) -> Replace:
    """Return the edit that removes all groups."""
    return Replace(label, groups=(), context_groups=())


def group_tokens(
    document: Document,
    start: int,
    stop: int,
    name: str,
    label: str,
    *,
    keys: bool = False,
) -> Replace:
    """Return the edit that groups some neighbouring tokens under a name.

    Groups that share tokens with the new one are removed.

    Parameters
    ----------
    document : Document
        The document to edit.
    start, stop : int
        The first token, and the one after the last.
    name : str
        The group's name.
    label : str
        The edit's name in the undo history.
    keys : bool
        Whether the tokens are keys; those of a second sequence have other groups.
    """
    new = TokenGroup(name, start, stop)
    if keys and document.spec.context:
        groups = with_group(document.context_groups, new)
        return Replace(label, context_groups=groups)
    return Replace(label, groups=with_group(document.groups, new))


def take_groups(document: Document, other: Document) -> None:
    """Give a document the groups of another one, as far as both begin alike.

    Parameters
    ----------
    document : Document
        The document to change.
    other : Document
        The document with the groups.
    """
    common = _common(document.tokens, other.tokens)
    of_keys = _common(document.context_tokens, other.context_tokens)
    document.apply(
        Replace(
            "Take over groups",
            groups=groups_of_beginning(document.groups, other.groups, common),
            context_groups=groups_of_beginning(
                document.context_groups, other.context_groups, of_keys
            ),
        )
    )


def _common(tokens: Sequence[str], others: Sequence[str]) -> int:
    """Return how many tokens both begin with."""
    pairs = zip(tokens, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


_WITHOUT = {
    "words": (
        "The tokens must be spelt as tokenizers do to show words: with ## before the "
        "later parts of a word, or with ␣, Ġ or ▁ before its first part. "
        "Got none of these instead."
    ),
    "sentences": "The tokens must hold a word to show sentences. Got none instead.",
    "segments": (
        "The tokens must have a separator, such as [SEP] or </s>, to show segments. "
        "Got none instead."
    ),
    "speakers": (
        "The tokens must have a name with a colon after it at the beginning of a line "
        "or sentence to show speakers. Got none instead."
    ),
}
