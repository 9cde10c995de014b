"""A rule as lines of a loop over the keys, and as lines about whole matrices."""

from collections.abc import Mapping
from typing import ClassVar

from attnviewer.compute.expression import Expression, Named, Product
from attnviewer.compute.functions import Exponential, Logarithm
from attnviewer.compute.notation.printer import (
    BASE,
    FACTOR,
    PRODUCT,
    QUOTIENT,
    Form,
    Piece,
    Pieces,
    call,
    infix,
    plain_text,
)
from attnviewer.compute.notation.text import Text
from attnviewer.compute.rules import (
    KEYS,
    IsAt,
    RowMaximum,
    RowSum,
    RowWinner,
    Score,
    Symbol,
    Threshold,
    is_of_row,
)
from attnviewer.compute.walk.moves import Kind
from attnviewer.compute.walk.parts import name_of


class Lines(Text):
    """Lines of a loop.

    Parameters
    ----------
    parts : mapping of Expression to str
        The parts of the rule, with their kinds.
    source : str
        The step that holds the scores.
    temperature : float
        The divisor of the scores.
    index : str
        The suffix of names that are computed for each key.
    """

    forms: ClassVar[Mapping[type, Form]] = {
        **Text.forms,
        Exponential: call("exp"),
        Logarithm: call("log"),
        Product: infix(" · ", PRODUCT, FACTOR, PRODUCT),
    }
    reductions: ClassVar[Mapping[type, tuple[str, str]]] = {
        RowMaximum: ("max(", ")"),
        RowWinner: ("argmax(", ")"),
    }

    def __init__(
        self,
        parts: Mapping[Expression, Kind],
        source: str,
        temperature: float,
        index: str = "[j]",
    ) -> None:
        super().__init__({KEYS: "n"})
        self.parts = parts
        self._of = source, temperature
        self._index = index

    def line(self, part: Expression) -> str:
        """Return the line that computes a part."""
        name = self.name(part)
        body = part.body if isinstance(part, Named) else part
        if isinstance(body, Threshold):
            return f"{name} such that {self.threshold(body, name)}"
        written = self._written(body) if body is part else self.write(body)
        return f"{name} = {plain_text(written)}"

    def rule(self, rule: Expression) -> str:
        """Return the line that computes the weights."""
        return f"weights{self._index} = {plain_text(self.write(rule))}"

    def name(self, part: Expression) -> str:
        """Return the variable that holds a part."""
        name = name_of(part, self.parts[part])
        return name if is_of_row(part) else f"{name}{self._index}"

    def threshold(self, threshold: Threshold, name: str) -> str:
        """Return the condition that defines a threshold."""
        return f"Σⱼ {self._above(threshold, name)} = 1"

    def sum(self, term: Expression) -> Pieces:
        """Write a sum over the keys."""
        return (Piece("Σⱼ "), *self.operand(term, QUOTIENT))

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        if expression in self.parts:
            return (Piece(self.name(expression)),)
        return self._written(expression, leading=leading)

    def strength(self, expression: Expression) -> int:
        if isinstance(expression, Score) and self._of[1] != 1.0:
            return QUOTIENT
        if expression in self.parts or isinstance(expression, Symbol):
            return BASE
        return super().strength(expression)

    def _written(self, expression: Expression, *, leading: bool = True) -> Pieces:
        match expression:
            case Score():
                source, temperature = self._of
                divided = "" if temperature == 1.0 else f" / {temperature:g}"
                return (Piece(f"{source}{self._index}{divided}"),)
            case RowSum(term):
                return self.sum(term)
            case RowMaximum(term) | RowWinner(term):
                before, after = self.reductions[type(expression)]
                whole = type(self)(self.parts, *self._of, "")
                return (Piece(before), *whole.operand(term, QUOTIENT), Piece(after))
            case IsAt(index):
                return (Piece("1 if j = "), *self.write(index), Piece(", else 0"))
        return super().operation(expression, leading=leading)

    def _above(self, threshold: Threshold, name: str) -> str:
        square = "²" if threshold.power == 2 else ""
        term = plain_text(self.operand(threshold.term, QUOTIENT))
        return f"max(0, {term} − {name}){square}"


class MatrixLines(Lines):
    """Lines about whole matrices."""

    reductions: ClassVar[Mapping[type, tuple[str, str]]] = {
        RowMaximum: ("max over each row of ", ""),
        RowWinner: ("argmax over each row of ", ""),
    }

    def __init__(
        self,
        parts: Mapping[Expression, Kind],
        source: str,
        temperature: float,
        index: str = "",
    ) -> None:
        super().__init__(parts, source, temperature, index)

    def name(self, part: Expression) -> str:
        name = super().name(part)
        capital = len(name) == 1 and not is_of_row(part)
        return name.upper() if capital else name

    def threshold(self, threshold: Threshold, name: str) -> str:
        return f"each row of {self._above(threshold, name)} adds up to 1"

    def sum(self, term: Expression) -> Pieces:
        return (Piece("sum of each row of "), *self.operand(term, QUOTIENT))
