"""What does not fit is refused, in one wording, before anything is computed."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import Alibi, Rotary, Sinusoidal, attention, multi_head_attention
from attnviewer.compute import NORMALIZERS
from attnviewer.compute.scoring import SCORES

_Q = {"q": np.ones((3, 2)), "k": np.ones((4, 2)), "v": np.ones((4, 5))}
_X = {
    "x": np.ones((4, 3)),
    "w_q": np.ones((3, 4)),
    "w_k": np.ones((3, 4)),
    "w_v": np.ones((3, 4)),
    "w_o": np.ones((4, 2)),
}
_BATCH = np.ones((2, 4, 3))


def _refusal(function: Any, arguments: dict[str, Any]) -> tuple[type, str]:
    with pytest.raises((ValueError, TypeError)) as caught:
        function(**arguments)
    return caught.type, str(caught.value)


class _Tensor:
    """What another library says when its numbers cannot be read as they are."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise RuntimeError("Call detach() first.")


_MASKED = np.ma.masked_equal(np.eye(4), 0.0)
_NOT_FINITE = np.array([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]])

_ATTENTION: list[tuple[dict[str, Any], type, str]] = [
    (
        {"q": np.ones(2)},
        ValueError,
        "The 'q' parameter must have at least 2 dimensions. Got (2,) instead.",
    ),
    (
        {"k": np.ones((1, 4, 2))},
        ValueError,
        "The 'k' parameter must have 2 dimensions, as 'q' has. Got (1, 4, 2) instead.",
    ),
    (
        {"k": np.ones((4, 3))},
        ValueError,
        "The 'k' parameter must have shape (4, 2). Got (4, 3) instead.",
    ),
    (
        {"v": np.ones((3, 5))},
        ValueError,
        "The 'v' parameter must have shape (4, any). Got (3, 5) instead.",
    ),
    (
        {name: np.ones((n, 2, 2)) for name, n in (("q", 3), ("k", 2), ("v", 2))},
        ValueError,
        "The 'q' parameter must have a multiple of the 2 heads of 'k'. Got 3 instead.",
    ),
    (
        {
            "q": np.ones((2, 1, 3, 2)),
            "k": np.ones((3, 1, 4, 2)),
            "v": np.ones((1,) * 4),
        },
        ValueError,
        "The 'k' parameter must have shape (2, any, any, any). "
        "Got (3, 1, 4, 2) instead.",
    ),
    (
        {"q": np.ones((0, 2))},
        ValueError,
        "The 'q' parameter must have dimensions of at least 1 each. "
        "Got shape (0, 2) instead.",
    ),
    (
        {"k": np.ones((2, 0, 4, 2))},
        ValueError,
        "The 'k' parameter must have dimensions of at least 1 each. "
        "Got shape (2, 0, 4, 2) instead.",
    ),
    (
        {"q": _NOT_FINITE},
        ValueError,
        "The 'q' parameter must hold finite numbers. Got nan at [1, 1] instead.",
    ),
    (
        {"q": np.full((3, 2), 1e6), "dtype": np.float16},
        ValueError,
        "The 'q' parameter must hold finite numbers. Got inf at [0, 0] instead.",
    ),
    (
        {"bias": [0.0, np.inf, 0.0, 0.0]},
        ValueError,
        "The 'bias' parameter must hold finite numbers or −inf. "
        "Got inf at [1] instead.",
    ),
    (
        {"q": None},
        TypeError,
        "The 'q' parameter must be an array. Got None instead.",
    ),
    (
        {"q": [[1.0, 2.0], [3.0]]},
        ValueError,
        "The 'q' parameter must be an array. Got rows of different lengths instead.",
    ),
    (
        {"v": [["a", "b"]]},
        TypeError,
        "The 'v' parameter must hold real numbers. Got <U1 instead.",
    ),
    (
        {"v": np.ones((4, 5), complex)},
        TypeError,
        "The 'v' parameter must hold real numbers. Got complex128 instead.",
    ),
    (
        {"v": _MASKED},
        TypeError,
        "The 'v' parameter must be an array that shows all its numbers. "
        "Got a masked array instead; give the mask by itself.",
    ),
    (
        {"mask": _MASKED[:3] == 1},
        TypeError,
        "The 'mask' parameter must be an array that shows all its numbers. "
        "Got a masked array instead; give the mask by itself.",
    ),
    (
        {"k": _Tensor()},
        TypeError,
        "The 'k' parameter must be an array that NumPy can read. "
        "Got _Tensor instead: Call detach() first.",
    ),
    (
        {"mask": np.ones((3, 4))},
        ValueError,
        "The 'mask' parameter must hold True where a query may look and False "
        "elsewhere. Got float64 instead; numbers to add to the scores are a bias.",
    ),
    (
        {"mask": np.ones((3, 4), np.int64)},
        ValueError,
        "The 'mask' parameter must hold True where a query may look and False "
        "elsewhere. Got int64 instead; 'mask == 1' makes True and False of zeros and "
        "ones.",
    ),
    (
        {"mask": np.ones((4, 3), dtype=bool)},
        ValueError,
        "The 'mask' parameter must have a shape that broadcasts to that of the "
        "scores, (3, 4). Got (4, 3) instead.",
    ),
    (
        {"bias": np.ones((2, 3, 4))},
        ValueError,
        "The 'bias' parameter must have a shape that broadcasts to that of the "
        "scores, (3, 4). Got (2, 3, 4) instead.",
    ),
    (
        {"score": "additve"},
        ValueError,
        f"The 'score' must be one of {', '.join(SCORES)}. "
        "Got 'additve' instead. Did you mean 'additive'?",
    ),
    (
        {"normalizer": "softmx"},
        ValueError,
        f"The 'normalizer' must be one of {', '.join(NORMALIZERS)}. "
        "Got 'softmx' instead. Did you mean 'softmax'?",
    ),
    (
        {"normalizer": "sigmoid", "normalizer_options": {"length_bais": True}},
        ValueError,
        "The 'sigmoid option' must be one of temperature, length_bias. "
        "Got 'length_bais' instead. Did you mean 'length_bias'?",
    ),
    (
        {"normalizer_options": {"temperature": 2.0}},
        ValueError,
        "The 'normalizer_options' must not hold the temperature, which is an option "
        "of its own. Got 2.0 instead.",
    ),
    (
        {"normalizer_options": ["length_bias"]},
        TypeError,
        "The 'normalizer_options' parameter must be a mapping of names. "
        "Got list instead.",
    ),
    (
        {"score": "general"},
        ValueError,
        "The 'w' of 'score_weights' must be given with score='general'. "
        "Got none instead.",
    ),
    (
        {"score": "general", "score_weights": {"w": np.ones((2, 3))}},
        ValueError,
        "The 'w' of 'score_weights' must have shape (2, 2). Got (2, 3) instead.",
    ),
    (
        {"score": "general", "score_weights": {"W": np.ones((2, 2))}},
        ValueError,
        "The 'score_weights' must be one of w. Got 'W' instead. Did you mean 'w'?",
    ),
    (
        {"score_weights": {"w": np.ones((2, 2))}},
        ValueError,
        "The 'score_weights' parameter must be None with score='dot'. Got w instead.",
    ),
    (
        {
            "score": "additive",
            "score_weights": {"w_q": np.ones((2, 3)), "w_k": np.ones((2, 3)), "v": [1]},
        },
        ValueError,
        "The 'v' of 'score_weights' must have shape (3,). Got (1,) instead.",
    ),
    (
        {"causal": "yes"},
        TypeError,
        "The 'causal' parameter must be True or False. Got 'yes' instead.",
    ),
    (
        {"scale": "1"},
        TypeError,
        "The 'scale' parameter must be a number. Got '1' instead.",
    ),
    (
        {"scale": np.inf},
        ValueError,
        "The 'scale' must be a finite number. Got inf instead.",
    ),
    (
        {"softcap": 0},
        ValueError,
        "The 'softcap' must be a finite number above 0. Got 0.0 instead.",
    ),
    (
        {"temperature": 0},
        ValueError,
        "The 'temperature' option must be a finite number above 0. Got 0.0 instead.",
    ),
    (
        {"temperature": None},
        TypeError,
        "The 'temperature' parameter must be a number. Got None instead.",
    ),
    (
        {"window": 3},
        ValueError,
        "The 'window' parameter must be (left, right), each an integer or None. "
        "Got 3 instead.",
    ),
    (
        {"window": (-1, -1)},
        ValueError,
        "The 'window' parameter must count at least 0 keys on each side, or None for "
        "all of them. Got (-1, -1) instead.",
    ),
    (
        {"query_offset": 1.5},
        TypeError,
        "The 'query_offset' parameter must be an integer. Got 1.5 instead.",
    ),
    (
        {"query_offset": [1, 2]},
        ValueError,
        "The 'query_offset' parameter must be an integer. Got shape (2,) instead.",
    ),
    (
        {"query_offset": 2**60},
        ValueError,
        "The 'query_offset' parameter must be at most 2^53. "
        "Got 1152921504606846976 instead.",
    ),
    (
        {"key_lengths": -1},
        ValueError,
        "The 'key_lengths' parameter must be an integer of at least 0. Got -1 instead.",
    ),
    (
        {"dtype": np.int64},
        ValueError,
        "The 'dtype' parameter must be float16, float32 or float64. Got int64 instead.",
    ),
    (
        {"dtype": "flaot32"},
        ValueError,
        "The 'dtype' parameter must be float16, float32 or float64. "
        "Got 'flaot32' instead.",
    ),
]


@pytest.mark.parametrize(("changed", "error", "message"), _ATTENTION)
def test_attention_says_what_does_not_fit(changed, error, message) -> None:
    assert _refusal(attention, _Q | changed) == (error, message)


_KNOWN = (
    "The 'option' must be one of scale, mask, bias, causal, window, chunk, "
    "length_scale, softcap, normalizer, temperature, query_offset, key_lengths, score, "
    "score_weights, normalizer_options, qk_norm, qk_norm_weights, sinks, pins, dtype, "
    "n_heads, n_kv_heads, positions, position_ids, relative, context, values, "
    "output_gate."
)

_MULTI_HEAD: list[tuple[dict[str, Any], type, str]] = [
    (
        {"w_k": np.ones((4, 3))},
        ValueError,
        "The 'w_k' parameter must have shape (3, any). Got (4, 3) instead.",
    ),
    (
        {"w_k": np.ones((3, 2))},
        ValueError,
        "The 'w_k' parameter must have shape (3, 4). Got (3, 2) instead.",
    ),
    (
        {"w_v": np.ones(3)},
        ValueError,
        "The 'w_v' parameter must have shape (3, any). Got (3,) instead.",
    ),
    (
        {"w_o": np.ones((3, 2))},
        ValueError,
        "The 'w_o' parameter must have shape (4, any). Got (3, 2) instead.",
    ),
    (
        {"x": np.ones((1, 2, 4, 3))},
        ValueError,
        "The 'x' parameter must have 2 dimensions, or 3 with a batch. "
        "Got (1, 2, 4, 3) instead.",
    ),
    (
        {"x": None},
        TypeError,
        "The 'x' parameter must be an array. Got None instead.",
    ),
    (
        {"w_q": None},
        TypeError,
        "The 'w_q' parameter must be an array. Got None instead.",
    ),
    (
        {"b_q": np.ones(3)},
        ValueError,
        "The 'b_q' parameter must have shape (4,). Got (3,) instead.",
    ),
    (
        {"w_o": None, "b_o": np.ones(2)},
        ValueError,
        "The 'w_o' parameter must be given with 'b_o'. Got none instead.",
    ),
    (
        {"n_heads": 3},
        ValueError,
        "The number of columns of 'w_q' must be divisible by "
        "n_heads = 3. Got 4 columns instead.",
    ),
    (
        {"n_heads": 4, "n_kv_heads": 2, "w_k": np.ones((3, 3))},
        ValueError,
        "The number of columns of 'w_k' must be divisible by "
        "n_kv_heads = 2. Got 3 columns instead.",
    ),
    (
        {"n_heads": 2, "n_kv_heads": 4},
        ValueError,
        "The 'n_heads' must be a multiple of n_kv_heads = 4. Got 2 instead.",
    ),
    (
        {"n_heads": 0},
        ValueError,
        "The 'n_heads' parameter must be an integer of at least 1. Got 0 instead.",
    ),
    (
        {"n_heads": True},
        TypeError,
        "The 'n_heads' parameter must be an integer of at least 1. Got True instead.",
    ),
    (
        {"context": np.ones((2, 5, 3))},
        ValueError,
        "The 'context' parameter must have shape (any, any). Got (2, 5, 3) instead.",
    ),
    (
        {"context": np.ones((5, 2))},
        ValueError,
        "The 'w_k' parameter must have shape (2, any). Got (3, 4) instead.",
    ),
    (
        {"context": np.ones((5, 3)), "values": np.ones((4, 3))},
        ValueError,
        "The 'values' parameter must have shape (5, any). Got (4, 3) instead.",
    ),
    (
        {"positions": "sinusoid"},
        ValueError,
        "The 'positions' must be one of sinusoidal, rope, alibi, relative. "
        "Got 'sinusoid' instead. Did you mean 'sinusoidal'?",
    ),
    (
        {"positions": np.ones((3, 3))},
        ValueError,
        "The 'positions' parameter must have at least 4 rows, one for each token. "
        "Got (3, 3) instead.",
    ),
    (
        {"positions": np.ones((4, 2))},
        ValueError,
        "The 'positions' parameter must have shape (any, 3). Got (4, 2) instead.",
    ),
    (
        {"positions": Rotary},
        TypeError,
        "The 'positions' parameter must be a scheme or a table. "
        "Got the class Rotary instead; write Rotary().",
    ),
    (
        {"positions": Rotary(rotary_dim=3)},
        ValueError,
        "The 'rotary_dim' parameter must be even and at most the width of a head, 4. "
        "Got 3 instead.",
    ),
    (
        {"positions": "rope", "n_heads": 4},
        ValueError,
        "The 'rotary_dim' parameter must be even and at most the width of a head, 1. "
        "Got 1 instead.",
    ),
    (
        {"positions": Rotary(base=-1.0)},
        ValueError,
        "The 'base' parameter must be a positive number. Got -1.0 instead.",
    ),
    (
        {"positions": Rotary(frequencies=(1.0, 0.5, 0.25))},
        ValueError,
        "The 'frequencies' parameter must hold half as many numbers as the 4 "
        "rotated columns. Got 3 instead.",
    ),
    (
        # Queries could turn, but keys are wider.
        {
            **{"positions": Rotary(frequencies=(1.0, 0.5)), "score": "general"},
            **{"w_k": np.ones((3, 6)), "score_weights": {"w": np.ones((4, 6))}},
        },
        ValueError,
        "The 'frequencies' parameter must hold half as many numbers as the 6 "
        "rotated columns. Got 2 instead.",
    ),
    (
        {
            **{"positions": Rotary(), "score": "general", "w_k": np.ones((3, 5))},
            "score_weights": {"w": np.ones((4, 5))},
        },
        ValueError,
        "The 'rotary_dim' parameter must be even and at most the width of a head, 5. "
        "Got 5 instead.",
    ),
    (
        {"positions": Sinusoidal(offset=0.5)},  # type: ignore[arg-type]
        TypeError,
        "The 'offset' parameter must be an integer. Got 0.5 instead.",
    ),
    (
        {"extra_keys": np.ones((1, 4))},
        ValueError,
        "The 'extra_values' parameter must be given with 'extra_keys'. "
        "Got none instead.",
    ),
    (
        {"extra_keys": np.ones((1, 4)), "extra_values": np.ones((2, 4))},
        ValueError,
        "The 'extra_values' parameter must have shape (1, 4). Got (2, 4) instead.",
    ),
    (
        {"extra_keys": np.ones(4), "extra_values": np.ones(4)},
        ValueError,
        "The 'extra_keys' parameter must have shape (any, 4). Got (4,) instead.",
    ),
    (
        {"x": _BATCH, "query_offset": [1, 2, 3]},
        ValueError,
        "The 'query_offset' parameter must be an integer or an array of shape (2,), "
        "one for each batch item. Got shape (3,) instead.",
    ),
    (
        {"x": _BATCH, "key_lengths": [0.5, 1.0]},
        TypeError,
        "The 'key_lengths' parameter must hold integers. Got float64 instead.",
    ),
    (
        {"x": _BATCH, "key_lengths": [1, [2]]},
        ValueError,
        "The 'key_lengths' parameter must be an array. Got rows of different lengths "
        "instead.",
    ),
    (
        {"x": _BATCH, "bias": np.ones((2, 4, 4))},
        ValueError,
        "The 'bias' parameter must have a shape that broadcasts to that of the "
        "scores, (2, 1, 4, 4). Got (2, 4, 4) instead.",
    ),
    (
        {"scail": 1.0},
        ValueError,
        f"{_KNOWN} Got 'scail' instead. Did you mean 'scale'?",
    ),
    (
        {"num_heads": 2},
        ValueError,
        f"{_KNOWN} Got 'num_heads' instead. Did you mean 'n_heads'?",
    ),
]


@pytest.mark.parametrize(("changed", "error", "message"), _MULTI_HEAD)
def test_multi_head_attention_says_what_does_not_fit(changed, error, message) -> None:
    assert _refusal(multi_head_attention, _X | changed) == (error, message)


_eye = np.eye(3)
_ANYTHING: list[Any] = [
    *(None, "", "rope", b"x", [], [[]], {}, (), object(), float, range(3)),
    *(0, 1, 2, -1, 2**70, -(2**70), 10**400, True, 1.5, np.nan, np.inf, -np.inf),
    *(np.int64(2), np.float32(2), np.array(3), np.float16, "float32", np.longdouble),
    *([1, 2], [1, None], [1, [2]], (1, 2), (None, 0), (-1, 0), ("left", 0), [2**70]),
    *([[1, 2], [3]], [["a"]], [[True, False], [True]], {"w": 1}, {1: 2}, {"v": None}),
    {"temperature": 2},
    {"length_bias": 1},
    *(np.ones(shape) for shape in [(), (3,), (0, 3), (2, 3), (3, 2), (1, 3, 3)]),
    *(np.ones((2, 3, 4, 5)), np.ones((3, 3), complex), np.ones((3, 3), bool)),
    *(np.full((3, 3), np.nan), np.array([1, 2], dtype=object), np.datetime64("2020")),
    *(Rotary(rotary_dim=-2), Rotary(base="b"), Rotary(offset=2**70)),  # type: ignore
    *(Rotary(rotary_dim=2.0), Sinusoidal(offset=None), Alibi()),  # type: ignore
    *("cosine", "general", "additive", "sigmoid", _eye, [[1, 0, 0]]),
    *(_Tensor(), np.ma.masked_equal(_eye, 0.0), Rotary),
]
_OPTIONS = [
    *("scale", "mask", "bias", "causal", "window", "softcap", "normalizer"),
    *("temperature", "query_offset", "key_lengths", "score", "score_weights"),
    *("normalizer_options", "dtype"),
]
_ARRAYS = ["q", "k", "v"]
_LAYER = ["x", "w_q", "w_k", "w_v"]
_REST = [
    *("w_o", "b_q", "b_k", "b_v", "b_o", "context", "values", "n_heads", "n_kv_heads"),
    *("positions", "extra_keys", "extra_values", "scail"),
]


@pytest.mark.parametrize(
    ("function", "needed", "others"),
    [
        (attention, _ARRAYS, _OPTIONS),
        (multi_head_attention, _LAYER, _REST + _OPTIONS),
    ],
)
@settings(max_examples=150)
@given(st.data())
def test_whatever_is_given_works_or_is_refused_in_our_words(
    function, needed, others, data
) -> None:
    names = data.draw(
        st.lists(st.sampled_from(needed + others), max_size=3, unique=True)
    )
    changed = {name: data.draw(st.sampled_from(_ANYTHING)) for name in names}
    try:
        function(**dict.fromkeys(needed, _eye) | changed)
    except (ValueError, TypeError) as error:
        message = str(error)
        assert message.startswith("The ")
        assert " must " in message
        assert "Got " in message
