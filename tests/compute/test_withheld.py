"""Steps that are withheld hold no number; all others are as they were."""

import numpy as np
import pytest

from attnviewer.compute import Slip, Spec, run
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


def test_numbers_of_a_mistake_are_not_hidden_where_the_right_mask_hides_them():
    trace = with_mistake("mask-after-softmax").compute()
    told = withheld(trace, ("output",), mistakes=True)
    for head in range(2):
        np.testing.assert_array_equal(
            told.hidden("weights", head=head), told["weights"][head] == 0
        )
        hidden = told.hidden("masked", head=head)
        assert hidden is not None
        # The mask is not applied before the softmax, so that nothing is −∞.
        assert np.isfinite(told["masked"][head]).all()
        assert not hidden.any()
    assert list(told) == list(trace)
    assert np.isnan(told["output"]).all()


def test_a_missing_mask_is_seen_although_it_is_not_told():
    trace = with_mistake("causal-missing").compute()
    told = withheld(trace, (), mistakes=True)
    assert (told["weights"][..., 0, 1:] > 0).all()
    assert not told.hidden("weights").any()


@pytest.mark.parametrize("mistake", ["heads-averaged", "heads-summed"])
def test_a_mistake_that_changes_a_shape_is_not_told_either(mistake):
    draw = np.random.default_rng(3).standard_normal
    inputs = {name: draw((4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
    trace = run(Spec(n_heads=2, mistakes=(Slip(mistake),)), inputs)
    assert trace.shape("output") == (4, 2)
    told = withheld(trace, (), mistakes=True)
    np.testing.assert_array_equal(told["output"], trace["output"])
    stage, right = told.stages["output"], run(Spec(n_heads=2), inputs).stages["output"]
    assert stage.mistake == ""
    assert (stage.formula, stage.equation) == (right.formula, right.equation)
    assert stage.operation == right.operation
    for index in np.ndindex(4, 2):
        formula = told.explain("output", index)
        assert formula.value == trace["output"][index]
        assert "wrong" not in formula.symbols
        assert formula.note == f"Head {index[1] // 2} owns this column."
