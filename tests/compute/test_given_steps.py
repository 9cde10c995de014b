"""Steps that somebody else computed, read like a trace."""

import numpy as np
import pytest

from attnviewer.compute import Spec, run
from attnviewer.compute.given_steps import GivenSteps


@pytest.fixture
def right():
    generator = np.random.default_rng(0)
    spec = Spec(n_heads=2, causal=True, output_projection=False)
    weights = {f"W_{letter}": generator.normal(size=(4, 4)) for letter in "QKV"}
    return run(spec, {"X": generator.normal(size=(3, 4)), **weights})


def test_it_has_inputs_and_what_is_given_alone(right):
    given = GivenSteps(right, {"weights": np.ones((2, 3, 3))})
    assert list(given) == ["X", "W_Q", "W_K", "W_V", "weights"]
    np.testing.assert_array_equal(given["weights"], 1)
    np.testing.assert_array_equal(given["X"], right["X"])
    assert given.n_heads("weights") == 2
    assert given.served_by("weights", 1) == range(1, 2)


def test_heads_are_counted_as_in_the_computation_without_its_weights(right):
    given = GivenSteps(right, {"Q": right["Q"]})
    assert given.n_query_heads == 2
    assert given.served_by("Q", 1) == range(1, 2)


def test_limits_are_of_what_is_given(right):
    numbers = np.arange(18.0).reshape(2, 3, 3)
    numbers[0, 0, 0] = np.nan
    assert GivenSteps(right, {"weights": numbers}).limits("weights") == (1, 17)


def test_cells_are_hidden_where_the_mask_hides_nothing_but_nothing(right):
    above = ~np.tri(3, dtype=bool)
    weights = right["weights"].copy()
    weights[1, 0, 2] = 0.25
    masked = right["masked"].copy()
    masked[0, 0, 1] = 0.0
    given = GivenSteps(right, {"weights": weights, "masked": masked, "Q": right["Q"]})
    np.testing.assert_array_equal(given.hidden("weights", head=0), above)
    expected = above.copy()
    expected[0, 2] = False
    np.testing.assert_array_equal(given.hidden("weights", head=1), expected)
    assert given.hidden("masked", head=0)[0, 2]
    assert not given.hidden("masked", head=0)[0, 1]
    assert given.hidden("Q") is None


@pytest.mark.parametrize(("name", "shape"), [("weights", (3, 3)), ("gated", (2, 3, 3))])
def test_what_is_no_such_step_is_refused(right, name, shape):
    with pytest.raises(ValueError, match=f"The '{name}' must be a step"):
        GivenSteps(right, {name: np.ones(shape)})
