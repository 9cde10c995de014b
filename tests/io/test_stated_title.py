"""An example that was changed does not export under a title that no longer holds."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, SetCells
from attnviewer.document.sequences import rename_token
from attnviewer.io import load, read_session, save_session, stated_title
from attnviewer.io.export import Computation, statement

TITLE = "Four words, weights drawn with seed 42"


@pytest.fixture
def example() -> Document:
    return load("example:four-words")


@pytest.mark.parametrize(
    "edit",
    [
        lambda _: SetCells("Set", "X", 0, 0, np.array([[7.0]])),
        lambda document: rename_token(document, "X", 0, "cat", "Rename"),
        lambda _: Replace("Causal", spec=Spec(causal=True)),
    ],
)
def test_a_changed_example_says_so_until_the_change_is_undone(example, edit, tmp_path):
    assert stated_title(example) == example.title == TITLE
    inverse = example.apply(edit(example))
    changed = Computation.of(example)
    assert statement(changed)["title"] == f"{TITLE} (changed)"
    assert changed.notes == f"Of the example before it was changed: {example.notes}"
    save_session(example, tmp_path / "saved.attn")
    assert stated_title(read_session(tmp_path / "saved.attn")) == f"{TITLE} (changed)"
    example.apply(inverse)
    assert stated_title(example) == TITLE
    assert Computation.of(example).notes == example.notes


@pytest.mark.parametrize("texts", [{"title": "Lesson 3"}, {"notes": "My own words."}])
def test_a_title_or_notes_of_ones_own_are_exported_as_they_are(example, texts):
    example.apply(SetCells("Set", "X", 0, 0, np.array([[7.0]])))
    example.apply(Replace("Rename", **texts))
    assert stated_title(example) == texts.get("title", TITLE)
