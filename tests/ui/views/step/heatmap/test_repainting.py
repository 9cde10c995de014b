"""What is painted after edits is what a window shows that was opened afterwards."""

import numpy as np

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


LARGE, SMALL = (1500, 950), (1020, 700)
STEPS = [
    ("plain", "output", LARGE),
    ("pinned", "weights", LARGE),
    ("sparsemax", "weights", SMALL),
    ("heads", "scores", SMALL),
    ("pinned", "Q", SMALL),
]
"""Variants and steps to edit, and in a window of which size."""


def test_after_edits_the_screen_shows_what_a_window_shows_that_saw_none(open_on):
    window = other = None
    for variant, step, size in STEPS:
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


def test_an_edit_repaints_the_row_that_it_changes_and_neither_labels_nor_other_steps(
    open_on, monkeypatch
):
    window = check_row(open_on)
    check_labels_and_other_steps(open_on, monkeypatch, window)


def check_row(open_on):
    window = None
    for variant in ("plain", "pinned"):
        document = words(9, VARIANTS[variant], np.random.default_rng(1))
        window = open_on(document, "Q", LARGE, window)
        heatmap = window.step_view.heatmap
        exposed = Exposed(heatmap.viewport())
        change(window, "X", 4, 2)
        (region,) = exposed.regions
        row = heatmap.cell_rect((4, 0)).united(heatmap.cell_rect((4, 5)))
        row = row.toAlignedRect()
        assert region.contains(row), variant
        around = row.adjusted(-4, -4, 4, 4)
        assert region.subtracted(around).boundingRect().size().width() <= 1, variant
    return window


def check_labels_and_other_steps(open_on, monkeypatch, window):
    headings = []
    for variant in ("plain", "pinned"):
        document = words(9, VARIANTS[variant], np.random.default_rng(1))
        window = open_on(document, "weights", LARGE, window)
        heatmap = window.step_view.heatmap
        exposed, bar = Exposed(heatmap.viewport()), Exposed(heatmap.bar)
        for part, paint in (
            (heatmap.footer.sums, "_paint_heading"),
            (heatmap.statistics, "_paint_headings"),
        ):
            assert part.isVisible()
            monkeypatch.setattr(part, paint, lambda *_: headings.append(1))
        change(window, "W_V", 1, 2)
        (region,) = exposed.regions
        assert not region.intersects(heatmap.box.geometry().toRect()), variant
        exposed.regions.clear()
        headings.clear()
        change(window, "W_Q", 1, 2)
        (region,) = exposed.regions
        for place in (heatmap.rows.geometry(), heatmap.columns.geometry()):
            assert not region.contains(place.center().toPoint()), variant
        for axis in (heatmap.rows, heatmap.columns):
            over = axis.sceneBoundingRect() & heatmap.box.geometry()
            assert over.isEmpty(), variant
        assert not headings, variant
        assert not bar.regions, variant
