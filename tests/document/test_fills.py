"""Fills by hand-worked numbers, and what they leave alone."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import Spec
from attnviewer.document import Document, Draw, EditError, Recipe, Region
from attnviewer.document.drawing.distributions import Integers
from attnviewer.document.fills import (
    Constant,
    Identity,
    Negate,
    OneHot,
    Round,
    Scale,
    Transpose,
    fill_edit,
)

W = [[1.25, -2.0, 0.0], [4.5, 0.125, -6.0], [7.0, 8.0, 9.0]]
WHOLE = Region(0, 0, 3, 3)
INF = math.inf


def document(recipes=(), **matrices) -> Document:
    weights = {f"W_{n}": W for n in "QKV"}
    given = {"X": np.ones((2, 3)), **weights, **matrices}
    return Document("T", ["a", "b"], given, Spec(), recipes=recipes)


def filled(fill, block=WHOLE, name="W_Q", **matrices) -> list[list[float]]:
    what = document(**matrices)
    edit = fill_edit(what, name, block, fill, "Fill")
    assert edit is not None
    assert edit.label == "Fill"
    what.apply(edit)
    return what.matrix(name).tolist()


@pytest.mark.parametrize(
    ("fill", "want"),
    [
        (Constant(0.5), [[0.5] * 3] * 3),
        (Constant(0.0), [[0] * 3] * 3),
        (Identity(), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (OneHot(), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        (Negate(), [[-1.25, 2, 0], [-4.5, -0.125, 6], [-7, -8, -9]]),
        (Scale(-2.0), [[-2.5, 4, 0], [-9, -0.25, 12], [-14, -16, -18]]),
        (Round(1), [[1.2, -2, 0], [4.5, 0.1, -6], [7, 8, 9]]),
        (Round(0), [[1, -2, 0], [4, 0, -6], [7, 8, 9]]),
        (Transpose(), [[1.25, 4.5, 7], [-2, 0.125, 8], [0, -6, 9]]),
    ],
)
def test_a_whole_matrix_is_filled(fill, want):
    assert filled(fill) == want


@pytest.mark.parametrize(
    ("fill", "want"),
    [
        (Constant(3.0), [[3, 3], [3, 3]]),
        (Identity(), [[1, 0], [0, 1]]),
        (Transpose(), [[0.125, 8], [-6, 9]]),
    ],
)
def test_a_block_is_filled_and_the_rest_stays(fill, want):
    got = filled(fill, Region(1, 1, 2, 2))
    assert [row[1:] for row in got[1:]] == want
    assert got[0] == W[0]
    assert [row[0] for row in got] == [row[0] for row in W]


def test_one_hot_begins_anew_where_the_columns_end():
    want = [[1, 0], [0, 1], [1, 0]]
    assert [row[1:] for row in filled(OneHot(), Region(0, 1, 3, 2))] == want
    wide = filled(OneHot(), Region(0, 0, 2, 3))
    assert wide[:2] == [[1, 0, 0], [0, 1, 0]]


def test_a_block_that_is_no_square_is_not_transposed():
    with pytest.raises(EditError) as refused:
        fill_edit(document(), "W_Q", Region(0, 0, 2, 3), Transpose(), "T")
    assert str(refused.value) == (
        "The cells must be a square to be transposed. Got 2 × 3 instead."
    )


@pytest.mark.parametrize("fill", [Negate(), Scale(-2.0), Round(1)])
def test_nothing_becomes_minus_zero(fill):
    got = filled(fill, W_Q=[[0.0, -0.0, -0.04], [1, 1, 1], [1, 1, 1]])
    zeros = [number for number in got[0] if number == 0]
    assert len(zeros) >= 2
    assert all(math.copysign(1, number) == 1 for number in zeros)


def test_scaling_past_the_range_is_refused_and_nothing_changes():
    what = document(W_Q=np.full((3, 3), 1e10))
    with pytest.raises(EditError) as refused:
        fill_edit(what, "W_Q", WHOLE, Scale(1e300), "S")
    assert str(refused.value) == (
        "The 'factor' must keep every number within about ±1.8e308. Got 1e+300 instead."
    )
    assert what.revision == 0


def test_numbers_too_large_for_decimals_stay_when_rounded():
    big = [[1e308, -1e308, 2.0**60], [56294995342131.5, 2.5, 3.5], [1, 1, 1]]
    assert filled(Round(3), W_Q=[[0.0004, *big[0][1:]], *big[1:]])[0][1:] == big[0][1:]
    # NumPy's own rounding turns this one into 56294995342131.51.
    assert filled(Round(3), W_Q=[[0.0004, 0, 0], *big[1:]])[1][0] == 56294995342131.5


@pytest.mark.parametrize("decimals", [-1, 16, 1.5])
def test_decimals_out_of_reason_are_refused(decimals):
    with pytest.raises(ValueError, match="The 'decimals' must be a whole number"):
        Round(decimals)


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(arrays(float, (3, 3), elements=numbers), st.integers(0, 15))
def test_rounding_agrees_with_python_to_the_last_digits(matrix, decimals):
    edit = fill_edit(document(W_Q=matrix), "W_Q", WHOLE, Round(decimals), "R")
    got = matrix if edit is None else edit.values
    want = [[round(number, decimals) for number in row] for row in matrix.tolist()]
    # Halves may fall to the other side where 10^decimals · x is rounded itself.
    apart = np.abs(got - np.array(want))
    assert (apart <= 10.0**-decimals * (1 + 1e-9)).all()
    near = np.abs(matrix) < 2**20 / 10.0**decimals
    shifted = np.abs(matrix[near]) * 10.0**decimals % 1
    clear = np.abs(shifted - 0.5) > 1e-6
    pairs = got[near][clear], np.array(want)[near][clear]
    np.testing.assert_allclose(*pairs, rtol=1e-15, atol=0)


@given(arrays(float, (2, 3), elements=numbers))
def test_negating_twice_gives_the_same_numbers(matrix):
    what = document(X=matrix)
    for _ in range(2):
        edit = fill_edit(what, "X", Region(0, 0, 2, 3), Negate(), "N")
        if edit is not None:
            what.apply(edit)
    assert np.array_equal(what.matrix("X"), matrix)


def test_hidden_keys_of_the_bias_stay_hidden():
    bias = [[0.5, -INF], [-0.0, 2.0]]
    block = Region(0, 0, 2, 2)
    for fill, want in (
        (Negate(), [[-0.5, -INF], [0, -2]]),
        (Scale(-3.0), [[-1.5, -INF], [0, -6]]),
        (Scale(0.0), [[0, -INF], [0, 0]]),
        (Round(0), [[0, -INF], [0, 2]]),
        (Transpose(), [[0.5, 0], [-INF, 2]]),
        (Constant(0.0), [[0, 0], [0, 0]]),
    ):
        assert filled(fill, block, "bias", bias=bias) == want


def test_a_mask_is_filled_with_true_and_false():
    mask = np.array([[True, False], [False, False]])
    block = Region(0, 0, 2, 2)
    for fill, want in (
        (Constant(0.0), [[False, False], [False, False]]),
        (Constant(1.0), [[True, True], [True, True]]),
        (Identity(), [[True, False], [False, True]]),
        (OneHot(), [[True, False], [False, True]]),
        (Negate(), [[False, True], [True, True]]),
    ):
        got = filled(fill, block, "mask", mask=mask)
        assert got == want
        assert {type(cell) for row in got for cell in row} == {bool}


@pytest.mark.parametrize("fill", [Constant(2.0), Scale(2.0), Round(0)])
def test_a_mask_takes_no_other_fill(fill):
    mask = np.ones((2, 2), bool)
    with pytest.raises(EditError, match="The 'mask' must be filled with zeros, ones"):
        fill_edit(document(mask=mask), "mask", Region(0, 0, 2, 2), fill, "F")


@pytest.mark.parametrize(
    "fill", [Identity(), Negate(), Scale(1.0), Round(2), Transpose()]
)
def test_what_changes_nothing_is_no_edit(fill):
    eye = np.eye(3) * (0 if fill == Negate() else 1)
    assert fill_edit(document(W_Q=eye), "W_Q", WHOLE, fill, "F") is None


def test_a_fill_forgets_draws_of_which_nothing_is_left_until_it_is_undone():
    drawn = [Draw((3, 3), Integers(3), name) for name in ("W_Q", "W_K")]
    what = document([Recipe(42, tuple(drawn))])
    before = what.recipes
    for fill in (Negate(), Scale(2.0), Round(0), Transpose()):
        edit = fill_edit(what, "W_Q", WHOLE, fill, "F")
        if edit is not None:
            undone = what.apply(edit)
            assert what.recipes == before
            what.apply(undone)
            assert what.recipes == before
    edit = fill_edit(what, "W_Q", WHOLE, Constant(0.0), "Zeros")
    inverse = what.apply(edit)
    assert [draw.matrix for draw in what.recipes[0].draws] == [None, "W_K"]
    what.apply(fill_edit(what, "W_K", WHOLE, Identity(), "Identity"))
    assert what.recipes == ()
    what.apply(inverse)
    assert what.recipes == before


def test_a_fill_that_only_forgets_is_an_edit_all_the_same():
    what = document([Recipe(1, (Draw((3, 3), Integers(1), "W_Q"),))], W_Q=np.eye(3))
    edit = fill_edit(what, "W_Q", WHOLE, Identity(), "Identity")
    assert edit is not None
    assert edit.recipes == ()
