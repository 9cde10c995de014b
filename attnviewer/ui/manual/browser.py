"""The view of a manual page."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Slot
from PySide6.QtGui import (
    QColor,
    QImageReader,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from attnviewer.ui.manual.pages import slug
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.theme import DARK

MARGIN = 18
"""Margin around the text, in pixels."""
COLUMN, STEP = 50, 2
"""Maximum width of the text, and its increments, in line heights."""


class ManualBrowser(QTextBrowser):
    """Shows Markdown with its pictures; links to headings lead to them."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual.text")
        self.setAccessibleName(self.tr("Page of the manual"))
        self.setOpenExternalLinks(True)
        # A scroll bar that appears would change the width, and so reload the page.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self._appearance = appearance
        self.sourceChanged.connect(self._arrange)
        appearance.changed.connect(self._lay_out)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load a resource; pictures in the current theme and at the text's width."""
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return super().loadResource(kind, name)
        path = Path(QUrl(name).toLocalFile())
        dark = path.with_stem(f"{path.stem}-dark")
        if self._appearance.theme is DARK and dark.exists():
            path = dark
        reader, ratio = QImageReader(str(path)), self.devicePixelRatioF()
        whole = reader.size()
        width = min(whole.width(), self.lineWrapColumnOrWidth() - 2 * MARGIN)
        reader.setScaledSize(whole * (ratio * width / whole.width()))
        image = reader.read()
        image.setDevicePixelRatio(ratio)
        return image

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._column() != self.lineWrapColumnOrWidth():
            self._lay_out()
        super().resizeEvent(event)

    def _column(self) -> int:
        """Return the text width in increments, as pictures take time to scale."""
        line = self.fontMetrics().height()
        return min(self.viewport().width() // STEP // line * STEP, COLUMN) * line

    @Slot()
    def _lay_out(self) -> None:
        """Lay the page out for another width or theme, keeping the scroll position."""
        self.setLineWrapColumnOrWidth(self._column())
        if not self.source().isEmpty():
            scroll_position = self.verticalScrollBar().value()
            self.reload()
            self.verticalScrollBar().setValue(scroll_position)

    @Slot(QUrl)
    def _arrange(self, url: QUrl) -> None:
        """Add what Qt's Markdown lacks: heading anchors, and a background for code."""
        document = self.document()
        document.setDocumentMargin(MARGIN)
        block = document.begin()
        while block.isValid():
            self._arrange_block(block)
            block = block.next()
        self.scrollToAnchor(url.fragment())

    def _arrange_block(self, block: QTextBlock) -> None:
        cursor = QTextCursor(block)
        shape = block.blockFormat()
        if shape.headingLevel():
            shape.setBottomMargin(MARGIN / 3)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            anchor = QTextCharFormat()
            anchor.setAnchor(True)
            anchor.setAnchorNames([slug(block.text())])
            cursor.mergeCharFormat(anchor)
        elif shape.hasProperty(QTextFormat.Property.BlockCodeFence.value):
            shape.setBackground(QColor(self._appearance.theme.sunken))
        else:
            return
        cursor.setBlockFormat(shape)
