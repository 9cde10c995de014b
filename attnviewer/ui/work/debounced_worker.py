"""Background work that begins after a pause in what asks for it."""

from PySide6.QtCore import QObject, QTimer, Signal

from attnviewer.ui.work.worker import Worker

PAUSE = 200
"""Milliseconds without another request before work begins."""


class DebouncedWorker(Worker):
    """A worker whose job is made once no other request has come for a while.

    Parameters
    ----------
    parent : QObject, optional
        The parent object.
    pause : int
        Milliseconds without another request.

    Attributes
    ----------
    due : Signal
        The pause is over: the job is to be made and started.
    """

    due = Signal()

    def __init__(self, parent: QObject | None = None, pause: int = PAUSE) -> None:
        super().__init__(parent)
        self._pause = QTimer(self, singleShot=True, interval=pause)
        self._pause.timeout.connect(self.due)

    @property
    def busy(self) -> bool:
        """Whether a job is requested or unfinished."""
        return self._pause.isActive() or bool(self.jobs)

    def request(self) -> None:
        """Emit `due` after a pause, which begins now."""
        self._pause.start()

    def withdraw(self) -> None:
        """Take a request back; unfinished jobs go on."""
        self._pause.stop()

    def stop_all(self) -> None:
        """Cancel all jobs, and take a request back."""
        self.withdraw()
        super().stop_all()

    def finish(self) -> None:
        """Wait for all jobs, and for a requested one, and deliver their signals."""
        if self._pause.isActive():
            self._pause.stop()
            self.due.emit()
        super().finish()
