"""The sizes of the parts around the cells."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsWidget

from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.heatmap.arrangement import (
    LOW_MARGIN,
    MARGIN,
    Arrangement,
    Extents,
    arrange,
)
from attnviewer.ui.views.step.heatmap.color_bar import ColorBar
from attnviewer.ui.views.step.heatmap.fit_button import FitButton
from attnviewer.ui.views.step.heatmap.footer import Footer
from attnviewer.ui.views.step.heatmap.group_axis import GroupAxes
from attnviewer.ui.views.step.heatmap.profiles import Profiles
from attnviewer.ui.views.step.heatmap.row_statistics import RowStatistics
from attnviewer.ui.views.step.heatmap.token_axis import TokenAxis

LEAST_BESIDE, LEAST_BESIDE_SCORES = 0.62, 0.8
"""Smallest share of their width that the cells keep beside the statistics."""
LONGER = 0.6
"""How much wider the statistics get where the cells leave room, as a share."""
MOST_LABELS = 0.3
MOST_STATISTICS = 0.45
"""Largest shares of the space for the labels along an edge and the statistics."""
LEAST_TOP = 2.5
"""Lines above the cells in the lowest window: the axis title and the labels."""
LOW, LOW_TOP, MOST_LOW_TOP = 18.0, 2.0, 0.17
"""Lines of text below which a window is low, and the lines and share of its height
above its cells: the titles of both axes are in the corner then."""
THIN = 4.0
"""Pixels below which rows are thin: a map of so many needs all its height, as in a low
window."""


@dataclass(frozen=True, slots=True)
class Margins:
    """The parts around the cells, and the space they need."""

    rows: TokenAxis
    columns: TokenAxis
    bar: ColorBar
    fit_button: FitButton
    statistics: RowStatistics
    footer: Footer
    groups: GroupAxes
    profiles: Profiles

    @property
    def items(self) -> list[QGraphicsWidget]:
        """The parts that are items of the scene."""
        footer, curves = self.footer, self.profiles
        return [
            *(self.rows, self.columns, self.statistics, footer.sums, footer.caption),
            *(curves.row, curves.column),
        ]

    def forget(self) -> None:
        """Release the numbers."""
        for part in (self.statistics, self.footer, self.profiles):
            part.forget()

    def set_theme(self, theme: Theme) -> None:
        """Apply the colours of a theme."""
        parts = self.rows, self.columns, self.statistics, self.footer, self.groups
        for part in (*parts, self.profiles):
            part.set_theme(theme)

    def set_font(self, font: QFont) -> None:
        """Set the font of all but the labels."""
        self.bar.setFont(font)
        self.statistics.setFont(font)
        self.footer.set_font(font)
        self.profiles.set_font(font)

    def show_content(self, content: StepContent, font: QFont) -> None:
        """Show the groups, the statistics and the lines of another step."""
        self.groups.show_content(content, font)
        self.statistics.show_content(content)
        self.profiles.show_content(content)

    def set_sight(self, sight: QRectF) -> None:
        """Show what belongs to the visible cells."""
        self.groups.set_sight(sight)
        self.profiles.set_sight(sight)
        for across in (self.columns, self.footer.sums):
            across.set_range(sight.left(), sight.right())
        for down in (self.rows, self.statistics):
            down.set_range(sight.top(), sight.bottom())

    def extents(self, size: QSizeF, shape: tuple[int, int]) -> Extents:
        """Decide on their sizes, and on the orientation of the column labels.

        Parameters
        ----------
        size : QSizeF
            The space for all parts, including the cells.
        shape : tuple of two int
            Rows and columns of the matrix.
        """
        offers = self.statistics.extents(size.width() * MOST_STATISTICS)
        worths = [self._worth(self._with(size, shape, offer)) for offer in offers]
        # Called again, as each call sets how the labels are drawn.
        return self._with(size, shape, offers[worths.index(max(worths))])

    def place(self, arrangement: Arrangement, extents: Extents, width: float) -> None:
        """Set the geometry of the parts.

        Parameters
        ----------
        arrangement : Arrangement
            Where they are.
        extents : Extents
            What `extents` returned.
        width : float
            The width for all parts, including the cells.
        """
        left, top = self.groups.place(arrangement.left, arrangement.top)
        self.rows.setGeometry(left)
        self.columns.setGeometry(top)
        self.profiles.place(arrangement.cells, extents.profile)
        self.statistics.setGeometry(arrangement.statistics)
        self.statistics.setVisible(extents.statistics > 0)
        self.footer.place(arrangement.bottom)
        beside = arrangement.statistics.left() if extents.statistics else width
        below = self.footer.sums.isVisible()
        self.fit_button.place(
            *(arrangement.bar, extents.top),
            free_below=below,
            # The headings of scores yield their space: nothing moves.
            free_to=width if below or self.statistics.of_scores else beside,
        )
        self.bar.place(arrangement.bar, extents.top, arrangement.cells)
        self.rows.set_head_room(extents.top)
        self.statistics.set_head_room(extents.top)

    def _worth(self, extents: Extents) -> int:
        """Rate the result of `_with`.

        Fewer statistics are better than none, and level labels are worth more than the
        last statistic.
        """
        if not extents.statistics:
            return 0
        return 1 if self.columns.turn else 2

    def _with(self, size: QSizeF, shape: tuple[int, int], statistics: float) -> Extents:
        """Return the room for all, with statistics of some width or none."""
        most_left = size.width() * MOST_LABELS
        thick, high = self.groups.extents
        left = thick + self.rows.extent(size.height() / shape[0], most_left)
        bar = self.bar.label_extent()
        line = QFontMetricsF(self.columns.font()).height()
        thin = size.height() < THIN * shape[0]
        low = thin or size.height() < LOW * line
        for axis in (self.rows, self.columns):
            axis.set_name_in_corner(low or bool(thick or high))
        most_top = max(size.height() * MOST_LABELS, LEAST_TOP * line)
        if low:
            most_top = max(MOST_LOW_TOP * size.height(), LOW_TOP * line)
        bottom, margin = self.footer.extent(size), LOW_MARGIN if low else MARGIN
        profile = self.profiles.extent(shape)
        extents = Extents(left, 0, bar, 0, bottom, margin, profile)
        # The height above depends on the width of columns, and so on the statistics.
        for _ in range(2):
            cells = arrange(size, shape, extents).cells
            row, column = cells.height() / shape[0], cells.width() / shape[1]
            self.rows.extent(row, most_left)
            overhang = self.rows.overhang(row)
            top = high + self.columns.extent(column, most_top, overhang)
            width = self.statistics.width_beside(row, statistics)
            alone = Extents(left, top, bar, 0, bottom, margin, profile)
            beside = replace(alone, statistics=width)
            # Drop statistics before the cells lose their numbers.
            kept = LEAST_BESIDE_SCORES if self.statistics.of_scores else LEAST_BESIDE
            least = kept * arrange(size, shape, alone).cells.width()
            spacious = arrange(size, shape, beside).cells.width() >= least
            extents = beside if spacious else alone
        return _widened(extents, size, shape)


def _widened(extents: Extents, size: QSizeF, shape: tuple[int, int]) -> Extents:
    """Return the extents with the statistics in room that the cells cannot use."""
    if not extents.statistics:
        return extents
    parts = arrange(size, shape, extents)
    right = parts.statistics.right() - parts.left.left() + 2 * MARGIN
    free = min(size.width() - right, LONGER * extents.statistics)
    return replace(extents, statistics=extents.statistics + max(0.0, free))
