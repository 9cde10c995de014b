"""Surveys heads in short time slices, so that the window stays responsive."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import HeadSurvey
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for


class Surveyor(QObject):
    """Runs one survey at a time.

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
        self._timer.timeout.connect(self._on_timeout)

    def start(self, survey: HeadSurvey) -> None:
        """Run a survey in place of the present one; a small one finishes at once."""
        self._survey = survey
        self._advance()

    def forget(self) -> None:
        """Drop the survey."""
        self.pause()
        self._survey = None

    def pause(self) -> None:
        """Interrupt the survey."""
        self._timer.stop()

    def resume(self) -> None:
        """Continue an interrupted survey."""
        if self._survey is not None and not self._survey.done:
            self._timer.start()

    def finish(self) -> None:
        """Complete the running survey at once."""
        if self._timer.isActive():
            self._timer.stop()
            while self._advance_once():
                pass
            self.finished.emit()

    def _advance(self) -> None:
        if run_for(SLICE_SECONDS, self._advance_once):
            self._timer.start()

    def _advance_once(self) -> bool:
        assert self._survey is not None
        self._survey.advance()
        return not self._survey.done

    @Slot()
    def _on_timeout(self) -> None:
        self._advance()
        if self._survey is not None and self._survey.done:
            self.finished.emit()
