"""Reasons in place: a line beside the control that says why something does not fit."""

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, Qt, QTimer, Slot
from PySide6.QtWidgets import QDockWidget, QLabel, QPushButton, QWidget

from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.notice import Offer
from attnviewer.ui.widgets.style_properties import set_styled

LINGER_MS = 8000
GAP = 6
"""Between the reason and the button below it."""
PADDING = QMargins(10, 6, 10, 6)
"""Between the line's edge and its text."""
WIDEST_LINES = 30
"""How wide it may become, in heights of a line."""


class ReasonLabel(QLabel):
    """A line of a dialog: why something does not fit, or what is doubtful.

    What is below it stays where it is when a person has answered: it either keeps
    room from the start, or takes none until there is something to say, and keeps it
    from then on.

    Parameters
    ----------
    name : str
        The label's object name.
    parent : QWidget
        The dialog.
    lines : int, optional
        For how many lines it keeps room from the start.
    """

    def __init__(self, name: str, parent: QWidget, *, lines: int = 0) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self._grows = not lines
        self.setMinimumHeight(lines * self.fontMetrics().lineSpacing())
        if self._grows:
            self.hide()

    def say(self, text: str, *, error: bool = True) -> None:
        """Show a sentence; an empty one for none."""
        if self._grows and not text and self.isVisible():
            self.setMinimumHeight(self.height())
        self.setText(text)
        self.setAccessibleName(text)
        set_styled(self, "remark", "error" if error else "doubt")
        self.setVisible(self.takes_room)

    @property
    def takes_room(self) -> bool:
        """Whether it says something, or keeps room for it."""
        return bool(self.text()) or self.minimumHeight() > 0


class ReasonBubble(QLabel):
    """A line over the window, just below what it speaks about.

    It takes no focus and no clicks, and goes by itself after a while or when
    `clear` is called. A button in it may offer what can be done instead; the line then
    stays while the pointer or the focus is there.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = self._watched = window
        self.setObjectName("reason")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._timer = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._timer.timeout.connect(self._expire)
        self._offer: Offer | None = None
        self._button = QPushButton(self)
        self._button.setObjectName("reason.offer")
        self._button.setAutoDefault(True)
        self._button.clicked.connect(self._accept)
        self._button.hide()
        self.hide()

    def say(self, reason: str, anchor: QRect, offer: Offer | None = None) -> None:
        """Show a reason below a place.

        Parameters
        ----------
        reason : str
            One plain sentence.
        anchor : QRect
            What it speaks about, on the screen.
        offer : Offer, optional
            A button below the reason.
        """
        window = self._host(anchor)
        anchor = QRect(window.mapFromGlobal(anchor.topLeft()), anchor.size())
        self.setText(reason)
        self.setAccessibleName(reason)
        widest = WIDEST_LINES * self.fontMetrics().height()
        self.setMaximumWidth(min(widest, window.width() - 16))
        self._show_offer(offer)
        self.adjustSize()
        room = self.contentsRect()
        self._button.move(room.left(), room.bottom() + GAP)
        x = max(8, min(anchor.left(), window.width() - self.width() - 8))
        y = anchor.bottom() + 6
        if y + self.height() > window.height() - 8:
            y = max(8, anchor.top() - self.height() - 6)
        self.move(QPoint(x, y))
        self.show()
        self.raise_()
        announce(self, reason, urgent=True)
        self._timer.start()

    def _host(self, anchor: QRect) -> QWidget:
        """Lie over the window or the floating dock that a place is in."""
        docks = self._window.findChildren(QDockWidget)
        floating = (dock for dock in docks if dock.isFloating() and dock.isVisible())
        inside = (d for d in floating if d.geometry().contains(anchor.center()))
        host = next(inside, self._window)
        if host is not self.parentWidget():
            self.clear()
            self.setParent(host)
        self._watched = host
        host.installEventFilter(self)
        return host

    def clear(self) -> None:
        """Take the reason away."""
        self._timer.stop()
        self.hide()
        # No more than needed, as a window has an event for every paint.
        self._watched.removeEventFilter(self)

    def _show_offer(self, offer: Offer | None) -> None:
        button = self._button
        self._offer = offer
        self.setAttribute(
            Qt.WidgetAttribute.WA_TransparentForMouseEvents, offer is None
        )
        button.setText("" if offer is None else offer[0])
        button.setVisible(offer is not None)
        button.adjustSize()
        below = button.height() + GAP if offer is not None else 0
        self.setContentsMargins(PADDING + QMargins(0, 0, 0, below))

    @Slot()
    def _accept(self) -> None:
        offer = self._offer
        self.clear()
        if offer is not None:
            offer[1]()

    @Slot()
    def _expire(self) -> None:
        if self._offer is not None and (self.underMouse() or self._button.hasFocus()):
            self._timer.start()
        else:
            self.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.clear()
        return super().eventFilter(watched, event)


def global_rect(widget: QWidget) -> QRect:
    """Return where a widget lies on the screen."""
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
