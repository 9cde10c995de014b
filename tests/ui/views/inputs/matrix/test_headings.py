import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.views.inputs.matrix.headings import headings_of


@pytest.fixture
def grouped():
    """4 query heads of 2, 2 heads of keys of 2 and of values of 3."""
    shapes = {
        "X": (3, 5),
        "W_Q": (5, 8),
        "b_Q": (1, 8),
        "W_K": (5, 4),
        "b_K": (1, 4),
        "W_V": (5, 6),
        "b_V": (1, 6),
        "W_O": (12, 5),
        "b_O": (1, 5),
        "bias": (3, 3),
    }
    matrices = {name: np.zeros(shape) for name, shape in shapes.items()}
    spec = Spec(
        n_heads=4,
        n_kv_heads=2,
        output_projection=True,
        biases=("b_Q", "b_K", "b_V", "b_O"),
        bias=True,
    )
    return Document("Grouped", ["the", "cat", "sat"], matrices, spec)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("X", []),
        ("W_Q", [2, 4, 6]),
        ("b_Q", [2, 4, 6]),
        ("W_K", [2]),
        ("b_K", [2]),
        ("W_V", [3]),
        ("b_V", [3]),
        ("W_O", []),
        ("b_O", []),
        ("bias", []),
    ],
)
def test_heads_divide_the_columns_of_what_makes_their_queries_keys_and_values(
    grouped, name, places
):
    rows, columns = headings_of(grouped, name)
    assert list(columns.boundaries()) == places
    assert list(rows.boundaries()) == ([3, 6, 9] if name == "W_O" else [])


def test_a_heading_names_head_and_dimension_where_there_are_several_heads(grouped):
    _, columns = headings_of(grouped, "W_V")
    labels = [columns.label(place) for place in range(6)]
    assert labels == ["H0·0", "H0·1", "H0·2", "H1·0", "H1·1", "H1·2"]
    assert columns.tip(3) == "3: head 1, dimension 0"
    rows, _ = headings_of(grouped, "W_O")
    assert rows.label(11) == "H3·2"
    rows, _ = headings_of(grouped, "W_V")
    assert (rows.label(4), rows.tip(4)) == ("4", "dimension 4")


def test_a_cell_is_named_by_its_place_whatever_its_head(grouped):
    _, columns = headings_of(grouped, "W_V")
    assert columns.name(3) == "3"


def test_columns_of_a_score_bias_are_keys(grouped):
    rows, columns = headings_of(grouped, "bias")
    assert (rows.label(0), columns.label(2)) == ("the", "sat")
    assert columns.tip(2) == "2: sat"
    context = Document(
        "Cross",
        ["a"],
        {
            "X": np.zeros((1, 2)),
            "context": np.zeros((2, 2)),
            "bias": np.zeros((1, 2)),
        },
        Spec(projected=False, context=True, bias=True),
        context_tokens=["k0", "k1"],
    )
    rows, columns = headings_of(context, "bias")
    assert (rows.tokens, columns.tokens) == (("a",), ("k0", "k1"))
    assert headings_of(context, "context")[0].label(1) == "k1"


def test_a_matrix_that_the_heads_do_not_divide_has_plain_headings():
    matrices = {"X": np.zeros((1, 3)), "W_Q": np.zeros((3, 5))}
    document = Document("Kept", ["a"], matrices, Spec(projected=False))
    assert headings_of(document, "W_Q")[1].label(4) == "4"


def test_room_for_headings_never_depends_on_all_tokens(grouped):
    assert headings_of(grouped, "X")[0].characters == 9
    assert headings_of(grouped, "W_O")[0].characters == len("H3·2")
