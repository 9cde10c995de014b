"""From scores to weights: softmax and the plain sum."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute import NORMALIZERS

_SOFTMAX, _SUM = NORMALIZERS["softmax"], NORMALIZERS["sum"]
_INF = math.inf


def _rows(minimum: float, maximum: float) -> st.SearchStrategy[np.ndarray]:
    shapes = array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6)
    return arrays(np.float64, shapes, elements=st.floats(minimum, maximum))


@given(_rows(-50, 50))
def test_softmax_is_the_written_out_formula(scores: np.ndarray) -> None:
    weights = _SOFTMAX.normalize(scores)
    for index in np.ndindex(scores.shape[:-1]):
        row = scores[index].tolist()
        top = max(row)
        total = math.fsum(math.exp(s - top) for s in row)
        want = [math.exp(s - top) / total for s in row]
        np.testing.assert_allclose(weights[index], want, rtol=1e-14, atol=1e-300)


@given(_rows(-1.7e308, 1.7e308))
def test_softmax_rows_add_up_to_one_whatever_the_scores(scores: np.ndarray) -> None:
    with np.errstate(over="ignore"):
        weights = _SOFTMAX.normalize(scores)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=0, atol=1e-14)


@given(_rows(-100, 100), st.integers(-1000, 1000))
def test_softmax_does_not_feel_a_shift_of_its_row(scores, shift) -> None:
    # Sixteenths shift without rounding, so not a bit may change.
    exact = np.round(scores * 16) / 16
    got = _SOFTMAX.normalize(exact + shift)
    assert got.tolist() == _SOFTMAX.normalize(exact).tolist()


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([0.0], [1.0]),
        ([1e308, 1e308], [0.5, 0.5]),
        ([1e308, -1e308], [1.0, 0.0]),
        ([-1e308, -1e308, -1e308, -1e308], [0.25] * 4),
        ([_INF, 5.0], [1.0, 0.0]),
        ([_INF, -_INF, _INF, 1e308], [0.5, 0.0, 0.5, 0.0]),
        ([-_INF, 3.0, 3.0], [0.0, 0.5, 0.5]),
        ([-_INF, -_INF], [0.0, 0.0]),
        ([math.log(1), math.log(3)], [0.25, 0.75]),
    ],
)
def test_softmax_of_rows_worked_by_hand(scores, weights) -> None:
    with np.errstate(over="ignore"):
        got = _SOFTMAX.normalize(np.array([scores]))[0]
    np.testing.assert_allclose(got, weights, rtol=1e-15, atol=0)


@pytest.mark.parametrize("normalizer", NORMALIZERS.values(), ids=NORMALIZERS)
def test_a_row_masked_as_a_whole_gets_zeros_without_a_warning(normalizer) -> None:
    scores = np.array([[-_INF, -_INF], [1.0, 1.0]])
    assert normalizer.normalize(scores).tolist() == [[0.0, 0.0], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("scores", "weights"),
    [
        ([1.0, 3.0], [0.25, 0.75]),
        ([-1.0, 3.0], [-0.5, 1.5]),
        ([-1.0, -3.0], [0.25, 0.75]),
        ([5.0, -_INF, 15.0], [0.25, 0.0, 0.75]),
        ([0.0, 2.0], [0.0, 1.0]),
    ],
)
def test_plain_sum_of_rows_worked_by_hand(scores, weights) -> None:
    assert _SUM.normalize(np.array([scores]))[0].tolist() == weights


@pytest.mark.parametrize("scores", [[0.0, 0.0], [1.0, -1.0], [2.0, -_INF, -2.0]])
def test_plain_sum_has_no_weights_where_the_open_scores_add_up_to_zero(scores) -> None:
    got = _SUM.normalize(np.array([scores]))[0]
    assert np.isnan(got).all()


@given(_rows(0.001, 1000))
def test_plain_sum_of_positive_scores_adds_up_to_one(scores: np.ndarray) -> None:
    sums = _SUM.normalize(scores).sum(axis=-1)
    np.testing.assert_allclose(sums, 1.0, rtol=0, atol=1e-13)


@pytest.mark.parametrize("normalizer", NORMALIZERS.values(), ids=NORMALIZERS)
@given(_rows(-20, 20), st.data())
def test_a_window_of_weights_follows_from_the_state_of_its_rows(
    normalizer, scores, data
) -> None:
    with np.errstate(all="ignore"):
        whole = normalizer.normalize(scores)
        n_q, n_k = scores.shape[-2:]
        row = data.draw(st.integers(0, n_q - 1))
        start = data.draw(st.integers(0, n_k - 1))
        stop = data.draw(st.integers(start + 1, n_k))
        state = normalizer.state(scores)[..., row : row + 1, :]
        window = normalizer.apply(scores[..., row : row + 1, start:stop], state)
    np.testing.assert_array_equal(window, whole[..., row : row + 1, start:stop])


@pytest.mark.parametrize("normalizer", NORMALIZERS.values(), ids=NORMALIZERS)
def test_single_precision_stays_single(normalizer) -> None:
    scores = np.array([[1.0, 2.0]], dtype=np.float32)
    assert normalizer.normalize(scores).dtype == np.float32
