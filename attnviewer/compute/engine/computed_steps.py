"""Steps before the scores that are computed when they are read."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from threading import RLock
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute.arrays import ALL, Array, Index, Part, Selection, Shape, count
from attnviewer.compute.changes import Dirty
from attnviewer.compute.engine.storing import are_stored
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.stages import Stage, Stored
from attnviewer.compute.windowed.strips import AT_ONCE, strips

_computing = RLock()
"""Held by the thread that computes a matrix, and those that it is made of."""


@dataclass(eq=False)
class ComputedStep(ABC):
    """A stand-in for the array of a step, for stages that read its rows.

    Parameters
    ----------
    stage : Stored
        The stage, one that `reads_rows`.
    steps : mapping of str to ndarray
        Where its inputs are read.
    shape : tuple of int
        Its shape.
    dtype : dtype
        The type of its numbers.
    """

    stage: Stored
    steps: Mapping[str, Array]
    shape: Shape
    dtype: "np.dtype[Any]"

    def __post_init__(self) -> None:
        self._whole = self.shape

    @property
    def ndim(self) -> int:
        """How many axes it has."""
        return len(self.shape)

    def __array__(
        self, dtype: DTypeLike | None = None, copy: bool | None = None
    ) -> Array:
        whole: Array = self[..., ALL, ALL]
        return whole.astype(self.dtype if dtype is None else dtype, copy=False)

    @abstractmethod
    def __getitem__(self, index: tuple[Any, ...]) -> Any:
        """Return the matrices at an index, or ``[..., rows, columns]`` of all."""

    def window(self, part: Part) -> Array:
        """Return a part without storing more, shape (..., rows, columns)."""
        with np.errstate(all="ignore"):
            return self._compute(part.lead, part.rows)[..., part.columns]

    @abstractmethod
    def update(self, reached: Dirty) -> None:
        """Follow a change of the inputs, where it reaches the step."""

    def _compute(self, lead: Index, rows: Selection) -> Array:
        """Return some rows of the matrices at `lead`, shape (..., rows, columns)."""
        if 0 < len(lead) < len(self._whole) - 2:
            # Pins of one head need to know the head of each matrix.
            heads = range(self._whole[len(lead)])
            return np.stack([self._compute((*lead, head), rows) for head in heads])
        inputs = (self.steps[name] for name in self.stage.inputs)
        *axes, n_rows, n_columns = self._whole
        shape = *axes[len(lead) :], count(rows, n_rows), n_columns
        out = np.empty(shape, self.dtype)
        computed = self.stage.forward(Part(lead, rows), *inputs, out=out)
        return computed.astype(self.dtype, copy=False)


class ComputedRows(ComputedStep):
    """A step of which nothing is stored: its rows are computed with each reading."""

    _lead: Index = ()

    def __getitem__(self, index: tuple[Any, ...]) -> Any:
        if Ellipsis not in index:
            matrices = copy(self)
            matrices._lead, matrices.shape = index, self.shape[len(index) :]
            return matrices
        _, rows, columns = index
        return self._compute(self._lead, rows)[..., columns]

    def update(self, reached: Dirty) -> None:
        """Do nothing, as no row is stored."""


class ComputedMatrices(ComputedStep):
    """A step of which each matrix, as of a head, is stored once it is read."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._known: dict[Index, Array] = {}  # (n, columns) each

    def __getitem__(self, index: tuple[Any, ...]) -> Any:
        if Ellipsis not in index:
            whole = len(index) == self.ndim - 2
            return self._matrix(index) if whole else np.asarray(self)[index]
        _, rows, columns = index
        *axes, n_rows, n_columns = self.shape
        found = np.empty((*axes, count(rows, n_rows), n_columns), self.dtype)
        for lead in np.ndindex(*axes):
            found[lead] = self.window(Part(lead, rows))
        return found[..., columns]

    def window(self, part: Part) -> Array:
        known = self._known.get(part.lead)
        return (
            super().window(part) if known is None else part._replace(lead=()).of(known)
        )

    def _matrix(self, lead: Index) -> Array:
        """Return one matrix, shape (n, columns)."""
        with _computing:
            if lead not in self._known:
                matrix = np.empty(self.shape[-2:], self.dtype)  # (n, columns)
                widest = max(self.steps[n].shape[-1] for n in self.stage.inputs)
                with np.errstate(all="ignore"):
                    for rows in strips(slice(0, len(matrix)), AT_ONCE // widest):
                        matrix[rows] = self._compute(lead, rows)
                self._known[lead] = matrix
            return self._known[lead]

    def update(self, reached: Dirty) -> None:
        for lead in list(self._known):
            if reached.heads is not None and lead and lead[-1] not in reached.heads:
                continue
            if reached.rows is None:
                del self._known[lead]
            else:
                rows = reached.rows
                self._known[lead][rows] = self._compute(lead, rows)

    def known_rows(self, rows: Selection) -> Array:
        """Return some rows of the stored matrices, shape (matrices, rows, columns)."""
        shape = len(self._known), count(rows, self.shape[-2]), self.shape[-1]
        found = np.empty(shape, self.dtype)
        for own, matrix in zip(found, self._known.values(), strict=True):
            own[...] = matrix[rows]
        return found

    def replace_rows(self, rows: Selection, numbers: Array) -> None:
        """Replace rows of the stored matrices, given in the shape of `known_rows`."""
        for matrix, own in zip(self._known.values(), numbers, strict=True):
            matrix[rows] = own


def window_of(step: Array | ComputedStep, part: Part) -> Array:
    """Return a part of a step, shape (..., rows, columns)."""
    return step.window(part) if isinstance(step, ComputedStep) else part.of(step)


def rows_before(step: Array | ComputedStep, rows: Selection) -> Array:
    """Return a copy of some rows of a step, of all matrices that are stored."""
    if isinstance(step, ComputedMatrices):
        return step.known_rows(rows)
    return np.array(step[..., rows, :])


def restore_rows(step: Array | ComputedStep, rows: Selection, numbers: Array) -> None:
    """Write rows into a step, as `rows_before` returns them."""
    if isinstance(step, ComputedMatrices):
        step.replace_rows(rows, numbers)
    else:
        assert isinstance(step, np.ndarray)
        step[..., rows, :] = numbers


def _computed_steps(
    pipeline: Pipeline, shapes: Mapping[str, Shape]
) -> dict[str, type[ComputedStep]]:
    """Return the kind of each step before the scores that is computed when read.

    Matrices of queries, keys and values are stored once they are read; of steps of
    which only rows are read, for these or after the weights, nothing is.
    """
    found: dict[str, type[ComputedStep]] = {}

    def by_rows(reader: Stage, number: int, shape: Shape) -> bool:
        if reader.name in found and number == 0:
            return True
        in_parts = reader.name in found or reader in pipeline.after
        return in_parts and reader.takes_row(number, shape)

    compared = {(pipeline.comparison, 0), (pipeline.comparison, 1), (pipeline.mix, 1)}
    for stage in reversed(pipeline.sides):
        readers = {
            (reader, number)
            for reader in pipeline.stages
            for number, name in enumerate(reader.inputs)
            if name == stage.name
        }
        others = {
            (reader, number)
            for reader, number in readers
            if not by_rows(reader, number, shapes[stage.name])
        }
        if stage.reads_rows and others <= compared:
            found[stage.name] = ComputedMatrices if others else ComputedRows
    return found


def compute_sides(
    pipeline: Pipeline, steps: dict[str, Array], dtype: "np.dtype[Any]"
) -> None:
    """Compute the steps before the scores, or prepare them to be computed when read.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    steps : dict of str to ndarray
        The inputs; the steps are written into it.
    dtype : dtype
        The type of their numbers.
    """
    shapes = {name: array.shape for name, array in steps.items()}
    for stage in (*pipeline.sides, pipeline.comparison):
        shapes[stage.name] = stage.shape(*(shapes[name] for name in stage.inputs))
    stored = pipeline.mistakes or are_stored(shapes[pipeline.scores])
    when_read = {} if stored else _computed_steps(pipeline, shapes)
    for stage in pipeline.sides:
        if stage.name in when_read:
            shape = shapes[stage.name]
            computed = when_read[stage.name](stage, steps, shape, dtype)
            steps[stage.name] = cast("Array", computed)
        else:
            inputs = (steps[name] for name in stage.inputs)
            steps[stage.name] = np.array(stage.forward(Part(), *inputs))
