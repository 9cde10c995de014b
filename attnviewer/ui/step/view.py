"""The chosen step, large."""

from typing import Protocol

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtGui import QFocusEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from attnviewer.ui.heads import own_head, query_head
from attnviewer.ui.links import Linked, linked
from attnviewer.ui.look import Look
from attnviewer.ui.selection import Position
from attnviewer.ui.step.content import Shown
from attnviewer.ui.step.difference import DifferencePage
from attnviewer.ui.step.header import StepHeader
from attnviewer.ui.step.heads import HeadsPage
from attnviewer.ui.step.heatmap import Heatmap
from attnviewer.ui.step.lines import Lines
from attnviewer.ui.step.table import StepTable
from attnviewer.ui.theme import Appearance
from attnviewer.ui.workbench import Workbench

VIEWS = ("heatmap", "lines", "heads", "table", "difference")


class Page(Protocol):
    """A way to show a step. A page is asked to show what is in sight alone."""

    painted: SignalInstance

    def show_step(self, shown: Shown) -> None:
        """Show a step."""

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell."""


class StepView(QWidget):
    """Shows the selected step of the newest trace in one of several ways.

    Parameters
    ----------
    workbench : Workbench
        Where the traces come from, and what is shown of them.
    appearance : Appearance
        The theme in force.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    heatmap : Heatmap
        The step as a picture.
    lines : Lines
        The weights as lines.
    heads : HeadsPage
        All heads of the step.
    table : StepTable
        The step as numbers.
    difference : DifferencePage
        What has changed in the step.
    painted : Signal
        The page in sight has been painted.
    """

    painted = Signal()

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("step")
        self.setAccessibleName(self.tr("Step"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        engine, selection = workbench.engine, workbench.selection
        self._engine, self._selection, self._looks = engine, selection, workbench.looks
        self._appearance = appearance
        self._shown: Shown | None = None
        titles = (
            self.tr("Heatmap"),
            self.tr("Lines"),
            self.tr("All heads"),
            self.tr("Table"),
            self.tr("Difference"),
        )
        self.header = StepHeader(list(titles), self)
        self.heatmap = Heatmap(self)
        self.lines = Lines(selection, self)
        self.heads = HeadsPage(workbench, self)
        self.table = StepTable(self)
        self.difference = DifferencePage(workbench, self)
        self._pages: tuple[Page, ...] = (
            self.heatmap,
            self.lines,
            self.heads,
            self.table,
            self.difference,
        )
        self._stale = set(self._pages)
        self._stack = _Stack(self)
        # Numbers and matrices are written from the left in every language.
        self._stack.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._stack, 1)
        self.setFocusProxy(self._stack)
        for page in self._pages:
            assert isinstance(page, QWidget)
            self._stack.addWidget(page)
            page.painted.connect(self.painted)

        self.header.view_chosen.connect(self._on_view_chosen)
        self.header.head_chosen.connect(self._on_head_chosen)
        self.heatmap.cell_chosen.connect(self._on_cell_chosen)
        self.heatmap.cell_hovered.connect(self._on_cell_hovered)
        for heatmap in (self.heatmap, self.difference.heatmap):
            heatmap.look_chosen.connect(self._on_look_chosen)
            heatmap.marks_chosen.connect(selection.mark)
        selection.marked_changed.connect(self._on_marked)
        selection.hover_changed.connect(self._on_hovered)
        self.heads.opened.connect(self._show_heatmap)
        self.table.cell_chosen.connect(self._on_cell_chosen)
        self.difference.heatmap.cell_chosen.connect(self._on_cell_chosen)
        self.difference.heatmap.cell_hovered.connect(self._on_cell_hovered)
        engine.computed.connect(self._refresh)
        selection.step_changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)
        selection.cell_changed.connect(self._on_cell_changed)
        workbench.looks.changed.connect(self._refresh)
        appearance.changed.connect(self._show_anew)
        self._refresh()
        self._on_cell_changed(selection.step, selection.cell)

    @property
    def view(self) -> str:
        """How the step is shown, one of `VIEWS`."""
        return VIEWS[self._stack.currentIndex()]

    def set_view(self, view: str) -> None:
        """Show the step in one of the ways of `VIEWS`.

        Raises
        ------
        ValueError
            If there is no such view.
        """
        if view not in VIEWS:
            raise ValueError(
                f"The 'view' must be one of {', '.join(VIEWS)}. Got '{view}' instead."
            )
        self.header.tabs.setCurrentIndex(VIEWS.index(view))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_page()

    @Slot()
    def _refresh(self) -> None:
        computed, theme = self._engine.current, self._appearance.theme
        step, head = self._selection.step, self._selection.head
        if step not in computed.trace:
            return
        shown = Shown(computed, step, head, self._looks.of(step), theme)
        if shown == self._shown:
            return
        self._shown = shown
        trace = computed.trace
        own = own_head(trace, step, head)
        self.header.show_step(trace.stages[step], trace.n_heads(step), own, theme)
        self._stale = set(self._pages)
        self._update_page()

    @Slot()
    def _show_anew(self) -> None:
        # In the same colours, it may be in another size.
        self._shown = None
        self._refresh()

    def _update_page(self) -> None:
        """Bring the page up to date, if it can be seen; the others wait."""
        page = self._pages[self._stack.currentIndex()]
        if page in self._stale and self.isVisible() and self._shown is not None:
            self._stale.discard(page)
            page.show_step(self._shown)

    @Slot(int)
    def _on_view_chosen(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self._update_page()

    @Slot()
    def _show_heatmap(self) -> None:
        self.set_view("heatmap")
        self.heatmap.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int)
    def _on_head_chosen(self, own: int) -> None:
        trace, step = self._engine.current.trace, self._selection.step
        present = self._selection.head
        self._selection.choose_head(query_head(trace, step, own, present))

    @Slot(object)
    def _on_cell_chosen(self, cell: Position | None) -> None:
        self._selection.choose_cell(self._selection.step, cell)

    @Slot(object)
    def _on_cell_hovered(self, cell: Position | None) -> None:
        self._selection.hover(self._selection.step, cell)

    @Slot()
    def _on_marked(self) -> None:
        for heatmap in (self.heatmap, self.difference.heatmap):
            heatmap.mark(self._selection.marked)

    @Slot(str, object)
    def _on_hovered(self, step: str, cell: Position | None) -> None:
        trace, shown = self._engine.current.trace, self._selection.step
        there = Linked()
        if cell is not None and step in trace and shown in trace:
            there = linked(trace, step, cell, shown)
        for heatmap in (self.heatmap, self.difference.heatmap):
            heatmap.light(there)

    @Slot(object)
    def _on_look_chosen(self, look: Look) -> None:
        self._looks.set(self._selection.step, look)

    @Slot(str, object)
    def _on_cell_changed(self, _step: str, cell: Position | None) -> None:
        for page in self._pages:
            page.choose(cell)


class _Stack(QStackedWidget):
    """Pages of which only the one in sight asks for room and is given the keys."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.currentChanged.connect(self.updateGeometry)

    def focusInEvent(self, event: QFocusEvent) -> None:
        page = self.currentWidget()
        if page is not None:
            page.setFocus(event.reason())

    def sizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().sizeHint() if page is None else page.sizeHint()

    def minimumSizeHint(self) -> QSize:
        page = self.currentWidget()
        return super().minimumSizeHint() if page is None else page.minimumSizeHint()
