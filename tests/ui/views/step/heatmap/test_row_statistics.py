import math

import numpy as np
import pytest

from attnviewer.compute import Given
from attnviewer.ui.views.step.heatmap.row_statistics import RowStatistics


@pytest.mark.parametrize(
    ("row", "entropy", "total", "keys"),
    [
        ([0.5, 0.25, 0.25], 1.5, 1.0, 2 * math.sqrt(2)),
        ([0.0, 1.0, 0.0], 0.0, 1.0, 1.0),
        # Shares of 1/2 and 1/2, as sigmoid may have them.
        ([0.25, 0.25, 0.0], 1.0, 0.5, 2.0),
        ([0.0, 0.0, 0.0], 0.0, 0.0, 0.0),
        ([1.5, -0.5, 0.0], math.nan, 1.0, math.nan),
        # A sum of zero alone does not make a row empty.
        ([0.5, -0.5, 0.0], math.nan, 0.0, math.nan),
    ],
)
def test_a_row_is_told_by_its_entropy_its_sum_and_its_keys(
    qapp, row, entropy, total, keys
):
    statistics = RowStatistics()
    statistics.set_matrix(Given(np.array([row])), weights=True)
    facts = statistics.facts(0)
    told = facts.entropy, facts.total, facts.effective_keys
    assert told == pytest.approx((entropy, total, keys), nan_ok=True)
