"""A tour through the window, one stop after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Signal, Slot
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.tour.balloon import Balloon
from attnviewer.ui.widgets.docks import bring_forward

Target = tuple[QWidget, QRect] | None
"""A rectangle in a widget; None while it is not visible."""
_MOVES = {
    QEvent.Type.Resize,
    QEvent.Type.Move,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,
}


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop of a tour.

    Parameters
    ----------
    title, text : str
        The text of its balloon.
    find : callable
        Returns its present target.
    """

    title: str
    text: str
    find: Callable[[], Target]


class Tour(QObject):
    """Points out parts of the window, which stays usable.

    Attributes
    ----------
    ended : Signal
        The tour was completed or dismissed.
    """

    ended = Signal()

    def __init__(
        self, window: QMainWindow, stops: Sequence[Stop], appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window = window
        self._stops = stops
        self._appearance = appearance
        self._number = 0
        self._balloon: Balloon | None = None
        self._watched: list[QWidget] = []
        self._previous_focus: QWidget | None = None

    @property
    def balloon(self) -> Balloon | None:
        """The balloon, during the tour."""
        return self._balloon

    def start(self, _data: object = None) -> None:
        """Go to the first stop."""
        if self._balloon is None:
            # A window that has just been shown gets the focus only later.
            self._previous_focus = (
                QApplication.focusWidget() or self._window.focusWidget()
            )
            self._balloon = Balloon(self._appearance, self._window)
            self._balloon.stepped.connect(self._step)
            self._balloon.ended.connect(self.end)
            self._appearance.changed.connect(self._follow)
        self._go(0)

    @Slot()
    def end(self) -> None:
        """Remove the balloon, and give the focus back."""
        if self._balloon is None:
            return
        self._forget()
        self._appearance.changed.disconnect(self._follow)
        balloon, self._balloon = self._balloon, None
        focused = QApplication.focusWidget()
        inside = focused is not None and balloon.isAncestorOf(focused)
        if (
            inside
            and self._previous_focus is not None
            and isValid(self._previous_focus)
        ):
            self._previous_focus.setFocus()
        balloon.hide()
        balloon.deleteLater()
        self.ended.emit()

    @Slot(int)
    def _step(self, by: int) -> None:
        number = self._number + by
        if number == len(self._stops):
            self.end()
        else:
            self._go(max(0, number))

    def _go(self, number: int) -> None:
        assert self._balloon is not None
        self._number = number
        stop = self._stops[number]
        target = stop.find()
        if target is not None:
            bring_forward(target[0])
        self._watch(target)
        self._follow()
        self._balloon.show_stop(stop.title, stop.text, number + 1, len(self._stops))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self._balloon is not None:
            self._balloon.point_to(self._target_rect())

    def _target_rect(self) -> QRect:
        """Return the visible part of the stop's target, in window coordinates."""
        target = self._stops[self._number].find()
        if target is None or target[0].window() is not self._window:
            return QRect()
        widget, rect = target
        # Not visibleRegion(), which excludes what children cover.
        while widget is not self._window:
            rect = rect.intersected(widget.rect()).translated(widget.pos())
            parent = widget.parentWidget()
            assert parent is not None
            widget = parent
        return rect

    def _watch(self, target: Target) -> None:
        """Follow whatever moves a target."""
        self._forget()
        self._watched = [self._window]
        widget = None if target is None else target[0]
        while widget is not None and widget is not self._window:
            self._watched.append(widget)
            widget = widget.parentWidget()
        for widget in self._watched:
            widget.installEventFilter(self)

    def _forget(self) -> None:
        for widget in self._watched:
            if isValid(widget):
                widget.removeEventFilter(self)
        self._watched = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._follow()
        return super().eventFilter(watched, event)
