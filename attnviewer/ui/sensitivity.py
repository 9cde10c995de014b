"""How much each input moves the selected cell."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Array, Cell, Trace
from attnviewer.ui.engine import Computed, Engine
from attnviewer.ui.heads import own_head
from attnviewer.ui.selection import Position, SelectionModel

QUICK = 20_000_000
"""Products of numbers with weights that are computed between two edits."""


def cell_there(
    trace: Trace, step: str, position: Position | None, head: int
) -> Cell | None:
    """Return the cell at a position of a step, if there is one.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        A step.
    position : tuple of two int or None
        Row and column.
    head : int
        A head of the queries.
    """
    if position is None or step not in trace:
        return None
    *heads, rows, columns = trace.shape(step)
    if position[0] >= rows or position[1] >= columns:
        return None
    own = (own_head(trace, step, head),) if heads else ()
    return Cell(step, (*own, *position))


class Sensitivity(QObject):
    """The gradient of the selected cell on every input, computed where it is read.

    While an input is selected, it is that of the computed cell that was selected
    before. Nothing of it outlives the trace that it belongs to.

    Parameters
    ----------
    engine : Engine
        Whose newest trace is read.
    selection : SelectionModel
        What is selected.
    parent : QObject, optional
        Qt's owner.
    """

    changed = Signal()
    """Another gradient would be read now."""
    shown_changed = Signal(bool)
    """The input tables show it from now on, or no more."""

    def __init__(
        self, engine: Engine, selection: SelectionModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._selection = selection
        self._step = selection.step
        self._position: Position | None = None
        self._computed = engine.current
        self._gradients: dict[str, Array] | None = None
        self._reach: float | None = None
        self._shown = False
        self._take_target()
        engine.computed.connect(self._on_computed)
        selection.cell_changed.connect(self._on_cell)
        selection.head_changed.connect(self._on_head)

    @property
    def shown(self) -> bool:
        """Whether the input tables show the gradient."""
        return self._shown

    def set_shown(self, shown: bool) -> None:
        """Show the gradient on the input tables, or their own look."""
        if shown != self._shown:
            self._shown = shown
            self.shown_changed.emit(shown)

    @property
    def target(self) -> Cell | None:
        """The cell whose gradient it is."""
        trace = self._engine.current.trace
        return cell_there(trace, self._step, self._position, self._selection.head)

    @property
    def quick(self) -> bool:
        """Whether it takes no longer than an eye sees to compute."""
        self._leave_others()
        trace = self._engine.current.trace
        n = trace.shape(next(iter(trace)))[-2]
        weights = sum(
            int(np.prod(trace.shape(name)))
            for name, stage in trace.stages.items()
            if not stage.inputs and stage.axes == ("features", "features")
        )
        return self._gradients is not None or n * weights <= QUICK

    def gradients(self) -> Mapping[str, Array]:
        """Return the gradient on every input; nothing without a cell."""
        self._leave_others()
        target = self.target
        if self._gradients is None:
            trace = self._engine.current.trace
            found = {} if target is None else trace.gradient(target.step, target.index)
            self._gradients = found
        return self._gradients

    def reach(self) -> float:
        """Return the largest finite gradient of all inputs, by magnitude."""
        self._leave_others()
        if self._reach is None:
            sizes = (np.abs(gradient) for gradient in self.gradients().values())
            self._reach = max(
                (float(np.max(s, where=np.isfinite(s), initial=0)) for s in sizes),
                default=0.0,
            )
        return self._reach

    def on(self, matrix: str) -> Array | None:
        """Return the gradient on an input as its table has it, (rows, columns).

        None where none is to be shown: for masks, or while it is not shown at all.
        """
        gradient = self.gradients().get(matrix) if self._shown else None
        return None if gradient is None else np.atleast_2d(gradient)

    def _take_target(self) -> None:
        step, trace = self._selection.step, self._engine.current.trace
        if step in trace and trace.stages[step].inputs:
            self._step, self._position = step, self._selection.cell

    def _leave_others(self) -> None:
        """Let go of what belongs to another trace, which others may hear of first."""
        if self._computed is not self._engine.current:
            self._computed = self._engine.current
            self._gradients = self._reach = None

    def _forget(self) -> None:
        self._gradients = self._reach = None
        self.changed.emit()

    @Slot(object)
    def _on_computed(self, _computed: Computed) -> None:
        self._take_target()
        self._forget()

    @Slot(str, object)
    def _on_cell(self, _step: str, _cell: object) -> None:
        before = self._step, self._position
        self._take_target()
        if before != (self._step, self._position):
            self._forget()

    @Slot(int)
    def _on_head(self, _head: int) -> None:
        self._forget()
