"""Paints the cells of a matrix: heat colours, and rules between heads."""

from PySide6.QtWidgets import QTableView

from attnviewer.document import Region
from attnviewer.document.matrices import BIAS
from attnviewer.ui.colors import ColorScale, Rgb, cell_colors, scale_for
from attnviewer.ui.inputs.cells.flash import Flash
from attnviewer.ui.inputs.cells.painting import CellPainter
from attnviewer.ui.inputs.matrix.model import MatrixModel
from attnviewer.ui.theme import Theme


class MatrixPainter(CellPainter):
    """A `CellPainter` for numbers, which are no longer than their columns are wide.

    Parameters
    ----------
    table : QTableView
        The table.
    model : MatrixModel
        Its cells.
    flash : Flash
        What has just changed.

    Attributes
    ----------
    heat : bool
        Whether the ground of a cell has the colour of its number.
    """

    elides = False

    def __init__(self, table: QTableView, model: MatrixModel, flash: Flash) -> None:
        super().__init__(table, model, flash)
        self._matrix = model
        self.heat = False

    def colors(self, block: Region, theme: Theme) -> Rgb | None:
        if not self.heat:
            return None
        return cell_colors(self._matrix.numbers(block), self._scale(theme), theme)

    def boundaries(self) -> tuple[range, range]:
        rows, columns = self._matrix.row_headings, self._matrix.column_headings
        return rows.boundaries(), columns.boundaries()

    def _scale(self, theme: Theme) -> ColorScale:
        low, high = self._matrix.limits()
        # A bias is around zero even without finite ones: its −inf must stand out.
        if low >= 0 and self._matrix.name != BIAS:
            return ColorScale("viridis", 0.0, high or 1.0)
        return scale_for((low, high), signed=True, theme=theme)
