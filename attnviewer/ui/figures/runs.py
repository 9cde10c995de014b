"""Cells as few rectangles, without seams."""

import itertools
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np

from attnviewer.ui.figures.elements import Cells

MOST_SHAPES = 64 * 64
"""The most cells that are drawn as rectangles; more become an image."""
OVERLAP = 0.25
"""How far cells reach below those drawn later, in points, so that no seams show."""

Rectangle: TypeAlias = tuple[float, float, float, float, str]


def rectangles(cells: Cells) -> Iterator[Rectangle]:
    """Yield cells as rectangles: left, top, width, height and colour.

    Neighbours of one colour in a row are one rectangle.
    """
    rows, columns = cells.colors.shape[:2]
    width, height = cells.width / columns, cells.height / rows
    for row, line in enumerate(cells.colors):
        changes = np.flatnonzero((line[1:] != line[:-1]).any(axis=1)) + 1
        ends = [0, *changes.tolist(), columns]
        below = OVERLAP if row + 1 < rows else 0.0
        for start, stop in itertools.pairwise(ends):
            beside = min(OVERLAP, width) if stop < columns else 0.0
            yield (
                cells.x + start * width,
                cells.y + row * height,
                (stop - start) * width + beside,
                height + min(below, height),
                "#{:02x}{:02x}{:02x}".format(*line[start].tolist()),
            )
