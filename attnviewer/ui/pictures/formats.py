"""Encoding pictures as files."""

from collections.abc import Callable

from PySide6.QtCore import (
    QBuffer,
    QIODevice,
    QMarginsF,
    QPoint,
    QRect,
    QSizeF,
)
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter, QPicture

from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.pdf_notes import with_notes
from attnviewer.ui.figures.png import png_of
from attnviewer.ui.figures.style import POINTS_PER_INCH
from attnviewer.ui.pictures.outlines import outlined
from attnviewer.ui.pictures.rendering import Picture, check_pixels
from attnviewer.ui.pictures.style import SCREEN_DPI
from attnviewer.ui.pictures.whole_parts import whole_parts


def png(picture: Picture, notes: Notes) -> bytes:
    """Return a picture as a PNG, with its notes as text chunks.

    Raises
    ------
    ValueError
        If it would have too many pixels.
    """
    check_pixels(picture)
    return png_of(picture.image(), notes)


def svg(picture: Picture, notes: Notes) -> bytes:
    """Return a picture as an SVG, its texts as outlines."""
    # Imported here, so that the window starts faster.
    from PySide6.QtSvg import QSvgGenerator

    recorded = QPicture()
    painter = QPainter(recorded)
    with whole_parts(picture.page):
        picture.paint(painter)
    painter.end()
    with _Bytes() as buffer:
        # SVG 1.1 has clipping, though Qt does not write that of nested widgets.
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setOutputDevice(buffer)
        generator.setResolution(SCREEN_DPI)
        generator.setSize(picture.size)
        generator.setViewBox(QRect(QPoint(), picture.size))
        painter = QPainter(generator)
        recorded.play(painter)
        painter.end()
        # In CSS pixels, which match logical screen pixels.
        size = QSizeF(picture.size)
        return outlined(buffer.content(), size, notes.title, notes.line)


def pdf(picture: Picture, notes: Notes) -> bytes:
    """Return a picture as a PDF page of its size, with embedded fonts."""
    with _Bytes() as buffer:
        writer = QPdfWriter(buffer)
        writer.setResolution(SCREEN_DPI)
        writer.setTitle(notes.title)
        points = POINTS_PER_INCH / SCREEN_DPI
        size = QSizeF(picture.size) * points
        exact = QPageSize.SizeMatchPolicy.ExactMatch
        writer.setPageSize(QPageSize(size, QPageSize.Unit.Point, "", exact))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        painter = QPainter(writer)
        with whole_parts(picture.page):
            picture.paint(painter)
        painter.end()
        return with_notes(buffer.content(), notes)


Write = Callable[[Picture, Notes], bytes]
WRITERS: dict[str, Write] = {"png": png, "svg": svg, "pdf": pdf}
"""The encoders by format name."""


class _Bytes(QBuffer):
    """A write buffer in memory."""

    def __enter__(self) -> "_Bytes":
        self.open(QIODevice.OpenModeFlag.WriteOnly)
        return self

    def __exit__(self, *_reason: object) -> None:
        self.close()

    def content(self) -> bytes:
        return bytes(self.data().data())
