"""An input cell: its uses, and its effect on the selected cell."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.compute import Cell, used_by
from attnviewer.compute.number_text import rounded
from attnviewer.document import cell_name
from attnviewer.document.drawing.draws import DrawnCell, drawn_cell
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.math import prose
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.state.sensitivity import Sensitivity, cell_there
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.explain.influence import gradient_text, use_text, uses_line
from attnviewer.ui.widgets.labels import heading
from attnviewer.ui.widgets.link_box import link_box


class InputBox(QWidget):
    """Describes the selected input cell, or else the current one of the tables.

    Attributes
    ----------
    box : Box
        Holds the links.
    """

    def __init__(
        self,
        engine: Engine,
        selection: SelectionModel,
        edits: EditStack,
        sensitivity: Sensitivity,
        appearance: Appearance,
    ) -> None:
        super().__init__()
        self._selection = selection
        self._edits = edits
        self._sensitivity = sensitivity
        self._appearance = appearance
        self._title = heading("explain.input.title")
        self.box = link_box("explain.input")
        self.box.setAccessibleName(self.tr("The input cell"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self.box)

    def refresh(self, computed: Computed, selected: Cell | None) -> None:
        """Describe a selected input cell; None for the current one of the tables."""
        cell = self._at_cursor(computed) if selected is None else selected
        self.setVisible(cell is not None)
        if cell is not None:
            self._show(computed, cell)

    def _at_cursor(self, computed: Computed) -> Cell | None:
        selection, trace = self._edits.cursor.selection, computed.trace
        if (
            selection is None
            or selection.table not in trace
            or trace.stages[selection.table].inputs
        ):
            return None
        at = selection.block.row, selection.block.column
        return cell_there(trace, selection.table, at, self._selection.head)

    def _show(self, computed: Computed, cell: Cell) -> None:
        trace, labels, theme = computed.trace, computed.labels, self._appearance.theme
        name = cell_name(trace.stages[cell.step], labels, cell.index, token_label)
        uses = used_by(trace, cell)
        target = self._sensitivity.target
        descriptions = self._descriptions(computed, cell)
        self._title.setText(self.tr("Input {cell}").format(cell=name))
        used = uses_line(uses, trace, labels, target, theme)
        self.box.show_lines([*map(prose, descriptions), used])

        def description() -> str:
            texts = ", ".join(use_text(use, trace, labels) for use in uses)
            used_text = self.tr("used by {places}").format(places=texts)
            return ". ".join([*descriptions, used_text])

        self.box.describe(description)

    def _descriptions(self, computed: Computed, cell: Cell) -> list[str]:
        """Return its value, how it was drawn, and its effect on the selected cell."""
        trace, row, column = computed.trace, *(0, *cell.index)[-2:]
        value = self.tr("value {number}").format(number=rounded(trace.value(cell), 4))
        drawn = drawn_cell(self._edits.document, cell.step, row, column)
        if drawn is not None:
            value = f"{value} · {self._origin(drawn)}"
        lines = [value]
        target = self._sensitivity.target
        gradient = self._sensitivity.read(whole=True).on
        known = self._sensitivity.newest and cell.step in gradient
        if target is not None and known:
            selected = cell_name(
                trace.stages[target.step], computed.labels, target.index, token_label
            )
            slope = gradient_text(float(gradient[cell.step][cell.index]))
            effect = self.tr("gradient of {cell}: {gradient}")
            lines.append(effect.format(cell=selected, gradient=slope))
        return lines

    def _origin(self, cell: DrawnCell) -> str:
        """Say how the random number in a cell was drawn."""
        text = self.tr("drawn with seed {seed}, {distribution}")
        if not cell.kept:
            text = self.tr(
                "changed since it was drawn (the rest with seed {seed}, {distribution})"
            )
        title = cell.draw.distribution.title
        return text.format(seed=cell.recipe.seed, distribution=title)
