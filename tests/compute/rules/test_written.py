"""A rule written out for a row: how often the row is looked at."""

import numpy as np

from attnviewer.compute import Cell
from attnviewer.compute.expression import Number
from attnviewer.compute.normalizers.softmax import Softmax
from attnviewer.compute.rules import WrittenRow


def test_both_steps_of_a_weight_take_each_score_from_the_row_once():
    scores, asked = np.array([0.5, 2.0, -1.0, 0.25]), []

    def score(key: int) -> Number:
        asked.append(key)
        return Number(float(scores[key]), Cell("scores", (0, key)))

    WrittenRow(scores, score, limit=12).steps(Softmax().rule, 2)
    # In the numerator, in the sum, and as the maximum.
    assert sorted(asked) == sorted([2, *range(4), 1])
