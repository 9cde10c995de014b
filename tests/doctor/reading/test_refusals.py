"""What cannot be compared is refused with a clear sentence."""

import re

import numpy as np
import pytest

from attnviewer.doctor.reading import read_case
from tests.doctor.reading.layer import inputs, one, steps

GIVEN = inputs()
RIGHT = one(steps(GIVEN))


def _without(*names: str):
    return {name: array for name, array in GIVEN.items() if name not in names}


def _nan(name: str):
    array = GIVEN[name].copy()
    array[1, 2] = np.nan
    return GIVEN | {name: array}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "'inputs' must hold X with W_Q, W_K and W_V, or Q, K and V. Got none"),
        (_without("X"), "'X' must be given with the weights. Got none"),
        (_without("W_K"), "'W_K' must be given. Got none"),
        ({"X": GIVEN["X"]}, "'inputs' must hold X with W_Q"),
        ({"Q": RIGHT["Q"], "K": RIGHT["K"]}, "Got 'Q', 'K' instead."),
        (_nan("X"), "must hold finite numbers"),
        (_nan("W_V"), "must hold finite numbers"),
        (GIVEN | {"W_Q": np.ones((7, 11))}, "'W_Q' must have 12 rows"),
        (GIVEN | {"X": np.ones(12)}, "'X' must have the shape (n, d) or (batch, n, d)"),
        (GIVEN | {"X": np.ones((0, 12))}, "'X' must have dimensions of at least 1"),
        (GIVEN | {"X": np.array([[object()]])}, "'X' must hold real numbers. Got obj"),
        (GIVEN | {"X": [["a", "b"]]}, "'X' must hold real numbers. Got text"),
        (GIVEN | {"X": [[1.0], [1.0, 2.0]]}, "Got rows of different lengths"),
        (GIVEN | {"W_Q": GIVEN["W_Q"] + 1j}, "'W_Q' must hold real numbers. Got comp"),
        (_without("W_O") | {"b_O": np.ones(12)}, "'W_O' must be given with 'b_O'"),
        (GIVEN | {"b_Q": np.ones(7)}, "'b_Q' matrix must have shape (12,)"),
        (
            GIVEN | {"mask": np.ones((4, 4))},
            "'mask' matrix must have a shape that broadcasts",
        ),
        (
            {"Q": np.ones((2, 5, 3)), "K": np.ones((2, 5, 4)), "V": np.ones((2, 5, 3))},
            "must have shape (5, 6)",
        ),
        (
            {"Q": np.ones((3, 5, 3)), "K": np.ones((3, 5, 3)), "V": np.ones((3, 5, 3))},
            "'Q' must have the shape (h, n, d)",
        ),
        ([GIVEN["X"]], "'inputs' must be a mapping from names to arrays. Got list"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(given, words) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        read_case(given, {"output": RIGHT["output"]}, n_heads=2)


@pytest.mark.parametrize(
    ("mine", "words"),
    [
        ({}, "'mine' must hold a step that can be compared. Got none"),
        ({"wieghts": RIGHT["weights"]}, "Did you mean 'weights'?"),
        ({"weights": np.zeros((2, 0, 5))}, "'weights' must have dimensions"),
        ({"weights": np.array([None])}, "'weights' must hold real numbers"),
        ({"weights": np.ones((3, 5, 5))}, "The number of heads, n_heads, is 2."),
        ({"Q": np.ones((4, 5, 3))}, "The number of heads, n_heads, is 2."),
        (
            {"weights": np.ones((2, 9, 9))},
            "of another run: there are 5 queries here.",
        ),
        ({"output": np.ones((9, 12))}, "of another run: there are 5 tokens here."),
        ({"mine_output": np.ones(12)}, "'mine_output' must have the shape (5, 12)"),
        ({"masked": RIGHT["scaled"]}, "'masked' is left out: the variant has no"),
        ({"output": RIGHT["output"] > 0, "x": 1}, "'step' must be one of"),
    ],
)
def test_steps_that_do_not_fit_are_refused(mine, words) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        read_case(GIVEN, mine, n_heads=2)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_not_finite_are_a_result(number) -> None:
    mine = RIGHT["weights"].copy()
    mine[0, 1] = number
    case = read_case(GIVEN, {"weights": mine}, n_heads=2)
    np.testing.assert_array_equal(case.mine["weights"], mine)


class _Tensor:
    """What PyTorch's tensors of bfloat16 do: NumPy cannot read them as they are."""

    dtype = "torch.bfloat16"

    def __init__(self, values) -> None:
        self.values = values

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Got unsupported ScalarType BFloat16")

    def detach(self):
        return self

    def float(self):
        return self.values.astype(np.float32)


def test_bfloat16_of_another_library_is_widened() -> None:
    bits = RIGHT["output"].astype(np.float32).view(np.uint32) & 0xFFFF0000
    rounded = bits.astype(np.uint32).view(np.float32)
    case = read_case(GIVEN, {"output": _Tensor(rounded)}, n_heads=2)
    assert case.mine["output"].dtype == np.float32
    assert case.precision.name == "bfloat16"


def test_whole_numbers_are_read_as_floats() -> None:
    case = read_case(GIVEN, {"output": np.ones((5, 12), int)}, n_heads=2)
    assert case.mine["output"].dtype == np.float64
