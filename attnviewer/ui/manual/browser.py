"""A page of the manual, as a person reads it."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import (
    QColor,
    QImage,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextLength,
)
from PySide6.QtWidgets import QTextBrowser, QWidget

from attnviewer.ui.manual.pages import slug
from attnviewer.ui.theme import DARK, Appearance

MARGIN = 18
"""Around the text, in pixels."""


class ManualBrowser(QTextBrowser):
    """Shows Markdown with its pictures; links to headings lead to them."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual.text")
        self.setAccessibleName(self.tr("Page of the manual"))
        self.setOpenExternalLinks(True)
        self._appearance = appearance
        self.sourceChanged.connect(self._arrange)
        appearance.changed.connect(self._repaint)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Load a picture of the theme in force, if there is one, and all else."""
        if kind == QTextDocument.ResourceType.ImageResource.value:
            path = Path(self.source().resolved(QUrl(name)).toLocalFile())
            dark = path.with_stem(f"{path.stem}-dark")
            if self._appearance.theme is DARK and dark.exists():
                return QImage(str(dark))
        return super().loadResource(kind, name)

    @Slot()
    def _repaint(self) -> None:
        """Load the page in the colours of another theme, and stay where it was."""
        place = self.verticalScrollBar().value()
        self.reload()
        self.verticalScrollBar().setValue(place)

    @Slot()
    def _arrange(self) -> None:
        """Add what Qt's Markdown lacks: anchors, limits of width, code on a ground."""
        document = self.document()
        document.setDocumentMargin(MARGIN)
        block = document.begin()
        while block.isValid():
            self._arrange_block(block)
            block = block.next()
        if self.source().hasFragment():
            self.scrollToAnchor(self.source().fragment())

    def _arrange_block(self, block: QTextBlock) -> None:
        cursor = QTextCursor(block)
        shape = block.blockFormat()
        if shape.headingLevel():
            cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
            anchor = QTextCharFormat()
            anchor.setAnchor(True)
            anchor.setAnchorNames([slug(block.text())])
            cursor.mergeCharFormat(anchor)
        elif shape.hasProperty(QTextFormat.Property.BlockCodeFence.value):
            shape.setBackground(QColor(self._appearance.theme.sunken))
            cursor.setBlockFormat(shape)
        pictures = block.begin()
        while not pictures.atEnd():
            fragment = pictures.fragment()
            if fragment.charFormat().isImageFormat():
                image = fragment.charFormat().toImageFormat()
                whole = QTextLength(QTextLength.Type.PercentageLength, 100)
                image.setMaximumWidth(whole)
                cursor.setPosition(fragment.position())
                cursor.movePosition(
                    QTextCursor.MoveOperation.NextCharacter,
                    QTextCursor.MoveMode.KeepAnchor,
                )
                cursor.setCharFormat(image)
            pictures += 1
