"""Lines of text as spans, which are written as rich text."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from attnviewer.compute import Cell
from attnviewer.compute.notation import Piece
from attnviewer.ui.paint.theme import Theme


class Span(NamedTuple):
    """A run of a line with one format.

    Parameters
    ----------
    text : str
        Its text.
    color : str
        Its colour; "" for the default.
    bold : bool
        Whether it is bold.
    cell : Cell or None
        The cell that it links to.
    """

    text: str
    color: str = ""
    bold: bool = False
    cell: Cell | None = None


def link(text: str, cell: Cell, theme: Theme) -> Span:
    """Return a span that links to a cell, in the colour of its step."""
    return Span(text, theme.color_of(cell.step) or theme.text, cell=cell)


def spans_of(pieces: Sequence[Piece], theme: Theme) -> Iterator[Span]:
    """Yield the spans of pieces of text, each number with a cell as a link to it."""
    plain = ""
    for text, cell, kind in pieces:
        if cell is None and kind in ("sign", "number"):
            plain += text
            continue
        if plain:
            yield Span(plain)
            plain = ""
        if cell is not None:
            yield link(text, cell, theme)
        elif kind == "value":
            yield Span(text, bold=True)
        else:
            yield Span(text, theme.muted)
    if plain:
        yield Span(plain)


def line_html(line: Sequence[Span]) -> str:
    """Return a line as rich text."""
    return "".join(map(_span_html, line))


def href_of(cell: Cell) -> str:
    """Return the address of a link to a cell."""
    return f"{cell.step}/{','.join(map(str, cell.index))}"


def _span_html(span: Span) -> str:
    # Rich text collapses several blanks into one.
    html = escape(span.text).replace("  ", " &nbsp;")
    if span.cell is not None:
        href = escape(href_of(span.cell))
        html = f'<a href="{href}" style="color: {span.color}">{html}</a>'
    elif span.color:
        html = f'<span style="color: {span.color}">{html}</span>'
    return f"<b>{html}</b>" if span.bold else html
