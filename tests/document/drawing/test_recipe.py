"""Random matrices that can be drawn again."""

import numpy as np
import pytest

from attnviewer.document import Draw, Recipe, Region
from attnviewer.document.drawing.distributions import (
    Integers,
    Normal,
    Orthogonal,
    Uniform,
    Xavier,
)
from attnviewer.document.drawing.recipe import overwritten, python_lines

# What NumPy's legacy generator gives for seed 42, as printed in a notebook.
_W_Q = [[2, 0, 2], [2, 0, 0], [2, 1, 2]]
_W_K = [[2, 2, 2], [0, 2, 1], [0, 1, 1]]
_W_V = [[1, 1, 0], [0, 1, 1], [0, 0, 0]]


def _draw(name: str | None = None, high: int = 3, row: int = 0) -> Draw:
    return Draw((3, 3), Integers(high), name, row)


def _drawn(recipe: Recipe) -> list[list[list[float]]]:
    return [numbers.tolist() for _, numbers in recipe.draw()]


def test_seed_42_draws_the_printed_matrices() -> None:
    recipe = Recipe(42, (_draw("W_Q"), _draw("W_K"), _draw("W_V")))
    assert _drawn(recipe) == [_W_Q, _W_K, _W_V]
    assert [draw for draw, _ in recipe.draw()] == list(recipe.draws)


def test_a_draw_thrown_away_moves_the_generator_on() -> None:
    assert _drawn(Recipe(42, (_draw(), _draw("W_K"))))[1] == _W_K


def test_the_default_generator_gives_other_numbers() -> None:
    # np.random.default_rng(42).integers(3, size=(3, 3)), recorded.
    want = [[0, 2, 1], [1, 1, 2], [0, 2, 0]]
    assert _drawn(Recipe(42, (_draw("W_Q"),), "default")) == [want]


def test_drawing_again_gives_the_same_and_leaves_numpys_own_generator() -> None:
    recipe = Recipe(7, (_draw("X", 100),))
    before = np.random.get_state()[1].tolist()  # noqa: NPY002
    assert _drawn(recipe) == _drawn(recipe)
    assert np.random.get_state()[1].tolist() == before  # noqa: NPY002


def test_impossible_recipes_are_refused() -> None:
    for seed in (-1, 2**32):
        with pytest.raises(ValueError, match="The 'seed' must be"):
            Recipe(seed, ())
    with pytest.raises(ValueError, match="The 'generator' must be"):
        Recipe(0, (), "other")  # type: ignore[arg-type]
    for place in (((0, 3), 0, 0), ((3, 3), -1, 0), ((3, 3), 0, -1)):
        shape, row, column = place
        with pytest.raises(ValueError, match="The 'shape' must be"):
            Draw(shape, Integers(3), "X", row, column)


def test_what_is_overwritten_is_thrown_away_and_the_stream_stays() -> None:
    recipe = Recipe(42, (_draw("W_Q"), _draw("W_K"), _draw("W_V")))
    (after,) = overwritten([recipe], "W_K", Region(0, 0, 3, 3))
    assert [draw.matrix for draw in after.draws] == ["W_Q", None, "W_V"]
    assert _drawn(after) == _drawn(recipe)


@pytest.mark.parametrize(
    "region", [Region(0, 0, 3, 2), Region(1, 0, 3, 3), Region(0, 1, 9, 9)]
)
def test_what_is_overwritten_in_part_stays_remembered(region: Region) -> None:
    recipe = Recipe(42, (_draw("W_Q"),))
    assert overwritten([recipe], "W_Q", region) == (recipe,)


def test_a_recipe_of_which_nothing_is_left_is_forgotten() -> None:
    one, other = Recipe(1, (_draw("W_Q"),)), Recipe(2, (_draw("W_K"),))
    nothing = Recipe(3, (_draw(),))
    every = [one, other, nothing]
    assert overwritten(every, "W_Q", Region(0, 0, 3, 3)) == (other, nothing)
    assert overwritten(every, "W_V", Region(0, 0, 3, 3)) == tuple(every)


_EVERYTHING = (
    Draw((3, 3), Integers(3), "W_Q"),
    Draw((2, 2), Integers(9, -4), "W_K", 1, 1),
    Draw((3, 1), Normal(0.1, 2.5), "b"),
    Draw((1, 3), Uniform(-0.3, 0.7)),
    Draw((4, 3), Xavier(4, 3), "X"),
    Draw((2, 3), Orthogonal(), "W_V"),
    Draw((3, 2), Orthogonal(), "W_O"),
    Draw((3, 3), Orthogonal(), "P"),
)


@pytest.mark.parametrize("generator", ["legacy", "default"])
def test_the_lines_of_python_give_the_same_numbers(generator) -> None:
    recipe = Recipe(42, _EVERYTHING, generator)
    shapes = {draw.matrix: draw.shape for draw in _EVERYTHING if draw.matrix}
    shapes["W_K"] = (3, 3)
    state = np.random.get_state()  # noqa: NPY002
    names = {"np": np}
    try:
        exec("\n".join(python_lines([recipe], shapes)), names)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    for draw, numbers in recipe.draw():
        if draw.matrix is not None:
            part = names[draw.matrix][draw.region.rows, draw.region.columns]
            assert part.tolist() == numbers.tolist()


def test_the_lines_are_those_of_the_notebook() -> None:
    recipe = Recipe(42, (_draw(), _draw("W_K")))
    assert list(python_lines([recipe], {"W_K": (3, 3)})) == [
        "np.random.seed(42)",
        "_ = np.random.randint(3, size=(3, 3))",
        "W_K = np.random.randint(3, size=(3, 3))",
    ]
    recipe = Recipe(1, (_draw("X", row=1),), "default")
    assert list(python_lines([recipe], {"X": (4, 3)})) == [
        "X = np.zeros((4, 3))",
        "rng = np.random.default_rng(1)",
        "X[1:4, 0:3] = rng.integers(3, size=(3, 3))",
    ]


def test_the_lines_of_parts_drawn_into_whole_numbers_round_nothing() -> None:
    whole = Recipe(42, (_draw("W_Q"),))
    part = Recipe(7, (Draw((1, 2), Uniform(), "W_Q", 1, 1),))
    state = np.random.get_state()  # noqa: NPY002
    names = {"np": np}
    try:
        exec("\n".join(python_lines([whole, part], {"W_Q": (3, 3)})), names)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    ((_, numbers),) = part.draw()
    assert names["W_Q"][1, 1:].tolist() == numbers[0].tolist()
    assert names["W_Q"][0].tolist() == _W_Q[0]


def test_what_a_matrix_has_no_room_for_is_thrown_away_in_the_lines() -> None:
    recipe = Recipe(42, (_draw("W_Q", row=1), _draw("W_K")))
    assert list(python_lines([recipe], {"W_Q": (3, 3), "W_K": (3, 3)}))[1:3] == [
        "np.random.seed(42)",
        "_ = np.random.randint(3, size=(3, 3))",
    ]
