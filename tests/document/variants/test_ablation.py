"""A head that is switched off, or set to its mean, against sums worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import NORMALIZERS, Sinusoidal, Spec, run
from attnviewer.document import Document, EditError, Replace, SetCells
from attnviewer.document.variants.ablation import ablation, is_ablated
from tests.documents import four_words, state_of
from tests.documents import given as given_document

TOKENS = ["a", "b"]
CAUSAL_PAIR = {
    "X": [[1, 0], [0, 1]],
    "W_Q": np.zeros((2, 2)),
    "W_K": np.zeros((2, 2)),
    "W_V": [[2, 4], [6, 8]],
    "W_O": [[1, 10], [100, 1000]],
    "b_O": [0.5, 0.25],
    "b_V": [0, 0],
}
"""Query a sees itself, query b both alike: H0 finds 2 and 4, H1 finds 4 and 6."""


def pair(**spec) -> Document:
    chosen = Spec(n_heads=2, causal=True, **spec)
    return Document("Pair", TOKENS, CAUSAL_PAIR, chosen)


def edit(document, head, how):
    return ablation(document, head, how, document.compute(), "Ablate")


def output_after(document, head, how):
    document.apply(edit(document, head, how))
    return document.compute()["output"]


@pytest.mark.parametrize(
    ("head", "how", "expected"),
    [
        (1, "off", [[2, 20], [4, 40]]),
        (0, "off", [[400, 4000], [600, 6000]]),
        (1, "mean", [[2 + 500, 20 + 5000], [4 + 500, 40 + 5000]]),
        (0, "mean", [[3 + 400, 30 + 4000], [3 + 600, 30 + 6000]]),
    ],
)
def test_with_w_o_the_output_is_what_the_others_and_the_constant_give(
    head, how, expected
) -> None:
    document = pair(output_projection=True)
    np.testing.assert_array_equal(output_after(document, head, how), expected)


def test_a_bias_of_the_output_stays_below_the_mean() -> None:
    document = pair(output_projection=True, biases=("b_O",))
    expected = [[502.5, 5020.25], [504.5, 5040.25]]
    np.testing.assert_array_equal(output_after(document, 1, "mean"), expected)


def test_a_bias_that_is_kept_but_not_used_does_not_come_in() -> None:
    document = pair(output_projection=True)
    document.apply(edit(document, 1, "mean"))
    assert document.spec.biases == ("b_O",)
    assert document.matrix("b_O").tolist() == [[500, 5000]]


@pytest.mark.parametrize(
    ("how", "expected"),
    [("off", [[2, 0], [4, 0]]), ("mean", [[2, 5], [4, 5]])],
)
@pytest.mark.parametrize("biases", [(), ("b_V",), ("b_Q", "b_V")])
def test_without_w_o_the_head_gives_the_constant_itself(how, expected, biases) -> None:
    matrices = {**CAUSAL_PAIR, "b_Q": [0, 0]}
    spec = Spec(n_heads=2, causal=True, biases=biases)
    document = Document("Pair", TOKENS, matrices, spec)
    np.testing.assert_array_equal(output_after(document, 1, how), expected)


def test_a_bias_of_the_values_that_is_kept_leaves_the_other_heads_alone() -> None:
    matrices = {**CAUSAL_PAIR, "b_V": [7, 9]}
    document = Document("Pair", TOKENS, matrices, Spec(n_heads=2, causal=True))
    expected = [[2, 5], [4, 5]]
    np.testing.assert_array_equal(output_after(document, 1, "mean"), expected)


@pytest.mark.parametrize("how", ["off", "mean"])
def test_values_that_are_appended_are_the_constant_as_well(how) -> None:
    extra = {"extra_keys": [[1.0, 2.0]], "extra_values": [[30.0, 40.0]]}
    spec = Spec(n_heads=2, causal=True, extra_rows=True)
    document = Document("Pair", TOKENS, {**CAUSAL_PAIR, **extra}, spec)
    # Query a sees itself and the extra row, query b all three.
    found = np.array([[16, 22], [38 / 3, 52 / 3]])
    constant = found[:, 1].mean() if how == "mean" else 0
    expected = np.stack([found[:, 0], [constant] * 2], axis=1)
    np.testing.assert_allclose(output_after(document, 1, how), expected, rtol=1e-14)


@pytest.mark.parametrize("how", ["off", "mean"])
def test_a_single_head_that_is_projected_can_be_ablated(how) -> None:
    before = four_words().compute()["output"]  # (4, 3)
    expected = np.broadcast_to(before.mean(axis=0), (4, 3)) * (how == "mean")
    document = four_words()
    np.testing.assert_allclose(output_after(document, 0, how), expected, rtol=1e-14)
    assert is_ablated(document.compute(), 0)


def softmax_heads(matrices, spec) -> list[np.ndarray]:
    """softmax(Q Kᵀ / √d_k + causal) V for each head, as in PyTorch's documentation."""
    x = matrices["X"]
    q, k, v = (
        x @ matrices[f"W_{s}"] + (matrices[f"b_{s}"] if f"b_{s}" in spec.biases else 0)
        for s in "QKV"
    )
    d_k, d_v = q.shape[1] // spec.n_heads, v.shape[1] // spec.kv_heads
    hidden = np.triu(np.ones((len(x), len(x)), bool), 1) & spec.causal
    heads = []
    for head in range(spec.n_heads):
        mine = head // (spec.n_heads // spec.kv_heads)
        scores = q[:, head * d_k : (head + 1) * d_k]
        scores = scores @ k[:, mine * d_k : (mine + 1) * d_k].T / math.sqrt(d_k)
        weights = np.exp(scores) * ~hidden
        weights /= weights.sum(axis=1, keepdims=True)
        heads.append(weights @ v[:, mine * d_v : (mine + 1) * d_v])
    return heads


@st.composite
def documents(draw):
    """Documents with or without shared values, W_O and biases."""
    with_w_o = draw(st.booleans())
    kv_heads, group = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    group = group if with_w_o else 1
    n, d_model, d_k, d_v, d_out = (draw(st.integers(1, 4)) for _ in range(5))
    heads = kv_heads * group
    possible = ["b_Q", "b_K", "b_V", *(["b_O"] if with_w_o else [])]
    biases = tuple(name for name in possible if draw(st.booleans()))
    shapes = {
        **{"X": (n, d_model), "W_Q": (d_model, heads * d_k), "b_Q": (1, heads * d_k)},
        **{"W_K": (d_model, kv_heads * d_k), "b_K": (1, kv_heads * d_k)},
        **{"W_V": (d_model, kv_heads * d_v), "b_V": (1, kv_heads * d_v)},
        **{"W_O": (heads * d_v, d_out), "b_O": (1, d_out)},
    }
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    spec = Spec(
        n_heads=heads,
        n_kv_heads=kv_heads,
        biases=biases,
        output_projection=with_w_o,
        causal=draw(st.booleans()),
    )
    return Document("Any", map(str, range(n)), matrices, spec)


@given(documents(), st.data())
def test_any_head_gives_its_constant_and_undo_brings_back_every_bit(
    document, data
) -> None:
    spec, matrices = document.spec, dict(document.matrices)
    head = data.draw(st.integers(0, spec.n_heads - 1))
    how = data.draw(st.sampled_from(["off", "mean"]))
    heads = softmax_heads(matrices, spec)
    heads[head] = heads[head].mean(axis=0) * (how == "mean") + 0 * heads[head]
    expected = np.concatenate(heads, axis=1)
    if spec.output_projection:
        b_o = matrices["b_O"] if "b_O" in spec.biases else 0
        expected = expected @ matrices["W_O"] + b_o
    before = state_of(document)
    assert not is_ablated(document.compute(), head)
    inverse = document.apply(edit(document, head, how))
    trace = document.compute()
    np.testing.assert_allclose(trace["output"], expected, rtol=1e-9, atol=1e-12)
    ablated = [is_ablated(trace, other) for other in range(spec.n_heads)]
    assert ablated == [other == head for other in range(spec.n_heads)]
    document.apply(inverse)
    assert state_of(document) == before


@pytest.mark.parametrize("w_o", [False, True])
def test_what_the_head_attends_to_stays(w_o) -> None:
    document = pair(output_projection=w_o)
    before = document.compute()["weights"]
    document.apply(edit(document, 1, "mean"))
    np.testing.assert_array_equal(document.compute()["weights"], before)


def test_switching_off_writes_cells_alone() -> None:
    for w_o, matrix in ((True, "W_O"), (False, "W_V")):
        written = edit(pair(output_projection=w_o), 1, "off")
        assert isinstance(written, SetCells)
        assert (written.label, written.matrix) == ("Ablate", matrix)
    assert isinstance(edit(pair(), 1, "mean"), Replace)


def test_a_mean_of_steps_in_single_precision_is_taken_in_double() -> None:
    document = pair(output_projection=True)
    single = {n: a.astype(np.float32) for n, a in document.inputs().items()}
    document.apply(ablation(document, 1, "mean", run(document.spec, single), "Set"))
    assert document.matrix("b_O").tolist() == [[500, 5000]]


def refusal(document, head=0, how="mean") -> str:
    before = state_of(document)
    with pytest.raises(EditError) as refused:
        edit(document, head, how)
    assert state_of(document) == before
    return str(refused.value)


def test_documents_without_weights_are_refused() -> None:
    simplified = Document("S", TOKENS, {"X": np.eye(2)}, Spec(projected=False))
    for document in (simplified, given_document()):
        assert refusal(document).startswith("The 'head' must be one that weights make")
        assert not is_ablated(document.compute(), 0)


@pytest.mark.parametrize("head", [-1, 2])
def test_a_head_that_is_not_there_is_refused(head) -> None:
    expected = f"The 'head' must be from 0 to 1. Got {head} instead."
    assert refusal(pair(), head) == expected


@pytest.mark.parametrize("how", ["off", "mean"])
def test_heads_that_share_their_values_need_w_o(how) -> None:
    generator = np.random.default_rng(0)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    document = Document("GQA", "abc", matrices, Spec(n_heads=4, n_kv_heads=2))
    assert refusal(document, 2, how) == (
        "The 'head' must have values of its own where no W_O follows. Got H2, which "
        "shares them with H3, instead."
    )


@pytest.mark.parametrize("name", NORMALIZERS)
def test_without_w_o_the_mean_passes_just_where_weights_average(name) -> None:
    matrices = {**CAUSAL_PAIR, "W_Q": [[1, 2], [3, 1]], "W_K": [[1, 3], [2, 0.5]]}
    spec = Spec(n_heads=2, normalizer=name)
    document = Document("Pair", TOKENS, matrices, spec)
    if NORMALIZERS[name].convex:
        mean = document.compute()["output"][:, 1].mean()
        after = output_after(document, 1, "mean")
        np.testing.assert_allclose(after[:, 1], mean, rtol=1e-14)
    else:
        assert f"Got {NORMALIZERS[name].title} instead." in refusal(document, 1)
    np.testing.assert_array_equal(output_after(document, 0, "off")[:, 0], 0)


@pytest.mark.parametrize("name", NORMALIZERS)
def test_with_w_o_every_normalizer_gives_the_mean(name) -> None:
    spec = Spec(n_heads=2, normalizer=name, output_projection=True)
    matrices = {**CAUSAL_PAIR, "W_Q": [[1, 2], [3, 1]], "W_K": [[1, 3], [2, 0.5]]}
    document = Document("Pair", TOKENS, matrices, spec)
    found = document.compute()["heads"]
    expected = found[0] * [1, 10] + found[1].mean() * np.array([100, 1000])
    after = output_after(document, 1, "mean")
    np.testing.assert_allclose(after, expected, rtol=1e-13)


def blind_pair(**spec) -> Document:
    """Query a sees no key."""
    matrices = {**CAUSAL_PAIR, "mask": np.array([[False, False], [True, True]])}
    return Document("Blind", TOKENS, matrices, Spec(n_heads=2, mask=True, **spec))


def test_without_w_o_no_mean_reaches_a_query_that_sees_no_key() -> None:
    assert refusal(blind_pair()) == (
        "The 'head' must see a key from every query for the mean to pass where no W_O "
        "follows. Got none from query 0 instead."
    )
    after = output_after(blind_pair(output_projection=True), 1, "mean")
    # H1 finds 0 and 6; H0 finds 0 and 4.
    assert after.tolist() == [[300, 3000], [304, 3040]]
    assert output_after(blind_pair(), 0, "off").tolist() == [[0, 0], [0, 6]]


@pytest.mark.parametrize("blind", [1, 4])
def test_one_blind_query_is_told_from_others_that_find_zero(blind) -> None:
    x = np.eye(5, 2)
    x[2:] = 0
    mask = np.eye(5, dtype=bool)
    mask[blind] = False
    matrices = {**CAUSAL_PAIR, "X": x, "mask": mask}
    document = Document("Zeros", "abcde", matrices, Spec(n_heads=2, mask=True))
    assert refusal(document).endswith(f"Got none from query {blind} instead.")


def test_a_query_that_finds_zero_but_sees_keys_gets_the_mean() -> None:
    matrices = {**CAUSAL_PAIR, "X": [[0, 0], [0, 1]]}
    document = Document("Zero", TOKENS, matrices, Spec(n_heads=2, causal=True))
    # H1 finds 0 and (0 + 8) / 2.
    assert output_after(document, 1, "mean").tolist() == [[0, 2], [3, 2]]


def test_a_head_that_is_undefined_for_a_query_is_refused() -> None:
    spec = Spec(n_heads=2, normalizer="sum", output_projection=True)
    document = Document("Undefined", TOKENS, CAUSAL_PAIR, spec)
    for how in ("off", "mean"):
        assert refusal(document, 0, how) == (
            "The 'head' must have finite numbers for every query. Got others for query "
            "0 instead."
        )


def test_a_mean_too_large_for_the_bias_is_refused_by_the_document() -> None:
    matrices = {**CAUSAL_PAIR, "W_O": np.full((2, 2), 1e308)}
    spec = Spec(n_heads=2, causal=True, output_projection=True)
    document = Document("Large", TOKENS, matrices, spec)
    with np.errstate(over="ignore"):
        trace = document.compute()
    with pytest.raises(EditError, match="b_O"):
        document.apply(ablation(document, 1, "mean", trace, "Set"))


def test_places_that_are_added_to_x_are_switched_off_as_well() -> None:
    document = pair()
    document.apply(
        Replace("Add places", spec=replace(document.spec, positions=Sinusoidal()))
    )
    np.testing.assert_array_equal(output_after(document, 1, "off")[:, 1], 0)


def test_heads_that_share_values_of_zero_are_ablated_together() -> None:
    generator = np.random.default_rng(0)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    matrices["W_V"][:, 2:] = 0
    document = Document("GQA", "abc", matrices, Spec(n_heads=4, n_kv_heads=2))
    trace = document.compute()
    assert [is_ablated(trace, head) for head in range(4)] == [False, False, True, True]


# Behind a gate

GATES = {"W_G": np.full((2, 2), math.log(3))}
"""σ(ln 3) = 3/4: what the heads find is multiplied by it."""


def gated(**spec) -> Document:
    chosen = Spec(n_heads=2, causal=True, output_gate="headwise", **spec)
    return Document("Gated", TOKENS, CAUSAL_PAIR | GATES, chosen)


def test_the_mean_of_a_gated_head_is_that_of_what_passes_its_gate() -> None:
    found = output_after(gated(output_projection=True), 1, "mean")
    # H0 passes 3/4 of 2 and 4, H1 3/4 of 4 and 6, of which the mean is 3.75.
    np.testing.assert_allclose(found, [[1.5 + 375, 15 + 3750], [3 + 375, 30 + 3750]])


def test_without_w_o_a_gated_head_can_be_off_but_not_its_mean() -> None:
    with pytest.raises(EditError, match="'output_gate' must be None for the mean to"):
        edit(gated(), 0, "mean")
    document = gated()
    assert output_after(document, 0, "off")[:, 0].tolist() == [0, 0]
    assert is_ablated(document.compute(), 0)
