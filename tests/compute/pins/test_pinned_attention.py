"""Pinned steps, beside attention written out with NumPy in this file."""

import copy
import pickle

import numpy as np
import pytest

from attnviewer import Pin, attention, multi_head_attention
from attnviewer.compute import Spec, row_blocks, run

CLOSE = 1e-13
RNG = np.random.default_rng(19)
Q, K, V = RNG.normal(size=(3, 2, 5, 4))  # (h, n, d)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def test_a_set_score_is_what_the_next_step_reads() -> None:
    trace = attention(Q, K, V, pins=[Pin("scores", 0, [1, 2], 5.0, head=0)])
    scores = Q @ K.swapaxes(-1, -2)
    scores[0, 0, [1, 2]] = 5
    np.testing.assert_array_equal(trace["scores"], scores)
    np.testing.assert_allclose(trace["output"], softmax(scores / 2) @ V, atol=CLOSE)


def test_a_block_is_added_to_the_rows_of_every_head() -> None:
    block = np.arange(10.0).reshape(2, 5)
    pins = [Pin("scaled", slice(1, 3), slice(None), block, how="add")]
    trace = attention(Q, K, V, pins=pins)
    scaled = Q @ K.swapaxes(-1, -2) / 2
    scaled[:, 1:3] += block
    np.testing.assert_allclose(trace["weights"], softmax(scaled), atol=CLOSE)


def test_pins_of_a_step_act_in_their_order() -> None:
    first, then = Pin("scores", 2, 3, 4.0), Pin("scores", 2, 3, 0.5, how="scale")
    assert attention(Q, K, V, pins=[first, then])["scores"][1, 2, 3] == 2.0
    assert attention(Q, K, V, pins=[then, first])["scores"][1, 2, 3] == 4.0


def test_what_is_computed_remains_beside_what_is_pinned() -> None:
    x = RNG.normal(size=(3, 2))
    eye = np.eye(2)
    pins = [Pin("Q", 0, 0, 9.0), Pin("weights", 1, 1, 0.0)]
    trace = multi_head_attention(x, eye, eye, eye, pins=pins)
    np.testing.assert_array_equal(trace.computed("Q")[0], x)
    # Later steps are computed from what is pinned before them.
    queries = x.copy()
    queries[0, 0] = 9
    scores = queries @ x.T
    np.testing.assert_allclose(trace.computed("scores")[0], scores, atol=CLOSE)
    weights = softmax(scores / np.sqrt(2))
    np.testing.assert_allclose(trace.computed("weights")[0], weights, atol=CLOSE)
    assert trace["weights"][0, 1, 1] == 0.0


def test_the_other_weights_of_a_row_share_the_rest_in_proportion() -> None:
    pins = [Pin("weights", 3, 1, 0.9, rest="share"), Pin("weights", 4, 0, 0.5)]
    trace = attention(Q, K, V, pins=pins)
    weights = softmax(Q @ K.swapaxes(-1, -2) / 2)
    others = [0, 2, 3, 4]
    weights[:, 3, others] *= 0.1 / weights[:, 3, others].sum(axis=-1, keepdims=True)
    weights[:, 3, 1] = 0.9
    weights[:, 4, 0] = 0.5
    np.testing.assert_allclose(trace["weights"], weights, atol=CLOSE)
    np.testing.assert_allclose(trace["output"], weights @ V, atol=CLOSE)


def test_all_pinned_weights_of_a_row_stay_as_they_are_when_others_share() -> None:
    pins = [Pin("weights", 0, 0, 0.5), Pin("weights", 0, 1, 0.3, rest="share")]
    row = attention(Q, K, V, pins=pins)["weights"][0, 0]
    weights = softmax(Q[0, 0] @ K[0].T / 2)
    assert row[:2].tolist() == [0.5, 0.3]
    rest = weights[2:] * 0.2 / weights[2:].sum()
    np.testing.assert_allclose(row[2:], rest, atol=CLOSE)


def test_a_score_set_to_minus_infinity_hides_a_key() -> None:
    trace = attention(Q, K, V, pins=[Pin("scaled", 0, 2, -np.inf)])
    assert trace["weights"][0, 0, 2] == 0.0
    np.testing.assert_allclose(trace["weights"].sum(axis=-1), 1, atol=CLOSE)


@pytest.mark.parametrize("factor", [2.0, 0.0, -1.0])
def test_a_hidden_score_that_is_scaled_stays_hidden(factor) -> None:
    pins = [Pin("masked", 0, slice(None), factor, how="scale")]
    trace = attention(Q, K, V, causal=True, pins=pins)
    assert trace["masked"][0, 0, 1:].tolist() == [-np.inf] * 4
    assert trace["weights"][0, 0].tolist() == [1, 0, 0, 0, 0]
    (step,) = trace.explain("masked", (0, 0, 1)).steps
    assert step.evaluate() == -np.inf


@pytest.mark.parametrize("small", [0, row_blocks.SMALL], ids=["blocks", "at once"])
def test_a_masked_key_can_be_pinned(monkeypatch, small) -> None:
    monkeypatch.setattr(row_blocks, "SMALL", small)
    monkeypatch.setattr(row_blocks, "ROWS", 2)
    pins = [Pin("weights", 0, 4, 0.25, rest="share"), Pin("masked", 1, 3, 0.5)]
    trace = attention(Q, K, V, causal=True, pins=pins)
    masked = np.where(np.tri(5, dtype=bool), Q @ K.swapaxes(-1, -2) / 2, -np.inf)
    masked[:, 1, 3] = 0.5
    weights = softmax(masked)
    weights[:, 0] *= 0.75
    weights[:, 0, 4] = 0.25
    np.testing.assert_allclose(trace["weights"], weights, atol=CLOSE)
    np.testing.assert_allclose(trace["output"], weights @ V, atol=CLOSE)
    hidden = trace.hidden("weights")
    assert hidden is not None
    assert hidden[0].tolist() == [False, True, True, True, False]
    assert hidden[1].tolist() == [False, False, True, False, True]


def test_whole_steps_of_several_heads_and_projections_can_be_pinned() -> None:
    x, weight = RNG.normal(size=(5, 6)), RNG.normal(size=(6, 4))
    held = RNG.normal(size=(5, 2))
    trace = multi_head_attention(
        x,
        weight,
        weight,
        weight,
        np.eye(4),
        n_heads=2,
        pins=[Pin("heads", slice(None), slice(None), held, head=1)],
    )
    np.testing.assert_array_equal(trace["heads"][1], held)
    np.testing.assert_array_equal(trace["concatenated"][:, 2:], held)
    np.testing.assert_allclose(trace["output"][:, 2:], held, atol=CLOSE)


def test_keys_of_shared_heads_have_heads_of_their_own() -> None:
    x = RNG.normal(size=(4, 6))
    wide, narrow = RNG.normal(size=(6, 8)), RNG.normal(size=(6, 4))
    pins = [Pin("K", 0, 0, 7.0, head=1)]
    trace = multi_head_attention(
        x, wide, narrow, narrow, n_heads=4, n_kv_heads=2, pins=pins
    )
    assert trace["K"][:, 0, 0].tolist() == [trace.computed("K")[0, 0, 0], 7.0]


def test_a_pin_that_is_switched_off_does_nothing() -> None:
    trace = attention(Q, K, V, pins=[Pin("scores", 0, 0, 1.0, enabled=False)])
    np.testing.assert_array_equal(trace["output"], attention(Q, K, V)["output"])


@pytest.mark.parametrize("step", ["Q", "scores", "weights", "output"])
def test_a_trace_with_pins_can_be_pickled_and_copied(step) -> None:
    spec = Spec(pins=(Pin(step, 1, 2, 0.5),))
    inputs = {"X": Q[0], "W_Q": K[0, :4], "W_K": K[1, :4], "W_V": V[0, :4]}
    trace = run(spec, inputs)
    for other in (pickle.loads(pickle.dumps(trace)), copy.deepcopy(trace)):
        np.testing.assert_array_equal(other["output"], trace["output"])
        np.testing.assert_array_equal(other.computed(step), trace.computed(step))


def test_equal_pins_make_equal_variants() -> None:
    some, same = (Pin("weights", [0, 2], slice(1, 3), 0.5) for _ in range(2))
    assert Spec(pins=(some,)) == Spec(pins=(same,))
    assert hash(Spec(pins=(some,))) == hash(Spec(pins=(same,)))
    assert some != Pin("weights", [0, 2], slice(1, 4), 0.5)
    assert Pin("Q", [1, 2], 0, 1.0) == Pin("Q", slice(1, 3), [0], 1.0)


def test_which_cells_are_pinned_is_told_for_each_head() -> None:
    pins = [Pin("scores", [1, 3], 2, 1.0, head=1), Pin("scores", 4, slice(3, 5), 0.5)]
    trace = attention(Q, K, V, pins=pins)
    first, second = trace.pinned("scores"), trace.pinned("scores", head=1)
    assert np.argwhere(first).tolist() == [[4, 3], [4, 4]]
    assert np.argwhere(second).tolist() == [[1, 2], [3, 2], [4, 3], [4, 4]]
    part = trace.pinned("scores", slice(3, 5), slice(2, 4), head=1)
    assert part.tolist() == [[True, False], [False, True]]
    assert trace.pinned("weights") is None
