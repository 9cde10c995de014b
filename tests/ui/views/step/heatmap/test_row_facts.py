"""The numbers beside the rows of scores."""

import pytest

from attnviewer.ui.views.step.heatmap.row_facts import RowFacts


@pytest.mark.parametrize(
    ("mean", "text"),
    [
        (-1.685, "−1.685"),
        (-0.91234, "−0.912"),
        (-0.0412, "−0.041"),
        (0.0018, "0.0018"),
        (-123456.7, "−1.2e5"),
        (float("nan"), "—"),
    ],
)
def test_a_number_of_scores_loses_digits_before_it_gets_an_exponent(mean, text):
    assert RowFacts(mean=mean).text("mean_score") == text
