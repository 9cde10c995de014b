"""From a computation back to a document."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer import attention, multi_head_attention
from attnviewer.compute import Alibi, Pin, QKNorm, RelativeBias, Rotary, Spec, run
from attnviewer.document.from_trace import document_of
from tests.documents import state_of

_RNG = np.random.default_rng(7)
X, CONTEXT = _RNG.standard_normal((5, 4)), _RNG.standard_normal((3, 6))
W, W_KV = _RNG.standard_normal((4, 4)), _RNG.standard_normal((6, 2))


def _same(document, expected: np.ndarray) -> None:
    np.testing.assert_allclose(document.compute()["output"], expected, rtol=1e-12)


def test_a_layer_comes_back_with_all_its_inputs() -> None:
    trace = multi_head_attention(
        *(X, W, W, W, W),
        b_q=np.arange(4.0),
        b_o=np.ones(4),
        n_heads=2,
        positions=Rotary(base=500.0),
        mask=np.tri(5, dtype=bool),
        bias=np.arange(5.0),
        softcap=3.0,
    )
    document = document_of(trace, tokens=["a", "b", "c", "d", "e"], title="A layer")
    assert document.title == "A layer"
    assert document.tokens == ("a", "b", "c", "d", "e")
    assert document.matrix("b_Q").tolist() == [[0, 1, 2, 3]]
    assert document.matrix("bias")[3].tolist() == [0, 1, 2, 3, 4]
    assert document.matrix("mask").dtype == np.bool_
    _same(document, trace["output"])


def test_one_head_has_no_axis_in_a_document() -> None:
    document = document_of(multi_head_attention(X, W, W, W))
    assert document.compute()["weights"].shape == (5, 5)
    assert document.tokens[:2] == ("token 0", "token 1")


def test_a_second_sequence_keeps_its_tokens() -> None:
    trace = multi_head_attention(
        X, W, W_KV, W_KV, context=CONTEXT, n_heads=2, n_kv_heads=1
    )
    document = document_of(trace, context_tokens=["x", "y", "z"])
    assert document.context_tokens == ("x", "y", "z")
    assert document.labels.keys == ("x", "y", "z")
    _same(document, trace["output"])


def test_one_item_of_a_batch_is_chosen() -> None:
    x = np.stack([X, X[::-1]])
    mask = np.array([[0, 1, 1, 1, 1], [1, 1, 0, 1, 1]], dtype=bool)[:, None, None]
    trace = multi_head_attention(x, W, W, W, n_heads=2, mask=mask, key_lengths=[5, 4])
    document = document_of(trace, batch=1)
    assert document.matrix("X").tolist() == X[::-1].tolist()
    assert document.matrix("mask")[0].tolist() == [True, True, False, True, True]
    assert document.spec.key_lengths == 4
    _same(document, trace["output"][1])


def test_the_only_item_of_a_batch_needs_no_choice() -> None:
    trace = multi_head_attention(X[None], W, W, W)
    _same(document_of(trace), trace["output"][0])


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({}, "must be given, 1 numbers below \\(2,\\)"),
        ({"batch": 2}, "'batch' parameter must be from 0 to 1. Got 2"),
        ({"batch": (0, 0)}, "'batch' parameter must be given"),
        ({"batch": 0, "head": 0}, "'head' parameter must be None"),
        ({"batch": 0, "tokens": ["a"]}, "'tokens' must be as many"),
    ],
)
def test_a_choice_that_does_not_fit_is_refused(choice, reason) -> None:
    trace = multi_head_attention(np.stack([X, X]), W, W, W, n_heads=2)
    with pytest.raises(ValueError, match=reason):
        document_of(trace, **choice)


def test_a_sentence_is_no_list_of_tokens() -> None:
    trace = multi_head_attention(X, W, W, W)
    with pytest.raises(TypeError, match="must be a list of texts"):
        document_of(trace, tokens="abcde")


def test_masks_that_heads_do_not_share_are_refused() -> None:
    mask = np.ones((2, 5, 5), dtype=bool)
    shared = multi_head_attention(X, W, W, W, n_heads=2, mask=mask)
    assert document_of(shared).matrix("mask").all()
    mask[1, 0, 0] = False
    trace = multi_head_attention(X, W, W, W, n_heads=2, mask=mask)
    with pytest.raises(ValueError, match="'mask' must be the same for all heads"):
        document_of(trace)


def test_values_of_another_sequence_are_refused() -> None:
    trace = multi_head_attention(X, W, W, W, values=X)
    with pytest.raises(ValueError, match="'values' must be None in a document"):
        document_of(trace)


def test_extra_keys_stay() -> None:
    extra = np.ones((2, 4))
    trace = multi_head_attention(X, W, W, W, extra_keys=extra, extra_values=extra)
    _same(document_of(trace), trace["output"])


def test_other_scores_keep_their_weights() -> None:
    weights = {"w_q": np.ones((4, 2)), "w_k": np.eye(4)[:, :2], "v": np.ones(2)}
    trace = multi_head_attention(X, W, W, W, score="additive", score_weights=weights)
    document = document_of(trace)
    _same(document, trace["output"])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"score": "cosine", "scale": 3.0, "causal": True},
        {"score": "general", "score_weights": {"w": np.array([[1.0, 2], [3, -1]])}},
        {"bias": np.arange(30.0).reshape(5, 6) / 9, "softcap": 2.0},
        {"sinks": [0.5, -1.0, 2.0, 0.25], "temperature": 2.0},
    ],
)
def test_all_heads_of_given_queries_keys_and_values_come_back(options) -> None:
    q, k = _RNG.standard_normal((4, 5, 2)), _RNG.standard_normal((2, 6, 2))
    v = _RNG.standard_normal((2, 6, 3))
    trace = attention(q, k, v, **options)
    document = document_of(trace)
    assert document.matrix("Q")[:, 6:].tolist() == q[3].tolist()
    assert document.matrix("V")[:, 3:].tolist() == v[1].tolist()
    again = document.compute()
    assert again["weights"].tobytes() == trace["weights"].tobytes()
    assert again["heads"].tobytes() == trace["output"].tobytes()
    assert again["output"][:, 9:].tolist() == trace["output"][3].tolist()
    assert state_of(document_of(again)) == state_of(document)
    alone = document_of(again, head=2).compute()
    assert alone["weights"].tobytes() == trace["weights"][2].tobytes()


def test_a_head_that_is_not_there_is_refused() -> None:
    q, k = _RNG.standard_normal((4, 5, 2)), _RNG.standard_normal((2, 5, 2))
    with pytest.raises(ValueError, match="must be from 0 to 3"):
        document_of(attention(q, k, k), head=4)


def test_one_head_of_one_item_of_given_queries_is_chosen() -> None:
    q = _RNG.standard_normal((2, 4, 5, 3))
    k, v = _RNG.standard_normal((2, 2, 6, 3)), _RNG.standard_normal((2, 2, 6, 4))
    trace = attention(
        q, k, v, query_offset=[0, 1], causal=True, bias=np.ones((4, 1, 6))
    )
    document = document_of(trace, batch=1, head=3, context_tokens=list("uvwxyz"))
    assert document.matrix("Q").tolist() == q[1, 3].tolist()
    assert document.matrix("K").tolist() == k[1, 1].tolist()  # shared by two heads
    assert document.labels.keys == tuple("uvwxyz")
    assert document.spec.query_offset == 1
    _same(document, trace["output"][1, 3])


def test_keys_of_the_same_tokens_need_no_names_of_their_own() -> None:
    trace = attention(X, X, X)
    document = document_of(trace, tokens=list("abcde"))
    assert document.labels.keys == tuple("abcde")
    assert document_of(attention(X, X[:3], X[:3])).labels.keys[2] == "token 2"


def test_pins_of_given_heads_act_on_the_same_heads_in_a_document() -> None:
    q, k = _RNG.standard_normal((4, 5, 2)), _RNG.standard_normal((2, 6, 2))
    pins = [
        Pin("weights", 0, 1, 0.5, head=0),
        Pin("weights", 2, 1, 0.75, head=3),
        Pin("output", 1, 0, 5.0),
        Pin("output", 2, 1, 5.0, head=3),
    ]
    trace = attention(q, k, k, pins=pins)
    whole = document_of(trace)
    _same(whole, np.concatenate(list(trace["output"]), axis=-1))
    for head in (0, 3):
        _same(document_of(trace, head=head), trace["output"][head])
    joined = replace(whole.spec, pins=(Pin("output", 0, 0, 1.0),))
    trace = run(joined, whole.inputs())
    with pytest.raises(ValueError, match="pins are on the output of all heads"):
        document_of(trace, head=1)


def test_a_head_takes_its_own_columns_along_or_is_refused_alone() -> None:
    q, k = _RNG.standard_normal((4, 5, 2)), _RNG.standard_normal((2, 5, 2))
    spec = Spec(
        projected=False,
        given=True,
        n_heads=4,
        n_kv_heads=2,
        positions=RelativeBias(4, 5),
        qk_norm=QKNorm(),
    )
    inputs = {"Q": q, "K": k, "V": k, "relative_bias": _RNG.standard_normal((4, 4))}
    inputs |= {"gain_Q": _RNG.standard_normal(8), "gain_K": _RNG.standard_normal(4)}
    trace = run(spec, inputs)
    _same(document_of(trace, head=2), trace["output"][2])
    for change, reason in (
        ({"positions": Alibi()}, "its slope in ALiBi follows"),
        ({"qk_norm": QKNorm(full_width=True)}, "share in the RMS norm over all heads"),
    ):
        trace = run(replace(spec, **change), inputs)
        with pytest.raises(ValueError, match=reason):
            document_of(trace, head=2)
