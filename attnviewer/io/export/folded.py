"""Weights with groups of tokens folded, as exports write them."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviewer.compute import Folding, FoldRule, Span, spans_around
from attnviewer.document import Labels
from attnviewer.document.token_groups import TokenGroup


@dataclass(frozen=True, slots=True)
class FoldedWeights:
    """The combined rows and columns of the weights, with their names.

    Parameters
    ----------
    folding : Folding
        The spans and the rules.
    row_labels, column_labels : tuple of str
        The names of groups, and the tokens that are in none.
    """

    folding: Folding
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]

    @classmethod
    def of(
        cls,
        labels: Labels,
        query_groups: Sequence[TokenGroup],
        key_groups: Sequence[TokenGroup],
        query_rule: FoldRule = "mean",
        key_rule: FoldRule = "sum",
    ) -> "FoldedWeights":
        """Fold groups of the queries and of the keys.

        Parameters
        ----------
        labels : Labels
            The tokens.
        query_groups, key_groups : sequence of TokenGroup
            The groups to fold.
        query_rule, key_rule : str
            ``sum`` or ``mean``, see `Folding`.

        Raises
        ------
        ValueError
            If groups overlap, or are not among the tokens.
        """
        rows = _spans(labels.queries, query_groups)
        columns = _spans(labels.keys, key_groups)
        return cls(
            Folding(rows, columns, query_rule, key_rule),
            _names(labels.queries, query_groups, rows),
            _names(labels.keys, key_groups, columns),
        )

    def __str__(self) -> str:
        folding = self.folding
        groups = (
            f"{folding.row_rule} over the queries of a group",
            f"{folding.column_rule} over the keys of a group",
        )
        return ", ".join(groups)


def _spans(tokens: Sequence[str], groups: Sequence[TokenGroup]) -> tuple[Span, ...]:
    return spans_around(len(tokens), [(group.start, group.stop) for group in groups])


def _names(
    tokens: Sequence[str], groups: Sequence[TokenGroup], spans: tuple[Span, ...]
) -> tuple[str, ...]:
    names = {group.start: group.name for group in groups}
    return tuple(names.get(start, tokens[start]) for start, _ in spans)
