import numpy as np
import pytest
from PySide6.QtGui import QKeySequence

from attnviewer import load_example, tasks, train
from attnviewer.compute import Spec
from attnviewer.document import Document, EditError, Region, Replace, SetCells
from attnviewer.ui.state.cursor import InputSelection
from tests.documents import state_of


@pytest.fixture
def document():
    return Document("one", ["a"], {"X": [[1.0]]}, Spec(projected=False))


@pytest.fixture
def edits(document, make_edits):
    return make_edits(document)


def write(value):
    return SetCells(f"Write {value}", "X", 0, 0, np.array([[value]]))


def test_undo_and_redo_walk_through_the_values(edits, document):
    edits.submit(write(2.0))
    edits.submit(write(3.0))
    seen = [document.matrix("X")[0, 0]]
    for step in (edits.undo, edits.undo, edits.redo, edits.redo):
        step()
        seen.append(document.matrix("X")[0, 0])
    assert seen == [3.0, 2.0, 1.0, 2.0, 3.0]


def test_an_edit_bears_its_name_on_the_stack(edits):
    edits.submit(write(2.0))
    assert edits.undoText() == "Write 2.0"


def test_a_training_run_is_one_step(make_edits):
    document = load_example("look-back")
    edits = make_edits(document)
    before = state_of(document)
    run = train(document, tasks.copy_previous(), steps=3)
    edits.submit(run.edit(3))
    edits.submit(train(document, tasks.reverse(), steps=2).edit(2))
    after = state_of(document), document.training
    assert edits.count() == 2
    assert edits.undoText() == "Train: attend in reverse, Adam, 2 steps"
    edits.undo()
    assert document.training == run.document(3).training
    edits.undo()
    assert (state_of(document), document.training) == (before, None)
    edits.redo()
    edits.redo()
    assert (state_of(document), document.training) == after


def test_an_action_shows_every_sign_of_an_edits_name(edits):
    label = "Rename R&D to a\nb\tc"
    edits.submit(SetCells(label, "X", 0, 0, np.array([[2.0]])))
    action = edits.createUndoAction(edits, "Undo")
    assert QKeySequence.mnemonic(action.text()).isEmpty()
    assert action.text().replace("&&", "&") == "Undo Rename R&D to a⏎b⇥c"


def test_a_refused_edit_is_not_on_the_stack(edits, document):
    with pytest.raises(EditError, match="finite"):
        edits.submit(write(np.nan))
    assert edits.count() == 0
    assert edits.isClean()
    assert document.revision == 0


def test_undoing_everything_is_the_unchanged_document_again(edits):
    edits.submit(write(2.0))
    assert not edits.isClean()
    edits.undo()
    assert edits.isClean()


def test_another_document_begins_without_edits(edits, document):
    edits.submit(write(2.0))
    edits.set_document(Document("two", ["b"], {"X": [[5.0]]}, Spec(projected=False)))
    assert not edits.canUndo()
    assert edits.isClean()
    edits.submit(write(6.0))
    assert document.matrix("X")[0, 0] == 2.0


def test_a_document_finds_its_edits_again(edits, document):
    edits.submit(write(2.0))
    edits.submit(write(3.0))
    edits.undo()
    edits.set_document(Document("two", ["b"], {"X": [[5.0]]}, Spec(projected=False)))
    edits.set_document(document)
    assert not edits.isClean()
    edits.redo()
    edits.undo()
    edits.undo()
    assert document.matrix("X")[0, 0] == 1.0
    assert edits.isClean()


def test_a_forgotten_document_begins_anew(edits, document):
    edits.submit(write(2.0))
    edits.set_document(Document("two", ["b"], {"X": [[5.0]]}, Spec(projected=False)))
    edits.forget(document)
    edits.set_document(document)
    assert not edits.canUndo()


def scrub(edits, *values):
    gesture = object()
    for value in values:
        edits.submit(write(value), gesture=gesture)


def test_edits_of_one_gesture_are_one_step(edits, document):
    scrub(edits, 1.1, 1.2, 1.3)
    assert edits.count() == 1
    assert edits.undoText() == "Write 1.3"
    edits.undo()
    assert document.matrix("X")[0, 0] == 1.0
    edits.redo()
    assert document.matrix("X")[0, 0] == 1.3


def test_two_gestures_are_two_steps(edits, document):
    scrub(edits, 1.1, 1.2)
    scrub(edits, 1.3)
    edits.submit(write(1.4))
    assert edits.count() == 3
    edits.undo()
    edits.undo()
    assert document.matrix("X")[0, 0] == 1.2


def test_a_gesture_that_comes_back_leaves_no_step_and_no_mark(edits):
    scrub(edits, 1.1, 1.2, 1.0)
    assert edits.count() == 0
    assert edits.isClean()


def test_a_gesture_goes_on_after_it_has_come_back(edits, document):
    gesture = object()
    for value in (1.1, 1.0, 1.2):
        edits.submit(write(value), gesture=gesture)
    assert edits.count() == 1
    edits.undo()
    assert document.matrix("X")[0, 0] == 1.0
    assert edits.isClean()


def test_a_gesture_over_several_cells_is_undone_in_all_of_them(make_edits):
    start = [[1.0, 2.0, 3.0]]
    document = Document("row", ["a"], {"X": start}, Spec(projected=False))
    edits = make_edits(document)
    gesture = object()
    for column in (0, 1, 0, 2):
        cell = SetCells("Paint", "X", 0, column, np.array([[9.0]]))
        edits.submit(cell, gesture=gesture)
    assert edits.count() == 1
    edits.undo()
    assert document.matrix("X").tolist() == start
    edits.redo()
    assert document.matrix("X").tolist() == [[9.0, 9.0, 9.0]]


def test_undo_and_redo_go_back_to_where_the_edit_was_made(edits):
    here, there, after = (InputSelection("X", Region(0, 0, 1, n)) for n in (1, 2, 3))
    wanted = []
    edits.cursor.wanted.connect(wanted.append)
    edits.cursor.move(here)
    edits.submit(write(2.0), then=after)
    assert wanted == [after]
    edits.cursor.move(there)
    edits.undo()
    assert edits.cursor.selection == here
    edits.redo()
    assert edits.cursor.selection == after
    assert wanted == [after, here, after]


def test_an_edit_without_a_place_leaves_the_selection_alone(edits):
    wanted = []
    edits.cursor.wanted.connect(wanted.append)
    edits.submit(write(2.0))
    edits.undo()
    assert wanted == []


def warm(temperature):
    spec = Spec(projected=False, temperature=temperature)
    return Replace(f"Warm {temperature}", spec=spec)


def test_specs_of_one_gesture_are_one_step(edits, document):
    gesture = object()
    for temperature in (2.0, 3.0, 4.0):
        edits.submit(warm(temperature), gesture=gesture)
    assert edits.count() == 1
    assert edits.undoText() == "Warm 4.0"
    seen = []
    document.changed.connect(lambda _change: seen.append(document.spec.temperature))
    edits.undo()
    edits.redo()
    # One edit each way, not one for each place that was passed.
    assert seen == [1.0, 4.0]


def test_a_spec_that_comes_back_leaves_no_step(edits):
    gesture = object()
    for temperature in (2.0, 1.0):
        edits.submit(warm(temperature), gesture=gesture)
    assert edits.count() == 0
    assert edits.isClean()


def test_a_spec_that_came_with_a_matrix_takes_it_along_when_undone(edits, document):
    gesture = object()
    spec = Spec(projected=False, bias=True)
    bias = {"bias": np.zeros((1, 1))}
    edits.submit(Replace("Bias", spec=spec, matrices=bias), gesture=gesture)
    edits.submit(warm(2.0), gesture=gesture)
    assert edits.count() == 1
    edits.undo()
    assert document.spec == Spec(projected=False)
    assert "bias" not in document.matrices
    edits.redo()
    assert document.spec.temperature == 2.0
    assert "bias" in document.matrices


def test_whoever_follows_the_document_finds_the_edit_on_the_stack(edits, document):
    found = []
    document.changed.connect(lambda _change: found.append(edits.last))
    edits.submit(write(2.0))
    edits.submit(write(3.0))
    edits.undo()
    edits.undo()
    edits.redo()
    labels = [last.label if last is not None else None for last in found]
    assert labels == ["Write 2.0", "Write 3.0", "Write 2.0", None, "Write 2.0"]


def test_an_edit_made_by_whoever_is_told_of_another_lies_above_it(edits, document):
    def correct(_change):
        if document.matrix("X")[0, 0] == 2.0:
            edits.submit(write(3.0))

    document.changed.connect(correct)
    edits.submit(write(2.0))
    stack = edits.activeStack()
    assert [stack.text(i) for i in range(2)] == ["Write 2.0", "Write 3.0"]
    document.changed.disconnect(correct)
    seen = []
    for step in (edits.undo, edits.undo, edits.redo, edits.redo):
        step()
        seen.append(document.matrix("X")[0, 0])
    assert seen == [2.0, 1.0, 2.0, 3.0]


def test_an_edit_made_by_whoever_is_told_of_an_undone_one_follows_it(edits, document):
    for value in (2.0, 3.0, 4.0):
        edits.submit(write(value))

    def correct(_change):
        document.changed.disconnect(correct)
        edits.submit(write(9.0))

    document.changed.connect(correct)
    edits.activeStack().setIndex(1)
    assert document.matrix("X")[0, 0] == 9.0
    stack = edits.activeStack()
    assert [stack.text(i) for i in range(stack.count())] == ["Write 2.0", "Write 9.0"]
    edits.undo()
    edits.undo()
    assert document.matrix("X")[0, 0] == 1.0


def test_all_are_told_of_changes_in_the_order_in_which_they_were_made(edits, document):
    def correct(_change):
        if document.matrix("X")[0, 0] == 2.0:
            edits.submit(write(3.0))

    revisions = []
    document.changed.connect(correct)
    document.changed.connect(lambda change: revisions.append(change.revision))
    edits.submit(write(2.0))
    assert revisions == [1, 2]


def test_an_edit_can_be_undone_though_whoever_was_told_of_it_failed(
    edits, document, qtbot
):
    def fail(_change):
        raise RuntimeError("a mistake")

    document.changed.connect(fail)
    with qtbot.captureExceptions() as raised:
        scrub(edits, 1.1, 1.2)
        edits.submit(write(2.0))
        seen = []
        for step in (edits.undo, edits.undo, edits.redo, edits.redo):
            step()
            seen.append(document.matrix("X")[0, 0])
    assert seen == [1.2, 1.0, 1.2, 2.0]
    assert len(raised) == 7


def test_cells_of_one_gesture_all_come_back_though_whoever_was_told_of_one_failed(
    make_edits, qtbot
):
    start = [[1.0, 2.0, 3.0]]
    document = Document("row", ["a"], {"X": start}, Spec(projected=False))
    edits = make_edits(document)
    gesture = object()
    for column in range(3):
        cell = SetCells("Paint", "X", 0, column, np.array([[9.0]]))
        edits.submit(cell, gesture=gesture)

    def fail(_change):
        raise RuntimeError("a mistake")

    document.changed.connect(fail)
    with qtbot.captureExceptions():
        edits.undo()
        assert document.matrix("X").tolist() == start
        edits.redo()
    assert document.matrix("X").tolist() == [[9.0, 9.0, 9.0]]


def test_a_place_is_selected_once_the_tables_know_of_the_undone_edit(edits, document):
    here = InputSelection("X", Region(0, 0, 1, 1))
    order = []
    edits.cursor.move(here)
    edits.submit(write(2.0), then=InputSelection("X", Region(0, 0, 1, 2)))
    edits.submit(write(3.0))
    document.changed.connect(lambda change: order.append(change.revision))
    edits.cursor.wanted.connect(order.append)
    edits.activeStack().setIndex(0)
    assert order == [3, 4, here]


@pytest.fixture
def two():
    matrices = {"X": [[1.0]], "W_Q": [[2.0]], "W_K": [[3.0]], "W_V": [[4.0]]}
    return Document("two", ["a"], matrices)


def both(query, key):
    return [
        SetCells("Train", name, 0, 0, np.array([[value]]))
        for name, value in (("W_Q", query), ("W_K", key))
    ]


def numbers(document):
    return tuple(float(document.matrix(name)[0, 0]) for name in ("W_Q", "W_K"))


def test_edits_of_several_matrices_are_one_step_and_are_told_once(two, make_edits):
    edits, told = make_edits(two), []
    edits.indexChanged.connect(told.append)
    edits.submit_together(both(5.0, 6.0))
    assert (numbers(two), edits.count(), told) == ((5.0, 6.0), 1, [1])
    edits.undo()
    assert numbers(two) == (2.0, 3.0)
    edits.redo()
    assert numbers(two) == (5.0, 6.0)


def test_a_gesture_over_matrices_in_turn_keeps_two_states_alone(two, make_edits):
    edits, gesture = make_edits(two), object()
    for value in (5.0, 6.0, 7.0):
        edits.submit_together(both(value, -value), gesture=gesture)
    assert len(edits.last.inverses) == 2
    edits.undo()
    assert numbers(two) == (2.0, 3.0)
    edits.redo()
    assert numbers(two) == (7.0, -7.0)


def test_a_gesture_over_matrices_that_comes_back_leaves_no_step(two, make_edits):
    edits, gesture = make_edits(two), object()
    edits.submit_together(both(5.0, 6.0), gesture=gesture)
    edits.submit_together(both(2.0, 3.0), gesture=gesture)
    assert edits.count() == 0
    assert edits.isClean()


def test_of_edits_together_none_is_made_if_one_is_refused(two, make_edits):
    edits = make_edits(two)
    with pytest.raises(EditError, match="finite"):
        edits.submit_together(both(5.0, np.nan))
    assert (numbers(two), edits.count(), two.revision) == ((2.0, 3.0), 0, 0)


def test_a_gesture_keeps_apart_what_other_cells_of_a_matrix_were_given(make_edits):
    document = Document("wide", ["a"], {"X": [[1.0, 2.0]]}, Spec(projected=False))
    edits, gesture = make_edits(document), object()
    first = SetCells("One", "X", 0, 0, np.array([[5.0]]))
    whole = SetCells("All", "X", 0, 0, np.array([[6.0, 7.0]]))
    for edit in (first, whole, first):
        edits.submit(edit, gesture=gesture)
    edits.undo()
    assert document.matrix("X").tolist() == [[1.0, 2.0]]
    edits.redo()
    assert document.matrix("X").tolist() == [[5.0, 7.0]]
