"""The one owner of state: edits, refusals, and the way back."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import Spec
from attnviewer.compute.engine import storing
from attnviewer.document import (
    Change,
    Document,
    EditError,
    Region,
    Replace,
    SetCells,
    Snapshot,
)


def _document() -> Document:
    return Document(
        "Test",
        ["a", "b", "c"],
        {
            "X": np.arange(6.0).reshape(3, 2),
            "W_Q": np.eye(2),
            "W_K": np.eye(2),
            "W_V": np.eye(2),
        },
    )


def _state(document: Document) -> object:
    matrices = {n: (a.shape, a.tobytes()) for n, a in document.matrices.items()}
    return document.tokens, document.spec, matrices


def _heard(document: Document) -> list[Change]:
    changes: list[Change] = []
    document.changed.connect(changes.append)
    return changes


def test_a_document_keeps_copies_of_what_it_is_given() -> None:
    x = np.ones((1, 1))
    document = Document("", ["a"], {"X": x}, Spec(projected=False))
    x[0, 0] = 7.0
    assert document.matrix("X")[0, 0] == 1.0


def test_whole_numbers_become_double_precision() -> None:
    document = Document("", ["a"], {"X": [[1, 2]]}, Spec(projected=False))
    assert document.matrix("X").dtype == np.float64


@pytest.mark.parametrize("name", ["X", "W_Q"])
def test_views_of_a_document_cannot_be_written(name: str) -> None:
    document = _document()
    for view in (document.matrix(name), document.matrices[name]):
        with pytest.raises(ValueError, match="read-only"):
            view[0, 0] = 1.0
    with pytest.raises(TypeError):
        document.matrices["X"] = np.ones((3, 2))


def test_views_follow_edits_and_inputs_do_not() -> None:
    document = _document()
    view, inputs = document.matrix("X"), document.inputs()
    document.apply(SetCells("Edit", "X", 1, 0, np.array([[9.0]])))
    assert view[1, 0] == 9.0
    assert inputs["X"][1, 0] == 2.0


def test_a_matrix_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"one of X, W_Q.* Did you mean 'W_Q'"):
        _document().matrix("w_q")


def test_inputs_are_those_of_the_variant_alone() -> None:
    document = _document()
    document.apply(Replace("Simplify", spec=Spec(projected=False)))
    assert list(document.inputs()) == ["X"]
    assert "W_Q" in document.matrices


def test_an_edit_of_cells_is_told_once_with_matrix_region_and_revision() -> None:
    document = _document()
    changes = _heard(document)
    document.apply(SetCells("Paste", "X", 1, 0, np.array([[7.0, 8.0], [9.0, 10.0]])))
    assert changes == [Change("X", Region(1, 0, 2, 2), 1)]
    assert document.revision == 1
    assert document.matrix("X").tolist() == [[0.0, 1.0], [7.0, 8.0], [9.0, 10.0]]


def test_a_replacement_is_told_once_without_a_region() -> None:
    document = _document()
    changes = _heard(document)
    document.apply(Replace("Rename", tokens=("x", "y", "z")))
    assert changes == [Change(None, None, 1)]
    assert document.tokens == ("x", "y", "z")


def test_listeners_see_the_document_as_it_is_after_the_edit() -> None:
    document = _document()
    seen = []
    document.changed.connect(
        lambda change: seen.append((document.revision, document.matrix("X")[0, 0]))
    )
    document.apply(SetCells("Edit", "X", 0, 0, np.array([[5.0]])))
    assert seen == [(1, 5.0)]


def test_undoing_is_an_edit_that_is_told_and_counted_too() -> None:
    document = _document()
    inverse = document.apply(SetCells("Edit", "W_K", 1, 1, np.array([[5.0]])))
    changes = _heard(document)
    document.apply(inverse)
    assert changes == [Change("W_K", Region(1, 1, 1, 1), 2)]
    assert inverse.label == "Edit"


def test_an_inverse_keeps_the_sign_of_zero() -> None:
    document = _document()
    document.apply(SetCells("Edit", "X", 0, 0, np.array([[-0.0]])))
    before = _state(document)
    document.apply(document.apply(SetCells("Edit", "X", 0, 0, np.array([[0.0]]))))
    assert _state(document) == before


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            SetCells("", "W_O", 0, 0, np.ones((1, 1))),
            "The 'matrix' must be one of X, W_Q, W_K, W_V. Got 'W_O' instead.",
        ),
        (
            SetCells("", "X", 2, 1, np.ones((2, 1))),
            "The cells must lie inside 'X' (3, 2). Got (2, 1) at [2, 1] instead.",
        ),
        (
            SetCells("", "X", -1, 0, np.ones((1, 1))),
            "The cells must lie inside 'X' (3, 2). Got (1, 1) at [-1, 0] instead.",
        ),
        (
            SetCells("", "X", 0, -1, np.ones((1, 1))),
            "The cells must lie inside 'X' (3, 2). Got (1, 1) at [0, -1] instead.",
        ),
        (
            SetCells("", "X", 0, 0, np.ones((0, 1))),
            "The cells must lie inside 'X' (3, 2). Got (0, 1) at [0, 0] instead.",
        ),
        (
            SetCells("", "X", 0, 0, np.array([[1.0, np.nan]])),
            "The 'X' matrix must hold finite numbers. Got nan at [0, 1] instead.",
        ),
        (
            SetCells("", "X", 0, 0, np.array([[-np.inf]])),
            "The 'X' matrix must hold finite numbers. Got -inf at [0, 0] instead.",
        ),
        (
            Replace("", tokens=("a",)),
            "The 'tokens' must be as many as the rows of 'X', 3. Got 1 instead.",
        ),
        (
            Replace("", matrices={"W_K": np.ones((2, 1))}),
            "The 'W_K' matrix must have shape (2, 2). Got (2, 1) instead.",
        ),
        (
            Replace("", matrices={"W_K": None}),
            "The 'W_K' matrix must be given. Got none instead.",
        ),
        (
            Replace("", matrices={"X": None}),
            "The 'X' matrix must be given. Got none instead.",
        ),
        (
            Replace("", matrices={"X": np.full((3, 2), np.inf)}),
            "The 'X' matrix must hold finite numbers. Got inf at [0, 0] instead.",
        ),
        (
            Replace("", spec=Spec(n_heads=3)),
            "The number of columns of 'W_Q' must be divisible by n_heads = 3. "
            "Got 2 columns instead.",
        ),
        (
            Replace("", spec=Spec(values=True)),
            "The 'spec' must take queries, keys and values from 'X' or 'context'. "
            "Got X, X, values instead.",
        ),
        (
            Replace("", spec=Spec(context=True), matrices={"context": np.eye(2)}),
            "The 'context_tokens' must be as many as the rows of 'context', 2. "
            "Got 0 instead.",
        ),
        (
            Replace("", spec=Spec(output_projection=True)),
            "The 'W_O' matrix must be given. Got none instead.",
        ),
    ],
)
def test_a_refused_edit_gives_its_reason_and_leaves_the_document(edit, message) -> None:
    document = _document()
    before, changes = _state(document), _heard(document)
    for attempt in (document.check, document.apply):
        with pytest.raises(EditError) as caught:
            attempt(edit)
        assert str(caught.value) == message
    assert _state(document) == before
    assert document.revision == 0
    assert changes == []


def test_checking_changes_nothing() -> None:
    document = _document()
    before = _state(document)
    document.check(SetCells("Edit", "X", 0, 0, np.array([[5.0]])))
    document.check(Replace("Rename", tokens=("x", "y", "z")))
    assert _state(document) == before
    assert document.revision == 0


@pytest.mark.parametrize(
    ("tokens", "matrices", "message"),
    [
        (["a"], {}, "The 'X' matrix must be given. Got none instead."),
        (
            [],
            {"X": [[1.0]]},
            "The 'tokens' must be as many as the rows of 'X', 1. Got 0",
        ),
        (["a"], {"X": [[1.0]], "W_O": [[np.nan]]}, "The 'W_O' matrix must hold finite"),
    ],
)
def test_parts_that_do_not_fit_make_no_document(tokens, matrices, message) -> None:
    with pytest.raises(EditError) as caught:
        Document("", tokens, matrices, Spec(projected=False))
    assert str(caught.value).startswith(message)


def test_more_tokens_than_can_be_looked_at_are_refused() -> None:
    n = 2**20 + 1
    message = r"number of tokens must be at most 1,048,576\. Got 1,048,577 instead"
    with pytest.raises(EditError, match=message):
        Document("", [""] * n, {"X": np.zeros((n, 1))}, Spec(projected=False))


def test_a_long_document_is_copied_once_to_be_computed(monkeypatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 1)
    x = np.random.default_rng(0).normal(size=(4, 100_000))
    document = Document("", ["a"] * 4, {"X": x}, Spec(projected=False))
    tracemalloc.start()
    trace = document.compute()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2.5 * x.nbytes  # that copy, and the output
    before = trace["scores"].copy()
    document.apply(SetCells("Type", "X", 0, 0, np.array([[1e6]])))
    np.testing.assert_array_equal(trace["X"], x)
    np.testing.assert_array_equal(trace["scores"], before)


def test_a_long_document_is_computed_where_it_is_read(monkeypatch) -> None:
    x = np.random.default_rng(0).normal(size=(30, 3))
    document = Document("", ["a"] * 30, {"X": x}, Spec(projected=False, causal=True))
    stored = document.compute()
    monkeypatch.setattr(storing, "MOST_STORED", 30 * 30 - 1)
    trace = document.compute()
    assert not Snapshot.of(document).compute().is_stored("output")
    assert trace.spec == stored.spec
    assert not trace.is_stored("output")
    some = slice(3, 5), slice(1, 4)
    for step in stored:
        assert trace.shape(step) == stored.shape(step)
        part = some if trace.stages[step].inputs else (slice(3, 5), slice(0, 2))
        np.testing.assert_allclose(
            trace.window(step, *part), stored.window(step, *part), rtol=1e-12
        )
        np.testing.assert_allclose(trace[step], stored[step], rtol=1e-12)
        found, want = trace.limits(step), stored.limits(step)
        np.testing.assert_allclose(found, want, rtol=1e-12)


_FINITE = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def _edits(draw: st.DrawFn) -> SetCells | Replace:
    kind = draw(st.sampled_from(["cells", "tokens", "matrices", "spec", "extra"]))
    if kind == "cells":
        row, column = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        shape = (draw(st.integers(1, 2 - row)), draw(st.integers(1, 2 - column)))
        name = draw(st.sampled_from(["X", "W_Q", "W_K", "W_V"]))
        values = draw(arrays(np.float64, shape, elements=_FINITE))
        return SetCells("cells", name, row, column, values)
    if kind == "tokens":
        return Replace("tokens", tokens=tuple(draw(st.text(max_size=3)) for _ in "abc"))
    if kind == "matrices":
        # Both at once: each alone would not fit.
        width = draw(st.sampled_from([2, 4]))
        blocks = arrays(np.float64, (2, width), elements=_FINITE)
        weights = {name: draw(blocks) for name in ("W_Q", "W_K", "W_V")}
        return Replace("matrices", matrices=weights)
    if kind == "spec":
        specs = [Spec(), Spec(projected=False), Spec(n_heads=2, causal=True)]
        return Replace("spec", spec=draw(st.sampled_from(specs)))
    return Replace("extra", matrices={"W_O": draw(st.sampled_from([None, np.eye(3)]))})


@given(st.lists(_edits(), max_size=12))
def test_a_chain_of_edits_is_undone_and_redone_bit_for_bit(edits) -> None:
    document = _document()
    states, inverses = [_state(document)], []
    for edit in edits:
        inverses.append(document.apply(edit))
        states.append(_state(document))
    redo = []
    for inverse, state in zip(reversed(inverses), reversed(states[:-1]), strict=True):
        redo.append(document.apply(inverse))
        assert _state(document) == state
    for edit, state in zip(reversed(redo), states[1:], strict=True):
        document.apply(edit)
        assert _state(document) == state
    assert document.revision == 3 * len(edits)


def test_a_document_computes_what_it_holds_now() -> None:
    document = _document()
    document.apply(SetCells("Edit", "W_V", 0, 0, np.array([[0.0]])))
    assert document.compute()["V"].tolist() == [[0.0, 1.0], [0.0, 3.0], [0.0, 5.0]]


@pytest.mark.parametrize(
    "values",
    [np.array([1.0]), np.array([["a"]]), np.array([[1, 2]]), np.zeros((1, 1, 1))],
    ids=["one dimension", "text", "whole numbers", "three dimensions"],
)
def test_values_that_are_no_matrix_of_numbers_are_refused(values) -> None:
    document = Document("one", ["a"], {"X": [[1.0, 2.0]]}, Spec(projected=False))
    with pytest.raises(EditError, match="must be a matrix of floating-point"):
        document.apply(SetCells("edit", "X", 0, 0, values))
    assert document.revision == 0


def test_tokens_given_as_a_list_become_the_documents_own() -> None:
    document = Document("one", ["a"], {"X": [[1.0]]}, Spec(projected=False))
    given = ["b"]
    document.apply(Replace("rename", tokens=given))
    given[0] = "c"
    assert document.tokens == ("b",)


@pytest.mark.parametrize("name", ["title", "notes", "recipes", "tokens", "spec"])
def test_nothing_but_apply_changes_a_document(name: str) -> None:
    document = Document("one", ["a"], {"X": [[1.0]]}, Spec(projected=False))
    with pytest.raises(AttributeError):
        setattr(document, name, None)


def test_a_matrix_that_is_replaced_keeps_its_place_among_the_others():
    names = ["X", "W_Q", "W_K", "W_V"]
    document = Document("D", ["a"], {name: [[1.0]] for name in names})
    document.apply(Replace("Set", matrices={"X": np.array([[2.0]])}))
    assert list(document.matrices) == names
