"""The gradient of one cell on every input, at the cost of one query's row.

Every step from the comparison on has a row per query, and none mixes the rows. So one
row of each is enough, and no n × n array is computed.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, Index
from attnviewer.compute.gradients import add_up, backward
from attnviewer.compute.stages import Stage
from attnviewer.compute.steps import StepReader


class CellGradient:
    """A gradient of one cell on every input that is yet to be computed.

    The numbers it needs are copied on construction: matrices with a row per token, and
    one row of each step with a row per query. So `compute` may run in another thread
    while the steps change.

    Parameters
    ----------
    steps : StepReader
        All steps.
    step : str
        The cell's step.
    index : tuple of int
        The cell.
    """

    def __init__(self, steps: StepReader, step: str, index: Index) -> None:
        stages = tuple(steps.stages.values())
        self._early = steps.pipeline.before
        self._late = stages[len(self._early) :]
        self._late_names = {stage.name for stage in self._late}
        self._step, self._index = step, index
        self._shapes = {name: steps.shape(name) for name in steps}
        self._dtype = steps.dtype
        # Of inputs that the cell does not depend on, only shape and type are needed.
        self._wholes = {
            stage.name: np.broadcast_to(
                np.zeros((), self._type(steps[stage.name])), self._shapes[stage.name]
            )
            for stage in self._early
            if not stage.inputs
        }
        self._rows: dict[str, Array] = {}
        self._copy(steps)

    @property
    def inputs(self) -> dict[str, Array]:
        """The copied numbers of inputs; of some, those of the cell's query alone."""
        stages = (*self._early, *self._late)
        copied = self._wholes | self._rows
        return {
            s.name: copied[s.name] for s in stages if not s.inputs and s.name in copied
        }

    def compute(self) -> dict[str, Array]:
        """Return the gradient on every input, see `gradients.backward`."""
        with np.errstate(all="ignore"):
            if self._step not in self._late_names:
                on_step = np.zeros(self._shapes[self._step], self._dtype)
                on_step[self._index] = 1
                return backward(self._early, self._wholes, {self._step: on_step})
            *lead, _, column = self._index
            shape = self._shapes[self._step]
            on_row = np.zeros((*shape[:-2], 1, shape[-1]), self._dtype)  # (…, 1, cols)
            on_row[(*lead, 0, column)] = 1
            on = self._backward({self._step: on_row})
            return backward(self._early, self._wholes, on)

    def _copy(self, steps: StepReader) -> None:
        """Copy the numbers that backpropagation from the cell will read."""
        reached = {self._step}
        whole: set[str] = set()
        rows: set[str] = set()
        for stage in reversed((*self._early, *self._late)):
            if stage.name not in reached or not stage.inputs:
                continue
            reached.update(stage.inputs)
            late = stage.name in self._late_names
            (rows if late else whole).add(stage.name)
            for number, name in enumerate(stage.inputs):
                of_row = late and self._is_row(stage, number)
                (rows if of_row else whole).add(name)
        self._wholes |= {name: self._copied(steps[name]) for name in whole}
        if rows:
            query = slice(self._query, self._query + 1)
            self._rows |= {n: self._copied(steps.rows(n, query)) for n in rows}

    def _copied(self, numbers: Array) -> Array:
        return np.array(numbers, self._type(numbers))

    def _type(self, numbers: Array) -> "np.dtype[Any]":
        """Return the type to compute with: inputs may be stored in another one."""
        return numbers.dtype if numbers.dtype == np.bool_ else self._dtype

    @property
    def _query(self) -> int:
        """The cell's query, counted from zero, for steps with a row per query."""
        return self._index[-2]

    def _backward(self, on: dict[str, Array]) -> dict[str, Array]:
        """Return the whole gradients on earlier steps from those on single rows."""
        for stage in reversed(self._late):
            if stage.name not in on:
                continue
            inputs = [
                self._rows[name] if self._is_row(stage, number) else self._wholes[name]
                for number, name in enumerate(stage.inputs)
            ]
            output = self._rows[stage.name]
            # Masks depend on the position of the row, which a single row has lost.
            parts = stage.from_query(self._query).backward(
                inputs, output, on.pop(stage.name)
            )
            add_up(on, self._passed_on(stage, parts))
        return on

    def _is_row(self, stage: Stage, number: int) -> bool:
        """Return whether a stage reads only one row of an input."""
        name = stage.inputs[number]
        return name in self._late_names or stage.takes_row(number, self._shapes[name])

    def _passed_on(
        self, stage: Stage, parts: Sequence[Array | None]
    ) -> Iterator[tuple[str, Array | None]]:
        """Yield the gradients on a stage's inputs, scattered from rows where needed."""
        for number, (name, part) in enumerate(zip(stage.inputs, parts, strict=True)):
            if (
                part is None
                or name in self._late_names
                or not self._is_row(stage, number)
            ):
                yield name, part
                continue
            whole = np.zeros(self._shapes[name], part.dtype)  # (…, n_q, columns)
            whole[..., self._query, :] = part[..., 0, :]
            yield name, whole
