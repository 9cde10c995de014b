"""The folded groups of tokens, and how their numbers are combined."""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Axis, Folding, FoldRule, Span, spans_around
from attnviewer.document import Document, Labels
from attnviewer.document.rearranging import destinations
from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.text.tokens import lines_along, token_line

Groups: TypeAlias = tuple[TokenGroup, ...]
Side: TypeAlias = Literal["queries", "keys"]


@dataclass(frozen=True, slots=True)
class Bracket:
    """A group of tokens over the lines that show it.

    Parameters
    ----------
    group : TokenGroup
        The group.
    first, last : int
        Its first and its last row or column, as they are shown.
    folded : bool
        Whether it is a single one.
    """

    group: TokenGroup
    first: int
    last: int
    folded: bool


@dataclass(frozen=True, slots=True)
class Folds:
    """The groups of the queries and of the keys, and which are folded.

    Parameters
    ----------
    queries, keys : tuple of TokenGroup
        The groups.
    folded : frozenset of (Side, TokenGroup)
        Those that count as one.
    query_rule, key_rule : str
        How rows and columns of a folded group are combined, see `Folding`.
    """

    queries: Groups = ()
    keys: Groups = ()
    folded: frozenset[tuple[Side, TokenGroup]] = frozenset()
    query_rule: FoldRule = "mean"
    key_rule: FoldRule = "sum"

    def along(self, axis: Axis, count: int) -> Groups:
        """Return the groups along an axis, without those that an edit left behind.

        Parameters
        ----------
        axis : Axis
            The axis.
        count : int
            How many tokens it has in the numbers that are shown.
        """
        if axis == "features":
            return ()
        groups = self.keys if axis == "keys" else self.queries
        return tuple(group for group in groups if group.stop <= count)

    def at(self, axis: Axis, index: int) -> list[tuple[Side, TokenGroup]]:
        """Return the group of a row or column, with its side; none if it has none."""
        side: Side = "keys" if axis == "keys" else "queries"
        groups = () if axis == "features" else getattr(self, side)
        return [(side, group) for group in groups if index in range(*group[1:])]

    def spans(self, side: Side, count: int) -> tuple[Span, ...]:
        """Return the lines of a side, where each folded group is one."""
        groups = self.along(side, count)
        folded = [g for g in groups if (side, g) in self.folded]
        return spans_around(count, [(group.start, group.stop) for group in folded])

    def names(
        self, side: Side, tokens: tuple[str, ...], spans: tuple[Span, ...]
    ) -> tuple[str, ...]:
        """Return what lines are called: a folded group by its name.

        Parameters
        ----------
        side : str
            ``queries`` or ``keys``.
        tokens : tuple of str
            What the tokens are called.
        spans : tuple of (int, int)
            The tokens of each line.
        """
        named = {g[1:]: token_line(g.name) for s, g in self.folded if s == side}
        return tuple(named.get(span, tokens[span[0]]) for span in spans)

    def weight_names(
        self, labels: Labels, folding: Folding
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what the rows and columns of folded weights are called."""
        rows = lines_along("queries", labels, folding.rows[-1][1])
        columns = lines_along("keys", labels, folding.columns[-1][1])
        return (
            self.names("queries", rows, folding.rows),
            self.names("keys", columns, folding.columns),
        )

    def folding(self, shape: tuple[int, int]) -> Folding | None:
        """Return how weights of a shape are folded; None if they are not."""
        if not self.folded:
            return None
        spans = self.spans("queries", shape[0]), self.spans("keys", shape[1])
        return Folding(*spans, self.query_rule, self.key_rule)


def line_of(spans: tuple[Span, ...], token: int) -> int:
    """Return the line that shows a token."""
    return bisect_right(spans, token, key=lambda span: span[0]) - 1


NO_FOLDS = Folds()
"""No groups."""


def _is_moved(before: TokenGroup, after: TokenGroup, moved: Mapping[int, int]) -> bool:
    """Return whether a group is an earlier one, whose tokens may have moved."""
    tokens = range(before.start, before.stop)
    return before.name == after.name and any(
        after.start <= moved.get(token, -1) < after.stop for token in tokens
    )


class FoldModel(QObject):
    """The folds of the open document.

    Attributes
    ----------
    changed : Signal
        Other groups are folded, or combined in another way.
    """

    changed = Signal()

    def __init__(
        self, document: Callable[[], Document], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._folds = Folds()
        self._followed = document()
        self._labels = self._followed.labels
        self.follow()

    @property
    def current(self) -> Folds:
        """The folds."""
        return self._folds

    @Slot()
    def follow(self) -> None:
        """Take over the groups of the document; groups that are gone are open."""
        document, before = self._document(), self._labels
        self._labels = labels = document.labels
        groups: dict[Side, Groups] = {
            "queries": document.groups,
            "keys": document.key_groups,
        }
        if document is not self._followed:
            before = labels
        self._followed = document
        folded: set[tuple[Side, TokenGroup]] = set()
        for side, found in groups.items():
            was = {g for s, g in self._folds.folded if s == side}
            if not was:
                continue
            moved = destinations(before.of(side), labels.of(side))
            folded.update(
                (side, group)
                for group in found
                if any(_is_moved(each, group, moved) for each in was)
            )
        self._set(
            replace(
                self._folds,
                queries=groups["queries"],
                keys=groups["keys"],
                folded=frozenset(folded),
            )
        )

    def toggle(self, side: Side, group: TokenGroup) -> None:
        """Fold a group of the queries or of the keys, or open it."""
        self._set(replace(self._folds, folded=self._folds.folded ^ {(side, group)}))

    def toggle_at(self, axes: tuple[Axis, Axis], cell: tuple[int, int]) -> bool:
        """Fold the groups of a cell's row and column, or open them if all are folded.

        Return whether there are any.

        Parameters
        ----------
        axes : tuple of two Axis
            What rows and columns of its step stand for.
        cell : tuple of two int
            The cell.
        """
        here: set[tuple[Side, TokenGroup]] = set()
        for axis, index in zip(axes, cell, strict=True):
            here.update(self._folds.at(axis, index))
        folded = self._folds.folded
        folded = folded - here if here <= folded else folded | here
        self._set(replace(self._folds, folded=folded))
        return bool(here)

    def fold_all(self) -> None:
        """Fold all groups of both sides."""
        folds = self._folds
        every: set[tuple[Side, TokenGroup]] = {("queries", g) for g in folds.queries}
        every |= {("keys", group) for group in folds.keys}
        self._set(replace(folds, folded=frozenset(every)))

    def open_all(self) -> None:
        """Open all groups."""
        self._set(replace(self._folds, folded=frozenset()))

    def combine(self, side: Side, rule: FoldRule) -> None:
        """Choose how the rows or columns of folded groups are combined."""
        if side == "queries":
            self._set(replace(self._folds, query_rule=rule))
        else:
            self._set(replace(self._folds, key_rule=rule))

    def _set(self, folds: Folds) -> None:
        if folds != self._folds:
            self._folds = folds
            self.changed.emit()
