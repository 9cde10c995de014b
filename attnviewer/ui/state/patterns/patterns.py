"""The attention patterns of the chosen head, computed while they are wanted."""

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute.patterns import HeadPatterns, Marginals
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.patterns.head import (
    Head,
    is_small,
    is_withheld,
    read_head,
    shape_of,
)
from attnviewer.ui.state.patterns.jobs import FindJob
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.debounced_worker import DebouncedWorker
from attnviewer.ui.work.worker import NO_MEMORY, Job

LONG = 8192
"""Tokens from which on the window says how long a search takes."""
CELLS_A_SECOND = 60_000_000
"""How many weights of 64 columns are found and read in a second (measured)."""


class Patterns(QObject):
    """Finds the patterns of the chosen head.

    Few weights are searched after a pause while that is wanted, many when the user asks
    for it. What was found stays, as outdated, when numbers change.

    Parameters
    ----------
    workbench : Workbench
        The open document and the selection.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    worker : Worker
        Finds them; reports its progress.
    changed : Signal
        What is found, or being searched, has changed.
    """

    changed = Signal()

    def __init__(self, workbench: Workbench, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._engine = workbench, workbench.engine
        self.worker = DebouncedWorker(self)
        self.worker.due.connect(self.start)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._seen = self._engine.current
        self._found: HeadPatterns | None = None
        self._of: Head | None = None
        self._newest = self._wanted = False
        self._trouble = ""
        self._engine.edited_in_place.connect(self._on_edit)
        self._engine.computed.connect(self._on_computed)
        workbench.selection.head_changed.connect(self._forget)
        workbench.opened.connect(self._forget)

    @property
    def computed(self) -> Computed:
        """The open document's computation."""
        return self._engine.current

    @property
    def number(self) -> int:
        """The chosen head of the queries, counted from zero."""
        return present_head(self.computed.trace, self._workbench.selection.head)

    @property
    def found(self) -> HeadPatterns | None:
        """The patterns of the chosen head; None before they are found."""
        return self._found

    @property
    def labels_of_found(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The tokens of queries and keys when the patterns were found."""
        labels = (self._of.computed if self._of else self.computed).labels
        return labels.queries, labels.keys

    @property
    def marginals(self) -> Marginals | None:
        """The result, if it still fits the weights."""
        if self._found is None or self._of is None:
            return None
        fits = shape_of(self._of.computed) == shape_of(self.computed)
        return self._found.marginals if fits else None

    @property
    def outdated(self) -> bool:
        """Whether numbers have changed since the patterns were found."""
        return self._found is not None and not self._newest

    @property
    def computing(self) -> FindJob | None:
        """The search under way."""
        for job in self.worker.jobs:
            assert isinstance(job, FindJob)
            return job
        return None

    @property
    def trouble(self) -> str:
        """The reason why there are no patterns, or no new ones; "" if there is none."""
        return self._trouble

    @property
    def at_once(self) -> bool:
        """Whether patterns are found without being asked for."""
        return is_small(self.computed)

    @property
    def seconds(self) -> float | None:
        """About how long a search takes; None if that is not worth saying."""
        n_q, n_k = shape_of(self.computed)
        if max(n_q, n_k) <= LONG:
            return None
        cells = n_q * n_k / (2 if self.computed.trace.spec.causal else 1)
        return cells / CELLS_A_SECOND

    def set_wanted(self, wanted: bool) -> None:
        """Have patterns found, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._follow()

    @Slot()
    def start(self) -> None:
        """Find the patterns of the chosen head."""
        self.worker.stop_all()
        self._trouble = ""
        if not is_withheld(self.computed):
            try:
                self.worker.start(FindJob(read_head(self.computed, self.number)))
            except MemoryError:
                self._trouble = NO_MEMORY
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """Give the search up, until the next edit or another head."""
        if self.computing is not None:
            self.worker.stop_all()
            self._trouble = self.tr("The search was cancelled.")
            self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, FindJob)
        percent, left = int(100 * job.share), job.seconds_left
        if left is None:
            return self.tr("finding patterns…")
        text = self.tr("finding patterns… {percent} %, {seconds} s left")
        return text.format(percent=percent, seconds=max(1, round(left)))

    def finish(self) -> None:
        """Wait for the patterns that are to come."""
        self.worker.finish()

    def close(self) -> None:
        """Stop, and wait for the thread."""
        self.worker.close()

    def _follow(self) -> None:
        """Have the patterns found after a pause, if they are wanted and not known."""
        due = self._wanted and not self._newest and self.at_once
        if due and not self._trouble and self.computing is None:
            self.worker.request()
        elif not self._wanted and self.at_once:
            self.worker.stop_all()
        self.changed.emit()

    @Slot()
    def _forget(self) -> None:
        """Drop what was found of another head or document."""
        self.worker.stop_all()
        self._found = self._of = None
        self._newest, self._trouble = False, ""
        self._follow()

    @Slot()
    def _on_edit(self) -> None:
        """Stop reading before numbers are changed in place."""
        if self.at_once:
            return  # the job has a copy
        if self.computing is not None:
            self._interrupt()
        # A job that was stopped before may still be at its last block.
        self.worker.finish()

    def _interrupt(self) -> None:
        self.worker.stop_all()
        self._trouble = self.tr("An edit ended the search.")

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        before, self._seen = self._seen, computed
        if computed.keeps(before, [computed.trace.pipeline.weights]):
            return
        self._newest = False
        if is_small(computed):
            self.worker.stop_all()
            self._trouble = ""
        elif self.computing is not None:
            self._interrupt()
        else:
            self.worker.withdraw()  # the weights were small when it was requested
        if is_withheld(computed):
            self._found = self._of = None
        self._follow()

    @Slot(object)
    def _on_done(self, job: FindJob) -> None:
        self._found, self._of = job.found, job.head
        self._newest = True
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, _job: FindJob, reason: str) -> None:
        self._trouble = reason
        self.changed.emit()
