"""The numbers that a program's steps are checked against, and the tolerance."""

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from attnviewer.compute import Array, Cell, Shape, Stage, Trace, run
from attnviewer.compute.stages import squares_fit
from attnviewer.io.export.program.literals import WRITTEN, nested_code
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.weights_code import ScoreRows

TOLERANCES = {8: 1e-12, 4: 1e-5, 2: 2e-2}
"""Relative to each number and to a step's largest, by item size of the dtype."""
_MOST = 1e6  # factor at most, where a step is ill-conditioned
_CELLS = 64
_BLOCK = 2**22  # numbers to read at a time
_ROWS = 64  # rows of a large step on which rounding is measured


class Expected:
    """The numbers of a trace that a program is checked against.

    The tolerance is measured: the steps are computed again with every input off by
    about a unit in its last place, and the tolerance of a step that moves by more than
    rounding grows in proportion.

    Parameters
    ----------
    trace : Trace
        The steps.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self.stages: Mapping[str, Stage] = trace.stages
        self.pipeline = trace.pipeline
        self._rows: dict[str, ScoreRows] = {}

    @property
    def tolerance(self) -> float:
        """The tolerance of a well-conditioned step."""
        return TOLERANCES[self._dtype.itemsize]

    def shape(self, step: str) -> Shape:
        """Return the shape of a step."""
        return self._trace.shape(step)

    def squares_fit(self, step: str) -> bool:
        """Return whether no square of a step leaves the range of numbers."""
        return all(squares_fit(block) for block in _blocks(self._trace, step))

    def rows(self, stage: Stage) -> ScoreRows:
        """Return the properties of the scores that a stage normalises.

        Raises
        ------
        ValueError
            If they leave the range of their type.
        """
        if stage.name not in self._rows:
            self._rows[stage.name] = self._read_rows(stage)
        return self._rows[stage.name]

    def _read_rows(self, stage: Stage) -> ScoreRows:
        step, *sinks = stage.inputs
        hidden = blind = False
        for block in _blocks(self._trace, step):
            lowest = block.min(axis=-1)  # (..., rows)
            largest = block.max(axis=-1)  # (..., rows)
            # A row with NaN has no largest number either.
            if not (largest < np.inf).all():
                raise ValueError(
                    f"The '{step}' must hold finite numbers or −inf to be computed by "
                    "a program. Got numbers beyond the range instead."
                )
            hidden |= bool(np.isneginf(lowest).any())
            blind |= bool(np.isneginf(largest).any())
        idle = undefined = False
        for block in self._computed(stage):
            idle |= not block.any(axis=-1).all()
            undefined |= bool(np.isnan(block).any())
        n_keys = self.shape(step)[-1]
        ones = "-1, 1, 1" if len(self.shape(step)) > 2 else "1, 1"
        sink = f"{variable(sinks[0])}.reshape({ones})" if sinks else ""
        return ScoreRows(variable(step), n_keys, hidden, blind, idle, undefined, sink)

    def _computed(self, stage: Stage) -> Iterator[Array]:
        """Yield a step before its pins as blocks of rows."""
        if stage.pins is None:
            yield from _blocks(self._trace, stage.name)
        else:
            yield self._trace.computed(stage.name)

    def check(self, step: str) -> str:
        """Return the line that checks a step against its numbers."""
        name = variable(step)
        tolerance = repr(self._tolerance(step))
        if not self._is_large(step):
            numbers = nested_code(self._trace[step])
            return f'check("{step}", {name}, {numbers}, {tolerance})'
        finite, total, size, *cells = _summary(self._trace, step)
        written = nested_code(np.array(cells))
        return (
            f'check_summary(\n    "{step}",\n    {name},\n    {int(finite)},\n'
            f"    {total!r},\n    {size!r},\n    {written},\n    {tolerance},\n)"
        )

    def check_same(self, name: str, step: str) -> str:
        """Return the line that checks a variable against a step."""
        return f'check("{name}", {name}, {variable(step)}, {self._tolerance(step)!r})'

    def _is_large(self, step: str) -> bool:
        return math.prod(self.shape(step)) > WRITTEN

    def _tolerance(self, step: str) -> float:
        tolerance, dtype = self.tolerance, self._dtype
        mine, other = self._trace, self._moved
        moved = spread = 0.0
        pairs = zip(_some_rows(mine, step), _some_rows(other, step), strict=True)
        for block, also in pairs:
            finite = np.isfinite(block) & np.isfinite(also)
            apart = np.abs(block[finite].astype(float) - also[finite])
            moved = max(moved, float(apart.max(initial=0)))
            spread = max(spread, float(np.abs(block[finite]).max(initial=0)))
        if not spread:
            return tolerance
        rounding = 16 * float(np.finfo(dtype).eps)
        factor = min(max(1.0, moved / spread / rounding), _MOST)
        # A power of ten, so that a document gives the same program on every machine.
        return tolerance * 10.0 ** math.ceil(math.log10(factor))

    @cached_property
    def _dtype(self) -> "np.dtype[np.floating[Any]]":
        return self._trace.window(self.pipeline.weights, slice(0, 1), slice(0, 1)).dtype

    @cached_property
    def _moved(self) -> Trace:
        """The steps from inputs that are off by about their last digit."""
        trace = self._trace
        rng = np.random.default_rng(0)
        inputs = {}
        for name in trace.spec.input_names:
            values = trace[name]
            if name != "mask":
                signs = rng.choice([-1, 1], values.shape).astype(values.dtype)
                values = values * (1 + signs * np.finfo(values.dtype).eps)
            inputs[name] = values
        return run(trace.spec, inputs)


def _blocks(trace: Trace, step: str) -> Iterator[Array]:
    """Yield a step as blocks of rows of all its heads."""
    shape = trace.shape(step)
    if math.prod(shape) <= _BLOCK or len(shape) < 2:
        yield trace[step]
        return
    size = max(1, _BLOCK * shape[-2] // math.prod(shape))
    for first in range(0, shape[-2], size):
        yield trace.rows(step, slice(first, min(first + size, shape[-2])))


def _some_rows(trace: Trace, step: str) -> Iterator[Array]:
    """Yield a step, or a sample of rows if it is large."""
    shape = trace.shape(step)
    if math.prod(shape) <= _BLOCK:
        yield trace[step]
        return
    for k in range(_ROWS):
        row = k * (shape[-2] - 1) // (_ROWS - 1)
        yield trace.rows(step, slice(row, row + 1))


def _summary(trace: Trace, step: str) -> list[float]:
    """Return the count of finite numbers, two sums of them, and some cells."""
    finite, total, size = 0, 0.0, 0.0
    for block in _blocks(trace, step):
        kept = (
            block
            if np.isfinite(block.sum(dtype=np.float64))
            else block[np.isfinite(block)]
        )
        finite += kept.size
        total += float(kept.sum(dtype=np.float64))
        size += float(np.abs(kept).sum(dtype=np.float64))
    shape = trace.shape(step)
    last = math.prod(shape) - 1
    flat_indices = [k * last // (_CELLS - 1) for k in range(_CELLS)]
    indices = (np.unravel_index(flat_index, shape) for flat_index in flat_indices)
    cells = [trace.value(Cell(step, tuple(int(k) for k in index))) for index in indices]
    return [finite, total, size, *cells]
