"""Rotary positions along several axes: M-RoPE and 2-D RoPE."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer import Rotary, RotaryAxes, multi_head_attention, rotary_embedding
from attnviewer.compute import Spec, run
from attnviewer.compute.positions import (
    base_frequencies,
    yarn_attention_factor,
    yarn_frequencies,
)
from tests.compute.test_gradients import _compare_with_differences

_RECORDED = Path(__file__).parents[2] / "data" / "rotary_axes.npz"
_PIXTRAL = base_frequencies(8, 100.0)
SCHEMES = {
    "qwen2_vl": Rotary(base=1000.0, axes=RotaryAxes((2, 3, 3))),
    "qwen2_vl_yarn": Rotary(
        frequencies=yarn_frequencies(16, 1000.0, factor=4.0, trained_length=16),
        attention_factor=yarn_attention_factor(4.0),
        axes=RotaryAxes((2, 3, 3)),
    ),
    "qwen3_vl": Rotary(base=1000.0, axes=RotaryAxes((4, 3, 3), interleaved=True)),
    "glm4v": Rotary(
        base=1000.0, rotary_dim=8, interleaved=True, axes=RotaryAxes((1, 1, 2))
    ),
    "qwen2_vl_vision": Rotary(
        base=100.0, axes=RotaryAxes((2, 2), own_frequencies=True)
    ),
    # Rows have every other frequency, and columns those between.
    "pixtral": Rotary(
        frequencies=(*_PIXTRAL[0::2], *_PIXTRAL[1::2]), axes=RotaryAxes((2, 2))
    ),
    "llama4_vision": Rotary(
        base=100.0, interleaved=True, axes=RotaryAxes((3, 3), own_frequencies=True)
    ),
}


@pytest.mark.parametrize("name", SCHEMES)
def test_rows_are_rotated_as_transformers_does(name) -> None:
    with np.load(_RECORDED) as recorded:
        x, ids, want = (recorded[f"{name}.{part}"] for part in ("x", "ids", "turned"))
    scheme, x = SCHEMES[name], x.astype(np.float64)
    spec = Spec(projected=False, given=True, n_heads=2, positions=scheme)
    inputs = {"Q": x, "K": x, "V": x, "position_ids": ids.astype(np.float64)}
    trace = run(spec, inputs)
    # Its angles are in single precision.
    close = {"rtol": 0, "atol": 2e-6 * np.abs(want).max()}
    for step in ("rotated Q", "rotated K"):
        np.testing.assert_allclose(trace[step], want, **close)
    if scheme.attention_factor == 1:
        got = rotary_embedding(
            x,
            ids,
            base=scheme.base,
            rotary_dim=scheme.rotary_dim,
            interleaved=scheme.interleaved,
            frequencies=scheme.frequencies,
            axes=scheme.axes,
        )
        np.testing.assert_array_equal(got, trace["rotated Q"])


@pytest.mark.parametrize(
    ("axes", "of_pairs"),
    [
        (RotaryAxes((1, 2, 3)), [0, 1, 1, 2, 2, 2]),
        (RotaryAxes((3, 2, 2), interleaved=True), [0, 1, 2, 0, 1, 2, 0]),
        # The first axis has the pairs that the others leave.
        (RotaryAxes((4, 1, 2), interleaved=True), [0, 1, 2, 0, 0, 2, 0]),
        (RotaryAxes((2, 2), interleaved=True), [0, 1, 0, 1]),
    ],
)
def test_axes_take_neighbouring_pairs_or_take_turns(axes, of_pairs) -> None:
    assert axes.axis_of_pair.tolist() == of_pairs


def test_frequencies_of_an_axis_may_start_anew() -> None:
    plain = RotaryAxes((2, 1)).frequencies(100.0)
    np.testing.assert_allclose(plain, [1, 100 ** (-1 / 3), 100 ** (-2 / 3)])
    own = RotaryAxes((2, 1), own_frequencies=True).frequencies(100.0)
    np.testing.assert_allclose(own, [1, 0.1, 1])
    turns = RotaryAxes((2, 2), interleaved=True, own_frequencies=True)
    np.testing.assert_allclose(turns.frequencies(100.0), [1, 1, 0.1, 0.1])


@st.composite
def _equal_positions(draw):
    sections = draw(st.lists(st.integers(1, 2), min_size=2, max_size=3))
    in_turn = draw(st.booleans()) and len(set(sections)) == 1
    width = 2 * sum(sections)
    options = {
        "interleaved": draw(st.booleans()),
        "rotary_dim": draw(st.sampled_from([None, width])),
        "attention_factor": draw(st.sampled_from([1.0, 1.3])),
        "frequencies": draw(
            st.sampled_from([None, tuple(0.7**k for k in range(width // 2))])
        ),
    }
    d_k = width if options["rotary_dim"] is None else width + 2
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    x = rng.normal(size=(*draw(st.sampled_from([(), (2,)])), 4, 3)).astype(dtype)
    w = rng.normal(size=(3, 3, 2 * d_k)).astype(dtype)
    return x, w, options, RotaryAxes(tuple(sections), interleaved=in_turn)


@given(_equal_positions())
def test_equal_positions_on_all_axes_are_plain_rope_to_the_last_bit(case) -> None:
    x, w, options, axes = case
    plain = multi_head_attention(x, *w, n_heads=2, positions=Rotary(**options))
    along = multi_head_attention(
        *(x, *w),
        n_heads=2,
        positions=Rotary(**options, axes=axes),
        position_ids=np.repeat(np.arange(4)[:, None], axes.n_axes, axis=1),
    )
    assert along["output"].dtype == x.dtype
    for step in ("rotated Q", "rotated K", "output"):
        np.testing.assert_array_equal(along[step], plain[step])


_RNG = np.random.default_rng(3)
_W = _RNG.normal(size=(3, 3, 12))


@pytest.mark.parametrize(
    ("shape", "ids", "options"),
    [
        ((4, 3), (4, 2), {}),
        ((2, 4, 3), (4, 2), {"causal": True}),
        ((2, 4, 3), (2, 4, 2), {}),
    ],
)
def test_gradients_are_the_slopes_of_positions_too(shape, ids, options) -> None:
    trace = multi_head_attention(
        *(_RNG.normal(size=shape), *_W),
        n_heads=2,
        positions=Rotary(
            base=5.0,
            rotary_dim=4,
            interleaved=len(shape) > 2,
            attention_factor=1.2,
            axes=RotaryAxes((1, 1)),
        ),
        position_ids=_RNG.normal(size=ids) * 3,
        **options,
    )
    assert np.abs(trace.backward({"output": trace["output"]})["position_ids"]).max() > 0
    _compare_with_differences(trace, "output")


def test_cached_queries_have_the_positions_of_their_keys() -> None:
    x, ids = _RNG.normal(size=(2, 2, 5, 4)), _RNG.normal(size=(2, 5, 2))
    spec = Spec(
        projected=False,
        given=True,
        positions=Rotary(axes=RotaryAxes((1, 1))),
        query_offset=(3, 1),
        n_heads=2,
    )
    queries = np.stack([x[0, :, 3:5], x[1, :, 1:3]])  # (batch, h, 2, d)
    trace = run(spec, {"Q": queries, "K": x, "V": x, "position_ids": ids})
    for item, first in enumerate((3, 1)):
        np.testing.assert_array_equal(
            trace["rotated Q"][item],
            trace["rotated K"][item, :, first : first + 2],
        )
    _compare_with_differences(trace, "scores")
    shared = run(spec, {"Q": queries, "K": x, "V": x, "position_ids": ids[1]})
    np.testing.assert_array_equal(shared["rotated Q"][1], trace["rotated Q"][1])


def test_a_cell_is_explained_by_the_position_along_its_axis() -> None:
    ids = np.array([[0.0, 0.0], [3.0, 5.0]])
    scheme = Rotary(base=100.0, axes=RotaryAxes((1, 1)), attention_factor=2.0)
    trace = multi_head_attention(
        *(np.arange(8.0).reshape(2, 4), np.eye(4), np.eye(4), np.eye(4)),
        positions=scheme,
        position_ids=ids,
    )
    formula = trace.explain("rotated Q", (0, 1, 3))
    want = 2 * (7 * np.cos(0.5) + 5 * np.sin(0.5))
    assert formula.value == pytest.approx(want, rel=1e-15)
    assert [line.evaluate() for line in formula.steps] == pytest.approx([want, want])
    assert ("position_ids", (1, 1)) in {(c.step, c.index) for c in formula.cells}
    assert formula.note == (
        "Columns 1 and 3 are a pair that is rotated by the position along axis 1. "
        "cos θ and sin θ are multiplied by 2."
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: RotaryAxes((4,)),
            "The 'sections' must hold a number of pairs for each of at least two axes. "
            "Got (4,) instead.",
        ),
        (
            lambda: RotaryAxes((2, 0)),
            "The 'sections' parameter must be an integer of at least 1. Got 0 instead.",
        ),
        (
            lambda: RotaryAxes((1, 1, 3), interleaved=True),
            "The 'sections' must leave room for all axes where they take pairs in "
            "turn. Got 3 pairs of axis 2 in (1, 1, 3) instead.",
        ),
        (
            lambda: Rotary(rotary_dim=6, axes=RotaryAxes((1, 1))),
            "The 'sections' must sum to 3, the pairs of the 6 rotated columns. "
            "Got (1, 1) instead.",
        ),
        (
            lambda: Rotary(offset=1, axes=RotaryAxes((1, 1))),
            "The 'offset' must be 0 with several axes, along which position_ids tell "
            "the positions. Got 1 instead.",
        ),
        (
            lambda: Rotary(
                frequencies=(1.0, 0.5), axes=RotaryAxes((1, 1), own_frequencies=True)
            ),
            "The 'own_frequencies' of the axes must be off where frequencies are given "
            "for each pair. Got on instead.",
        ),
        (
            lambda: Rotary(frequencies=(1.0,), axes=RotaryAxes((1, 1))),
            "The 'frequencies' parameter must hold half as many numbers as the 4 "
            "rotated columns. Got 1 instead.",
        ),
        (
            lambda: _attention(None),
            "The 'position_ids' parameter must be given with Rotary(axes=…). "
            "Got none instead.",
        ),
        (
            lambda: _attention(np.zeros((3, 2)), Rotary()),
            "The 'position_ids' parameter must be left out without Rotary(axes=…). "
            "Got them instead.",
        ),
        (
            lambda: _attention(np.zeros((2, 3))),
            "The 'position_ids' parameter must have shape (3, 2). Got (2, 3) instead.",
        ),
        (
            lambda: _attention(np.zeros((3, 2)), query_offset=1),
            "The queries must be among the 3 keys, whose positions along several axes "
            "they share. Got 3 queries from 1 on instead.",
        ),
        (
            lambda: _attention(np.zeros((3, 2)), Rotary(axes=RotaryAxes((2, 1)))),
            "The 'sections' must sum to 2, the pairs of the 4 rotated columns. "
            "Got (2, 1) instead.",
        ),
        (
            lambda: rotary_embedding(np.ones((3, 4)), axes=RotaryAxes((1, 1))),
            "The 'positions' parameter must be given with 'axes'. Got None instead.",
        ),
        (
            lambda: rotary_embedding(
                np.ones((3, 4)), [0, 1, 2], axes=RotaryAxes((1, 1))
            ),
            "The 'positions' parameter must have 2 columns, one for each axis. "
            "Got shape (3,) instead.",
        ),
    ],
)
def test_what_contradicts_the_axes_is_refused(make, message) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        make()


def _attention(ids, scheme=None, **options):
    x, scheme = np.ones((3, 4)), scheme or Rotary(axes=RotaryAxes((1, 1)))
    return multi_head_attention(
        *(x, np.eye(4), np.eye(4), np.eye(4)),
        positions=scheme,
        position_ids=ids,
        **options,
    )
