"""The feed-forward part, plain and gated: by hand, recorded, and row by row."""

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.layers import ACTIVATIONS, Linear, feed_forward

relu = ACTIVATIONS["relu"]
X = np.array([[1, 2], [-0.5, 0.25]], np.float32)


def single(*rows: list[float]) -> np.ndarray:
    return np.array(rows, np.float32)


def normal(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def test_two_tokens_worked_out_by_hand() -> None:
    widen, widen_bias = single([1, -1, 2], [0, 1, 1]), np.float32([0, 1, -5])
    narrow, narrow_bias = single([1, 2], [10, 20], [100, 200]), np.float32([0.5, 0])
    # x W₁ + b₁ = (1, 2, −1) and (−0.5, 1.75, −5.75), of which relu leaves what is > 0.
    out = feed_forward(X, Linear(widen, widen_bias), Linear(narrow, narrow_bias), relu)
    assert out.tolist() == [[21.5, 42.0], [18.0, 35.0]]
    # Without biases, (1, 1, 4) and (−0.5, 0.75, −0.75).
    out = feed_forward(X, Linear(widen), Linear(narrow), relu)
    assert out.tolist() == [[411.0, 822.0], [7.5, 15.0]]


def test_two_gated_tokens_worked_out_by_hand() -> None:
    gate, up = single([1, -1, 2], [0, 1, 1]), single([0, 2, 1], [1, 0, 0])
    down = single([1, 2], [10, 20], [100, 200])
    # relu(x W_gate) ⊙ x W_up = (1, 1, 4) ⊙ (2, 2, 1) and (0, 0.75, 0) ⊙ (…, −1, …).
    out = feed_forward(X, Linear(up), Linear(down), relu, Linear(gate))
    assert out.tolist() == [[422.0, 844.0], [-7.5, -15.0]]


def test_a_feed_forward_part_is_that_of_gpt2() -> None:
    # transformers 5.23, GPT2MLP with gelu_new
    widen, widen_bias = single([1, -1, 0.5], [2, 0, 3]), np.float32([0.5, -0.25, 1])
    narrow, narrow_bias = single([2, 0], [1, 1], [-1, 0.5]), np.float32([0.125, -2])
    out = feed_forward(
        X,
        Linear(widen, widen_bias),
        Linear(narrow, narrow_bias),
        ACTIVATIONS["gelu_new"],
    )
    expected = [[3.49271393, 1.61771417], [-0.43346816, -1.15053892]]
    np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_a_gated_part_is_that_of_llama() -> None:
    # transformers 5.23, LlamaMLP with silu; it stores transposes
    gate, up = single([1, -1], [0.5, 2], [0, 3]).T, single([2, 0], [1, 1], [-1, 0.5]).T
    down = single([1, 2, -1], [0.5, 0, 4]).T
    out = feed_forward(X, Linear(up), Linear(down), ACTIVATIONS["silu"], Linear(gate))
    expected = [[26.16546822, -0.26894143], [-0.14802113, 1.39376807]]
    np.testing.assert_allclose(out, expected, rtol=1e-6)


@given(st.integers(0, 9), st.sampled_from(sorted(ACTIVATIONS)))
def test_a_gate_over_ones_is_the_plain_part_without_biases(count, name) -> None:
    x, widen, narrow = normal(1, count, 5), normal(2, 5, 7), normal(3, 7, 5)
    x[:, 0] = 1
    ones = np.zeros((5, 7), np.float32)
    ones[0] = 1  # so x @ ones is 1 everywhere
    gated = feed_forward(
        x, Linear(ones), Linear(narrow), ACTIVATIONS[name], Linear(widen)
    )
    plain = feed_forward(x, Linear(widen), Linear(narrow), ACTIVATIONS[name])
    np.testing.assert_allclose(gated, plain, rtol=1e-6, atol=1e-6)


def plain_of(x: np.ndarray, wide: int) -> np.ndarray:
    widen, narrow = normal(1, x.shape[1], wide), normal(2, wide, 3)
    biases = normal(3, wide), normal(4, 3)
    return feed_forward(x, Linear(widen, biases[0]), Linear(narrow, biases[1]), relu)


def gated_of(x: np.ndarray, wide: int) -> np.ndarray:
    gate, up = normal(1, x.shape[1], wide), normal(2, x.shape[1], wide)
    return feed_forward(x, Linear(up), Linear(normal(3, wide, 3)), relu, Linear(gate))


@pytest.mark.parametrize("part", [plain_of, gated_of])
def test_many_tokens_are_widened_a_few_at_a_time(
    part: Callable[[np.ndarray, int], np.ndarray],
) -> None:
    count, wide = 4100, 4096
    x = normal(0, count, 4)
    tracemalloc.start()
    try:
        out = part(x, wide)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # All at once would take 67 million bytes for each wide array.
    assert peak < 4 * count * wide
    # Blocks of 1024 rows; the last one is a short one.
    some = [0, 1023, 1024, 2047, 2048, 4095, 4096, 4099]
    np.testing.assert_allclose(out[some], part(x[some], wide), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("part", [plain_of, gated_of])
def test_a_part_leaves_its_tokens_alone_and_stays_in_single_precision(part) -> None:
    x = X.copy()
    out = part(x, 7)
    assert out.dtype == np.float32
    assert out.shape == (2, 3)
    assert x.tolist() == X.tolist()
    assert part(x[:0], 7).shape == (0, 3)


@pytest.mark.parametrize("n", [32, 48, 49])
def test_threads_that_share_weights_or_rows_give_the_sums_of_one_thread(n: int) -> None:
    x, up, down = normal(0, n, 512), normal(1, 512, 2050), normal(2, 2050, 512)
    gate, bias = Linear(normal(3, 512, 2050), normal(4, 2050)), normal(5, 512)
    wide = np.maximum(x @ gate.weight + gate.bias, 0, dtype=np.float64) * (x @ up)
    with one_blas_thread():
        out = feed_forward(x, Linear(up), Linear(down, bias), relu, gate)
    expected = wide @ down.astype(float) + bias
    scale = abs(expected).max()
    np.testing.assert_allclose(out / scale, expected / scale, atol=2e-6)
