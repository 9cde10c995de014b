"""A page of the manual, as a person reads it."""

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
from attnviewer.ui.paint.theme import DARK, Appearance

MARGIN = 18
"""Around the text, in pixels."""
COLUMN, STEP = 50, 2
"""The width of the text at most, and its steps, in heights of a line."""


class ManualBrowser(QTextBrowser):
    """Shows Markdown with its pictures; links to headings lead to them."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual.text")
        self.setAccessibleName(self.tr("Page of the manual"))
        self.setOpenExternalLinks(True)
        # Its width does not change while a page is loaded, which would load it again.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self._appearance = appearance
        self.sourceChanged.connect(self._arrange)
        appearance.changed.connect(self._lay_out)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load a picture of the theme in force as wide as the text, and all else."""
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
        """Return how wide the text is, in steps: pictures take time to scale."""
        line = self.fontMetrics().height()
        return min(self.viewport().width() // STEP // line * STEP, COLUMN) * line

    @Slot()
    def _lay_out(self) -> None:
        """Lay the page out for another width or theme, and stay where it was."""
        self.setLineWrapColumnOrWidth(self._column())
        if not self.source().isEmpty():
            place = self.verticalScrollBar().value()
            self.reload()
            self.verticalScrollBar().setValue(place)

    @Slot(QUrl)
    def _arrange(self, url: QUrl) -> None:
        """Add what Qt's Markdown lacks: anchors of headings, and a ground for code."""
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
