"""The step view: the chosen step on one of its pages."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.heads import own_head, present_head, query_head
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench, step_of_view
from attnviewer.ui.views.step.header import StepHeader
from attnviewer.ui.views.step.outdated_mark import OutdatedMark
from attnviewer.ui.views.step.pages import OpensHeads, Page, ShowsLine, make_page
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.tab_order import order_tabs
from attnviewer.views import VIEWS

if TYPE_CHECKING:
    from attnviewer.io.export import Computation
    from attnviewer.ui.views.step.difference.page import DifferencePage
    from attnviewer.ui.views.step.heads.page import HeadsPage
    from attnviewer.ui.views.step.heatmap import GroupedHeatmap
    from attnviewer.ui.views.step.table import StepTable

_LOW = 17
"""Height in lines of text below which the description is hidden."""
_ROOMY = 36
"""Height in lines of text from which it is shown above the picture of *How*, too."""


class StepView(QWidget):
    """Shows the selected step of the newest trace on one of several pages.

    Pages are created lazily: the current one after the view itself has
    been painted, the others when they are chosen.

    Attributes
    ----------
    behind : OutdatedMark
        Overlay for edits that are being computed.
    painted : Signal
        The visible page has been painted.
    page_added : Signal
        Carries a page that has just been made.
    head_menu_wanted : Signal
        Requests the menu of the chosen head, at a position on the screen.
    """

    painted = Signal()
    page_added = Signal(QWidget)
    head_menu_wanted = Signal(QPoint)
    _seen_empty = Signal()

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
        self._workbench = workbench
        self._engine, self._selection, self._looks = engine, selection, workbench.looks
        self._appearance = appearance
        self._shown: DisplayedStep | None = None
        self._theme_override: Theme | None = None
        titles = [self.tr(view.title).replace("&", "") for view in VIEWS.values()]
        self.header = StepHeader(titles, self)
        self.header.set_bare(self.view == "how")
        self._pages: dict[str, Page] = {}
        self._stale: set[Page] = set()
        self._filled: dict[Page, DisplayedStep] = {}
        self._seen_empty.connect(self._open_first, Qt.ConnectionType.QueuedConnection)
        self._stack = _Stack(self)
        self._stack.addWidget(QWidget(self))  # visible until there is a page
        self._withheld = EmptyState("step.withheld", self)
        self._withheld.say(self.tr("Hidden until you answer"))
        self._withheld.painted.connect(self.painted)
        self._stack.addWidget(self._withheld)
        # Numbers and matrices run left to right in every language.
        self._stack.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._stack, 1)
        self.behind = OutdatedMark(engine, self._stack)
        self.setFocusProxy(self._stack)
        self.header.view_chosen.connect(self.open_page)
        self.header.head_chosen.connect(self._on_head_chosen)
        self.header.hidden_line_changed.connect(self._pass_on_hidden_line)
        engine.computed.connect(self._refresh)
        selection.step_changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)
        selection.cell_changed.connect(self._on_cell_changed)
        workbench.opened.connect(self._leave_grid)
        workbench.looks.changed.connect(self._refresh)
        workbench.folds.changed.connect(self._refresh)
        workbench.filler.filled.connect(self._show_anew)
        appearance.changed.connect(self._show_anew)
        self._refresh()

    def page_of(self, view: str) -> Page:
        """Return the page of a view, one of `VIEWS`; it is made if there is none."""
        if view not in self._pages:
            self._add_page(view, make_page(view, self._workbench, self))
        return self._pages[view]

    @property
    def heatmap(self) -> "GroupedHeatmap":
        """The step as a picture."""
        return cast("GroupedHeatmap", self.page_of("heatmap"))

    @property
    def heads(self) -> "HeadsPage":
        """All heads of the step."""
        return cast("HeadsPage", self.page_of("heads"))

    @property
    def table(self) -> "StepTable":
        """The step as numbers."""
        return cast("StepTable", self.page_of("table"))

    @property
    def difference(self) -> "DifferencePage":
        """The page that shows what changed in the step."""
        return cast("DifferencePage", self.page_of("difference"))

    def follow_pages(self, slot: Callable[[QWidget], None]) -> None:
        """Call a slot with each page: those that there are, and those to come.

        At the start of the program the first page is drawn before most of the window
        is made.
        """
        for page in list(self._pages.values()):
            assert isinstance(page, QWidget)
            slot(page)
        self.page_added.connect(slot)

    def _add_page(self, view: str, page: Page) -> None:
        assert isinstance(page, QWidget)
        self._stack.addWidget(page)
        page.painted.connect(self.painted)
        if isinstance(page, OpensHeads):
            page.head_opened.connect(self._show_heatmap)
            page.head_menu_wanted.connect(self.head_menu_wanted)
        page.choose(self._selection.cell)
        self._pages[view] = page
        self._pass_on_hidden_line()
        self._stale.add(page)
        self.page_added.emit(page)
        # After the header in Tab order, not last as the newest widget.
        order_tabs(self.window(), [self])
        self._update_page()

    @property
    def view(self) -> str:
        """The current view, one of `VIEWS`."""
        return list(VIEWS)[self.header.tabs.currentIndex()]

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the step that is shown."""
        rows, columns = self._engine.current.trace.matrix_shape(self._selection.step)
        return rows, columns

    def set_view(self, view: str) -> None:
        """Choose one of `VIEWS`.

        Raises
        ------
        ValueError
            If there is no such view.
        """
        if view not in VIEWS:
            raise ValueError(
                f"The 'view' must be one of {', '.join(VIEWS)}. Got '{view}' instead."
            )
        number = list(VIEWS).index(view)
        self.header.tabs.setTabVisible(number, True)
        self.header.tabs.setCurrentIndex(number)
        self.open_page()

    @property
    def step(self) -> str:
        """The step that is shown."""
        return step_of_view(self.view, self._selection.step)

    @property
    def head(self) -> int:
        """The chosen query head, which pages of a single head show."""
        return present_head(self._engine.current.trace, self._selection.head)

    @property
    def computation(self) -> "Computation":
        """The computation shown, with what an export says about it."""
        # This loads every format; the first picture does not wait for it.
        from attnviewer.io.export import Computation

        computed = self._engine.current
        document = self._workbench.document
        return Computation.by(document, computed.labels, computed.trace)

    @property
    def page(self) -> QWidget:
        """The visible page."""
        page = self._stack.currentWidget()
        assert page is not None
        return page

    def override_theme(self, theme: Theme | None) -> None:
        """Show the step in another theme; None for the current one again."""
        self._theme_override = theme
        self._refresh()

    def forget_pointer(self) -> None:
        """Highlight nothing until the pointer moves again."""
        self._selection.hover(self._selection.step, None)

    @Slot()
    def open_page(self) -> None:
        """Show the chosen page, creating it if needed."""
        self.header.set_bare(self.view == "how")
        self.page_of(self.view)
        self._offer_views()
        self._update_page()

    def _offer_views(self) -> None:
        on_grid = self._engine.current.labels.grid is not None
        for number, view in enumerate(VIEWS.values()):
            if view.of_grid:
                self.header.offer_view(number, offered=on_grid)

    @Slot()
    def _leave_grid(self) -> None:
        """Show the heatmap of a document that has nothing to show on a grid."""
        if VIEWS[self.view].of_grid and self._workbench.document.grid is None:
            self.set_view("heatmap")

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.view not in self._pages:
            self._seen_empty.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        line = usual_line(self.font())
        self.header.set_low(self.height() < _LOW * line)
        self.header.set_roomy(self.height() >= _ROOMY * line)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_page()

    @Slot()
    def _refresh(self) -> None:
        computed = self._engine.current
        theme = self._theme_override or self._appearance.theme
        step, head = self._selection.step, self._selection.head
        if step not in computed.trace:
            return
        look, folds = self._looks.of(step), self._workbench.folds.current
        shown = DisplayedStep(computed, step, head, look, theme, folds=folds)
        before, self._shown = self._shown, shown
        if shown == before:
            return
        own = own_head(computed.trace, step, head)
        self.header.show_step(step, computed.trace, own, theme)
        self.setWhatsThis(self.header.whatsThis())
        self._offer_views()
        self._stale = set(self._pages.values())
        self._update_page()
        if before is None or computed is not before.computed:
            for page in self._filled.keys() & self._stale:
                page.forget()
                del self._filled[page]

    @Slot()
    def _show_anew(self) -> None:
        # The numbers may be the same, but the text size or their overview may differ.
        self._shown = None
        self._refresh()

    def _update_page(self) -> None:
        """Update the page if it is visible; the others wait."""
        page = self._pages.get(self.view)
        if page is None:
            return
        assert isinstance(page, QWidget)
        shown = self._shown
        if shown is not None and self.step in shown.computed.withheld:
            self._stack.setCurrentWidget(self._withheld)
            return
        self._stack.setCurrentWidget(page)
        if page in self._stale and self.isVisible() and self._shown is not None:
            self._stale.discard(page)
            before, self._filled[page] = self._filled.get(page), self._shown
            page.show_step(self._shown.after(before))

    @Slot()
    def _open_first(self) -> None:
        if self.isVisible():  # unless closed meanwhile
            self.open_page()

    @Slot()
    def _pass_on_hidden_line(self) -> None:
        for page in self._pages.values():
            if isinstance(page, ShowsLine):
                page.show_line(*self.header.hidden_line)

    @Slot()
    def _show_heatmap(self) -> None:
        self.set_view("heatmap")
        self.heatmap.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int)
    def _on_head_chosen(self, own: int) -> None:
        trace, step = self._engine.current.trace, self._selection.step
        present = self._selection.head
        self._selection.choose_head(query_head(trace, step, own, present))

    @Slot(str, object)
    def _on_cell_changed(self, _step: str, cell: Position | None) -> None:
        for page in self._pages.values():
            page.choose(cell)


class _Stack(QStackedWidget):
    """Pages of which only the visible one requests space and gets the focus."""

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
