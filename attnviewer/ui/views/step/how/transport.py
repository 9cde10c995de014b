"""The playback controls, above the picture."""

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.views.step.how.playback import NORMAL, SPEEDS, Playback
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.play_button import PlayButton
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.wheel_filter import WheelFilter

MARGIN = 16
MOST_SEGMENTS = 64
"""The most cells that have a segment each; more share them."""
_SPEED_NAMES = ("¼×", "½×", "1×", "2×", "4×")


class Transport(QWidget):
    """Buttons to play and step; position, speed and order of the playback."""

    def __init__(self, playback: Playback, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("how.transport")
        self._playback = playback
        self._reserved = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 4, MARGIN, 4)
        row.setSpacing(6)
        self._earlier = (
            symbol_button("how.first", "|‹", self.tr("First cell (Home)"), self),
            symbol_button("how.back", "‹", self.tr("Previous cell (←)"), self),
        )
        self._play = PlayButton(self)
        self._play.setObjectName("how.play")
        self._play.setToolTip(self.tr("Play the computation cell by cell (Space)"))
        self._play.setAccessibleName(self._play.toolTip())
        self._play.setCheckable(True)
        self._later = (
            symbol_button("how.next", "›", self.tr("Next cell (→)"), self),
            symbol_button("how.last", "›|", self.tr("Last cell (End)"), self),
        )
        self._buttons = (*self._earlier, self._play, *self._later)
        slots = self._first, self._back, playback.toggle, self._next, self._last
        for button, slot in zip(self._buttons, slots, strict=True):
            button.clicked.connect(slot)
            row.addWidget(button)
        self.position = QLabel(self)
        self.position.setObjectName("how.cell")
        self._segments = _Segments(self)
        self._segments.setObjectName("how.segments")
        self._segments.chosen.connect(playback.go)
        self.speed = QComboBox(self)
        self.speed.setObjectName("how.speed")
        name_control(self.speed, self.tr("Speed"))
        self.speed.addItems(
            [self.tr("Speed: {speed}").format(speed=name) for name in _SPEED_NAMES]
        )
        self.speed.setCurrentIndex(NORMAL)
        self.speed.activated.connect(playback.set_speed)
        self.fill = QComboBox(self)
        self.fill.setObjectName("how.fill")
        name_control(self.fill, self.tr("Fill order"))
        self.fill.addItems([self.tr("Fill: by rows"), self.tr("Fill: by columns")])
        self.fill.activated.connect(self._on_fill)
        for box in (self.speed, self.fill):
            WheelFilter(box)
        # In a narrow window these are left out first.
        self._giving_way: tuple[QWidget, ...] = (
            *(self.fill, self.speed, self._segments, self.position),
            *(self._earlier[0], self._later[-1]),
        )
        row.addSpacing(6)
        row.addWidget(self.position)
        row.addWidget(self._segments, 1)
        row.addWidget(self.speed)
        row.addWidget(self.fill)
        playback.changed.connect(self.refresh)
        playback.playing_changed.connect(self._on_playing)
        assert len(_SPEED_NAMES) == len(SPEEDS)

    def minimumSizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(3 * hint.height(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._reserve()

    def _reserve(self) -> None:
        """Reserve the width of the longest text, so that no text moves the others."""
        count = self._playback.count
        widest = self._where(count, count)
        metrics = self.position.fontMetrics()
        self.position.setMinimumWidth(metrics.horizontalAdvance(widest) + 2)
        self._make_room()

    def _where(self, number: int, count: int) -> str:
        return self.tr("cell {number} of {count}").format(number=number, count=count)

    def _make_room(self) -> None:
        """Leave out controls that do not fit a narrow window."""
        layout = self.layout()
        assert layout is not None
        needed = sum(
            widget.minimumSizeHint().width() + layout.spacing()
            for widget in (*self._buttons, *self._giving_way[:4])
        )
        missing = needed + 2 * MARGIN + layout.spacing() - self.width()
        missing += max(
            0, self.position.minimumWidth() - self.position.minimumSizeHint().width()
        )
        for widget in self._giving_way:
            widget.setVisible(missing <= 0)
            if missing > 0:
                missing -= widget.minimumSizeHint().width() + layout.spacing()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        self._segments.set_theme(theme)

    @Slot()
    def refresh(self) -> None:
        """Show the position of the playback."""
        playback = self._playback
        number, count = playback.number, playback.count
        self.position.setText(self._where(number + 1, count))
        if count != self._reserved:
            self._reserved = count
            self._reserve()
        self._segments.show_place(number, count)
        for button in self._earlier:
            button.setEnabled(number > 0)
        for button in self._later:
            button.setEnabled(number < count - 1)

    @Slot(bool)
    def _on_playing(self, playing: bool) -> None:
        self._play.setChecked(playing)
        self._play.show_playing(playing=playing)

    @Slot()
    def _first(self) -> None:
        self._playback.go(0)

    @Slot()
    def _back(self) -> None:
        self._playback.go(self._playback.number - 1)

    @Slot()
    def _next(self) -> None:
        self._playback.go(self._playback.number + 1)

    @Slot()
    def _last(self) -> None:
        self._playback.go(self._playback.count - 1)

    @Slot(int)
    def _on_fill(self, index: int) -> None:
        self._playback.set_down(index == 1)


class _Segments(QWidget):
    """A segment for each cell; a click goes there."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._number, self._count = 0, 1
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(
            self.tr("The cells of the step in fill order: click to go to one")
        )

    def sizeHint(self) -> QSize:
        return QSize(160, self.fontMetrics().height() + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        if theme != self._theme:
            self._theme = theme
            self.update()

    def show_place(self, number: int, count: int) -> None:
        """Show another place."""
        if (number, count) != (self._number, self._count):
            self._number, self._count = number, count
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        segments = min(self._count, MOST_SEGMENTS)
        width, high = self.width() / segments, 8.0
        width = min(width, 22.0)
        top = (self.height() - high) / 2
        here = self._number * segments // self._count
        for segment in range(segments):
            color = theme.accent if segment <= here else theme.empty
            painter.setBrush(QColor(color))
            rect = QRectF(segment * width + 1, top, max(width - 2, 1.0), high)
            if segment == here:
                rect.adjust(0, -2, 0, 2)
            painter.drawRoundedRect(rect, 3, 3)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            segments = min(self._count, MOST_SEGMENTS)
            width = min(self.width() / segments, 22.0)
            segment = min(int(event.position().x() / width), segments - 1)
            # Rounded up: the first of the cells that share a segment.
            self.chosen.emit(-(-segment * self._count // segments))
