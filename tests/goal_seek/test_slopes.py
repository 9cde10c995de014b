"""The slopes of what is sought: a wrong one only makes a search longer."""

import numpy as np
import pytest

from attnviewer.goal_seek.quantities import _entropy_slope
from tests.goal_seek.by_hand import entropy_in_bits


@pytest.mark.parametrize("total", [1.0, 0.7])
def test_the_slope_of_an_entropy_is_that_of_its_differences(total) -> None:
    row = total * np.array([0.1, 0.2, 0.3, 0.4])
    around = [
        [entropy_in_bits(moved / moved.sum()) for moved in (row + step, row - step)]
        for step in 1e-6 * np.eye(4)
    ]
    wanted = [(above - below) / 2e-6 for above, below in around]
    np.testing.assert_allclose(_entropy_slope(row), wanted, atol=1e-8)
