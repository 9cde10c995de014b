"""Scores multiplied by a factor that grows with the length."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import LengthScale, attention, multi_head_attention
from attnviewer.compute import IncrementalEngine, Spec

RECORDED = Path(__file__).parents[1] / "data" / "length_scale.npz"
_ONES = np.ones((4, 1))


def test_a_layer_of_llama_4_has_the_numbers_of_transformers():
    with np.load(RECORDED) as file:
        x, weights, output = (file[name] for name in ("X", "weights", "output"))
        projections = [file[f"W_{letter}"] for letter in "QKVO"]
    w_q, w_k, w_v, w_o = projections
    rule = LengthScale(counted="position", scale=0.3, offset=1.0, floor=3)
    trace = multi_head_attention(
        x, w_q, w_k, w_v, w_o, n_heads=2, n_kv_heads=1, causal=True, length_scale=rule
    )
    # transformers computes the factor in single precision.
    np.testing.assert_allclose(trace["weights"], weights, atol=1e-7)
    np.testing.assert_allclose(trace["output"], output, atol=1e-7)


def test_ssmax_counts_the_keys_that_a_query_sees():
    mask = np.array([[True, True, False, True]])
    trace = attention(
        _ONES, _ONES, _ONES, scale=2.0, causal=True, mask=mask, length_scale="ssmax"
    )
    counts = [1, 2, 2, 3]
    want = np.repeat(2 * np.log(counts), 4).reshape(4, 4)
    np.testing.assert_allclose(trace["tempered"], want)
    told = str(trace.explain("tempered", (3, 0)))
    assert "log 3" in told
    # A mask of each head counts for that head.
    masks = np.ones((2, 4, 4), dtype=bool)
    masks[1] = mask
    heads = np.ones((2, 4, 1))
    trace = attention(
        heads, heads, heads, scale=2.0, causal=True, mask=masks, length_scale="ssmax"
    )
    np.testing.assert_allclose(trace["tempered"][1], want)
    np.testing.assert_allclose(trace["tempered"][0, 3], 2 * np.log(4))
    # After cached keys, queries see these, too.
    cached = {"causal": True, "query_offset": 2, "length_scale": "ssmax"}
    trace = attention(_ONES[:2], _ONES, _ONES, scale=2.0, **cached)
    np.testing.assert_allclose(trace["tempered"][0], np.full(4, 2 * np.log(3)))
    assert "log 3" in str(trace.explain("tempered", (0, 0)))
    # Without a mask, all keys count for every query.
    trace = attention(_ONES, _ONES, _ONES, scale=2.0, length_scale="ssmax")
    np.testing.assert_allclose(trace["tempered"], np.full((4, 4), 2 * np.log(4)))


def test_weights_of_ssmax_do_not_fade_where_there_are_more_keys():
    """One key above the others by 2 keeps its share, as in the paper's figure 1."""
    shares = []
    for n in (10, 1000):
        scores = np.zeros((n, 1))
        scores[0] = 2.0
        one = np.ones((1, 1))
        plain = attention(one, scores, scores, scale=1.0)["weights"][0, 0]
        scaled = attention(one, scores, scores, scale=1.0, length_scale="ssmax")
        shares.append((plain, scaled["weights"][0, 0]))
    assert shares[0][0] > 0.4 > 0.01 > shares[1][0]
    for n, (_, share) in zip((10, 1000), shares, strict=True):
        assert share == pytest.approx(n**2 / (n**2 + n - 1))


def test_a_mask_that_is_edited_changes_the_factor_of_its_row_alone():
    draw = np.random.default_rng(5)
    inputs = {name: draw.normal(size=(6, 3)) for name in "QKV"}
    inputs["mask"] = np.ones((6, 6), np.bool_)
    rule = LengthScale()
    spec = Spec(given=True, projected=False, mask=True, length_scale=rule)
    engine = IncrementalEngine(spec, inputs)
    before = engine.window("tempered").copy()
    inputs["mask"][2, 4] = False
    engine.edit("mask", (slice(2, 3), slice(4, 5)))
    after = engine.window("tempered")
    rows = np.arange(6) != 2
    np.testing.assert_array_equal(after[rows], before[rows])
    np.testing.assert_allclose(after[2], before[2] * np.log(5) / np.log(6))
    weights = engine.window("weights")
    want = np.exp(after[2])
    want[4] = 0
    np.testing.assert_allclose(weights[2], want / want.sum())


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"counted": "tokens"}, "must be one of position, keys"),
        ({"scale": np.inf}, "'scale' must be a finite number. Got inf"),
        ({"floor": 0, "counted": "position"}, "'floor' must be above 0. Got 0"),
        ({"floor": 2}, "'floor' must be 1 where keys are counted. Got 2"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(options, told):
    with pytest.raises(ValueError, match=told):
        LengthScale(**options)


def test_a_floor_beyond_the_furthest_position_is_refused():
    furthest = LengthScale(counted="position", offset=1.0, floor=2**53)
    trace = attention(_ONES, _ONES, _ONES, scale=2.0, length_scale=furthest)
    np.testing.assert_array_equal(trace["tempered"], np.full((4, 4), 2.0))
    beyond = LengthScale(counted="position", floor=2**53 + 1)
    with pytest.raises(ValueError, match=r"'floor' parameter must be at most 2\^53"):
        attention(_ONES, _ONES, _ONES, length_scale=beyond)


def test_an_unknown_name_is_refused():
    with pytest.raises(ValueError, match=r"'length_scale' .* ssmax, llama4"):
        attention(_ONES, _ONES, _ONES, length_scale="yarn")
