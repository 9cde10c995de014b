"""A match of loop and matrix form is only said of numbers that are finished."""

import numpy as np
import pytest

from attnviewer.compute import NORMALIZERS, QueryWalk, Rotary, Spec, run
from attnviewer.ui.views.query_steps.verdict import compare

SPECS = [
    *(Spec(normalizer=name, temperature=0.7) for name in NORMALIZERS),
    *(Spec(score=name) for name in ("cosine", "general", "additive", "concat")),
    Spec(causal=True, softcap=2.0, bias=True, positions=Rotary()),
    Spec(n_heads=2, n_kv_heads=1, output_projection=True, biases=("b_Q", "b_K")),
    Spec(context=True, mask=True),
]


def inputs_of(spec):
    generator = np.random.default_rng(4)
    shapes = dict.fromkeys(spec.input_names, (4, 4)) | {"v": (4,)}
    shapes |= {"b_Q": (1, 4), "b_K": (1, 4 // spec.n_heads * spec.kv_heads)}
    width = 4 // spec.n_heads * spec.kv_heads
    shapes |= {"W_K": (4, width), "W_V": (4, width), "context": (3, 4), "mask": (4, 3)}
    made = {name: generator.normal(size=shapes[name]) for name in spec.input_names}
    return made | ({"mask": np.ones((4, 3), bool)} if spec.mask else {})


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("spec", SPECS)
def test_finished_numbers_are_equal_and_growing_sums_are_counted(spec, dtype):
    inputs = {
        name: array if array.dtype == bool else array.astype(dtype)
        for name, array in inputs_of(spec).items()
    }
    trace = run(spec, inputs)
    for query in (0, 3):
        walk = QueryWalk(trace, query)
        for number in range(len(walk)):
            move = walk.move(number)
            growing = move.phase.kind == "mix" and move.index < move.phase.moves - 1
            verdict = compare(move)
            assert verdict.kind == ("unfinished" if growing else "equal"), move
            if growing:
                done = f"{move.index + 1} of {move.phase.moves} keys added"
                assert verdict.text == done


def large(**options):
    spec = Spec(projected=False, scale=1.0)
    trace = run(spec, {"X": np.array([[40.0], [1.0]])})
    return QueryWalk(trace, 0, **options)


def last_of(walk, kind):
    phase = next(p for p in walk.phases if p.kind == kind)
    return compare(walk.move(phase.start + phase.moves - 1))


def test_what_is_lost_differs_and_the_reason_is_said():
    said = last_of(large(shifted=False), "mix")
    assert said.kind == "differ"
    assert said.text.startswith("≠ differ: the loop has NaN, as ∞ / ∞")
    low = run(
        Spec(projected=False, scale=1.0, bias=True),
        {"X": np.ones((1, 1)), "bias": np.array([[-800.0]])},
    )
    vanished = last_of(QueryWalk(low, 0, shifted=False), "weights")
    assert vanished.text == "≠ differ: by up to 1."


def test_infinite_in_both_is_equal_and_nan_is_named():
    with np.errstate(all="ignore"):
        spec = Spec(projected=False, scale=1.0, normalizer="sum")
        trace = run(spec, {"X": np.array([[1e200], [1.0]])})
        walk = QueryWalk(trace, 0)
        assert compare(walk.move(0)).text == "= equal to within 1e−12"  # ∞ in both
        assert last_of(walk, "weights").text == "= NaN in both"
