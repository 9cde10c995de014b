"""A large matrix as a small picture in SVG without labels, for light and dark pages."""

from collections.abc import Iterator

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.html import HIGH, LOW
from attnviewer.compute.statistics import finite_limits

MOST_SIDE = 256
"""The most rows and columns of a picture."""
_LEVELS = 10
"""How many degrees of each colour there are."""
_LARGEST_CELL, _WIDTH = 12, 384
"""Of a cell and of the picture, in pixels."""


def matrix_svg(
    values: Array,
    center: float = 0.0,
    side: float | None = None,
) -> str:
    """Return a matrix as cells that are coloured by how far they are from a number.

    Neighbours of one colour in a row are one shape, so that the text stays short.
    Numbers that are not finite are empty.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
        The numbers; at most `MOST_SIDE` either way.
    center : float
        The number of a cell without colour.
    side : float, optional
        The longer side of the picture in pixels; by default it follows the cells.
    """
    height, width = values.shape
    ends = finite_limits(values)
    most = max(abs(end - center) for end in ends) if ends is not None else 0.0
    degrees = np.zeros(values.shape, np.int64)
    if most:
        shares = np.where(np.isfinite(values), values - center, 0) / most
        degrees = np.rint(_LEVELS * np.clip(shares, -1, 1)).astype(np.int64)
    longer = max(height, width)
    by_cells = max(1.0, min(_LARGEST_CELL, _WIDTH / longer))
    cell = by_cells if side is None else side / longer
    paths = "".join(
        f'<path fill="rgb({HIGH if degree > 0 else LOW})" '
        f'fill-opacity="{abs(degree) / _LEVELS:g}" '
        f'd="{"".join(_runs(degrees, degree))}"/>'
        for degree in np.unique(degrees).tolist()
        if degree
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * cell:g}" '
        f'height="{height * cell:g}" viewBox="0 0 {width} {height}" '
        f'overflow="visible" shape-rendering="crispEdges">{paths}'
        f'<rect width="{width}" height="{height}" fill="none" stroke="currentColor" '
        'stroke-opacity="0.3" vector-effect="non-scaling-stroke"/></svg>'
    )


def _runs(degrees: np.ndarray, degree: int) -> Iterator[str]:
    """Yield a rectangle for neighbours in a row that have a degree."""
    edges = np.diff(np.pad(degrees == degree, ((0, 0), (1, 1))).astype(np.int8))
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)  # (runs, 2)
    for (row, start), (_, end) in zip(starts.tolist(), ends.tolist(), strict=True):
        yield f"M{start} {row}h{end - start}v1h{start - end}z"
