"""Copies made bit by bit: at the end they are the document, whatever came meanwhile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, SetCells
from attnviewer.document import copying as copying_module
from attnviewer.document.copying import GradualCopy
from tests.documents import four_words, state_of


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(copying_module, "PIECE", 48)  # two rows of three numbers


def steps_of(copy: GradualCopy) -> int:
    steps = 0
    while copy.go_on():
        steps += 1
    return steps


def test_a_document_is_copied_in_pieces_and_later_edits_leave_the_copy():
    document = four_words()
    copy = GradualCopy(document)
    assert steps_of(copy) == 2 + 2 + 2 + 2  # four rows of X, three of each weight
    copied = copy.finished()
    before = state_of(document)
    assert state_of(copied) == before
    assert copied.title == "Four words"
    document.apply(SetCells("Set", "X", 0, 0, np.array([[9.0]])))
    assert state_of(copied) == before
    assert not document.changed  # nobody listens any more


def test_rows_longer_than_a_piece_are_copied_one_by_one():
    document = Document(
        "Wide", ["a", "b"], {"X": np.arange(80.0).reshape(2, 40)}, Spec(projected=False)
    )
    copy = GradualCopy(document)
    assert steps_of(copy) == 2
    assert copy.finished().matrix("X").tolist() == document.matrix("X").tolist()


EDITS = [
    SetCells("One", "X", 0, 0, np.array([[9.0]])),
    SetCells("Last", "W_V", 2, 2, np.array([[-0.0]])),
    SetCells("Many", "W_K", 0, 0, np.full((3, 3), 5.0)),
    Replace("Spec", spec=Spec(causal=True)),
    Replace(
        "Fewer",
        tokens=("a", "b"),
        matrices={"X": np.ones((2, 3))},
    ),
    Replace("Bias", matrices={"bias": np.zeros((4, 4))}),
]


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(EDITS[:4])), max_size=6))
def test_edits_that_come_meanwhile_are_in_the_copy(edits):
    document = four_words()
    copy = GradualCopy(document)
    for steps, edit in edits:
        for _ in range(steps):
            copy.go_on()
        document.apply(edit)
    steps_of(copy)
    assert state_of(copy.finished()) == state_of(document)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.label)
@pytest.mark.parametrize("steps", [0, 1, 3, 20])
def test_an_edit_at_any_moment_is_in_the_copy(edit, steps):
    document = four_words()
    copy = GradualCopy(document)
    for _ in range(steps):
        copy.go_on()
    document.apply(edit)
    steps_of(copy)
    assert state_of(copy.finished()) == state_of(document)


def test_edits_that_are_told_after_all_of_them_were_made_are_in_the_copy():
    document = four_words()
    document.apply(EDITS[-1])
    copy = GradualCopy(document)
    copy.go_on()
    in_a_matrix = SetCells("Set", "bias", 3, 3, np.array([[1.0]]))
    without_it = Replace("No bias", matrices={"bias": None})
    changes = [document.apply_quietly(e)[1] for e in (in_a_matrix, without_it)]
    for change in changes:
        document.changed.emit(change)
    steps_of(copy)
    assert state_of(copy.finished()) == state_of(document)


def test_a_copy_that_is_given_up_listens_no_more():
    document = four_words()
    copy = GradualCopy(document)
    assert document.changed
    copy.close()
    assert not document.changed


def test_what_fits_goes_into_the_room_that_was_made_and_the_rest_elsewhere():
    document = four_words()
    room = {
        "X": np.full((4, 3), 9.0),
        "W_Q": np.zeros((2, 2)),
        "W_K": np.zeros((3, 3), bool),
    }
    copy = GradualCopy(document, room)
    steps_of(copy)
    copied = copy.finished()
    assert state_of(copied) == state_of(document)
    assert np.shares_memory(copied.matrix("X"), room["X"])
