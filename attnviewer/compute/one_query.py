"""The gradient of one cell on every input, at the cost of one query's row.

Every step from the comparison on has a row per query, and none mixes the rows. So one
row of each is enough, and no n × n array is computed. The steps before it are computed
for some tokens at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index
from attnviewer.compute.early_steps import EarlySteps, has_row_per_token
from attnviewer.compute.expression import Cell
from attnviewer.compute.gradients import add_up, backward, strongest
from attnviewer.compute.stages import Stage
from attnviewer.compute.steps import StepReader
from attnviewer.compute.windowed.strips import strips

TOKENS = 2048
"""The most tokens whose queries, keys and values are computed at a time."""

_quiet = np.errstate(all="ignore")


class GradientPart(NamedTuple):
    """The gradient on an input, or on some of its rows.

    Parameters
    ----------
    matrix : str
        The input.
    rows : slice
        The rows.
    numbers : ndarray, shape (..., rows, columns)
        The gradient on these.
    """

    matrix: str
    rows: slice
    numbers: Array

    def strongest(self, count: int) -> list[tuple[Cell, float]]:
        """Return the cells of the input with the largest numbers, and these."""
        found = strongest({self.matrix: self.numbers}, count)
        first = self.rows.start
        if first is None:
            return found
        return [
            (Cell(self.matrix, (*lead, first + row, column)), number)
            for cell, number in found
            for *lead, row, column in (cell.index,)
        ]


@dataclass(frozen=True, slots=True)
class _Late:
    """What the steps from the scores on pass back to those before.

    Parameters
    ----------
    on_rows : dict of str to ndarray
        The gradient on the cell's row of steps, (..., 1, columns).
    on_wholes : dict of str to ndarray
        The gradient on steps as a whole.
    by_keys : list of (Stage, ndarray)
        Stages whose gradient on the keys is yet to be computed, each with the gradient
        on its row.
    """

    on_rows: dict[str, Array] = field(default_factory=dict)
    on_wholes: dict[str, Array] = field(default_factory=dict)
    by_keys: list[tuple[Stage, Array]] = field(default_factory=list)


class CellGradient:
    """A gradient of one cell on every input that is yet to be computed.

    The numbers it needs are copied on construction: inputs with a row per token, and
    one row of each step with a row per query. So it may be computed in another thread
    while the steps change. Of many tokens, inputs with a row per token are read in
    place, some rows at a time: after an edit of those, the gradient is to be discarded.

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
        self._mix, self._scores = steps.pipeline.mix, steps.pipeline.scores
        self._early = steps.pipeline.before
        self._late = stages[len(self._early) :]
        self._late_names = {stage.name for stage in self._late}
        self._step, self._index = step, index
        self._shapes = {name: steps.shape(name) for name in steps}
        self._dtype = steps.dtype
        # Of inputs that the cell does not depend on, only shape and type are needed.
        self._inputs = {
            stage.name: np.broadcast_to(
                np.zeros((), self._type(steps[stage.name])), self._shapes[stage.name]
            )
            for stage in self._early
            if not stage.inputs
        }
        self._with_tokens = {
            stage.name
            for stage in self._early
            if has_row_per_token(stage, self._shapes[stage.name])
        }
        self._reached = {step}
        self._rows: dict[str, Array] = {}
        self._copies: dict[str, Array] = {}
        self._copy(steps)

    @property
    def inputs(self) -> dict[str, Array]:
        """The numbers of inputs; of some, those of the cell's query alone."""
        numbers = self._inputs | self._rows
        return {name: numbers[name] for name in self._inputs}

    @property
    def dtype(self) -> "np.dtype[Any]":
        """The type that it is computed in."""
        return self._dtype

    def compute(self) -> dict[str, Array]:
        """Return the gradient on every input, see `gradients.backward`."""
        return {name: numbers for name, _, numbers in self.wholes()}

    def wholes(self) -> Iterator[GradientPart]:
        """Yield the gradient on every input as a whole."""
        found: dict[str, Array] = {}
        for name, rows, numbers in self.parts():
            if rows == ALL:
                found[name] = numbers
                continue
            if name not in found:
                found[name] = np.zeros(self._shapes[name], numbers.dtype)
            found[name][..., rows, :] = numbers
        for name in self._inputs:
            if name in found:
                yield GradientPart(name, ALL, found.pop(name))

    def parts(self) -> Iterator[GradientPart]:
        """Yield the gradient on every input, where there are many tokens in parts.

        Rows that are left out are zero.
        """
        late = self._through_late()
        sums: dict[str, Array] = {}
        for tokens in self._blocks:
            for name, numbers in self._through_early(late, tokens).items():
                if name in self._with_tokens:
                    yield GradientPart(name, tokens, numbers)
                else:
                    add_up(sums, [(name, numbers)])
        yield from (GradientPart(name, ALL, sums[name]) for name in sums)

    def _copy(self, steps: StepReader) -> None:
        """Copy the numbers that backpropagation from the cell will read."""
        whole: set[str] = set()
        rows: set[str] = set()
        for stage in reversed((*self._early, *self._late)):
            if stage.name not in self._reached or not stage.inputs:
                continue
            self._reached.update(stage.inputs)
            late = stage.name in self._late_names
            (rows if late else whole).add(stage.name)
            for number, name in enumerate(stage.inputs):
                of_row = late and self._is_row(stage, number)
                (rows if of_row else whole).add(name)
        in_place = self._with_tokens if len(self._blocks) > 1 else frozenset()
        for name in whole & self._inputs.keys():
            numbers = steps[name]
            self._inputs[name] = numbers if name in in_place else self._copied(numbers)
        if len(self._blocks) == 1:  # copies are faster than computing them again
            computed = whole - self._inputs.keys()
            self._copies = {name: self._copied(steps[name]) for name in computed}
        if rows:
            query = slice(self._place, self._place + 1)
            self._rows = {n: self._copied(steps.rows(n, query)) for n in rows}

    def _copied(self, numbers: Array) -> Array:
        return np.array(numbers, self._type(numbers))

    def _type(self, numbers: Array) -> "np.dtype[Any]":
        """Return the type to compute with: inputs may be stored in another one."""
        return numbers.dtype if numbers.dtype == np.bool_ else self._dtype

    @property
    def _place(self) -> int:
        """The cell's row, counted from zero."""
        return self._index[-2]

    @cached_property
    def _blocks(self) -> list[slice]:
        """The tokens that are computed at a time; all, where a stage needs them."""
        n = max(self._shapes[self._scores][-2], self._shapes[self._mix.inputs[1]][-2])
        apart = all(
            (stage.takes_keys if stage.name in self._late_names else stage.reads_rows)
            and stage.pins is None
            for stage in (*self._early, *self._late)
            if stage.name in self._reached and self._reads_tokens(stage)
        )
        return list(strips(slice(0, n), TOKENS)) if apart and n > TOKENS else [ALL]

    def _reads_tokens(self, stage: Stage) -> bool:
        """Return whether a stage reads several rows of a step before the scores."""
        return any(
            name in self._with_tokens
            and not (stage.name in self._late_names and self._is_row(stage, number))
            for number, name in enumerate(stage.inputs)
        )

    def _is_row(self, stage: Stage, number: int) -> bool:
        """Return whether a stage reads only one row of an input."""
        name = stage.inputs[number]
        return name in self._late_names or stage.takes_row(number, self._shapes[name])

    def _at(self, tokens: slice) -> EarlySteps:
        """Return the steps before the scores for some tokens."""
        first = tokens.start or 0
        stages = [
            stage.from_row(first)
            if first and stage.name in self._with_tokens
            else stage
            for stage in self._early
        ]
        inputs = {
            name: np.asarray(array[..., tokens, :], self._type(array))
            if name in self._with_tokens
            else array
            for name, array in self._inputs.items()
        }
        return EarlySteps(stages, inputs)

    @cached_property
    def _of_all(self) -> EarlySteps:
        """The steps before the scores for all tokens, or those without tokens."""
        steps = self._at(ALL if len(self._blocks) == 1 else slice(0, 0))
        steps.update(self._copies)
        return steps

    @_quiet
    def _through_late(self) -> _Late:
        """Return the gradient on the steps before the scores."""
        late = _Late()
        on = self._on_cell(late)
        for stage in reversed(self._late):
            if stage.name not in on:
                continue
            own = on[stage.name]
            if len(self._blocks) > 1 and self._reads_tokens(stage):
                late.by_keys.append((stage, own))
                parts = self._over_keys(stage, own)
            else:
                inputs = [
                    (self._rows if self._is_row(stage, number) else self._of_all)[name]
                    for number, name in enumerate(stage.inputs)
                ]
                parts = self._passed_back(stage, inputs, self._rows[stage.name], own)
            for number, part in enumerate(parts):
                name = stage.inputs[number]
                of_row = self._is_row(stage, number)
                earlier = late.on_rows if of_row else late.on_wholes
                add_up(on if name in self._late_names else earlier, [(name, part)])
        return late

    def _on_cell(self, late: _Late) -> dict[str, Array]:
        """Return the gradient on late steps: 1 in the cell, if it is in one of them."""
        shape = self._shapes[self._step]
        if self._step not in self._late_names and self._step not in self._with_tokens:
            late.on_wholes[self._step] = np.zeros(shape, self._dtype)
            late.on_wholes[self._step][self._index] = 1
            return {}
        on_row = np.zeros((*shape[:-2], 1, shape[-1]), self._dtype)  # (…, 1, columns)
        on_row[(*self._index[:-2], 0, self._index[-1])] = 1
        if self._step in self._late_names:
            return {self._step: on_row}
        late.on_rows[self._step] = on_row
        return {}

    def _passed_back(
        self, stage: Stage, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        """Return the gradient on the inputs of a late stage, given that on its row."""
        # Masks depend on the position of the row, which a single row has lost.
        return stage.from_row(self._place).backward(inputs, output, gradient)

    def _over_keys(self, stage: Stage, gradient: Array) -> Sequence[Array | None]:
        """Return the gradient on the other inputs of a stage, summed over all keys."""
        firsts: list[Any] = []
        others: list[Sequence[Any]] = []
        for tokens in self._blocks:
            first, _, *more = self._of_keys(stage, gradient, tokens, self._at(tokens))
            firsts.append(first)
            others.append(more)
        joined = np.concatenate(firsts, axis=-1) if stage is self._mix else sum(firsts)
        return [joined, None, *(sum(other) for other in zip(*others, strict=True))]

    def _of_keys(
        self, stage: Stage, gradient: Array, keys: slice, early: EarlySteps
    ) -> Sequence[Array | None]:
        """Return what some of its keys contribute to the gradient on its inputs."""
        first, own, *others = stage.inputs
        left, output = self._rows[first], self._rows[stage.name]
        if stage is self._mix:
            left = left[..., keys]
        else:
            output, gradient = output[..., keys], gradient[..., keys]
        inputs = [left, early[own], *(self._of_all[name] for name in others)]
        return self._passed_back(stage, inputs, output, gradient)

    @_quiet
    def _through_early(self, late: _Late, tokens: slice) -> dict[str, Array]:
        """Return the gradient on every input, in the rows of some tokens."""
        early = self._at(tokens) if len(self._blocks) > 1 else self._of_all
        first = tokens.start or 0
        on: dict[str, Array] = dict(late.on_wholes) if not first else {}
        for stage, gradient in late.by_keys:
            part = self._of_keys(stage, gradient, tokens, early)[1]
            add_up(on, [(stage.inputs[1], part)])
        for name, part in late.on_rows.items():
            if tokens == ALL or tokens.start <= self._place < tokens.stop:
                own = np.zeros(early[name].shape, part.dtype)  # (..., tokens, columns)
                own[..., self._place - first, :] = part[..., 0, :]
                add_up(on, [(name, own)])
        return backward(early.stages, early, on)
