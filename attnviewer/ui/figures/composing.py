"""Panels, letters and caption put together."""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attnviewer.ui.figures.arranging import (
    BESIDE,
    BETWEEN,
    Arrangement,
    arrangements,
)
from attnviewer.ui.figures.caption import caption_of, letters
from attnviewer.ui.figures.elements import Block, Element, Text
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import CAPTION, LETTER, TITLE, FigureStyle
from attnviewer.ui.figures.texts import step_words
from attnviewer.ui.figures.typeface import Typeface, Typefaces
from attnviewer.ui.text.tokens import token_line

MARGIN = 1.0
"""Around everything, so that no line is cut in half at the edge."""
_HEAD = LETTER * 1.6
_LETTER_WIDTH = LETTER * 1.6
"""The room for a letter left of its title."""
_LINE = 1.25


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A figure that is laid out.

    Parameters
    ----------
    elements : tuple of elements
        What is drawn, the lowest first.
    width, height : float
        Its extent in points; the height is a whole number of them.
    style : FigureStyle
        Its style.
    faces : Typefaces
        Its fonts.
    complete : bool
        Whether every row and column has its label.
    """

    elements: tuple[Element, ...]
    width: float
    height: float
    style: FigureStyle
    faces: Typefaces
    complete: bool


def compose(panels: Sequence[Panel], style: FigureStyle) -> Figure:
    """Lay out a figure of some panels.

    Panels stand side by side where all their labels fit, and below each other
    otherwise. Where no width is asked for, it is that of a paper's column if all labels
    fit, and that of its page if not.

    Parameters
    ----------
    panels : sequence of Panel
        What it shows.
    style : FigureStyle
        How it looks.

    Raises
    ------
    ValueError
        If there is no panel, a panel cannot be drawn, or there is no such font.
    """
    if not panels:
        raise ValueError("The figure must have at least one panel. Got none instead.")
    faces = Typefaces.of(style.font)
    short = [_heading(panel, short=True) for panel in panels]
    needed = [_LETTER_WIDTH + faces.labels.width(title, TITLE) for title in short]
    found: tuple[float, Arrangement] | None = None
    for width in style.widths:
        room = Room(width - 2 * MARGIN, faces.labels, style.theme)
        best = arrangements(panels, room, needed)[0]
        if found is None or best.complete:
            found = width, best
        if best.complete:
            break
    assert found is not None
    width, best = found
    block = _drawn(panels, best, width - 2 * MARGIN, faces.labels)
    return _finished(panels, block, width, style, faces)


def _drawn(
    panels: Sequence[Panel], arrangement: Arrangement, width: float, face: Typeface
) -> Block:
    """Draw the panels, each with its letter and title if there are several."""
    blocks = arrangement.blocks
    if len(blocks) == 1:
        return blocks[0]
    titles = [_heading(panel) for panel in panels]
    if any(
        _LETTER_WIDTH + face.width(title, TITLE) > block.width
        for title, block in zip(titles, blocks, strict=True)
    ):
        titles = [_heading(panel, short=True) for panel in panels]
    named = zip(letters(len(panels)), titles, strict=True)
    elements: list[Element] = []
    y = 0.0
    for row in arrangement.rows:
        x = 0.0
        for block, (letter, title) in zip(row, named, strict=False):
            base = y + LETTER
            elements.append(Text(x, base, f"({letter})", LETTER, bold=True))
            elements.append(Text(x + _LETTER_WIDTH, base, title, TITLE))
            elements += block.at(x, y + _HEAD)
            x += block.width + BESIDE
        y += _HEAD + max(block.height for block in row) + BETWEEN
    ticks = tuple(dict.fromkeys(label for block in blocks for label in block.ticks))
    drawn = Block(tuple(elements), width, y - BETWEEN, arrangement.complete)
    return replace(drawn, ticks=ticks)


def _heading(panel: Panel, *, short: bool = False) -> str:
    """Return the title of one of several panels; a short one leaves out weights."""
    step = panel.shown_step
    n_heads, parts = panel.trace.n_heads(step), []
    if not short or step != "weights":
        parts.append(step_words(step))
    if panel.layer is not None:
        parts.append(f"layer {panel.layer}")
    if panel.combination is not None:
        parts.append(f"{panel.combination} over heads")
    elif panel.view == "heads" and n_heads > 1:
        parts.append("all heads")
    elif n_heads > 1:
        parts.append(f"head {panel.trace.head_of(step, panel.head)}")
    title = ", ".join(parts or [step_words(step)])
    return title[0].upper() + title[1:]


def _finished(
    panels: Sequence[Panel],
    block: Block,
    width: float,
    style: FigureStyle,
    faces: Typefaces,
) -> Figure:
    elements = [*block.at(MARGIN, MARGIN)]
    height = MARGIN + block.height
    if style.caption:
        text = style.caption
        if not isinstance(text, str):
            text = caption_of(panels, block.ticks)
        lines = list(wrapped(text, width - 2 * MARGIN, faces.caption))
        height += BETWEEN - 4.0
        for line in lines:
            height += CAPTION * _LINE
            elements.append(Text(MARGIN, height, line, CAPTION, serif=True))
        height += CAPTION * (_LINE - 1)
    whole = math.ceil(height + MARGIN)
    return Figure(tuple(elements), width, whole, style, faces, block.complete)


def wrapped(text: str, width: float, face: Typeface) -> Iterator[str]:
    """Yield the lines of a caption; a line break starts another one.

    A word that is wider than a line is broken.
    """
    for paragraph in text.splitlines():
        line = ""
        for word in map(token_line, paragraph.split()):
            longer = f"{line} {word}" if line else word
            if line and face.width(longer, CAPTION) > width:
                yield line
                longer = word
            while len(longer) > 1 and face.width(longer, CAPTION) > width:
                fits = _fitting(longer, width, face)
                yield longer[:fits]
                longer = longer[fits:]
            line = longer
        yield line


def _fitting(word: str, width: float, face: Typeface) -> int:
    """Return how many letters of a word fit in a line, at least one."""
    lengths = range(1, len(word) + 1)
    fits = bisect_right(lengths, width, key=lambda n: face.width(word[:n], CAPTION))
    return max(1, fits)
