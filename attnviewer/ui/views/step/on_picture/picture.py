"""The attention of a token, painted on the grid of tokens."""

import numpy as np
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import cell_colors, wants_light_ink
from attnviewer.ui.paint.grid_image import grid_colors
from attnviewer.ui.text.numbers import full_number, significant_number
from attnviewer.ui.views.step.on_picture.content import GridContent
from attnviewer.ui.views.step.on_picture.layout import GAP, GridLayout
from attnviewer.ui.widgets.arrow_keys import walk

_DIGITS = 3
_PAGE = 4
"""Rows that Page Up and Page Down move by."""
_LEAST = QSize(160, 160)


class GridPicture(QWidget):
    """Colours each token by the number that the chosen token has for it.

    Attributes
    ----------
    asked : Signal
        A token that is to be the query.
    hovered : Signal
        The token under the pointer, or None.
    painted : Signal
        It has been painted.
    """

    asked = Signal(int)
    hovered = Signal(object)
    painted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step.on_picture.grid")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._content: GridContent | None = None
        self._image = QImage()
        self._layout: GridLayout | None = None
        self._pointed: int | None = None

    @property
    def pointed(self) -> int | None:
        """The token under the pointer."""
        return self._pointed

    @property
    def content(self) -> GridContent | None:
        """The shown content."""
        return self._content

    @property
    def image(self) -> QImage:
        """The colours of the grid."""
        return self._image

    def show_content(
        self, content: GridContent, *, smooth: bool, with_image: bool
    ) -> None:
        """Show what a query has for all tokens.

        Parameters
        ----------
        content : GridContent
            The numbers.
        smooth : bool
            Whether they are interpolated.
        with_image : bool
            Whether the picture is beneath.
        """
        self._content = content
        values, hidden = content.on_grid
        image = content.grid.image if with_image else None
        self._image = _as_image(
            grid_colors(
                values,
                hidden,
                content.scale,
                content.theme,
                image=image,
                smooth=smooth,
            )
        )
        self._lay_out()
        self._tell()
        self.update()

    def forget(self) -> None:
        """Let go of the numbers."""
        self._content, self._layout, self._image = None, None, QImage()
        self.update()

    def reading(self, token: int) -> str:
        """Return the number of a token, in words: ``[CLS] → 2,3: 0.0312``."""
        content = self._content
        assert content is not None
        names = content.labels
        hidden = content.hidden is not None and bool(content.hidden[token])
        number = (
            self.tr("masked") if hidden else full_number(float(content.values[token]))
        )
        return f"{names[content.query]} → {names[token]}: {number}"

    def sizeHint(self) -> QSize:
        return _LEAST * 2

    def minimumSizeHint(self) -> QSize:
        return _LEAST

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        layout = self._layout
        self._point_at(None if layout is None else layout.token_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self._layout is None or event.button() != Qt.MouseButton.LeftButton:
            return
        token = self._layout.token_at(event.position())
        if token is not None:
            self.asked.emit(token)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        token = None if self._content is None else self._walked(event, self._content)
        if token is None:
            super().keyPressEvent(event)
        else:
            self.asked.emit(token)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        if self._content is not None and self._layout is not None:
            self._paint(painter, self._content, self._layout)
        painter.end()
        self.painted.emit()

    def _walked(self, event: QKeyEvent, content: GridContent) -> int | None:
        """Return the token that a key leads to; None if it leads nowhere."""
        grid, place = content.grid, content.grid.place(content.query)
        key = Qt.Key(event.key())
        if place is None:
            ends = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
            if key in ends:
                return min(max(content.query + ends[key], 0), grid.n_special - 1)
        elif key == Qt.Key.Key_Up and place[0] == 0 and grid.n_special:
            return min(place[1], grid.n_special - 1)
        to = walk(event, place, (grid.rows, grid.columns), _PAGE)
        return None if to is None else grid.token(*to)

    def _point_at(self, token: int | None) -> None:
        if token != self._pointed:
            self._pointed = token
            self.hovered.emit(token)
            self.update()

    def _tell(self) -> None:
        content = self._content
        assert content is not None
        name = content.labels[content.query]
        self.setAccessibleName(
            self.tr("Attention of {token} over the picture").format(token=name)
        )
        strongest = int(
            np.nanargmax(np.where(np.isnan(content.values), -np.inf, content.values))
        )
        self.setAccessibleDescription(
            self.tr("Largest: {reading}").format(reading=self.reading(strongest))
        )

    def _lay_out(self) -> None:
        content = self._content
        if content is None:
            return
        metrics = self.fontMetrics()
        special = content.labels[: content.grid.n_special]
        numbers = (content.scale.low, content.scale.high)
        self._layout = GridLayout.of(
            content.grid,
            QRectF(self.rect()),
            metrics.height(),
            max(map(metrics.horizontalAdvance, special), default=0),
            max(metrics.horizontalAdvance(_written(number)) for number in numbers)
            + GAP,
        )

    def _paint(
        self, painter: QPainter, content: GridContent, layout: GridLayout
    ) -> None:
        theme = content.theme
        painter.drawImage(layout.picture, self._image)
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.drawRect(layout.picture)
        self._paint_special(painter, content, layout)
        self._paint_bar(painter, content, layout)
        if self._pointed is not None and self._pointed < content.grid.n_tokens:
            _outline(painter, layout.rect(self._pointed), theme.text, 1.0)
        _outline(painter, layout.rect(content.query), theme.window, 4.0)
        _outline(painter, layout.rect(content.query), theme.accent, 2.0)

    def _paint_special(
        self, painter: QPainter, content: GridContent, layout: GridLayout
    ) -> None:
        count = content.grid.n_special
        if not count:
            return
        hidden = None if content.hidden is None else content.hidden[np.newaxis, :count]
        # Beyond colours that are fitted to the grid, they have its last one.
        values = np.minimum(content.values[np.newaxis, :count], content.scale.high)
        colors = cell_colors(
            values, content.scale, content.theme, hidden
        )  # (1, count, 3)
        light = wants_light_ink(colors)[0]  # (count,)
        for token, rect in enumerate(layout.special):
            painter.fillRect(rect, QColor(*colors[0, token].tolist()))
            painter.setPen(QColor("#ffffff" if light[token] else "#000000"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, content.labels[token])

    def _paint_bar(
        self, painter: QPainter, content: GridContent, layout: GridLayout
    ) -> None:
        table = content.scale.table()[::-1, np.newaxis]  # (256, 1, 3)
        painter.drawImage(layout.bar, _as_image(table))
        painter.setPen(QColor(content.theme.muted))
        line = self.fontMetrics().height()
        left = layout.bar.right() + GAP / 2
        room = self.width() - left
        for number, top in (
            (content.scale.high, layout.bar.top()),
            (content.scale.low, layout.bar.bottom() - line),
        ):
            painter.drawText(QRectF(left, top, room, line), 0, _written(number))


def _written(number: float) -> str:
    return significant_number(number, _DIGITS)


def _outline(painter: QPainter, rect: QRectF, color: str, width: float) -> None:
    painter.setPen(QPen(QColor(color), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect)


def _as_image(colors: Rgb) -> QImage:
    kept = np.ascontiguousarray(colors)
    height, width = kept.shape[:2]
    # The copy owns its pixels, so the array may be freed.
    image = QImage(kept.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    return image.copy()
