"""Title and notes are edited and undone like the numbers."""

import pytest

from attnviewer.document import Document, Replace
from tests.documents import four_words, state_of


@pytest.mark.parametrize("name", ["title", "notes"])
def test_a_text_is_replaced_and_comes_back(name) -> None:
    document = four_words()
    before, state = getattr(document, name), state_of(document)
    changes: list[object] = []
    document.changed.connect(changes.append)
    inverse = document.apply(Replace("Rename", **{name: "Another"}))
    assert getattr(document, name) == "Another"
    assert state_of(document) == state
    assert len(changes) == 1
    again = document.apply(inverse)
    assert getattr(document, name) == before
    document.apply(again)
    assert getattr(document, name) == "Another"


def test_an_edit_of_one_text_leaves_the_other() -> None:
    document = Document("Lesson", four_words().tokens, four_words().matrices)
    document.apply(Replace("Edit notes", notes="Look at cell 0,2."))
    assert document.title == "Lesson"
    assert document.with_matrices(document.matrices).notes == "Look at cell 0,2."
