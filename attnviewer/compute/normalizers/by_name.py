"""Normalisers by name, and a function that applies one to scores."""

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import check_name, real_array
from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.normalizers.base import Normalizer
from attnviewer.compute.normalizers.entmax15 import Entmax15
from attnviewer.compute.normalizers.hardmax import Hardmax
from attnviewer.compute.normalizers.plain_sum import PlainSum
from attnviewer.compute.normalizers.sigmoid import Sigmoid
from attnviewer.compute.normalizers.softmax import Softmax
from attnviewer.compute.normalizers.softmax1 import Softmax1
from attnviewer.compute.normalizers.sparsemax import Sparsemax
from attnviewer.compute.normalizers.unchanged import Unchanged
from attnviewer.compute.signatures import short_signature

NORMALIZERS: dict[str, type[Normalizer]] = {
    normalizer.name: normalizer
    for normalizer in (
        Softmax,
        PlainSum,
        Softmax1,
        Sigmoid,
        Sparsemax,
        Entmax15,
        Hardmax,
        Unchanged,
    )
}


@short_signature
def normalize(
    scores: ArrayLike, normalizer: str = "softmax", *, axis: int = -1, **options: float
) -> Array:
    """Turn scores into attention weights.

    Parameters
    ----------
    scores : array_like, shape (..., n_k, ...)
        Numbers; −inf masks a key. Whole numbers become float64.
    normalizer : str
        softmax, sum, softmax1, sigmoid, sparsemax, entmax15, hardmax, or none for
        scores that already are weights.
    axis : int
        The axis of the keys.
    **options : float or bool
        `temperature`, the divisor of the scores; for sigmoid, also `length_bias`,
        whether log n is subtracted.

    Returns
    -------
    ndarray, shape of `scores`
        Weights, of the scores' type; zero where masked.

    Raises
    ------
    TypeError
        If the scores are not real numbers, or a parameter is of a wrong type.
    ValueError
        If there are no scores along the axis, one is NaN or +inf, there is no such
        axis, normaliser or option, or the value of an option is invalid.

    References
    ----------
    See the class of each normaliser.

    Examples
    --------
    >>> normalize([1.0, 2.0, 3.0]).round(3)
    array([0.09 , 0.245, 0.665])
    >>> normalize([1.0, 2.0, 2.5], "sparsemax")
    array([0.  , 0.25, 0.75])
    >>> normalize([[0, 4], [-np.inf, 4]], "softmax", axis=0, temperature=2)
    array([[1. , 0.5],
           [0. , 0.5]])
    """
    check_name("normalizer", normalizer, NORMALIZERS)
    rule = NORMALIZERS[normalizer].with_options(**options)
    checked = _checked(scores)
    _check_axis(axis, checked.shape)
    rows = np.moveaxis(checked, axis, -1)  # (..., n_k)
    return np.moveaxis(rule.normalize(rows), -1, axis)


def _checked(scores: ArrayLike) -> Array:
    array = real_array("'scores' parameter", scores)
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    if not array.ndim:
        raise ValueError(
            "The 'scores' parameter must have at least 1 dimension. "
            f"Got {array} instead."
        )
    wrong = np.argwhere(np.isnan(array) | np.isposinf(array))  # (number, rank)
    if wrong.size:
        index = tuple(wrong[0].tolist())
        raise ValueError(
            "The 'scores' parameter must not hold NaN or +inf (−inf masks a key). "
            f"Got {array[index]} at {list(index)} instead."
        )
    return array


def _check_axis(axis: object, shape: Shape) -> None:
    if isinstance(axis, bool) or not isinstance(axis, int | np.integer):
        raise TypeError(
            f"The 'axis' parameter must be a whole number. Got {axis!r} instead."
        )
    rank = len(shape)
    if not -rank <= axis < rank:
        raise ValueError(
            f"The 'axis' parameter must be from {-rank} to {rank - 1}. "
            f"Got {axis} instead."
        )
    if not shape[axis]:
        raise ValueError(
            "The 'scores' parameter must have at least 1 score along its axis "
            f"{axis}. Got shape {shape} instead."
        )
