"""Steps that are withheld hold no number; all others are as they were."""

import numpy as np
import pytest

from attnviewer.compute import Spec, run
from attnviewer.compute.withheld import withheld
from tests.mistaken import with_mistake


@pytest.fixture
def trace():
    draw = np.random.default_rng(3).standard_normal
    inputs = {name: draw((4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
    return run(Spec(n_heads=2, causal=True), inputs)


@pytest.mark.parametrize("away", [(), ("weights",), ("Q", "scores"), ("output",)])
def test_only_what_is_withheld_has_no_numbers(trace, away):
    told = withheld(trace, away)
    assert list(told) == list(trace)
    for step in trace:
        assert told.shape(step) == trace.shape(step)
        if step in away:
            assert np.isnan(told[step]).all()
            assert told.limits(step) is None
        else:
            np.testing.assert_array_equal(told[step], trace[step])
            window = told.window(step, slice(1, 2))
            np.testing.assert_array_equal(window, trace.window(step, slice(1, 2)))


def test_what_is_no_computed_step_cannot_be_withheld(trace):
    with pytest.raises(ValueError, match="computed steps"):
        withheld(trace, ["X"])
    with pytest.raises(ValueError, match="steps"):
        withheld(trace, ["wieghts"])


@pytest.mark.parametrize("mistake", ["scale-missing", "softmax-over-queries"])
def test_a_mistake_is_not_told_but_its_numbers_are(mistake):
    trace = with_mistake(mistake).compute()
    told = withheld(trace, (), mistakes=True)
    assert not told.spec.mistakes
    assert not any(stage.mistake for stage in told.stages.values())
    for step in trace:
        np.testing.assert_array_equal(told[step], trace[step])
        index = (0,) * told[step].ndim
        assert "wrong" not in told.explain(step, index).symbols
