"""The steps that an input cell reaches, and where in them."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import IndexArray
from attnviewer.compute.changes import Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.trace import Trace


@dataclass(frozen=True, slots=True)
class Use:
    """A step that an input cell reaches.

    Parameters
    ----------
    step : str
        The step.
    rows, columns, heads : tuple of int or None
        Those that it reaches; None for all.
    """

    step: str
    rows: tuple[int, ...] | None = None
    columns: tuple[int, ...] | None = None
    heads: tuple[int, ...] | None = None


def used_by(trace: Trace, cell: Cell) -> list[Use]:
    """Return the steps that an input cell reaches, in the order of the computation.

    Parameters
    ----------
    trace : Trace
        The steps.
    cell : Cell
        A cell of an input.
    """
    shape = trace.matrix_shape(cell.step)
    positions = (0, 0, *cell.index)[-2:]
    # A single row or column, such as of a bias, may be broadcast to all.
    dirty = {
        cell.step: Dirty(
            *(
                None if n == 1 else np.array([k])
                for n, k in zip(shape, positions, strict=True)
            )
        )
    }
    uses = []
    for stage in trace.stages.values():
        reached = [dirty.get(name) for name in stage.inputs]
        if any(block is not None for block in reached):
            block = stage.reach(reached, trace.shape(stage.name))
            if block is None:
                continue
            dirty[stage.name] = block
            reach = (block.rows, block.columns, block.heads)
            uses.append(Use(stage.name, *map(_positions, reach)))
    return uses


def _positions(positions: IndexArray | None) -> tuple[int, ...] | None:
    return None if positions is None else tuple(positions.tolist())
