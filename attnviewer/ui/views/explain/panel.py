"""The Explain dock: the selected cell as a formula with its own numbers."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QMenu,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Cell
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.debounce import Debounce
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.folds import FoldModel
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.state.sensitivity import Sensitivity, cell_there
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.explain.cell_box import CellBox
from attnviewer.ui.views.explain.commands import Commands
from attnviewer.ui.views.explain.deferred import DeferredBoxes
from attnviewer.ui.views.explain.influence_box import InfluenceBox
from attnviewer.ui.views.explain.input_box import InputBox
from attnviewer.ui.views.explain.row_box import RowBox
from attnviewer.ui.views.explain.visit_history import VisitHistory
from attnviewer.ui.widgets.actions import fill_menu
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.labels import heading
from attnviewer.ui.widgets.layouts import lay_out
from attnviewer.ui.widgets.tab_order import order_tabs
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll


class ExplainPanel(QWidget):
    """Explains the selected cell; every number links to its own cell.

    Attributes
    ----------
    visited : VisitHistory
        The history of visited cells.
    commands : Commands
        What can be done with the explanation.
    heading : QWidget
        Which cell is explained, in one line.
    """

    notified = Signal(str)
    """Reports what was done, in a sentence."""

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        edits: EditStack,
        sensitivity: Sensitivity,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explain")
        # Without it, a plain widget does not paint its background.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Explain"))
        self._engine = engine
        self._selection = selection
        self._sensitivity = sensitivity
        self._appearance = appearance
        self._location = ""
        self.visited = VisitHistory(engine, selection, self)
        self.commands = Commands(
            self.visited, self.copy_text, self.copy_latex, sensitivity, self
        )
        self._name = ElidedLabel("explain.cell")
        self._cell = CellBox(self.commands, appearance)
        self._influence = InfluenceBox(engine, sensitivity, appearance, self.commands)
        self._row = RowBox()
        self._input = InputBox(engine, selection, edits, sensitivity, appearance)
        self._parts = self._cell, self._influence, self._row, self._input
        self._lay_out()
        # Debounced: pictures show an edit first, words follow.
        self._debounce = Debounce(self)
        self._debounce.due.connect(self.catch_up)
        self._stale = self._went = False
        self._explained: Cell | None = None
        self._last: Computed | None = None
        self._deferred = DeferredBoxes(self._settle, self)
        self._scroll.verticalScrollBar().valueChanged.connect(
            self._deferred.update_seen
        )
        sensitivity.found.connect(self._on_found)
        engine.computed.connect(self._on_computed)
        selection.cell_changed.connect(self._on_cell)
        selection.head_changed.connect(self._on_head)
        edits.cursor.moved.connect(self._on_cursor)
        appearance.changed.connect(self._restyle)
        self.commands.all_terms.toggled.connect(self._on_all_terms)
        self._restyle()

    def add_section(self, section: QWidget) -> None:
        """Add a section below what would change the cell."""
        self._boxes.insertWidget(self._boxes.indexOf(self._influence) + 1, section)
        order_tabs(self.window(), [self._influence, section, self._row, self._input])

    def show_location(self, location: str) -> None:
        """Show the cells' layer or head in a model; "" for none."""
        if location != self._location:
            self._location = location
            self.refresh()

    def follow_folds(self, folds: FoldModel) -> None:
        """Sum up rows as they are shown with folded groups from now on."""
        self._row.folds = folds
        folds.changed.connect(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Explain the selected cell with the newest numbers, if visible."""
        if self.isVisible():
            self._explain()

    @Slot()
    def catch_up(self) -> None:
        """Show the newest numbers now, if that is pending."""
        self._debounce.stop()
        if self._stale and self.isVisible():
            self._explain(all_at_once=False)
        elif self._went and self.isVisible():
            self._follow_cursor()

    def _explain(self, *, all_at_once: bool = True) -> None:
        self._stale = False
        before, cell = self._explained, self._selected()
        last, self._last = self._last, self._engine.current
        if (
            not all_at_once
            and last is not None
            and cell is not None
            and cell == before
            and self._last.keeps(last, [cell.step])
        ):
            self._follow_elsewhere()
            return
        self._show_cell(cell)
        self._explained = cell
        self._deferred.add(self._row, self._show_row)
        self._deferred.add(self._influence, self._show_influence)
        self._deferred.add(self._input, self._show_input)
        if all_at_once or cell != before:
            self._deferred.update_all()
        else:
            self._settle()
            self._deferred.update_seen()

    def _follow_elsewhere(self) -> None:
        """Follow an edit that changes nothing of the explained cell's derivation."""
        self._cell.follow(self._engine.current)
        if not self._sensitivity.newest:
            self._deferred.add(self._influence, self._show_influence)
        self._deferred.add(self._input, self._show_input)
        self._deferred.update_seen()

    def copy_text(self) -> None:
        """Copy the explanation with its expanded rows, as plain text."""
        self._explain()  # which a hidden dock does not do by itself
        if self._cell.is_empty:
            self.notified.emit(self._hint())
            return
        QGuiApplication.clipboard().setText(self._cell.text())
        self.notified.emit(self.tr("Explanation copied as text"))

    def copy_latex(self) -> None:
        """Copy the explanation with its expanded rows, as LaTeX."""
        self._explain()
        if self._cell.is_empty:
            self.notified.emit(self._hint())
            return
        latex = self._cell.latex(self._engine.current)
        QGuiApplication.clipboard().setText(latex)
        self.notified.emit(self.tr("Explanation copied as LaTeX"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._deferred.update_seen()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, self.commands.rows)
        menu.popup(event.globalPos())

    def _hint(self) -> str:
        """Return why nothing is explained."""
        if self._selection.step in self._engine.current.withheld:
            return self.tr("Hidden until you answer")
        return self.tr("Select a cell to see where its number comes from.")

    def _show_cell(self, cell: Cell | None) -> None:
        """Explain a cell, or show why nothing is explained."""
        if cell is None:
            self._name.setText("")
            self._cell.show_hint(self._hint())
            return
        name, location = (
            self._cell.show_cell(self._engine.current, cell),
            self._location,
        )
        self._name.setText(f"{location} · {name}" if location else name)

    @Slot()
    def _restyle(self) -> None:
        self._cell.restyle()
        self.refresh()

    @Slot()
    def _on_all_terms(self) -> None:
        self.refresh()

    @Slot()
    def _on_found(self) -> None:
        if self.isVisible() and not self._stale:
            self._show_influence()
            self._show_input()

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self._stale = True
        self._debounce.start()
        if not self.isVisible():
            self._cell.forget()
            self._last = None

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: object) -> None:
        self.refresh()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self.refresh()

    @Slot(object)
    def _on_cursor(self, _selection: object) -> None:
        self._went = True
        self._debounce.start()

    def _follow_cursor(self) -> None:
        """Update the description of the cell under the tables' cursor."""
        self._went = False
        self._deferred.add(self._input, self._show_input)
        self._deferred.update_now(self._input)

    def _settle(self) -> None:
        """Lay the boxes out once, from the inside out.

        Otherwise each box that changes its height would lay all of them out again.
        """
        for widget in (*self._parts, self._content):
            layout = widget.layout()
            assert layout is not None
            layout.activate()
        # Otherwise the scroll area would learn of a new height only after a repaint.
        parent = self._content.parentWidget()
        QCoreApplication.sendPostedEvents(parent, QEvent.Type.LayoutRequest.value)
        lay_out(self.heading)

    def _selected(self) -> Cell | None:
        selection, computed = self._selection, self._engine.current
        if selection.step in computed.withheld:
            return None
        cell = selection.cell
        return cell_there(computed.trace, selection.step, cell, selection.head)

    def _show_row(self) -> None:
        """Show the statistics of the cell's row."""
        theme = self._appearance.theme
        self._row.refresh(self._engine.current, self._selected(), theme)

    def _show_influence(self) -> None:
        """Show the strongest inputs of a computed cell."""
        cell = self._selected()
        self._influence.refresh(None if self._is_given(cell) else cell)

    def _show_input(self) -> None:
        """Describe an input cell: the selected one, or that of the tables."""
        self._went = False
        cell = self._selected()
        own = cell if self._is_given(cell) else None
        self._input.refresh(self._engine.current, own)

    def _is_given(self, cell: Cell | None) -> bool:
        trace = self._engine.current.trace
        return cell is not None and not trace.stages[cell.step].inputs

    def _lay_out(self) -> None:
        title = heading("explain.title")
        title.setText(self.tr("Explain"))
        # Queued: following a link gives a box other lines, which must not happen
        # inside its own mouse event.
        for box in (self._cell, self._influence.box, self._row.box, self._input.box):
            box.followed.connect(self.visited.go, Qt.ConnectionType.QueuedConnection)
        self.heading = heading_row(title, self._name, self)
        # From the outermost in: Qt styles a widget with all that it contains again
        # when it gets another parent.
        self._scroll = VerticalScroll("explain.scroll", self)
        self._content = QWidget(self._scroll.viewport())
        self._content.setObjectName("explain.content")
        self._boxes = boxes = QVBoxLayout(self._content)
        boxes.setContentsMargins(12, 0, 12, 12)
        boxes.setSpacing(8)
        for part in self._parts:
            boxes.addWidget(part)
        boxes.addStretch(1)
        self._scroll.setWidget(self._content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.heading)
        layout.addWidget(self._scroll, 1)
