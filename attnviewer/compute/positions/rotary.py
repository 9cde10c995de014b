"""Rotary embedding: pairs of columns rotated by an angle proportional to position."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.compute.arguments import (
    any_array,
    flag,
    real_array,
)
from attnviewer.compute.arrays import Array, Shape
from attnviewer.compute.positions.frequencies import (
    base_frequencies,
    check_count,
    check_frequencies,
    check_rotary_dim,
)
from attnviewer.compute.positions.rotary_axes import RotaryAxes, check_axes
from attnviewer.compute.signatures import short_signature


@short_signature
def rotary_embedding(
    x: ArrayLike,
    positions: ArrayLike | None = None,
    *,
    base: float = 10000.0,
    rotary_dim: int | None = None,
    interleaved: bool = False,
    frequencies: ArrayLike | None = None,
    axes: RotaryAxes | None = None,
    cos: ArrayLike | None = None,
    sin: ArrayLike | None = None,
) -> Array:
    """Rotate each row's pairs of columns by its position.

    The product of a rotated query and a rotated key then depends on their positions
    only through the distance between them.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        Queries or keys. Integers are taken as float64.
    positions : array_like, shape (n,), (batch, n) or (..., n), optional
        The positions, 0 to n − 1 by default; `batch` is the first axis of `x`, or 1.
        Other shapes are broadcast to that of `x` without d, such as (batch, 1, n).
        They need not be integers: divided by a factor they give linear scaling. With
        `axes`, a further axis at the end has the position along each, (n, axes).
    base : float
        Pair i of D columns rotates by position / base^(2i / D). Without effect where
        `frequencies`, or `cos` and `sin`, are given.
    rotary_dim : int, optional
        D, how many columns rotate, an even number; the rest pass as they are. By
        default all, or as many as `cos` is for: two for each of its columns, or
        one where that would be more than d.
    interleaved : bool
        Whether columns 2i and 2i + 1 are a pair (RoFormer, GPT-J) rather than
        i and i + D / 2 (Llama).
    frequencies : array_like, shape (D / 2,), optional
        What each pair rotates by per position, in radians, instead of the powers
        of `base`; `llama3_frequencies` and others return those of real models. Without
        effect where `cos` and `sin` are given.
    axes : RotaryAxes, optional
        Which pairs rotate by the position along which axis: M-RoPE, 2-D RoPE. By
        default there is one axis. Without effect where `cos` and `sin` are given.
    cos, sin : array_like, optional
        The angles' cosines and sines, both or neither. With `positions`, which
        must then be integers, tables of shape (max_positions, w) to take rows
        from; without, (n, w) or (batch, n, w), one row for each row of `x`, or what
        is broadcast to it, such as (batch, 1, n, w). w is D / 2, a column for each
        pair, or D, a column for each column of `x`.

    Returns
    -------
    ndarray, shape (..., n, d)
        In the floating-point type of `x`; angles are computed in float64.

    Raises
    ------
    TypeError, ValueError
        If a shape, width or type does not fit, a position is not finite or not in
        the tables, or only one of `cos` and `sin` is given.

    References
    ----------
    Su et al. 2021, "RoFormer: Enhanced Transformer with Rotary Position
    Embedding", equation 34; ONNX, operator RotaryEmbedding, version 23.
    """
    x = _rows(x)  # (..., n, d)
    n, d = x.shape[-2:]
    if cos is None and sin is None:
        rotary_dim = check_rotary_dim(d if rotary_dim is None else rotary_dim, d)
        if axes is not None:
            token_positions = _check_along_axes(positions, x.shape, axes)
        elif positions is None:
            token_positions = np.arange(n)
        else:
            token_positions = _check_positions(positions, x.shape)
        turn_by = rotary_angles(token_positions, rotary_dim, base, frequencies, axes)
    elif cos is None or sin is None:
        missing, given = ("cos", "sin") if cos is None else ("sin", "cos")
        raise ValueError(
            f"The '{missing}' parameter must be given with '{given}'. Got None instead."
        )
    elif positions is None:
        turn_by = _real("cos", cos), _real("sin", sin)
    else:
        token_positions = _check_positions(positions, x.shape)  # broadcasts to (..., n)
        turn_by = (
            _taken("cos", cos, token_positions),
            _taken("sin", sin, token_positions),
        )
    return rotate(x, *turn_by, interleaved, rotary_dim=rotary_dim)


def rotary_angles(
    positions: ArrayLike,
    rotary_dim: int,
    base: float = 10000.0,
    frequencies: ArrayLike | None = None,
    axes: RotaryAxes | None = None,
) -> tuple[Array, Array]:
    """Return the cosines and sines of the angles that positions rotate by.

    Parameters
    ----------
    positions : array_like, shape (..., n), or (..., n, axes) with `axes`
        The positions.
    rotary_dim : int
        How many columns rotate, an even number.
    base : float
        Pair i rotates by position / base^(2i / rotary_dim).
    frequencies : array_like, shape (rotary_dim / 2,), optional
        What each pair rotates by per position instead, in radians.
    axes : RotaryAxes, optional
        Which pairs rotate by the position along which axis.

    Returns
    -------
    cos, sin : ndarray of float64, shape (..., n, rotary_dim / 2)
        A column for each pair.

    Raises
    ------
    TypeError, ValueError
        If the positions are not finite numbers or not one for each axis, `rotary_dim`
        is not even, the base or a frequency not positive, or there are not as many
        frequencies, or pairs of the axes, as pairs.

    References
    ----------
    Su et al. 2021, equation 15.
    """
    token_positions: Array = _real("positions", positions).astype(np.float64)
    if not np.isfinite(token_positions).all():
        wrong = float(token_positions[~np.isfinite(token_positions)][0])
        raise ValueError(
            f"The 'positions' parameter must hold finite numbers. Got {wrong} instead."
        )
    rotary_dim = check_rotary_dim(rotary_dim)
    if axes is None:
        token_positions = token_positions[..., np.newaxis]  # (..., n, 1)
    else:
        check_axes(axes, rotary_dim)
        token_positions = axes.by_pair(token_positions)  # (..., n, D / 2)
    if frequencies is not None:
        turns = np.array(check_frequencies(frequencies))  # (D / 2,)
        check_count(len(turns), rotary_dim)
    elif axes is None:
        turns = base_frequencies(rotary_dim, base)
    else:
        turns = axes.frequencies(base)
    angles = token_positions * turns  # (..., n, D / 2)
    return np.cos(angles), np.sin(angles)


def rotate(
    x: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    interleaved: bool = False,
    *,
    rotary_dim: int | None = None,
) -> Array:
    """Rotate pairs of columns by given angles.

    With ``-sin`` in place of `sin` it rotates back, which is also how a gradient
    passes: a rotation's transpose is its inverse, as long as both columns of a pair
    have the same angle.

    Parameters
    ----------
    x : array_like, shape (..., n, d)
        The rows.
    cos, sin : array_like, shape (n, w), (batch, n, w) or (..., n, w)
        Of the angles; `batch` is the first axis of `x`, or 1. Other shapes are
        broadcast to that of `x`. w is D / 2, a column for each pair, or D, a column
        for each column of `x`.
    interleaved, rotary_dim
        See `rotary_embedding`.

    Returns
    -------
    ndarray, shape (..., n, d)
        In the floating-point type of `x`. Numbers that leave its range come out as
        ±inf or NaN, without a warning.

    Raises
    ------
    TypeError, ValueError
        If a shape, width or type does not fit.

    References
    ----------
    Su et al. 2021, equation 34.
    """
    x = _rows(x)  # (..., n, d)
    interleaved = flag("interleaved", interleaved)
    cos, sin = _real("cos", cos), _real("sin", sin)
    rotary_dim = _turning_columns(x.shape, cos.shape, sin.shape, rotary_dim)
    rows = _aligned(cos.shape[:-1], x.shape[:-1])
    assert rows is not None
    cos, sin = (
        _per_column(a.reshape(*rows, a.shape[-1]), rotary_dim, interleaved).astype(
            x.dtype, copy=False
        )
        for a in (cos, sin)
    )  # broadcast to (..., n, D)
    first, second = pair_columns(rotary_dim, interleaved=interleaved)
    turned = x.copy()  # (..., n, d)
    with np.errstate(all="ignore"):
        for own, other, sines in ((first, second, -sin), (second, first, sin)):
            turned[..., own] *= cos[..., own]
            turned[..., own] += x[..., other] * sines[..., own]
    return turned


def pair_columns(rotary_dim: int, *, interleaved: bool) -> tuple[slice, slice]:
    """Return the first and the second columns of all pairs."""
    if interleaved:
        return slice(0, rotary_dim, 2), slice(1, rotary_dim, 2)
    return slice(rotary_dim // 2), slice(rotary_dim // 2, rotary_dim)


def _rows(x: ArrayLike) -> Array:
    rows = _real("x", x)
    if rows.ndim < 2:
        raise ValueError(
            "The 'x' parameter must have at least 2 dimensions. "
            f"Got shape {rows.shape} instead."
        )
    return rows


def _real(name: str, values: ArrayLike) -> Array:
    array = real_array(f"'{name}' parameter", values)
    return array if array.dtype.kind == "f" else array.astype(np.float64)


def _turning_columns(x: Shape, cos: Shape, sin: Shape, rotary_dim: int | None) -> int:
    d, width = x[-1], cos[-1] if cos else 0
    if rotary_dim is None:
        rotary_dim = 2 * width if 2 * width <= d else width
        fits = rotary_dim % 2 == 0 and 0 < rotary_dim <= d
        widths = f"at most {d // 2}, or even and at most {d}"
    else:
        rotary_dim = check_rotary_dim(rotary_dim, d)
        fits = width in (rotary_dim // 2, rotary_dim)
        widths = f"{rotary_dim // 2} or {rotary_dim}"
    if not fits or _aligned(cos[:-1], x[:-1]) is None:
        shapes = _row_shapes(x)
        expected = " or ".join(f"({', '.join(map(str, s))}, w)" for s in shapes)
        raise ValueError(
            f"The 'cos' parameter must have shape {expected}{_BROADCAST}, where w is "
            f"{widths}. Got {cos} instead."
        )
    if sin != cos:
        raise ValueError(
            f"The 'sin' parameter must have the shape of 'cos', {cos}. "
            f"Got {sin} instead."
        )
    return rotary_dim


_BROADCAST = ", or one that is broadcast to the rows of 'x'"


def _aligned(own: Shape, rows: Shape) -> Shape | None:
    """Return a shape with ones inserted so that it is broadcast to that of the rows.

    Two axes are those of the batch and the positions, if that is possible; None if the
    shape cannot be broadcast.
    """
    if len(own) == 2 and len(rows) > 1 and own[0] in (1, rows[0]):
        own = (own[0], *(1,) * (len(rows) - 2), own[1])
    while len(own) > len(rows) and own[0] == 1:
        own = own[1:]
    try:
        return own if np.broadcast_shapes(own, rows) == rows else None
    except ValueError:
        return None


def _row_shapes(shape: Shape) -> list[Shape]:
    n = shape[-2]
    batches = dict.fromkeys((1, shape[0]) if len(shape) > 2 else (1,))
    return [(n,), *((batch, n) for batch in batches)]


def _check_positions(positions: ArrayLike, shape: Shape) -> NDArray[Any]:
    token_positions = any_array(
        "'positions' parameter", positions
    )  # (n,) or (batch, n)
    rows = _aligned(token_positions.shape, shape[:-1])
    if rows is None:
        expected = " or ".join(map(str, _row_shapes(shape)))
        raise ValueError(
            f"The 'positions' parameter must have shape {expected}{_BROADCAST}. "
            f"Got {token_positions.shape} instead."
        )
    return token_positions.reshape(rows)


def _check_along_axes(
    positions: ArrayLike | None, shape: Shape, axes: RotaryAxes
) -> NDArray[Any]:
    if positions is None:
        raise ValueError(
            "The 'positions' parameter must be given with 'axes'. Got None instead."
        )
    array = any_array("'positions' parameter", positions)  # (..., n, axes)
    axes.check_width(array.shape)
    rows = _check_positions(array[..., 0], shape).shape
    return array.reshape(*rows, axes.n_axes)


def _taken(name: str, table: ArrayLike, token_positions: NDArray[Any]) -> Array:
    rows = _real(name, table)  # (max_positions, w)
    if rows.ndim != 2:
        raise ValueError(
            f"The '{name}' parameter must have shape (max_positions, w) with "
            f"'positions'. Got {rows.shape} instead."
        )
    if token_positions.dtype.kind not in "iu":
        raise TypeError(
            "The 'positions' parameter must hold integers to take rows of 'cos' and "
            f"'sin'. Got {token_positions.dtype} instead."
        )
    # A negative position would be taken from the end.
    outside = token_positions[
        (token_positions < 0) | (token_positions >= len(rows))
    ]  # (any,)
    if outside.size:
        raise ValueError(
            f"The 'positions' parameter must be from 0 to {len(rows) - 1}, the rows of "
            f"'{name}'. Got {outside[0]} instead."
        )
    taken: Array = rows[token_positions]  # (..., n, w)
    return taken


def _per_column(values: Array, rotary_dim: int, interleaved: bool) -> Array:
    if values.shape[-1] == rotary_dim:
        return values
    if interleaved:
        return np.repeat(values, 2, axis=-1)
    return np.concatenate([values, values], axis=-1)
