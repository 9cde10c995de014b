"""The parts of a rule that a walk computes one after another."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from attnviewer.compute.expression import Difference, Expression, Named
from attnviewer.compute.functions import Exponential
from attnviewer.compute.rules import (
    Reduction,
    RowMaximum,
    RowSum,
    RowWinner,
    Threshold,
    is_of_row,
    nodes,
)
from attnviewer.compute.walk.moves import Kind

_KINDS: dict[type[Reduction], Kind] = {
    RowSum: "sum",
    RowMaximum: "maximum",
    Threshold: "threshold",
    RowWinner: "winner",
}
_NAMES = {"largest": "m", "exponentials": "e", "tau": "τ"}
_UNNAMED = {"maximum": "m", "sum": "total", "threshold": "τ", "winner": "winner"}


@lru_cache(maxsize=64)
def parts_of(rule: Expression) -> Mapping[Expression, Kind]:
    """Return the parts of a rule in the order in which they are computed.

    They are its reductions of the row, with the expressions that share their name, and
    its named terms of each key.
    """
    kinds: dict[Expression, Kind] = {}
    included = set[Expression]()
    for node in nodes(rule):
        if not isinstance(node, Named) or node == rule:
            continue
        if not is_of_row(node):
            raised = isinstance(node.body, Exponential)
            kinds[node] = "exponentials" if raised else "terms"
        elif reductions := list(_reductions(node.body)):
            found = [_KINDS[type(reduction)] for reduction in reductions]
            kinds[node] = "sum" if "sum" in found else found[0]
            included.update(reductions)
    for node in nodes(rule):
        if isinstance(node, Reduction) and node not in included:
            kinds[node] = _KINDS[type(node)]
    return {node: kinds[node] for node in nodes(rule) if node in kinds}


def name_of(part: Expression, kind: Kind) -> str:
    """Return the variable of a part."""
    if isinstance(part, Named):
        return _NAMES.get(part.name, part.name)
    return _UNNAMED[kind]


def shift_of(rule: Expression) -> Expression | None:
    """Return the row's maximum if it is subtracted from exponents, else None."""
    parts = parts_of(rule)
    for node, kind in parts.items():
        if kind == "exponentials" and isinstance(node, Named):
            (exponent,) = node.body.parts
            right = exponent.right if isinstance(exponent, Difference) else exponent
            if parts.get(right) == "maximum":
                return right
    return None


def without(rule: Expression, shift: Expression) -> Expression:
    """Return the rule without the shift."""
    if isinstance(rule, Difference) and rule.right == shift:
        return without(rule.left, shift)
    return rule.of([without(part, shift) for part in rule.parts])


def _reductions(node: Expression) -> Iterator[Reduction]:
    """Yield the reductions of a node that are not those of a named part in it."""
    if isinstance(node, Named):
        return
    for part in node.parts:
        yield from _reductions(part)
    if isinstance(node, Reduction):
        yield node
