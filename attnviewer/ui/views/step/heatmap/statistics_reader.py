"""Statistics of a step that require reading all its cells."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Array, BoolArray
from attnviewer.compute.statistics import Limits, ends, finite_limits
from attnviewer.compute.windowed.strips import AT_ONCE, strips
from attnviewer.ui.paint.color_scale import PLAIN
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.views.step.heatmap.patterns import MASKED

MOST_READ = 2**27
"""The most cells of a step that are read for their statistics; of larger ones, only
the limits are known, as far as their overview has been read."""
LITTLE = 0.4
"""Share of the colour bar, below which numbers use little of it."""
PATIENCE_MS = 100
"""Delay before larger steps are read, in ms, so that edits and painting come first."""


def has_statistics(content: StepContent) -> bool:
    """Return whether all cells of a step are read."""
    return content.cells <= MOST_READ


@dataclass(slots=True, eq=False)
class Facts:
    """The statistics.

    Parameters
    ----------
    kinds : Counter
        Number of cells of each kind that has no colour on the scale, including masked
        ones.
    shown : int
        Number of cells the filter shows.
    low, high : float
        Smallest and largest finite number that no mask hides; infinite without any.
    reach : float
        The largest finite magnitude, of masked numbers as well.
    sum : float
        Sum of all numbers, of weights without marked rows.
    marked_rows : int
        Number of rows of weights that hold NaN or ±∞, and so count in no sum.
    bright, bright_sum : int, float
        Number and sum of the cells beyond the lowest colours, if the scale begins at 0.
    count, total : int, float
        Number and sum of the marked cells that no mask hides.
    """

    kinds: Counter[int] = field(default_factory=Counter)
    shown: int = 0
    low: float = math.inf
    high: float = -math.inf
    reach: float = 0.0
    sum: float = 0.0
    marked_rows: int = 0
    bright: int = 0
    bright_sum: float = 0.0
    count: int = 0
    total: float = 0.0


class StatisticsReader(QObject):
    """Reads a matrix incrementally, some rows at a time; it can be interrupted.

    Small matrices are read at once.

    Attributes
    ----------
    facts : Facts or None
        The statistics; None until all cells have been read.
    column_sums : ndarray of float64, shape (columns,), or None
        Their sums, of weights without marked rows, also while the same numbers are
        read again for other colours or marks.
    marked_rows : int
        How many rows of weights those are, see `Facts`.
    found : Signal
        The `facts` of all cells have been computed.
    """

    found = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        self._content: StepContent | None = None
        self._marked = Marked()
        self._steps: Iterator[None] = iter(())
        self.facts: Facts | None = None
        self.column_sums: Array | None = None
        self.marked_rows = 0

    def start(self, content: StepContent, marked: Marked) -> None:
        """Start reading a step; earlier results are dropped."""
        if self._content is None or content.matrix != self._content.matrix:
            self.column_sums = None
        self._content, self._marked = content, marked
        self.facts = None
        self.resume()

    def forget(self) -> None:
        """Drop the step."""
        self.stop()
        self._content = self.facts = self.column_sums = None
        self._steps = iter(())

    def stop(self) -> None:
        """Pause until `resume` is called."""
        self._timer.stop()

    def resume(self) -> None:
        """Start again, unless it is finished."""
        if self._content is None or self.facts is not None:
            return
        if not has_statistics(self._content):
            self._timer.stop()
            if self._content.overview is not None:
                low, high = self._content.overview.limits() or (math.inf, -math.inf)
                self.facts = Facts(low=low, high=high)
                self.found.emit()
            return
        self._steps = self._look(self._content, self._marked)
        rows, columns = self._content.shape
        if rows * columns <= AT_ONCE:
            self._timer.stop()
            for _ in self._steps:
                pass
            self.found.emit()
        else:
            self._timer.start(PATIENCE_MS)

    @Slot()
    def _go_on(self) -> None:
        self._timer.setInterval(0)
        if next(self._steps, self) is self:
            self._timer.stop()
            self.found.emit()

    def _look(self, content: StepContent, marked: Marked) -> Iterator[None]:
        rows, columns = content.shape
        sums = np.zeros(columns)
        facts = Facts()
        for part in strips(slice(0, rows), AT_ONCE // columns):
            values = content.matrix.window(part)  # (rows, columns)
            hidden = content.matrix.hidden(part)
            known = ends(values)
            _count_kinds(facts, content, values, known, hidden)
            _take_limits(facts, values, known, hidden)
            with np.errstate(all="ignore"):
                _take_bright(facts, content, values, known, hidden)
                sums += _take_sums(facts, content, values)
                if marked:
                    _add_marked(facts, values, hidden, marked, part.start)
            if content.look.filter is not None:
                floors = content.look.filter.floors(values)  # (rows,)
                shown = content.look.filter.shows(values, floors)
                facts.shown += int(np.count_nonzero(shown))
            yield
        with np.errstate(all="ignore"):
            facts.sum = float(sums.sum())
        self.facts, self.column_sums = facts, sums
        self.marked_rows = facts.marked_rows


def _count_kinds(
    facts: Facts,
    content: StepContent,
    values: Array,
    known: Limits,
    hidden: BoolArray | None,
) -> None:
    kinds = content.scale.kinds(values, known)
    if hidden is not None and hidden.any():
        kinds = np.zeros(values.shape, np.uint8) if kinds is None else kinds
        kinds[hidden] = MASKED
    if kinds is not None:
        counts = np.bincount(kinds.ravel(), minlength=MASKED + 1)
        found = (kind for kind in np.flatnonzero(counts).tolist() if kind != PLAIN)
        facts.kinds.update({kind: int(counts[kind]) for kind in found})


def _take_limits(
    facts: Facts, values: Array, known: Limits, hidden: BoolArray | None
) -> None:
    limits = finite_limits(values, known)
    if limits is not None:
        facts.reach = max(facts.reach, limits[1], -limits[0])
    if hidden is not None:
        limits = finite_limits(values[~hidden])
    if limits is not None:
        facts.low, facts.high = min(facts.low, limits[0]), max(facts.high, limits[1])


def _take_sums(facts: Facts, content: StepContent, values: Array) -> Array:
    """Return the sums of columns, shape (columns,)."""
    sums: Array = values.sum(axis=0, dtype=np.float64)  # (columns,)
    if content.is_weights and not np.isfinite(sums).all():
        finite = np.isfinite(values).all(axis=1)  # (rows,)
        facts.marked_rows += int(np.count_nonzero(~finite))
        sums = values[finite].sum(axis=0, dtype=np.float64)
    return sums


def _take_bright(
    facts: Facts,
    content: StepContent,
    values: Array,
    known: Limits,
    hidden: BoolArray | None,
) -> None:
    scale = content.scale
    little = LITTLE * scale.high
    if scale.scaling != "linear" or scale.low != 0 or known[1] <= little:
        return
    bright = values > little
    if hidden is not None:
        bright &= ~hidden
    facts.bright += int(np.count_nonzero(bright))
    facts.bright_sum += float(values[bright].sum(dtype=np.float64))


def _add_marked(
    facts: Facts,
    values: Array,
    hidden: BoolArray | None,
    marked: Marked,
    first: int,
) -> None:
    here = [row - first for row in marked.rows if 0 <= row - first < len(values)]
    rows = np.array(sorted(here), np.intp) if marked.rows else slice(None)
    across = sorted(marked.columns)
    columns = np.array(across, np.intp) if marked.columns else slice(None)
    cells = values[rows][:, columns]
    if hidden is not None:
        cells = cells[~hidden[rows][:, columns]]
    facts.count += cells.size
    facts.total += float(cells.sum(dtype=np.float64))
