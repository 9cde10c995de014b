"""Random matrices that can be drawn again."""

import numpy as np
import pytest

from attnviewer.document import Draw, Recipe

# What NumPy's legacy generator gives for seed 42, as printed in a notebook.
_W_Q = [[2, 0, 2], [2, 0, 0], [2, 1, 2]]
_W_K = [[2, 2, 2], [0, 2, 1], [0, 1, 1]]
_W_V = [[1, 1, 0], [0, 1, 1], [0, 0, 0]]


def _draw(name: str | None = None, high: int = 3) -> Draw:
    return Draw((3, 3), high, matrix=name)


def test_seed_42_draws_the_printed_matrices() -> None:
    drawn = Recipe(42, (_draw("W_Q"), _draw("W_K"), _draw("W_V"))).draw()
    assert {name: matrix.tolist() for name, matrix in drawn.items()} == {
        "W_Q": _W_Q,
        "W_K": _W_K,
        "W_V": _W_V,
    }
    assert {matrix.dtype for matrix in drawn.values()} == {np.dtype(np.float64)}


def test_a_draw_thrown_away_moves_the_generator_on() -> None:
    drawn = Recipe(42, (_draw(), _draw("W_K"))).draw()
    assert list(drawn) == ["W_K"]
    assert drawn["W_K"].tolist() == _W_K


def test_drawing_again_gives_the_same_and_leaves_numpys_own_generator() -> None:
    recipe = Recipe(7, (_draw("X", 100),))
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert recipe.draw()["X"].tolist() == recipe.draw()["X"].tolist()
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_low_is_the_smallest_number_and_high_one_above_the_largest() -> None:
    drawn = Recipe(0, (Draw((40, 40), 3, low=-2, matrix="X"),)).draw()["X"]
    assert set(np.unique(drawn)) == {-2, -1, 0, 1, 2}


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(-1, ()),
        Recipe(2**32, ()),
        Recipe(0, (Draw((1, 1), 0, matrix="X"),)),
        Recipe(0, (Draw((-1, 1), 3, matrix="X"),)),
    ],
)
def test_an_impossible_recipe_is_refused(recipe: Recipe) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        recipe.draw()
