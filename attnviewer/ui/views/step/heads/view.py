"""Heads side by side: choices above, cards below, or several heads as one large."""

from collections.abc import Collection

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from attnviewer.compute import (
    Combination,
    HeadLocation,
    HeadSource,
    HeadSurvey,
    head_locations,
)
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.head_report import HeadReport
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.heads.card_content import Card, Note
from attnviewer.ui.views.step.heads.choices import HeadChoices
from attnviewer.ui.views.step.heads.combining import HeadCombining
from attnviewer.ui.views.step.heads.layer_combining import CombinedLayers
from attnviewer.ui.views.step.heads.numbers import HeadNumbers
from attnviewer.ui.views.step.heads.offering import groups_about
from attnviewer.ui.views.step.heads.ordering import ordered
from attnviewer.ui.views.step.heads.remarks import HeadsRemarks
from attnviewer.ui.views.step.heads.statistics import CELL, Caption
from attnviewer.ui.views.step.heads.wall import Headings, HeadWall
from attnviewer.ui.views.step.heatmap import GroupedHeatmap
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.work.surveyor import Surveyor

READ_AT_ONCE = 2**22
"""Numbers of several heads that are combined in a frame's time or so."""


class HeadsView(QWidget):
    """Shows all heads of a source.

    Attributes
    ----------
    chosen, opened : Signal
        The person chose a head, or wants to see it large: its place.
    hovered : Signal
        The pointer is over another cell: its position, or None, and the places of the
        heads that it is of.
    menu_wanted : Signal
        What can be done with a head is asked for: its place, and that on the screen.
    cell_chosen : Signal
        A cell was chosen: its position, or None.
    look_chosen : Signal
        The step is to be coloured differently.
    painted : Signal
        What is in sight has been painted as it is now.
    """

    chosen = Signal(object)
    opened = Signal(object)
    hovered = Signal(object, object)
    menu_wanted = Signal(object, QPoint)
    cell_chosen = Signal(object)
    look_chosen = Signal(object)
    painted = Signal()

    def __init__(
        self, parent: QWidget | None = None, report: HeadReport | None = None
    ) -> None:
        super().__init__(parent)
        self._report = report
        self.choices = HeadChoices(self)
        self.wall = HeadWall(self.choices.large_button, self)
        self.large = GroupedHeatmap(self)
        self.large.setObjectName("heads.heatmap")
        self.none = EmptyState("heads.layers", self)
        self._surveyor = Surveyor(self)
        self._survey: HeadSurvey | None = None
        self._source: HeadSource | None = None
        self._content: StepContent | None = None
        self._theme = LIGHT
        self._locations: tuple[HeadLocation, ...] = ()
        self._cards: dict[HeadLocation, Card] = {}
        self._order: tuple[HeadLocation, ...] = ()
        self._combining = HeadCombining()
        self._layers: CombinedLayers | None = None
        self.remarks = HeadsRemarks(self)
        self._chosen: HeadLocation | None = None
        self._reference: HeadLocation | None = None
        self._cell: Position | None = None
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.wall)
        self._stack.addWidget(self.large)
        self._stack.addWidget(self.none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.choices)
        column.addWidget(self.remarks)
        column.addWidget(self._stack, 1)
        self.choices.changed.connect(self._refresh)
        self.choices.compared.connect(self._compare)
        self.choices.asked.connect(self._ask_again)
        self._surveyor.finished.connect(self._refresh)
        if report is not None:
            report.changed.connect(self._on_reported)
        self.wall.chosen.connect(self._on_chosen)
        self.wall.opened.connect(self._on_opened)
        self.wall.marked.connect(self._on_marked)
        self.wall.hovered.connect(self._on_hovered)
        self.wall.menu_wanted.connect(self._on_menu_wanted)
        self.large.cell_hovered.connect(self._on_hovered)
        self.large.cell_chosen.connect(self.cell_chosen)
        self.large.look_chosen.connect(self.look_chosen)
        self.wall.painted.connect(self.painted)
        self.large.painted.connect(self.painted)
        self.none.painted.connect(self.painted)

    def show_heads(
        self,
        source: HeadSource,
        content: StepContent,
        theme: Theme,
        note: Note | None = None,
        ablated: Collection[HeadLocation] = (),
        kept: Collection[HeadLocation] = (),
    ) -> None:
        """Show the heads of a source.

        Parameters
        ----------
        source : HeadSource
            Where the matrices come from.
        content : StepContent
            Labels and colours of them all; its matrix is that of any head.
        theme : Theme
            The theme in force.
        note : callable, optional
            Further remarks on a head.
        ablated : collection of HeadLocation, optional
            Heads whose titles are struck out.
        kept : collection of HeadLocation, optional
            Heads whose numbers are those that are shown already.
        """
        if self._content is None or content.scale != self._content.scale:
            kept = ()
        before, survey = self._cards, self._survey
        self._source, self._content, self._theme = source, content, theme
        self._locations = head_locations(source)
        if self._chosen not in self._locations:
            self._chosen = self._locations[0]
        if self._reference not in self._locations:
            self._reference = self._chosen
        self._cards = {
            location: Card(
                location,
                location.name,
                note(location) if note else "",
                content.with_matrix(content.folded(source.matrix(location))),
                location in ablated,
                before[location].numbers if location in kept else object(),
            )
            for location in self._locations
        }
        self._combining.show_heads(self._cards)
        self._offer()
        if survey is None or not survey.done or not set(self._locations) <= set(kept):
            self._survey = HeadSurvey(
                [card.content.matrix for card in self._cards.values()],
                weights=self._is_of_weights,
                query_offset=source.query_offset,
                folding=content.folding,
            )
            self._surveyor.start(self._survey)
        self._refresh()

    def show_layers(self, layers: CombinedLayers | None) -> None:
        """Show all layers as one matrix beside the heads; None for not at all."""
        if layers is not self._layers:
            self._layers = layers
            self.remarks.say(None if layers is None else layers.remark)
            self._refresh()

    def forget(self) -> None:
        """Let go of the numbers; the order of the heads stays."""
        self._source = self._content = self._survey = None
        self._cards = {}
        self._combining.forget()
        self._surveyor.forget()
        self.wall.forget()
        self.large.forget()

    def say(self, text: str) -> None:
        """Show a sentence instead of heads."""
        self.forget()
        self.none.say(text)
        self._stack.setCurrentWidget(self.none)

    def finish(self) -> None:
        """Look at all heads at once instead of in turns."""
        self._surveyor.finish()

    def choose_head(self, location: HeadLocation) -> None:
        """Frame the chosen head."""
        self._chosen = location
        self._frame()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell in the large picture; see `mark` for the cards."""
        self.large.choose(cell)

    def mark(self, selected: Position | None, hovered: Position | None) -> None:
        """Mark the selected cell and the one under the pointer in all cards."""
        self.wall.mark(selected, hovered)
        if selected != self._cell:
            self._cell = selected
            if self.choices.statistic == CELL:
                self._refresh()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.choices.large:
            self.choices.large_button.setChecked(False)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._surveyor.resume()
        self._on_reported()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._surveyor.pause()

    def _offer(self) -> None:
        assert self._source is not None
        groups = groups_about(self._source, self._report)
        self.choices.offer(weights=self._is_of_weights, groups=groups)

    def _ask_report(self) -> str:
        """Have the number that is asked for computed; return why there is none yet."""
        name, report = self.choices.statistic, self._report
        if report is None or not self.isVisible():
            return ""
        report.want(name)
        return report.state_of(name)

    @Slot()
    def _ask_again(self) -> None:
        if self._report is not None:
            self._report.want_again(self.choices.statistic)

    @Slot()
    def _on_reported(self) -> None:
        if self._source is not None and self.isVisible():
            self._offer()
            self._refresh()

    @Slot()
    def _refresh(self) -> None:
        if self._content is None:
            return
        if (combined := self._combine()) is not None and self.choices.large:
            self._show_large(combined)
            return
        self.choices.set_status(self._ask_report())
        self._sort()
        cards = [self._cards[location] for location in self._order]
        first = [combined] if combined is not None else []
        self._show_wall([*first, *cards], self._headings())

    def _show_large(self, combined: Card) -> None:
        if len(self._combining.heads) * combined.content.cells <= READ_AT_ONCE:
            self.large.show_content(combined.content, self._theme)
            self.choices.set_status(combined.title)
            self._stack.setCurrentWidget(self.large)
            self.wall.forget()
            return
        # The heatmap would read all heads in one go; a lone card fills the room.
        self.choices.set_status(self.tr("too many numbers to zoom in"))
        self._show_wall([combined])

    def _show_wall(self, cards: list[Card], headings: Headings | None = None) -> None:
        self._stack.setCurrentWidget(self.wall)
        self.large.forget()
        self.wall.show_cards(cards, self._theme, headings)
        self._write()
        self._frame()

    def _combine(self) -> Card | None:
        """Return the card of the combined heads, the same until something changes."""
        if self._content is None:
            return None
        way, layers = self.choices.of_heads, self._layers
        if way is None:
            return None if layers is None else layers.card
        return self._combining.combined(way, self._content)

    @property
    def enlarged(self) -> tuple[Combination, tuple[HeadLocation, ...]] | None:
        """The combination in the one large map, and its heads; None without it."""
        way = self.choices.of_heads
        if way is None or not self.choices.large:
            return None
        return way, self._combining.heads

    def _sort(self) -> None:
        """Sort the cards; until all is known they stay where they are."""
        sorting, statistic = self.choices.sorting, self.choices.statistic
        order = ordered(self._locations, sorting, statistic, self._numbers)
        if order is not None:
            self._order = order
        elif set(self._order) != set(self._locations):
            self._order = self._locations

    def _headings(self) -> Headings | None:
        """Return the wall's, where layers and heads lie in their order."""
        assert self._source is not None
        layers = self._source.layers
        if not layers or self._order != self._locations or self.choices.combination:
            return None
        return Headings.of(layers, self._source.n_heads)

    def _write(self) -> None:
        """Write the statistics on the cards."""
        statistic, every = self.choices.statistic, self._is_of_weights
        numbers = self._numbers
        texts, tint = numbers.captions(statistic, every=every), numbers.tint(statistic)
        self.remarks.show_tint(tint, self._theme)
        captions = dict(zip(self._locations, texts, strict=True))
        way = self.choices.of_heads
        for widget in self.wall.cards:
            location = widget.card.location
            widget.set_caption(Caption() if location is None else captions[location])
            widget.set_tint(0.0 if tint is None else tint.share(location))
            included = None
            if way is not None and location is not None:
                included = self._combining.includes(location)
            widget.set_in_combination(included)

    @property
    def _numbers(self) -> HeadNumbers:
        """The known numbers of the heads."""
        assert self._source is not None
        assert self._content is not None
        assert self._reference is not None
        matrices = [card.content.matrix for card in self._cards.values()]
        cell = FoldedLines(self._content.folding).shown(self._cell)
        reference = self._locations.index(self._reference), self._reference.name
        known = self._survey, self._report, cell
        return HeadNumbers(self._source, matrices, *known, *reference)

    @property
    def _is_of_weights(self) -> bool:
        return self._content is not None and self._content.step == "weights"

    def _frame(self) -> None:
        if self.wall.cards:
            self.wall.choose(self._chosen)

    @Slot()
    def _compare(self) -> None:
        self._reference = self._chosen

    @Slot(object)
    def _on_chosen(self, location: HeadLocation | None) -> None:
        if location is not None:
            self.chosen.emit(location)

    @Slot(object)
    def _on_opened(self, location: HeadLocation | None) -> None:
        if location is None:
            self.choices.show_large()
        else:
            self.opened.emit(location)

    @Slot(object)
    @Slot(object, object)
    def _on_hovered(
        self, cell: Position | None, location: HeadLocation | None = None
    ) -> None:
        self.hovered.emit(cell, (location,) if location else self._combining.heads)

    @Slot(object, QPoint)
    def _on_menu_wanted(self, location: HeadLocation | None, spot: QPoint) -> None:
        if location is not None:
            self.menu_wanted.emit(location, spot)

    @Slot(object)
    def _on_marked(self, location: HeadLocation | None) -> None:
        if location is not None:
            self._combining.toggle(location)
            self.choices.combine("mean")
            self._refresh()
