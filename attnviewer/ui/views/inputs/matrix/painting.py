"""Paints the cells of a matrix: heat colours, and rules between heads."""

from typing import TYPE_CHECKING

from attnviewer.document import Region
from attnviewer.document.matrices import BIAS
from attnviewer.ui.paint.color_scale import ColorScale, Rgb
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.step_scale import AROUND_ZERO, scale_for
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.views.inputs.cells.block_table import BlockTable
from attnviewer.ui.views.inputs.cells.flash import Flash
from attnviewer.ui.views.inputs.cells.painting import CellPainter
from attnviewer.ui.views.inputs.matrix.model import MatrixModel

if TYPE_CHECKING:
    from attnviewer.ui.state.sensitivity import Sensitivity


class MatrixPainter(CellPainter):
    """A `CellPainter` for numbers, which always fit in their columns.

    Attributes
    ----------
    heat : bool
        Whether cells are coloured by their numbers.
    sensitivity : Sensitivity or None
        The gradients that colour the cells instead, while shown.
    """

    elides = False

    def __init__(self, table: BlockTable, model: MatrixModel, flash: Flash) -> None:
        super().__init__(table, model, flash)
        self._matrix = model
        self.heat = False
        self.sensitivity: Sensitivity | None = None

    def colors(self, block: Region, theme: Theme) -> Rgb | None:
        effect = self._effect(block, theme)
        if effect is not None:
            return effect
        if not self.heat:
            return None
        return cell_colors(self._matrix.values(block), self._scale(theme), theme)

    def boundaries(self) -> tuple[range, range]:
        rows, columns = self._matrix.row_headings, self._matrix.column_headings
        return rows.boundaries(), columns.boundaries()

    def _effect(self, block: Region, theme: Theme) -> Rgb | None:
        """Return the colours of the gradient of the selected cell, if shown."""
        if self.sensitivity is None:
            return None
        gradient = self.sensitivity.on(self._matrix.name)
        # After lines were added, the trace is briefly older than the table.
        if gradient is None or gradient.shape != self._matrix.shape:
            return None
        reach = self.sensitivity.read().reach
        scale = scale_for((-reach, reach), signed=True, theme=theme)
        return cell_colors(gradient[block.rows, block.columns], scale, theme)

    def _scale(self, theme: Theme) -> ColorScale:
        low, high = self._matrix.limits()
        # A bias is centred on zero even without finite numbers: −inf must stand out.
        look = AROUND_ZERO if self._matrix.name == BIAS else AUTOMATIC
        return scale_for((low, high), signed=True, theme=theme, look=look)
