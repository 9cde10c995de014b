"""The labels of a logarithmic axis."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QFont, QFontMetricsF

from attnviewer.ui.widgets.log_axis import LogAxis


@pytest.fixture
def labels_of(qapp):
    font = QFont()
    font.setPixelSize(15)

    def labels(low, high, size=240.0):
        axis = LogAxis("left")
        axis.setTickFont(font)
        axis.setLogMode(y=True)
        places = [v for _, values in axis.tickValues(low, high, size) for v in values]
        gaps = [(b - a) / (high - low) * size for a, b in pairwise(places)]
        assert min(gaps, default=size) >= QFontMetricsF(font).height()
        return axis.tickStrings(places, 1.0, None)

    return labels


def test_labels_of_a_loss_that_falls_by_a_decade_do_not_overlap(labels_of):
    assert labels_of(-0.8, 0.6) == ["0.2", "0.5", "1", "2"]


def test_many_decades_have_powers_of_ten_and_a_part_of_one_has_round_numbers(labels_of):
    assert labels_of(-3.5, 0.5) == ["0.001", "0.01", "0.1", "1"]
    assert len(labels_of(-30.0, 0.0)) > 3
    assert labels_of(-0.7, -0.6, 120.0) == ["0.2", "0.22", "0.24"]
