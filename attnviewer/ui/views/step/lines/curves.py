"""Lines as pixels, thousands of them at once.

All lines run from the left edge of a picture to its right one, along the same cubic
Bézier curve stretched to their two heights: y = y₀ + (y₁ − y₀)(3u² − 2u³) at the share
u of the width. So every column of pixels crosses a line in one stretch, and summing up
where stretches begin and end paints all lines together; Qt's painter takes 6 times as
long for wide ones (measured).
"""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, BoolArray

DASH = 5
"""Columns that a dash is long, and a gap."""


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """Lines on a picture; arrays of one length, in pixels.

    Parameters
    ----------
    starts, ends : ndarray, shape (n,)
        Heights at the left and at the right edge, downwards.
    widths : ndarray, shape (n,)
        How wide they are.
    opacities : ndarray, shape (n,)
        From 0 to less than 1.
    dashed : ndarray of bool, shape (n,)
        Which have gaps.
    """

    starts: Array
    ends: Array
    widths: Array
    opacities: Array
    dashed: BoolArray

    def scaled(self, ratio: float) -> "Strokes":
        """Return the same lines on a picture with more pixels."""
        return Strokes(
            self.starts * ratio,
            self.ends * ratio,
            self.widths * ratio,
            self.opacities,
            self.dashed,
        )


def rise(share: Array) -> Array:
    """Return how much of its rise a line has behind it at a share of the width."""
    return share * share * (3 - 2 * share)


def densities(strokes: Strokes, shares: Array, height: int, width: int) -> Array:
    """Return how dense the lines are in each pixel, shape (k, height, width).

    Densities of lines that cross add up; 1 − e^(−density) is the opacity, which thus
    does not depend on which line is drawn first.

    Parameters
    ----------
    strokes : Strokes
        The lines.
    shares : ndarray, shape (k, n)
        How much of each line goes into each of k sums.
    height, width : int
        Size of the picture.
    """
    across = (np.arange(width, dtype=np.float32) + 0.5) / width  # (width,)
    starts = strokes.starts.astype(np.float32)[:, None]  # (n, 1)
    climb = strokes.ends.astype(np.float32)[:, None] - starts  # (n, 1)
    centres = starts + climb * rise(across)  # (n, width)
    # A steep line is crossed in a longer stretch.
    slope = climb * (6 * across * (1 - across) / width)  # (n, width)
    half = np.sqrt(1 + slope * slope)  # (n, width)
    half *= strokes.widths.astype(np.float32)[:, None] / 2
    edges = np.stack([centres - half, centres + half])  # (2, n, width)
    np.clip(edges, 0, height, out=edges)
    pixels = edges.astype(np.int32)  # (2, n, width)
    edges -= pixels  # what of the pixel lies above the edge
    pixels *= width
    pixels += np.arange(width, dtype=np.int32)
    each = -np.log1p(-strokes.opacities) * shares  # (k, n)
    if strokes.dashed.any():
        gaps = np.arange(width) // DASH % 2 == 1  # (width,)
        drawn = ~(strokes.dashed[:, None] & gaps)  # (n, width)
    else:
        drawn = np.ones((1, 1), dtype=bool)
    cells, size = pixels.ravel(), (height + 2) * width
    summed = np.empty((len(shares), height + 2, width))
    for k, densities in enumerate(each.astype(np.float32)):
        # Begins at the upper edge, ends at the lower one, each in two pixels' parts.
        change = np.stack([densities, -densities])[:, :, None] * drawn
        change = np.broadcast_to(change, edges.shape)  # (2, n, width)
        begun = np.bincount(cells, change.ravel(), size)
        later = np.bincount(cells, (edges * change).ravel(), size)
        begun -= later
        begun[width:] += later[:-width]
        np.cumsum(begun.reshape(height + 2, width), axis=0, out=summed[k])
    return summed[:, :height]


def nearest(strokes: Strokes, share: float, height: float, reach: float) -> int | None:
    """Return the line under a point; of several the one that is nearest.

    Parameters
    ----------
    strokes : Strokes
        The lines.
    share, height : float
        The point: share of the width, and pixels down.
    reach : float
        How far, in pixels, a point beside a thin line may be from its middle.
    """
    if len(strokes.starts) == 0 or not 0 <= share <= 1:
        return None
    along = rise(np.array([share]))  # (1,)
    heights = strokes.starts + (strokes.ends - strokes.starts) * along  # (n,)
    away = np.abs(heights - height) - np.maximum(strokes.widths / 2 - reach, 0)  # (n,)
    line = int(np.argmin(away))
    return line if away[line] <= reach else None
