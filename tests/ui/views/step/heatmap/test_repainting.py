"""What is painted after edits is what a window shows that was opened afterwards."""

import numpy as np
import pytest

from attnviewer.compute import Pin, Spec
from tests.ui.views.step.editing import Exposed, change, edit, on_screen, words

N_EDITS = 5
VARIANTS = {
    "plain": Spec(),
    "sparsemax": Spec(normalizer="sparsemax"),
    "heads": Spec(n_heads=2, causal=True),
    "pinned": Spec(
        pins=(
            Pin("scores", 2, range(3, 6), 1.5),
            Pin("weights", range(5), 0, 0.125),
            Pin("Q", range(3, 7), range(1, 4), 2.0, how="scale"),
        )
    ),
}


STEPS = {
    (1500, 950): [
        ("plain", "output"),
        ("pinned", "weights"),
    ],
    (1020, 700): [
        ("sparsemax", "weights"),
        ("heads", "scores"),
        ("pinned", "Q"),
    ],
}
"""Variants and steps to edit in a window of a size."""


@pytest.mark.parametrize("size", STEPS)
def test_after_edits_the_screen_shows_what_a_window_shows_that_saw_none(open_on, size):
    window = other = None
    for variant, step in STEPS[size]:
        rng = np.random.default_rng(len(variant) + len(step))
        document = words(9, VARIANTS[variant], rng)
        window = open_on(document, step, size, window)
        for _ in range(N_EDITS):
            edit(window, rng)
        shown = on_screen(window.step_view.heatmap)
        other = open_on(document, step, size, other)
        assert np.array_equal(shown, on_screen(other.step_view.heatmap)), (
            variant,
            step,
        )


def test_an_edit_of_one_row_repaints_the_cells_of_that_row_alone(open_on):
    window = None
    for variant in ("plain", "pinned"):
        document = words(9, VARIANTS[variant], np.random.default_rng(1))
        window = open_on(document, "Q", (1500, 950), window)
        heatmap = window.step_view.heatmap
        exposed = Exposed(heatmap.viewport())
        change(window, "X", 4, 2)
        (region,) = exposed.regions
        row = heatmap.cell_rect((4, 0)).united(heatmap.cell_rect((4, 5)))
        row = row.toAlignedRect()
        assert region.contains(row), variant
        around = row.adjusted(-4, -4, 4, 4)
        assert region.subtracted(around).boundingRect().size().width() <= 1, variant


def test_an_edit_repaints_no_labels_and_no_cell_of_a_step_it_leaves_alone(open_on):
    window = None
    for variant in ("plain", "pinned"):
        document = words(9, VARIANTS[variant], np.random.default_rng(1))
        window = open_on(document, "weights", (1500, 950), window)
        heatmap = window.step_view.heatmap
        exposed, bar = Exposed(heatmap.viewport()), Exposed(heatmap.bar)
        change(window, "W_V", 1, 2)
        (region,) = exposed.regions
        assert not region.intersects(heatmap.box.geometry().toRect()), variant
        exposed.regions.clear()
        change(window, "W_Q", 1, 2)
        (region,) = exposed.regions
        for place in (heatmap.rows.geometry(), heatmap.columns.geometry()):
            assert not region.contains(place.center().toPoint()), variant
        assert not bar.regions, variant
