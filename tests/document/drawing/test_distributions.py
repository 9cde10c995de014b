"""What NumPy's generators give, as NumPy's own numbers recorded."""

import math

import numpy as np
import pytest

from attnviewer.document.drawing.distributions import (
    Integers,
    Normal,
    Orthogonal,
    Uniform,
    Xavier,
    generator_of,
)

ANY = generator_of("legacy", 0)


def draw(distribution, shape, generator, seed):
    return distribution.draw(generator_of(generator, seed), shape)


# np.random.seed(…) and np.random.default_rng(…), NumPy 2.4, with the calls of their
# documentation.
RECORDED = [
    (Integers(3), "legacy", 42, [[2, 0, 2], [2, 0, 0], [2, 1, 2]]),
    (Integers(3), "default", 42, [[0, 2, 1], [1, 1, 2], [0, 2, 0]]),
    (Integers(10), "default", 12345, [[6, 2, 7]]),
    (
        Uniform(),
        "legacy",
        123,
        [[0.6964691855978616, 0.28613933495037946, 0.2268514535642031]],
    ),
    (
        Uniform(),
        "default",
        12345,
        [[0.22733602246716966, 0.31675833970975287, 0.7973654573327341]],
    ),
    (
        Normal(),
        "legacy",
        0,
        [[1.764052345967664, 0.4001572083672233, 0.9787379841057392]],
    ),
    (
        Normal(),
        "default",
        0,
        [[0.1257302210933933, -0.1321048632913019, 0.6404226504432821]],
    ),
]


@pytest.mark.parametrize(("distribution", "generator", "seed", "numbers"), RECORDED)
def test_draws_are_those_of_numpys_generators(distribution, generator, seed, numbers):
    shape = len(numbers), len(numbers[0])
    drawn = draw(distribution, shape, generator, seed)
    np.testing.assert_allclose(drawn, numbers, rtol=1e-15, atol=0)
    assert drawn.dtype == np.float64
    assert drawn.flags.c_contiguous


def test_uniform_and_normal_go_on_from_rand_and_randn():
    generator, numpys = generator_of("legacy", 5), np.random.RandomState(5)
    for shape in ((2, 3), (1, 1), (3, 1)):
        drawn = Uniform().draw(generator, shape)
        assert drawn.tolist() == numpys.rand(*shape).tolist()
        drawn = Normal().draw(generator, shape)
        assert drawn.tolist() == numpys.randn(*shape).tolist()


def test_low_is_the_smallest_integer_and_high_one_above_the_largest():
    for generator in ("legacy", "default"):
        drawn = draw(Integers(3, -2), (40, 40), generator, 0)
        assert set(np.unique(drawn)) == {-2, -1, 0, 1, 2}


def test_normal_numbers_have_their_mean_and_deviation():
    drawn = draw(Normal(10.0, 0.5), (300, 300), "default", 1)
    # Five standard errors of the mean and of the deviation of 90,000 numbers.
    assert abs(drawn.mean() - 10.0) < 5 * 0.5 / 300
    assert abs(drawn.std() - 0.5) < 5 * 0.5 / 424
    assert draw(Normal(3.0, 0.0), (2, 2), "legacy", 1).tolist() == [[3, 3], [3, 3]]


def test_xavier_fills_its_bound_from_both_sides():
    drawn = draw(Xavier(2, 4), (100, 100), "legacy", 1)  # √(6 / 6) = 1
    assert -1 <= drawn.min() < -0.999
    assert 0.999 < drawn.max() < 1
    # A uniform number within ±b has the variance b²/3.
    drawn = draw(Xavier(100, 50), (100, 50), "default", 1)
    assert drawn.var() == pytest.approx(2 / (100 + 50), rel=0.05)
    assert abs(drawn).max() < math.sqrt(6 / 150)


@pytest.mark.parametrize("generator", ["legacy", "default"])
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 2), (2, 5), (40, 30)])
def test_orthogonal_makes_the_fewer_of_rows_and_columns_orthonormal(shape, generator):
    drawn = draw(Orthogonal(), shape, generator, 7)
    assert drawn.shape == shape
    narrow = drawn if shape[0] >= shape[1] else drawn.T
    np.testing.assert_allclose(narrow.T @ narrow, np.eye(min(shape)), atol=1e-14)


def test_orthogonal_favours_no_direction():
    # Without the signs of R, NumPy's Q of a 1 × 1 matrix is always −1 or always 1.
    signs = {draw(Orthogonal(), (1, 1), "legacy", seed).item() for seed in range(20)}
    assert signs == {-1.0, 1.0}


@pytest.mark.parametrize(
    ("distribution", "title"),
    [
        (Integers(3), "randint 0–2"),
        (Integers(3, -2), "randint −2 to 2"),
        (Normal(), "normal 0 ± 1"),
        (Normal(-1.5, 0.02), "normal −1.5 ± 0.02"),
        (Uniform(), "uniform 0–1"),
        (Uniform(-1, 1), "uniform −1 to 1"),
        (Xavier(3, 3), "Xavier ±1"),
        (Orthogonal(), "orthogonal"),
    ],
)
def test_a_distribution_is_told_with_its_parameters(distribution, title):
    assert distribution.title == title


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (
            lambda: Integers(0),
            "The 'high' must be above the 'low', 0. Got 0 instead.",
        ),
        (
            lambda: Integers(2**54),
            "The 'high' must be a whole number within ±2⁵³. "
            "Got 18014398509481984 instead.",
        ),
        (
            lambda: Integers(3, 0.5),
            "The 'low' must be a whole number within ±2⁵³. Got 0.5 instead.",
        ),
        (
            lambda: Normal(0, -1),
            "The 'deviation' must be at least 0. Got -1 instead.",
        ),
        (
            lambda: Normal(math.nan),
            "The 'mean' must be a finite number. Got nan instead.",
        ),
        (
            lambda: Uniform(2, 1),
            "The 'high' must be above the 'low', 2. Got 1 instead.",
        ),
        (
            lambda: Uniform(0, math.inf),
            "The 'high' must be a finite number. Got inf instead.",
        ),
        (
            lambda: Uniform(-1e308, 1e308),
            "The 'high' must be at most 1.8e308 above the 'low'. "
            "Got -1e+308 to 1e+308 instead.",
        ),
        (
            lambda: Xavier(0, 3),
            "The 'fan_in' must be a whole number of at least 1. Got 0 instead.",
        ),
        (
            lambda: Orthogonal().draw(ANY, (4096, 4096)),
            "The 'shape' of an orthogonal draw must be smaller: the longer side times "
            "the shorter one's square at most 4,294,967,296. "
            "Got (4096, 4096) instead.",
        ),
        (
            lambda: generator_of("legacy", 2**32),
            "The 'seed' must be a whole number from 0 to 4294967295. "
            "Got 4294967296 instead.",
        ),
        (
            lambda: generator_of("default", -1),
            "The 'seed' must be a whole number from 0 to 4294967295. Got -1 instead.",
        ),
        (
            lambda: generator_of("mersenne", 1),
            "The 'generator' must be one of legacy, default. Got mersenne instead.",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_reason(make, reason):
    with pytest.raises(ValueError, match=r"\w") as refused:
        make()
    assert str(refused.value) == reason
