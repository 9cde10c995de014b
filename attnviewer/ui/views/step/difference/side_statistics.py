"""The statistics of the heads of A and B, in one line."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.compute import Folding, HeadSurvey, StepHeads
from attnviewer.document.comparison import Side
from attnviewer.ui.text.folding import what_groups_count
from attnviewer.ui.views.step.difference.both_sides import both_statistics
from attnviewer.ui.views.step.difference.content import head_of
from attnviewer.ui.views.step.difference.groups import Foldings
from attnviewer.ui.work.surveyor import Surveyor


class SideStatistics(QLabel):
    """Shows ``entropy 1.52 → 1.61 bit`` and the like, once all rows are read.

    Attributes
    ----------
    told : Signal
        Carries another text.
    """

    told = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("difference.statistics")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("muted", True)
        self._surveys: Sequence[HeadSurvey] = ()
        self._surveyors = Surveyor(self), Surveyor(self)
        for surveyor in self._surveyors:
            surveyor.finished.connect(self._update_text)

    def show_heads(
        self,
        sides: Sequence[Side],
        step: str,
        head: int,
        foldings: Foldings = (None, None),
    ) -> None:
        """Show the statistics of a head of A and of B; only weights have any.

        Parameters
        ----------
        sides : sequence of two Side
            A and B.
        step : str
            A step of both.
        head : int
            A head of the queries.
        foldings : tuple of two Folding or None
            How A and B are folded.
        """
        self.forget()
        if step == "weights":
            both = zip(sides, foldings, strict=True)
            self._surveys = [_survey(side, head, folding) for side, folding in both]
        folding = foldings[1]
        self.setToolTip("" if folding is None else what_groups_count(folding))
        for surveyor, survey in zip(self._surveyors, self._surveys, strict=False):
            surveyor.start(survey)
        self._update_text()

    def forget(self) -> None:
        """Clear the line."""
        self._surveys = ()
        for surveyor in self._surveyors:
            surveyor.forget()
        self.clear()

    def pause(self) -> None:
        """Pause reading."""
        for surveyor in self._surveyors:
            surveyor.pause()

    def resume(self) -> None:
        """Continue reading."""
        for surveyor in self._surveyors:
            surveyor.resume()

    def finish(self) -> None:
        """Read the rest at once."""
        for surveyor in self._surveyors:
            surveyor.finish()
        self._update_text()

    @Slot()
    def _update_text(self) -> None:
        known = self._surveys and all(survey.done for survey in self._surveys)
        if known:
            before, after = (survey.statistics() for survey in self._surveys)
            self.setText(both_statistics(before, after))
        self.told.emit(self.text())


def _survey(side: Side, head: int, folding: Folding | None) -> HeadSurvey:
    offset = StepHeads(side.trace, "weights").query_offset
    matrix = head_of(side, "weights", head, folding)
    return HeadSurvey([matrix], weights=True, query_offset=offset, folding=folding)
