"""Finds differences incrementally, without blocking the window."""

from collections.abc import Collection
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Folding, LargestChanges, Overview, Windowed
from attnviewer.document import Comparison, Incomparable
from attnviewer.document.comparison import StepPair
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

if TYPE_CHECKING:
    from collections.abc import Iterator

PICTURE, OTHER_PICTURE = "", " "
"""Entries in the queue of steps that stand for the overviews to be painted."""
NEWS = 0.1
"""Seconds between updates about a step whose comparison is not finished."""


class ChangesFinder(QObject):
    """Compares all steps, the preferred one first, some rows per event-loop pass.

    Rows are read in the GUI thread, as an edit may change them in place.

    Attributes
    ----------
    found : Signal
        There are new results.
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._go_on)
        self._comparison: Comparison | None = None
        self._pairs: dict[str, StepPair | Incomparable] = {}
        self._changes: dict[str, LargestChanges] = {}
        self._waiting: dict[str, Iterator[None]] = {}
        self._told_at = 0.0
        self._overviews: dict[str, tuple[object, Overview]] = {}

    @property
    def comparison(self) -> Comparison | None:
        """The comparison."""
        return self._comparison

    def compare(
        self,
        comparison: Comparison,
        first: str,
        withheld: Collection[str] = (),
        folding: Folding | None = None,
    ) -> None:
        """Compare the steps of two computations, starting with one of them.

        Parameters
        ----------
        comparison : Comparison
            The computations.
        first : str
            The step to start with.
        withheld : collection of str
            Steps of which nothing is known.
        folding : Folding, optional
            How the weights are folded.
        """
        self._comparison = comparison
        steps = (s for s in comparison.after.trace if s not in withheld)
        self._pairs = {step: comparison.pair(step) for step in steps}
        weights = self._pairs.get(STEP_OF_ALL)
        if folding is not None and isinstance(weights, StepPair):
            folding, _ = comparison.foldings(STEP_OF_ALL, folding)
            self._pairs[STEP_OF_ALL] = weights.folded(folding)
        self._changes, self._waiting = {}, {}
        self._overviews = {}
        for step, pair in self._pairs.items():
            if isinstance(pair, StepPair):
                changes = self._changes[step] = pair.changes()
                self._waiting[step] = changes.compare()
        self.prefer(first)
        self._work(SLICE_SECONDS)
        self.resume()

    def prefer(self, step: str) -> None:
        """Continue with a step."""
        if step in self._waiting:
            self._waiting = {step: self._waiting.pop(step), **self._waiting}

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps of B that may be known of."""
        return tuple(self._pairs)

    def pair(self, step: str) -> StepPair | Incomparable:
        """Return a step as a pair, or why it cannot be compared."""
        return self._pairs[step]

    def changes(self, step: str) -> LargestChanges | None:
        """Return the changes of a step; None if it cannot be compared."""
        return self._changes.get(step)

    def overview(
        self, key: object, matrix: Windowed, picture: str = PICTURE
    ) -> Overview | None:
        """Return the overview of a large matrix; None while it is being read.

        Parameters
        ----------
        key : object
            Identifies the matrix within the comparison; the last one requested is kept.
        matrix : Windowed
            The matrix.
        picture : str
            The visible picture that it is for.
        """
        known, overview = self._overviews.get(picture, (None, None))
        if overview is None or key != known:
            overview = Overview(matrix, read=False)
            self._overviews[picture] = key, overview
            self._waiting[picture] = overview.reading()
            self.prefer(picture)
            self._timer.start()
        return None if picture in self._waiting else overview

    def stop(self) -> None:
        """Pause."""
        self._timer.stop()

    def resume(self) -> None:
        """Continue after `stop`."""
        if self._waiting:
            self._timer.start()

    def finish(self) -> None:
        """Compare the rest at once."""
        while self._waiting:
            self._work(float("inf"))
            self.found.emit()  # which may request a picture
        self._timer.stop()

    def forget(self) -> None:
        """Drop the comparison."""
        self.stop()
        self._comparison = None
        self._pairs, self._changes, self._waiting = {}, {}, {}
        self._overviews = {}

    @Slot()
    def _go_on(self) -> None:
        finished = self._work(SLICE_SECONDS)
        if not self._waiting:
            self._timer.stop()
        if finished or perf_counter() - self._told_at > NEWS:
            self._told_at = perf_counter()
            self.found.emit()

    def _work(self, seconds: float) -> bool:
        """Compare for a time slice; return whether a step was finished."""
        waiting = len(self._waiting)
        if waiting:
            run_for(seconds, self._compare_some)
        return len(self._waiting) < waiting

    def _compare_some(self) -> bool:
        step = next(iter(self._waiting))
        if next(self._waiting[step], True):  # a turn returns None, its end True
            del self._waiting[step]
        return bool(self._waiting)
