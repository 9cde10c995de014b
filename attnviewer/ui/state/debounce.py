"""A debounce: secondary views follow an edit after the main view has painted."""

from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

LONGEST_WAIT = 0.1
"""Seconds after which a view follows even if newer edits keep coming."""


class Debounce(QObject):
    """Tells a view when to follow: after the next paint, and not for outdated numbers.

    While numbers are scrubbed, edits may come faster than all views can follow. Views
    that wait here skip results that a newer edit has replaced by the time the event
    loop has painted and looked for input.

    Parameters
    ----------
    parent : QObject
        The Qt parent.

    Attributes
    ----------
    due : Signal
        The view must show the newest numbers now.
    """

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since = 0.0
        self._has_painted = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_turn)

    def start(self) -> None:
        """Emit `due` once the event loop has painted."""
        if not self._timer.isActive():
            self._since = perf_counter()
        self._has_painted = False
        self._timer.start()  # restarted, or it would fire before the paint

    def stop(self) -> None:
        """Cancel what is pending: the view is up to date."""
        self._timer.stop()

    @Slot()
    def _on_turn(self) -> None:
        if self._has_painted or perf_counter() - self._since >= LONGEST_WAIT:
            self.due.emit()
        else:
            self._has_painted = True
            self._timer.start()  # one more turn, for input that came meanwhile
