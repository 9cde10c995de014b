"""A heatmap of a step whose groups of tokens can be folded."""

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array
from attnviewer.ui.paint.folded_content import grouped_content
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.views.step.heatmap.description import words_of_cell
from attnviewer.ui.views.step.heatmap.heatmap import Heatmap
from attnviewer.ui.views.step.heatmap.minimap import Minimap
from attnviewer.ui.widgets.tool_tips import plain_tip


class GroupedHeatmap(Heatmap):
    """Shows a step with its groups of tokens; a folded group is a single line.

    Cells, rows and columns are those of the step. A cell that combines several stands
    for the first of them.

    Attributes
    ----------
    group_toggled : Signal
        A group is to be folded or opened: ``queries`` or ``keys``, and the group.
    fold_wanted : Signal
        The groups of the selected cell are to be folded or opened, by the key G.
    group_wanted : Signal
        The marked tokens are to be grouped, by Shift+G.
    minimap : Minimap
        The whole in a corner; hidden unless it is wanted.
    """

    group_toggled = Signal(str, object)
    fold_wanted = Signal()
    group_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        self._lines = FoldedLines()
        self._chosen: Position | None = None
        self._marked = self._cached = Marked()
        super().__init__(parent)
        self.groups.toggled.connect(self.group_toggled)
        self.minimap = Minimap(self)

    def content_of(self, shown: DisplayedStep) -> StepContent:
        """Return what is to be shown of a step, with its groups."""
        return grouped_content(shown)

    def show_content(self, content: StepContent, theme: Theme) -> None:
        """Show a step; the zoom is reset if the shape changes."""
        before = None if self._content is None else self._content.folding
        self._lines = FoldedLines(content.folding)
        super().show_content(content, theme)
        if content.folding != before:
            super().choose(self._lines.shown(self._chosen))
            super().mark(self._lines.shown_marks(self._marked))
        self._show_cached()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell."""
        self._chosen = cell
        super().choose(self._lines.shown(cell))
        self.minimap.follow()

    def mark(self, marked: Marked) -> None:
        """Show which rows and columns are marked."""
        self._marked = marked
        super().mark(self._lines.shown_marks(marked))

    def mark_cached(self, cached: Marked) -> None:
        """Underline the keys that a query has from the cache, and its row."""
        self._cached = cached
        self._show_cached()

    def _show_cached(self) -> None:
        content, cached = self._content, Marked()
        if content is not None and content.axes == ("queries", "keys"):
            cached = self._lines.shown_marks(self._cached).within(content.shape)
        self.marks.set_cached(cached)
        self.columns.set_cached(cached.columns)
        self.footer.set_cached(cached=bool(cached))

    def light_shown(self, linked: Linked) -> None:
        """Highlight the rows and columns that show those of the step."""
        super().light_shown(self._lines.shown_links(linked))

    def cell_at(self, position: QPointF) -> Position | None:
        """Return the cell at a position in the viewport."""
        return self._lines.of_step(self.shown_at(position))

    def cell_rect(self, cell: Position) -> QRectF:
        """Return the rectangle of a cell in the viewport."""
        shown = self._lines.shown(cell)
        assert shown is not None
        return super().cell_rect(shown)

    def bring_into_sight(self, cell: Position) -> None:
        """Move the view so that a cell is in it."""
        shown = self._lines.shown(cell)
        assert shown is not None
        self.box.bring_into_sight(shown)

    def reveal(self, cell: Position) -> None:
        """Move and zoom the view so that a cell can be read."""
        shown = self._lines.shown(cell)
        assert shown is not None
        self.box.reveal(shown)

    def show_profiles(self, shown: bool) -> None:
        """Show the row and the column of a cell as curves beside a large matrix."""
        self.profiles.set_wanted(shown)
        self.rearrange()

    @property
    def is_folded(self) -> bool:
        """Whether any group is folded."""
        return self._content is not None and self._content.folding is not None

    def combines(self, cell: Position) -> bool:
        """Return whether a cell is shown with others, as one number."""
        shown = self._lines.shown(cell)
        return shown is not None and self._lines.combines(shown)

    def combined_block(self) -> Array | None:
        """Return what is marked, or else selected, as it is shown with folded groups.

        None if all groups are open, or nothing is marked or selected.
        """
        content = self._content
        if content is None or content.folding is None:
            return None
        marked = self._lines.shown_marks(self._marked)
        cell = self._lines.shown(self._chosen)
        if marked:
            rows, columns = sorted(marked.rows), sorted(marked.columns)
        elif cell is not None:
            rows, columns = [cell[0]], [cell[1]]
        else:
            return None
        values = content.matrix.window()  # (rows, columns)
        values = values[rows] if rows else values
        return values[:, columns] if columns else values

    def keyPressEvent(self, event: QKeyEvent) -> None:
        content = self._content
        of_weights = content is not None and content.step == "weights"
        of_groups = event.key() == Qt.Key.Key_G
        if of_groups and event.modifiers() == Qt.KeyboardModifier.ShiftModifier:
            self.group_wanted.emit()
        elif of_groups and of_weights and self._chosen and not event.modifiers():
            self.fold_wanted.emit()
        else:
            super().keyPressEvent(event)

    @Slot(object)
    def choose_shown(self, cell: Position | None) -> None:
        """Emit that a cell was chosen, as it is shown."""
        super().choose_shown(self._lines.of_step(cell))

    def hover_shown(self, cell: Position | None) -> None:
        """Emit that the pointer is over another cell, as it is shown.

        A number that combines several is shown in a tool tip, as it is that of no cell.
        """
        combined = cell is not None and self._lines.combines(cell)
        tip = ""
        if combined and cell is not None and self._content is not None:
            tip = words_of_cell(self._content, cell)
        self.viewport().setToolTip(plain_tip(tip))
        super().hover_shown(None if combined else self._lines.of_step(cell))

    @Slot(object)
    def choose_marks(self, marked: Marked) -> None:
        """Emit that other rows and columns were marked, as they are shown."""
        super().choose_marks(self._lines.marks_of_step(marked))
