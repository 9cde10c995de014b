"""The Explain dock: the selected cell as a formula with its own numbers."""

from html import escape

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Cell, Formula, Trace
from attnviewer.document import cell_name, distinct_label
from attnviewer.ui.elided_label import ElidedLabel
from attnviewer.ui.engine import Computed, Engine
from attnviewer.ui.explain.formula_html import (
    brief_html,
    cell_of,
    formula_html,
    formula_text,
    given_html,
)
from attnviewer.ui.explain.labels import heading, note, plain_box
from attnviewer.ui.explain.row_summary import row_summary
from attnviewer.ui.heads import own_head, query_head
from attnviewer.ui.selection import SelectionModel
from attnviewer.ui.theme import Appearance
from attnviewer.ui.tokens import token_label

SOURCES = 6
"""How many of the cells behind a number are written out."""
SOURCE_TERMS = 4
"""How many terms their sums may have."""


class ExplainPanel(QWidget):
    """Explains the selected cell; every number in it leads to its own cell.

    Attributes
    ----------
    heading : QWidget
        Which cell is explained, in one line.
    """

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("explain")
        # Without it, a plain widget leaves its background to what lies behind.
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Explain"))
        self._engine = engine
        self._selection = selection
        self._appearance = appearance
        self._name = ElidedLabel("explain.cell")
        self._formula = self._box("explain.formula")
        self._sources_title = heading("explain.sources")
        self._sources_title.setText(self.tr("Where it comes from"))
        self._sources = [self._box(f"explain.source.{k}") for k in range(SOURCES)]
        self._given = note("explain.given")
        self._row_title = heading("explain.row.title")
        self._row = plain_box("explain.row")
        self._lay_out()
        engine.computed.connect(self._on_computed)
        selection.cell_changed.connect(self._on_cell)
        selection.head_changed.connect(self._on_head)
        appearance.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Explain the selected cell with the newest numbers."""
        computed = self._engine.current
        cell = self._selected_cell(computed.trace)
        if cell is None:
            self._show_hint()
        else:
            self._show_cell(computed, cell)

    def _selected_cell(self, trace: Trace) -> Cell | None:
        step, position = self._selection.step, self._selection.cell
        if position is None or step not in trace:
            return None
        *heads, rows, columns = trace.shape(step)
        if position[0] >= rows or position[1] >= columns:
            return None
        head = (own_head(trace, step, self._selection.head),) if heads else ()
        return Cell(step, (*head, *position))

    def _show_hint(self) -> None:
        hint = self.tr(
            "Click a cell of the heatmap to see where its number comes from."
        )
        self._name.setText("")
        self._formula.setText(
            f'<span style="color: {self._appearance.theme.muted}">{escape(hint)}</span>'
        )
        self._formula.setAccessibleDescription(hint)
        for widget in (self._sources_title, *self._sources, self._given):
            widget.hide()
        self._row_title.hide()
        self._row.hide()

    def _show_cell(self, computed: Computed, cell: Cell) -> None:
        trace, name = computed.trace, _name_of(computed, cell)
        formula = trace.explain(cell.step, cell.index)
        self._name.setText(name)
        if trace.stages[cell.step].inputs:
            html = formula_html(formula, self._appearance.theme)
            description = formula_text(name, formula)
        else:
            hint = self.tr("given: edit it in the table on the left")
            html = given_html(name, formula.value, hint, self._appearance.theme)
            description = f"{formula_text(name, formula)}. {hint}"
        self._formula.setText(html)
        self._formula.setAccessibleDescription(description)
        self._show_sources(computed, formula)
        self._show_row(computed, cell)

    def _show_sources(self, computed: Computed, formula: Formula) -> None:
        trace = computed.trace
        cells = formula.cells
        computed_cells = [c for c in cells if trace.stages[c.step].inputs]
        given = list(dict.fromkeys(c.step for c in cells if c not in computed_cells))
        for box, cell in zip(self._sources, computed_cells, strict=False):
            name = _name_of(computed, cell)
            source = trace.explain(cell.step, cell.index, limit=SOURCE_TERMS)
            box.setText(brief_html(name, source, self._appearance.theme))
            box.setAccessibleDescription(formula_text(name, source))
            box.show()
        for box in self._sources[len(computed_cells) :]:
            box.hide()
        self._show_given(given, len(computed_cells) - len(self._sources))
        self._sources_title.setVisible(bool(cells))

    def _show_given(self, given: list[str], more: int) -> None:
        """Say in words what of the sources has no box."""
        sentences = []
        if more > 0:
            sentences.append(self.tr("… and {0} more, linked above.").format(more))
        if given:
            names = self.tr(" and ").join(given)
            text = self.tr("{0}: given, edit in the tables on the left.")
            sentences.append(text.format(names))
        self._given.setText("\n".join(sentences))
        self._given.setVisible(bool(sentences))

    def _show_row(self, computed: Computed, cell: Cell) -> None:
        lines = row_summary(computed.trace, computed.labels, cell)
        if lines:
            token = distinct_label(
                "queries", computed.labels, cell.index[-2], token_label
            )
            self._row_title.setText(self.tr("Row “{0}”").format(token))
            self._row.setText("\n".join(lines))
            self._row.setAccessibleDescription(self._row.text())
        self._row_title.setVisible(bool(lines))
        self._row.setVisible(bool(lines))

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self.refresh()

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: object) -> None:
        self.refresh()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self.refresh()

    @Slot(str)
    def _follow(self, href: str) -> None:
        cell = cell_of(href)
        *head, row, column = cell.index
        if head:
            trace, present = self._engine.current.trace, self._selection.head
            served = query_head(trace, cell.step, head[0], present)
            self._selection.choose_head(served)
        self._selection.choose_cell(cell.step, (row, column))

    def _box(self, name: str) -> QLabel:
        box = plain_box(name)
        box.setTextFormat(Qt.TextFormat.RichText)
        box.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        # Queued: following a link gives this label a new text, which must not
        # happen inside the label's own mouse event.
        box.linkActivated.connect(self._follow, Qt.ConnectionType.QueuedConnection)
        return box

    def _lay_out(self) -> None:
        title = heading("explain.title")
        title.setText(self.tr("Explain"))
        self._formula.setAccessibleName(self.tr("Formula of the selected cell"))
        for box in self._sources:
            box.setAccessibleName(self.tr("Formula of a number above"))
        self._row.setAccessibleName(self.tr("Row statistics"))
        self.heading = QWidget(self)
        header = QHBoxLayout(self.heading)
        header.setSpacing(12)
        header.addWidget(title)
        header.addWidget(self._name, 1)
        content = QWidget()
        boxes = QVBoxLayout(content)
        boxes.setContentsMargins(12, 0, 12, 12)
        boxes.setSpacing(8)
        boxes.addWidget(self._formula)
        boxes.addSpacing(2)
        for widget in (self._sources_title, *self._sources, self._given):
            boxes.addWidget(widget)
        boxes.addWidget(self._row_title)
        boxes.addWidget(self._row)
        boxes.addStretch(1)
        scroll = QScrollArea()
        scroll.setObjectName("explain.scroll")
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        header.setContentsMargins(12, 0, 4, 0)
        layout.addWidget(self.heading)
        layout.addWidget(scroll, 1)


def _name_of(computed: Computed, cell: Cell) -> str:
    stage = computed.trace.stages[cell.step]
    return cell_name(stage, computed.labels, cell.index, token_label)
