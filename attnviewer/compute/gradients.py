"""Backpropagation through the stages: the gradient of a number on every input."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.expression import Cell
from attnviewer.compute.stages import Stage

_ROUNDED = 8
"""How many times a number is rounded, about, on its way through the stages."""


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
        else np.zeros_like(values[stage.name])
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


def negligible(value: float, inputs: Mapping[str, Array]) -> dict[str, float]:
    """Return the gradient on each input below which there is nothing but rounding.

    Even a change of the input by its own size would not change the value by more than
    it is rounded by.

    Parameters
    ----------
    value : float
        What the gradient is of.
    inputs : mapping of str to ndarray
        The inputs.
    """
    found = dict.fromkeys(inputs, 0.0)
    for name, array in inputs.items():
        if array.dtype.kind == "f" and math.isfinite(value):
            size = float(np.abs(array).max(where=np.isfinite(array), initial=0))
            eps = float(np.finfo(array.dtype).eps)
            found[name] = _ROUNDED * eps * abs(value) / (size or 1.0)
    return found


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
        flat = gradient.ravel()  # (size,)
        size = np.abs(flat)
        if not size.any():
            continue
        size[np.isnan(size)] = 0
        if flat.size > count:
            # Ties are ordered by position among the candidates.
            least = np.partition(size, -count)[-count]
            some = np.flatnonzero(size >= least)
        else:
            some = np.arange(flat.size)
        order = some[np.argsort(-size[some], kind="stable")][:count]
        for flat_index in order[size[order] > 0]:
            index = tuple(int(k) for k in np.unravel_index(flat_index, gradient.shape))
            found.append((Cell(name, index), float(flat[flat_index])))
    return sorted(found, key=lambda item: -abs(item[1]))[:count]
