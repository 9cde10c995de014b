"""The work is proportional to what an edit reaches."""

import itertools
import pickle

import numpy as np
import pytest

from attnviewer.compute import IncrementalEngine, Spec, run
from attnviewer.compute.engine.live_output import LiveOutput
from attnviewer.compute.engine.live_weights import LiveWeights
from attnviewer.compute.positions import Alibi, Learned, Rotary, Sinusoidal

from .examples import ALL, EXAMPLES, ONE, example, set_cells

_N = 40
_HEADS = {
    "heads": Spec(n_heads=2, output_projection=True),
    "causal": Spec(n_heads=2, output_projection=True, causal=True),
    "rotary": Spec(n_heads=2, output_projection=True, positions=Rotary()),
    "cosine": Spec(n_heads=2, output_projection=True, score="cosine"),
    "general": Spec(n_heads=2, output_projection=True, score="general"),
}
_ONE_ROW = {
    "simplified": Spec(projected=False),
    "self": Spec(),
    "softmax1": Spec(normalizer="softmax1"),
    "sigmoid": Spec(normalizer="sigmoid"),
    "softcap": Spec(softcap=5.0),
    "cosine": Spec(score="cosine"),
    "general": Spec(score="general"),
    "additive": Spec(score="additive"),
    "learned": Spec(positions=Learned()),
    "sinusoidal": Spec(positions=Sinusoidal()),
    "rotary": Spec(positions=Rotary()),
    "ALiBi": Spec(positions=Alibi()),
    "extra rows": Spec(extra_rows=True),
    **_HEADS,
}


def _engine(spec: Spec, n: int = _N):
    random = np.random.default_rng(1)
    d_k = 4 // spec.n_heads
    shapes = {"X": (n, 4), "P": (n, 4), "W_O": (4, 3), "w": (d_k, d_k)}
    shapes |= dict.fromkeys(("W_Q", "W_K", "W_V"), (4, 4))
    shapes |= {"w_q": (4, 3), "w_k": (4, 3), "v": (3,), "bias": (n, n)}
    shapes |= dict.fromkeys(("extra_keys", "extra_values"), (2, 4))
    shapes |= dict.fromkeys(("context", "values"), (n, 4))
    inputs = {
        name: random.normal(scale=0.3, size=shapes[name])
        for name in spec.input_names
        if name != "mask"
    }
    if spec.mask:
        inputs["mask"] = np.ones((n, n), dtype=bool)
    return IncrementalEngine(spec, inputs), inputs


def _count(engine: IncrementalEngine, inputs, *cells: tuple[str, int, int]) -> int:
    """Return how many scores one update after some edits computes."""
    before = engine.touched
    for matrix, row, column in cells:
        region = slice(row, row + 1), slice(column, column + 1)
        array = inputs[matrix]
        set_cells(engine, array, matrix, region, array[region] + 0.01)
    engine.update()
    return engine.touched - before


@pytest.mark.parametrize("name", _ONE_ROW)
def test_a_cell_of_an_embedding_reaches_its_row_and_its_column(name) -> None:
    spec = _ONE_ROW[name]
    engine, inputs = _engine(spec)
    n_keys = _N + 2 * spec.extra_rows
    computed = _count(engine, inputs, ("X", 7, 1))
    # Its query sees all keys, and all queries its key.
    assert spec.n_heads * (_N + n_keys - 1) <= computed <= 4 * n_keys * spec.n_heads


@pytest.mark.parametrize("name", ["sparsemax", "entmax15", "hardmax", "sum"])
def test_a_query_alone_costs_its_row_whatever_the_normalizer(name) -> None:
    engine, inputs = _engine(Spec(context=True, normalizer=name))
    assert _count(engine, inputs, ("X", 3, 0)) == _N


def test_twice_the_tokens_are_twice_the_work() -> None:
    once, twice = (
        _count(*_engine(Spec(n_heads=2), n), ("X", 7, 1)) for n in (100, 200)
    )
    assert twice == 2 * once


@pytest.mark.parametrize("name", _HEADS)
@pytest.mark.parametrize("matrix", ["W_V", "W_O"])
def test_what_only_the_output_depends_on_costs_no_score(matrix, name) -> None:
    engine, inputs = _engine(_HEADS[name])
    assert _count(engine, inputs, (matrix, 2, 1)) == 0


def test_values_of_their_own_cost_no_score() -> None:
    engine, inputs = _engine(Spec(context=True, values=True))
    assert _count(engine, inputs, ("values", 2, 1)) == 0
    engine, inputs = _engine(Spec(extra_rows=True))
    assert _count(engine, inputs, ("extra_values", 1, 1)) == 0


@pytest.mark.parametrize("name", _HEADS)
@pytest.mark.parametrize("matrix", ["W_Q", "W_K"])
def test_a_cell_of_a_projection_reaches_one_head(matrix, name) -> None:
    engine, inputs = _engine(_HEADS[name])
    before = [np.array(engine.window("weights", head=head)) for head in (0, 1)]
    assert 0 < _count(engine, inputs, (matrix, 2, 3)) <= _N**2  # of head 1
    np.testing.assert_array_equal(engine.window("weights", head=0), before[0])
    assert (engine.window("weights", head=1) != before[1]).any()


def test_rows_that_a_projection_moves_far_are_counted_once() -> None:
    engine, inputs = _engine(Spec())
    set_cells(engine, inputs["X"], "X", (slice(0, 10), ONE), 1000.0)
    engine.update()
    before = engine.touched
    set_cells(engine, inputs["W_Q"], "W_Q", (ONE, ONE), 1.0)
    engine.update()
    assert engine.touched - before <= _N**2


def test_edits_of_one_row_before_an_update_cost_one() -> None:
    once = _count(*_engine(Spec()), ("X", 7, 1))
    cells = [("X", 7, column) for column in (0, 1, 2, 3, 1)]
    assert _count(*_engine(Spec()), *cells) == once
    scrubbed = _count(*_engine(Spec()), *[("W_Q", 0, 0)] * 5)
    assert scrubbed == _count(*_engine(Spec()), ("W_Q", 0, 0))


@pytest.mark.parametrize("matrix", ["bias", "mask"])
def test_a_cell_of_bias_or_mask_costs_at_most_its_row(matrix) -> None:
    engine, inputs = _engine(Spec(bias=True, mask=True))
    before = engine.touched
    value = 2.0 if matrix == "bias" else False
    set_cells(engine, inputs[matrix], matrix, (slice(4, 5), slice(9, 10)), value)
    engine.update()
    assert 0 < engine.touched - before <= _N


@pytest.mark.parametrize("name", _ONE_ROW)
def test_looking_costs_no_score(name) -> None:
    engine, _ = _engine(_ONE_ROW[name])
    before = engine.touched
    for step in engine.trace():
        engine.window(step, slice(3, 6), slice(1, 3))
    assert engine.update() == {}
    assert engine.touched == before


def test_the_output_is_computed_only_when_it_is_looked_at(monkeypatch) -> None:
    looks = []
    current = LiveOutput.current

    def counted(output: LiveOutput):
        looks.append(output)
        return current(output)

    monkeypatch.setattr(LiveOutput, "current", counted)
    engine, inputs = _engine(_HEADS["heads"])
    for step in ("X", "W_O", "Q", "scores", "scaled", "weights"):
        set_cells(engine, inputs["X"], "X", (ONE, ALL), 0.5)
        engine.window(step)
    assert not looks
    engine.window("output")
    engine.window("heads")
    assert len(looks) == 1


def test_an_edit_of_nothing_costs_nothing() -> None:
    engine, _ = _engine(Spec(n_heads=2))
    before = engine.touched
    nothing = slice(2, 2)
    for region in ((ONE, nothing), (nothing, ONE), (nothing, nothing)):
        for matrix in ("X", "W_Q", "W_V"):
            engine.edit(matrix, region)
            engine.update()
    assert engine.touched == before


def test_where_columns_are_followed_no_weights_are_computed_anew(monkeypatch) -> None:
    anew: list[str] = []
    recompute = LiveWeights.recompute_matrix

    def counted(self, lead):
        anew.append(name)
        recompute(self, lead)

    monkeypatch.setattr(LiveWeights, "recompute_matrix", counted)
    followed = set()
    for name, matrix in itertools.product(EXAMPLES, ("W_Q", "W_K")):
        spec, inputs = example(name)
        if matrix not in inputs:
            continue
        engine = IncrementalEngine(spec, inputs)
        if engine.follows_column(matrix):
            followed.add(name)
            set_cells(engine, inputs[matrix], matrix, (ONE, ONE), 0.01)
            engine.update()
    assert set(anew) == set()
    assert {"self", "causal", "GQA", "ALiBi"} <= followed
    assert not followed & {"cosine", "softcap", "norms of heads", "pinned weights"}


def test_what_follows_the_weights_is_computed_once_it_is_read(monkeypatch) -> None:
    read: list[int] = []
    current = LiveOutput.current

    def counted(self):
        read.append(1)
        return current(self)

    monkeypatch.setattr(LiveOutput, "current", counted)
    engine, inputs = _engine(_HEADS["causal"])
    set_cells(engine, inputs["X"], "X", (ONE, ONE), 0.5)
    trace = engine.trace()
    assert trace["weights"].shape == (2, _N, _N)
    assert (trace.shape("heads"), trace.shape("output")) == ((2, _N, 2), (_N, 3))
    assert not read
    want = run(trace.spec, inputs)
    for steps in (trace, pickle.loads(pickle.dumps(trace))):
        for step in ("output", "heads"):
            np.testing.assert_allclose(steps[step], want[step], rtol=0, atol=1e-12)
    assert len(read) == 1
