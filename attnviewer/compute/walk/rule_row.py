"""A rule applied to one row of scores: by a loop, by arrays, and in writing."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Difference, Expression, Named, Number, Sum
from attnviewer.compute.formula import largest_terms
from attnviewer.compute.rules import SCORE, Rows, RowSum, Score, Symbol, vanishes
from attnviewer.compute.trace import TERM_LIMIT
from attnviewer.compute.walk.moves import Kind
from attnviewer.compute.walk.parts import parts_of


class RuleRow:
    """A rule for one row of scores.

    Parameters
    ----------
    rule : Expression
        The rule.
    scores : ndarray, shape (n_k,)
        The scores over the temperature; −inf where a key is masked.
    score : callable
        Returns the written form of the score of a key.
    signed : bool
        Whether its weights may be negative. Otherwise they are all 0 where their sum
        is 0.

    Attributes
    ----------
    parts : mapping of Expression to str
        The parts in the order of computation, with their kinds.
    """

    def __init__(
        self,
        rule: Expression,
        scores: Array,
        score: Callable[[int], Expression],
        *,
        signed: bool,
    ) -> None:
        self.rule = rule
        self.parts = parts_of(rule)
        self.scores = scores
        self._score = score
        self._signed = signed
        self._masked = np.isneginf(scores)  # (n_k,)
        self._ones: Mapping[Expression, Kind] = {} if signed else self.parts

    @cached_property
    def _loop(self) -> Rows:
        return _Loop(self.scores[np.newaxis], self._ones)

    @cached_property
    def _arrays(self) -> Rows:
        return _Arrays(self.scores[np.newaxis], self._ones)

    def loop(self, part: Expression) -> Array:
        """Return a part as computed by a loop over the keys.

        The shape is (n_k,), or (1,) for a number of the row.
        """
        return self._values(self._loop, part)

    def arrays(self, part: Expression) -> Array:
        """Return the same as computed with arrays."""
        return self._values(self._arrays, part)

    def weights(self) -> Array:
        """Return the weights as computed by the loop, shape (n_k,)."""
        weights = np.broadcast_to(self.loop(self.rule), self.scores.shape)
        return np.where(self._masked, 0, weights)

    def written_part(self, part: Expression, key: int | None) -> tuple[Expression, ...]:
        """Write a part with the numbers of those before it."""
        body = part.body if isinstance(part, Named) else part
        if key is not None:
            if not np.isfinite(self.scores[key]):
                return ()
            return (self._opened(body, key),)
        if self.parts[part] != "sum":
            return ()
        total = self._opened(body, 0)
        if not self._signed and not total.evaluate():
            return ()
        return (total,)

    def written_weight(self, key: int) -> tuple[Expression, ...]:
        """Write a weight with the numbers of the parts."""
        if self._masked[key] and not vanishes(self.rule):
            return ()
        written = self._filled(self.rule, key)
        return () if isinstance(written, Number) else (written,)

    def _values(self, rows: Rows, part: Expression) -> Array:
        with np.errstate(all="ignore"):
            values = np.atleast_2d(rows.value(part))[0]
        return np.asarray(values, self.scores.dtype)  # (n_k,) or (1,)

    def _number(self, node: Expression, key: int) -> Number:
        values = self.loop(node)
        return Number(float(values[min(key, values.size - 1)]))

    def _filled(self, node: Expression, key: int) -> Expression:
        if node in self.parts:
            return self._number(node, key)
        if isinstance(node, Named):
            return self._opened(node.body, key)
        return self._opened(node, key)

    def _opened(self, node: Expression, key: int) -> Expression:
        match node:
            case Number():
                return node
            case Score():
                return self._score(key)
            case RowSum():
                return self._total([node])
            case Symbol():
                return self._number(node, key)
            case Sum(terms) if any(isinstance(term, RowSum) for term in terms):
                # The loop adds the terms that do not depend on a key last.
                return self._total(sorted(terms, key=lambda t: not _sums(t)))
        return node.of([self._filled(part, key) for part in node.parts])

    def _total(self, terms: list[Expression]) -> Sum:
        """Write a sum over the keys, and what is added to it."""
        pairs: list[tuple[Expression, int | None]] = []
        values: list[float] = []
        for term in terms:
            if isinstance(term, RowSum):
                seen = np.where(self._masked, 0, self.loop(term.term))  # (n_k,)
                values += seen.tolist()
                pairs += [(term.term, key) for key in range(seen.size)]
            else:
                values.append(self._number(term, 0).value)
                pairs.append((term, None))
        kept, omitted, rest = largest_terms(np.array(values), TERM_LIMIT)
        written = tuple(self._term(*pairs[k], values[k]) for k in kept)
        return Sum(written, omitted, rest)

    def _term(self, term: Expression, key: int | None, value: float) -> Expression:
        if key is None or term != SCORE or self._masked[key]:
            return Number(value)
        return self._score(key)


def _sums(term: Expression) -> bool:
    return isinstance(term, RowSum)


class _Arrays(Rows):
    """Rows in which infinite scores are taken in the limit, and no sum is 0.

    Parameters
    ----------
    scores : ndarray, shape (..., rows, n_k)
        The scores over the temperature.
    kinds : mapping of Expression to str
        The parts whose sums must not be 0.
    """

    def __init__(self, scores: Array, kinds: Mapping[Expression, Kind]) -> None:
        super().__init__(scores)
        self._kinds = kinds

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        values = super()._computed(node, parts)
        if isinstance(node, Difference) and np.isinf(parts[0]).any():
            left, right = parts
            # Nothing is left of the row's maximum, and a masked key stays masked.
            values = np.where(np.isposinf(left) & (left == right), 0, values)
            values = np.where(np.isneginf(left), -np.inf, values)
        if self._kinds.get(node) == "sum":
            values = np.where(values == 0, 1, values)
        return values


class _Loop(_Arrays):
    """The same with sums whose terms are added one by one."""

    def _computed(self, node: Expression, parts: list[Array]) -> Array:
        if isinstance(node, RowSum):
            terms = np.where(self._masked, 0, parts[0])  # (..., rows, n_k)
            return np.add.accumulate(terms, axis=-1)[..., -1:]  # (..., rows, 1)
        return super()._computed(node, parts)
