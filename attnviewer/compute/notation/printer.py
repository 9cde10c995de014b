"""The printer of expressions, with the parentheses that are needed."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple

from attnviewer.compute.expression import Cell, Expression, Named, Number, Sum

# How tightly an expression binds. An operand that binds less tightly than required
# gets parentheses; with ANY, the surrounding signs delimit it.
ANY, SUM, QUOTIENT, PRODUCT, FACTOR, BASE, BARE = range(7)


class Piece(NamedTuple):
    """A piece of a written expression.

    Parameters
    ----------
    text : str
        Its characters.
    cell : Cell or None
        The cell that holds the number.
    kind : str
        ``number``, ``sign``, ``remainder`` for combined terms, ``value`` for the result
        of a formula, or ``note``.
    """

    text: str
    cell: Cell | None = None
    kind: Literal["number", "sign", "remainder", "value", "note"] = "sign"


Pieces = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """The notation of one kind of operation.

    Parameters
    ----------
    texts : tuple of str
        The text before, between and after its operands.
    operands : tuple of int
        How tightly each operand must bind.
    strength : int
        How tightly the whole binds.

    Attributes
    ----------
    signs : tuple of pieces
        The texts as pieces; none for an empty text.
    """

    texts: tuple[str, ...]
    operands: tuple[int, ...]
    strength: int
    signs: tuple[Pieces, ...] = field(init=False)

    def __post_init__(self) -> None:
        signs = tuple((Piece(text),) if text else () for text in self.texts)
        object.__setattr__(self, "signs", signs)


def infix(sign: str, left: int, right: int, strength: int) -> Form:
    """Return the form of two operands around a sign."""
    return Form(("", sign, ""), (left, right), strength)


def call(name: str, *, opening: str = "(", closing: str = ")") -> Form:
    """Return the form of a function of one operand."""
    return Form((f"{name}{opening}", closing), (ANY,), BASE)


class Notation(ABC):
    """A notation: a form for each operation, and for numbers.

    Parameters
    ----------
    names : mapping of Expression to str
        The names of some expressions, such as the symbols of a rule.
    """

    @property
    @abstractmethod
    def forms(self) -> Mapping[type, Form]:
        """The notation of each operation."""

    plus: ClassVar[str] = " + "
    minus: ClassVar[str] = " - "
    parentheses: ClassVar[tuple[str, str]] = ("(", ")")

    def __init__(self, names: Mapping[Expression, str] | None = None) -> None:
        self.names = names or {}

    @abstractmethod
    def number(self, number: Number) -> Pieces:
        """Write a number; a negative one with its sign, but no parentheses."""

    @abstractmethod
    def number_strength(self, number: Number) -> int:
        """Return how tightly a written number binds."""

    def is_negative(self, number: Number) -> bool:
        """Return whether a number has a sign, which may need parentheses."""
        return number.value < 0

    def remainder(self, total: Sum) -> Pieces:
        """Write the terms that a sum leaves out.

        Raises
        ------
        ValueError
            If the notation has no words for them, as by default.
        """
        raise ValueError(f"{type(self).__name__} cannot leave out terms of a sum.")

    def write(self, expression: Expression, *, leading: bool = True) -> Pieces:
        """Write an expression.

        Parameters
        ----------
        expression : Expression
            The expression.
        leading : bool
            Whether nothing is written before it, so that a negative number needs no
            parentheses.
        """
        if isinstance(expression, Number):
            pieces = self.number(expression)
            bare = leading or not self.is_negative(expression)
            return pieces if bare else self._parenthesised(pieces)
        if isinstance(expression, Sum):
            return self._sum(expression, leading=leading)
        return self.operation(expression, leading=leading)

    def operation(self, expression: Expression, *, leading: bool) -> Pieces:
        """Write an expression that is neither a number nor a sum."""
        if self.names and expression in self.names:
            return (Piece(self.names[expression]),)
        if isinstance(expression, Named):
            return self.write(expression.body, leading=leading)
        form = self.forms[type(expression)]
        pieces: list[Piece] = []
        parts = zip(form.signs, expression.parts, form.operands, strict=False)
        for sign, part, least in parts:
            pieces += sign
            first = leading and not pieces and least < BASE
            pieces += self.operand(part, least, leading=first)
        pieces += form.signs[-1]
        return tuple(pieces)

    def operand(
        self, expression: Expression, least: int, *, leading: bool = False
    ) -> Pieces:
        """Write an operand, in parentheses if it binds less tightly than `least`."""
        expression = unwrapped(expression)
        if least == ANY:
            return self.write(expression)
        # Every number binds at least as tightly as a product.
        binds = least <= PRODUCT and isinstance(expression, Number)
        if not binds and self.strength(expression) < least:
            return self._parenthesised(self.write(expression))
        return self.write(expression, leading=leading)

    def text(self, expression: Expression) -> str:
        """Write an expression as one text."""
        return "".join(piece.text for piece in self.write(expression))

    def _sum(self, total: Sum, *, leading: bool) -> Pieces:
        only = unwrapped(total)
        if only is not total:
            return self.write(only, leading=leading)
        pieces: list[Piece] = []
        for term in total.terms:
            # A number with a cell keeps its sign, as the cell shows it.
            bare = isinstance(term, Number) and term.cell is None
            if pieces and bare and term.evaluate() < 0:
                pieces += [Piece(self.minus), *self.number(Number(-term.evaluate()))]
                continue
            first = leading and not pieces
            pieces += [Piece(self.plus)] if pieces else []
            pieces += self.operand(term, QUOTIENT, leading=first)
        if total.omitted:
            pieces += [Piece(self.plus)] if pieces else []
            pieces += self.remainder(total)
        return tuple(pieces) or self.number(Number(0.0))

    def strength(self, expression: Expression) -> int:
        """Return how tightly a written expression binds."""
        if isinstance(expression, Number):
            return self.number_strength(expression)
        if self.names and expression in self.names:
            return BASE
        if isinstance(expression, Named):
            return self.strength(expression.body)
        if isinstance(expression, Sum):
            return SUM
        return self.forms[type(expression)].strength

    def _parenthesised(self, pieces: Pieces) -> Pieces:
        opening, closing = self.parentheses
        return (Piece(opening), *pieces, Piece(closing))


def plain_text(pieces: Sequence[Piece]) -> str:
    """Return the plain text, such as for a screen reader."""
    return "".join(piece.text for piece in pieces).replace("\N{NO-BREAK SPACE}", " ")


def unwrapped(expression: Expression) -> Expression:
    """Return the only term of a sum that has no other, else the expression."""
    while isinstance(expression, Sum):
        if len(expression.terms) != 1 or expression.omitted:
            break
        expression = expression.terms[0]
    return expression
