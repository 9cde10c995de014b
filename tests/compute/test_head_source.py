"""The heads of a step, as they are looked at side by side."""

import numpy as np
import pytest

from attnviewer.compute import HeadLocation, Spec, StepHeads, head_locations, run


def shared_keys():
    generator = np.random.default_rng(0)
    inputs = {
        "X": generator.normal(size=(3, 8)),
        "W_Q": generator.normal(size=(8, 8)),
        "W_K": generator.normal(size=(8, 4)),
        "W_V": generator.normal(size=(8, 4)),
    }
    spec = Spec(n_heads=4, n_kv_heads=2, query_offset=5)
    return run(spec, inputs)


def test_a_head_is_named_with_its_layer_if_it_has_one() -> None:
    assert HeadLocation(None, 1).name == "H1"
    assert HeadLocation(3, 1).name == "L3 H1"


@pytest.mark.parametrize(("step", "count"), [("weights", 4), ("Q", 4), ("K", 2)])
def test_each_head_of_a_step_has_its_own_matrix(step: str, count: int) -> None:
    trace = shared_keys()
    source = StepHeads(trace, step)
    locations = head_locations(source)
    assert locations == tuple(HeadLocation(None, head) for head in range(count))
    for location in locations:
        window = source.matrix(location).window()
        np.testing.assert_array_equal(window, trace[step][location.head])


def test_the_place_of_the_queries_is_known() -> None:
    assert StepHeads(shared_keys(), "weights").query_offset == 5


def test_a_source_with_layers_is_walked_layer_by_layer() -> None:
    class Two:
        layers = (3, 7)
        n_heads = 2
        query_offset = 0

    assert [location.name for location in head_locations(Two())] == [
        *("L3 H0", "L3 H1"),
        *("L7 H0", "L7 H1"),
    ]
