"""Checks of what goes into a pipeline, before anything is computed."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.spec import Spec

MOST_SCORES = 2**26
"""Scores that a trace may hold: 8,192 tokens with one head, 512 MiB per step."""


def check_inputs(spec: Spec, inputs: Mapping[str, Array]) -> None:
    """Check that the matrices fit the spec and each other.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        ``X`` (n, d_model), ``W_Q`` and ``W_K`` (d_model, h·d_k), ``W_V``
        (d_model, h·d_v), ``W_O`` (h·d_v, any), as far as the variant has them.

    Raises
    ------
    ValueError
        With the matrix, what it must be and what it is.
    """
    for name in spec.input_names:
        if name not in inputs:
            raise ValueError(f"The '{name}' matrix must be given. Got none instead.")
        check_matrix(name, inputs[name])
    n_scores = spec.n_heads * inputs["X"].shape[0] ** 2
    if n_scores > MOST_SCORES:
        raise ValueError(
            f"The number of scores, n_heads · tokens², must be at most {MOST_SCORES}. "
            f"Got {n_scores} instead."
        )
    if not spec.projected:
        return
    d_model = inputs["X"].shape[1]
    width = inputs["W_Q"].shape[1]
    _check_shape("W_Q", inputs, (d_model, None))
    _check_shape("W_K", inputs, (d_model, width))
    _check_shape("W_V", inputs, (d_model, None))
    for name in ("W_Q", "W_V"):
        columns = inputs[name].shape[1]
        if columns % spec.n_heads:
            raise ValueError(
                f"The number of columns of '{name}' must be divisible by n_heads = "
                f"{spec.n_heads}. Got {columns} columns instead."
            )
    if spec.output_projection:
        _check_shape("W_O", inputs, (inputs["W_V"].shape[1], None))


def check_matrix(name: str, values: Array) -> None:
    """Check that an array is a finite float matrix with at least one cell.

    Raises
    ------
    ValueError
        With the first cell that is not finite, or the shape.
    """
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(
            f"The '{name}' matrix must have 2 dimensions of at least 1 each. "
            f"Got shape {values.shape} instead."
        )
    if not np.issubdtype(values.dtype, np.floating):
        raise ValueError(
            f"The '{name}' matrix must hold floating-point numbers. "
            f"Got {values.dtype} instead."
        )
    finite = np.isfinite(values)  # (rows, columns)
    if not finite.all():
        row, column = (int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"The '{name}' matrix must hold finite numbers. "
            f"Got {float(values[row, column])} at [{row}, {column}] instead."
        )


def _check_shape(
    name: str, inputs: Mapping[str, Array], expected: tuple[int | None, int | None]
) -> None:
    shape = inputs[name].shape
    if all(want in (None, got) for want, got in zip(expected, shape, strict=True)):
        return
    written = ", ".join("any" if want is None else str(want) for want in expected)
    raise ValueError(
        f"The '{name}' matrix must have shape ({written}). Got {shape} instead."
    )
