"""The words and signs of a line of a lesson, without evaluating anything."""

import re

from attnviewer.document import parse_number
from attnviewer.teaching.steps import Place

LONGEST = 300
"""The most characters of a condition."""
_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"""
    r"""|(?P<quoted>"[^"]*"|“[^”]*”)"""
    r"""|(?P<word>[^\W\d]\w*)|(?P<sign>!=|<=|>=|[-−+*/()=<>≤≥≠~\[\]:,]))"""
)
_SAME = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-"}


class Scanner:
    """The tokens of a line, taken from left to right.

    Parameters
    ----------
    text : str
        The line.

    Raises
    ------
    ValueError
        If it is too long, or holds a sign of no meaning.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise ValueError(f"It must have at most {LONGEST} characters.")
        self._text = text.rstrip()
        self._kinds: list[str] = []
        self._tokens: list[str] = []
        self._at = 0
        place = 0
        while place < len(self._text):
            found = _TOKEN.match(self._text, place)
            if found is None:
                rest = self._text[place:].strip()
                raise ValueError(f"“{rest}” is not understood.")
            self._kinds.append(str(found.lastgroup))
            token = found[str(found.lastgroup)]
            self._tokens.append(_SAME.get(token, token))
            place = found.end()

    @property
    def next(self) -> str:
        """The next token; "" at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    @property
    def kind(self) -> str:
        """The kind of the next token: number, quoted, word, sign; "" at the end."""
        return self._kinds[self._at] if self._at < len(self._kinds) else ""

    def take(self, *tokens: str) -> str:
        """Return the next token if it is one of some, else ""."""
        if self.kind in ("sign", "word") and self.next in tokens:
            self._at += 1
            return self._tokens[self._at - 1]
        return ""

    def expect(self, *tokens: str) -> str:
        """Return the next token, which must be one of some."""
        found = self.take(*tokens)
        if not found:
            wanted = " or ".join(f"“{token}”" for token in tokens)
            raise self.error(wanted)
        return found

    def error(self, wanted: str) -> ValueError:
        """Return the error for a token in the place of what is wanted."""
        got = f"“{self.next}”" if self.next else "the end"
        return ValueError(f"Expected {wanted}: “{self._text}”. Got {got} instead.")

    def whole(self) -> int:
        """Return a whole number."""
        if self.kind != "number" or not self.next.isdecimal() or len(self.next) > 6:
            raise self.error("a whole number")
        self._at += 1
        return int(self._tokens[self._at - 1])

    def place(self) -> Place:
        """Return a row or a column: a number, or a token in quotes."""
        if self.kind == "quoted":
            self._at += 1
            return self._tokens[self._at - 1][1:-1]
        if self.kind != "number":
            raise self.error("a number or a token in quotes")
        return self.whole()

    def places(self) -> tuple[Place | None, Place | None]:
        """Return a row and a column, as in ``[2, :]``; None for all of them."""
        self.expect("[")
        row = None if self.take(":") else self.place()
        self.expect(",")
        column = None if self.take(":") else self.place()
        self.expect("]")
        return row, column

    def words(self) -> str:
        """Return the words up to the next sign, as of a step: ``rotated Q``."""
        taken = []
        while self.kind == "word":
            taken.append(self.next)
            self._at += 1
        if not taken:
            raise self.error("the name of a step")
        return " ".join(taken)

    def arithmetic(self, *ends: str) -> float:
        """Return the number that the tokens up to some sign, or to the end, give."""
        taken = []
        while self.next and self.next not in ends:
            taken.append(self.next)
            self._at += 1
        return parse_number("".join(taken), infinite=True)

    def finish(self) -> None:
        """Check that nothing is left.

        Raises
        ------
        ValueError
            If something is.
        """
        if self.next:
            raise self.error("the end")
