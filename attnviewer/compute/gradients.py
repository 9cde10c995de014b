"""Backpropagation through the stages: the gradient of a number on every input."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Cell
from attnviewer.compute.stages import Stage

_ROUNDED = 8
"""How many times a number is rounded, about, on its way through the stages."""
_AT_ONCE = 2**16
"""How many numbers are read at a time."""


def backward(
    stages: Sequence[Stage],
    values: Mapping[str, Array],
    gradients: Mapping[str, Array],
    also: Collection[str] = (),
) -> dict[str, Array]:
    """Return the gradient on every input.

    Parameters
    ----------
    stages : sequence of Stage
        The pipeline.
    values : mapping of str to ndarray
        Every step.
    gradients : mapping of str to ndarray
        The gradient of some number on steps, each of its step's shape.
    also : collection of str
        Computed steps whose gradient is wanted besides.

    Returns
    -------
    dict of str to ndarray
        The gradient on each input except masks, and on the steps of `also`, of their
        shapes; zeros where the number does not depend on it.
    """
    on: dict[str, Array] = dict(gradients)
    for stage in reversed(stages):
        if not stage.inputs or stage.name not in on:
            continue
        inputs = [values[name] for name in stage.inputs]
        parts = stage.backward(inputs, values[stage.name], on[stage.name])
        add_up(on, zip(stage.inputs, parts, strict=True))
    return {
        stage.name: on[stage.name]
        if stage.name in on
        else np.zeros(values[stage.name].shape, values[stage.name].dtype)
        for stage in stages
        if (not stage.inputs and values[stage.name].dtype != np.bool_)
        or stage.name in also
    }


def backward_of_each(
    stages: Sequence[Stage],
    values: Mapping[str, Array],
    gradients: Mapping[str, Array],
    also: Collection[str] = (),
) -> dict[str, Array]:
    """Return the gradients of several numbers on every input, in one pass.

    Parameters
    ----------
    stages, values, also
        As in `backward`.
    gradients : mapping of str to ndarray
        The gradients of the numbers on steps, each of shape (count, *that of the step).

    Returns
    -------
    dict of str to ndarray
        As in `backward`, each of shape (count, *that of the step). What none of the
        numbers depends on is left out.
    """
    on: dict[str, Array] = dict(gradients)
    for stage in reversed(stages):
        if not stage.inputs or stage.name not in on:
            continue
        inputs = [values[name] for name in stage.inputs]
        output, own = values[stage.name], on[stage.name]
        if stage.stacks:
            parts = stage.backward(inputs, output, own)
        else:
            each = (stage.backward(inputs, output, gradient) for gradient in own)
            parts = [_stacked(part) for part in zip(*each, strict=True)]
        add_up(on, zip(stage.inputs, parts, strict=True))
    wanted = {stage.name for stage in stages if not stage.inputs} | set(also)
    return {name: gradient for name, gradient in on.items() if name in wanted}


def _stacked(parts: Sequence[Array | None]) -> Array | None:
    present = [part for part in parts if part is not None]
    return np.stack(present) if present else None


def add_up(on: dict[str, Array], parts: Iterable[tuple[str, Array | None]]) -> None:
    """Add the gradients that a stage passes back to those its inputs already have."""
    for name, part in parts:
        if part is not None:
            on[name] = on[name] + part if name in on else part


def negligible(
    value: float, inputs: Mapping[str, Array], dtype: DTypeLike
) -> dict[str, float]:
    """Return the gradient on each input below which there is nothing but rounding.

    Even a change of the input by its own size would not change the value by more than
    it is rounded by.

    Parameters
    ----------
    value : float
        What the gradient is of.
    inputs : mapping of str to ndarray
        The inputs.
    dtype : dtype
        The floating-point type that it is computed in.
    """
    found = dict.fromkeys(inputs, 0.0)
    eps = float(np.finfo(dtype).eps)
    for name, array in inputs.items():
        if array.dtype.kind == "f" and math.isfinite(value):
            found[name] = (
                _ROUNDED * eps * abs(value) / (largest_magnitude(array) or 1.0)
            )
    return found


def largest_magnitude(numbers: Array) -> float:
    """Return the largest magnitude of the finite numbers; 0 without any."""
    low, high = float(numbers.min(initial=0)), float(numbers.max(initial=0))
    if not (math.isfinite(low) and math.isfinite(high)):
        finite = np.isfinite(numbers)
        low = float(numbers.min(where=finite, initial=0))
        high = float(numbers.max(where=finite, initial=0))
    return max(-low, high)


def strongest(gradients: Mapping[str, Array], count: int) -> list[tuple[Cell, float]]:
    """Return the cells with the largest gradients, by magnitude; never zeros.

    Parameters
    ----------
    gradients : mapping of str to ndarray
        The gradient on every input.
    count : int
        How many cells at most.
    """
    found: list[tuple[Cell, float]] = []
    for name, gradient in gradients.items():
        for position, number in _furthest(gradient.ravel(), count):
            index = tuple(map(int, np.unravel_index(position, gradient.shape)))
            found.append((Cell(name, index), number))
    return sorted(found, key=lambda item: -abs(item[1]))[:count]


def _furthest(numbers: Array, count: int) -> list[tuple[int, float]]:
    """Return the numbers furthest from zero and where they are; never NaN or zeros.

    The furthest come first, and of equal ones the earlier. Some numbers are read at a
    time, so that little memory is needed beside them.
    """
    best: list[tuple[int, float]] = []
    least = 0.0
    for first in range(0, numbers.size, _AT_ONCE):
        block = numbers[first : first + _AT_ONCE]  # (block,)
        size = np.abs(block)
        size[np.isnan(size)] = 0
        if size.max() <= least:
            continue
        enough = np.partition(size, -count)[-count] if size.size > count else 0
        some = np.flatnonzero(size >= enough)
        order = some[np.argsort(-size[some], kind="stable")][:count]
        best += [(first + int(k), float(block[k])) for k in order if size[k] > least]
        best = sorted(best, key=lambda item: -abs(item[1]))[:count]
        least = abs(best[-1][1]) if len(best) == count else 0.0
    return best
