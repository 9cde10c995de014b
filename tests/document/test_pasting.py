"""What pasting does to a document."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document, EditError, Region
from attnviewer.document.pasting import paste_and_grow, paste_tokens, tiled
from attnviewer.document.variants.dimensions import dimensions_to_fit
from tests import documents


@pytest.fixture
def two_words():
    matrices = {"X": [[1, 2, 3], [4, 5, 6]]}
    return Document("Two", ["word 1", "word 2"], matrices, Spec(projected=False))


@pytest.mark.parametrize(
    ("height", "width", "expected"),
    [
        (2, 4, [[1, 2, 1, 2], [1, 2, 1, 2]]),
        (1, 2, [[1, 2]]),
        (1, 1, [[1, 2]]),
        (3, 3, [[1, 2]]),
        (2, 2, [[1, 2], [1, 2]]),
    ],
)
def test_values_are_repeated_over_a_selection_that_they_fill_evenly(
    height, width, expected
):
    values = np.array([[1.0, 2.0]])
    assert tiled(values, Region(0, 0, height, width)).tolist() == expected


def test_rows_beyond_the_last_token_become_tokens_beside_zeros(two_words):
    values = np.array([[7.0, 8.0], [9.0, 10.0], [11.0, 12.0]])
    undo = two_words.apply(paste_and_grow(two_words, "X", 1, 1, values, "Paste"))
    expected = [[1, 2, 3], [4, 7, 8], [0, 9, 10], [0, 11, 12]]
    assert two_words.matrix("X").tolist() == expected
    assert two_words.tokens == ("word 1", "word 2", "word 3", "word 4")
    two_words.apply(undo)
    assert two_words.matrix("X").tolist() == [[1, 2, 3], [4, 5, 6]]
    assert two_words.tokens == ("word 1", "word 2")


def test_rows_within_the_tokens_add_none(two_words):
    two_words.apply(paste_and_grow(two_words, "X", 0, 2, np.array([[9.0]]), "Paste"))
    assert two_words.matrix("X").tolist() == [[1, 2, 9], [4, 5, 6]]
    assert two_words.tokens == ("word 1", "word 2")


def test_names_rename_tokens_and_those_beyond_become_tokens_of_zeros(two_words):
    two_words.apply(paste_tokens(two_words, "X", 1, ["b", "c"], "Paste"))
    assert two_words.tokens == ("word 1", "b", "c")
    assert two_words.matrix("X").tolist() == [[1, 2, 3], [4, 5, 6], [0, 0, 0]]
    two_words.apply(paste_tokens(two_words, "X", 0, ["a"], "Paste"))
    assert two_words.tokens == ("a", "b", "c")


def test_a_second_sequence_grows_by_itself():
    matrices = {"X": np.eye(2), "context": np.ones((1, 2))} | {
        f"W_{name}": np.eye(2) for name in "QKV"
    }
    spec = Spec(context=True)
    document = Document("Cross", ["a", "b"], matrices, spec, context_tokens=["k"])
    document.apply(paste_and_grow(document, "context", 1, 0, np.full((1, 2), 5.0), "P"))
    document.apply(paste_tokens(document, "context", 0, ["x", "y", "z"], "P"))
    assert document.context_tokens == ("x", "y", "z")
    assert document.matrix("context").tolist() == [[1, 1], [5, 5], [0, 0]]
    assert document.tokens == ("a", "b")


def test_tokens_names_and_dimensions_come_in_one_edit():
    document = documents.four_words()
    values = np.arange(8.0).reshape(2, 4)
    dimensions = dimensions_to_fit(document, "X", (4, 4))
    edit = paste_and_grow(
        *(document, "X", 3, 0, values, "Paste"),
        names=("cat", "sat"),
        dimensions=dimensions,
    )
    undo = document.apply(edit)
    assert document.tokens == ("word 1", "word 2", "word 3", "cat", "sat")
    assert document.matrix("X").shape == (5, 4)
    assert document.matrix("X")[3:].tolist() == values.tolist()
    assert document.matrix("W_V").shape == (4, 3)
    document.apply(undo)
    before = documents.four_words()
    assert document.tokens == before.tokens
    for name, matrix in before.matrices.items():
        assert document.matrix(name).tolist() == matrix.tolist()


@pytest.mark.parametrize(
    ("matrix", "shape", "changed"),
    [
        ("X", (4, 5), {"d_model": 5}),
        ("W_Q", (3, 5), {"d_k": 5}),
        ("W_K", (6, 5), {"d_k": 5, "d_model": 6}),
        ("W_V", (3, 5), {"d_v": 5}),
        ("X", (5, 3), None),
    ],
)
def test_a_shape_is_told_by_the_widths_that_decide_it(matrix, shape, changed):
    document = documents.four_words()
    found = dimensions_to_fit(document, matrix, shape)
    if changed is None:
        assert found is None
    else:
        width = {"d_model": 3, "d_k": 3, "d_v": 3} | changed
        assert (found.d_model, found.d_k, found.d_v) == tuple(width.values())


def test_impossible_dimensions_change_nothing():
    document = documents.four_words()
    dimensions = dimensions_to_fit(document, "X", (4, 2**15))
    values = np.zeros((1, 2**15))
    with pytest.raises(EditError, match="The 'd_model' must be from 1 to"):
        paste_and_grow(document, "X", 0, 0, values, "Paste", dimensions=dimensions)
    assert document.revision == 0
