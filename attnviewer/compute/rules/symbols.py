"""The symbols of rules: scores, numbers of a row, and entries of columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from attnviewer.compute.expression import Expression


class Symbol(Expression):
    """A symbol, which has a value only when its rule is applied to a row or column."""

    __slots__ = ()

    def evaluate(self) -> float:
        raise TypeError(f"{self!r} has a value only where its rule is applied.")

    def of(self, parts: Sequence[Expression]) -> Self:
        return type(self)(*parts)


@dataclass(frozen=True, slots=True)
class Score(Symbol):
    """The score of the key whose weight is computed, over the temperature."""


@dataclass(frozen=True, slots=True)
class KeyCount(Symbol):
    """The number of keys in the whole row, masked ones included."""


@dataclass(frozen=True, slots=True)
class Reduction(Symbol):
    """A number of the whole row: its terms reduced, those of masked keys left out."""

    term: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.term,)


class RowSum(Reduction):
    """The sum of the terms; 0 where every key is masked."""

    __slots__ = ()


class RowMaximum(Reduction):
    """The largest term; −∞ where every key is masked."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Threshold(Reduction):
    """The τ for which ``max(0, term − τ)^power`` adds up to 1.

    The largest term must be 0.
    """

    power: int

    def of(self, parts: Sequence[Expression]) -> Self:
        return type(self)(parts[0], self.power)


class RowWinner(Reduction):
    """The position of the first key with the largest term; 0 where all are masked."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IsAt(Symbol):
    """1 for the key at a position, 0 for all others; a masked key has no weight."""

    index: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.index,)


@dataclass(frozen=True, slots=True)
class Entry(Symbol):
    """The entry of the query, of the key or of a weight of the score in a column.

    Parameters
    ----------
    side : str
        ``query``, ``key``, or the name of the weight.
    """

    side: str


@dataclass(frozen=True, slots=True)
class Sink(Symbol):
    """The logit of the head's sink, which the temperature does not divide."""


SCORE, KEYS, SINK = Score(), KeyCount(), Sink()
QUERY: Expression = Entry("query")
KEY: Expression = Entry("key")


@lru_cache(maxsize=64)
def nodes(rule: Expression) -> tuple[Expression, ...]:
    """Return every node of a rule once, operands first."""
    found: dict[Expression, None] = {}

    def walk(node: Expression) -> None:
        if node not in found:
            for part in node.parts:
                walk(part)
            found[node] = None

    walk(rule)
    return tuple(found)


def numbers_of_rows(rule: Expression) -> list[Expression]:
    """Return the numbers of a row that a rule uses, operands first."""
    return [node for node in nodes(rule) if isinstance(node, Reduction | KeyCount)]


def is_of_row(node: Expression) -> bool:
    """Return whether a node is the same for every key of a row."""
    if isinstance(node, Reduction | KeyCount):
        return True
    if isinstance(node, Score | IsAt):
        return False
    return all(map(is_of_row, node.parts))
