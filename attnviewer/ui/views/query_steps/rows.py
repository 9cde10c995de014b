"""The numbers of the walk so far: loop above matrix form."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget

from attnviewer.compute import Array
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.text.numbers import fitted_number

LETTERS = 7, 11
"""The least and the largest width of a cell, in characters."""
PENDING = "·"


@dataclass(frozen=True, eq=False)
class WalkRows:
    """Two rows of numbers under common headings.

    Parameters
    ----------
    headings : tuple of str
        The column headings.
    loop, matrix : ndarray
        The known numbers, from the first column on.
    current : int or None
        The column that is being computed.
    decimals : int
        The decimals of the numbers.
    """

    headings: tuple[str, ...]
    loop: Array
    matrix: Array
    current: int | None
    decimals: int

    def text(self, number: float) -> str:
        """Write a number."""
        return fitted_number(number, self.decimals, LETTERS[1])

    @cached_property
    def letters(self) -> int:
        """The length of the longest number, in characters."""
        least, most = LETTERS
        known = np.concatenate([self.loop, self.matrix])
        ends = [f(known[np.isfinite(known)], initial=0.0) for f in (np.min, np.max)]
        return min(max(least, *(len(self.text(float(end))) for end in ends)), most)


class RowsView(QScrollArea):
    """Shows `WalkRows`; scrolls if there are many columns, beside the rows' titles."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("walk.rows")
        self.setAccessibleName(self.tr("Numbers so far"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._cells = _Cells(self)
        self._cells.setObjectName("walk.rows.content")
        self.setWidget(self._cells)
        self._titles = _Titles(self)
        self._make_room()

    def show_rows(self, rows: WalkRows, theme: Theme) -> None:
        """Show other numbers, and scroll to the current one."""
        self._cells.show_rows(rows, theme)
        self._titles.set_theme(theme)
        self.updateGeometry()
        self._scroll_to_current()
        known = (float(number) for number in rows.loop[-1:])
        self.setAccessibleDescription(", ".join(map(rows.text, known)))

    def sizeHint(self) -> QSize:
        bar = self.horizontalScrollBar().sizeHint().height()
        cells = self._cells.sizeHint()
        across = self._titles.sizeHint().width() + cells.width()
        return QSize(across + 2, cells.height() + bar + 2)

    def texts(self) -> list[list[str]]:
        """Return the texts of the two rows."""
        return self._cells.texts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._titles.setGeometry(
            QRect(self.contentsRect().topLeft(), self._titles.sizeHint())
        )
        self._scroll_to_current()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._make_room()

    def _make_room(self) -> None:
        """Keep the titles of the rows beside what scrolls."""
        self.setViewportMargins(self._titles.sizeHint().width(), 0, 0, 0)

    def _scroll_to_current(self) -> None:
        current = self._cells.current
        if current is not None:
            rect = self._cells.column(current)
            self.ensureVisible(rect.center().x(), 0, rect.width(), 0)


class _Titles(QWidget):
    """The titles of the two rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("walk.rows.titles")
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        line = _line(self)
        widest = max(map(self.fontMetrics().horizontalAdvance, self._texts()))
        return QSize(widest + line, 3 * line)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, line = QPainter(self), _line(self)
        # Formulas and numbers are written from the left in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setPen(QColor(self._theme.muted))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        for row, title in enumerate(self._texts(), 1):
            painter.drawText(QRect(0, row * line, self.width(), line), flags, title)
        painter.end()

    def _texts(self) -> tuple[str, str]:
        return self.tr("loop"), self.tr("matrix form")


class _Cells(QWidget):
    """The cells of both rows; paints only the visible ones."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._rows: WalkRows | None = None
        self._theme = LIGHT

    @property
    def current(self) -> int | None:
        """The column that is being computed."""
        return None if self._rows is None else self._rows.current

    def show_rows(self, rows: WalkRows, theme: Theme) -> None:
        self._rows, self._theme = rows, theme
        self.resize(self.sizeHint())
        self.update()

    def sizeHint(self) -> QSize:
        count = 0 if self._rows is None else len(self._rows.headings)
        return QSize(count * self._column_width(), 3 * _line(self))

    def column(self, index: int) -> QRect:
        """Return the rectangle of a column."""
        width = self._column_width()
        return QRect(index * width, 0, width, 3 * _line(self))

    def texts(self) -> list[list[str]]:
        """Return the texts of the two rows."""
        rows = self._rows
        if rows is None:
            return []
        return [
            [_text(rows, numbers, index) for index in range(len(rows.headings))]
            for numbers in (rows.loop, rows.matrix)
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._rows is None:
            return
        painter, width = QPainter(self), self._column_width()
        # Formulas and numbers are written from the left in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        seen = event.rect()
        first = max(0, seen.left() // width)
        last = min(len(self._rows.headings), seen.right() // width + 1)
        for index in range(first, last):
            self._paint_column(painter, self._rows, index)
        painter.end()

    def _paint_column(self, painter: QPainter, rows: WalkRows, index: int) -> None:
        theme, line = self._theme, _line(self)
        column = self.column(index).adjusted(2, 0, -2, 0)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.accent if index == rows.current else theme.muted))
        heading = self.fontMetrics().elidedText(
            rows.headings[index], Qt.TextElideMode.ElideRight, column.width()
        )
        center = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRect(column.left(), 0, column.width(), line), center, heading)
        painter.setFont(fixed_font())
        for row, numbers in enumerate((rows.loop, rows.matrix), 1):
            cell = QRect(column.left(), row * line + 1, column.width(), line - 2)
            current = index == rows.current
            painter.fillRect(cell, QColor(theme.sunken))
            if current:
                painter.setPen(QColor(theme.accent))
                painter.drawRect(QRectF(cell).adjusted(0.5, 0.5, -0.5, -0.5))
            known = index < len(numbers)
            painter.setPen(QColor(theme.text if known else theme.muted))
            painter.drawText(cell, center, _text(rows, numbers, index))

    def _column_width(self) -> int:
        letters = LETTERS[0] if self._rows is None else self._rows.letters
        return QFontMetrics(fixed_font()).horizontalAdvance("0" * (letters + 2))


def _line(widget: QWidget) -> int:
    """Return the height of a row."""
    numbers = QFontMetrics(fixed_font()).height()
    return round(max(numbers, widget.fontMetrics().height()) * 1.4)


def _text(rows: WalkRows, numbers: Array, index: int) -> str:
    return rows.text(float(numbers[index])) if index < len(numbers) else PENDING
