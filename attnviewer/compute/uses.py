"""What an input cell is used for: the steps that it reaches, and where in them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Places
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.expression import Cell
from attnviewer.compute.stages import (
    Comparison,
    Mix,
    Normalize,
    PointWise,
    Stage,
    Stored,
)
from attnviewer.compute.trace import Trace


@dataclass(frozen=True, slots=True)
class Use:
    """A step that an input cell reaches.

    Parameters
    ----------
    step : str
        The step.
    rows, columns, heads : tuple of int or None
        Which of them it reaches; None for all.
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
    shape = (1, *trace.shape(cell.step))[-2:]
    places = (0, *cell.index)[-2:]
    # A single row or column, as of a bias, may serve all.
    dirty = {
        cell.step: Dirty(
            *(
                None if n == 1 else np.array([k])
                for n, k in zip(shape, places, strict=True)
            )
        )
    }
    uses = []
    for stage in trace.stages.values():
        reached = [dirty.get(name) for name in stage.inputs]
        if any(block is not None for block in reached):
            block = _reach(trace, stage, reached)
            if block is None:
                continue
            dirty[stage.name] = block
            reach = (block.rows, block.columns, block.heads)
            uses.append(Use(stage.name, *map(_places, reach)))
    return uses


def _reach(trace: Trace, stage: Stage, reached: Sequence[Dirty | None]) -> Dirty | None:
    if isinstance(stage, Stored):
        return stage.reach(reached, trace.shape(stage.name))
    if isinstance(stage, Comparison):
        return stage.reach(reached)
    if isinstance(stage, PointWise):
        return union(reached) or EVERYTHING
    if isinstance(stage, Normalize):
        # What a row holds depends on the whole row.
        (block,) = (b for b in reached if b is not None)
        return Dirty(rows=block.rows, heads=block.heads)
    assert isinstance(stage, Mix)
    weights, values = reached
    by_weights = None if weights is None else Dirty(weights.rows, None, weights.heads)
    by_values = None if values is None else Dirty(None, values.columns)
    return union([by_weights, by_values]) or EVERYTHING


def _places(places: Places | None) -> tuple[int, ...] | None:
    return None if places is None else tuple(places.tolist())
