"""Images as PNG."""

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImage, QImageWriter

from attnviewer.ui.figures.notes import Notes


def png_of(image: QImage, notes: Notes) -> bytes:
    """Return an image as PNG, with its notes as text chunks."""
    named = {"Title": notes.title, "Description": notes.line, "Software": "attnviewer"}
    for name, text in (notes.facts | named).items():
        image.setText(name, text)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())
