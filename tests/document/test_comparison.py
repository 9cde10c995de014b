"""Documents as they were, and what became of their steps."""

import tracemalloc

import numpy as np
import pytest

from attnviewer.compute import Folding, Spec, StepHead
from attnviewer.document import (
    Comparison,
    Document,
    Incomparable,
    Replace,
    SetCells,
    Snapshot,
    spec_edit,
)
from attnviewer.document.comparison import Side, StepPair

NAN = np.nan


def simple(tokens="abc", x=((1.0, 0.0), (0.0, 1.0), (1.0, 2.0)), spec=None):
    spec = Spec(projected=False, scale=1.0) if spec is None else spec
    return Document("Simple", tokens, {"X": x}, spec)


def side(document):
    return Side(document.compute(), document.labels)


def compare(after, before, step):
    return Comparison(side(after), side(before)).pair(step)


def windows(pair):
    assert isinstance(pair, StepPair)
    return pair.after[0].window().tolist(), pair.before[0].window().tolist()


def test_a_snapshot_stays_as_the_document_was():
    document = simple()
    snapshot = Snapshot.of(document)
    document.apply(SetCells("Type", "X", 0, 0, np.array([[5.0]])))
    assert snapshot.inputs["X"][0, 0] == 1.0
    assert snapshot.compute()["scores"][0].tolist() == [1.0, 0.0, 1.0]


def test_a_snapshot_before_an_edit_copies_the_matrices_once():
    x = np.ones((500, 500))
    document = Document("", ["a"] * 500, {"X": x}, Spec(projected=False))
    inverse = document.apply(SetCells("Type", "X", 0, 0, np.array([[5.0]])))
    tracemalloc.start()
    try:
        snapshot = Snapshot.before(document, [inverse])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert snapshot.inputs["X"][0, 0] == 1
    assert peak < 1.5 * x.nbytes


def test_a_snapshot_before_an_edit_leaves_the_document_alone():
    document = simple()
    inverses = [
        document.apply(SetCells("Type", "X", 0, 0, np.array([[5.0]]))),
        document.apply(Replace("Rename", tokens=("x", "y", "z"))),
    ]
    revision = document.revision
    snapshot = Snapshot.before(document, reversed(inverses))
    assert snapshot.inputs["X"].tolist() == [[1.0, 0.0], [0.0, 1.0], [1.0, 2.0]]
    assert snapshot.labels.queries == ("a", "b", "c")
    assert (document.revision, document.tokens) == (revision, ("x", "y", "z"))
    assert document.matrix("X")[0, 0] == 5.0


def test_steps_of_one_shape_are_compared_cell_by_cell():
    after = simple(x=[[1.0, 0.0], [0.0, 2.0], [1.0, 2.0]])
    pair = compare(after, simple(), "scores")
    # By hand: rows of X times rows of X.
    assert windows(pair) == (
        [[1, 0, 1], [0, 4, 4], [1, 4, 5]],
        [[1, 0, 1], [0, 1, 2], [1, 2, 5]],
    )
    assert not pair.partial
    assert 0 < pair.rounding < 1e-12
    assert compare(after, simple(), "X").rounding == 0


def test_an_inserted_token_is_a_gap_and_the_others_are_compared():
    before, after = simple(), simple()
    x = [[1.0, 0.0], [9.0, 9.0], [0.0, 1.0], [1.0, 2.0]]
    after.apply(
        Replace("Add", tokens=("a", "new", "b", "c"), matrices={"X": np.array(x)})
    )
    pair = compare(after, before, "scores")
    assert pair.partial
    b, a = windows(pair)
    np.testing.assert_array_equal(
        a, [[1, NAN, 0, 1], [NAN] * 4, [0, NAN, 1, 2], [1, NAN, 2, 5]]
    )
    np.testing.assert_array_equal(np.isnan(b), np.isnan(a))
    assert pair.before[0].hidden()[1].all()


def test_of_removed_and_repeated_tokens_no_place_is_used_twice():
    before = simple("aaa")
    _, a = windows(compare(simple("aa", np.ones((2, 2))), before, "X"))
    assert a == [[1.0, 0.0], [0.0, 1.0]]
    _, a = windows(compare(simple("aaaa", np.ones((4, 2))), before, "X"))
    np.testing.assert_array_equal(a, [[1, 0], [0, 1], [1, 2], [NAN, NAN]])


def test_equally_many_tokens_are_compared_by_place_whatever_they_are_called():
    pair = compare(simple("xyz"), simple("abc"), "weights")
    assert not pair.partial


@pytest.mark.parametrize(
    ("after", "before", "step", "reason"),
    [
        (
            simple(spec=Spec(projected=False, causal=True)),
            simple(),
            "masked",
            Incomparable("step", 1, 0),
        ),
        (
            simple("xy", [[1.0, 0.0], [0.0, 1.0]]),
            simple(),
            "scores",
            Incomparable("tokens", 2, 3),
        ),
        (simple(x=np.ones((3, 4))), simple(), "X", Incomparable("features", 4, 2)),
    ],
)
def test_what_cannot_be_compared_says_why(after, before, step, reason):
    assert compare(after, before, step) == reason


def test_other_features_leave_the_weights_comparable():
    pair = compare(simple(x=np.ones((3, 4))), simple(), "weights")
    assert isinstance(pair, StepPair)
    assert pair.after[0].window().tolist() == [[1 / 3] * 3] * 3


def heads(n_heads):
    random = np.random.default_rng(1)
    matrices = {name: random.normal(size=(4, 4)) for name in ("X", "W_Q", "W_K", "W_V")}
    return Document("Heads", "abcd", matrices, Spec(n_heads=n_heads))


def test_heads_are_compared_if_there_are_equally_many():
    two, one = heads(2), heads(1)
    pair = compare(two, two, "weights")
    assert len(pair.after) == len(pair.before) == 2
    trace = two.compute()
    for head, matrix in enumerate(pair.before):
        want = StepHead(trace, "weights", head).window()
        np.testing.assert_array_equal(matrix.window(), want)
    assert compare(two, one, "weights") == Incomparable("heads", 2, 1)
    assert isinstance(compare(two, one, "W_Q"), StepPair)


def test_keys_that_heads_share_are_compared_once_each():
    document = heads(4)
    shared = Spec(n_heads=4, n_kv_heads=2)
    narrow = {name: np.ones((4, 2)) for name in ("W_K", "W_V")}
    document.apply(Replace("Share", shared, matrices=narrow))
    pair = compare(document, document, "K")
    assert len(pair.after) == 2
    trace = document.compute()
    for head, matrix in enumerate(pair.after):
        np.testing.assert_array_equal(matrix.window(), trace["K"][head])


def test_a_mask_is_compared_with_the_one_before():
    document = simple(spec=Spec(projected=False))
    before = simple(spec=Spec(projected=False))
    for one in (document, before):
        edit = spec_edit(one, Spec(projected=False, causal=True), "Causal")
        one.apply(edit)
    pair = compare(document, before, "masked")
    assert pair.after[0].hidden()[0].tolist() == [False, True, True]


def test_a_replaced_token_between_others_leaves_those_comparable():
    x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 2.0], [2.0, 2.0]])
    before = simple("pbqd", x)
    after = simple("bxd", x[[1, 0, 3]])
    comparison = Comparison(side(after), side(before))
    rows, columns = comparison.indices("scores")
    assert rows.tolist() == columns.tolist() == [1, -1, 3]
    _, a = windows(comparison.pair("scores"))
    # By hand: rows 1 and 3 of X before, times themselves.
    np.testing.assert_array_equal(a, [[1, NAN, 2], [NAN] * 3, [2, NAN, 8]])


def test_the_features_of_one_have_no_place_among_other_ones():
    comparison = Comparison(side(simple(x=np.ones((3, 4)))), side(simple()))
    rows, columns = comparison.indices("X")
    assert (rows.tolist(), columns.tolist()) == ([0, 1, 2], [-1] * 4)


def test_both_sides_fold_the_groups_that_are_neighbours_in_both():
    """A is “a b c d”; B has a word between c and d."""
    rng = np.random.default_rng(1)
    before = simple("abcd", rng.normal(size=(4, 2)))
    after = simple("abcxd", rng.normal(size=(5, 2)))
    comparison = Comparison(side(after), side(before))
    spans = ((0, 1), (1, 3), (3, 5))  # a, bc, xd
    here, there = comparison.foldings("weights", Folding(spans, spans))
    assert here.rows == here.columns == ((0, 1), (1, 3), (3, 4), (4, 5))
    assert there.rows == there.columns == ((0, 1), (1, 3), (3, 4))
    pair = comparison.pair("weights")
    folded = pair.folded(here)
    assert folded.folding is here
    weights = before.compute()["weights"]
    expected = (weights[1, 1:3].sum() + weights[2, 1:3].sum()) / 2
    assert folded.before[0].window()[1, 1] == pytest.approx(expected, abs=1e-12)
    # What A lacks stays a gap in both.
    assert folded.before[0].hidden()[2].all()
