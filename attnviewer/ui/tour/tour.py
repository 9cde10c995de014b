"""A tour through the window, one stop after the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Signal, Slot
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.tour.balloon import Balloon
from attnviewer.ui.widgets.docks import bring_forward

Place = tuple[QWidget, QRect] | None
"""A part of a widget; nothing where it is not to be had."""
_MOVES = {
    QEvent.Type.Resize,
    QEvent.Type.Move,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,
}


@dataclass(frozen=True, slots=True)
class Stop:
    """Something that a tour points to.

    Parameters
    ----------
    title, text : str
        What is said about it.
    find : callable
        Returns where it is now.
    """

    title: str
    text: str
    find: Callable[[], Place]


class Tour(QObject):
    """Points to parts of the window, which can be used all the while.

    Attributes
    ----------
    ended : Signal
        The person has come to the end, or has seen enough.
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
        self._came_from: QWidget | None = None

    @property
    def balloon(self) -> Balloon | None:
        """What is shown of the tour while it lasts."""
        return self._balloon

    def start(self, _data: object = None) -> None:
        """Go to the first stop."""
        if self._balloon is None:
            # A window that has just been shown has the keys only later.
            self._came_from = QApplication.focusWidget() or self._window.focusWidget()
            self._balloon = Balloon(self._appearance, self._window)
            self._balloon.stepped.connect(self._step)
            self._balloon.ended.connect(self.end)
            self._appearance.changed.connect(self._follow)
        self._go(0)

    @Slot()
    def end(self) -> None:
        """Take the balloon away, and give the keys back."""
        if self._balloon is None:
            return
        self._forget()
        self._appearance.changed.disconnect(self._follow)
        balloon, self._balloon = self._balloon, None
        focused = QApplication.focusWidget()
        inside = focused is not None and balloon.isAncestorOf(focused)
        if inside and self._came_from is not None and isValid(self._came_from):
            self._came_from.setFocus()
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
        place = stop.find()
        if place is not None:
            bring_forward(place[0])
        self._watch(place)
        self._follow()
        self._balloon.say(stop.title, stop.text, number + 1, len(self._stops))
        self._follow()

    @Slot()
    def _follow(self) -> None:
        if self._balloon is not None:
            self._balloon.point_to(self._target())

    def _target(self) -> QRect:
        """Return what is to be seen of the stop's place, in the window."""
        place = self._stops[self._number].find()
        if place is None or place[0].window() is not self._window:
            return QRect()
        here, seen = place
        # Not its visible region, which lacks what children cover.
        while here is not self._window:
            seen = seen.intersected(here.rect()).translated(here.pos())
            parent = here.parentWidget()
            assert parent is not None
            here = parent
        return seen

    def _watch(self, place: Place) -> None:
        """Hear of whatever moves a place."""
        self._forget()
        self._watched = [self._window]
        widget = None if place is None else place[0]
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
