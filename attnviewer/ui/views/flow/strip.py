"""The flow strip: all steps of the computation side by side."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from attnviewer.compute import Trace
from attnviewer.ui.paint.step_content import Shown
from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.state.debounce import Debounce
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.looks import Looks
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.views.flow.area import FlowArea
from attnviewer.ui.views.flow.arrow import Arrow
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.flow.groups import Group, flow_groups
from attnviewer.ui.views.flow.head_switch import HeadSwitch
from attnviewer.ui.views.flow.measures import FEW_ROWS, ROWS
from attnviewer.ui.views.flow.painting import NO_LINK, Lit
from attnviewer.ui.widgets.fading_edge import DEPTH as EDGE_WIDTH
from attnviewer.ui.widgets.fading_edge import FadingEdge
from attnviewer.ui.widgets.tab_order import chain_tabs, stop_before

SCROLL_BAR = 11
"""Height reserved for the scroll bar below the cards."""
LINES_BELOW = 46
"""Lines of text that must fit below a strip of two rows; otherwise it has one."""
LINES_IN_ALL, VERY_FEW = 34, 20
"""Lines shared by strip and step below which the strip's heatmaps are lower, or left
out."""


class FlowStrip(QScrollArea):
    """Every step as a card, joined by operations.

    Cards are rebuilt only when the list of steps changes; new numbers repaint them.
    Left and Right move between cards, Enter or Space opens one, Up and Down switch
    heads. What is linked to the cell under the pointer, or else to the selected one, is
    highlighted in all cards.
    """

    # The base class calls the event filter before our constructor has run.
    _beneath: QObject | None = None

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        looks: Looks,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("flow")
        # A computation runs left to right in every language, like its formulas.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setAccessibleName(self.tr("Steps of the computation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self._engine = engine
        self._selection = selection
        self._looks = looks
        self._appearance = appearance
        self._steps: tuple[Group, ...] = ()
        self._cards: dict[str, FlowCard] = {}
        self._arrows: list[Arrow] = []
        self._area: FlowArea
        self._switch: HeadSwitch
        left, right = Qt.Edge.LeftEdge, Qt.Edge.RightEdge
        self._left = FadingEdge("flow.more.left", left, self)
        self._right = FadingEdge("flow.more.right", right, self)
        bar = self.horizontalScrollBar()
        bar.setSingleStep(24)
        bar.valueChanged.connect(self._keep_switch_in_sight)
        bar.rangeChanged.connect(self._keep_switch_in_sight)
        # Debounced: the open step shows an edit first, the strip follows.
        self._debounce = Debounce(engine, self)
        self._debounce.due.connect(self._follow)
        self._changed: set[str] = set()
        engine.computed.connect(self._on_computed)
        selection.step_changed.connect(self._on_step)
        selection.head_changed.connect(self._on_head)
        selection.cell_changed.connect(self._on_cell)
        selection.hover_changed.connect(self._on_cell)
        looks.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self._watch_room()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show all current steps."""
        trace = self._engine.current.trace
        groups = flow_groups(trace)
        # Another scale factor changes an operation, but not the cards.
        steps = tuple(Group(group.steps, "", group.joining) for group in groups)
        rebuilt = steps != self._steps
        if rebuilt:
            self._steps = steps
            self._rebuild(groups)
        else:
            for step, card in self._cards.items():
                card.show_step(self._shown(step))
        for arrow, group in zip(self._arrows, groups[1:], strict=True):
            arrow.say(group.operation, trace.spec)
        self._switch.show_head(
            present_head(trace, self._selection.head), trace.n_heads("weights")
        )
        self._mark()
        if rebuilt or not self._area.fits():
            self._place()
        if rebuilt:
            self._reveal()
        self._debounce.stop()
        self._changed.clear()

    def go(self, by: int) -> None:
        """Open the step a number of cards ahead or back, clamped to the ends."""
        names = list(self._cards)
        step = self._selection.step
        here = names.index(step) if step in names else 0
        goal = max(0, min(len(names) - 1, here + by))
        self._selection.choose_step(names[goal])

    def _shown(self, step: str) -> Shown:
        return Shown(
            self._engine.current,
            step,
            self._selection.head,
            self._looks.of(step),
            self._appearance.theme,
        )

    def _rebuild(self, groups: tuple[Group, ...]) -> None:
        focused, before = self._focused_step(), self._stop_before()
        if self.underMouse():
            self._selection.hover(self._selection.step, None)
        self._cards, self._arrows = {}, []
        self._switch = HeadSwitch(self)
        parts: list[list[QWidget]] = []
        for group in groups:
            part: list[QWidget] = []
            if parts:
                self._arrows.append(Arrow(group.steps, self))
                part.append(self._arrows[-1])
            part += map(self._add_card, group.steps)
            for step in group.joining:
                added = "queries" in self._engine.current.trace.stages[step].axes
                part += [QLabel("+" if added else " ", self), self._add_card(step)]
            parts.append(part)
        self._area = FlowArea(parts, self._switch, self._appearance)
        self._area.sizes_changed.connect(self._place)
        self._switch.head_chosen.connect(self._selection.choose_head)
        self.setWidget(self._area)
        chain_tabs([before, self._switch, *self._cards.values()])
        if focused in self._cards:
            self._cards[focused].setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_card(self, step: str) -> FlowCard:
        card = FlowCard(self._shown(step), self)
        card.chosen.connect(self._on_chosen)
        card.pointed_at.connect(self._selection.hover)
        self._cards[step] = card
        return card

    @Slot()
    def _place(self) -> None:
        """Arrange everything, on two rows if there is plenty of room."""
        area, room, line = self._area, self.parentWidget(), self.fontMetrics().height()
        lines = room.height() / line if room else LINES_IN_ALL
        fit = ROWS if lines >= LINES_IN_ALL else FEW_ROWS if lines >= VERY_FEW else 0
        for card in self._cards.values():
            card.set_rows(fit)
        for arrow in self._arrows:
            arrow.set_alone(not fit)
        left = room.height() - area.height_of(2) - SCROLL_BAR if room else 0
        spacious = left >= LINES_BELOW * line
        rows = 2 if spacious and area.width_of(1) > self.viewport().width() else 1
        area.arrange(rows)
        self.setFixedHeight(area.height_of(rows) + SCROLL_BAR)
        # At once, before the layouts do, so that the scroll bar has its range.
        area.resize(area.minimumSize().expandedTo(self.viewport().size()))
        self._keep_switch_in_sight()

    @Slot()
    def _keep_switch_in_sight(self) -> None:
        left = self.horizontalScrollBar().value()
        self._area.keep_switch_in_sight(
            left + EDGE_WIDTH, left + self.viewport().width()
        )

    def _stop_before(self) -> QWidget:
        """Return the widget before the strip in Tab order."""
        before: QWidget = self._switch if self._cards else self
        while before is not self.window() and self.isAncestorOf(before):
            before = stop_before(before)
        return before

    def _mark(self) -> None:
        """Mark the open step's card."""
        step = self._selection.step
        for name, card in self._cards.items():
            card.set_opened(name == step)
        self._let_tab_stop_at(step)
        self._light()

    def _light(self) -> None:
        """Highlight the selected cell, and links of it or of the hovered one."""
        trace, selection = self._engine.current.trace, self._selection
        opened, selected = selection.step, selection.cell
        step, cell = selection.hovered
        softly = not _there(trace, step, cell)
        if softly:
            step, cell = opened, selected
        for name, card in self._cards.items():
            if name not in trace:
                continue  # the selection has learned of another variant before us
            outlined = selected if name == opened else None
            if not _there(trace, name, outlined):
                outlined = None
            belongs = NO_LINK
            if cell is not None and _there(trace, step, cell):
                belongs = linked(trace, step, cell, name)
            if softly and outlined:
                belongs = NO_LINK
            card.light(Lit(outlined, belongs, softly))

    def _let_tab_stop_at(self, step: str) -> None:
        """Make the strip one stop of the Tab key: at the open card or the first."""
        stop = self._cards.get(step) or next(iter(self._cards.values()))
        for card in self._cards.values():
            policy = Qt.FocusPolicy.StrongFocus
            card.setFocusPolicy(policy if card is stop else Qt.FocusPolicy.ClickFocus)

    def _reveal(self) -> None:
        """Scroll the open card into view, with parts of its neighbours."""
        card = self._cards.get(self._selection.step)
        if card is not None:
            self._scroll_to(card)

    def _scroll_to(self, card: FlowCard) -> None:
        """Scroll so that a card and its margins lie between the fading edges."""
        bar, width = self.horizontalScrollBar(), self.viewport().width()
        rect = card.geometry().adjusted(-2 * EDGE_WIDTH, 0, 2 * EDGE_WIDTH, 0)
        bar.setValue(min(max(bar.value(), rect.right() - width), rect.left()))

    def _focused_step(self) -> str | None:
        focused = (name for name, card in self._cards.items() if card.hasFocus())
        return next(focused, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        names = list(self._cards)
        focused = self._focused_step()
        if focused is None:
            super().keyPressEvent(event)
            return
        heads = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        if event.key() in heads:
            self._switch.stepBy(heads[Qt.Key(event.key())])
            return
        last, here = len(names) - 1, names.index(focused)
        goals: dict[int, int] = {
            Qt.Key.Key_Left: max(0, here - 1),
            Qt.Key.Key_Right: min(last, here + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        goal = goals.get(event.key())
        if goal is None:
            super().keyPressEvent(event)
            return
        card = self._cards[names[goal]]
        card.setFocus(Qt.FocusReason.TabFocusReason)
        self._scroll_to(card)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # It only scrolls sideways, so a plain wheel does that.
        QCoreApplication.sendEvent(self.horizontalScrollBar(), event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._left.fit()
        self._right.fit()
        self._place()
        self._reveal()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ParentChange:
            self._watch_room()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._beneath and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _watch_room(self) -> None:
        """Watch the size of the surrounding widget, which decides on the rows."""
        if self._beneath is not None:
            self._beneath.removeEventFilter(self)
        self._beneath = self.parentWidget()
        if self._beneath is not None:
            self._beneath.installEventFilter(self)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._reveal()

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        if computed.changed is None:
            self.refresh()
            return
        self._changed |= {step for step, blocks in computed.changed.items() if blocks}
        self._debounce.start()

    @Slot()
    def _follow(self) -> None:
        """Show the newest numbers of the steps that have changed."""
        moved = False
        for step in self._changed & self._cards.keys():
            card = self._cards[step]
            card.follow(self._shown(step))
            moved |= card.sizeHint().width() != card.width()
        self._changed.clear()
        if moved:
            self._place()

    @Slot(str)
    def _on_step(self, _step: str) -> None:
        self._mark()
        self._reveal()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self.refresh()

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: Position | None) -> None:
        self._light()

    @Slot(str, object)
    def _on_chosen(self, step: str, cell: Position | None) -> None:
        if cell is None:
            self._selection.choose_step(step)
        else:
            self._selection.choose_cell(step, cell)


def _there(trace: Trace, step: str, cell: Position | None) -> bool:
    """Return whether a trace has a cell, which may be of an earlier one."""
    if cell is None or step not in trace:
        return False
    rows, columns = trace.matrix_shape(step)
    return cell[0] < rows and cell[1] < columns
