"""A summary of the row of the selected cell."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import Cell, Folding, Trace
from attnviewer.document import distinct_label
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.text.concepts import STATISTICS, tip, what_is
from attnviewer.ui.text.folding import what_groups_count
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.views.explain.row_summary import (
    STATISTICS_OF_ROW,
    folded_summary,
    row_summary,
)
from attnviewer.ui.widgets.labels import heading, plain_box
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.ui.state.folds import FoldModel


class RowBox(QWidget):
    """Summarises the row of a cell; hidden for steps that are not queries × keys.

    Attributes
    ----------
    box : Box
        Holds the text.
    folds : FoldModel or None
        Which groups are folded; None for none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folds: FoldModel | None = None
        concepts = [STATISTICS[name] for name in STATISTICS_OF_ROW]
        self._title = heading("explain.row.title")
        self.box = plain_box("explain.row")
        self.box.setWhatsThis(what_is(self.tr("Row"), *concepts))
        self.box.setAccessibleName(self.tr("Row statistics"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self.box)

    def refresh(self, computed: Computed, cell: Cell | None) -> None:
        """Summarise the row of a cell; None for no cell."""
        title, lines = "", list[str]()
        folding = None if cell is None else self._folding(computed.trace, cell)
        if cell is not None and folding is not None:
            assert self.folds is not None
            title, lines = folded_summary(computed, self.folds.current, folding, cell)
        elif cell is not None:
            lines = row_summary(computed.trace, computed.labels, cell)
            if lines:
                query = cell.index[-2]
                title = distinct_label("queries", computed.labels, query, token_label)
        if lines:
            self._title.setText(self.tr("Row {0}").format(quoted(title)))
            tips = [tip([STATISTICS[name] for name in STATISTICS_OF_ROW])]
            tips += [] if folding is None else [what_groups_count(folding)]
            self._title.setToolTip(plain_tip("\n".join(tips)))
            self.box.setText("\n".join(lines))
            self.box.setAccessibleDescription(self.box.text())
        self.setVisible(bool(lines))

    def _folding(self, trace: Trace, cell: Cell) -> Folding | None:
        """Return how the rows of a cell's step are shown folded; None if not."""
        if self.folds is None or cell.step != STEP_OF_ALL:
            return None
        rows, columns = trace.matrix_shape(cell.step)
        return self.folds.current.folding((rows, columns))
