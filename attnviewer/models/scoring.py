"""How queries and keys become scores: a rotation by position, and a factor."""

import math

import numpy as np

from attnviewer.compute import Array, Spec
from attnviewer.compute.positions import Rotary, rotate, scheme_angles


def score_factor(spec: Spec, d_head: int) -> float:
    """Return the factor on the products of queries and keys."""
    return 1 / math.sqrt(d_head) if spec.scale is None else spec.scale


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
