"""The learner's place in a lesson: a dot for each place, or a number."""

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.widgets.tool_tips import plain_tip

MOST = 14
"""More places are written as numbers."""
_SIZE, _GAP = 0.4, 0.25
"""Of a dot and between two, in heights of a line."""


class Dots(QWidget):
    """A dot for each place: filled where it is finished, larger where the learner is.

    It is no stop of the Tab key: the buttons beside it do the same.

    Attributes
    ----------
    chosen : Signal
        The place that was clicked.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("lesson.dots")
        self._finished: tuple[bool, ...] = ()
        self._titles: tuple[str, ...] = ()
        self._place = 0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)

    def show_place(
        self, place: int, titles: tuple[str, ...], finished: tuple[bool, ...]
    ) -> None:
        """Show where the learner is.

        Parameters
        ----------
        place : int
            The place.
        titles : tuple of str
            What each place is called.
        finished : tuple of bool
            Whether nothing is left to do there.
        """
        self._place, self._titles, self._finished = place, titles, finished
        self.setAccessibleName(self._text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        if len(self._titles) > MOST:
            return QSize(self.fontMetrics().horizontalAdvance(self._text) + 4, line)
        return QSize(round(len(self._titles) * self._pitch), round(1.2 * line))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = Appearance.theme_in_force()
        painter = QPainter(self)
        painter.setPen(QColor(theme.muted))
        if self._as_text:
            center = Qt.AlignmentFlag.AlignCenter
            painter.drawText(self.rect(), center, self._shown_text)
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        radius = _SIZE * self.fontMetrics().height() / 2
        for place, done in enumerate(self._finished):
            here = place == self._place
            hue = QColor(theme.accent if here else theme.control)
            painter.setPen(QPen(hue, 2 if here else 1.2))
            painter.setBrush(hue if done else Qt.BrushStyle.NoBrush)
            size = radius * (1.35 if here else 0.8)
            painter.drawEllipse(
                QPointF(self._middle(place), self.height() / 2), size, size
            )
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._at(event)
        self.setToolTip("" if place is None else plain_tip(self._titles[place]))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self._at(event)
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(place)

    @property
    def _text(self) -> str:
        return self.tr("{place} of {count}").format(
            place=self._place + 1, count=len(self._titles)
        )

    @property
    def _shown_text(self) -> str:
        """Return as much of that as there is room for."""
        if self.fontMetrics().horizontalAdvance(self._text) <= self.width():
            return self._text
        return f"{self._place + 1}/{len(self._titles)}"

    @property
    def _as_text(self) -> bool:
        return len(self._titles) > MOST or self.width() < self._pitch * len(
            self._titles
        )

    @property
    def _pitch(self) -> float:
        return (_SIZE + _GAP) * self.fontMetrics().height()

    def _middle(self, place: int) -> float:
        first = (self.width() - self._pitch * (len(self._titles) - 1)) / 2
        return first + place * self._pitch

    def _at(self, event: QMouseEvent) -> int | None:
        if self._as_text:
            return None
        places = range(len(self._titles))
        x = event.position().x()
        near = [p for p in places if abs(self._middle(p) - x) <= self._pitch / 2]
        return near[0] if near else None
