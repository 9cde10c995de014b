"""Markdown with formulas, as lines that the typesetter of formulas lays out.

Paragraphs, lists, headings, lines of code, emphasis, ``code``, and ``$formulas$`` in
LaTeX; everything else stands there as it is written.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from attnviewer.compute.notation import Piece
from attnviewer.ui.paint.math.nodes import Atom, Node, Row
from attnviewer.ui.paint.math.tex import SPACE, read
from attnviewer.ui.paint.math.typeset import colored
from attnviewer.ui.paint.theme import Theme

Kind = Literal["paragraph", "item", "heading", "code"]

_FENCE = "```"
_SIGNS = "\\$`*[]"
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+(.*)")
_INLINE = re.compile(
    r"\$(?P<formula>[^$]+)\$|`(?P<code>[^`]+)`|\*\*(?P<bold>.+?)\*\*"
    r"|\*(?P<italic>[^*\s](?:[^*]*[^*\s])?)\*|\[(?P<link>[^\]]+)\]\([^)\s]+\)"
    r"|\\(?P<escaped>[\\$`*\[\]_#])"
)
_VECTOR = re.compile(
    r"\$[^$]+\$|`[^`]+`|(?P<vector>\[[^\[\],$`]{1,20}(?:,[^\[\],$`]{1,20})+\](?!\())"
)
"""A vector or the name of a cell, such as [1, 0]; formulas and code are passed over."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, an item of a list, a heading or a line of code.

    Parameters
    ----------
    kind : str
        Which of them.
    node : Node
        Its text.
    mark : str
        What stands before an item: a bullet or a number.
    level : int
        How deep an item is.
    """

    kind: Kind
    node: Node
    mark: str = ""
    level: int = 0


@lru_cache(maxsize=256)
def paragraphs(markdown: str, theme: Theme) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a text.

    Parameters
    ----------
    markdown : str
        The text.
    theme : Theme
        The colours of Q, K and V in formulas.
    """
    return tuple(_paragraphs(markdown, theme))


def _paragraphs(markdown: str, theme: Theme) -> Iterator[Paragraph]:
    kind: Kind = "paragraph"
    mark, level, waiting = "", 0, list[str]()
    code = False
    # A blank line at the end ends the last paragraph.
    for line in [*markdown.splitlines(), ""]:
        if line.lstrip().startswith(_FENCE):
            code = not code
        elif code:
            yield Paragraph("code", Atom(line or " ", mono=True))
            continue
        item, heading = _ITEM.fullmatch(line), _HEADING.fullmatch(line)
        begins = item is not None or heading is not None or not line.strip()
        if waiting and (begins or line.startswith(_FENCE)):
            yield Paragraph(kind, inline(" ".join(waiting), theme), mark, level)
            waiting = []
        if item is not None:
            bullet = "•" if item[2] in "-*+" else item[2]
            kind, mark, level = "item", bullet, len(item[1]) // 2
            waiting = [item[3]]
        elif heading is not None:
            bold = inline(f"**{heading[1]}**", theme)
            yield Paragraph("heading", bold)
        elif line.strip() and not line.lstrip().startswith(_FENCE):
            if not waiting:
                kind, mark, level = "paragraph", "", 0
            waiting.append(line.strip())


def escaped(text: str) -> str:
    """Return plain text as Markdown in which no sign has a meaning."""
    return "".join(f"\\{sign}" if sign in _SIGNS else sign for sign in text)


def inline(text: str, theme: Theme) -> Node:
    """Return one line of Markdown; it may be broken between words, not in vectors."""
    text = _VECTOR.sub(_unbroken, text)
    parts: list[Node] = []
    place = 0
    for found in _INLINE.finditer(text):
        parts += _words(text[place : found.start()])
        place = found.end()
        if found["formula"]:
            formula = colored(read([Piece(found["formula"])]), theme)
            # As one part: a line breaks at its signs only where it is too long.
            parts.append(Row((formula,)))
        elif found["code"]:
            parts.append(Atom(found["code"], mono=True))
        else:
            plain = found["bold"] or found["italic"] or found["link"]
            plain = plain or found["escaped"]
            style = {"bold": bool(found["bold"]), "italic": bool(found["italic"])}
            parts += _words(plain, **style)
    parts += _words(text[place:])
    return Row(tuple(parts)) if parts else Atom("")


def _unbroken(found: re.Match[str]) -> str:
    return found[0].replace(" ", "\u00a0") if found["vector"] else found[0]


def _words(text: str, *, bold: bool = False, italic: bool = False) -> Iterator[Node]:
    for number, word in enumerate(text.split(" ")):
        if number:
            yield SPACE
        if word:
            yield Atom(word, bold=bold, italic=italic)
