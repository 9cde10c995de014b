"""Inputs that do not fit are refused with the reason."""

import numpy as np
import pytest

from attnviewer import attention
from attnviewer.compute import Spec, check_matrix, check_size, run

_FITTING = {
    "X": np.ones((3, 4)),
    "W_Q": np.ones((4, 6)),
    "W_K": np.ones((4, 6)),
    "W_V": np.ones((4, 2)),
    "W_O": np.ones((2, 5)),
}
_MULTI_HEAD = Spec(n_heads=2, output_projection=True)


def _refusal(changed: dict[str, np.ndarray], spec: Spec = _MULTI_HEAD) -> str:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        run(spec, _FITTING | changed)
    return str(caught.value)


def test_fitting_inputs_give_an_output_as_wide_as_w_o() -> None:
    assert run(_MULTI_HEAD, _FITTING)["output"].shape == (3, 5)


@pytest.mark.parametrize("name", _FITTING)
def test_a_missing_matrix_is_named(name: str) -> None:
    inputs = {n: a for n, a in _FITTING.items() if n != name}
    with pytest.raises(ValueError, match=f"^The '{name}' matrix must be given"):
        run(_MULTI_HEAD, inputs)


@pytest.mark.parametrize(
    ("name", "shape", "message"),
    [
        ("W_Q", (3, 6), "The 'W_Q' matrix must have shape (4, any). Got (3, 6)"),
        ("W_K", (4, 4), "The 'W_K' matrix must have shape (4, 6). Got (4, 4)"),
        ("W_V", (5, 2), "The 'W_V' matrix must have shape (4, any). Got (5, 2)"),
        ("W_O", (3, 5), "The 'W_O' matrix must have shape (2, any). Got (3, 5)"),
    ],
)
def test_a_shape_that_does_not_fit_is_named_with_the_one_that_does(
    name, shape, message
) -> None:
    assert _refusal({name: np.ones(shape)}) == f"{message} instead."


def test_columns_that_heads_cannot_share_are_refused() -> None:
    assert _refusal({}, Spec(n_heads=4)) == (
        "The number of columns of 'W_Q' must be divisible by n_heads = 4. "
        "Got 6 columns instead."
    )
    assert _refusal({}, Spec(n_heads=3)) == (
        "The number of columns of 'W_V' must be divisible by n_heads = 3. "
        "Got 2 columns instead."
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", _FITTING)
def test_a_number_that_is_not_finite_is_found(name: str, bad: float) -> None:
    matrix = _FITTING[name].copy()
    matrix[1, 1] = bad
    assert _refusal({name: matrix}) == (
        f"The '{name}' matrix must hold finite numbers. Got {bad} at [1, 1] instead."
    )


@pytest.mark.parametrize("shape", [(), (4,), (0, 4), (3, 0), (1, 3, 4)])
def test_only_matrices_with_cells_are_accepted(shape) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        check_matrix("X", np.ones(shape))
    assert str(caught.value) == (
        "The 'X' matrix must have 2 dimensions of at least 1 each. "
        f"Got shape {shape} instead."
    )


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (0, 3, 4)])
def test_embeddings_have_cells(shape) -> None:
    assert _refusal({"X": np.ones(shape)}) == (
        "The 'X' matrix must have dimensions of at least 1 each. "
        f"Got shape {shape} instead."
    )


@pytest.mark.parametrize("shape", [(), (4,), (1, 1, 3, 4)])
def test_embeddings_are_a_matrix_or_a_batch_of_them(shape) -> None:
    assert _refusal({"X": np.ones(shape)}) == (
        "The 'X' matrix must have 2 dimensions, or 3 with a batch. "
        f"Got {shape} instead."
    )


def test_a_batch_needs_an_axis_for_the_heads_to_be_told_from_them() -> None:
    inputs = _FITTING | {"X": np.ones((1, 3, 4))}
    assert _refusal(inputs, Spec()) == (
        "The 'X' matrix must have 2 dimensions. Got (1, 3, 4) instead."
    )
    assert run(Spec(head_axis=True), inputs)["weights"].shape == (1, 1, 3, 3)


def test_queries_and_keys_that_are_not_projected_are_equally_wide() -> None:
    inputs = {"X": np.ones((3, 4)), "context": np.ones((2, 5))}
    spec = Spec(projected=False, context=True)
    assert _refusal(inputs, spec) == (
        "The 'context' matrix must have shape (2, 4). Got (2, 5) instead."
    )


def test_whole_number_types_are_refused() -> None:
    assert _refusal({"X": np.ones((3, 4), dtype=np.int64)}) == (
        "The 'X' matrix must hold floating-point numbers. Got int64 instead."
    )


def test_steps_that_do_not_fit_into_memory_are_refused_with_their_bytes() -> None:
    long = np.broadcast_to(0.0, (2**17, 64))
    check_size(Spec(projected=False), {"X": long})
    weights = {name: np.broadcast_to(0.0, (64, 4096)) for name in ("W_Q", "W_K", "W_V")}
    # Q, K and V: 3 · 2¹⁷ · 2¹² numbers of 4 bytes; 2¹⁷ · 32 rows of 131 numbers of 8.
    with pytest.raises(
        ValueError, match=r"131,072 keys with 32 heads would take 10\.1"
    ):
        check_size(Spec(n_heads=32), {"X": long, **weights})


def test_more_tokens_than_a_picture_can_show_are_refused() -> None:
    longer = np.broadcast_to(0.0, (2**20 + 1, 1))
    with pytest.raises(ValueError, match="at most 1,048,576"):
        check_size(Spec(projected=False), {"X": longer})


def test_more_scores_than_can_be_computed_are_refused_unless_a_window_hides_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("attnviewer.compute.size.MOST_SCORES", 2**10)
    x = np.ones((64, 1))
    with pytest.raises(ValueError, match="4,096 instead, of 64 queries and 64 keys"):
        attention(x, x, x)
    assert attention(x, x, x, window=(7, 0))["output"].shape == (64, 1)
