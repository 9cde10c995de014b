"""A sunken box of lines with links."""

import math
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QLabel

from attnviewer.ui.paint.fonts import outline_of
from attnviewer.ui.paint.formulas.laid_out import LaidOut
from attnviewer.ui.paint.formulas.spans import Line, line_html, line_text
from attnviewer.ui.widgets.labels import Box, sunken

_SPACED, _BELOW = 1.2, 2
"""Line spacing of paragraphs relative to the font's, and the space below them."""
_REACHING = {
    QEvent.Type.ContextMenu,
    QEvent.Type.DragEnter,
    QEvent.Type.Enter,
    QEvent.Type.FocusIn,
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseMove,
    QEvent.Type.ShortcutOverride,
}
"""Events that precede the use of a link or a text selection."""


class LinkBox(Box):
    """A box of lines with links: a label with rich text, made on demand.

    Parsing and laying out rich text takes several times as long as painting the spans,
    and the numbers change with each edit. So the lines are painted directly until the
    user reaches for them with the mouse or the keyboard: from then on it is a rich-text
    label.
    """

    def __init__(self, *, paragraphs: bool) -> None:
        super().__init__()
        self._paragraphs = paragraphs
        self._spacing, self._below = (_SPACED, _BELOW) if paragraphs else (1.0, 0)
        self._lines: tuple[Line, ...] = ()
        self._is_label = True
        self._outline = ""
        self._kept: dict[int, list[LaidOut]] = {}
        self._option = QTextOption()
        self._option.setWrapMode(QTextOption.WrapMode.WordWrap)
        self.setMouseTracking(True)
        # Qt's label has no height for width before it has a text.
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        """Return its lines as rich text."""
        html = map(line_html, self._lines)
        if not self._paragraphs:
            return "<br>".join(html)
        style = f"margin: 0 0 {_BELOW}px 0; line-height: {_SPACED:.0%}"
        return "".join(f'<p style="{style}">{line}</p>' for line in html)

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show other lines."""
        lines = tuple(lines)
        if lines == self._lines:
            return
        self._lines = lines
        self._kept.clear()
        outline = outline_of("\n".join(map(line_text, lines)), self.font())
        if outline != self._outline:
            self._outline = outline
            self.forget_heights()
            self.updateGeometry()
        self._is_label = False
        if self._is_reached():
            self._become_label()
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() in _REACHING:
            self._become_label()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_reached():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        self.drawFrame(painter)
        painter.setPen(self.palette().color(self.foregroundRole()))
        margin = self.margin()
        room = self.contentsRect().adjusted(margin, margin, -margin, -margin)
        laid_out = self._laid_out(room.width())
        above = max(room.height() - self._height_of(laid_out), 0) // 2
        painter.translate(room.left(), room.top() + above)
        top = 0.0
        for part in laid_out:
            part.draw(painter, 0.0, top)
            top += part.height + self._below
        painter.end()

    def forget_heights(self) -> None:
        self._kept.clear()
        super().forget_heights()

    def measured(self, width: int) -> int:
        around = 2 * self.margin() + self.width() - self.contentsRect().width()
        height = self._height_of(self._laid_out(max(width - around, 0)))
        return math.ceil(height) + around

    def _is_reached(self) -> bool:
        return self.hasFocus() or self.hasSelectedText()

    def _become_label(self) -> None:
        if not self._is_label:
            self._is_label = True
            QLabel.setText(self, self.text())

    def _laid_out(self, width: int) -> list[LaidOut]:
        if width not in self._kept:
            font, option, spacing = self.font(), self._option, self._spacing
            self._kept[width] = [
                LaidOut(line, font, width, option, spacing=spacing)
                for line in self._lines
            ]
        return self._kept[width]

    def _height_of(self, laid_out: Sequence[LaidOut]) -> float:
        between = self._below * (len(laid_out) - 1)
        return sum(part.height for part in laid_out) + between


def link_box(name: str, *, paragraphs: bool = True) -> LinkBox:
    """Return a sunken box of lines with links."""
    box = sunken(LinkBox(paragraphs=paragraphs), name)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
    return box
