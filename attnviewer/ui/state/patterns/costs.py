"""The costs of a sparse kernel for the chosen head."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute.patterns import Kept, KeptCosts, cache_bytes
from attnviewer.ui.state.patterns.head import (
    Head,
    is_small,
    is_withheld,
    read_head,
    shape_of,
)
from attnviewer.ui.state.patterns.jobs import CostJob
from attnviewer.ui.state.patterns.kept_choice import KeptChoice
from attnviewer.ui.state.patterns.patterns import Patterns
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.work.debounced_worker import DebouncedWorker
from attnviewer.ui.work.worker import NO_MEMORY, Job, Worker

MOST_ROWS = 64
"""Queries that are in sight."""
CELLS_IN_SIGHT = 2**20
"""In long sequences, so many that they have about so many weights, but at least 8."""
FEWEST_ROWS = 8
_CALM = 20
"""Milliseconds without another choice before the rows in sight are read."""


class Costs(QObject):
    """Computes what is kept of the attention, and how the output changes.

    The rows in sight follow every choice, all rows are computed when the user asks.

    Parameters
    ----------
    workbench : Workbench
        The open document and the selection.
    patterns : Patterns
        The patterns, whose marginals say which keys and offsets are kept.
    parent : QObject, optional
        The parent object.

    Attributes
    ----------
    worker, reader : Worker
        Compute all rows, and those in sight.
    changed : Signal
        The choice or the costs have changed.
    """

    changed = Signal()

    def __init__(
        self, workbench: Workbench, patterns: Patterns, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._patterns = workbench, patterns
        self.worker, self.reader = Worker(self), DebouncedWorker(self, _CALM)
        self.worker.done.connect(self._on_all_rows)
        self.reader.due.connect(self._read)
        self.reader.done.connect(self._on_read)
        for worker in (self.worker, self.reader):
            worker.failed.connect(self._on_failed)
        self._choice = KeptChoice.first(*shape_of(patterns.computed), "streaming")
        self._bytes = 2
        self._wanted = False
        self._in_sight: KeptCosts | None = None
        self._all: KeptCosts | None = None
        self._rows = slice(0, 0)
        self._head: Head | None = None
        self._marginals = patterns.marginals
        self._trouble = ""
        engine, selection = workbench.engine, workbench.selection
        engine.edited_in_place.connect(self._on_edit)
        engine.computed.connect(self._follow_numbers)
        selection.cell_changed.connect(self._follow)
        selection.head_changed.connect(self._follow_numbers)
        workbench.opened.connect(self._on_opened)
        patterns.changed.connect(self._follow_marginals)

    @property
    def choice(self) -> KeptChoice:
        """The chosen set."""
        return self._choice

    @property
    def n_keys(self) -> int:
        """The number of keys."""
        return shape_of(self._patterns.computed)[1]

    @property
    def kept(self) -> Kept | None:
        """The cells that are kept; None until the patterns are found that say which."""
        return self._choice.kept(self._patterns.marginals)

    @property
    def rows(self) -> slice:
        """The queries in sight: a stretch around the selected one."""
        n_q, n_k = shape_of(self._patterns.computed)
        count = max(FEWEST_ROWS, min(MOST_ROWS, CELLS_IN_SIGHT // n_k))
        first = max(0, min(self._selected_query() - count // 2, n_q - count))
        return slice(first, min(n_q, first + count))

    @property
    def in_sight(self) -> KeptCosts | None:
        """The costs of the rows in sight; of earlier ones until they are computed."""
        return self._in_sight

    @property
    def all_rows(self) -> KeptCosts | None:
        """The costs of all rows; None until they are computed for this choice."""
        return self._all

    @property
    def computing(self) -> CostJob | None:
        """The job that computes all rows; None while there is none."""
        for job in self.worker.jobs:
            assert isinstance(job, CostJob)
            return job
        return None

    @property
    def trouble(self) -> str:
        """The reason why there are no costs; "" if there is none."""
        return self._trouble

    @property
    def bytes_per_number(self) -> int:
        """The number of bytes that a number of the KV cache takes."""
        return self._bytes

    @property
    def keys_ahead(self) -> int:
        """The number of keys that the mask lets the next query look at."""
        left, _ = self._patterns.computed.trace.spec.window or (None, None)
        # It sees its own key, too.
        return self.n_keys if left is None else min(self.n_keys, left + 1)

    @property
    def cache(self) -> tuple[int, int] | None:
        """The bytes of the whole KV cache, and of the keys that are kept.

        Keys that have left a sliding window are in neither. None where the scores are
        not computed from keys, or no set is known.
        """
        kept, trace = self.kept, self._patterns.computed.trace
        names = trace.pipeline.comparison.inputs
        if kept is None or len(names) < 2:
            return None
        d_k = trace.matrix_shape(names[1])[1]
        d_v = trace.matrix_shape(trace.pipeline.mix.inputs[1])[1]
        n_keys, heads = self.n_keys, trace.spec.kv_heads
        first = n_keys - self.keys_ahead
        whole, part = (
            cache_bytes(count, heads, d_k, d_v, bytes_per_number=self._bytes)
            for count in (n_keys - first, kept.cached_keys(n_keys, first))
        )
        return whole, part

    def choose(self, **changes: Any) -> None:
        """Choose something else, by the names of `KeptChoice`."""
        choice = replace(self._choice, **changes).within(self.n_keys)
        if choice != self._choice:
            self._choice = choice
            self._drop_all_rows()
            self._follow()

    def choose_bytes(self, count: int) -> None:
        """Count a KV cache whose numbers have so many bytes."""
        self._bytes = count
        self.changed.emit()

    def set_wanted(self, wanted: bool) -> None:
        """Have the rows in sight computed, or no longer."""
        if wanted != self._wanted:
            self._wanted = wanted
            self._follow()

    @Slot()
    def start(self) -> None:
        """Compute all rows."""
        self._drop_all_rows()
        self._start(self.worker, slice(0, shape_of(self._patterns.computed)[0]))
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """Cancel the computation of all rows."""
        if self.computing is not None:
            self._drop_all_rows()
            self.changed.emit()

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""
        assert isinstance(job, CostJob)
        text = self.tr("comparing the outputs… {percent} %")
        return text.format(percent=int(100 * job.share))

    def finish(self) -> None:
        """Wait for the costs that are to come."""
        self.reader.finish()
        self.worker.finish()

    def close(self) -> None:
        """Stop, and wait for the threads."""
        self.reader.close()
        self.worker.close()

    def _selected_query(self) -> int:
        selection, trace = self._workbench.selection, self._patterns.computed.trace
        step, cell = selection.step, selection.cell
        rowed = step in trace.stages and trace.stages[step].axes[0] == "queries"
        return cell[0] if cell is not None and rowed else 0

    def _stop(self) -> None:
        for worker in (self.worker, self.reader):
            worker.stop_all()

    def _drop_all_rows(self) -> None:
        self._all = None
        self.worker.stop_all()

    @Slot()
    def _follow(self) -> None:
        """Have the rows in sight computed, if that is wanted."""
        if self._wanted:
            self.reader.request()
        else:
            self.reader.withdraw()
        self.changed.emit()

    @Slot()
    def _follow_numbers(self) -> None:
        self._stop()
        self._all = self._in_sight = self._head = None
        self._choice = self._choice.within(self.n_keys)
        self._follow()

    @Slot()
    def _follow_marginals(self) -> None:
        before, self._marginals = self._marginals, self._patterns.marginals
        if self._marginals is not before and self._choice.way == "vertical-slash":
            self._drop_all_rows()
            self._follow()

    @Slot()
    def _on_opened(self) -> None:
        shape = shape_of(self._patterns.computed)
        self._choice = KeptChoice.first(*shape, self._choice.way)
        self._follow_numbers()

    @Slot()
    def _on_edit(self) -> None:
        """Stop reading before numbers are changed in place."""
        if not is_small(self._patterns.computed):
            self._stop()
            self.reader.finish()
            self.worker.finish()

    @Slot()
    def _read(self) -> None:
        """Compute the rows in sight."""
        self.reader.stop_all()
        self._start(self.reader, self.rows)
        self.changed.emit()

    def _start(self, worker: Worker, rows: slice) -> None:
        computed, kept = self._patterns.computed, self.kept
        self._trouble = ""
        if kept is None or is_withheld(computed):
            self._in_sight = None
            return
        try:
            if self._head is None:
                self._head = read_head(computed, self._workbench.selection.head)
        except MemoryError:
            self._trouble = NO_MEMORY
            return
        worker.start(CostJob(self._head, kept, rows))

    @Slot(object)
    def _on_all_rows(self, job: CostJob) -> None:
        self._all = job.costs
        self.changed.emit()

    @Slot(object)
    def _on_read(self, job: CostJob) -> None:
        self._in_sight = job.costs
        self.changed.emit()

    @Slot(object, str)
    def _on_failed(self, _job: CostJob, reason: str) -> None:
        self._trouble, self._in_sight = reason, None
        self.changed.emit()
