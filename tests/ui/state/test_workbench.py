import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.document.first_cell import FirstCell
from attnviewer.document.sequences import (
    duplicate_tokens,
    move_tokens,
    remove_tokens,
    rename_token,
)
from attnviewer.io import load
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.state.workbench import Workbench


def make_document(title="first"):
    x = np.array([[1.0, 0.0], [0.0, 3.0]])
    return Document(title, ["a", "b"], {"X": x}, Spec(projected=False))


@pytest.fixture
def workbench(qapp):
    workbench = Workbench(make_document())
    yield workbench
    workbench.close()


def write(value):
    return SetCells("write", "X", 0, 0, np.array([[value]]))


def test_the_strongest_weight_of_another_word_is_selected(workbench):
    assert (workbench.selection.step, workbench.selection.cell) == ("weights", (0, 1))


@pytest.mark.parametrize(
    ("example", "head", "cell"),
    [
        ("four-words", 0, (0, 2)),  # word 1 → word 3
        ("two-heads", 1, (4, 1)),  # it → cat
        ("narrow-keys", 0, (2, 1)),  # apple → red
    ],
)
def test_an_example_opens_on_the_cell_it_is_about(workbench, example, head, cell):
    workbench.open(load(f"example:{example}"))
    selection = workbench.selection
    assert (selection.step, selection.head, selection.cell) == ("weights", head, cell)


def test_another_document_after_an_example_opens_on_its_own_cell_and_head(workbench):
    workbench.open(load("example:two-heads"))
    workbench.open(make_document("second"))
    assert (workbench.selection.head, workbench.selection.cell) == (0, (0, 1))


def test_an_example_that_has_lost_its_cell_opens_on_what_is_left(workbench):
    document = load("example:two-heads")
    document.first_cell = FirstCell(40, 41, 7)
    workbench.open(document)
    assert (workbench.selection.head, workbench.selection.cell) == (1, (6, 6))


def test_an_unchanged_document_is_not_set_aside(workbench):
    workbench.open(make_document("second"))
    assert workbench.set_aside == []
    assert workbench.document.title == "second"
    assert workbench.engine.current.trace["X"][1, 1] == 3.0


def test_a_changed_document_comes_back_with_its_changes_and_counts_as_changed(
    workbench,
):
    first = workbench.document
    workbench.edits.submit(write(9.0))
    workbench.open(make_document("second"))
    assert not workbench.modified
    workbench.reopen(first)
    assert workbench.engine.current.trace["X"][0, 0] == 9.0
    assert workbench.modified
    assert workbench.set_aside == []
    workbench.edits.undo()
    assert first.matrix("X")[0, 0] == 1.0
    assert not workbench.modified


def test_a_document_that_is_changed_while_it_is_left_is_set_aside(workbench):
    first = workbench.document

    def change(_computed):
        workbench.engine.computed.disconnect(change)
        workbench.edits.submit(write(9.0))

    workbench.engine.computed.connect(change)
    workbench.open(make_document("second"))
    assert workbench.set_aside == [first]
    workbench.reopen(first)
    workbench.edits.undo()
    assert first.matrix("X")[0, 0] == 1.0


def test_the_first_trace_of_a_document_is_told_of_once_it_is_the_open_one(workbench):
    second, told = make_document("second"), []
    workbench.engine.computed.connect(
        lambda computed: told.append((workbench.document, computed.trace["X"][0, 0]))
    )
    workbench.open(second)
    assert told == [(second, 1.0)]


def test_a_document_that_cannot_be_computed_leaves_all_as_it_is(workbench, monkeypatch):
    first, marked = workbench.document, Marked(rows=frozenset({1}))
    workbench.selection.mark(marked)

    def run(_build):
        raise MemoryError

    monkeypatch.setattr("attnviewer.ui.state.building.Build.run", run)
    with pytest.raises(MemoryError):
        workbench.open(make_document("second"))
    assert workbench.document is first
    assert workbench.selection.marked == marked


def test_reopening_sets_a_changed_document_aside_in_its_turn(workbench):
    first = workbench.document
    workbench.edits.submit(write(9.0))
    second = make_document("second")
    workbench.open(second)
    workbench.edits.submit(write(8.0))
    workbench.reopen(first)
    assert workbench.set_aside == [second]


@pytest.mark.parametrize(
    ("step", "cell", "reason"),
    [
        ("Q", None, "must be one of X, scores, scaled, weights, output"),
        ("weights", (2, 0), r"inside weights \(2, 2\). Got 2,0"),
        ("output", (0, -1), r"inside output \(2, 2\). Got 0,-1"),
    ],
)
def test_a_step_or_cell_that_is_not_there_is_refused(workbench, step, cell, reason):
    with pytest.raises(ValueError, match=reason):
        workbench.open_step(step, cell)
    assert workbench.selection.step == "weights"


def test_a_step_and_cell_that_are_there_are_opened_and_told_of_once(workbench):
    seen = []
    workbench.selection.cell_changed.connect(lambda *cell: seen.append(cell))
    workbench.open_step("output", (1, 0))
    assert (workbench.selection.step, workbench.selection.cell) == ("output", (1, 0))
    assert seen == [("output", (1, 0))]


def test_another_step_of_vectors_keeps_the_cell(workbench):
    seen = []
    workbench.selection.cell_changed.connect(lambda *cell: seen.append(cell))
    workbench.selection.choose_cell("X", (1, 1))
    workbench.selection.choose_step("output")
    assert workbench.selection.cell == (1, 1)
    assert set(seen) == {("X", (1, 1)), ("output", (1, 1))}


def test_a_cell_beyond_the_new_steps_edge_gives_way_to_the_nearest(qapp):
    x = np.eye(3, 1)
    narrow = Document("narrow", "abc", {"X": x}, Spec(projected=False))
    workbench = Workbench(narrow)
    workbench.selection.choose_cell("weights", (1, 2))
    workbench.selection.choose_step("X")
    assert workbench.selection.cell == (1, 0)
    workbench.close()


def test_a_closed_workbench_leaves_no_edit_for_the_collector_to_end(workbench):
    # The interpreter crashes where an edit is gone before the stack that owns it.
    workbench.edits.submit(write(9.0))
    assert workbench.edits.count() == 1
    workbench.close()
    assert workbench.edits.count() == 0


TOKENS = ("a", "b", "c", "d")


def square():
    return Document("square", TOKENS, {"X": np.eye(4)}, Spec(projected=False))


@pytest.mark.parametrize(
    ("edit", "cell", "rows"),
    [
        (lambda d: remove_tokens(d, "X", 0, 1, "e"), (0, 2), {0, 2}),
        (lambda d: remove_tokens(d, "X", 1, 1, "e"), (1, 2), {2}),  # its row is gone
        (lambda d: duplicate_tokens(d, "X", 0, 1, "e"), (2, 4), {2, 4}),
        (lambda d: move_tokens(d, "X", 3, 1, 0, "e"), (2, 0), {2, 0}),
        (lambda d: rename_token(d, "X", 1, "x", "e"), (1, 3), {1, 3}),
    ],
)
def test_the_selected_cell_and_the_marks_follow_their_tokens(
    workbench, edit, cell, rows
):
    workbench.open(square())
    workbench.selection.choose_cell("weights", (1, 3))
    workbench.selection.mark(Marked(frozenset({1, 3}), frozenset({3})))
    workbench.edits.submit(edit(workbench.document))
    workbench.engine.flush()
    assert workbench.selection.cell == cell
    assert workbench.selection.marked.rows == rows
    assert workbench.selection.marked.columns == {cell[1]}
    workbench.edits.undo()
    workbench.engine.flush()
    # What took the place of a row that was gone keeps the selection.
    assert workbench.selection.cell == ((1, 3) if len(rows) == 2 else (2, 3))


def test_columns_of_features_stay_while_tokens_go(workbench):
    workbench.open(square())
    workbench.selection.choose_cell("output", (3, 3))
    workbench.edits.submit(remove_tokens(workbench.document, "X", 0, 1, "e"))
    workbench.engine.flush()
    assert workbench.selection.cell == (2, 3)


def test_marks_stay_with_their_document(workbench):
    workbench.open(square())
    workbench.selection.mark(Marked(frozenset({1})))
    workbench.open(Document("other", TOKENS, {"X": np.eye(4)}, Spec(projected=False)))
    assert workbench.selection.marked == Marked()


@pytest.mark.parametrize("saved", [True, False])
def test_a_document_that_is_opened_again_while_open_keeps_its_edits(workbench, saved):
    document = workbench.document
    workbench.edits.submit(write(9.0))
    if saved:
        workbench.edits.mark_saved(document)
    workbench.open(document)
    assert workbench.set_aside == []
    assert workbench.edits.count() == 1
    workbench.edits.undo()
    assert document.matrix("X")[0, 0] == 1.0
