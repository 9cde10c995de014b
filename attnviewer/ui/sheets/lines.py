"""Paragraphs of words and formulas, broken into lines."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QPainter

from attnviewer.compute.notation import Piece
from attnviewer.teaching.sheets.prose import Span
from attnviewer.ui.paint.math import Atom, Faces, LaidOut, Node, lay_out
from attnviewer.ui.paint.math.tex import read

_LEADING = 1.35
"""Least distance of baselines, by the size of the font."""
_LEAST_LEAD = 0.1
"""Least distance of lines with tall formulas, by the size of the font."""
_SPACE = 0.28
"""Width of a space, by the size of the font."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a formula, and whether a space stands before it."""

    laid: LaidOut
    spaced: bool


@dataclass(frozen=True, slots=True)
class Line:
    """Words beside each other, with the places of their left ends."""

    words: tuple[tuple[float, LaidOut], ...]
    width: float
    ascent: float
    height: float

    def paint(self, painter: QPainter, x: float, top: float) -> None:
        """Paint it with its upper left corner at a point."""
        for left, laid in self.words:
            laid.paint(painter, x + left, top + self.ascent)


def lines_of(spans: Iterable[Span], faces: Faces, room: float) -> list[Line]:
    """Return a paragraph as lines that are no wider than a room.

    Parameters
    ----------
    spans : iterable of Span
        Its text and formulas.
    faces : Faces
        Its fonts.
    room : float
        The width.
    """
    lines: list[Line] = []
    words: list[Word] = []
    for group in _groups(_words(spans, faces, room), faces, room):
        if words and _width([*words, *group], faces) > room:
            lines.append(_line(words, faces))
            words = []
        words += group
    return [*lines, _line(words, faces)] if words else lines


def text_line(text: str, faces: Faces, room: float) -> Line:
    """Return a text as one line, cut at its end where it does not fit."""
    laid = _atom(text, "text", faces)
    kept = len(text)
    while laid.width > room and kept:
        kept -= max(1, kept // 16)
        laid = _atom(f"{text[:kept].rstrip()}…", "text", faces)
    return _line([Word(laid, False)], faces)


def formula_line(latex: str, faces: Faces, room: float) -> Line:
    """Return a formula as one line, or broken where it does not fit."""
    return _line([Word(_formula(latex, faces, room), False)], faces)


def _words(spans: Iterable[Span], faces: Faces, room: float) -> Iterator[Word]:
    spaced = False
    for span in spans:
        if span.kind == "formula":
            yield Word(_formula(span.text, faces, room), spaced)
            spaced = False
            continue
        for place, text in enumerate(span.text.split(" ")):
            spaced = spaced or place > 0
            for piece in _pieces(text, span.kind, faces, room):
                yield Word(piece, spaced)
                spaced = False


def _pieces(text: str, kind: str, faces: Faces, room: float) -> Iterator[LaidOut]:
    """Yield a word, in pieces if it is wider than a line."""
    while text:
        laid = _atom(text, kind, faces)
        kept = len(text)
        while laid.width > room and kept > 1:
            kept = max(1, min(kept - 1, int(kept * room / laid.width)))
            laid = _atom(text[:kept], kind, faces)
        yield laid
        text = text[kept:]


def _atom(text: str, kind: str, faces: Faces) -> LaidOut:
    atom = Atom(
        text, bold=kind == "strong", italic=kind == "emphasis", mono=kind == "code"
    )
    return lay_out(atom, faces)


def _formula(latex: str, faces: Faces, room: float) -> LaidOut:
    node: Node = read([Piece(latex)])
    return lay_out(node, faces, room)


def _groups(words: Iterable[Word], faces: Faces, room: float) -> Iterator[list[Word]]:
    """Yield the words that no space divides: a formula and the full stop after it.

    Those that are together wider than a line are divided all the same.
    """
    group: list[Word] = []
    for word in words:
        if group and (word.spaced or _width([*group, word], faces) > room):
            yield group
            group = []
        group.append(word)
    if group:
        yield group


def _width(words: Sequence[Word], faces: Faces) -> float:
    spaces = sum(word.spaced for word in words[1:])
    return sum(word.laid.width for word in words) + spaces * _SPACE * faces.em


def _line(words: Sequence[Word], faces: Faces) -> Line:
    placed: list[tuple[float, LaidOut]] = []
    x = 0.0
    for place, word in enumerate(words):
        x += _SPACE * faces.em if word.spaced and place else 0.0
        placed.append((x, word.laid))
        x += word.laid.width
    # All lines of a size are as high, whatever letters are in them.
    face = faces.face(Atom(""), 0)
    ascent = max(face.ascent, *(word.laid.ascent for word in words))
    descent = max(face.descent, *(word.laid.descent for word in words))
    lead = max(_LEAST_LEAD * faces.em, _LEADING * faces.em - ascent - descent)
    return Line(tuple(placed), x, ascent + lead / 2, ascent + descent + lead)
