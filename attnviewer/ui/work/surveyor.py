"""Looks at heads in short turns, so that nothing waits for it."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import HeadSurvey
from attnviewer.ui.work.time_slices import TURN, work_for


class Surveyor(QObject):
    """Carries out one survey at a time.

    Attributes
    ----------
    finished : Signal
        The survey is done.
    """

    finished = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._survey: HeadSurvey | None = None
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._go_on)

    def start(self, survey: HeadSurvey) -> None:
        """Carry out a survey instead of the present one; a small one at once."""
        self._survey = survey
        self._advance()

    def forget(self) -> None:
        """Carry out no survey any more."""
        self.pause()
        self._survey = None

    def pause(self) -> None:
        """Leave it for later."""
        self._timer.stop()

    def resume(self) -> None:
        """Go on with what was left."""
        if self._survey is not None and not self._survey.done:
            self._timer.start()

    def finish(self) -> None:
        """Carry out at once what is left of the survey that is going on."""
        if self._timer.isActive():
            self._timer.stop()
            while self._look():
                pass
            self.finished.emit()

    def _advance(self) -> None:
        if work_for(TURN, self._look):
            self._timer.start()

    def _look(self) -> bool:
        assert self._survey is not None
        self._survey.advance()
        return not self._survey.done

    @Slot()
    def _go_on(self) -> None:
        self._advance()
        if self._survey is not None and self._survey.done:
            self.finished.emit()
