"""The gradient of the selected cell with respect to each input."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import (
    Array,
    Cell,
    CellGradient,
    MistakenGradientError,
    Trace,
    largest_magnitude,
    negligible,
)
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.heads import own_head
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.work.debounced_worker import DebouncedWorker
from attnviewer.ui.work.worker import NO_MEMORY

QUICK = 20_000_000
"""The most multiplications for a gradient that is computed in place."""
_PER_NUMBER = 8
"""As many multiplications take as long as to copy, and look through, one number."""
KEPT = 2**20
"""The most numbers of inputs whose gradients are kept without being shown."""
STRONGEST = 6
"""How many inputs with the largest gradients are kept."""


def cell_there(
    trace: Trace, step: str, position: Position | None, head: int
) -> Cell | None:
    """Return the cell at a position of a step, if it exists.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        A step.
    position : tuple of two int or None
        Row and column.
    head : int
        A query head.
    """
    if position is None or step not in trace:
        return None
    *heads, rows, columns = trace.shape(step)
    if position[0] >= rows or position[1] >= columns:
        return None
    own = (own_head(trace, step, head),) if heads else ()
    return Cell(step, (*own, *position))


@dataclass(slots=True, eq=False)
class Gradients:
    """Computes the gradient of one cell with respect to every input.

    Parameters
    ----------
    gradient : CellGradient or None
        Computes it; None for no cell.
    value : float
        The number in the cell: gradients that are only its rounding become 0.
    whole : bool
        Whether `on` is kept; it may be as large as all inputs.
    stopped : bool
        Set to cancel it.

    Attributes
    ----------
    on : mapping of str to ndarray
        The gradient by input; empty before it is computed, and unless it is kept.
    reach : float
        The largest magnitude of the finite gradients.
    strongest : sequence of (Cell, float)
        The inputs with the largest gradients.
    undefined : bool
        Whether a gradient is NaN, as after ∞ − ∞.
    """

    gradient: CellGradient | None
    value: float = 0.0
    whole: bool = True
    stopped: bool = False
    on: Mapping[str, Array] = field(default_factory=dict)
    reach: float = 0.0
    strongest: Sequence[tuple[Cell, float]] = ()
    undefined: bool = False

    def run(self) -> None:
        """Compute it.

        Raises
        ------
        MemoryError
            If there is too little of it.
        """
        if self.gradient is None:
            return
        gradient, self.gradient = self.gradient, None  # which holds copies
        limits = negligible(self.value, gradient.inputs, gradient.dtype)
        found: list[tuple[Cell, float]] = []
        for part in gradient.wholes() if self.whole else gradient.parts():
            if self.stopped:
                return
            numbers = part.numbers
            _clear(numbers, limits.get(part.matrix, 0.0))
            found += part.strongest(STRONGEST)
            self.reach = max(self.reach, largest_magnitude(numbers))
            self.undefined |= bool(np.isnan(numbers).any())
            if self.whole:
                self.on = {**self.on, part.matrix: numbers}
        self.strongest = sorted(found, key=lambda item: -abs(item[1]))[:STRONGEST]


def _clear(gradient: Array, limit: float) -> None:
    """Make numbers up to a limit zero, in place.

    Zeros are not written: where there is nothing else, NumPy has allocated no memory.
    """
    small = (-limit <= gradient) & (gradient <= limit)
    small &= (gradient != 0) | np.signbit(gradient)
    gradient[small] = 0


class Sensitivity(QObject):
    """The gradient of the selected cell, computed when it is read.

    A slow one is computed in a worker during a pause; until it is ready, the previous
    one is read. While an input is selected, the gradient is that of the computed cell
    selected before.
    """

    changed = Signal()
    """`read` would return another gradient now."""
    found = Signal()
    """A gradient from the worker is there, or the reason why there is none."""
    shown_changed = Signal(bool)
    """The input tables show it now, or no longer do."""

    def __init__(
        self, engine: Engine, selection: SelectionModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._selection = selection
        self._step = selection.step
        self._position: Position | None = None
        self._computed = engine.current
        self._known = Gradients(None)
        self._newest = False
        self._trouble = ""
        self._shown = self._whole = False
        self._worker = DebouncedWorker(self)
        self._worker.due.connect(self._start)
        self._worker.done.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._take_target()
        engine.computed.connect(self._on_computed)
        selection.cell_changed.connect(self._on_cell)
        selection.head_changed.connect(self._on_head)

    @property
    def shown(self) -> bool:
        """Whether the input tables show the gradient."""
        return self._shown

    def set_shown(self, shown: bool) -> None:
        """Show the gradient on the input tables, or stop showing it."""
        if shown != self._shown:
            self._shown = shown
            self.shown_changed.emit(shown)

    @property
    def target(self) -> Cell | None:
        """The cell whose gradient it is; None for one that may not be shown."""
        trace = self._engine.current.trace
        if not self._is_told:
            return None
        return cell_there(trace, self._step, self._position, self._selection.head)

    @property
    def trouble(self) -> str:
        """The reason why there is no gradient; "" if there is one or will be."""
        if not self._is_told:
            return self.tr("Hidden until you answer")
        return self._trouble

    @property
    def _is_told(self) -> bool:
        computed = self._engine.current
        return self._step not in computed.trace or computed.tells(self._step)

    @property
    def newest(self) -> bool:
        """Whether `read` returns the up-to-date gradient of `target`."""
        return self._newest and self._computed is self._engine.current

    def read(self, *, whole: bool = False) -> Gradients:
        """Return the newest available gradient; an empty one if there is none.

        If it is outdated, a new one is requested, and `found` is emitted once it is
        there.

        Parameters
        ----------
        whole : bool
            Whether the gradient on every input is wanted. Of many numbers, it is not
            kept otherwise, and has to be computed again.
        """
        self._leave_others()
        self._whole |= whole
        if not self._newest or (whole and not self._known.whole):
            if self._is_quick():
                self._compute()
            elif not self._worker.busy:
                self._worker.request()
        return self._known

    def on(self, matrix: str) -> Array | None:
        """Return the gradient for an input in the shape of its table, (rows, columns).

        None for masks, and while gradients are not shown.
        """
        gradient = self.read(whole=True).on.get(matrix) if self._shown else None
        return None if gradient is None else np.atleast_2d(gradient)

    def finish(self) -> None:
        """Wait for the requested gradient."""
        self._worker.finish()

    def close(self) -> None:
        """Stop the worker and wait for its thread."""
        self._give_up()
        self._worker.close()

    def _is_quick(self) -> bool:
        """Return whether it can be computed without a noticeable delay."""
        trace = self._engine.current.trace
        n = trace.shape(next(iter(trace)))[-2]
        work = 0
        for name, stage in trace.stages.items():
            if not stage.inputs:
                projects = stage.axes == ("features", "features")
                size = math.prod(trace.shape(name))
                work += size * (n if projects else _PER_NUMBER)
        return work <= QUICK

    def _prepared(self) -> Gradients:
        """Copy what the gradient needs; of many tokens it reads most in place."""
        target, trace = self.target, self._engine.current.trace
        if target is None:
            return Gradients(None)
        gradient = trace.cell_gradient(target.step, target.index)
        inputs = (name for name, stage in trace.stages.items() if not stage.inputs)
        size = sum(math.prod(trace.shape(name)) for name in inputs)
        return Gradients(gradient, trace.value(target), self._whole or size <= KEPT)

    def _compute(self) -> None:
        try:
            gradients = self._prepared()
            gradients.run()
        except MemoryError:
            self._take(Gradients(None), NO_MEMORY)
        except MistakenGradientError as error:
            self._take(Gradients(None), str(error))
        else:
            self._take(gradients)

    @Slot()
    def _start(self) -> None:
        try:
            job = self._prepared()
        except MemoryError:
            self._take(Gradients(None), NO_MEMORY)
            self._emit_changed()
        except MistakenGradientError as error:
            self._take(Gradients(None), str(error))
            self._emit_changed()
        else:
            self._worker.start(job)

    @Slot(object)
    def _on_done(self, job: Gradients) -> None:
        if self._engine.is_waiting or self._engine.is_behind:
            return  # an edit may have changed what it read
        self._take(job)
        self._emit_changed()

    @Slot(object, str)
    def _on_failed(self, _job: Gradients, reason: str) -> None:
        self._take(Gradients(None), reason)
        self._emit_changed()

    def _take(self, gradients: Gradients, trouble: str = "") -> None:
        self._known, self._trouble, self._newest = gradients, trouble, True

    def _emit_changed(self) -> None:
        self.changed.emit()
        self.found.emit()

    def _take_target(self) -> bool:
        """Take the selected computed cell, and return whether it is another one."""
        before = self._step, self._position
        step, trace = self._selection.step, self._engine.current.trace
        if step in trace and trace.stages[step].inputs:
            self._step, self._position = step, self._selection.cell
        return before != (self._step, self._position)

    def _leave_others(self) -> None:
        """Drop what belongs to another trace, of which others may learn first.

        The gradient stays if the cell does not depend on anything that has changed.
        """
        before, self._computed = self._computed, self._engine.current
        if before is self._computed:
            return
        target = self.target if self._newest else None
        if target is not None and self._computed.keeps(before, [target.step]):
            return
        self._give_up()
        shapes = {
            name: self._computed.trace.shape(name) for name in self._computed.trace
        }
        if any(shapes.get(n) != g.shape for n, g in self._known.on.items()):
            self._known = Gradients(None)

    def _give_up(self) -> None:
        self._worker.stop_all()
        self._newest, self._whole, self._trouble = False, False, ""

    def _forget(self) -> None:
        self._leave_others()
        self._give_up()
        self.changed.emit()

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self._leave_others()
        if self._take_target() or not self._newest:
            self._forget()

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: object) -> None:
        if self._take_target():
            self._forget()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self._forget()
