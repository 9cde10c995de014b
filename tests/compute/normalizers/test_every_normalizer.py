"""What holds for every normaliser, whatever its formula."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.compute.normalizers import NORMALIZERS, Normalizer, Separable

_INF = math.inf
_EVERY = {
    **{name: normalizer() for name, normalizer in NORMALIZERS.items()},
    **{f"{name} at 2.5": made(temperature=2.5) for name, made in NORMALIZERS.items()},
    "sigmoid without bias": NORMALIZERS["sigmoid"].with_options(length_bias=False),
}
_each = pytest.mark.parametrize("normalizer", _EVERY.values(), ids=_EVERY)
_ADD_UP = ("softmax", "sparsemax", "entmax15", "hardmax")


def _every() -> Iterator[Normalizer]:
    """Yield every normaliser, to be asked about the scores that are drawn once."""
    for name, normalizer in _EVERY.items():
        note(name)
        yield normalizer


def _rows(largest: float, dtype: type = np.float64) -> st.SearchStrategy[np.ndarray]:
    width = np.dtype(dtype).itemsize * 8
    return arrays(
        dtype,
        array_shapes(min_dims=2, max_dims=4, min_side=1, max_side=6),
        elements=st.floats(-largest, largest, width=width) | st.just(-_INF),
    )


@settings(max_examples=12)
@given(scores=_rows(20), data=st.data())
def test_a_window_of_weights_follows_from_the_state_of_its_rows(scores, data) -> None:
    n_q, n_k = scores.shape[-2:]
    row = data.draw(st.integers(0, n_q - 1))
    start = data.draw(st.integers(0, n_k - 1))
    stop = data.draw(st.integers(start + 1, n_k))
    some = np.flatnonzero(data.draw(arrays(bool, n_k)))
    for normalizer in _every():
        whole = normalizer.normalize(scores)[..., row : row + 1, :]
        state = normalizer.state(scores)[..., row : row + 1, :]
        for keys in (slice(start, stop), some):
            part = scores[..., row : row + 1, keys]
            window = normalizer.apply(part, state, keys)
            np.testing.assert_array_equal(window, whole[..., keys])


@settings(max_examples=12)
@given(scores=_rows(20))
def test_what_is_kept_over_the_divisor_are_the_weights(scores) -> None:
    for normalizer in _every():
        kept = scores.copy()
        state = normalizer.keep(kept)
        np.testing.assert_array_equal(state, normalizer.state(scores))
        divisor = normalizer.divisor(state)
        weights = kept if divisor is None else kept / divisor
        np.testing.assert_array_equal(weights, normalizer.normalize(scores))


@settings(max_examples=12)
@given(scores=_rows(20))
def test_the_scores_are_left_as_they_were(scores) -> None:
    for normalizer in _every():
        before = scores.copy()
        weights = normalizer.normalize(scores)
        normalizer.backward(scores, weights, np.ones_like(scores))
        np.testing.assert_array_equal(scores, before)


@pytest.mark.parametrize("name", ["softmax", "softmax1"])
@given(scores=_rows(20), other=st.floats(-50, 50))
def test_another_shift_gives_the_same_weights(name, scores, other) -> None:
    for temperature in (1.0, 2.5):
        normalizer = NORMALIZERS[name](temperature=temperature)
        assert isinstance(normalizer, Separable)
        shift = np.full((*scores.shape[:-1], 1), other)
        kept = normalizer.numerators(scores, shift, out=np.empty_like(scores))
        total = kept.sum(axis=-1, keepdims=True)
        got = kept / normalizer.divide_by(shift, total)
        np.testing.assert_allclose(got, normalizer.normalize(scores), rtol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@settings(max_examples=12)
@given(data=st.data())
def test_weights_are_in_range_whatever_the_scores(dtype, data) -> None:
    scores = data.draw(_rows(float(np.finfo(dtype).max), dtype))
    for normalizer in _every():
        check_weights_in_range(normalizer, scores)


def check_weights_in_range(normalizer: Normalizer, scores) -> None:
    weights = normalizer.normalize(scores)
    assert weights.dtype == scores.dtype
    masked = np.isneginf(scores)
    if normalizer.name == "sum":
        undefined = np.isnan(weights)
        assert not weights[masked & ~undefined].any()
        return
    assert not weights[masked].any()
    if normalizer.name == "none":
        if normalizer.temperature == 1:
            np.testing.assert_array_equal(weights[~masked], scores[~masked])
        return
    assert ((weights >= 0) & (weights <= 1)).all()
    if normalizer.name in _ADD_UP:
        sums = weights.astype(np.float64).sum(axis=-1)
        want = np.where(masked.all(axis=-1), 0.0, 1.0)
        np.testing.assert_allclose(sums, want, atol=8 * np.finfo(scores.dtype).eps)


def test_those_that_average_are_told_apart() -> None:
    told = [name for name, normalizer in NORMALIZERS.items() if normalizer.convex]
    assert sorted(told) == sorted(_ADD_UP)


@_each
def test_a_row_masked_as_a_whole_gets_zeros_without_a_warning(normalizer) -> None:
    scores = np.array([[-_INF, -_INF], [1.0, 1.0]])
    weights = normalizer.normalize(scores)
    assert weights[0].tolist() == [0.0, 0.0]
    assert weights[1, 0] > 0
    gradient = normalizer.backward(scores, weights, np.full((2, 2), _INF))
    assert gradient[0].tolist() == [0.0, 0.0]


@_each
def test_temperature_divides_the_scores_first(normalizer) -> None:
    scores = np.array([[1.0, 2.0, -3.5, 0.25]])
    options = {"length_bias": False} if "length" in repr(normalizer) else {}
    plain = type(normalizer).with_options(**options)
    hot = type(normalizer).with_options(temperature=4.0, **options)
    np.testing.assert_allclose(
        hot.normalize(scores), plain.normalize(scores / 4), rtol=1e-15
    )


@_each
def test_single_precision_with_a_numpy_temperature_stays_single(normalizer) -> None:
    scores = np.array([[1.0, 2.0]], dtype=np.float32)
    made = type(normalizer)(temperature=np.float64(2.0))
    weights = made.normalize(scores)
    assert weights.dtype == np.float32
    assert made.backward(scores, weights, weights).dtype == np.float32


@pytest.mark.parametrize("temperature", [1e-30, 1e-7, 70000.0, 1e300])
def test_half_precision_takes_a_temperature_it_cannot_hold(temperature) -> None:
    scores = np.array([[1.0, 1.0, 3.0]], dtype=np.float16)
    got = NORMALIZERS["softmax"](temperature=temperature).normalize(scores)
    want = [[0, 0, 1]] if temperature < 1 else [[1 / 3] * 3]
    np.testing.assert_allclose(got, want, atol=1e-3)


@pytest.mark.parametrize("half", [Fraction(1, 2), np.float16(0.5), np.float64(0.5)])
def test_any_real_number_is_a_temperature(half) -> None:
    normalizer = NORMALIZERS["softmax"](temperature=half)
    assert repr(normalizer) == "Softmax(temperature=0.5)"
    got = normalizer.normalize(np.array([[0.0, math.log(3) / 2]]))
    np.testing.assert_allclose(got, [[0.25, 0.75]], rtol=1e-15)


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, _INF, 10**400])
def test_a_temperature_that_divides_nothing_is_refused(temperature) -> None:
    wrong = "The 'temperature' option must be a finite number above 0. Got "
    with pytest.raises(ValueError, match=wrong):
        NORMALIZERS["softmax"](temperature=temperature)


@pytest.mark.parametrize("temperature", ["2", None, True, 1j])
def test_a_temperature_that_is_no_number_is_refused(temperature) -> None:
    with pytest.raises(TypeError, match="The 'temperature' option must be a finite"):
        NORMALIZERS["softmax"](temperature=temperature)


@pytest.mark.parametrize(
    ("name", "weights"),
    [
        # z = [1, −1, 0] in units of the temperature
        ("softmax", np.exp([1, -1, 0]) / np.exp([1, -1, 0]).sum()),
        ("softmax1", np.exp([1, -1, 0]) / (1 + np.exp([1, -1, 0]).sum())),
        ("sparsemax", [1, 0, 0]),
        # (z / 2 − τ)² adds up to 1 for the first and the last: τ = (1 − √7) / 4
        ("entmax15", [(1 + 7**0.5) ** 2 / 16, 0, (1 - 7**0.5) ** 2 / 16]),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_scores_that_differ_by_more_than_the_largest_number_are_tempered(
    name, weights, dtype
) -> None:
    large = float(np.finfo(dtype).max) * 0.75
    scores = np.array([[1, -1, 0]], dtype) * dtype(large)
    got = NORMALIZERS[name](temperature=large).normalize(scores)[0]
    np.testing.assert_allclose(got, weights, atol=4 * np.finfo(dtype).eps)
