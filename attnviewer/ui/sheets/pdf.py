"""Sheets as PDF."""

from collections.abc import Sequence

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from attnviewer.teaching.sheets.sheet import Sheet
from attnviewer.ui.sheets.boxes import BLACK
from attnviewer.ui.sheets.flowing import PlacedBox, pages_of
from attnviewer.ui.sheets.lines import text_line
from attnviewer.ui.sheets.measures import (
    DPI,
    FOOT,
    HEIGHT,
    MARGIN,
    ROOM,
    SIZES,
    faces,
)


def sheets_pdf(sheets: Sequence[Sheet], *, key: bool = False) -> bytes:
    """Return sheets as one PDF on A4, each beginning on a page of its own.

    Parameters
    ----------
    sheets : sequence of Sheet
        The sheets.
    key : bool
        Whether the answers are filled in.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(DPI)
    writer.setTitle(sheets[0].title)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    painter = QPainter(writer)
    begun = False
    for sheet in sheets:
        pages = pages_of(sheet, key=key)
        for number, page in enumerate(pages, 1):
            if begun:
                writer.newPage()
            begun = True
            foot = f"{sheet.title} · {sheet.who} · {number} / {len(pages)}"
            paint_page(painter, page, foot)
    painter.end()
    return bytes(buffer.data().data())


def paint_page(painter: QPainter, page: Sequence[PlacedBox], foot: str) -> None:
    """Paint a page, with the painter's origin at the paper's corner.

    Parameters
    ----------
    painter : QPainter
        An active painter with `DPI` units per inch.
    page : sequence of PlacedBox
        What stands on it.
    foot : str
        What stands at its foot.
    """
    painter.setPen(BLACK)
    for placed in page:
        placed.box.paint(painter, MARGIN, MARGIN + placed.top)
    line = text_line(foot, faces(SIZES.small), ROOM)
    line.paint(painter, MARGIN + ROOM - line.width, HEIGHT - FOOT)
