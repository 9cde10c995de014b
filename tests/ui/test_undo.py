import numpy as np
import pytest
from PySide6.QtGui import QKeySequence

from attnviewer.compute import Spec
from attnviewer.document import Document, EditError, SetCells
from attnviewer.ui.undo import EditStack


@pytest.fixture
def document():
    return Document("one", ["a"], {"X": [[1.0]]}, Spec(projected=False))


@pytest.fixture
def edits(document, qapp):
    return EditStack(document)


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
