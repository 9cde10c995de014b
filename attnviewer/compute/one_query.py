"""How much each input moves one cell, at the cost of one query's row.

Every step from the comparison on has a row per query, and none of them mixes the
rows. So one row of each is enough, and nothing of n × n numbers is computed.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.gradients import add_up, backward
from attnviewer.compute.stages import ApplyMask, Comparison, PointWise, Stage
from attnviewer.compute.steps import StepReader


def cell_gradient(steps: StepReader, step: str, index: Index) -> dict[str, Array]:
    """Return the gradient of one cell on every input, see `gradients.backward`.

    Parameters
    ----------
    steps : StepReader
        All steps.
    step : str
        The cell's step.
    index : tuple of int
        The cell.
    """
    stages = tuple(steps.stages.values())
    (first,) = (k for k, s in enumerate(stages) if isinstance(s, Comparison))
    dtype = steps[stages[0].name].dtype
    if step in {stage.name for stage in stages[first:]}:
        *lead, query, column = index
        shape = steps.shape(step)
        on_row = np.zeros((*shape[:-2], 1, shape[-1]), dtype)  # (..., 1, columns)
        on_row[(*lead, 0, column)] = 1
        on = _Row(steps, stages[first:], query).backward({step: on_row})
        return backward(stages[:first], steps, on)
    on_step = np.zeros(steps.shape(step), dtype)
    on_step[index] = 1
    return backward(stages[:first], steps, {step: on_step})


class _Row:
    """The steps from the comparison on, with one query's row of each.

    Parameters
    ----------
    steps : StepReader
        All steps.
    stages : sequence of Stage
        Those from the comparison on.
    query : int
        The query, counted from zero.
    """

    def __init__(self, steps: StepReader, stages: Sequence[Stage], query: int) -> None:
        self._steps = steps
        self._stages = stages
        self._query = query
        self._names = {stage.name for stage in stages}

    def backward(self, on: dict[str, Array]) -> dict[str, Array]:
        """Return the gradients on the steps before, whole, from those on rows."""
        for stage in reversed(self._stages):
            if stage.name not in on:
                continue
            inputs = [
                self._row_of(name) if self._is_row(stage, place) else self._steps[name]
                for place, name in enumerate(stage.inputs)
            ]
            output = self._row_of(stage.name)
            # Masks hide by place, and a row does not know its own.
            moved = (
                stage.of_query(self._query) if isinstance(stage, ApplyMask) else stage
            )
            parts = moved.backward(inputs, output, on.pop(stage.name))
            add_up(on, self._passed_on(stage, parts))
        return on

    def _is_row(self, stage: Stage, place: int) -> bool:
        """Tell whether a stage takes one row alone of an input."""
        name = stage.inputs[place]
        if name in self._names:
            return True
        if isinstance(stage, PointWise):  # bias or mask, which may be one row for all
            return self._steps.shape(name)[-2:-1] not in ((), (1,))
        return isinstance(stage, Comparison) and place == 0

    def _row_of(self, step: str) -> Array:
        return self._steps.rows(step, slice(self._query, self._query + 1))

    def _passed_on(
        self, stage: Stage, parts: Sequence[Array | None]
    ) -> Iterator[tuple[str, Array | None]]:
        """Yield the gradients on a stage's inputs: on steps before it, whole ones."""
        for place, (name, part) in enumerate(zip(stage.inputs, parts, strict=True)):
            if part is None or name in self._names or not self._is_row(stage, place):
                yield name, part
                continue
            whole = np.zeros(self._steps.shape(name), part.dtype)  # (..., n_q, columns)
            whole[..., self._query, :] = part[..., 0, :]
            yield name, whole
