"""The atlas: maps of all heads, a stepper, and which heads do the same."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import HeadLocation, head_locations
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.views.head_atlas.arrangement import Lineup
from attnviewer.ui.views.head_atlas.choices import AtlasChoices
from attnviewer.ui.views.head_atlas.habits import HabitsList
from attnviewer.ui.views.head_atlas.maps import HeadMaps
from attnviewer.ui.views.head_atlas.same import SameHeads
from attnviewer.ui.views.head_atlas.search import heads_named
from attnviewer.ui.views.head_atlas.sorting import MapSorting
from attnviewer.ui.views.head_atlas.stepper import HeadStepper
from attnviewer.ui.views.step.heads.layers import choose_in_model, content_of_layers
from attnviewer.ui.views.step.heads.pending_menu import PendingMenu
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.tint_legend import TintLegend
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll

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
    head_menu_wanted : Signal
        What can be done with the chosen head is asked for, at a place of the screen.
    """

    head_menu_wanted = Signal(QPoint)

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
        self._stopped = ""
        self.stepper = HeadStepper(self)
        self.heading = heading_row(QLabel(self.tr("Head")), self.stepper, self)
        self.choices = AtlasChoices(self)
        self.maps = HeadMaps()
        self._area = QScrollArea()
        self._area.setObjectName("atlas.maps.scroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self.maps)
        self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._empty = EmptyState("atlas", self)
        self._empty.say(self.tr("Open a model to see the heads of all its layers."))
        self._note = note("atlas.note")
        self._below = SameHeads()
        self._below.setContentsMargins(INSIDE, 4, INSIDE, 4)
        self.same = self._below.list
        self.legend = TintLegend()
        self.legend.setContentsMargins(INSIDE, 0, INSIDE, 4)
        self.habits = HabitsList()
        self.habits.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        content = QWidget()
        content.setObjectName("atlas.content")
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(4)
        for widget in (self._area, self._below, self.habits):
            inside.addWidget(widget)
        inside.addStretch(1)
        self._scroll = VerticalScroll("atlas.scroll", self)
        self._scroll.setWidget(content)
        searching = QHBoxLayout()
        searching.setContentsMargins(INSIDE, 0, INSIDE, 6)
        searching.addWidget(self.choices)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addLayout(searching)
        column.addWidget(self._empty, 1)
        column.addWidget(self._note)
        column.addWidget(self.legend)
        column.addWidget(self._scroll, 1)
        report = workbench.head_report
        self._sorting = MapSorting(
            report, self.choices, self.maps, self.habits, self.legend, self
        )
        self._sorting.sorted.connect(self._on_sorted)
        self.choices.sought.connect(self._seek)
        self.choices.entered.connect(self._open_sought)
        self.habits.rows.chosen.connect(self._choose)
        self.maps.chosen.connect(self._choose)
        self.maps.menu_wanted.connect(self._on_menu_wanted)
        self._menu = PendingMenu(workbench, self)
        self._menu.wanted.connect(self.head_menu_wanted)
        self.same.chosen.connect(self._choose)
        self.stepper.stepped.connect(self._step)
        selection, model = workbench.selection, workbench.model
        workbench.opened.connect(self._refresh)
        workbench.looks.changed.connect(self._refresh)
        model.changed.connect(self._on_settled)
        model.completed.connect(self._refresh)
        model.refused.connect(self._on_refused)
        model.cancelled.connect(self._on_settled)
        model.interrupted.connect(self._on_interrupted)
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
        return self._workbench.chosen_head

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._sorting.resume()
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._sorting.pause()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.maps, event.reason())

    @Slot()
    def _on_settled(self) -> None:
        self._wanted, self._stopped = None, ""
        self._refresh()

    @Slot()
    def _on_interrupted(self) -> None:
        self._stopped = self.tr("Not all layers were computed.")
        self._refresh()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        model = self._workbench.model
        self._wanted = None
        # Otherwise another model was refused, and this one stays.
        self._stopped = "" if model.heads or model.computing else reason
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
            self._shown = self._heads = None
            self._sorting.forget()
            self.maps.forget()
        elif heads is not None:
            self._show_heads(heads)
        self._empty.setVisible(link is None)
        self._tell()
        for part in (self._scroll, self.choices):
            part.setVisible(self._heads is not None)
        self._choose_shown()
        self._follow()
        self._menu.follow()

    def _show_heads(self, heads: "ModelHeads") -> None:
        look, theme = self._workbench.looks.of(STEP_OF_ALL), self._appearance.theme
        if (heads, look, theme) == self._shown:
            return
        self._shown, self._heads = (heads, look, theme), heads
        computed = self._workbench.engine.current
        shown = DisplayedStep(computed, STEP_OF_ALL, 0, look, theme)
        self.maps.show_heads(heads, content_of_layers(heads, shown), theme)
        for rows in (self.same, self.habits, self.legend):
            rows.set_theme(theme)
        self._sorting.show_heads(heads)
        self._seek()

    def _key_cell(self) -> Position | None:
        """Return the query and the key of the selected cell, if it has both."""
        selection = self._workbench.selection
        cell = self._cell_of(selection.step, selection.cell)
        return None if cell is None or cell[1] is None else (cell[0], cell[1])

    @Slot()
    def _seek(self) -> None:
        """Fade all heads but those that match the search."""
        if self._heads is None:
            return
        found = heads_named(self.choices.name, head_locations(self._heads))
        self.maps.seek(found)
        self._tell()

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

    @Slot()
    def _on_sorted(self) -> None:
        self._fit()
        self._choose_shown()
        self._tell()

    def _tell(self) -> None:
        """Say what is missing above the maps."""
        self._note.setText(self._trouble())
        self._note.setVisible(bool(self._note.text()))

    def _trouble(self) -> str:
        if self._workbench.link is None:
            return ""
        if self._heads is None:
            return self._stopped or self.tr("The layers are still being computed.")
        found = heads_named(self.choices.name, head_locations(self._heads))
        if found is not None and not found:
            missing = self.tr("No head is called “{name}”.")
            return missing.format(name=self.choices.name)
        return self._sorting.trouble

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
        self._sorting.follow(self._key_cell())

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
        self._menu.forget()
        choose_in_model(self._workbench, link, location)
        model = self._workbench.model
        if model.requested == model.location:  # it was open already
            self._wanted = None
        self._choose_shown()

    @Slot(object, QPoint)
    def _on_menu_wanted(self, location: HeadLocation, spot: QPoint) -> None:
        self._choose(location)
        self._menu.ask(location, spot)

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
        """Make the maps as large as the room allows, and the area as high as them."""
        bar = self._scroll.verticalScrollBar().sizeHint().width()
        room = self.width() - bar
        self.maps.set_room(QSize(room, self._scroll.height()))
        size = self.maps.sizeHint()
        across = self._area.horizontalScrollBar().sizeHint().height()
        self._area.setFixedHeight(
            size.height() + (across if size.width() > room else 0)
        )
