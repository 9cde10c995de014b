"""A rule written out with the numbers of one row."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import (
    Difference,
    Expression,
    Maximum,
    Named,
    Number,
    Operation,
    Sum,
)
from attnviewer.compute.formula import largest_terms
from attnviewer.compute.functions import Exponential, Logistic
from attnviewer.compute.rules.arrays import Rows
from attnviewer.compute.rules.symbols import (
    Reduction,
    RowMaximum,
    RowSum,
    Score,
    Symbol,
    is_of_row,
    nodes,
)

_Steps = tuple[Expression, Expression]
"""An expression written out, and the same with named parts as numbers."""


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of scores for which rules are written out.

    Parameters
    ----------
    scores : ndarray, shape (n_k,)
        The scores over the temperature; −inf where a key is masked.
    score : callable
        Returns the written form of the score of a key.
    limit : int
        How many terms a sum may have.
    """

    scores: Array
    score: Callable[[int], Expression]
    limit: int

    def steps(self, rule: Expression, key: int) -> _Steps:
        """Write out the weight of a key, then once more with named parts as numbers.

        Where such a part belongs to single keys, such as an exponential, its sum
        remains a sum of numbers.
        """
        plan = _plan(rule)
        return _Writer(self, plan).write(plan.rule, key)

    @property
    def winner(self) -> int:
        """The key with the largest score."""
        return int(np.argmax(self.scores))

    def values(self, node: Expression) -> Array:
        """Return the value of a node for every key, shape (n_k,)."""
        with np.errstate(all="ignore"):
            rows = Rows(self.scores[np.newaxis])  # of (1, n_k)
            values = rows.value(node)  # (1, n_k), (1, 1) or ()
        if values.shape != (1, self.scores.size):
            values = np.broadcast_to(values, (1, self.scores.size))
        return np.asarray(values[0])


@dataclass(frozen=True, slots=True)
class _Plan:
    """The written form of nodes, by their identity, as comparing them is slow.

    Parameters
    ----------
    rule : Expression
        The rule, whose nodes they are.
    parts : frozenset of int
        The named parts that become numbers in the second step.
    constants : frozenset of int
        The named parts that depend on no score, and are always numbers.
    of_row : frozenset of int
        The nodes that are the same for every key.
    """

    rule: Expression
    parts: frozenset[int]
    constants: frozenset[int]
    of_row: frozenset[int]


@lru_cache(maxsize=64)
def _plan(rule: Expression) -> _Plan:
    every = list(_occurrences(rule))
    named = [node for node in every if isinstance(node, Named)]
    of_keys = {node for node in named if not is_of_row(node)}
    sums = {n for n in named if n not in of_keys and of_keys & {*nodes(n)}}
    return _Plan(
        rule,
        frozenset(id(node) for node in named if node not in sums),
        frozenset(id(n) for n in named if is_of_row(n) and not _reduces(n)),
        frozenset(id(node) for node in every if is_of_row(node)),
    )


def _occurrences(node: Expression) -> Iterator[Expression]:
    yield node
    for part in node.parts:
        yield from _occurrences(part)


class _Writer:
    """Writes nodes of a rule for the keys of a row, in both steps at once."""

    def __init__(self, row: WrittenRow, plan: _Plan) -> None:
        self._row = row
        self._plan = plan
        self._written: dict[int, _Steps] = {}
        self._winner = row.winner

    def write(self, node: Expression, key: int) -> _Steps:
        """Write a node for a key; one of the whole row only once."""
        index = id(node)
        if index not in self._plan.of_row:
            return self._new(node, key)
        if index not in self._written:
            self._written[index] = self._new(node, key)
        return self._written[index]

    def _new(self, node: Expression, key: int) -> _Steps:
        match node:
            case Named():
                return self._named(node, key)
            case Operation():
                long, short = zip(
                    *[self.write(part, key) for part in node.parts], strict=True
                )
                numbers = bool(self._plan.parts)
                return _filled(node, long), _filled(node, short, numbers=numbers)
            case RowSum():
                return self._total(node)
            case Score():
                found = self._row.score(key)
            case RowMaximum(term) if isinstance(term, Score):
                found = self._row.score(self._winner)
            case Symbol():
                found = Number(float(self._row.values(node)[0]))
            case _:
                found = node
        return found, found

    def _named(self, node: Named, key: int) -> _Steps:
        index, (long, short) = id(node), self.write(node.body, key)
        if index in self._plan.parts:
            short = Number(short.evaluate())
        if index in self._plan.constants:
            return short, short
        # An abbreviation remains one where it is written out.
        return (Named(node.name, long, node.symbol) if node.symbol else long), short

    def _total(self, total: RowSum) -> _Steps:
        # Masked keys add nothing, and are not written.
        keys = np.flatnonzero(~np.isneginf(self._row.scores))  # (open keys,)
        omitted, remainder = 0, 0.0
        if keys.size > self._row.limit:
            terms = self._row.values(total.term)[keys]  # (open keys,)
            kept, omitted, remainder = largest_terms(terms, self._row.limit)
            keys = keys[kept]  # (limit,)
        written = [self.write(total.term, key) for key in keys.tolist()]
        long, short = zip(*written, strict=True) if written else ((), ())
        return Sum(long, omitted, remainder), Sum(short, omitted, remainder)


def _filled(
    node: Expression, parts: Sequence[Expression], *, numbers: bool = False
) -> Expression:
    """Return an operation on written operands, some possibly as numbers."""
    kind = type(node)
    if kind is Maximum:
        return max(parts, key=lambda part: part.evaluate())
    if kind is Sum:
        return _flat(parts)
    if kind is Logistic:
        return _logistic(parts[0], number=numbers)
    return node.of(parts)


def _reduces(rule: Expression) -> bool:
    return any(isinstance(node, Reduction) for node in nodes(rule))


def _flat(terms: Sequence[Expression]) -> Sum:
    """Return one sum of all terms, with nested sums flattened."""
    flat: list[Expression] = []
    omitted, remainder = 0, 0.0
    for term in terms:
        if isinstance(term, Sum):
            flat += term.terms
            omitted, remainder = omitted + term.omitted, remainder + term.remainder
        else:
            flat.append(term)
    return Sum(tuple(flat), omitted, remainder)


def _logistic(argument: Expression, *, number: bool) -> Expression:
    """Write 1 / (1 + e^(−x)) or e^x / (1 + e^x), whichever power is at most 1."""
    small = argument.evaluate() < 0
    if not small:
        opposite = 0 - argument
        if isinstance(argument, Difference):
            opposite = Difference(argument.right, argument.left)
        argument = opposite
    power: Expression = Exponential(argument)
    if number:
        power = Number(power.evaluate())
    one = Number(1.0)
    return (power if small else one) / Sum((one, power))
