"""Scores from queries and keys: a norm, a rotation by position, and a factor."""

import math

import numpy as np

from attnviewer.compute import Array, QKNorm, Spec
from attnviewer.compute.positions import Rotary, rotate, scheme_angles
from attnviewer.models.blocks import Parts


def score_factor(spec: Spec, d_head: int) -> float:
    """Return the factor on the products of queries and keys."""
    return 1 / math.sqrt(d_head) if spec.scale is None else spec.scale


def head_weights(
    weight: Array, side: str, own: slice, norm: QKNorm | None, weights: Parts
) -> Array:
    """Return a head's weights of queries or keys, with the linear part of their norm.

    That is all but its shift and the scale 1 / σ, which depends on the token.

    Parameters
    ----------
    weight : ndarray, shape (m, h·d_head)
        The weights of all heads, or their bias as (1, h·d_head).
    side : str
        ``Q`` or ``K``.
    own : slice
        The columns of the head.
    norm : QKNorm or None
        The norm.
    weights : mapping of str to ndarray
        The layer's weights, with the gains.

    Returns
    -------
    ndarray of float64, shape (m, d_head)
    """
    head = weight[:, own].astype(np.float64)  # (m, d_head)
    if norm is None:
        return head
    if norm.centred:
        together = weight if norm.full_width else head
        head -= together.mean(axis=-1, keepdims=True, dtype=np.float64)
    if norm.gain:
        head *= norm_row(f"gain_{side}", own, weights) + norm.gain_offset
    return head


def norm_row(name: str, own: slice, weights: Parts) -> Array:
    """Return a head's gain or shift of a norm of queries or keys, shape (d_head,)."""
    row = weights[name].astype(np.float64)
    return row if row.size == own.stop - own.start else row[own]


def norm_scale(norm: QKNorm | None, rows: Array, head: int) -> float:
    """Return the scale 1 / σ of the norm of a token's query or key; 1 without a norm.

    Parameters
    ----------
    norm : QKNorm or None
        The norm.
    rows : ndarray, shape (h, d_head)
        The token's queries or keys before it, of all heads.
    head : int
        The head.
    """
    if norm is None:
        return 1.0
    row = (rows if norm.full_width else rows[head]).astype(np.float64)
    if norm.centred:
        row = row - row.mean()
    return float(1 / np.sqrt(np.square(row).mean() + norm.epsilon))


def rotated(rows: Array, scheme: Rotary, position: int) -> Array:
    """Return queries or keys that are all rotated by one position.

    Parameters
    ----------
    rows : ndarray, shape (m, d_head)
        The queries or keys.
    scheme : Rotary
        Which pairs of columns rotate, and how fast.
    position : int
        The position; the scheme's offset is not added.

    Returns
    -------
    ndarray, shape (m, d_head)
    """
    width = rows.shape[-1] if scheme.rotary_dim is None else scheme.rotary_dim
    cos, sin = scheme_angles(scheme, [position], width)
    turned = rotate(
        rows[:, np.newaxis], cos, sin, scheme.interleaved, rotary_dim=width
    )  # (m, 1, d_head)
    return turned[:, 0]
