"""What heads amount to, by hand."""

import math
from dataclasses import fields

import numpy as np
import pytest

from attnviewer.compute import HeadStatistics, head_statistics, row_statistics


def test_two_heads_worked_out_by_hand() -> None:
    weights = np.array(
        [
            [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5]],
            [[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        ]
    )
    found = head_statistics(row_statistics(weights))
    # Entropies 0, 1 and 1.5; distances 0, 0.5 and 0.75; then 1, 0 and 1.
    assert found.entropy.tolist() == [2.5 / 3, 0.0]
    assert found.effective_keys == pytest.approx([(1 + 2 + 2**1.5) / 3, 1.0])
    assert found.distance == pytest.approx([1.25 / 3, 2 / 3])
    assert found.first_share == pytest.approx([1.75 / 3, 0.0])
    # Nothing comes before the first query.
    assert found.previous_share == pytest.approx([(0.5 + 0.25) / 2, 0.5])
    assert found.diagonal_share == pytest.approx([2 / 3, 1 / 3])


def test_a_query_that_sees_no_key_does_not_count() -> None:
    weights = np.array([[[0.0, 0.0], [0.5, 0.5]]])
    found = head_statistics(row_statistics(weights))
    assert found.entropy.tolist() == [1.0]
    assert found.diagonal_share.tolist() == [0.5]


def test_a_head_of_which_no_query_sees_a_key_has_no_statistics() -> None:
    found = head_statistics(row_statistics(np.zeros((1, 2, 2))))
    for field in fields(HeadStatistics):
        assert math.isnan(getattr(found, field.name).item())


@pytest.mark.parametrize("broken", [-0.5, math.nan])
def test_a_negative_or_undefined_weight_leaves_a_head_without_a_mean(
    broken: float,
) -> None:
    weights = np.array([[[0.5, 0.5], [broken, 1.0]], [[0.5, 0.5], [0.5, 0.5]]])
    found = head_statistics(row_statistics(weights))
    for field in fields(HeadStatistics):
        values = getattr(found, field.name)
        assert math.isnan(values[0]), field.name
        assert not math.isnan(values[1]), field.name


def test_queries_later_in_the_sequence_than_keys_have_their_own_places() -> None:
    # Query 0 is the token of key 1.
    rows = row_statistics(np.array([[[0.75, 0.25]]]), query_offset=1)
    found = head_statistics(rows)
    assert found.previous_share.tolist() == [0.75]
    assert found.diagonal_share.tolist() == [0.25]
