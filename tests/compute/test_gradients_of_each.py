"""The gradients of several numbers at once are those of one after the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import Pin, attention
from attnviewer.compute.gradients import backward, backward_of_each

from .variants import traces

COUNT = 3


def check_each_alone(trace, step: str, seed: int) -> None:
    stages = tuple(trace.stages.values())
    rng = np.random.default_rng(seed)
    on_step = rng.normal(size=(COUNT, *trace.shape(step)))
    source = trace.pipeline.normalize.inputs[0]
    with np.errstate(all="ignore"):
        together = backward_of_each(stages, trace, {step: on_step}, also=(source,))
        for number, gradient in enumerate(on_step):
            alone = backward(stages, trace, {step: gradient}, also=(source,))
            for name, wanted in alone.items():
                found = together.get(name, np.zeros((COUNT, *wanted.shape)))
                assert found.shape == (COUNT, *wanted.shape)
                np.testing.assert_allclose(
                    found[number], wanted, rtol=1e-12, atol=1e-12
                )


@settings(max_examples=60)
@given(trace=traces(), seed=st.integers(0, 2**32 - 1), data=st.data())
def test_every_variant_passes_them_back_together(trace, seed, data) -> None:
    steps = [name for name in trace if name != "mask"]
    check_each_alone(trace, data.draw(st.sampled_from(steps)), seed)


@pytest.mark.parametrize(
    "pin",
    [
        Pin("scores", 0, [1, 2], 2.0, head=0),
        Pin("weights", 2, 0, 0.3, rest="share"),
        Pin("output", 1, 2, -0.5, head=1, how="scale"),
    ],
)
@pytest.mark.parametrize("heads", [(), (2,)])
def test_pins_hold_each_of_them(pin, heads) -> None:
    if not heads:
        pin = Pin(pin.step, pin.rows, pin.columns, 0.25, how=pin.how, rest=pin.rest)
    rng = np.random.default_rng(3)
    trace = attention(*rng.normal(size=(3, *heads, 4, 3)), pins=[pin])
    check_each_alone(trace, "output", 5)
