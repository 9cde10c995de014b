"""The atlas: maps of all heads, a stepper, and which heads do the same."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
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
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.numbers import format_number, full_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.head_atlas.maps import HeadMaps
from attnviewer.ui.views.head_atlas.stepper import HeadStepper
from attnviewer.ui.views.head_atlas.weight_survey import WeightSurvey
from attnviewer.ui.views.step.heads.layers import choose_in_model, content_of_layers
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads

SAME = 5
"""How many heads are listed that do the same."""
DECIMALS = 2
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
        self._surveyed: object = None
        self._survey: WeightSurvey | None = None
        self.heading = QWidget(self)
        title = QHBoxLayout(self.heading)
        title.setContentsMargins(INSIDE, 0, 4, 0)
        title.addWidget(QLabel(self.tr("Head"), self.heading))
        self.stepper = HeadStepper(self.heading)
        title.addWidget(self.stepper, 1)
        self.maps = HeadMaps()
        self._area = QScrollArea(self)
        self._area.setObjectName("atlas.scroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setWidget(self.maps)
        self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._note = note("atlas.note")
        self._cell = QLabel(self)
        self._cell.setObjectName("atlas.cell")
        self._cell.setTextFormat(Qt.TextFormat.PlainText)
        measure = ElidedLabel("atlas.measure", Qt.TextElideMode.ElideRight)
        measure.setText(self.tr("weight"))
        self.same = LinkList(2, wide=1)
        self.same.setObjectName("atlas.same")
        self.same.setAccessibleName(self.tr("Heads that do the same"))
        self.same.setAccessibleDescription(self.tr("Enter opens the head."))
        self.same.be_as_high_as_rows(SAME)
        self._below = QWidget(self)
        below = QVBoxLayout(self._below)
        below.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        below.setSpacing(4)
        heading = QHBoxLayout()
        heading.addWidget(self._cell)
        heading.addWidget(measure, 1)
        below.addLayout(heading)
        below.addWidget(self.same)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(self._note)
        column.addWidget(self._area, 100)
        column.addWidget(self._below)
        column.addStretch(1)
        self.setFocusProxy(self.maps)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read_some)
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
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()
        self._surveyed = None

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
            self._shown = self._heads = None
            self.maps.forget()
        elif heads is not None:
            self._show_heads(heads)
        self._note.setText(self._trouble())
        self._note.setVisible(bool(self._note.text()))
        self._area.setVisible(self._heads is not None)
        self._choose_shown()
        self._follow()

    def _show_heads(self, heads: "ModelHeads") -> None:
        look, theme = self._workbench.looks.of(STEP_OF_ALL), self._appearance.theme
        if (heads, look, theme) == self._shown:
            return
        self._shown, self._heads = (heads, look, theme), heads
        computed = self._workbench.engine.current
        shown = DisplayedStep(computed, STEP_OF_ALL, 0, look, theme)
        self.maps.show_heads(heads, content_of_layers(heads, shown), theme)
        self.same.set_theme(theme)
        self._surveyed = None
        self._fit()

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
        every = head_locations(heads)
        first, last = location == every[0], location == every[-1]
        self.stepper.show_location(location, first=first, last=last)
        if self._area.isVisible():
            place = self.maps.centre_of(location)
            margin = self.maps.arrangement.pitch
            self._area.ensureVisible(place.x(), place.y(), margin, margin)

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
        asked = self._heads, cell
        listed = self._heads is not None and cell is not None and cell[1] is not None
        self._below.setVisible(listed)
        if not listed or asked == self._surveyed:
            self._mark_same()
            return
        assert self._heads is not None
        assert cell is not None
        query, key = cell
        assert key is not None
        self._surveyed = asked
        tokens = self._heads.tokens
        if max(query, key) >= len(tokens):
            self._below.hide()
            return
        names = (token_label(tokens[place]) for place in (query, key))
        self._cell.setText(" → ".join(names))
        self._survey = WeightSurvey(self._heads, (query, key))
        self._soon.start()

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

    @Slot()
    def _read_some(self) -> None:
        survey = self._survey
        if survey is None:
            return
        if run_for(SLICE_SECONDS, survey.advance):
            self._soon.start()
        else:
            self._mark_same()

    def _mark_same(self) -> None:
        if self._survey is None or self._soon.isActive():
            return
        found = self._survey.strongest(SAME)
        most = max((weight for _, weight in found), default=0.0)
        here = self.location
        rows = []
        for location, weight in found:
            tip = f"{location.name}: {full_number(weight)}"
            share = max(weight, 0.0) / most if most > 0 else 0.0
            bold = location == here
            name = Cell(location.name, tip, color="link", bold=bold)
            number = Cell(format_number(weight, DECIMALS), tip, share, bold=bold)
            rows.append(Row(location, (name, number)))
        self.same.show_rows(rows)

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
        every = head_locations(self._heads)
        place = every.index(self.location) + by
        if 0 <= place < len(every):
            self._choose(every[place])

    @Slot()
    def _fit(self) -> None:
        """Make the maps as large as the width allows, and the area as high as them."""
        self.maps.set_width(self.width())
        below = self.heading.sizeHint().height() + self._below.sizeHint().height()
        if self.maps.sizeHint().height() > self.height() - below:
            bar = self._area.verticalScrollBar().sizeHint().width()
            self.maps.set_width(self.width() - bar)
        height = self.maps.sizeHint().height()
        if self.maps.sizeHint().width() > self.width():
            height += self._area.horizontalScrollBar().sizeHint().height()
        self._area.setMaximumHeight(height)
        self._area.setMinimumHeight(min(height, self.height() // 3))
