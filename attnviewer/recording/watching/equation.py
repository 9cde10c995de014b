"""Equations of `einsum` in which weights are multiplied with values."""

import string

import numpy as np

from attnviewer.compute.arrays import Numbers

_REST = "..."


def as_rows_of_keys(equation: str, n_axes: int, values: Numbers) -> Numbers | None:
    """Return values with the axes of the weights, then columns.

    Parameters
    ----------
    equation : str
        The equation, with the weights first.
    n_axes : int
        How many axes the weights have.
    values : ndarray
        The values with the axes that the equation gives them.

    Returns
    -------
    ndarray or None
        An axis that they lack has the size 1. None where they have other axes than one
        for the keys, one for the columns and those before.
    """
    operands = equation.replace(" ", "").partition("->")[0].split(",")
    if len(operands) != 2:
        return None
    spare = [x for x in string.ascii_letters if x not in equation]
    weights, own = (
        _spelled(operand, spare, size)
        for operand, size in zip(operands, (n_axes, values.ndim), strict=True)
    )
    columns = [letter for letter in own if letter not in weights]
    order = [*weights[:-2], weights[-1], *columns]
    if len(columns) != 1 or weights[-1] not in own or not set(own) <= set(order):
        return None
    kept = [letter for letter in order if letter in own]
    ordered = values.transpose([own.index(letter) for letter in kept])
    lacking = [axis for axis, letter in enumerate(order) if letter not in own]
    return np.expand_dims(ordered, tuple(lacking))


def _spelled(operand: str, spare: list[str], n_axes: int) -> str:
    """Return the letters of an operand, with some for the axes of an ellipsis.

    The last of several axes get the same letters in each operand.
    """
    n_more = n_axes - len(operand.replace(_REST, ""))
    return operand.replace(_REST, "".join(spare[:n_more][::-1]))
