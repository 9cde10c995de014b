"""Softmax beside a learned sink of each head."""

import numpy as np
import pytest

from attnviewer import attention
from attnviewer.compute import Spec
from attnviewer.compute.normalizers.sink_softmax import SinkSoftmax
from attnviewer.compute.walk import QueryWalk

_RNG = np.random.default_rng(11)
_Q, _K, _V = _RNG.normal(size=(3, 2, 4, 3))
_SINKS = np.array([0.5, -1.25])


def test_a_sink_takes_its_share_of_scores_that_are_capped_masked_and_tempered() -> None:
    options = {"softcap": 2.0, "causal": True, "temperature": 0.5}
    trace = attention(_Q, _K, _V, sinks=_SINKS, **options)
    scores = _Q @ _K.swapaxes(-1, -2) / np.sqrt(3)
    scores = 2 * np.tanh(scores / 2) / 0.5
    powers = np.exp(np.where(np.tri(4, dtype=bool), scores, -np.inf))
    totals = np.exp(_SINKS)[:, None, None] + powers.sum(-1, keepdims=True)
    np.testing.assert_allclose(trace["weights"], powers / totals, rtol=1e-12)
    np.testing.assert_allclose(trace["output"], powers / totals @ _V, rtol=1e-12)


def test_sinks_of_0_are_those_of_softmax1() -> None:
    sunk = attention(_Q, _K, _V, sinks=np.zeros(2), temperature=2.0)
    plain = attention(_Q, _K, _V, normalizer="softmax1", temperature=2.0)
    np.testing.assert_allclose(sunk["weights"], plain["weights"], rtol=1e-12)


@pytest.mark.parametrize(
    ("dtype", "temperature", "close"),
    [
        *((np.float16, t, 1e-3) for t in (1e-9, 0.3, 70_000.0, 1e300)),
        *((np.float32, t, 1e-6) for t in (1e-50, 0.3, 1e39, 1e300)),
    ],
)
def test_the_type_of_scores_need_not_hold_the_temperature_of_a_sink(
    dtype, temperature, close
) -> None:
    scores = np.array([[0, 0, -4], [3, 1, -np.inf]], dtype)
    normalizer = SinkSoftmax(temperature)
    for logit in (0.0, -1.0, 3.0):
        logits = np.full((1, 1), logit, dtype)
        beside = np.pad(scores / np.float64(temperature), ((0, 0), (0, 1)))
        beside[:, -1] = logit
        powers = np.exp(beside - beside.max(axis=-1, keepdims=True))
        want = powers / powers.sum(axis=-1, keepdims=True)
        shares = normalizer.shares(scores, logits)
        assert shares.dtype == dtype
        np.testing.assert_allclose(shares, want, rtol=close, atol=close)
        gradient = np.array([[1, 0, 0], [0, 1, 0]], dtype)
        _, on_logits = normalizer.shares_backward(scores, logits, gradient)
        wanted = -want[:, -1] * want[[0, 1], [0, 1]]
        assert on_logits.dtype == dtype
        np.testing.assert_allclose(on_logits[:, 0], wanted, rtol=close, atol=close)


def test_sinks_and_scores_of_any_size_give_finite_weights() -> None:
    scores = np.array([[900.0, -900.0], [0.0, 0.0]])
    trace = attention(np.eye(2), scores.T, np.eye(2), scale=1.0, sinks=[890.0])
    weights = trace["weights"]
    np.testing.assert_allclose(weights[0], [1 / (1 + np.exp(-10)), 0], rtol=1e-12)
    assert not weights[1].any()


def test_a_query_that_sees_no_key_gives_all_to_the_sink() -> None:
    trace = attention(_Q, _K, _V, sinks=_SINKS, causal=True, query_offset=-1)
    assert not trace["weights"][:, 0].any()
    assert not trace["output"][:, 0].any()
    on_sinks = trace.backward({"output": np.ones((2, 4, 3))})["sinks"]
    assert np.isfinite(on_sinks).all()


def test_an_explanation_has_the_term_of_the_sink_and_its_share() -> None:
    trace = attention(_Q, _K, _V, sinks=_SINKS)
    formula = trace.explain("weights", (1, 2, 0))
    assert formula.steps[0].evaluate() == pytest.approx(formula.value, rel=1e-12)
    assert "e^(b − mᵢ)" in formula.symbols
    assert "sinks" in str(formula.steps[0])
    left = 1 - trace["weights"][1, 2].sum()
    assert f"The sink takes {left:.3f} of this row." in formula.note


def test_a_walk_adds_the_sink_to_the_sum() -> None:
    trace = attention(_Q, _K, _V, sinks=_SINKS, temperature=2.0)
    for shifted in (True, False):
        walk = QueryWalk(trace, 2, head=1, shifted=shifted)
        phase = next(p for p in walk.phases if p.kind == "weights")
        move = walk.move(phase.start + 3)
        np.testing.assert_allclose(move.loop, trace["weights"][1, 2], rtol=1e-12)


def test_sinks_stand_beside_softmax_alone_and_there_is_one_for_each_head() -> None:
    with pytest.raises(ValueError, match="'sinks' must be off unless the normaliser"):
        Spec(sinks=True, normalizer="sigmoid")
    with pytest.raises(ValueError, match=r"must have shape \(2,\), one for each head"):
        attention(_Q, _K, _V, sinks=[1.0, 2.0, 3.0])
