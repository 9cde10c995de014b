"""What a rule for a row of scores is made of, beside operations on numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from attnviewer.compute.expression import Expression


class Symbol(Expression):
    """What stands for a number until the rule is applied to a row."""

    __slots__ = ()

    def evaluate(self) -> float:
        raise TypeError(f"{self!r} is a number only in a row of scores.")

    def of(self, parts: Sequence[Expression]) -> Self:
        return type(self)(*parts)


@dataclass(frozen=True, slots=True)
class Score(Symbol):
    """The score of the key whose weight is asked for, over the temperature."""


@dataclass(frozen=True, slots=True)
class KeyCount(Symbol):
    """How many keys the whole row has, masked ones included."""


@dataclass(frozen=True, slots=True)
class Reduction(Symbol):
    """A number of the whole row, made of a term for each key that is not masked."""

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
    """The place of the first key with the largest term."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IsAt(Symbol):
    """1 for the key at a place of the row, 0 for the others and for a masked one."""

    place: Expression

    @property
    def parts(self) -> tuple[Expression, ...]:
        return (self.place,)


@dataclass(frozen=True, slots=True)
class Entry(Symbol):
    """A number of a column: of the query, of the key, or of a weight of the score.

    Parameters
    ----------
    side : str
        ``query``, ``key``, or the name of the weight.
    """

    side: str


SCORE, KEYS = Score(), KeyCount()
QUERY: Expression = Entry("query")
KEY: Expression = Entry("key")


def nodes(rule: Expression) -> Iterator[Expression]:
    """Yield every node of a rule once, what it is made of before it."""
    seen = set[Expression]()

    def walk(node: Expression) -> Iterator[Expression]:
        if node in seen:
            return
        for part in node.parts:
            yield from walk(part)
        seen.add(node)
        yield node

    return walk(rule)


def numbers_of_rows(rule: Expression) -> list[Expression]:
    """Return what a row must know of itself, in the order in which it follows."""
    return [node for node in nodes(rule) if isinstance(node, Reduction | KeyCount)]


def is_of_row(node: Expression) -> bool:
    """Tell whether a node is the same for every key of a row."""
    if isinstance(node, Reduction | KeyCount):
        return True
    if isinstance(node, Score | IsAt):
        return False
    return all(map(is_of_row, node.parts))
