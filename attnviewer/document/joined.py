"""Composition of two edits."""

from dataclasses import replace

from attnviewer.document.edits import Replace


def joined(first: Replace, second: Replace) -> Replace | None:
    """Return the single edit that has the effect of two in succession.

    Parameters
    ----------
    first, second : Replace
        The edits.

    Returns
    -------
    Replace or None
        None if the second leaves the spec, tokens, recipes, texts, training, grid,
        groups or past variants as the first has made them.
    """
    named = second.spec, second.tokens, second.context_tokens
    texts = second.title, second.notes, second.training
    beside = second.grid, second.groups, second.context_groups
    if (
        None in named + texts + beside
        or second.recipes is None
        or second.past_variants is None
    ):
        return None
    return replace(second, matrices={**first.matrices, **second.matrices})
