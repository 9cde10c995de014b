"""A summary of the row of the selected cell."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import Cell, Folding, Trace
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.text.concepts import STATISTICS, tip, what_is
from attnviewer.ui.text.folding import what_groups_count
from attnviewer.ui.text.tokens import quoted
from attnviewer.ui.views.explain.row_summary import (
    STATISTICS_OF_ROW,
    RowSummary,
    folded_summary,
    row_summary,
)
from attnviewer.ui.widgets.labels import heading
from attnviewer.ui.widgets.link_box import link_box
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.ui.state.folds import FoldModel


class RowBox(QWidget):
    """Summarises the row of a cell; hidden for steps that are not queries × keys.

    Attributes
    ----------
    box : LinkBox
        Holds the statistics, and links to the largest cells.
    folds : FoldModel or None
        Which groups are folded; None for none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folds: FoldModel | None = None
        concepts = [STATISTICS[name] for name in STATISTICS_OF_ROW]
        self._title = heading("explain.row.title")
        self.box = link_box("explain.row")
        self.box.setWhatsThis(what_is(self.tr("Row"), *concepts))
        self.box.setAccessibleName(self.tr("Row statistics"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self.box)

    def refresh(self, computed: Computed, cell: Cell | None, theme: Theme) -> None:
        """Summarise the row of a cell; None for no cell."""
        summary, folding = None, None
        if cell is not None:
            folding = self._folding(computed.trace, cell)
            summary = self._summary(computed, cell, folding)
        lines = [] if summary is None else list(summary.lines(theme))
        if summary is not None and lines:
            self._title.setText(self.tr("Row {0}").format(quoted(summary.title)))
            tips = [tip([STATISTICS[name] for name in STATISTICS_OF_ROW])]
            tips += [] if folding is None else [what_groups_count(folding)]
            self._title.setToolTip(plain_tip("\n".join(tips)))
            self.box.show_lines(lines)
            self.box.describe(self.box.text)
        self.setVisible(bool(lines))

    def _summary(
        self, computed: Computed, cell: Cell, folding: Folding | None
    ) -> RowSummary | None:
        if folding is None:
            return row_summary(computed.trace, computed.labels, cell)
        assert self.folds is not None
        return folded_summary(computed, self.folds.current, folding, cell)

    def _folding(self, trace: Trace, cell: Cell) -> Folding | None:
        """Return how the rows of a cell's step are shown folded; None if not."""
        if self.folds is None or cell.step != STEP_OF_ALL:
            return None
        rows, columns = trace.matrix_shape(cell.step)
        return self.folds.current.folding((rows, columns))
