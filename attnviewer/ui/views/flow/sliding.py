"""The lens as it slides from one place to the next."""

from PySide6.QtCore import QEasingCurve, QObject, QRect, QVariantAnimation, Signal, Slot

_RUNNING = QVariantAnimation.State.Running


class SlidingLens(QObject):
    """Holds where the lens is, and slides it.

    Attributes
    ----------
    moved : Signal
        The lens has moved; with where it was.
    """

    moved = Signal(QRect)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._rect = QRect()
        self._slide = QVariantAnimation(self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._slide.valueChanged.connect(self._put)

    @property
    def rect(self) -> QRect:
        """The rectangle of the lens; empty if there is none."""
        return QRect(self._rect)

    @property
    def slides(self) -> bool:
        """Whether it is on its way."""
        return self._slide.state() == _RUNNING

    def move(self, goal: QRect) -> None:
        """Move at once, unless it is already on its way there."""
        if self.slides and self._slide.endValue() == goal:
            return
        self._slide.stop()
        self._put(goal)

    def slide(self, start: QRect, goal: QRect, duration: int) -> None:
        """Slide within a duration in milliseconds; at once if it is 0."""
        self._slide.stop()
        if not duration or start.isNull() or goal.isNull():
            self._put(goal)
            return
        self._slide.setDuration(duration)
        self._slide.setStartValue(start)
        self._slide.setEndValue(goal)
        self._slide.start()

    @Slot(object)
    def _put(self, rect: QRect) -> None:
        if rect != self._rect:
            before, self._rect = self._rect, QRect(rect)
            self.moved.emit(before)
