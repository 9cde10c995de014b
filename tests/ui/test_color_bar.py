import pytest

from attnviewer.ui.colors import ColorScale
from attnviewer.ui.step.heatmap.color_bar import ColorBar
from attnviewer.ui.theme import LIGHT


@pytest.mark.parametrize(
    ("reach", "labels"),
    [
        (8.08293, ["−8.083", "0", "8.083"]),
        (1e-5, ["−1e−5", "0", "1e−5"]),
        (1.25e12, ["−1.25e12", "0", "1.25e12"]),
    ],
)
def test_ends_and_middle_are_labelled_with_four_digits_that_count(qapp, reach, labels):
    bar = ColorBar()
    bar.set_scale(ColorScale("CET-D1A", -reach, reach), LIGHT)
    assert bar.ticks() == list(zip((0.0, 0.5, 1.0), labels, strict=True))
