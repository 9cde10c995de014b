"""A rule in the field's symbols, such as ``e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)``."""

from attnviewer.compute.expression import Expression
from attnviewer.compute.notation.printer import (
    BARE,
    BASE,
    QUOTIENT,
    Piece,
    Pieces,
    plain_text,
)
from attnviewer.compute.notation.text import Text
from attnviewer.compute.rules.symbols import (
    SCORE,
    KeyCount,
    Named,
    RowMaximum,
    RowSum,
    Score,
    Symbol,
    Threshold,
    nodes,
)


def in_symbols(rule: Expression) -> str:
    """Write a rule, with the definitions of what it abbreviates behind it."""
    written = [_plain(rule)]
    for node in nodes(rule):
        if isinstance(node, Named) and node.symbol and node.body != RowMaximum(SCORE):
            written.append(f"{node.symbol} = {_plain(node.body)}")
    return ", ".join(written)


def _plain(rule: Expression) -> str:
    return plain_text(_Symbols("ⱼ").write(rule))


class _Symbols(Text):
    """Text for the key of an index."""

    def __init__(self, key: str) -> None:
        self._key = key

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        match expression:
            case Score():
                return (Piece(f"sᵢ{self._key}"),)
            case KeyCount():
                return (Piece("n"),)
            case Named(body=body, symbol=symbol):
                if not symbol:
                    return self.write(body, leading=leading)
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
            case Named(body=body, symbol=symbol):
                return BASE if symbol else self.strength(body)
            case Symbol():
                return BASE
        return super().strength(expression)
