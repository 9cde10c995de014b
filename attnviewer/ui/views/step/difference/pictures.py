"""One picture of a comparison, or A and B side by side."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folds import Side
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.text.tokens import token_line
from attnviewer.ui.views.step.difference.both_sides import both_numbers
from attnviewer.ui.views.step.difference.content import Sides
from attnviewer.ui.views.step.difference.index_mapping import IndexMapping
from attnviewer.ui.views.step.difference.side_statistics import SideStatistics
from attnviewer.ui.views.step.heatmap import GroupedHeatmap
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.tool_tips import plain_tip

LOW = 16
"""Height in lines of text below which A and B have no statistics below them."""
MOST_TOKENS = 64
"""The most tokens in a title; longer ones are elided in the middle."""


class Pictures(QWidget):
    """Shows B or a difference, or A beside B.

    Selection, marks and hovering are mirrored from one to the other, as far as their
    tokens match.

    Attributes
    ----------
    heatmap : Heatmap
        B, or the only picture.
    other : Heatmap
        A; hidden where there is one picture.
    statistics : SideStatistics
        The statistics of both heads.
    cell_chosen : Signal
        The user selected a cell of A: that of B which belongs to it, or None.
    """

    cell_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("difference.pictures")
        self.heatmap, self.other = GroupedHeatmap(self), GroupedHeatmap(self)
        self.heatmap.setObjectName("difference.heatmap")
        self.heatmap.setAccessibleName(self.tr("Difference"))
        self.other.setObjectName("difference.other")
        self.other.setAccessibleName(self.tr("A, which B is compared with"))
        self._titles = (
            ElidedLabel("difference.title.a"),
            ElidedLabel("difference.title.b"),
        )
        self.cell = QLabel(self)
        self.cell.setObjectName("difference.cell")
        self.cell.setTextFormat(Qt.TextFormat.PlainText)
        self.statistics = SideStatistics(self)
        self._mapping, self._back = IndexMapping({}, {}), IndexMapping({}, {})
        self._sides: Sides | None = None
        self._chosen: Position | None = None
        self._marked = Marked()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for column, (title, picture) in enumerate(
            zip(self._titles, (self.other, self.heatmap), strict=True)
        ):
            title.setAlignment(Qt.AlignmentFlag.AlignLeft)
            title.setContentsMargins(16, 4, 16, 0)
            layout.addWidget(title, 0, column)
            layout.addWidget(picture, 1, column)
            layout.setColumnStretch(column, 1)
        layout.setRowStretch(1, 1)
        for row, label in enumerate((self.cell, self.statistics), start=2):
            label.setContentsMargins(16, 2, 16, 2)
            label.setWordWrap(True)
            layout.addWidget(label, row, 0, 1, 2)
        self._alone(True)
        self.statistics.told.connect(self._on_told)
        self.heatmap.lit.connect(self._on_lit)
        self.other.cell_hovered.connect(self._on_other_hovered)
        self.other.cell_chosen.connect(self._on_other_chosen)
        self.other.marks_chosen.connect(self._on_other_marked)
        self.other.look_chosen.connect(self.heatmap.look_chosen)
        self.other.group_toggled.connect(self._on_other_toggled)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def show_one(self, content: StepContent, theme: Theme) -> None:
        """Show one picture alone."""
        self._sides = None
        self._alone(True)
        self.other.forget()
        self.statistics.forget()
        self.heatmap.show_content(content, theme)

    def show_sides(
        self,
        sides: Sides,
        mapping: IndexMapping,
        tokens: Sequence[Sequence[str]],
        theme: Theme,
    ) -> None:
        """Show A and B.

        Parameters
        ----------
        sides : Sides
            Both.
        mapping : IndexMapping
            The mapping between the rows and columns of A and B.
        tokens : sequence of two sequences of str
            The tokens of A and of B, for their titles.
        theme : Theme
            The current theme.
        """
        self._sides, self._mapping, self._back = sides, mapping, mapping.back
        self._alone(False)
        for name, title, sentence in zip("AB", self._titles, tokens, strict=True):
            title.setText(f"{name}: {_sentence(sentence)}")
        self.other.show_content(sides.before, theme)
        self.heatmap.show_content(sides.after, theme)
        self.other.choose(self._mapping.cell(self._chosen))
        self.other.mark(self._mapping.marked(self._marked))
        self._describe_cell(self._chosen)

    def forget(self) -> None:
        """Drop the numbers; keep the zoom."""
        self._sides = None
        self.cell.clear()
        self.statistics.forget()
        for picture in (self.heatmap, self.other):
            picture.forget()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell of B."""
        self._chosen = cell
        self.heatmap.choose(cell)
        if self._sides is not None:
            self.other.choose(self._mapping.cell(cell))
            self._describe_cell(cell)

    def mark(self, marked: Marked) -> None:
        """Show which rows and columns are marked in A, as they are in B."""
        self._marked = marked
        if self._sides is not None:
            self.other.mark(self._mapping.marked(marked))

    def _alone(self, alone: bool) -> None:
        for widget in (self.other, *self._titles, self.cell):
            widget.setVisible(not alone)
        self._make_room()
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        layout.setColumnStretch(0, 0 if alone else 1)

    def _make_room(self) -> None:
        """Leave the pictures the height of the statistics where there is little."""
        low = self.height() < LOW * usual_line(self.font())
        self.statistics.setHidden(low or self.other.isHidden())

    @Slot(str)
    def _on_told(self, statistics: str) -> None:
        # Where there is little height, they are told here alone.
        self.cell.setToolTip(plain_tip(statistics))

    def _describe_cell(
        self, cell: Position | None, other: Position | None = None
    ) -> None:
        """Describe both sides of a cell of B, or of A."""
        if self._sides is None:
            return
        if other is None:
            other = self._mapping.cell(cell)
        self.cell.setText(both_numbers(self._sides, other, cell))

    @Slot(object)
    def _on_lit(self, linked: Linked) -> None:
        if self._sides is None:
            return
        self.other.light(self._mapping.linked(linked))
        whole = len(linked.rows) == len(linked.columns) == 1
        cell = (linked.rows[0], linked.columns[0]) if whole else self._chosen
        self._describe_cell(cell)

    @Slot(str, object)
    def _on_other_toggled(self, side: Side, group: TokenGroup) -> None:
        """Fold or open a group in B as well, unless B has other tokens there."""
        if self._sides is not None:
            rows, columns = self._sides.after.brackets
            own = rows if side == "queries" else columns
            if any(bracket.group == group for bracket in own):
                self.heatmap.group_toggled.emit(side, group)

    @Slot(object)
    def _on_other_hovered(self, cell: Position | None) -> None:
        here = Linked() if cell is None else Linked((cell[0],), (cell[1],))
        self.heatmap.light(self._back.linked(here))
        # Afterwards, as cells that B lacks are still highlighted in A.
        self.other.light(here)
        if cell is None:
            self._describe_cell(self._chosen)
        else:
            self._describe_cell(self._back.cell(cell), cell)

    @Slot(object)
    def _on_other_chosen(self, cell: Position | None) -> None:
        self.cell_chosen.emit(self._back.cell(cell))
        # Even a cell that B lacks: the arrow keys continue from there.
        self.other.choose(cell)
        self._describe_cell(self._back.cell(cell), cell)

    @Slot(object)
    def _on_other_marked(self, marked: Marked) -> None:
        self.heatmap.marks_chosen.emit(self._back.marked(marked))
        self.other.mark(marked)


def _sentence(tokens: Sequence[str]) -> str:
    half = MOST_TOKENS // 2
    if len(tokens) > MOST_TOKENS:
        tokens = [*tokens[:half], "…", *tokens[-half:]]
    return " ".join(map(token_line, tokens))
