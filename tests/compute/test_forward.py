"""Every stage computes any part of its step, and updates it where an edit reaches."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import run
from attnviewer.compute.arrays import Part
from attnviewer.compute.changes import Dirty
from tests.compute.variants import traces


def _some(draw: st.DrawFn, size: int) -> slice | np.ndarray:
    """Draw a range of positions, or some positions in order."""
    if draw(st.booleans()):
        start = draw(st.integers(0, size - 1))
        return slice(start, draw(st.integers(start + 1, size)))
    drawn = draw(st.sets(st.integers(0, size - 1), min_size=1))
    return np.array(sorted(drawn))


@given(data=st.data(), trace=traces())
def test_any_part_of_a_step_is_that_part_of_the_whole(data, trace) -> None:
    draw = data.draw
    for stage in trace.stages.values():
        if not stage.inputs:
            continue
        inputs = [trace[name] for name in stage.inputs]
        whole = trace[stage.name]
        leads = [index[:-2] for index in np.ndindex(*whole.shape[:-2], 1, 1)]
        lead = draw(st.sampled_from([(), *leads]))
        rows, columns = (_some(draw, size) for size in whole.shape[-2:])
        expected = whole[lead][..., rows, :][..., columns]

        window = stage.forward(Part(lead, rows, columns), *inputs)

        np.testing.assert_allclose(
            window, expected, rtol=1e-12, atol=1e-13, err_msg=stage.name
        )


@given(trace=traces())
def test_a_stage_leaves_its_inputs_alone(trace) -> None:
    for stage in trace.stages.values():
        if stage.inputs:
            inputs = [trace[name].copy() for name in stage.inputs]
            stage.forward(Part(), *inputs)
            for name, numbers in zip(stage.inputs, inputs, strict=True):
                np.testing.assert_array_equal(numbers, trace[name], stage.name)


@given(data=st.data(), trace=traces())
def test_updates_where_an_edit_reaches_give_the_steps_of_a_fresh_run(
    data, trace
) -> None:
    draw = data.draw
    names = [name for name in trace.spec.input_names if name != "bias"]
    matrices = [name for name in names if trace[name].ndim > 1]
    edited = draw(st.sampled_from(matrices))
    row, column = (draw(st.integers(0, n - 1)) for n in trace[edited].shape[-2:])
    steps = {name: trace[name].copy() for name in trace}
    cells = steps[edited][..., row, column]
    steps[edited][..., row, column] = ~cells if edited == "mask" else cells + 0.5
    fresh = run(trace.spec, {name: steps[name] for name in trace.spec.input_names})

    dirty = {edited: Dirty(np.array([row]), np.array([column]))}
    for stage in trace.stages.values():
        blocks = [dirty.get(name) for name in stage.inputs]
        if any(blocks):
            inputs = [steps[name] for name in stage.inputs]
            reached = stage.reach(blocks, steps[stage.name].shape)
            if reached is not None:
                stage.update(inputs, steps[stage.name], reached)
                dirty[stage.name] = reached

    for name in fresh:
        np.testing.assert_allclose(
            steps[name], fresh[name], rtol=1e-10, atol=1e-11, err_msg=name
        )
