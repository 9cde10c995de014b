"""The tokens in sight, and their size."""

from PySide6.QtWidgets import QAbstractScrollArea

from attnviewer.ui.text.step_titles import axis_name
from attnviewer.ui.views.step.lines.arrangement import (
    Arrangement,
    LayoutConstraints,
    Side,
    arrange,
)
from attnviewer.ui.views.step.lines.content import LinesContent
from attnviewer.ui.views.step.lines.focus import Token
from attnviewer.ui.views.step.lines.tokens import SIDES, widest
from attnviewer.ui.widgets.row_companion import SharedRows

HEADINGS = 1.8
"""Height of the headings, in heights of the text."""
ZOOM = 1.15
"""How much higher rows get by a key, or by one notch of the wheel."""
ROWS_PER_NOTCH = 3
WIDEST_NUMBER = "0.00000"


class TokenViewport:
    """Zooms and scrolls the tokens of a scroll area.

    Parameters
    ----------
    area : QAbstractScrollArea
        Where they are shown.
    """

    def __init__(self, area: QAbstractScrollArea) -> None:
        self._area = area
        self._shape: tuple[int, int] | None = None
        self._labels: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        self._label_widths = (0.0, 0.0)
        self._zoom = 1.0
        self._shared: SharedRows | None = None

    @property
    def headings(self) -> float:
        """Height of the headings."""
        return HEADINGS * self._area.fontMetrics().height()

    @property
    def top(self) -> float:
        """The top of the tokens, below the headings."""
        return self.headings if self._shared is None else self._shared.top

    @property
    def is_shared(self) -> bool:
        """Whether the rows are those of another picture."""
        return self._shared is not None

    def share(self, rows: SharedRows) -> None:
        """Take the rows of a picture to the left, instead of zooming and scrolling."""
        if rows != self._shared:
            self._shared = rows
            self.arrange()

    def show(self, content: LinesContent) -> bool:
        """Make room for other tokens; tell whether their number is another one.

        If it is not, the zoom stays.
        """
        reshaped = content.reading.shape != self._shape
        if reshaped:
            self._shape, self._zoom = content.reading.shape, 1.0
            self._area.verticalScrollBar().setValue(0)
        if content.labels != self._labels:
            self._labels = content.labels
            self._measure()
        self.arrange()
        return reshaped

    def measure(self) -> None:
        """Follow another size of texts."""
        self._measure()
        self.arrange()

    def arrangement(self) -> Arrangement:
        """Return where everything is, below the headings."""
        if self._shared is not None:
            beyond = arrange(self._room()).beyond
            return arrange(self._room(), self._shared.above / max(beyond, 1.0))
        bar = self._area.verticalScrollBar()
        return arrange(self._room(), bar.value() / max(1, bar.maximum()))

    def arrange(self) -> None:
        """Let the scroll bar fit what there is to scroll."""
        if self._shape is None:
            return
        arrangement = arrange(self._room())
        bar = self._area.verticalScrollBar()
        bar.setRange(0, 0 if self._shared else int(arrangement.beyond + 0.999))
        bar.setPageStep(int(arrangement.height))
        bar.setSingleStep(max(1, round(arrangement.row * ROWS_PER_NOTCH / 3)))
        self._area.viewport().update()

    def bring_into_sight(self, token: Token) -> None:
        """Scroll as little as lets a token be seen."""
        if self._shared is not None:
            return
        bar = self._area.verticalScrollBar()
        bar.setValue(round(self.arrangement().scroll_to(*token) * bar.maximum()))

    def bring_to_middle(self, token: Token) -> None:
        """Scroll to a token that is out of sight."""
        bar = self._area.verticalScrollBar()
        bar.setValue(round(self.arrangement().scroll_to_middle(*token) * bar.maximum()))

    def zoom_by(self, factor: float, height: float) -> None:
        """Make rows higher; what is at a height of the longer side stays there."""
        before = self.arrangement()
        side: Side = "queries" if before.counts[0] >= before.counts[1] else "keys"
        token = (height - before.start(side)) / before.row
        self._zoom *= factor
        after = arrange(self._room())
        # Where a row can get no higher or lower, the zoom stays as well.
        if after.row == before.row:
            self._zoom /= factor
            return
        self.arrange()
        bar = self._area.verticalScrollBar()
        bar.setValue(round(token * after.row - height))

    def _measure(self) -> None:
        metrics, labels = self._area.fontMetrics(), self._labels
        # The headings need their room above the shortest of labels, too.
        queries, keys = (
            max(widest(names, metrics), metrics.horizontalAdvance(axis_name(side)))
            for side, names in zip(SIDES, labels, strict=True)
        )
        self._label_widths = queries, keys

    def _room(self) -> LayoutConstraints:
        assert self._shape is not None
        shared = self._shared
        metrics, size = self._area.fontMetrics(), self._area.viewport().size()
        return LayoutConstraints(
            size.width(),
            max(1.0, size.height() - self.top if shared is None else shared.height),
            self._shape,
            metrics.height(),
            self._label_widths,
            metrics.horizontalAdvance(WIDEST_NUMBER),
            self._zoom,
            None if shared is None else shared.row,
        )
