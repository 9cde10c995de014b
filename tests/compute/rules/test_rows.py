"""Rules applied to rows of scores, against numbers worked by hand and differences."""

import math

import numpy as np
import pytest

from attnviewer.compute.expression import Expression, Maximum, Number
from attnviewer.compute.functions import (
    Absolute,
    Exponential,
    HyperbolicTangent,
    Logarithm,
    Logistic,
    LogOnePlus,
    SquareRoot,
)
from attnviewer.compute.rules import (
    KEYS,
    SCORE,
    Entry,
    IsAt,
    Named,
    RowMaximum,
    Rows,
    RowSum,
    RowWinner,
    Threshold,
    is_of_row,
    nodes,
    numbers_of_rows,
    vanishes,
)

_INF = math.inf
_SCORES = np.array([[1.0, 3.0, -_INF, 3.0], [-2.0, -1.0, -4.0, 0.5]])  # (2, 4)
_SHARE = Maximum(Number(0.0), SCORE) / Named(
    "total", RowSum(Maximum(Number(0.0), SCORE))
)


def _weights(rule: Expression, scores: np.ndarray) -> np.ndarray:
    rows = Rows(scores)
    return rows.weights(rule, rows.numbers(rule))


@pytest.mark.parametrize(
    ("number", "first", "second"),
    [
        (RowSum(SCORE), 7, -6.5),
        (RowSum(SCORE * SCORE), 19, 21.25),
        (RowSum(SCORE**0), 3, 4),
        (RowMaximum(SCORE), 3, 0.5),
        (RowMaximum(-SCORE), -1, 4),
        (RowMaximum(SCORE * SCORE), 9, 16),
        (RowWinner(SCORE), 1, 3),
        (RowWinner(SCORE * SCORE), 1, 2),
        (KEYS, 4, 4),
        # max(0, 0 − τ) twice, and max(0, −2 − τ): two halves.
        (Threshold(SCORE - RowMaximum(SCORE), 1), -0.5, -1),
        (Threshold(SCORE - RowMaximum(SCORE), 2), -math.sqrt(0.5), -1),
    ],
    ids=repr,
)
def test_a_row_knows_its_numbers(number, first, second) -> None:
    got = Rows(_SCORES).value(number)
    np.testing.assert_allclose(got, [[first], [second]], rtol=1e-15)


def test_masked_keys_count_in_no_sum_and_no_maximum() -> None:
    masked = np.array([[-_INF, -_INF]])
    assert Rows(masked).value(RowSum(SCORE**0)) == 0
    assert Rows(masked).value(RowMaximum(SCORE**0)) == -_INF


def test_the_numbers_of_a_rule_come_in_the_order_in_which_they_follow() -> None:
    shifted = SCORE - RowMaximum(SCORE)
    rule = Exponential(shifted) / RowSum(Exponential(shifted)) - KEYS
    assert numbers_of_rows(rule) == [
        RowMaximum(SCORE),
        RowSum(Exponential(shifted)),
        KEYS,
    ]
    np.testing.assert_allclose(
        Rows(np.log([[1.0, 2.0, 4.0]])).numbers(rule), [[math.log(4), 7 / 4, 3]]
    )


def test_a_rule_without_numbers_of_its_rows_has_a_column_of_zeros() -> None:
    numbers = Rows(_SCORES).numbers(SCORE)
    np.testing.assert_array_equal(numbers, [[0.0], [0.0]])


def test_shares_of_positive_scores_are_as_worked_by_hand() -> None:
    want = [[1 / 7, 3 / 7, 0, 3 / 7], [0, 0, 0, 1]]
    np.testing.assert_allclose(_weights(_SHARE, _SCORES), want, rtol=1e-15)


def test_a_row_whose_terms_are_all_0_has_weights_of_0() -> None:
    np.testing.assert_array_equal(_weights(_SHARE, np.array([[-1.0, -2.0]])), [[0, 0]])


def test_the_winner_is_the_first_key_with_the_largest_term() -> None:
    rule = IsAt(RowWinner(SCORE))
    want = [[0, 1, 0, 0], [0, 0, 0, 1]]
    np.testing.assert_array_equal(_weights(rule, _SCORES), want)
    np.testing.assert_array_equal(_weights(rule, np.full((1, 2), -_INF)), [[0, 0]])


@pytest.mark.parametrize(
    "rule",
    [
        _SHARE,
        Logistic(SCORE - Logarithm(KEYS)),
        IsAt(RowWinner(SCORE)),
        Maximum(Number(0.0), SCORE - RowMaximum(SCORE) + 1),
    ],
    ids=repr,
)
def test_a_window_of_the_keys_has_the_weights_of_whole_rows(rule) -> None:
    numbers = Rows(_SCORES).numbers(rule)
    window = Rows(_SCORES[:, 1:3], keys=slice(1, 3)).weights(rule, numbers)
    np.testing.assert_array_equal(window, _weights(rule, _SCORES)[:, 1:3])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_weights_are_of_the_type_of_the_scores(dtype) -> None:
    scores = np.array([[300.0, 400.0]] * 2, dtype)
    rule = SCORE * 200 / RowSum(SCORE * 200)
    assert _weights(_SHARE, scores).dtype == dtype
    assert Rows(scores).gradient(rule, scores).dtype == dtype


def test_sums_of_half_precision_are_kept_in_single_precision() -> None:
    scores = np.full((1, 4), 40000.0, np.float16)
    assert Rows(scores).numbers(_SHARE).dtype == np.float32
    np.testing.assert_array_equal(_weights(_SHARE, scores), [[0.25] * 4])


_SHIFTED = Named("shifted", SCORE - RowMaximum(SCORE))
_SMOOTH: dict[str, Expression] = {
    "share": Exponential(_SHIFTED) / RowSum(Exponential(_SHIFTED)),
    "share of squares": SCORE**2 / Named("total", RowSum(SCORE**2)),
    "distance to the maximum": RowMaximum(SCORE) - SCORE * SCORE,
    "maximum of another term": SCORE / RowMaximum(Absolute(SCORE)),
    "sparse": Maximum(Number(0.0), _SHIFTED - Threshold(_SHIFTED, 1)),
    "sparse, squared": Maximum(Number(0.0), _SHIFTED / 2 - Threshold(_SHIFTED / 2, 2))
    ** 2,
    "softplus": LogOnePlus(Exponential(SCORE)) / KEYS,
    "logistic": Logistic(SCORE - Logarithm(KEYS)),
    "tanh": HyperbolicTangent(-SCORE) + SquareRoot(SCORE * SCORE + 1),
    "the winner's": IsAt(RowWinner(SCORE)) * SCORE,
}


@pytest.mark.parametrize("rule", _SMOOTH.values(), ids=_SMOOTH)
def test_gradients_are_those_of_finite_differences(rule) -> None:
    scores = np.array([[0.3, -1.2, 0.9, -_INF], [1.1, 0.4, -0.6, 0.75]])
    factors = np.array([[0.7, -0.4, 1.3, 5.0], [-0.2, 0.9, 0.6, -1.1]])
    got = Rows(scores).gradient(rule, factors)
    step = 1e-6
    for place in np.ndindex(scores.shape):
        if np.isneginf(scores[place]):
            assert got[place] == 0
            continue
        moved = np.zeros_like(scores)
        moved[place] = step
        more, less = (_weights(rule, scores + way * moved) for way in (1, -1))
        want = (factors * (more - less)).sum() / (2 * step)
        assert got[place] == pytest.approx(want, rel=1e-6, abs=1e-8)


def test_a_rule_without_scores_has_no_gradient() -> None:
    got = Rows(_SCORES).gradient(1 / KEYS, np.ones_like(_SCORES))
    np.testing.assert_array_equal(got, np.zeros_like(_SCORES))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Exponential(SCORE), True),
        (Logistic(SCORE), True),
        (Exponential(SCORE - RowMaximum(SCORE)), True),
        (Maximum(Number(0.0), SCORE), True),
        (SCORE, False),
        (SCORE * 0, False),  # −∞ · 0 is no number
        (Exponential(-SCORE), False),
        (Logistic(SCORE) + 1, False),
    ],
    ids=repr,
)
def test_a_term_vanishes_if_it_is_0_for_a_masked_key(term, expected) -> None:
    assert vanishes(term) is expected


def test_only_reductions_and_what_is_made_of_them_are_of_the_row() -> None:
    assert is_of_row(RowSum(SCORE) + KEYS * 2)
    assert is_of_row(Number(3.0))
    assert not is_of_row(RowSum(SCORE) + SCORE)
    assert not is_of_row(IsAt(RowWinner(SCORE)))


def test_a_part_that_stands_twice_in_a_rule_is_one_node() -> None:
    square = SCORE * SCORE
    assert list(nodes(square + square)) == [SCORE, square, square + square]


def test_what_is_no_part_of_a_rule_for_rows_is_refused() -> None:
    with pytest.raises(TypeError, match="must be made of operations"):
        Rows(_SCORES).value(SCORE + Entry("query"))


def test_a_rule_is_no_number_by_itself() -> None:
    with pytest.raises(TypeError, match="only where its rule is applied"):
        RowSum(SCORE).evaluate()
