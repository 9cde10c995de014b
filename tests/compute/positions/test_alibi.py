"""ALiBi's slopes and biases: the paper's numbers and its published rule."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.positions import alibi_bias, alibi_slopes


def _published_slopes(n_heads: int) -> list[float]:
    """The rule as the authors publish it, by recursion."""
    exponent = math.log2(n_heads)
    if exponent.is_integer():
        ratio = 2 ** -(2 ** -(exponent - 3))
        return [ratio * ratio**k for k in range(n_heads)]
    closest = 2 ** math.floor(exponent)
    more = _published_slopes(2 * closest)[0::2]
    return _published_slopes(closest) + more[: n_heads - closest]


def test_eight_heads_have_the_papers_slopes() -> None:
    want = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 32, 1 / 64, 1 / 128, 1 / 256]
    assert alibi_slopes(8).tolist() == want


@pytest.mark.parametrize(
    ("n_heads", "exponents"),
    [
        (1, [8]),
        (2, [4, 8]),
        (3, [4, 8, 2]),
        (4, [2, 4, 6, 8]),
        (6, [2, 4, 6, 8, 1, 3]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5]),
    ],
)
def test_slopes_worked_by_hand(n_heads, exponents) -> None:
    slopes = alibi_slopes(n_heads)
    assert slopes.dtype == np.float64
    np.testing.assert_allclose(slopes, [2.0**-e for e in exponents], rtol=1e-15)


@given(st.integers(1, 200))
def test_slopes_follow_the_published_rule(n_heads) -> None:
    want = _published_slopes(n_heads)
    np.testing.assert_allclose(alibi_slopes(n_heads), want, rtol=1e-12)


def test_a_bias_worked_by_hand() -> None:
    want = [
        [[0, 1 / 16, 1 / 8], [-1 / 16, 0, 1 / 16]],
        [[0, 1 / 256, 1 / 128], [-1 / 256, 0, 1 / 256]],
    ]
    bias = alibi_bias(2, 2, 3)
    assert bias.dtype == np.float64
    assert bias.tolist() == want


@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 5), st.integers(-9, 9))
def test_a_bias_is_the_papers_formula_cell_by_cell(n_heads, n_q, n_k, offset) -> None:
    bias = alibi_bias(n_heads, n_q, n_k, query_offset=offset)
    want = [
        [[-slope * (i + offset - j) for j in range(n_k)] for i in range(n_q)]
        for slope in _published_slopes(n_heads)
    ]
    np.testing.assert_allclose(bias, want, rtol=1e-12, atol=0)


def test_blooms_bias_gives_the_same_weights() -> None:
    scores = np.array([[0.5, -1.0, 2.0], [1.0, 0.0, -0.5], [0.25, 3.0, 1.0]])
    hidden = np.triu(np.ones((3, 3), dtype=bool), 1)
    bloom = alibi_slopes(2)[:, None, None] * np.arange(3.0)  # (2, 1, 3)

    def weights(bias: np.ndarray) -> np.ndarray:
        exponentials = np.exp(np.where(hidden, -np.inf, scores + bias))
        return exponentials / exponentials.sum(axis=-1, keepdims=True)

    bias = alibi_bias(2, 3, 3)
    assert not np.allclose(bias, np.broadcast_to(bloom, bias.shape))
    np.testing.assert_allclose(weights(bias), weights(bloom), rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 1, 1), ValueError, "'n_heads' .* at least 1. Got 0 instead"),
        ((True, 1, 1), TypeError, "'n_heads' .* Got True instead"),
        ((2, 0, 1), ValueError, "'n_q' .* Got 0 instead"),
        ((2, 1, -3), ValueError, "'n_k' .* Got -3 instead"),
        ((2, 1, 1.0), TypeError, r"'n_k' .* Got 1\.0 instead"),
    ],
)
def test_what_is_no_size_is_refused(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        alibi_bias(*arguments)


def test_an_offset_that_is_no_integer_is_refused() -> None:
    with pytest.raises(TypeError, match=r"'query_offset' .* Got '1' instead"):
        alibi_bias(2, 2, 2, query_offset="1")
