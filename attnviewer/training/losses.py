"""Losses: how far some numbers are from a target, with the gradient on them."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from attnviewer.compute import Array, IndexArray


class Loss(NamedTuple):
    """A loss and its gradient.

    Parameters
    ----------
    value : float
        The loss.
    gradient : ndarray
        Its gradient on the numbers, of their shape.
    """

    value: float
    gradient: Array


LossFunction: TypeAlias = Callable[[Array, Array], Loss]
"""Compares numbers with a target that broadcasts to them."""


def mean_squared_error(numbers: Array, target: Array) -> Loss:
    """Return the mean of (number − target)² over all numbers."""
    difference = numbers - target  # (..., rows, columns)
    flat = difference.reshape(-1)
    value = float(flat @ flat) / flat.size
    difference *= 2 / flat.size
    return Loss(value, difference)


def cross_entropy(weights: Array, target: Array) -> Loss:
    """Return the mean over the rows of −Σⱼ target · log(weight).

    A key of target 0 adds nothing, even if its weight is 0.
    """
    n_rows = weights.size // weights.shape[-1]
    asked = target > 0  # (..., rows, columns)
    seen = np.where(asked, weights, 1)  # (..., rows, columns)
    share = target / n_rows  # (..., rows, columns)
    # Subtracted from 0, so that an empty sum is 0.0 rather than −0.0.
    return Loss(0.0 - float((share * np.log(seen)).sum()), -share / seen)


def cross_entropy_of_logits(logits: Array, target: Array) -> Loss:
    """Return the mean over the rows of −Σⱼ target · log softmax(logits).

    As ``torch.nn.functional.cross_entropy`` for targets that are probabilities.
    """
    n_rows = logits.size // logits.shape[-1]
    shifted = logits - logits.max(axis=-1, keepdims=True)  # (..., rows, classes)
    powers = np.exp(shifted)  # (..., rows, classes)
    total = powers.sum(axis=-1, keepdims=True)  # (..., rows, 1)
    share = np.broadcast_to(target / n_rows, logits.shape)  # (..., rows, classes)
    value = 0.0 - float((share * (shifted - np.log(total))).sum())
    asked = share.sum(axis=-1, keepdims=True)  # (..., rows, 1)
    return Loss(value, powers / total * asked - share)


def one_hot(classes: IndexArray, count: int) -> Array:
    """Return rows with a 1 in the column of their class, shape (..., rows, count)."""
    rows: Array = np.eye(count)[classes]
    return rows


LOSSES: dict[str, str] = {"mse": "mean squared error", "cross_entropy": "cross-entropy"}
"""The losses of a task by name, and their titles."""
