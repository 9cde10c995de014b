"""The order of the maps: by layer, or by a number about each head."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import HeadSurvey, head_locations
from attnviewer.ui.state.head_report import HeadReport, tint_of
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.head_atlas.choices import BY_LAYER, AtlasChoices
from attnviewer.ui.views.head_atlas.habits import HabitsList
from attnviewer.ui.views.head_atlas.maps import HeadMaps
from attnviewer.ui.views.step.heads.numbers import HeadNumbers
from attnviewer.ui.views.step.heads.ordering import ordered
from attnviewer.ui.views.step.heads.statistics import CELL
from attnviewer.ui.widgets.tint_legend import TintLegend
from attnviewer.ui.work.surveyor import Surveyor

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads


class MapSorting(QObject):
    """Sorts maps by what is chosen, and writes the number of each head beneath it.

    Parameters
    ----------
    report : HeadReport
        What is known of the model's heads.
    choices : AtlasChoices
        What they are sorted by.
    maps : HeadMaps
        The maps.
    habits : HabitsList
        The heads that have most of something.
    legend : TintLegend
        What the maps are tinted by.
    parent : QObject
        The parent object.

    Attributes
    ----------
    sorted : Signal
        The maps lie anew, or what there is to tell has changed.
    """

    sorted = Signal()

    def __init__(
        self,
        report: HeadReport,
        choices: AtlasChoices,
        maps: HeadMaps,
        habits: HabitsList,
        legend: TintLegend,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._report, self._choices = report, choices
        self._maps, self._habits, self._legend = maps, habits, legend
        self._heads: ModelHeads | None = None
        self._survey: HeadSurvey | None = None
        self._cell: Position | None = None
        self._surveyor = Surveyor(self)
        self._surveyor.finished.connect(self.sort)
        self._choices.sorted.connect(self._on_chosen)
        report.changed.connect(self._on_reported)

    @property
    def trouble(self) -> str:
        """The reason why the chosen number does not sort the maps; "" if it does."""
        return self._report.state_of(self._choices.statistic)

    def show_heads(self, heads: "ModelHeads") -> None:
        """Sort the maps of other heads, as soon as enough is known of them."""
        if heads is not self._heads:
            self._heads = heads
            matrices = [heads.matrix(location) for location in head_locations(heads)]
            offset = heads.query_offset
            self._survey = HeadSurvey(matrices, weights=True, query_offset=offset)
            self._surveyor.start(self._survey)
        self._choices.offer(self._report.groups)
        self.sort()

    def forget(self) -> None:
        """Let go of all heads."""
        self._heads = self._survey = None
        self._surveyor.forget()
        self._legend.show_tint(None)

    def pause(self) -> None:
        """Compute nothing while the maps are out of sight."""
        self._surveyor.pause()

    def resume(self) -> None:
        """Continue after a pause, with what the report has by now."""
        self._surveyor.resume()
        self._on_reported()

    def follow(self, cell: Position | None) -> None:
        """Follow the selected cell."""
        before, self._cell = self._cell, cell
        if cell != before and self._choices.statistic == CELL:
            self.sort()

    @Slot()
    def sort(self) -> None:
        """Sort the maps; until all is known they stay where they are, unnumbered."""
        heads, statistic = self._heads, self._choices.statistic
        if heads is None:
            return
        self._report.want(statistic)
        every = head_locations(heads)
        by_layer = statistic == BY_LAYER or bool(self._report.trouble(statistic))
        if by_layer:
            self._maps.sort(None, {})
        else:
            matrices = [heads.matrix(location) for location in every]
            numbers = HeadNumbers(
                heads, matrices, self._survey, self._report, self._cell
            )
            order = ordered(every, self._choices.sorting, statistic, numbers)
            captions = dict(zip(every, numbers.captions(statistic), strict=True))
            self._maps.sort(self._maps.order if order is None else order, captions)
        self._tint(heads)
        # Habits compare places, which two sequences do not share.
        survey = None if heads.crosses else self._survey
        self._habits.show_survey(survey, every)
        self.sorted.emit()

    def _tint(self, heads: "ModelHeads") -> None:
        """Tint the maps by the difference to another checkpoint, while there is one."""
        tint = tint_of(self._report, self._choices.statistic, heads)
        self._maps.tint({} if tint is None else tint.shares)
        self._legend.show_tint(tint)

    @Slot()
    def _on_chosen(self) -> None:
        self._report.want_again(self._choices.statistic)
        self.sort()

    @Slot()
    def _on_reported(self) -> None:
        if self._maps.isVisible():
            self._choices.offer(self._report.groups)
            self.sort()
