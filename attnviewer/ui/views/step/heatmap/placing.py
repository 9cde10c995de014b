"""The layout of the parts of a heatmap."""

from PySide6.QtCore import QSizeF

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.views.step.heatmap.arrangement import Arrangement, arrange
from attnviewer.ui.views.step.heatmap.beside_rows import BesideRows
from attnviewer.ui.views.step.heatmap.cell_box import CellBox
from attnviewer.ui.views.step.heatmap.margins import Margins
from attnviewer.ui.views.step.heatmap.scene_view import SceneView


class Placing:
    """Lays out the cells and the parts around them.

    Parameters
    ----------
    heatmap : SceneView
        The heatmap.
    box : CellBox
        The cells.
    margins : Margins
        The parts around them.
    beside : BesideRows
        What may stand beside the rows.

    Attributes
    ----------
    busy : bool
        Whether parts are being changed or moved, so that nothing else needs to be done
        about it yet.
    """

    def __init__(
        self, heatmap: SceneView, box: CellBox, margins: Margins, beside: BesideRows
    ) -> None:
        self._heatmap, self._box = heatmap, box
        self._margins, self._beside = margins, beside
        self.busy = False
        self._arrangement: Arrangement | None = None
        self._asked: tuple[object, ...] = ()

    def arrange(self, content: StepContent, *, marked: bool, fit: bool) -> None:
        """Lay the parts out, unless that would change nothing.

        Parameters
        ----------
        content : StepContent
            The step.
        marked : bool
            Whether columns are marked.
        fit : bool
            Whether all cells are to be shown.
        """
        size, margins = QSizeF(self._heatmap.size()), self._margins
        asked = (
            *(size, self._heatmap.font(), content.shape, content.axes),
            *(content.is_weights, content.is_scores),
            *(content.row_labels, content.column_labels, content.scale, content.look),
            *(marked, margins.footer.extent(size), margins.fit_button.offered),
            *(self._beside.companion, margins.groups.extents, margins.profiles.wanted),
        )
        if fit or asked != self._asked:
            self._asked = asked
            self._lay_out(size, content.shape, fit)
        self.busy = False

    def _lay_out(self, size: QSizeF, shape: tuple[int, int], fit: bool) -> None:
        least = self._beside.least_width(size, shape[0])
        margins, box = self._margins, self._box
        margins.statistics.offer(offered=not least)
        room = QSizeF(size.width() - least, size.height())
        extents = margins.extents(room, shape)
        self.busy = True
        arrangement = self._beside.place(arrange(room, shape, extents), size, least)
        box.setGeometry(arrangement.cells)
        margins.place(arrangement, extents, size.width())
        if arrangement != self._arrangement:
            self._arrangement = arrangement
            self._heatmap.paint_moved(box)
            for axis in (margins.rows, margins.columns):
                axis.draw_anew()
        if fit:
            box.fit(shape)
