"""The atlas: maps of all heads, a stepper, and which heads do the same."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Array, HeadLocation, HeadSurvey, head_locations
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.views.head_atlas.arrangement import Lineup
from attnviewer.ui.views.head_atlas.choices import BY_LAYER, AtlasChoices
from attnviewer.ui.views.head_atlas.habits import HabitsList
from attnviewer.ui.views.head_atlas.maps import HeadMaps
from attnviewer.ui.views.head_atlas.same import SameHeads
from attnviewer.ui.views.head_atlas.search import heads_named
from attnviewer.ui.views.head_atlas.stepper import HeadStepper
from attnviewer.ui.views.step.heads.layers import choose_in_model, content_of_layers
from attnviewer.ui.views.step.heads.ordering import ordered
from attnviewer.ui.views.step.heads.statistics import (
    CELL,
    Caption,
    captions_of,
    cell_captions,
    cell_values,
)
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.work.surveyor import Surveyor

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads

INSIDE = 12


class HeadAtlas(QWidget):
    """Shows the heads of all layers of the open model, and opens the one chosen.

    Attributes
    ----------
    heading : QWidget
        The chosen head with arrows, for the title bar.
    maps : HeadMaps
        The maps.
    same : LinkList
        The heads with most weight on the selected cell.
    """

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("atlas")
        self.setAccessibleName(self.tr("Heads"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workbench, self._appearance = workbench, appearance
        self._shown: object = None
        self._heads: ModelHeads | None = None
        self._wanted: HeadLocation | None = None
        self._sorted_by: Position | None = None
        self.heading = QWidget(self)
        title = QHBoxLayout(self.heading)
        title.setContentsMargins(INSIDE, 0, 4, 0)
        title.addWidget(QLabel(self.tr("Head"), self.heading))
        self.stepper = HeadStepper(self.heading)
        title.addWidget(self.stepper, 1)
        self.choices = AtlasChoices(self)
        self.maps = HeadMaps()
        self._area = QScrollArea()
        self._area.setObjectName("atlas.maps.scroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self.maps)
        self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._note = note("atlas.note")
        self._below = SameHeads()
        self._below.setContentsMargins(INSIDE, 4, INSIDE, 4)
        self.same = self._below.list
        self.habits = HabitsList()
        self.habits.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        content = QWidget()
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(4)
        for widget in (self._area, self._below, self.habits):
            inside.addWidget(widget)
        inside.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setObjectName("atlas.scroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(content)
        searching = QHBoxLayout()
        searching.setContentsMargins(INSIDE, 0, INSIDE, 6)
        searching.addWidget(self.choices)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addLayout(searching)
        column.addWidget(self._note)
        column.addWidget(self._scroll, 1)
        self.setFocusProxy(self.maps)
        self._surveyor = Surveyor(self)
        self._habits: HeadSurvey | None = None
        self._surveyor.finished.connect(self._sort)
        self.choices.sorted.connect(self._sort)
        self.choices.sought.connect(self._seek)
        self.choices.entered.connect(self._open_sought)
        self.habits.rows.chosen.connect(self._choose)
        self.maps.chosen.connect(self._choose)
        self.same.chosen.connect(self._choose)
        self.stepper.stepped.connect(self._step)
        selection, model = workbench.selection, workbench.model
        workbench.opened.connect(self._refresh)
        workbench.looks.changed.connect(self._refresh)
        model.changed.connect(self._on_settled)
        model.completed.connect(self._refresh)
        model.refused.connect(self._on_settled)
        model.cancelled.connect(self._on_settled)
        appearance.changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)
        selection.step_changed.connect(self._follow)
        selection.cell_changed.connect(self._follow)
        selection.hover_changed.connect(self._follow)
        self._refresh()

    @property
    def location(self) -> HeadLocation | None:
        """The chosen head, or the one that is being opened; None without a model."""
        if self._wanted is not None:
            return self._wanted
        if self._workbench.link is None:
            return None
        return self._workbench.head_location(self._workbench.selection.head)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._surveyor.resume()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._surveyor.pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.maps.setFocus(event.reason())

    @Slot()
    def _on_settled(self) -> None:
        self._wanted = None
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        """Show the heads of the model as far as they are known."""
        link, heads = self._workbench.link, self._workbench.model.heads
        if link is None:
            self._wanted = None
        if not self.isVisible():
            return
        # While other heads are being computed, those before stay.
        kept = self._heads is not None and (
            link is not None and self._heads.model is link.run.model
        )
        if link is None or (heads is None and not kept):
            self._shown = self._heads = self._habits = None
            self._surveyor.forget()
            self.maps.forget()
        elif heads is not None:
            self._show_heads(heads)
        self._note.setText(self._trouble())
        self._note.setVisible(bool(self._note.text()))
        for part in (self._scroll, self.choices):
            part.setVisible(self._heads is not None)
        self._choose_shown()
        self._follow()

    def _show_heads(self, heads: "ModelHeads") -> None:
        look, theme = self._workbench.looks.of(STEP_OF_ALL), self._appearance.theme
        if (heads, look, theme) == self._shown:
            return
        anew = heads is not self._heads
        self._shown, self._heads = (heads, look, theme), heads
        computed = self._workbench.engine.current
        shown = DisplayedStep(computed, STEP_OF_ALL, 0, look, theme)
        self.maps.show_heads(heads, content_of_layers(heads, shown), theme)
        for rows in (self.same, self.habits):
            rows.set_theme(theme)
        if anew:
            self._survey_all(heads)
        self._sort()
        self._seek()

    def _survey_all(self, heads: "ModelHeads") -> None:
        """Find out what all heads are sorted by, and what they do."""
        matrices = [heads.matrix(location) for location in head_locations(heads)]
        offset = heads.query_offset
        self._habits = HeadSurvey(matrices, weights=True, query_offset=offset)
        self._surveyor.start(self._habits)

    @Slot()
    def _sort(self) -> None:
        """Sort the maps; until all is known they stay where they are."""
        heads, choices = self._heads, self.choices
        if heads is None:
            return
        every, survey = head_locations(heads), self._habits
        sorting, statistic = choices.sorting, choices.statistic

        def in_cell() -> Array:
            return cell_values([heads.matrix(at) for at in every], self._key_cell())

        self._sorted_by = self._key_cell()
        order = ordered(every, sorting, statistic, survey, 0, in_cell)
        if order is not None:
            self.maps.sort(None if statistic == BY_LAYER else order)
            self._describe_maps(statistic, every, in_cell)
        self.habits.show_survey(survey, every)
        self._fit()
        self._choose_shown()

    def _describe_maps(
        self,
        statistic: str,
        every: Sequence[HeadLocation],
        in_cell: Callable[[], Array],
    ) -> None:
        """Tell what the maps are sorted by in their tool tips."""
        captions: list[Caption] = []
        if statistic == CELL:
            captions = cell_captions(in_cell())
        elif statistic != BY_LAYER and self._habits is not None:
            captions = captions_of(self._habits, statistic, 0, "")
        told = zip(every, captions, strict=False)
        self.maps.describe({location: caption.long for location, caption in told})

    def _key_cell(self) -> Position | None:
        """Return the query and the key of the selected cell, if it has both."""
        selection = self._workbench.selection
        cell = self._cell_of(selection.step, selection.cell)
        return None if cell is None or cell[1] is None else (cell[0], cell[1])

    @Slot()
    def _seek(self) -> None:
        """Fade all heads but those that are looked for."""
        if self._heads is None:
            return
        found = heads_named(self.choices.name, head_locations(self._heads))
        self.maps.seek(found)
        missing = self.tr("No head is called “{name}”.").format(name=self.choices.name)
        self._note.setText(missing if found is not None and not found else "")
        self._note.setVisible(bool(self._note.text()))

    @Slot()
    def _open_sought(self) -> None:
        """Open the first of the heads that are looked for."""
        if self._heads is None:
            return
        found = heads_named(self.choices.name, head_locations(self._heads))
        first = next(
            (at for at in self._in_order(self._heads) if at in (found or ())), None
        )
        if first is not None:
            self._choose(first)

    def _in_order(self, heads: "ModelHeads") -> Sequence[HeadLocation]:
        """Return all heads in the order of their maps."""
        laid_out = self.maps.arrangement
        return laid_out.order if isinstance(laid_out, Lineup) else head_locations(heads)

    def _trouble(self) -> str:
        if self._workbench.link is None:
            return self.tr("Open a model to see the heads of all its layers.")
        if self._heads is None:
            return self.tr("The layers are still being computed.")
        return ""

    def _choose_shown(self) -> None:
        location = self.location
        self.maps.choose(location)
        heads = self._heads
        if heads is None or location is None:
            self.stepper.show_location(location, first=True, last=True)
            return
        every = self._in_order(heads)
        first, last = location == every[0], location == every[-1]
        self.stepper.show_location(location, first=first, last=last)
        if self._area.isVisible():
            place = self.maps.centre_of(location)
            margin = self.maps.arrangement.pitch
            self._area.ensureVisible(place.x(), place.y(), margin, margin)
            self._scroll.ensureVisible(0, self._area.y() + place.y(), 0, margin)

    @Slot()
    def _follow(self) -> None:
        """Light the row of the query, and list the heads that do the same."""
        if not self.isVisible():
            return
        selection = self._workbench.selection
        cell = self._cell_of(selection.step, selection.cell)
        over = self._cell_of(*selection.hovered)
        lit = over if over is not None else cell
        self.maps.light(None if lit is None else lit[0])
        self._below.show_cell(self._heads, self._key_cell(), self.location)
        if self.choices.statistic == CELL and self._key_cell() != self._sorted_by:
            self._sort()

    def _cell_of(
        self, step: str, cell: Position | None
    ) -> tuple[int, int | None] | None:
        """Return the query that a cell belongs to, and the key if there is one."""
        trace = self._workbench.engine.current.trace
        if cell is None or step not in trace:
            return None
        there = linked(trace, step, cell, STEP_OF_ALL)
        if not there.rows:
            return None
        both = trace.stages[step].axes == ("queries", "keys")
        return there.rows[0], there.columns[0] if both else None

    @Slot(object)
    def _choose(self, location: HeadLocation) -> None:
        link = self._workbench.link
        if link is None:
            return
        self._wanted = location
        choose_in_model(self._workbench, link, location)
        model = self._workbench.model
        if model.requested == model.location:  # it was open already
            self._wanted = None
        self._choose_shown()

    @Slot(int)
    def _step(self, by: int) -> None:
        if self._heads is None or self.location is None:
            return
        every = self._in_order(self._heads)
        place = every.index(self.location) + by
        if 0 <= place < len(every):
            self._choose(every[place])

    @Slot()
    def _fit(self) -> None:
        """Make the maps as large as the width allows, and the area as high as them."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        room = self.width() - bar
        self.maps.set_width(room)
        size = self.maps.sizeHint()
        across = self._area.horizontalScrollBar().sizeHint().height()
        self._area.setFixedHeight(
            size.height() + (across if size.width() > room else 0)
        )
