"""The inputs panel: every matrix that the variant starts from."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import MASK, Change, Dimensions, Document
from attnviewer.document.rearranging import together_with
from attnviewer.document.rows import SequenceName
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.views.inputs.borrowing import BorrowedTables
from attnviewer.ui.views.inputs.cells.cell_status import CellStatus
from attnviewer.ui.views.inputs.cells.clipboard import Clipboard
from attnviewer.ui.views.inputs.cells.statistics import SelectionStatistics
from attnviewer.ui.views.inputs.cells.table import CellTable, table_with_the_keys
from attnviewer.ui.views.inputs.cells.table_look import TableLook
from attnviewer.ui.views.inputs.commands import Commands
from attnviewer.ui.views.inputs.fills.commands import FillCommands
from attnviewer.ui.views.inputs.mask.panel import MaskPanel
from attnviewer.ui.views.inputs.matrix.panel import MatrixPanel
from attnviewer.ui.views.inputs.summary_button import SummaryButton
from attnviewer.ui.views.inputs.tabs import InputTabs
from attnviewer.ui.views.inputs.tokens.edits import bears_tokens
from attnviewer.ui.views.inputs.tokens.find_bar import FindBar
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect
from attnviewer.ui.widgets.tab_order import chain_tabs

TABBED = ("X", "Q", "S", "context", "P", "mask", "bias")
"""Inputs with a row per token; below them are weights and biases, or keys and values
that are given with the queries."""
_APART, _TOGETHER = 16, 6
"""Space above a matrix, and above a bias below its weights."""


class InputsPanel(QWidget):
    """The editable tokens and matrices of a document.

    Inputs with a row per token are in tabs at the top if there are more than X;
    Ctrl+Page Down and Ctrl+Page Up switch tabs. Weights are below, each with its bias.
    If queries, keys and values are given, the queries take the place of X and the
    others that of the weights.

    Attributes
    ----------
    heading : QWidget
        A one-line summary of the inputs.
    fills : FillCommands
        The commands that fill matrices.
    look : TableLook
        How the tables show their numbers.
    status_changed : Signal
        Carries the status bar's text about the hovered cell, or else the focused one;
        "" if neither is in a table.
    clipboard : Clipboard
        Copies and pastes blocks.
    commands : Commands
        The actions on the selected cells.
    """

    status_changed = Signal(str)
    statistics_changed = Signal(str)
    """Carries sum, mean and extremes of the selected cells; "" for a single one."""
    dimensions_wanted = Signal()
    """The person wants to change the dimensions."""
    resized = Signal()
    """The tables need another height."""

    def __init__(
        self,
        edits: EditStack,
        reason: ReasonBubble,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("inputs")
        self.setAccessibleName(self.tr("Inputs"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._document = edits.document
        self._edits = edits
        edits.cursor.wanted.connect(self._go)
        self._reason = reason
        self.fills = FillCommands(edits, self)
        self.fills.refused.connect(self._refuse)
        self.look = TableLook(self)
        self._cell_status = CellStatus(self)
        self._cell_status.status_changed.connect(self.status_changed)
        self._statistics = SelectionStatistics(self)
        self._statistics.changed.connect(self.statistics_changed)
        self.clipboard = Clipboard(edits, reason, self.table, self)
        self.commands = Commands(self, self.current_table, self.clipboard, self._is_own)
        self._panels: dict[str, MatrixPanel | MaskPanel] = {}
        self.borrowed = BorrowedTables(
            self._panels.get, self.commands.actions, self._watch
        )
        self._summary = SummaryButton(self)
        self._summary.clicked.connect(self.dimensions_wanted)
        self._content = QWidget(self)
        self._content.setObjectName("inputs.content")
        self._content.installEventFilter(self)
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(12, 8, 12, 12)
        self._column.setSpacing(0)
        self._tabs = InputTabs(self._content)
        self._column.addWidget(self._tabs)
        self._column.addStretch()
        within = Qt.ShortcutContext.WidgetWithChildrenShortcut
        for keys, slot in (
            ("Ctrl+PgDown", self._turn_on),
            ("Ctrl+PgUp", self._turn_back),
        ):
            shortcut = QShortcut(keys, self, context=within)
            shortcut.activated.connect(slot)
        self._scroll = QScrollArea(self)
        self._scroll.setObjectName("inputs.scroll")
        self._scroll.setAccessibleName(self.tr("Matrices"))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.heading = self._heading()
        layout.addWidget(self.heading)
        layout.addWidget(self._scroll)
        self.set_document(edits.document)

    @property
    def needed_height(self) -> int:
        """The height in pixels at which all the tables are seen without scrolling."""
        return self._column.totalHeightForWidth(self._scroll.viewport().width())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.resized.emit()
        return done

    def current_table(self) -> CellTable | None:
        """Return the table that was focused last, if it still exists."""
        table = table_with_the_keys()
        if table is not None and self._is_own(table):
            return table
        selection = self._edits.cursor.selection
        return None if selection is None else self.table(selection.table)

    def light(self, name: str, rows: tuple[int, ...]) -> None:
        """Frame rows of a matrix, and their tokens.

        Parameters
        ----------
        name : str
            The matrix.
        rows : tuple of int
            Its rows that are linked to what is hovered elsewhere.
        """
        panel = self._panels.get(name)
        for table in panel.tables if panel is not None else ():
            table.light(rows)

    def table(self, name: str) -> CellTable | None:
        """Return the table of a matrix, or of ``tokens``, if it is shown."""
        return next((table for table in self._tables() if table.name == name), None)

    def _tables(self) -> list[CellTable]:
        own = (table for panel in self._panels.values() for table in panel.tables)
        return [*own, *self.borrowed.tables]

    def _is_own(self, table: CellTable) -> bool:
        return self.isAncestorOf(table) or table in self.borrowed

    def find_bar(self, sequence: SequenceName) -> FindBar | None:
        """Return the find bar of a sequence that is shown, made if need be."""
        together = together_with(self._document, sequence)
        panel = next((self._panels.get(name) for name in together), None)
        if not isinstance(panel, MatrixPanel):
            return None
        bar = panel.find_bar()
        self._order_tabs()  # the bar may be new
        return bar

    @property
    def is_editing(self) -> bool:
        """Whether something is being typed, or was refused."""
        return any(table.editors for table in self._tables())

    def commit_editors(self) -> bool:
        """Commit what is being typed; return whether no text was refused."""
        return not [table for table in self._tables() if not table.commit_editors()]

    def show_refused(self) -> None:
        """Bring a refused text to the front, with its reason and the focus."""
        editors = (editor for table in self._tables() for editor in table.editors)
        editor = next((editor for editor in editors if editor.refused), None)
        if editor is not None:
            panels = self._panels.items()
            fronts = (n for n, panel in panels if panel.isAncestorOf(editor))
            for front in fronts:
                self._tabs.bring_forward(front)
            editor.setFocus()
            self._reason.say(editor.accessibleDescription(), global_rect(editor))

    def set_document(self, document: Document) -> None:
        """Show another document from now on."""
        self.release()
        self._document = document
        self._reason.clear()
        for name in self._match_panels():
            self._panels[name].set_document(document)
        self.look.set_document(document)
        self._show_summary()
        document.changed.connect(self._on_changed)

    def release(self) -> None:
        """Stop listening to the document."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)

    def _on_changed(self, change: Change) -> None:
        if change.matrix is not None:
            panel = self._panels.get(change.matrix)
            if panel is not None:
                panel.follow(change)
            return
        stayed = self._match_panels()
        for name in stayed:
            self._panels[name].follow(change)
        # Panels that an edit added are what the user wants to see.
        for name in (name for name in self._panels if name not in stayed):
            self._tabs.bring_forward(name)
        self._show_summary()

    def _match_panels(self) -> list[str]:
        """Remove and add panels; return the names of those that stayed."""
        names = self._names()
        for name in [n for n in self._panels if n not in names or self._is_other(n)]:
            # An open editor is deleted with its table, and its reason with it.
            self._reason.clear()
            self.borrowed.drop(name)
            panel = self._panels.pop(name)
            panel.hide()
            panel.deleteLater()
        stayed = list(self._panels)
        for index, name in enumerate(names):
            if name not in self._panels:
                self._add_panel(index, name)
        self._tabs.set_panels({n: self._panels[n] for n in names if n in TABBED})
        for name, panel in self._panels.items():
            above = _TOGETHER if name.startswith("b_") else _APART
            if name in TABBED:
                above = _TOGETHER if self._tabs.count() > 1 else 0
            panel.setContentsMargins(0, above, 0, 0)
        if len(stayed) < len(names):
            self._order_tabs()
        return stayed

    def _is_other(self, name: str) -> bool:
        """Return whether tokens must be added beside a matrix, or removed."""
        panel = self._panels[name]
        wanted = bears_tokens(self._document, name)
        return isinstance(panel, MatrixPanel) and panel.bears_tokens != wanted

    def _names(self) -> list[str]:
        """Return the inputs to show, those in tabs first, including any mask."""
        spec = self._document.spec
        names = {*spec.input_names, *([MASK] if spec.masked else [])}
        below = [name for name in spec.input_names if name not in TABBED]
        return [*(name for name in TABBED if name in names), *below]

    def _add_panel(self, index: int, name: str) -> None:
        shared = self._document, self._edits
        panel = (
            MaskPanel(*shared, self._reason, self._content)
            if name == MASK
            else MatrixPanel(*shared, name, self._reason, self.fills, self._content)
        )
        for table in panel.tables:
            table.current_moved.connect(self._scroll_to_cell)
            self._watch(table)
        self._panels[name] = panel
        self._column.insertWidget(index + 1, panel)

    def _watch(self, table: CellTable) -> None:
        table.block_selected.connect(self._follow_selection)
        table.set_look(self.look)
        self._cell_status.watch(table)
        self._statistics.watch(table)
        table.menu_wanted.connect(self.commands.show_menu)

    def _order_tabs(self) -> None:
        stops: list[QWidget] = [self._tabs]
        for name in self._names():
            panel = self._panels[name]
            stops += [*panel.controls, *panel.tables]
        chain_tabs(stops)

    @Slot()
    def _turn_on(self) -> None:
        self._turn(1)

    @Slot()
    def _turn_back(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        if self._tabs.count() > 1:
            self._tabs.turn(by)
            front = self._panels[self._tabs.front]
            front.tables[-1].setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(QWidget)
    def _scroll_to_cell(self, table: CellTable) -> None:
        if not table.hasFocus():
            return
        cell = table.visualRect(table.currentIndex())
        centre = table.viewport().mapTo(self._content, cell.center())
        self._scroll.ensureVisible(centre.x(), centre.y(), 0, 2 * cell.height())

    @Slot(QWidget)
    def _follow_selection(self, table: CellTable) -> None:
        block = table.selected_block()
        if table.hasFocus() and block is not None:
            self._edits.cursor.move(InputSelection(table.name, block))

    @Slot(object)
    def _go(self, selection: InputSelection) -> None:
        table = self.table(selection.table)
        if table is not None:
            panels = self._panels.items()
            self._tabs.bring_forward(next(n for n, p in panels if table in p.tables))
            table.select_block(selection.block)

    @Slot(object)
    def enter(self, selection: InputSelection) -> None:
        """Scroll to a place and focus it, if its table is shown."""
        self._go(selection)
        table = self.table(selection.table)
        if table is not None and table.isVisible():
            table.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll_to_cell(table)

    @Slot(str, str)
    def _refuse(self, reason: str, matrix: str) -> None:
        self._tabs.bring_forward(matrix)
        self._reason.say(reason, global_rect(self.table(matrix) or self._summary))

    def _heading(self) -> QWidget:
        heading = QWidget(self)
        title = QLabel(self.tr("Inputs"), heading)
        title.setProperty("heading", True)
        row = QHBoxLayout(heading)
        row.setContentsMargins(12, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(title)
        row.addWidget(self._summary, 1)
        return heading

    def _show_summary(self) -> None:
        document, tokens = self._document, len(self._document.tokens)
        dimensions = Dimensions.of(document)
        texts = [how_many_tokens(tokens)]
        if dimensions.d_model is not None:
            texts.append(f"d_model {dimensions.d_model}")
        scored = document.spec.variant == "given_scores"
        if scored:
            texts.append(f"d_v {dimensions.d_v}")
        elif document.spec.variant != "simplified":
            d_k, d_v = dimensions.d_k, dimensions.d_v
            texts += [f"d_k {d_k}"] if d_k == d_v else [f"d_k {d_k}", f"d_v {d_v}"]
        if dimensions.n_heads > 1:
            heads = self.tr("{count} heads")
            if dimensions.n_kv_heads < dimensions.n_heads and not scored:
                heads = self.tr("{count} heads, {shared} key/value")
            shared = dimensions.n_kv_heads
            texts.append(heads.format(count=dimensions.n_heads, shared=shared))
        self._summary.set_summary(" · ".join(texts))
