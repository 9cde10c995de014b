"""The engine keeps little beside the arrays that must exist."""

import tracemalloc

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Pin, Spec, run
from attnviewer.compute.engine import storing
from attnviewer.compute.positions import Rotary, Sinusoidal
from attnviewer.compute.threads import in_this_thread

from .examples import ALL, ONE

_N = 1500
_REGIONS = {
    "a cell": ("X", (slice(7, 8), ONE)),
    "a row": ("X", (slice(7, 8), ALL)),
    "some rows": ("X", (slice(0, _N // 8), ALL)),
    "many rows": ("X", (slice(0, _N // 4), ALL)),
    "a column": ("X", (ALL, ONE)),
    "a query's weight": ("W_Q", (ONE, ONE)),
    "all keys' weights": ("W_K", (ALL, ALL)),
    "a value's weight": ("W_V", (ONE, ONE)),
}
_SPECS = {
    "softmax": Spec(n_heads=2),
    "causal": Spec(n_heads=2, causal=True),
    **{
        name: Spec(n_heads=2, normalizer=name)
        for name in ("sigmoid", "sum", "sparsemax", "entmax15")
    },
}


@pytest.mark.parametrize("name", _SPECS)
def test_half_more_than_must_exist_is_never_used(name) -> None:
    spec, random = _SPECS[name], np.random.default_rng(0)
    shapes = {"X": (_N, 16)} | dict.fromkeys(("W_Q", "W_K", "W_V"), (16, 16))
    inputs = {
        # Numbers above 0, whose plain sums do not cancel.
        matrix: random.uniform(0.0, 0.3, shape).astype(np.float32)
        for matrix, shape in shapes.items()
    }
    # The numerators of two heads; X, Q, K, V and heads.
    must_exist = 4 * (2 * _N * _N + 5 * _N * 16)
    peaks = {}
    # What is imported or begun at the first edit is not the engine's memory.
    edited = IncrementalEngine(spec, inputs)
    edited.edit("X", _REGIONS["a cell"][1])
    edited.window("weights", slice(0, 60), slice(0, 60), head=1)
    del edited
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        engine = IncrementalEngine(spec, inputs)
        peaks["at first"] = tracemalloc.get_traced_memory()[1] - before
        assert engine.dtype == np.float32
        for what, (matrix, region) in _REGIONS.items():
            tracemalloc.reset_peak()
            inputs[matrix][region] *= 1.1
            engine.edit(matrix, region)
            for step in ("scores", "weights"):
                engine.window(step, slice(0, 60), slice(0, 60), head=1)
            peaks[what] = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    too_much = {
        what: f"{peak / must_exist:.2f} times"
        for what, peak in peaks.items()
        if peak > 1.5 * must_exist
    }
    assert not too_much
    assert max(peaks.values()) >= 4 * 2 * _N * _N  # it was measured


def test_a_long_input_is_copied_once_while_the_engine_begins() -> None:
    spec = Spec(projected=False, given=True, causal=True)
    random = np.random.default_rng(0)
    shape = 20_000, 64
    inputs = {name: random.normal(size=shape).astype(np.float32) for name in "QKV"}
    copies = 3 * inputs["Q"].nbytes
    means = 4 * inputs["V"].size
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        engine = IncrementalEngine(spec, inputs, np.float32)
        peak = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
    assert engine.dtype == np.float32
    assert copies <= peak <= 1.1 * (copies + means)


def test_of_a_long_document_heads_out_of_sight_are_not_computed(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec = Spec(n_heads=8, n_kv_heads=4, causal=True, positions=Rotary())
    widths = {"W_Q": 8 * 32, "W_K": 4 * 32, "W_V": 4 * 32}
    inputs = {name: np.ones((4, width), np.float32) for name, width in widths.items()}
    inputs["X"] = np.ones((2000, 4), np.float32)
    tracemalloc.start()
    try:
        engine = IncrementalEngine(spec, inputs, np.float32)
        engine.window("weights", slice(0, 2), head=5)
        engine.trace()["Q"], engine.window("V", slice(0, 9), head=0)
        computed, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    of_head = 4 * 2000 * 32
    # Its queries, keys, values and weighted values, and states of the rows of all.
    assert 4 * of_head <= computed < 9 * of_head


def test_positions_and_gates_of_a_long_document_are_not_stored(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec = Spec(causal=True, positions=Sinusoidal(offset=3), output_gate="elementwise")
    random = np.random.default_rng(0)
    shapes = {"X": (4000, 32)}
    inputs = {
        name: random.normal(size=shapes.get(name, (32, 32))).astype(np.float32)
        for name in spec.input_names
    }
    tracemalloc.start()
    try:
        engine = IncrementalEngine(spec, inputs, np.float32)
        engine.take_edits_from(inputs)
        found = engine.window("output", slice(1500, 1510))
        computed, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Its queries, keys, values and weighted values.
    assert computed < 6 * inputs["X"].nbytes
    fresh = run(spec, inputs)
    for step in ("P", "G"):
        shown = engine.window(step, slice(1500, 1510), slice(4, 9))
        np.testing.assert_allclose(
            shown, fresh.window(step)[1500:1510, 4:9], rtol=0, atol=1e-5
        )
    np.testing.assert_allclose(
        found, fresh.window("output")[1500:1510], rtol=0, atol=1e-5
    )


def test_embeddings_of_a_long_document_are_not_copied(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec, random = Spec(causal=True), np.random.default_rng(0)
    weights = {name: random.normal(size=(128, 4)) for name in ("W_Q", "W_K", "W_V")}
    inputs = {"X": random.normal(size=(20_000, 128)), **weights}
    tracemalloc.start()
    try:
        engine = IncrementalEngine(spec, inputs, np.float32, in_place=True)
        engine.window("weights", slice(0, 2))
        gradient = engine.trace().cell_gradient("weights", (19_000, 3))
        for _ in gradient.parts():
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < inputs["X"].nbytes / 2  # what a copy in single precision takes


def test_numbers_read_in_place_must_be_in_the_range_of_the_steps(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    inputs = {name: np.eye(3) for name in Spec().input_names}
    inputs["W_K"][2, 1] = -1e39
    with pytest.raises(
        ValueError, match=r"'W_K' matrix .*float32\. Got -1e\+39 at \[2, 1"
    ):
        IncrementalEngine(Spec(), inputs, np.float32, in_place=True)


def test_edited_tokens_take_no_second_copy_of_the_weighted_values(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    spec, shape = Spec(projected=False, given=True, causal=True), (300, 512)
    random = np.random.default_rng(0)
    inputs = {name: random.normal(size=shape).astype(np.float32) for name in "QKV"}

    def edit(engine: IncrementalEngine, token: int) -> None:
        for name, array in inputs.items():
            array[token] = random.normal(size=shape[1])
            engine.edit(name, (slice(token, token + 1), ALL))
        engine.update()

    # What is imported or begun at the first edit is not the engine's memory.
    for tokens in (1, 5):
        engine = IncrementalEngine(spec, inputs, np.float32)
        engine.window("output")
        tracemalloc.start()
        try:
            for token in range(tokens):
                edit(engine, token)
            more, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert more < 0.25 * inputs["V"].nbytes
    exact = {name: array.astype(np.float64) for name, array in inputs.items()}
    want = run(spec, exact)["output"]
    np.testing.assert_allclose(engine.window("output"), want, rtol=0, atol=4e-6)


@pytest.mark.parametrize(("normalizer", "most"), [("sum", 55), ("entmax15", 95)])
def test_reading_a_long_sequence_takes_room_for_few_rows(normalizer, most) -> None:
    n = 2**16
    spec = Spec(projected=False, given=True, normalizer=normalizer)
    inputs = {name: np.ones((n, 1), np.float32) for name in "QKV"}
    tracemalloc.start()
    try:
        engine = IncrementalEngine(spec, inputs)
        overview = engine.overview("weights")
        with in_this_thread():
            for _ in overview.reading():
                if overview.share:  # once it is read, not only sketched
                    break
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most * 2**20, "of one thread, in MiB"


def test_weights_that_take_more_than_200_mib_are_not_stored() -> None:
    engine = IncrementalEngine(Spec(projected=False), {"X": np.ones((8192, 1))})
    assert not engine.stores_weights


@pytest.mark.parametrize(
    ("spec", "shared"),
    [
        (Spec(projected=False, given=True, causal=True), {"Q"}),
        (Spec(projected=False, given=True, positions=Rotary()), {"Q", "K"}),
        (Spec(n_heads=2, causal=True), {"X", "W_Q", "W_K", "W_V"}),
        (Spec(projected=False), set()),  # X is keys and values, too
        (Spec(projected=False, score="cosine", positions=Sinusoidal()), {"X"}),
        (Spec(projected=False, given=True, pins=(Pin("scores", 3, 2, 1.0),)), {"Q"}),
        (Spec(projected=False, given=True, score="given"), {"S"}),
        (Spec(n_heads=2, score="additive"), {"X", "W_Q", "W_K", "W_V", "w_q", "w_k"}),
    ],
)
def test_inputs_that_are_read_row_by_row_are_those_of_a_long_document(
    spec, shared, monkeypatch
) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 0)
    random = np.random.default_rng(0)
    shapes = {"S": (40, 40), "w_q": (2, 3), "w_k": (2, 3), "v": (1, 3)}
    shapes |= dict.fromkeys("XQKV", (40, 4))
    inputs = {
        name: random.normal(size=shapes.get(name, (4, 4))) for name in spec.input_names
    }
    engine = IncrementalEngine(spec, inputs, np.float32)
    overview = engine.overview("weights")
    engine.take_edits_from(inputs)
    trace = overview._matrix._steps  # from before
    for steps in (trace, engine.trace()):
        found = {name for name in inputs if np.shares_memory(steps[name], inputs[name])}
        assert found == shared
    for _ in overview.reading():
        pass
    for name, array in inputs.items():
        row = min(3, len(array) - 1)
        array[row] = random.normal(size=array.shape[1])
        engine.edit(name, (slice(row, row + 1), ALL))
    fresh = run(spec, inputs)
    for step in ("weights", "output"):
        found = engine.window(step)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, fresh.window(step), rtol=1e-4, atol=1e-6)
    cell = (0,) * (fresh["weights"].ndim - 2) + (3, 2)
    slopes = engine.trace().gradient("weights", cell)
    for name, slope in fresh.gradient("weights", cell).items():
        assert slopes[name].dtype == np.float32
        np.testing.assert_allclose(slopes[name], slope, rtol=1e-3, atol=1e-5)
