"""Stages that compute their step with a mistake."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Array, Index, Part, Shape
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.expression import Cell
from attnviewer.compute.formula import Formula
from attnviewer.compute.number_text import short_number
from attnviewer.compute.stages.base import Stage, Steps

S = TypeVar("S", bound=Stage)

REASON = (
    "There is no gradient through a step that is computed with a mistake. Remove the "
    "mistake first."
)


class MistakenGradientError(ValueError):
    """A gradient that would pass through a step with a mistake."""


def altered(
    stage: S,
    inputs: tuple[str, ...],
    compute: Callable[..., NDArray[Any]],
    *,
    shape: Shape,
    title: str,
    comparable: bool,
    origin: tuple[object, ...],
) -> S:
    """Return a stage that computes its step with a mistake, as a subtype of its type.

    Parameters
    ----------
    stage : Stage
        The right stage.
    inputs : tuple of str
        What the step is computed from.
    compute : callable
        From whole arrays of these to the whole step.
    shape : tuple of int
        The shape of the step.
    title : str
        The mistake in a few words.
    comparable : bool
        Whether the right stage can be computed from the steps as they are, and has the
        same shape.
    origin : tuple of (callable, tuple)
        What returns the same stage again, for a pickle.
    """
    made = cast("S", object.__new__(_altered_type(type(stage))))
    vars(made).update(
        vars(stage),
        inputs=inputs,
        formula=f"≠ {stage.formula}",
        operation=f"≠ {stage.operation}",
        mistake=title,
        intended=stage if comparable else None,
        _compute=compute,
        _shape=shape,
        _origin=origin,
        _right=stage,
    )
    return made


def without_mistake(stage: Stage) -> Stage:
    """Return a stage described as if it had no mistake; it must not be computed."""
    if stage.intended is not None or not isinstance(stage, _Altered):
        return stage.intended or stage
    right, made = stage._right, object.__new__(type(stage))
    vars(made).update(
        vars(stage),
        formula=right.formula,
        operation=right.operation,
        mistake="",
        kind="",  # pictures of this kind need steps that fit each other
        _origin=(without_mistake, (stage,)),
    )
    return made


class _Altered(Stage):
    """The changes of a stage by a mistake."""

    reads_rows = False
    _compute: Callable[..., NDArray[Any]]
    _shape: Shape
    _origin: tuple[object, ...]
    _right: Stage

    def __reduce__(self) -> tuple[object, ...]:
        return self._origin

    def forward(self, part: Part, *inputs: Array, out: Array | None = None) -> Array:
        with np.errstate(all="ignore"):
            whole = np.array(self._compute(*inputs), dtype=inputs[0].dtype)
        return part.of(whole)

    def update(self, inputs: Sequence[Array], output: Array, reached: Dirty) -> None:
        output[...] = self.forward(Part(), *inputs)

    def reach(self, dirty: Sequence[Dirty | None], shape: Shape) -> Dirty:
        return EVERYTHING

    def of_extremes(self, numbers: Array) -> Array | None:
        return None

    def backward(
        self, inputs: Sequence[Array], output: Array, gradient: Array
    ) -> Sequence[Array | None]:
        raise MistakenGradientError(REASON)

    def from_row(self, row: int) -> Stage:
        return self

    def shape(self, *inputs: Shape) -> Shape:
        return self._shape

    def takes_row(self, number: int, shape: Shape) -> bool:
        return False

    def explain(self, steps: Steps, index: Index, limit: int) -> Formula:
        cell = Cell(self.name, index)
        value, note = steps.value(cell), f"{self.mistake}."
        if not self.mistake:
            return self._explain_as_right(steps, cell, limit)
        if self.intended is None:
            return Formula(cell, value, "computed wrongly", note=note)
        right = self.intended.explain(_Intended(steps, self.name), index, limit)
        note = f"{note} Right: {right.symbols} = {short_number(right.value)}."
        if right.note:
            note = f"{note} {right.note}"
        return Formula(cell, value, "computed wrongly", note=note, computed=right)

    def _explain_as_right(self, steps: Steps, cell: Cell, limit: int) -> Formula:
        """Explain a cell as the right stage does, where that has such a cell."""
        try:
            return self._right.explain(steps, cell.index, limit)
        except (IndexError, ValueError):
            return Formula(cell, steps.value(cell), self.formula)


class _Intended:
    """Steps where one has the numbers that it would have without its mistake.

    Parameters
    ----------
    steps : Steps
        All steps.
    name : str
        The step with the mistake.
    """

    def __init__(self, steps: Steps, name: str) -> None:
        self._steps, self._name = steps, name
        self.shape = steps.shape
        self.row, self.column = steps.row, steps.column
        self.computed_value = steps.computed_value
        self.intended_value = steps.intended_value

    def value(self, cell: Cell) -> float:
        if cell.step != self._name:
            return self._steps.value(cell)
        return self._steps.intended_value(cell)


@cache
def _altered_type(kind: type[Stage]) -> type[Stage]:
    """Return the subtype of a type of stages that computes with a mistake."""
    return type(f"Altered{kind.__name__}", (_Altered, kind), {})
