"""A and B with the same groups of tokens folded."""

from collections.abc import Sequence

from attnviewer.compute import Folding, Span
from attnviewer.document import Comparison
from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.paint.folded_content import folding_of
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.folds import Folds, Side

Foldings = tuple[Folding | None, Folding | None]
"""How A and B are folded."""


def foldings_of(shown: DisplayedStep, comparison: Comparison) -> Foldings:
    """Return how a step of A and of B is folded, both alike; None if it is not."""
    folding = folding_of(shown.folds, shown)
    if folding is None:
        return None, None
    after, before = comparison.foldings(shown.step, folding)
    return before, after


def folds_of_before(
    shown: DisplayedStep, comparison: Comparison, foldings: Foldings
) -> Folds:
    """Return the groups of A: those of B that are folded, as they lie in A.

    A group has the name that it has in B if its tokens are the same, else its tokens.
    """
    folds, (before, after) = shown.folds, foldings
    if comparison.before.labels == comparison.after.labels:
        return folds
    if before is None or after is None:
        return Folds()
    labels = comparison.before.labels, comparison.after.labels
    queries = _led(folds, "queries", before.rows, after.rows, [x[0] for x in labels])
    keys = _led(folds, "keys", before.columns, after.columns, [x[1] for x in labels])
    folded: set[tuple[Side, TokenGroup]] = {("queries", group) for group in queries}
    folded |= {("keys", group) for group in keys}
    return Folds(queries, keys, frozenset(folded), folds.query_rule, folds.key_rule)


def _led(
    folds: Folds,
    side: Side,
    there: Sequence[Span],
    here: Sequence[Span],
    tokens: Sequence[Sequence[str]],
) -> tuple[TokenGroup, ...]:
    """Return the groups of A; `there` are lines of A, `here` those of B."""
    names = {group[1:]: group.name for own, group in folds.folded if own == side}
    before, after = tokens
    groups = []
    pairs = ([s for s in spans if s[1] - s[0] > 1] for spans in (there, here))
    for span, own in zip(*pairs, strict=True):
        words = before[slice(*span)]
        same = words == after[slice(*own)]
        name = names[own] if same else " ".join(words)
        groups.append(TokenGroup(name, *span))
    return tuple(groups)
