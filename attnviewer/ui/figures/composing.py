"""Panels, letters and caption put together."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from attnviewer.ui.figures.caption import caption_of, letters
from attnviewer.ui.figures.elements import Block, Element, Text
from attnviewer.ui.figures.kinds import kind_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import CAPTION, LETTER, FigureStyle
from attnviewer.ui.figures.typeface import Typeface, Typefaces
from attnviewer.ui.figures.words import step_words

MARGIN = 1.0
"""Around everything, so that no line is cut in half at the edge."""
_BETWEEN = 14.0
"""Distance of panels, and of the caption from them."""
_HEAD = LETTER * 1.6
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
    found: tuple[float, Block] | None = None
    for width in style.widths:
        for across in range(len(panels), 0, -1):
            room = (width - 2 * MARGIN - (across - 1) * _BETWEEN) / across
            blocks = _blocks(panels, Room(room, faces.labels, style.theme))
            block = _arranged(panels, blocks, across, width - 2 * MARGIN)
            if block.complete:
                return _finished(panels, block, width, style, faces)
            if found is None or across == 1:
                found = found if found and style.width_mm is None else (width, block)
    assert found is not None
    return _finished(panels, found[1], found[0], style, faces)


def _blocks(panels: Sequence[Panel], room: Room) -> list[Block]:
    """Lay the panels out; those with the same colours share the bar of the last."""
    blocks = [kind_of(panel.view)(panel, room) for panel in panels]
    if None in (bars := {block.bar for block in blocks}) or len(bars) > 1:
        return blocks
    without = replace(room, bar=False)
    others = [kind_of(panel.view)(panel, without) for panel in panels[:-1]]
    return [*others, blocks[-1]]


def _arranged(
    panels: Sequence[Panel], blocks: list[Block], across: int, width: float
) -> Block:
    """Put panels into rows, each with its letter if there are several."""
    lettered = len(blocks) > 1
    column = (width - (across - 1) * _BETWEEN) / across
    elements: list[Element] = []
    y = 0.0
    names = letters(len(blocks))
    for first in range(0, len(blocks), across):
        row = range(first, min(first + across, len(blocks)))
        for place in row:
            x = (place - first) * (column + _BETWEEN)
            if lettered:
                elements.append(
                    Text(x, y + LETTER, f"({names[place]})", LETTER, bold=True)
                )
                title = Text(x + 1.9 * LETTER, y + LETTER, _title(panels[place]), 7.0)
                elements.append(title)
            elements += blocks[place].at(x, y + (_HEAD if lettered else 0.0))
        y += max(blocks[place].height for place in row) + _BETWEEN
        y += _HEAD if lettered else 0.0
    complete = all(block.complete for block in blocks)
    return Block(tuple(elements), width, y - _BETWEEN, complete)


def _title(panel: Panel) -> str:
    """Return the title of one of several panels."""
    step = "weights" if panel.view == "lines" else panel.step
    n_heads, title = panel.trace.n_heads(step), step_words(step)
    if panel.layer is not None:
        title = f"{title}, layer {panel.layer}"
    if n_heads == 1:
        return title
    if panel.view == "heads":
        return f"{title}, all heads"
    return f"{title}, head {panel.trace.head_of(step, panel.head)}"


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
        text = style.caption if isinstance(style.caption, str) else caption_of(panels)
        lines = list(wrapped(text, width - 2 * MARGIN, faces.caption))
        height += _BETWEEN - 4.0
        for line in lines:
            height += CAPTION * _LINE
            elements.append(Text(MARGIN, height, line, CAPTION, serif=True))
        height += CAPTION * (_LINE - 1)
    whole = math.ceil(height + MARGIN)
    return Figure(tuple(elements), width, whole, style, faces, block.complete)


def wrapped(text: str, width: float, face: Typeface) -> Iterator[str]:
    """Yield the lines of a caption; a line break starts another one."""
    for paragraph in text.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and face.width(longer, CAPTION) > width:
                yield line
                longer = word
            line = longer
        yield line
