"""Full-text search in the manual."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QTextCursor, QTextDocument

from attnviewer.ui.manual.pages import Page


class Hit(NamedTuple):
    """An occurrence in a page; positions as in QTextDocument."""

    page: int
    start: int
    end: int


class PageTexts(QObject):
    """The plain texts of all pages, for searching."""

    def __init__(self, pages: Sequence[Page], parent: QObject) -> None:
        super().__init__(parent)
        self._documents = [QTextDocument(self) for _ in pages]
        for page, document in zip(pages, self._documents, strict=True):
            document.setMarkdown(page.path.read_text(encoding="utf-8"))

    def find(self, text: str) -> list[Hit]:
        """Return the hits in page order, ignoring case."""
        return [
            Hit(page, cursor.selectionStart(), cursor.selectionEnd())
            for page, document in enumerate(self._documents)
            for cursor in _found(document, text)
        ]


def _found(document: QTextDocument, text: str) -> list[QTextCursor]:
    found = []
    cursor = document.find(text) if text else QTextCursor()
    while not cursor.isNull():
        found.append(cursor)
        cursor = document.find(text, cursor)
    return found
