"""A rule in mathematical symbols, such as ``e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)``."""

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from attnviewer.compute.expression import Expression, Named, Product
from attnviewer.compute.notation.printer import (
    BARE,
    BASE,
    FACTOR,
    PRODUCT,
    QUOTIENT,
    Form,
    Piece,
    Pieces,
    infix,
    plain_text,
)
from attnviewer.compute.notation.text import Text
from attnviewer.compute.rules.symbols import (
    KEYS,
    SCORE,
    SINK,
    KeyCount,
    RowMaximum,
    RowSum,
    Symbol,
    Threshold,
    nodes,
)


@lru_cache(maxsize=64)
def in_symbols(rule: Expression) -> str:
    """Write a rule, followed by the definitions of its abbreviations."""
    written = [_plain(rule)]
    for node in nodes(rule):
        if isinstance(node, Named) and node.symbol and node.body != RowMaximum(SCORE):
            written.append(f"{node.symbol} = {_plain(node.body)}")
    return ", ".join(written)


def _plain(rule: Expression) -> str:
    return plain_text(_Symbols("ⱼ").write(rule))


class _Symbols(Text):
    """Text with scores of a key with a given index."""

    def __init__(self, key: str) -> None:
        super().__init__({SCORE: f"sᵢ{key}", KEYS: "n", SINK: "b"})
        self._key = key

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        match expression:
            case Named(symbol=symbol) if symbol:
                return (Piece(symbol.replace("ⱼ", self._key)),)
            case RowSum(term) | RowMaximum(term):
                sign = "Σₖ " if isinstance(expression, RowSum) else "maxₖ "
                return (Piece(sign), *_Symbols("ₖ").operand(term, QUOTIENT))
            case Threshold():
                return (Piece("τᵢ"),)
        return super().operation(expression, leading=leading)

    def strength(self, expression: Expression) -> int:
        match expression:
            case KeyCount():
                return BARE
            case Named(symbol=symbol) if symbol:
                return BASE
            case Symbol():
                return BASE
        return super().strength(expression)


def term_symbols(term: Expression, names: Mapping[Expression, str]) -> str:
    """Write a term of a score, with its symbols under the given names."""
    return plain_text(_Term(names).operand(term, QUOTIENT))


class _Term(Text):
    """Text with spaces around the sign of a product."""

    forms: ClassVar[Mapping[type, Form]] = {
        **Text.forms,
        Product: infix(" · ", PRODUCT, FACTOR, PRODUCT),
    }
