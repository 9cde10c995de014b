"""Arithmetic as it is typed into a cell, parsed without Python's eval."""

import math
import re
from collections.abc import Callable

LONGEST = 500
"""Maximum number of characters of arithmetic; a plain number may have more digits."""
DEEPEST = 40
"""Maximum number of nested parentheses and powers."""

PLAIN = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
"""A plain number. The pattern never backtracks over digits."""

_TOKEN = re.compile(
    r"(?P<number>([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?)"
    r"|(?P<name>[^\W\d_]+)|(?P<sign>\*\*|[-+*/()^])|(?P<blank>\s+)"
)
_SIGNS = str.maketrans({"−": "-", "·": "*", "×": "*"})
_CONSTANTS = {"pi": math.pi, "π": math.pi, "e": math.e}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tanh": math.tanh,
}
_DEFINED_FOR = {"sqrt": "0 and above", "log": "above 0"}


def evaluate(text: str) -> float:
    """Evaluate a line of arithmetic in double precision.

    Supported are numbers, ``+ - * / **`` with the precedence of Python, ``^`` for
    ``**``, parentheses,
    one sign before an operand, ``pi``, ``e`` and the functions ``sqrt``, ``exp``,
    ``log`` (natural), ``sin``, ``cos`` and ``tanh``.

    Parameters
    ----------
    text : str
        Such as ``-sqrt(2)/3`` or ``2**-0.5``.

    Returns
    -------
    float
        The value, finite.

    Raises
    ------
    ValueError
        With a sentence on what is wrong.
    """
    plain = text.translate(_SIGNS)
    if len(plain) > LONGEST:
        raise _not_a_number(text, f"it is longer than {LONGEST} characters")
    try:
        return _Reader(text, _tokens(text, plain)).value()
    except OverflowError:
        raise too_large(text) from None


def literal(text: str) -> float:
    """Parse a plain number, one that `PLAIN` matches.

    Raises
    ------
    ValueError
        If it is too large, or so small that it would become 0.
    """
    number = float(text)
    if math.isinf(number):
        raise too_large(text)
    if number == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError(f"{shortened(text)} is too small: it would become 0.")
    return number


def too_large(text: str) -> ValueError:
    """Return the error for a number beyond double precision."""
    return ValueError(f"{shortened(text)} is too large: the limit is about 1.8e308.")


def shortened(text: str) -> str:
    """Return a text as it is quoted in an error message, on one line."""
    line = " ".join(text[:500].split())
    return line if len(line) <= 24 else f"{line[:23]}…"


def _not_a_number(text: str, why: str = "") -> ValueError:
    return ValueError(f"“{shortened(text)}” is not a number{why and ': '}{why}.")


def _tokens(text: str, plain: str) -> list[str]:
    tokens = []
    position = 0
    while position < len(plain):
        found = _TOKEN.match(plain, position)
        if found is None:
            raise _not_a_number(text)
        position = found.end()
        if found.lastgroup != "blank":
            tokens.append("**" if found[0] == "^" else found[0])
    return tokens


class _Reader:
    """Recursive-descent parser over the tokens."""

    def __init__(self, text: str, tokens: list[str]) -> None:
        self._text = text
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    def value(self) -> float:
        number = self._sum()
        if self._position < len(self._tokens):
            raise _not_a_number(self._text)
        return number

    def _sum(self) -> float:
        number = self._product()
        while sign := self._taken("+", "-"):
            other = self._product()
            number = self._finite(number + other if sign == "+" else number - other)
        return number

    def _product(self) -> float:
        number = self._signed()
        while sign := self._taken("*", "/"):
            other = self._signed()
            if sign == "/" and other == 0:
                raise self._wrong("it divides by zero")
            number = self._finite(number * other if sign == "*" else number / other)
        return number

    def _signed(self) -> float:
        # A power binds more tightly than the sign before it: -2**2 is -4.
        sign = self._taken("+", "-")
        number = self._power()
        return -number if sign == "-" else number

    def _power(self) -> float:
        base = self._operand()
        if not self._taken("**"):
            return base
        self._go_deeper()
        exponent = self._signed()
        self._depth -= 1
        if base == 0 and exponent < 0:
            raise self._wrong("it divides by zero")
        if base < 0 and not exponent.is_integer():
            raise self._wrong("a number below 0 has whole powers only")
        return float(base**exponent)

    def _operand(self) -> float:
        if self._taken("("):
            return self._enclosed()
        if self._position == len(self._tokens):
            raise _not_a_number(self._text)
        token = self._tokens[self._position]
        self._position += 1
        if PLAIN.fullmatch(token):
            return literal(token)
        name = token.lower()
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if self._taken("("):
            return self._called(name)
        raise _not_a_number(self._text)

    def _called(self, name: str) -> float:
        if name not in _FUNCTIONS:
            known = ", ".join(_FUNCTIONS)
            raise self._wrong(f"there is no function “{name}”, but {known}")
        argument = self._enclosed()
        try:
            return _FUNCTIONS[name](argument)
        except ValueError:
            raise self._wrong(f"{name} needs a number {_DEFINED_FOR[name]}") from None

    def _enclosed(self) -> float:
        self._go_deeper()
        number = self._sum()
        self._depth -= 1
        if not self._taken(")"):
            raise self._wrong("a parenthesis is not closed")
        return number

    def _go_deeper(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._wrong(f"it is nested more than {DEEPEST} times")

    def _taken(self, *signs: str) -> str:
        """Consume the next token if it is one of these; else return ""."""
        if (
            self._position == len(self._tokens)
            or self._tokens[self._position] not in signs
        ):
            return ""
        self._position += 1
        return self._tokens[self._position - 1]

    def _finite(self, number: float) -> float:
        if math.isinf(number):
            raise OverflowError
        return number

    def _wrong(self, why: str) -> ValueError:
        return _not_a_number(self._text, why)
