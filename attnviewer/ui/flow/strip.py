"""The flow strip: all steps of the computation side by side."""

from PySide6.QtCore import QCoreApplication, QRect, Qt, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QWidget

from attnviewer.ui.engine import Computed, Engine
from attnviewer.ui.flow.card import HEIGHT as CARD_HEIGHT
from attnviewer.ui.flow.card import FlowCard
from attnviewer.ui.flow.edge import WIDTH as EDGE_WIDTH
from attnviewer.ui.flow.edge import FadingEdge
from attnviewer.ui.flow.groups import Group, flow_groups
from attnviewer.ui.selection import Position, SelectionModel
from attnviewer.ui.tab_order import chain_tabs, stop_before
from attnviewer.ui.theme import Appearance

HEIGHT = CARD_HEIGHT + 17
"""A card, with room for the scroll bar below it."""


class FlowStrip(QScrollArea):
    """Every step as a card, joined by the operation that leads to it.

    Cards are made anew only when the list of steps changes; new numbers repaint
    them. Left and Right move between cards, Enter or Space opens one.
    """

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("flow")
        # A computation goes on to the right in every language, as its formulas do.
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setAccessibleName(self.tr("Steps of the computation"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setFixedHeight(HEIGHT)
        self._engine = engine
        self._selection = selection
        self._appearance = appearance
        self._steps: tuple[tuple[str, ...], ...] = ()
        self._cards: dict[str, FlowCard] = {}
        self._arrows: list[QLabel] = []
        left, right = Qt.Edge.LeftEdge, Qt.Edge.RightEdge
        self._left = FadingEdge("flow.more.left", left, appearance, self)
        self._right = FadingEdge("flow.more.right", right, appearance, self)
        bar = self.horizontalScrollBar()
        bar.setSingleStep(24)
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_scrolled)
        engine.computed.connect(self._on_computed)
        selection.step_changed.connect(self._on_step)
        selection.head_changed.connect(self._on_head)
        selection.cell_changed.connect(self._on_cell)
        appearance.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the newest numbers."""
        trace = self._engine.current.trace
        groups = flow_groups(trace)
        steps = tuple(group.steps for group in groups)
        rebuilt = steps != self._steps
        if rebuilt:
            self._steps = steps
            self._rebuild(groups)
        else:
            for card in self._cards.values():
                card.show_step(trace, self._selection.head, self._appearance.theme)
        for arrow, group in zip(self._arrows, groups[1:], strict=True):
            arrow.setText(f"{group.operation}\n→")
        self._mark()
        if rebuilt:
            self._reveal()

    def go(self, by: int) -> None:
        """Open the step so many cards further on, or back; the ends stop it."""
        names = list(self._cards)
        step = self._selection.step
        here = names.index(step) if step in names else 0
        goal = max(0, min(len(names) - 1, here + by))
        self._selection.choose_step(names[goal])

    def _rebuild(self, groups: tuple[Group, ...]) -> None:
        focused, before = self._focused_step(), self._stop_before()
        trace, theme = self._engine.current.trace, self._appearance.theme
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(9, 6, 9, 0)
        row.setSpacing(0)
        self._cards, self._arrows = {}, []
        for group in groups:
            if group is not groups[0]:
                arrow = QLabel(content)
                arrow.setObjectName(f"flow.to.{group.steps[0]}")
                arrow.setAlignment(Qt.AlignmentFlag.AlignCenter)
                self._arrows.append(arrow)
                row.addWidget(arrow)
            for step in group.steps:
                card = FlowCard(step, trace, self._selection.head, theme, content)
                card.chosen.connect(self._on_chosen)
                self._cards[step] = card
                row.addWidget(card, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self.setWidget(content)
        chain_tabs([before, *self._cards.values()])
        if focused in self._cards:
            self._cards[focused].setFocus(Qt.FocusReason.OtherFocusReason)

    def _stop_before(self) -> QWidget:
        """Return what Tab visits before the strip."""
        before: QWidget = next(iter(self._cards.values()), self)
        while before is not self.window() and self.isAncestorOf(before):
            before = stop_before(before)
        return before

    def _mark(self) -> None:
        """Show which step is open and which of its cells is selected."""
        step, cell = self._selection.step, self._selection.cell
        for name, card in self._cards.items():
            card.set_opened(name == step)
            inside = name == step and cell is not None and card.thumbnail.has(cell)
            card.set_selected(cell if inside else None)
        self._let_tab_stop_at(step)

    def _let_tab_stop_at(self, step: str) -> None:
        """Make the strip one stop of the Tab key: at the open card or the first."""
        stop = self._cards.get(step) or next(iter(self._cards.values()))
        for card in self._cards.values():
            policy = Qt.FocusPolicy.StrongFocus
            card.setFocusPolicy(policy if card is stop else Qt.FocusPolicy.ClickFocus)

    def _reveal(self) -> None:
        """Scroll so that the open card is seen with a bit of its neighbours."""
        card = self._cards.get(self._selection.step)
        if card is not None:
            self.ensureWidgetVisible(card, 2 * EDGE_WIDTH, 0)

    def _focused_step(self) -> str | None:
        focused = (name for name, card in self._cards.items() if card.hasFocus())
        return next(focused, None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        names = list(self._cards)
        focused = self._focused_step()
        if focused is None:
            super().keyPressEvent(event)
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
        self.ensureWidgetVisible(card, 2 * EDGE_WIDTH, 0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # There is only one way to scroll, so a plain wheel goes sideways.
        QCoreApplication.sendEvent(self.horizontalScrollBar(), event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        area = self.viewport().geometry()
        edge = QRect(area.left(), area.top(), EDGE_WIDTH, area.height())
        self._left.setGeometry(edge)
        self._right.setGeometry(edge.translated(area.width() - EDGE_WIDTH, 0))
        self._reveal()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._reveal()

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self.refresh()

    @Slot(str)
    def _on_step(self, _step: str) -> None:
        self._mark()
        self._reveal()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self.refresh()

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: Position | None) -> None:
        self._mark()

    @Slot(str, object)
    def _on_chosen(self, step: str, cell: Position | None) -> None:
        if cell is None:
            self._selection.choose_step(step)
        else:
            self._selection.choose_cell(step, cell)

    @Slot()
    def _on_scrolled(self) -> None:
        bar = self.horizontalScrollBar()
        self._left.setVisible(bar.value() > bar.minimum())
        self._right.setVisible(bar.value() < bar.maximum())
