"""Each mistake of the catalogue in each kind of attention."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings

from attnviewer.compute import Alibi, Disentangled, Learned, Rotary, Sinusoidal, Spec
from attnviewer.compute.mistakes import (
    CATALOGUE,
    Evaluation,
    Mistake,
    Plan,
    UnfitError,
    Variation,
)
from tests.compute.mistakes.fitting import assert_most_fit
from tests.compute.variants import traces

SQUARE = dict.fromkeys(("X", "W_Q", "W_K", "W_V", "W_O"), (4, 4))
THREE = {name: SQUARE[name] for name in ("X", "W_Q", "W_K", "W_V")}
SPECS = {
    "simplified": (Spec(projected=False), {"X": (4, 3)}),
    "simplified with a window": (
        Spec(projected=False, window=(1, None), positions=Sinusoidal()),
        {"X": (4, 4)},
    ),
    "simplified and rotated": (
        Spec(projected=False, positions=Rotary()),
        {"X": (4, 4)},
    ),
    "simplified with learned positions": (
        Spec(projected=False, positions=Learned(), mask=True),
        {"X": (4, 4), "P": (6, 4), "mask": (4, 4)},
    ),
    "simplified over a context": (
        Spec(
            projected=False,
            context=True,
            positions=Rotary(),
            causal=True,
            query_offset=2,
        ),
        {"X": (4, 4), "context": (6, 4)},
    ),
    "disentangled": (
        Spec(
            positions=Disentangled(3, own_weights=True),
            n_heads=2,
            biases=("b_Q", "b_KR"),
            causal=True,
        ),
        {**THREE, "R": (6, 4), "W_KR": (4, 4), "W_QR": (4, 4)}
        | dict.fromkeys(("b_Q", "b_KR"), (4,)),
    ),
    "given scores": (
        Spec(projected=False, given=True, score="given", causal=True),
        {"S": (4, 5), "V": (5, 3)},
    ),
    "given scores with a scale": (
        Spec(projected=False, given=True, score="given", scale=0.5),
        {"S": (4, 5), "V": (5, 3)},
    ),
    "given scores with biases": (
        Spec(projected=False, given=True, score="given", bias=True, positions=Alibi()),
        {"S": (4, 5), "V": (5, 3), "bias": (4, 5)},
    ),
    "given heads side by side": (
        Spec(
            projected=False,
            given=True,
            heads_joined=True,
            n_heads=4,
            n_kv_heads=2,
            positions=Rotary(),
            causal=True,
        ),
        {"Q": (5, 16), "K": (5, 8), "V": (5, 8)},
    ),
    "one head without an axis": (
        Spec(causal=True, biases=("b_Q",), positions=Sinusoidal(offset=3)),
        {**THREE, "b_Q": (4,)},
    ),
    "three sequences": (
        Spec(context=True, values=True, n_heads=2, output_projection=True),
        {**SQUARE, "context": (5, 4), "values": (5, 4)},
    ),
    "a batch": (
        Spec(n_heads=2, key_lengths=(3, 2), query_offset=(0, 1), causal=True),
        {**THREE, "X": (2, 4, 4)},
    ),
    "one number": (Spec(), dict.fromkeys(THREE, (1, 1))),
}


def all_variations(right: Evaluation) -> Iterator[tuple[Mistake, Variation]]:
    """Yield each way to make each mistake, also those found from somebody's steps."""
    mine = {name: right[name] for name in right.plan.steps}
    for mistake in CATALOGUE:
        found = list(mistake.variations(right.plan))
        if mistake.recognize is not None:
            found += mistake.recognize(right, mine)
            found += mistake.recognize(right, {"output": mine["output"]})
        if mistake.along is not None:
            plan = mistake.along(right.plan, 2.5)
            found += [] if plan is None else [Variation(plan, 2.5)]
        for variation in found:
            yield mistake, variation


@settings(max_examples=40)
@given(traces())
def test_nearly_every_mistake_in_any_variant_can_be_evaluated(trace):
    inputs = {name: trace[name] for name in trace.spec.input_names}
    shapes = {name: array.shape for name, array in inputs.items()}
    right = Evaluation(Plan.of(trace.spec, shapes), inputs)
    assert_most_fit(right, all_variations(right))


@pytest.mark.parametrize(("spec", "shapes"), SPECS.values(), ids=SPECS)
def test_nearly_every_mistake_in_a_rare_variant_can_be_evaluated(spec, shapes):
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    if "mask" in inputs:
        inputs["mask"] = inputs["mask"] > 0
    assert set(inputs) == set(spec.input_names)
    right = Evaluation(Plan.of(spec, shapes), inputs)
    assert_most_fit(right, all_variations(right))


def test_nearly_every_two_mistakes_in_one_step_can_be_evaluated():
    spec = Spec(n_heads=2, biases=("b_Q", "b_K", "b_V"), causal=True)
    shapes = {**THREE, "b_Q": (4,), "b_K": (4,), "b_V": (4,)}
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    right = Evaluation(Plan.of(spec, shapes), inputs)
    tried = unfit = 0
    for first in CATALOGUE:
        for base in list(first.variations(right.plan))[:1]:
            for second in CATALOGUE:
                for both in list(second.variations(base.plan))[:1]:
                    tried += 1
                    try:
                        assert Evaluation(both.plan, inputs, like=right)["output"].size
                    except UnfitError:
                        unfit += 1
    assert tried > 5000
    assert unfit < tried / 100
