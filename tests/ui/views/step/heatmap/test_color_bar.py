from itertools import pairwise

import pytest
from PySide6.QtGui import QFontMetricsF

from attnviewer.ui.paint.color_limits import policy_text
from attnviewer.ui.paint.color_scale import ColorScale, make_scale
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.looks import Look
from attnviewer.ui.views.step.heatmap.color_bar import ColorBar


@pytest.mark.parametrize(
    ("reach", "labels"),
    [
        (8.08293, ["−8.083", "0", "8.083"]),
        (1e-5, ["−1e−5", "0", "1e−5"]),
        (1.25e12, ["−1.25e12", "0", "1.25e12"]),
        (0.00123456, ["−0.00123", "0", "0.001235"]),
        (1.23456e-12, ["−1.2e−12", "0", "1.23e−12"]),
    ],
)
def test_ends_and_middle_are_labelled_with_four_digits_that_count(qtbot, reach, labels):
    bar = ColorBar()
    qtbot.addWidget(bar)
    bar.set_scale(ColorScale("RdBu", -reach, reach), LIGHT, Look(), "scores")
    assert bar.ticks() == list(zip((0.0, 0.5, 1.0), labels, strict=True))


def test_labels_of_limits_that_follow_the_numbers_always_have_the_same_room(qtbot):
    highest = (8.0, -0.3, 12.34567, 0.00123456, 1.23e-8, 4.5e-123, 1.25e12, 6.1e300)
    bars = [shown(qtbot, make_scale("RdBu", 0, x, log=False), Look()) for x in highest]
    assert len({bar.label_extent() for bar in bars}) == 1
    kept = shown(qtbot, ColorScale("RdBu", 0, 8), Look(kept=(0, 8)))
    assert kept.label_extent() < bars[0].label_extent()


def shown(qtbot, scale, look):
    bar = ColorBar()
    qtbot.addWidget(bar)
    bar.set_scale(scale, LIGHT, look, "weights")
    bar.resize(90, 200)
    return bar


def color_at(bar, x, y):
    return bar.grab().toImage().pixelColor(round(x), round(y)).name()


def test_ends_that_cut_are_pointed_and_have_colours_of_their_own(qtbot):
    scale = ColorScale("viridis", 0.0, 1.0)
    bar = shown(qtbot, scale, Look(policy="typed"))
    strip = bar.strip()
    middle = strip.center().x()
    assert color_at(bar, middle, strip.top() - 3) == "#00e5ff"
    assert color_at(bar, middle, strip.bottom() + 3) == "#8a5a00"
    assert color_at(bar, strip.left() + 1, strip.top() - 7) != "#00e5ff"
    whole = shown(qtbot, scale, Look())
    assert whole.strip().top() == 0
    assert color_at(whole, middle, 1) not in ("#00e5ff", "#8a5a00")


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (Look(), ""),
        (Look(policy="extremes"), "min–max"),
        (Look(policy="percentile", percentile=2.5), "2.5–97.5 %"),
        (Look(policy="typed", log=True), "typed · log"),
        (Look(policy="symmetric", kept=(-1.0, 1.0)), "kept"),
        (Look(policy="unit", per_head=True), "0–1 · per head"),
    ],
)
def test_it_says_in_a_word_where_its_limits_come_from(qtbot, look, said):
    assert policy_text(look) == said
    bar = shown(qtbot, ColorScale("viridis", 0.0, 1.0), look)
    assert (said or "Automatic") in bar.toolTip()


@pytest.mark.parametrize("height", [24, 40, 90, 300])
def test_labels_of_a_logarithmic_scale_never_overlap(qtbot, height):
    bar = shown(qtbot, make_scale("viridis", 0.0, 5.0, log=True), Look(log=True))
    bar.resize(90, height)
    places = sorted(place.top() for _, place in bar.placed())
    line = QFontMetricsF(bar.font()).height()
    assert len(places) >= 2 or height < 2 * line
    assert all(b - a >= line - 0.01 for a, b in pairwise(places)) or height < 2 * line


@pytest.mark.parametrize(("low", "cut"), [(0.0, False), (0.01, True)])
def test_the_low_end_of_a_logarithmic_scale_is_pointed_unless_it_begins_at_0(
    qtbot, low, cut
):
    bar = shown(qtbot, make_scale("viridis", low, 1.0, log=True), Look(log=True))
    assert bar.cuts() == (False, cut)
