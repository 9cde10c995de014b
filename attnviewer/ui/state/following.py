"""When views that are not looked at first follow an edit."""

from time import perf_counter

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.ui.state.engine import Engine

LONGEST_WAIT = 0.1
"""Seconds after which a view follows even though newer edits keep coming."""


class Following(QObject):
    """Tells a view when to follow: after the pictures, and not what is old already.

    While numbers are scrubbed, edits may come faster than all views follow. Those
    that wait here then leave out what a newer edit replaces at once.

    Parameters
    ----------
    engine : Engine
        What computes the edits.
    parent : QObject
        Qt's owner.

    Attributes
    ----------
    due : Signal
        The view is to show the newest numbers.
    """

    due = Signal()

    def __init__(self, engine: Engine, parent: QObject) -> None:
        super().__init__(parent)
        self._engine = engine
        self._since = 0.0
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._on_turn)

    def start(self) -> None:
        """Follow once the event loop has painted."""
        if not self._timer.isActive():
            self._since = perf_counter()
        self._timer.start()  # anew, or it would come before the paint

    def stop(self) -> None:
        """Do not follow any more: it is done."""
        self._timer.stop()

    @Slot()
    def _on_turn(self) -> None:
        if self._engine.is_waiting and perf_counter() - self._since < LONGEST_WAIT:
            self._timer.start()
        else:
            self.due.emit()
