r"""Formulas read from LaTeX, as `attnviewer.compute.notation` writes it.

So an operation needs one form, in the table of LaTeX, to be both copied and typeset.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from attnviewer.compute.notation import Piece
from attnviewer.ui.paint.math.nodes import (
    Atom,
    Big,
    Fenced,
    Fraction,
    Node,
    Role,
    Root,
    Row,
    Script,
    row,
)

SPACE = Atom(" ", role="space")
PLUS = Atom("+", role="binary")
MINUS = Atom("−", role="binary")
EQUALS = Atom("=", role="relation")
COMMA = Atom(",", role="punctuation")

_TOKEN = re.compile(
    r"\\(?:text|mathrm)\{(?P<text>(?:[^{}\\]|\\.)*)\}|\\(?:left|right)(?:\\.|.)"
    r"|\\[A-Za-z]+|\\."
    r"|\d+(?:\.\d+)?|\s+|."
)
_FUNCTIONS = {"max", "min", "sin", "cos", "tanh", "log", "exp", "softmax"}
_LETTERS = {
    **{"theta": "θ", "sigma": "σ", "tau": "τ", "infty": "∞", "top": "T"},
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε"},
    **{"lambda": "λ", "mu": "μ", "pi": "π", "phi": "φ", "omega": "ω"},
    "varepsilon": "ε",
}
_SIGNS: dict[str, Atom] = {
    r"\cdot": Atom("·", role="times"),
    r"\ ": SPACE,
    r"\quad": SPACE,
    "=": EQUALS,
    "<": Atom("<", role="relation"),
    ">": Atom(">", role="relation"),
    **{name: Atom("≤", role="relation") for name in (r"\le", r"\leq")},
    **{name: Atom("≥", role="relation") for name in (r"\ge", r"\geq")},
    **{name: Atom("≠", role="relation") for name in (r"\ne", r"\neq")},
    **{name: Atom("→", role="relation") for name in (r"\to", r"\rightarrow")},
    **{name: Atom("…") for name in (r"\dots", r"\ldots", r"\cdots")},
    r"\approx": Atom("≈", role="relation"),
    r"\in": Atom("∈", role="relation"),
    r"\times": Atom("×", role="times"),
    r"\odot": Atom("⊙", role="binary"),
    ",": COMMA,
}
_CLOSING = {
    "(": ")",
    "[": "]",
    "|": "|",
    r"\|": r"\|",
    r"\left(": r"\right)",
    r"\left|": r"\right|",
}
_SLASH = Atom("/", role="times")
_ENDS: frozenset[Role] = frozenset({"relation", "binary", "punctuation"})
"""Roles of the signs that a fraction does not reach beyond."""

Token = str | Node


def read(pieces: Iterable[Piece | Node]) -> Node:
    """Return the formula that pieces of LaTeX write; nodes among them stay."""
    tokens: list[Token] = []
    for piece in pieces:
        if isinstance(piece, Piece):
            tokens += tokenized(piece.text)
        else:
            tokens.append(piece)
    return _Reader(tokens).formula()


@lru_cache(maxsize=256)
def tokenized(latex: str) -> tuple[Token, ...]:
    """Return the tokens of LaTeX, texts and words as atoms already."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(latex):
        text = match["text"]
        if text is not None:
            tokens += _words(re.sub(r"\\(.)", r"\1", text))
        elif not match[0].isspace():
            tokens.append(match[0])
    return tuple(tokens)


def _words(text: str) -> Iterable[Node]:
    for place, word in enumerate(text.split(" ")):
        if place:
            yield SPACE
        if word:
            yield Atom(word)


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def formula(self) -> Node:
        return row(*self._group("", raised=False))

    def _group(self, end: str, *, raised: bool) -> list[Node]:
        """Read up to a token that ends a group, or up to the end."""
        parts: list[Node] = []
        while self._at < len(self._tokens):
            sign = self._next()
            if sign == end:
                break
            if not isinstance(sign, str):
                parts.append(sign)
            elif sign in "^_":
                base = parts.pop() if parts else Atom("")
                parts.append(_scripted(base, sign, self._argument(raised=True)))
                if isinstance(base, Atom) and base.text in _FUNCTIONS:
                    parts.append(SPACE)
            else:
                parts += self._part(sign, parts, raised=raised)
        # A fraction within a script would be too small to read.
        return parts if raised else _fractions(parts)

    def _part(self, sign: str, before: list[Node], *, raised: bool) -> list[Node]:
        if sign in _CLOSING and self._is_closed(sign):
            return [self._fenced(sign, raised=raised)]
        if sign == r"\frac":
            above, below = (self._argument(raised=raised) for _ in range(2))
            if raised:
                return [_operand(above), _SLASH, _operand(below)]
            return [Fraction(above, below)]
        if sign == r"\sqrt":
            return [Root(self._argument(raised=raised))]
        if sign == "{":
            return [row(*self._group("}", raised=raised))]
        if sign == "/":
            return [_SLASH]
        if sign in "+-":
            return [_sign(sign, before)]
        name = sign[1:] if sign[0] == "\\" else ""
        if name in _FUNCTIONS:
            return [Atom(name), *([] if self._opens_next() else [SPACE])]
        if name == "sum":
            return [Big("Σ")]
        if name in _LETTERS:
            return [Atom(_LETTERS[name], italic=name not in ("infty", "top"))]
        return [_SIGNS.get(sign) or _letter(sign)]

    def _fenced(self, opening: str, *, raised: bool) -> Node:
        closing = _CLOSING[opening]
        body = row(*self._group(closing, raised=raised))
        return Fenced(body, *(_fence(sign) for sign in (opening, closing)))

    def _argument(self, *, raised: bool) -> Node:
        sign = self._next() if self._at < len(self._tokens) else "{"
        if sign == "{":
            return row(*self._group("}", raised=raised))
        if not isinstance(sign, str):
            return sign
        return row(*self._part(sign, [], raised=raised))

    def _next(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _is_closed(self, opening: str) -> bool:
        """Return whether a bracket that was just read is closed again."""
        return _CLOSING[opening] in self._tokens[self._at :]

    def _opens_next(self) -> bool:
        following = self._tokens[self._at : self._at + 1]
        return following[0] in (r"\left(", "(", "_", "^") if following else True


def _fence(sign: str) -> str:
    return "‖" if sign == r"\|" else sign[-1]


def _sign(sign: str, before: list[Node]) -> Atom:
    last = before[-1] if before else EQUALS
    unary = isinstance(last, Atom) and last.role not in ("ordinary", "space")
    if sign == "+":
        return Atom("+") if unary else PLUS
    return Atom("−") if unary else MINUS


def _letter(sign: str) -> Atom:
    if sign[0].isdigit():
        return Atom(sign, mono=True)
    variable = len(sign) == 1 and sign.islower() and sign != "e"
    return Atom(sign.removeprefix("\\"), italic=variable)


def _scripted(base: Node, sign: str, script: Node) -> Node:
    sub, sup = (script, None) if sign == "_" else (None, script)
    if isinstance(base, Big):
        return Big(base.sign, sub or base.below, sup or base.above)
    if isinstance(base, Script):
        if sup is not None and base.sup is None:
            return Script(base.base, base.sub, sup)
        if sub is not None and base.sub is None:
            return Script(base.base, sub, base.sup)
    return Script(base, sub, sup)


def _operand(part: Node) -> Node:
    """Return a part beside a slash, in parentheses if it holds a sign."""
    parts = part.parts if isinstance(part, Row) else (part,)
    signs = any(isinstance(one, Atom) and one.role != "ordinary" for one in parts)
    return Fenced(part) if signs else part


def _fractions(parts: list[Node]) -> list[Node]:
    """Return parts with a fraction for each slash between them."""
    if _SLASH not in parts:
        return parts
    found: list[Node] = []
    term: list[Node] = []
    for part in [*parts, None]:
        if part is not None and not (isinstance(part, Atom) and part.role in _ENDS):
            term.append(part)
            continue
        found += _fraction(term)
        term = []
        found += [part] if part is not None else []
    return found


def _fraction(term: list[Node]) -> list[Node]:
    if _SLASH not in term:
        return term
    place = len(term) - 1 - term[::-1].index(_SLASH)
    above, below = term[:place], term[place + 1 :]
    first = 0
    while first < len(above) and isinstance(above[first], Big | Fraction):
        first += 1
    lead, above = above[:first], _fraction(above[first:])
    return [*lead, Fraction(_bare(above), _bare(below))]


def _bare(parts: list[Node]) -> Node:
    """Return parts as one, without parentheses that the bar makes needless."""
    if len(parts) == 1 and isinstance(parts[0], Fenced) and parts[0].opening == "(":
        return parts[0].body
    return row(*parts)
