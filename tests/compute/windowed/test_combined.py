"""Heads that are combined, cell by cell."""

import numpy as np

from attnviewer import Pin, attention
from attnviewer.compute import Combined, StepHead


def test_a_cell_that_is_pinned_in_any_of_them_is_pinned() -> None:
    rng = np.random.default_rng(0)
    pins = [Pin("weights", 0, 1, 0.5, head=1), Pin("weights", 2, 0, 0.25, head=0)]
    trace = attention(*rng.normal(size=(3, 2, 3, 2)), pins=pins)
    heads = [StepHead(trace, "weights", head) for head in range(2)]
    pinned = Combined(heads, "mean").pinned()
    assert pinned is not None
    assert np.argwhere(pinned).tolist() == [[0, 1], [2, 0]]
    part = Combined(heads, "max").pinned(slice(1, 3), slice(0, 1))
    assert part is not None
    assert part.tolist() == [[False], [True]]
    none = [StepHead(trace, "scores", head) for head in range(2)]
    assert Combined(none, "mean").pinned() is None
