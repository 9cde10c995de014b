"""Weights that replace a model's."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import Array, Shape
from attnviewer.compute.arguments import check_name, real_array
from attnviewer.compute.numbers import check_numbers

Changes: TypeAlias = Mapping[int, Mapping[str, Array]]
"""Weights of attention that replace a model's, by layer and name."""


def as_float32(name: str, values: ArrayLike) -> Array:
    """Return a copy in float32; numbers out of range become infinite."""
    with np.errstate(over="ignore"):
        return np.array(real_array(f"'{name}' matrix", values), np.float32)


def replacements(
    layer: int, weights: Mapping[str, ArrayLike], shapes: Mapping[str, Shape]
) -> dict[str, Array]:
    """Return read-only copies of weights that replace some of a layer's.

    Parameters
    ----------
    layer : int
        The layer, for messages.
    weights : mapping of str to array_like
        The weights by name.
    shapes : mapping of str to tuple of int
        The shapes of all that can be replaced.

    Raises
    ------
    ValueError
        If a name is unknown, or a shape or a number does not fit.
    """
    changed = {name: as_float32(name, array) for name, array in weights.items()}
    for name, array in changed.items():
        array.flags.writeable = False
        check_name("weights", name, shapes)
        expected = shapes[name]
        if array.shape != expected:
            raise ValueError(
                f"The '{name}' of layer {layer} must have shape {expected}. "
                f"Got {array.shape} instead."
            )
        check_numbers(f"'{name}' matrix", array)
    return changed


def differing_from(
    own: Mapping[str, Array], weights: Mapping[str, Array]
) -> dict[str, Array]:
    """Return the weights that differ from a model's own; one it lacks is zero."""
    return {
        name: array
        for name, array in weights.items()
        if not np.array_equal(array, own.get(name, np.zeros_like(array)))
    }


def copied(changes: Changes) -> dict[int, dict[str, Array]]:
    """Return the changes as plain dictionaries, as pickles hold them."""
    return {layer: dict(weights) for layer, weights in changes.items()}


def locked(changes: Changes) -> Changes:
    """Return the changes with read-only arrays."""
    for weights in changes.values():
        for array in weights.values():
            array.flags.writeable = False
    return changes
