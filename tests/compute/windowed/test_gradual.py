"""A picture that is drawn up strip by strip is the one drawn up at once."""

import math

import numpy as np
import pytest

from attnviewer.compute import Given, GradualPicture, Keep, Overview
from attnviewer.compute.windowed import gradual


def steps_of(picture: GradualPicture) -> int:
    steps = 0
    while not picture.done:
        picture.advance()
        steps += 1
    return steps


@pytest.mark.parametrize("keep", ["extreme", "mean"])
@pytest.mark.parametrize(("at_once", "steps"), [(2**18, 1), (40, 5), (1, 5)])
def test_it_equals_the_overview(
    monkeypatch, at_once: int, steps: int, keep: Keep
) -> None:
    monkeypatch.setattr(gradual, "AT_ONCE", at_once)
    values = np.random.default_rng(0).normal(size=(13, 20))
    values[3, 4], values[7, 7], values[8, 8] = math.nan, math.inf, -math.inf
    hidden = np.zeros(values.shape, dtype=bool)
    hidden[9:, 12:] = True
    matrix = Given(values, hidden)
    picture = GradualPicture(matrix, 5, 7, keep)
    assert steps_of(picture) == steps
    found, whole = picture.picture(), Overview(matrix).fitted(5, 7, keep)
    np.testing.assert_allclose(found.values, whole.values, rtol=1e-12)
    np.testing.assert_array_equal(found.hidden, whole.hidden)
    assert (found.rows, found.columns) == (whole.rows, whole.columns)
    assert found.block == whole.block == (3, 3)


def test_a_lone_hot_cell_of_a_large_matrix_stays() -> None:
    values = np.zeros((1000, 1000))
    values[777, 333] = 1.0
    picture = GradualPicture(Given(values), 50, 50)
    steps_of(picture)
    found = picture.picture()
    assert found.hidden is None
    assert np.argwhere(found.values == 1.0).tolist() == [[777 // 20, 333 // 20]]


def test_a_small_matrix_is_itself() -> None:
    values = np.array([[1.0, -2.0], [0.0, math.nan]])
    picture = GradualPicture(Given(values), 9, 9)
    steps_of(picture)
    np.testing.assert_array_equal(picture.picture().values, values)
    assert picture.picture().block == (1, 1)


def test_the_mean_of_a_block_is_that_of_its_cells() -> None:
    values = np.array([[1.0, 3.0, 5.0, 7.0], [2.0, 2.0, 0.0, 0.0]])
    picture = GradualPicture(Given(values), 1, 2, "mean")
    steps_of(picture)
    assert picture.picture().values.tolist() == [[2.0, 3.0]]
