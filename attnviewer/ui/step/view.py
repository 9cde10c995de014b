"""The chosen step, large."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from attnviewer.ui.engine import Computed, Engine
from attnviewer.ui.heads import own_head, query_head
from attnviewer.ui.selection import Position, SelectionModel
from attnviewer.ui.step.content import content_of
from attnviewer.ui.step.header import StepHeader
from attnviewer.ui.step.heatmap import Heatmap
from attnviewer.ui.step.table import StepTable
from attnviewer.ui.theme import Appearance, Theme

VIEWS = ("heatmap", "table")


class StepView(QWidget):
    """Shows the selected step of the newest trace, as a heatmap or a table.

    Parameters
    ----------
    engine : Engine
        Where the traces come from.
    selection : SelectionModel
        What is shown of them.
    appearance : Appearance
        The theme in force.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    heatmap : Heatmap
        The step as a picture.
    table : StepTable
        The step as numbers.
    painted : Signal
        The page in sight has been painted.
    """

    painted = Signal()

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("step")
        self.setAccessibleName(self.tr("Step"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._engine = engine
        self._selection = selection
        self._appearance = appearance
        self._source: tuple[Computed, str, int, Theme] | None = None
        self.header = StepHeader([self.tr("Heatmap"), self.tr("Table")], self)
        self.heatmap = Heatmap(self)
        self.table = StepTable(self)
        self._stale: set[QWidget] = {self.heatmap, self.table}
        self._pages = QStackedWidget(self)
        # Numbers and matrices are written from the left in every language.
        self._pages.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._pages.addWidget(self.heatmap)
        self._pages.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.header)
        layout.addWidget(self._pages, 1)
        self.setFocusProxy(self._pages)

        self.header.view_chosen.connect(self._on_view_chosen)
        self.header.head_chosen.connect(self._on_head_chosen)
        self.heatmap.cell_chosen.connect(self._on_cell_chosen)
        self.heatmap.cell_hovered.connect(self._on_cell_hovered)
        self.table.cell_chosen.connect(self._on_cell_chosen)
        self.heatmap.painted.connect(self.painted)
        self.table.painted.connect(self.painted)
        engine.computed.connect(self._refresh)
        selection.step_changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)
        selection.cell_changed.connect(self._on_cell_changed)
        appearance.changed.connect(self._refresh)
        self._refresh()
        self._on_cell_changed(selection.step, selection.cell)

    @property
    def view(self) -> str:
        """How the step is shown: ``heatmap`` or ``table``."""
        return VIEWS[self._pages.currentIndex()]

    def set_view(self, view: str) -> None:
        """Show the step as a ``heatmap`` or a ``table``.

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
        trace, shown = computed.trace, self._source
        if step not in trace:
            return
        if shown and shown[0] is computed and shown[1:] == (step, head, theme):
            return
        self._source = (computed, step, head, theme)
        n_heads = trace.n_heads(step)
        own = own_head(trace, step, head)
        self.header.show_step(trace.stages[step], n_heads, own, theme)
        self._stale = {self.heatmap, self.table}
        self._update_page()

    def _update_page(self) -> None:
        """Bring the page up to date, if it can be seen; the others wait."""
        page = self._pages.currentWidget()
        if page not in self._stale or not self.isVisible() or self._source is None:
            return
        content = content_of(*self._source)
        self._stale.discard(page)
        assert isinstance(page, Heatmap | StepTable)
        page.show_content(content, self._source[3])

    @Slot(int)
    def _on_view_chosen(self, number: int) -> None:
        self._pages.setCurrentIndex(number)
        self._update_page()

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

    @Slot(str, object)
    def _on_cell_changed(self, _step: str, cell: Position | None) -> None:
        self.heatmap.choose(cell)
        self.table.choose(cell)
