"""Weights that replace a model's."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import Array
from attnviewer.compute.arguments import real_array

Changes: TypeAlias = Mapping[int, Mapping[str, Array]]
"""Weights of attention that replace a model's, by layer and name."""


def as_float32(name: str, values: ArrayLike) -> Array:
    """Return a copy in float32; numbers out of range become infinite."""
    with np.errstate(over="ignore"):
        return np.array(real_array(f"'{name}' matrix", values), np.float32)


def copied(changes: Changes) -> dict[int, dict[str, Array]]:
    """Return the changes as plain dictionaries, as pickles hold them."""
    return {layer: dict(weights) for layer, weights in changes.items()}


def locked(changes: Changes) -> Changes:
    """Return the changes with read-only arrays."""
    for weights in changes.values():
        for array in weights.values():
            array.flags.writeable = False
    return changes
