"""A rule filled with the numbers of one row, to be read and evaluated."""

from collections.abc import Callable, Set
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import (
    Difference,
    Exponential,
    Expression,
    Logistic,
    Maximum,
    Named,
    Number,
    Sum,
)
from attnviewer.compute.formula import largest_terms
from attnviewer.compute.rules.arrays import Rows
from attnviewer.compute.rules.symbols import (
    SCORE,
    Reduction,
    RowMaximum,
    RowSum,
    Symbol,
    is_of_row,
    nodes,
)


@dataclass(frozen=True, slots=True)
class WrittenRow:
    """A row of scores for which rules are written out.

    Parameters
    ----------
    scores : ndarray, shape (n_k,)
        The scores over the temperature; −inf where a key is masked.
    score : callable
        Returns how the score of a key is written.
    limit : int
        How many terms a sum may have.
    """

    scores: Array
    score: Callable[[int], Expression]
    limit: int

    def steps(self, rule: Expression, key: int) -> tuple[Expression, Expression]:
        """Write out the weight of a key, then once more with named parts as numbers.

        Where such a part belongs to single keys, such as an exponential, the sum that
        is made of it stays a sum, of numbers.
        """
        named = [node for node in nodes(rule) if isinstance(node, Named)]
        of_keys = {node for node in named if not is_of_row(node)}
        sums = {n for n in named if n not in of_keys and of_keys & {*nodes(n)}}
        return self.written(rule, key), self.written(rule, key, {*named} - sums)

    def written(
        self, node: Expression, key: int, as_numbers: Set[Expression] = frozenset()
    ) -> Expression:
        """Write out a node for a key, with some nodes as plain numbers."""

        def write(part: Expression, place: int = key) -> Expression:
            return self.written(part, place, as_numbers)

        if node == SCORE:
            return self.score(key)
        if node in as_numbers:
            return Number(self.written(node, key).evaluate())
        match node:
            case Number():
                return node
            case Named(body=body):
                constant = is_of_row(body) and not _reduces(body)
                return Number(write(body).evaluate()) if constant else write(body)
            case RowMaximum(term) if term == SCORE:
                return self.score(int(np.argmax(self.scores)))
            case RowSum():
                return self._total(node, write)
            case Symbol():
                return Number(float(self._values(node)[0]))
            case Maximum():
                return max(map(write, node.parts), key=lambda part: part.evaluate())
            case Sum():
                return _flat(list(map(write, node.terms)))
            case Logistic(argument):
                small = write(argument).evaluate() < 0
                return _logistic(write(argument), small=small, number=bool(as_numbers))
        return node.of(list(map(write, node.parts)))

    def _total(
        self, total: RowSum, write: Callable[[Expression, int], Expression]
    ) -> Sum:
        terms = self._values(total.term)  # (n_k,)
        # Masked keys add nothing, and are not written.
        keys = np.flatnonzero(~np.isneginf(self.scores))  # (number of open keys,)
        kept, omitted, remainder = largest_terms(terms[keys], self.limit)
        written = tuple(write(total.term, int(keys[k])) for k in kept)
        return Sum(written, omitted, remainder)

    def _values(self, node: Expression) -> Array:
        with np.errstate(all="ignore"):
            rows = Rows(self.scores[np.newaxis])  # of (1, n_k)
            values = np.broadcast_to(rows.value(node), (1, self.scores.size))
        return np.asarray(values[0])


def _reduces(rule: Expression) -> bool:
    return any(isinstance(node, Reduction) for node in nodes(rule))


def _flat(terms: list[Expression]) -> Sum:
    """Return one sum of all terms, with sums among them taken apart."""
    flat: list[Expression] = []
    omitted, remainder = 0, 0.0
    for term in terms:
        if isinstance(term, Sum):
            flat += term.terms
            omitted, remainder = omitted + term.omitted, remainder + term.remainder
        else:
            flat.append(term)
    return Sum(tuple(flat), omitted, remainder)


def _logistic(argument: Expression, *, small: bool, number: bool) -> Expression:
    """Write 1 / (1 + e^(−x)) or e^x / (1 + e^x), whichever power is at most 1."""
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
