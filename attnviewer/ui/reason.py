"""Reasons in place: a line that says, beside the control, why something was refused."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QLabel, QWidget

from attnviewer.ui.announcing import announce

LINGER_MS = 8000
WIDEST_LINES = 30
"""How wide it may become, in heights of a line."""


class ReasonBubble(QLabel):
    """A line over the window, just below what it speaks about.

    It takes no focus and no clicks, and goes by itself after a while or when
    `clear` is called.

    Parameters
    ----------
    window : QWidget
        The window it lies over, if not over a dock of it that floats.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("reason")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._timer.timeout.connect(self.clear)
        window.installEventFilter(self)
        self.hide()

    def say(self, reason: str, place: QRect) -> None:
        """Show a reason below a place.

        Parameters
        ----------
        reason : str
            One plain sentence.
        place : QRect
            What it speaks about, on the screen.
        """
        window = self._host(place)
        place = QRect(window.mapFromGlobal(place.topLeft()), place.size())
        self.setText(reason)
        self.setAccessibleName(reason)
        widest = WIDEST_LINES * self.fontMetrics().height()
        self.setMaximumWidth(min(widest, window.width() - 16))
        self.adjustSize()
        x = max(8, min(place.left(), window.width() - self.width() - 8))
        y = place.bottom() + 6
        if y + self.height() > window.height() - 8:
            y = max(8, place.top() - self.height() - 6)
        self.move(QPoint(x, y))
        self.show()
        self.raise_()
        announce(self, reason, urgent=True)
        self._timer.start()

    def _host(self, place: QRect) -> QWidget:
        """Lie over the window or the floating dock that a place is in."""
        docks = self._window.findChildren(QDockWidget)
        floating = (dock for dock in docks if dock.isFloating() and dock.isVisible())
        inside = (d for d in floating if d.geometry().contains(place.center()))
        host = next(inside, self._window)
        if host is not self.parentWidget():
            self.setParent(host)
            host.installEventFilter(self)
        return host

    def clear(self) -> None:
        """Take the reason away."""
        self._timer.stop()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.clear()
        return super().eventFilter(watched, event)


def place_of(widget: QWidget) -> QRect:
    """Return where a widget lies on the screen."""
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
