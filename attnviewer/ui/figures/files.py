"""Figures as PNG, SVG and PDF."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from attnviewer.ui.figures.caption import caption_of, letters
from attnviewer.ui.figures.composing import Figure, compose
from attnviewer.ui.figures.lines import threshold_of
from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.painting import image_of, paint
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.pdf_notes import with_notes
from attnviewer.ui.figures.png import png_of
from attnviewer.ui.figures.style import FigureStyle, check_resolution
from attnviewer.ui.figures.svg import svg_of
from attnviewer.ui.text.numbers import significant_number

_PDF_DPI = 1440
"""Resolution in which a page is described: a twentieth of a point."""


def encoded(panels: Sequence[Panel], style: FigureStyle, format: str) -> bytes:
    """Return a figure as the content of a file.

    Parameters
    ----------
    panels : sequence of Panel
        What it shows.
    style : FigureStyle
        How it looks.
    format : str
        One of `WRITERS`.

    Raises
    ------
    ValueError
        If it cannot be drawn, or there is no such format.
    """
    if format not in WRITERS:
        raise ValueError(
            f"The 'format' must be one of {', '.join(WRITERS)}. Got '{format}' instead."
        )
    return WRITERS[format](compose(panels, style), notes_of(panels))


def notes_of(panels: Sequence[Panel]) -> Notes:
    """Return the full configuration of a figure's panels, with its caption."""
    found = [_notes(panel) for panel in panels]
    if len(found) == 1:
        return found[0]
    facts = {
        f"{letter} {name}": text
        for letter, notes in zip(letters(len(found)), found, strict=True)
        for name, text in ({"title": notes.title} | notes.facts).items()
    }
    line = " ".join(
        f"({letter}) {notes.line}."
        for letter, notes in zip(letters(len(found)), found, strict=True)
    )
    titles = dict.fromkeys(notes.title for notes in found)
    return Notes("; ".join(titles), line, facts | {"caption": caption_of(panels)})


def _notes(panel: Panel) -> Notes:
    head = None if panel.several_heads else panel.head
    notes = Notes.of(panel.computation, panel.step, head, panel.view)
    facts = dict(notes.facts)
    if panel.place:
        facts["model"] = panel.place
    if panel.view == "lines":
        facts["threshold"] = significant_number(threshold_of(panel), 6)
    if panel.view == "difference" and panel.compared is not None:
        facts["compared with"] = panel.compared.title
    if panel.combination is not None:
        facts["combined"] = panel.combination
    if panel.heads:
        facts["heads"] = ", ".join(map(str, panel.heads))
    facts["caption"] = caption_of([panel])
    return Notes(notes.title, notes.line, facts)


def png(figure: Figure, notes: Notes) -> bytes:
    """Return a figure as a PNG, with its notes as text chunks.

    Raises
    ------
    ValueError
        If the resolution is out of range, or it would have too many pixels.
    """
    check_resolution(figure.style.dpi)
    return png_of(image_of(figure, figure.style.dpi), notes)


def pdf(figure: Figure, notes: Notes) -> bytes:
    """Return a figure as a PDF page of its size, with embedded fonts."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_PDF_DPI)
    writer.setTitle(notes.title)
    exact = QPageSize.SizeMatchPolicy.ExactMatch
    size = QSizeF(figure.width, figure.height)
    writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    paint(figure, painter, _PDF_DPI / 72)
    painter.end()
    content = _with_exact_width(bytes(buffer.data().data()), figure.width)
    return with_notes(content, notes)


def _with_exact_width(content: bytes, width: float) -> bytes:
    """Return a PDF whose page is as wide as asked for; Qt rounds it to whole points.

    The box takes as many bytes as before, so that all offsets hold.
    """
    start = content.index(b"/MediaBox [0 0 ") + len(b"/MediaBox [0 0 ")
    stop = content.index(b" ", start)
    exact = f"{width:.6f}".encode()[: stop - start].ljust(stop - start, b"0")
    return content[:start] + exact + content[stop:]


WRITERS: dict[str, Callable[[Figure, Notes], bytes]] = {
    "png": png,
    "svg": svg_of,
    "pdf": pdf,
}
"""The encoders by format name."""
