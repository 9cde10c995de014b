"""A summary of the row of the selected cell."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import Cell
from attnviewer.document import distinct_label
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.text.concepts import STATISTICS, tip, what_is
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.views.explain.row_summary import STATISTICS_OF_ROW, row_summary
from attnviewer.ui.widgets.labels import heading, plain_box
from attnviewer.ui.widgets.tool_tips import plain_tip


class RowBox(QWidget):
    """Summarises the row of a cell; hidden for steps that are not queries × keys.

    Attributes
    ----------
    box : Box
        Holds the text.
    """

    def __init__(self) -> None:
        super().__init__()
        concepts = [STATISTICS[name] for name in STATISTICS_OF_ROW]
        self._title = heading("explain.row.title")
        self._title.setToolTip(plain_tip(tip(concepts)))
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
        lines: list[str] = []
        if cell is not None:
            lines = row_summary(computed.trace, computed.labels, cell)
        if cell is not None and lines:
            query = cell.index[-2]
            token = distinct_label("queries", computed.labels, query, token_label)
            self._title.setText(self.tr("Row {0}").format(quoted(token)))
            self.box.setText("\n".join(lines))
            self.box.setAccessibleDescription(self.box.text())
        self.setVisible(bool(lines))
