"""The heads with most weight on one cell."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.compute import HeadLocation
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.numbers import format_number, full_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.head_atlas.weight_survey import WeightSurvey
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads

SAME = 5
"""How many heads are listed."""
DECIMALS = 2


class SameHeads(QWidget):
    """Lists the heads with most weight on the selected cell, strongest first.

    Attributes
    ----------
    list : LinkList
        The heads.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._asked: object = None
        self._here: HeadLocation | None = None
        self._survey: WeightSurvey | None = None
        self._cell = QLabel(self)
        self._cell.setObjectName("atlas.cell")
        self._cell.setTextFormat(Qt.TextFormat.PlainText)
        measure = ElidedLabel("atlas.measure", Qt.TextElideMode.ElideRight)
        measure.setText(self.tr("weight"))
        self.list = LinkList(2, wide=1)
        self.list.setObjectName("atlas.same")
        self.list.setAccessibleName(self.tr("Heads with most weight on this cell"))
        self.list.setAccessibleDescription(self.tr("Enter opens the head."))
        self.list.be_as_high_as_rows(SAME)
        heading = QHBoxLayout()
        heading.addWidget(self._cell)
        heading.addWidget(measure, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(heading)
        column.addWidget(self.list)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read_some)

    def show_cell(
        self,
        heads: "ModelHeads | None",
        cell: Position | None,
        here: HeadLocation | None,
    ) -> None:
        """Show the heads of a cell.

        Parameters
        ----------
        heads : ModelHeads or None
            All heads.
        cell : tuple of two int or None
            Query and key.
        here : HeadLocation or None
            The chosen head.
        """
        self._here = here
        inside = heads is not None and cell is not None
        if inside:
            assert heads is not None
            assert cell is not None
            inside = cell[0] < len(heads.tokens) and cell[1] < len(heads.key_tokens)
        self.setVisible(inside)
        if not inside or (heads, cell) == self._asked:
            self._mark()
            return
        assert heads is not None
        assert cell is not None
        self._asked = heads, cell
        query, key = heads.tokens[cell[0]], heads.key_tokens[cell[1]]
        self._cell.setText(f"{token_label(query)} → {token_label(key)}")
        self._survey = WeightSurvey(heads, cell)
        self._soon.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._soon.stop()
        self._asked = None

    @Slot()
    def _read_some(self) -> None:
        if self._survey is None:
            return
        if run_for(SLICE_SECONDS, self._survey.advance):
            self._soon.start()
        else:
            self._mark()

    def _mark(self) -> None:
        """List the heads, the chosen one in bold."""
        if self._survey is None or self._soon.isActive():
            return
        found = self._survey.strongest(SAME)
        most = max((weight for _, weight in found), default=0.0)
        rows = []
        for location, weight in found:
            tip = f"{location.name}: {full_number(weight)}"
            share = max(weight, 0.0) / most if most > 0 else 0.0
            bold = location == self._here
            name = Cell(location.name, tip, color="link", bold=bold)
            number = Cell(format_number(weight, DECIMALS), tip, share, bold=bold)
            rows.append(Row(location, (name, number)))
        self.list.show_rows(rows)
