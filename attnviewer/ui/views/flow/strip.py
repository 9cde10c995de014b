"""The flow strip: all steps of the computation as a map."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAccessibleInterface,
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.debounce import Debounce
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.looks import Looks
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.flow.fit import fit
from attnviewer.ui.views.flow.graph import FlowGraph, flow_graph, made_of
from attnviewer.ui.views.flow.ground import Ground
from attnviewer.ui.views.flow.heights import NORMAL, height_for, height_of
from attnviewer.ui.views.flow.lens import lens_over
from attnviewer.ui.views.flow.lights import lit_in
from attnviewer.ui.views.flow.measures import Measures
from attnviewer.ui.views.flow.operation import Operation
from attnviewer.ui.views.flow.places import FlowLayout, Letters
from attnviewer.ui.views.flow.sliding import SlidingLens
from attnviewer.ui.views.flow.verdicts import Verdict
from attnviewer.ui.widgets.accessible import DescribedTabs
from attnviewer.ui.widgets.motion import duration_of
from attnviewer.ui.widgets.tab_order import chain_tabs, stop_before

_SLIDE = 200
"""How long the lens slides, in milliseconds."""
_AROUND_LENS = 2


class FlowStrip(QWidget):
    """Every step as a card on a map that is always whole, joined by operations.

    Cards are rebuilt only when the list of steps changes; new numbers repaint them.
    Left and Right move between cards, Enter or Space opens one, Up and Down switch
    heads. What is linked to the cell under the pointer, or else to the selected one, is
    highlighted in all cards. The lens marks what is shown large below.

    Attributes
    ----------
    opened : Signal
        Carries where on the screen the card is that the user opens.
    """

    opened = Signal(QRect)

    # The base class calls events before our constructor has run.
    _beneath: QObject | None = None
    _graph = FlowGraph((), ())
    _layout: FlowLayout | None = None
    _fitted: tuple[FlowGraph, int, int, Letters] | None = None
    _ground: Ground | None = None

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
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._engine = engine
        self._selection = selection
        self._looks = looks
        self._appearance = appearance
        self._cards: dict[str, FlowCard] = {}
        self._operations: dict[str, Operation] = {}
        self._measures = Measures(self.font())
        self._stage: frozenset[str] = frozenset()
        self._verdicts: Mapping[str, Verdict] = {}
        self._lens = SlidingLens(self)
        self._lens.moved.connect(self._on_lens)
        # Debounced: the open step shows an edit first, the strip follows.
        self._debounce = Debounce(self)
        self._debounce.due.connect(self._follow)
        self._changed: set[str] = set()
        engine.computed.connect(self._on_computed)
        selection.step_changed.connect(self._mark)
        selection.head_changed.connect(self.refresh)
        selection.cell_changed.connect(self._light)
        selection.hover_changed.connect(self._light)
        looks.changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self._watch_room()
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show all current steps."""
        trace = self._engine.current.trace
        before, self._graph = self._graph, flow_graph(trace)
        if made_of(self._graph) != made_of(before):
            self._rebuild()
        else:
            for step, card in self._cards.items():
                card.show_step(self._shown(step))
        for operations in (self._graph.meetings, self._graph.on_edges):
            for step, operation in operations.items():
                self._operations[step].say(operation, trace)
        if self._graph != before:
            self._place()
        self._mark()
        self._debounce.stop()
        self._changed.clear()
        self.update()

    def go(self, by: int) -> None:
        """Open the step a number of cards ahead or back, clamped to the ends."""
        names = list(self._cards)
        step = self._selection.step
        here = names.index(step) if step in names else 0
        goal = max(0, min(len(names) - 1, here + by))
        self._open(names[goal], None)

    def set_stage(self, steps: frozenset[str]) -> None:
        """Set which steps are shown large, and so lie under the lens.

        Parameters
        ----------
        steps : frozenset of str
            The steps; if empty, the open step alone.
        """
        if steps != self._stage:
            self._stage = steps
            self._lens.move(self._goal())

    def judge(self, verdicts: Mapping[str, Verdict]) -> None:
        """Mark how an implementation's steps compare with these, by step."""
        self._verdicts = verdicts
        for step, card in self._cards.items():
            card.judge(verdicts.get(step))

    def described(self) -> QAccessibleInterface:
        """Return its description for screen readers."""
        return DescribedTabs(self)

    def sizeHint(self) -> QSize:
        return QSize(self._measures.letters.pixels(700), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.height())

    def _shown(self, step: str) -> DisplayedStep:
        return DisplayedStep(
            self._engine.current,
            step,
            self._selection.head,
            self._looks.of(step),
            self._appearance.theme,
        )

    def _rebuild(self) -> None:
        focused, before = self._focused_step(), self._stop_before()
        if self.underMouse():
            self._selection.hover(self._selection.step, None)
        for widget in (*self._cards.values(), *self._operations.values()):
            widget.setParent(None)
            widget.deleteLater()
        self._layout = self._fitted = None
        self._cards = {step: self._make_card(step) for step in self._graph.steps}
        meetings, on_edges = self._graph.meetings, self._graph.on_edges
        self._operations = {
            step: Operation(step, step in meetings, self._appearance, self)
            for step in self._graph.steps
            if step in meetings or step in on_edges
        }
        for operation in self._operations.values():
            operation.show()
            operation.lower()
        chain_tabs([before, *self._cards.values()])
        if focused in self._cards:
            self._cards[focused].setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_card(self, step: str) -> FlowCard:
        card = FlowCard(self._shown(step), self)
        card.judge(self._verdicts.get(step))
        card.chosen.connect(self._open)
        card.pointed_at.connect(self._selection.hover)
        card.show()
        return card

    def _place(self) -> None:
        """Lay everything out, unless a pending resize event will."""
        if self.testAttribute(Qt.WidgetAttribute.WA_PendingResizeEvent):
            self._take_height()
        else:
            self._lay_out()

    def _take_height(self) -> int:
        """Take the height that suits the room, and return it."""
        room, line = self.parentWidget(), self.fontMetrics().height()
        height = height_for(room.height() / line) if room else NORMAL
        self.setFixedHeight(height_of(height, self._measures.letters))
        return height

    def _lay_out(self) -> None:
        """Lay everything out in the room there is."""
        height, measures = self._take_height(), self._measures
        wanted = self._graph, self.width(), height, measures.letters
        if wanted == self._fitted:
            return
        self._fitted = wanted
        layout = fit(*wanted)
        if layout == self._layout:
            return
        self._layout = layout
        name = measures.title_of_size(layout.names)
        for step, card in self._cards.items():
            card.stand(layout.cards[step], measures, name)
        for step, place in {**layout.words, **layout.pills}.items():
            self._operations[step].stand(place, measures.word)
        self._ground = Ground(self._graph, layout, measures, self.rect())
        self._lens.move(self._goal())
        self.update()

    def _stop_before(self) -> QWidget:
        """Return the widget before the strip in Tab order."""
        before: QWidget = next(iter(self._cards.values()), self)
        while before is not self.window() and self.isAncestorOf(before):
            before = stop_before(before)
        return before

    @Slot()
    def _mark(self) -> None:
        """Mark the open step's card."""
        step = self._selection.step
        for name, card in self._cards.items():
            card.set_opened(name == step)
        self._let_tab_stop_at(step)
        self._light()
        self._lens.move(self._goal())

    @Slot()
    def _light(self) -> None:
        """Highlight the selected cell, and links of it or of the hovered one."""
        trace = self._engine.current.trace
        for step, card in self._cards.items():
            # The selection may have been notified of another variant first.
            if step in trace:
                card.light(lit_in(trace, self._selection, step))

    def _let_tab_stop_at(self, step: str) -> None:
        """Make the strip one stop of the Tab key: at the open card or the first."""
        stop = self._cards.get(step) or next(iter(self._cards.values()))
        for card in self._cards.values():
            policy = Qt.FocusPolicy.StrongFocus
            card.setFocusPolicy(policy if card is stop else Qt.FocusPolicy.ClickFocus)

    # ------------------------------------------------------------------- lens

    def _on_stage(self) -> list[str]:
        """Return what is shown large, the most important first."""
        step = self._selection.step
        steps = [name for name in self._graph.steps if name in self._stage]
        others = [name for name in reversed(steps) if name != step]
        return [step, *others] if step in self._cards else others

    def _goal(self) -> QRect:
        """Return where the lens belongs."""
        if self._layout is None:
            return QRect()
        return lens_over(self._layout, self._on_stage(), self.rect())

    @Slot(QRect)
    def _on_lens(self, before: QRect) -> None:
        for lens in (before, self._lens.rect):
            for rect in (lens, self._ground.tag(lens) if self._ground else QRect()):
                out = _AROUND_LENS
                self.update(rect.adjusted(-out, -out, out, out))

    # ----------------------------------------------------------------- events

    def paintEvent(self, event: QPaintEvent) -> None:
        ground, theme = self._ground, self._appearance.theme
        if ground is None or not ground.shows_in(event.region()):
            return  # of new numbers, their cards paint all
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.fillRect(event.rect(), QColor(theme.window))
        bottom = self.height() - 1
        painter.fillRect(0, bottom, self.width(), 1, QColor(theme.border))
        ground.paint(painter, self._lens.rect, theme)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        names = list(self._cards)
        focused = self._focused_step()
        if focused is None:
            super().keyPressEvent(event)
            return
        heads = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
        if event.key() in heads:
            self._change_head(heads[Qt.Key(event.key())])
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
        self._cards[names[goal]].setFocus(Qt.FocusReason.TabFocusReason)

    def _change_head(self, by: int) -> None:
        trace = self._engine.current.trace
        head = present_head(trace, self._selection.head) + by
        if 0 <= head < trace.n_query_heads:
            self._selection.choose_head(head)

    def _focused_step(self) -> str | None:
        focused = (name for name, card in self._cards.items() if card.hasFocus())
        return next(focused, None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ParentChange:
            self._watch_room()
        elif event.type() == QEvent.Type.FontChange and self._graph.nodes:
            self._measures = Measures(self.font())
            self._layout = self._fitted = None
            self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._beneath and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _watch_room(self) -> None:
        """Watch the size of the surrounding widget, which decides on the height."""
        if self._beneath is not None:
            self._beneath.removeEventFilter(self)
        self._beneath = self.parentWidget()
        if self._beneath is not None:
            self._beneath.installEventFilter(self)

    # ---------------------------------------------------------------- changes

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        if computed.changed is None:
            self.refresh()
            return
        self._changed |= {step for step, blocks in computed.changed.items() if blocks}
        self._debounce.start()

    @Slot()
    def follow_overview(self) -> None:
        """Show what more is known of the open step."""
        self._changed.add(self._selection.step)
        self._debounce.start()

    @Slot()
    def _follow(self) -> None:
        """Show the newest numbers of the steps that have changed."""
        for step in self._changed & self._cards.keys():
            self._cards[step].follow(self._shown(step))
        self._changed.clear()

    @Slot(str, object)
    def _open(self, step: str, cell: Position | None) -> None:
        """Open a step; the lens slides there from where it is."""
        before = self._lens.rect
        if cell is None:
            self._selection.choose_step(step)
        else:
            self._selection.choose_cell(step, cell)
        duration = duration_of(_SLIDE, self) if self.isVisible() else 0
        self._lens.slide(before, self._goal(), duration)
        if step in self._cards:
            card = self._cards[step]
            self.opened.emit(QRect(card.mapToGlobal(QPoint()), card.size()))
