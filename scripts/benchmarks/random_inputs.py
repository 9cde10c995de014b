"""Random embeddings and weights, and random edits of them."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute import Array, Spec

Inputs = dict[str, Array]
Region = tuple[slice, slice]


def random_inputs(
    spec: Spec, n: int, d_model: int, width: int, dtype: DTypeLike = np.float32
) -> Inputs:
    """Return the inputs of a spec, with weights (d_model, width), always the same.

    Scaled so that every step has numbers of about 1.
    """
    rng = np.random.default_rng(n)
    shapes = {"X": (n, d_model), "W_O": (width, d_model)}
    return {
        name: _spread(name, d_model)
        * rng.standard_normal(shapes.get(name, (d_model, width))).astype(dtype)
        for name in spec.input_names
    }


def change_a_cell(rng: np.random.Generator, inputs: Inputs, matrix: str) -> Region:
    """Draw one cell of a matrix anew; return where."""
    array: np.ndarray[Any, Any] = inputs[matrix]
    row, column = (int(rng.integers(size)) for size in array.shape)
    d_model = inputs["X"].shape[1]
    array[row, column] = _spread(matrix, d_model) * rng.standard_normal()
    return slice(row, row + 1), slice(column, column + 1)


def _spread(matrix: str, d_model: int) -> float:
    return 1.0 if matrix == "X" else float(d_model**-0.5)
