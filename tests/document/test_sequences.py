"""Tokens come, go and move; everything with a place for each of them follows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec
from attnviewer.document import Document, Draw, EditError, Recipe, Replace
from attnviewer.document.drawing.distributions import Uniform
from attnviewer.document.rearranging import matched
from attnviewer.document.sequences import (
    duplicate_tokens,
    grown,
    insert_tokens,
    move_tokens,
    next_names,
    remove_tokens,
    rename_token,
    set_sentence,
)

INF = float("inf")


def self_attention(**spec):
    """Three tokens, whose bias and mask tell rows and columns apart."""
    return Document(
        "",
        ["a", "b", "c"],
        {
            "X": [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]],
            "P": [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]],
            "bias": [[11.0, 12.0, -INF], [21.0, 22.0, 23.0], [31.0, 32.0, 33.0]],
            "mask": [[True, False, True], [True, True, True], [False, True, True]],
        },
        Spec(projected=False, bias=True, mask=True, **spec),
    )


def cross_attention(**spec):
    return Document(
        "",
        ["a", "b"],
        {
            "X": [[1.0, 0.0], [0.0, 1.0]],
            "context": [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
            "P": [[1.0, 1.0], [2.0, 2.0]],
            "bias": [[11.0, 12.0, 13.0], [21.0, 22.0, 23.0]],
            "mask": [[True, False, True], [True, True, False]],
        },
        Spec(projected=False, context=True, bias=True, mask=True, **spec),
        context_tokens=["x", "y", "z"],
    )


def state(document):
    matrices = {n: (a.shape, a.tobytes()) for n, a in document.matrices.items()}
    return document.tokens, document.context_tokens, document.spec, matrices


def values(document, name):
    return document.matrix(name).tolist()


# ----------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("tokens", "names"),
    [
        (["word 1", "word 2", "word 3", "word 4"], ("word 5", "word 6")),
        (["word 9", "cat", "word 2"], ("word 10", "word 11")),
        (["the", "cat", "sat"], ("token 3", "token 4")),
        (["the", "cat", "sat", "token 3"], ("token 4", "token 5")),
        (["x_0", "x_1"], ("x_2", "x_3")),
        (["1984", "GPT-2"], ("token 2", "token 3")),
        (["word 12345678901234567890"], ("token 1", "token 2")),
    ],
)
def test_new_tokens_go_on_counting_where_the_tokens_do(tokens, names):
    assert next_names(tokens, 2) == names


# ------------------------------------------------------------- self-attention


def test_an_inserted_token_is_visible_has_no_bias_and_brings_its_row():
    document = self_attention()
    row = np.array([[8.0, 9.0]])
    document.apply(insert_tokens(document, "X", 1, ["new"], row, "Add"))
    assert document.tokens == ("a", "new", "b", "c")
    assert values(document, "X") == [[0, 1], [8, 9], [2, 3], [4, 5]]
    assert values(document, "bias") == [
        [11, 0, 12, -INF],
        [0, 0, 0, 0],
        [21, 0, 22, 23],
        [31, 0, 32, 33],
    ]
    assert values(document, "mask") == [
        [True, True, False, True],
        [True, True, True, True],
        [True, True, True, True],
        [False, True, True, True],
    ]
    # Places stay where they are: the table grows at its end.
    assert values(document, "P") == [[1, 1], [2, 2], [3, 3], [0, 0]]


def test_growing_appends():
    document = self_attention()
    edit = grown(document, "X", ["d", "e"], np.ones((2, 2)), "Paste")
    document.apply(edit)
    assert edit.label == "Paste"
    assert document.tokens == ("a", "b", "c", "d", "e")
    assert values(document, "X")[3:] == [[1, 1], [1, 1]]
    assert values(document, "bias")[0] == [11, 12, -INF, 0, 0]


def test_removed_tokens_take_their_rows_and_columns_and_no_places():
    document = self_attention()
    document.apply(remove_tokens(document, "X", 0, 2, "Remove"))
    assert document.tokens == ("c",)
    assert values(document, "X") == [[4, 5]]
    assert values(document, "bias") == [[33]]
    assert values(document, "mask") == [[True]]
    assert len(values(document, "P")) == 3


def test_copies_see_and_are_seen_as_their_originals_are():
    document = self_attention()
    document.apply(duplicate_tokens(document, "X", 0, 1, "Duplicate"))
    assert document.tokens == ("a", "a (2)", "b", "c")
    assert values(document, "X")[:2] == [[0, 1], [0, 1]]
    assert values(document, "bias") == [
        [11, 11, 12, -INF],
        [11, 11, 12, -INF],
        [21, 21, 22, 23],
        [31, 31, 32, 33],
    ]
    assert values(document, "mask")[3] == [False, False, True, True]


def test_copies_of_several_tokens_come_after_the_last_of_them():
    document = self_attention()
    document.apply(duplicate_tokens(document, "X", 0, 2, "Duplicate"))
    assert document.tokens == ("a", "b", "a (2)", "b (2)", "c")
    document.apply(duplicate_tokens(document, "X", 2, 1, "Duplicate"))
    assert document.tokens == ("a", "b", "a (2)", "a (3)", "b (2)", "c")


@pytest.mark.parametrize(
    ("start", "count", "to", "tokens"),
    [
        (0, 1, 1, ("b", "a", "c")),
        (0, 1, 2, ("b", "c", "a")),
        (2, 1, 0, ("c", "a", "b")),
        (1, 2, 0, ("b", "c", "a")),
        (1, 1, 1, ("a", "b", "c")),
    ],
)
def test_moved_tokens_begin_where_they_were_sent(start, count, to, tokens):
    document = self_attention()
    document.apply(move_tokens(document, "X", start, count, to, "Move"))
    assert document.tokens == tokens


def test_rows_and_columns_move_with_their_tokens():
    document = self_attention()
    document.apply(move_tokens(document, "X", 0, 1, 2, "Move"))
    assert values(document, "X") == [[2, 3], [4, 5], [0, 1]]
    assert values(document, "bias") == [[22, 23, 21], [32, 33, 31], [12, -INF, 11]]
    assert values(document, "mask") == [
        [True, True, True],
        [True, True, False],
        [False, True, True],
    ]


def test_a_renamed_token_keeps_its_numbers():
    document = self_attention()
    before = state(document)
    inverse = document.apply(rename_token(document, "X", 1, "cat", "Rename"))
    assert document.tokens == ("a", "cat", "c")
    document.apply(inverse)
    assert state(document) == before


def test_tokens_that_stay_in_a_sentence_keep_bias_and_mask():
    document = self_attention()
    rows = np.arange(8.0).reshape(4, 2)
    document.apply(set_sentence(document, "X", ["c", "d", "a", "c"], rows, "Sentence"))
    assert document.tokens == ("c", "d", "a", "c")
    assert values(document, "X") == rows.tolist()
    assert values(document, "bias") == [
        [33, 0, 31, 0],
        [0, 0, 0, 0],
        [-INF, 0, 11, 0],
        [0, 0, 0, 0],
    ]


def test_equal_tokens_are_matched_in_their_order():
    assert matched(["a", "b", "a"], ["a", "a", "a", "c", "b"]).tolist() == [
        *(0, 2, -1, -1, 1)
    ]


def test_a_bias_that_does_not_fit_is_left_alone():
    x = {"X": np.ones((3, 2)), "bias": np.ones((2, 2)), "mask": np.ones((3, 2), bool)}
    document = Document("", "abc", x, Spec(projected=False))
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert document.matrix("bias").shape == (2, 2)
    assert document.matrix("mask").shape == (3, 2)


def test_a_bias_that_is_not_used_now_follows_too():
    document = self_attention()
    document = Document("", document.tokens, document.matrices, Spec(projected=False))
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert values(document, "bias") == [[22, 23], [32, 33]]


def test_numbers_of_keys_that_are_not_padding_fall_with_the_keys():
    document = self_attention(key_lengths=2, query_offset=1)
    inverse = document.apply(remove_tokens(document, "X", 0, 2, "Remove"))
    assert document.spec.key_lengths == 1
    assert document.spec.query_offset == 1
    document.apply(inverse)
    assert document.spec.key_lengths == 2
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert document.spec.key_lengths == 2


def test_a_sentence_forgets_how_its_embeddings_were_drawn_before():
    first, second, other = (
        Recipe(seed, (Draw((3, 2), Uniform(), name),))
        for seed, name in ((1, "X"), (2, "X"), (3, "P"))
    )
    document = self_attention()
    document.apply(Replace("Draw", recipes=(first, other)))
    rows = np.ones((3, 2))
    inverse = document.apply(set_sentence(document, "X", "abd", rows, "", second))
    assert document.recipes == (other, second)
    document.apply(inverse)
    assert document.recipes == (first, other)


# ------------------------------------------------------------ cross-attention


def test_queries_have_the_rows_and_keys_the_columns():
    document = cross_attention(key_lengths=3)
    document.apply(move_tokens(document, "X", 0, 1, 1, "Move"))
    assert values(document, "bias") == [[21, 22, 23], [11, 12, 13]]
    assert document.context_tokens == ("x", "y", "z")
    # The places are those of the queries.
    longer = grown(document, "X", ["c"], np.ones((1, 2)), "Paste").matrices
    assert longer["P"].tolist() == [[1, 1], [2, 2], [0, 0]]
    assert "P" not in grown(document, "context", ["w"], np.ones((1, 2)), "").matrices
    document.apply(remove_tokens(document, "context", 1, 1, "Remove"))
    assert document.context_tokens == ("x", "z")
    assert document.tokens == ("b", "a")
    assert values(document, "context") == [[1, 2], [5, 6]]
    assert values(document, "bias") == [[21, 23], [11, 13]]
    assert values(document, "mask") == [[True, False], [True, True]]
    assert document.spec.key_lengths == 2
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert document.spec.key_lengths == 2
    document.apply(rename_token(document, "context", 0, "X", "Rename"))
    assert document.context_tokens == ("X", "z")


# ------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda d: remove_tokens(d, "X", 0, 3, ""),
            "All tokens together cannot be removed: a sequence needs at least one.",
        ),
        (
            lambda d: remove_tokens(d, "X", 2, 2, ""),
            "The tokens must lie among the 3 of the sequence. Got 2 from 2 on instead.",
        ),
        (
            lambda d: duplicate_tokens(d, "X", -1, 1, ""),
            "The tokens must lie among the 3 of the sequence. Got 1 from -1 on "
            "instead.",
        ),
        (
            lambda d: move_tokens(d, "X", 1, 2, 2, ""),
            "The 'to' must be from 0 to 1. Got 2 instead.",
        ),
        (
            lambda d: insert_tokens(d, "X", 4, ["d"], np.ones((1, 2)), ""),
            "The 'at' must be from 0 to 3. Got 4 instead.",
        ),
        (
            lambda d: grown(d, "X", ["d"], np.ones((1, 3)), ""),
            "The 'rows' must have one row for each new token, (1, 2). Got (1, 3) "
            "instead.",
        ),
        (
            lambda d: grown(d, "context", ["d"], np.ones((1, 2)), ""),
            "The 'context' matrix must be there. Got none instead.",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(make, message):
    with pytest.raises(EditError) as caught:
        make(self_attention())
    assert str(caught.value) == message


# ----------------------------------------------------------------- properties


@st.composite
def steps(draw):
    """Return a function that makes an edit of a document, whatever its size."""
    kind = draw(st.sampled_from(["add", "remove", "copy", "move", "name", "sentence"]))
    pick = draw(st.integers(0, 2**16))
    block, sequence = draw(st.integers(1, 3)), draw(st.sampled_from(["X", "context"]))

    def make(document):
        n = len(document.tokens if sequence == "X" else document.context_tokens)
        count = min(block, n)
        start = pick % (n - count + 1)
        rows = np.random.RandomState(pick).rand(block, 2)
        names = [f"{pick % 5}"] * block
        if kind == "add":
            at = pick % (n + 1)
            return insert_tokens(document, sequence, at, names, rows, kind)
        if kind == "remove" and count < n:
            return remove_tokens(document, sequence, start, count, kind)
        if kind == "copy":
            return duplicate_tokens(document, sequence, start, count, kind)
        if kind == "move":
            to = pick // 7 % (n - count + 1)
            return move_tokens(document, sequence, start, count, to, kind)
        if kind == "sentence":
            return set_sentence(document, sequence, names, rows, kind)
        return rename_token(document, sequence, start, "name", kind)

    return make


@given(st.lists(steps(), max_size=10), st.integers(0, 3))
def test_chains_of_edits_of_tokens_are_undone_and_redone_bit_for_bit(makes, lengths):
    document = cross_attention(key_lengths=lengths)
    states, inverses = [state(document)], []
    for make in makes:
        inverses.append(document.apply(make(document)))
        states.append(state(document))
        assert document.compute()["output"].shape[0] == len(document.tokens)
    redo = []
    for before in reversed(states[:-1]):
        redo.append(document.apply(inverses.pop()))
        assert state(document) == before
    for after in states[1:]:
        document.apply(redo.pop())
        assert state(document) == after


def attention_by_hand(x, w_q, w_k, w_v, bias, mask):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = np.where(mask, q @ k.T / np.sqrt(k.shape[1]) + bias, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights, weights @ v


@given(st.integers(1, 8), st.integers(0, 2**31), st.data())
def test_moving_tokens_permutes_weights_and_outputs(n, seed, data):
    generator = np.random.RandomState(seed)
    count = data.draw(st.integers(1, n))
    start, to = (data.draw(st.integers(0, n - count)) for _ in range(2))
    x, bias = generator.randn(n, 3), generator.randn(n, n)
    mask = generator.rand(n, n) < 0.7
    mask[:, :] |= np.eye(n, dtype=bool)
    w = {f"W_{name}": generator.randn(3, 2) for name in "QKV"}
    tokens = [f"t{place}" for place in range(n)]
    document = Document(
        "",
        tokens,
        {"X": x, "bias": bias, "mask": mask, **w},
        Spec(bias=True, mask=True),
    )
    document.apply(move_tokens(document, "X", start, count, to, "Move"))
    order = list(range(n))
    block = order[start : start + count]
    del order[start : start + count]
    order[to:to] = block
    assert document.tokens == tuple(tokens[place] for place in order)
    across = np.ix_(order, order)
    expected = attention_by_hand(x[order], *w.values(), bias[across], mask[across])
    trace = document.compute()
    for step, array in zip(("weights", "output"), expected, strict=True):
        np.testing.assert_allclose(trace[step], array, atol=1e-12)
    weights, output = attention_by_hand(x, *w.values(), bias, mask)
    np.testing.assert_allclose(trace["weights"], weights[across], atol=1e-12)
    np.testing.assert_allclose(trace["output"], output[order], atol=1e-12)
