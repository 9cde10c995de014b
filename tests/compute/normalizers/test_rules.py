"""Every normaliser computes what its rule says, however it does it."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS, Normalizer
from attnviewer.compute.rules import Rows

_INF = math.inf
_EVERY = {
    **{name: normalizer() for name, normalizer in NORMALIZERS.items()},
    **{f"{name} at 2.5": made(temperature=2.5) for name, made in NORMALIZERS.items()},
    "sigmoid without bias": NORMALIZERS["sigmoid"].with_options(length_bias=False),
}
_each = pytest.mark.parametrize("normalizer", _EVERY.values(), ids=_EVERY)
_SCORES = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=3, min_side=1, max_side=6),
    elements=st.floats(-20, 20) | st.just(-_INF),
)


_few = settings(
    max_examples=12,
    # The sum of signed scores is often 0.
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)


def _rows(normalizer: Normalizer, scores: np.ndarray) -> Rows:
    return Rows(scores / normalizer.temperature)


@_each
@_few
@given(scores=_SCORES)
def test_the_weights_are_those_of_the_rule(normalizer, scores) -> None:
    numbers = _rows(normalizer, scores).numbers(normalizer.rule)
    if normalizer.signed:  # sums that all but cancel say nothing
        assume((np.abs(numbers) > 1e-3).all())
    want = _rows(normalizer, scores).weights(normalizer.rule, numbers)
    got = normalizer.normalize(scores)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12)


@_each
@_few
@given(scores=_SCORES, seed=st.integers(0, 99))
def test_the_gradients_are_those_of_the_rule(normalizer, scores, seed) -> None:
    numbers = _rows(normalizer, scores).numbers(normalizer.rule)
    if normalizer.signed:
        assume((np.abs(numbers) > 1e-3).all())
    weights = normalizer.normalize(scores)
    nudged = normalizer.normalize(np.where(weights == 0, scores + 1e-9, scores))
    assume((nudged[weights == 0] == 0).all())  # a kink has two gradients
    gradient = np.random.default_rng(seed).normal(size=scores.shape)
    got = normalizer.backward(scores, weights, gradient)
    want = _rows(normalizer, scores).gradient(normalizer.rule, gradient)
    want = want / normalizer.temperature
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("softmax", "e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)"),
        (
            "softmax1",
            "e^(sᵢⱼ − mᵢ) / (e^(0 − mᵢ) + Σₖ e^(sᵢₖ − mᵢ)), mᵢ = max(0, maxₖ sᵢₖ)",
        ),
        (
            "sigmoid",
            "σ(sᵢⱼ − log n), σ(x) = 1 / (1 + e^(−x)) = e^x / (1 + e^x)",
        ),
        ("sum", "sᵢⱼ / Σₖ sᵢₖ"),
        ("sparsemax", "max(0, sᵢⱼ − maxᵢ − τᵢ)"),
        ("entmax15", "max(0, (sᵢⱼ − maxᵢ) / 2 − τᵢ)²"),
        ("hardmax", "1 if j is the first key with sᵢⱼ = maxᵢ, else 0"),
        ("none", "sᵢⱼ"),
    ],
)
def test_rules_read_as_in_papers(name, symbols) -> None:
    assert NORMALIZERS[name]().symbols == symbols
