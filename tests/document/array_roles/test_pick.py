"""Matrices that are taken out of arrays."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document.array_roles.pick import (
    HEADS,
    Pick,
    parse_pick,
    shape_of,
    taken,
)

COUNTED = np.arange(24.0).reshape(2, 3, 4)


def test_a_matrix_is_taken_as_it_is():
    assert taken(Pick("a"), COUNTED[0]).tolist() == COUNTED[0].tolist()


def test_a_vector_is_a_row():
    assert taken(Pick("a"), np.array([1.0, 2.0])).tolist() == [[1.0, 2.0]]


def test_rows_and_columns_change_places():
    assert taken(Pick("a", transposed=True), np.array([[1.0, 2.0]])).tolist() == [
        [1.0],
        [2.0],
    ]


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        ((1, None, None), [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]),
        ((None, 1, None), [[4, 5, 6, 7], [16, 17, 18, 19]]),
        ((None, None, 3), [[3, 7, 11], [15, 19, 23]]),
    ],
)
def test_a_place_is_picked_along_any_axis(index, expected):
    assert taken(Pick("a", index), COUNTED).tolist() == expected


def test_heads_are_laid_side_by_side():
    assert taken(Pick("a", (HEADS, None, None)), COUNTED).tolist() == [
        [0, 1, 2, 3, 12, 13, 14, 15],
        [4, 5, 6, 7, 16, 17, 18, 19],
        [8, 9, 10, 11, 20, 21, 22, 23],
    ]


def test_heads_in_the_middle_are_laid_side_by_side():
    joined = taken(Pick("a", (None, HEADS, None)), COUNTED)
    assert joined.tolist() == [list(range(12)), list(range(12, 24))]


def test_each_head_is_transposed_by_itself():
    heads = np.array([[[1.0, 2.0]], [[3.0, 4.0]]])
    pick = Pick("a", (HEADS, None, None), transposed=True)
    assert taken(pick, heads).tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_heads_of_an_output_projection_are_laid_one_below_the_other():
    joined = taken(Pick("a", (HEADS, None, None)), COUNTED, below=True)
    assert joined.tolist() == COUNTED.reshape(6, 4).tolist()


def test_heads_of_a_bias_make_one_row():
    heads = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert taken(Pick("a", (HEADS, None)), heads).tolist() == [[1, 2, 3, 4]]


def test_a_third_is_one_of_the_columns_after_transposing():
    fused = np.arange(12.0).reshape(6, 2)
    pick = Pick("a", transposed=True, third=1)
    assert taken(pick, fused).tolist() == [[4, 6], [5, 7]]


def test_columns_that_make_no_thirds_are_refused():
    with pytest.raises(ValueError, match="Its 4 columns cannot be divided into thirds"):
        taken(Pick("a", third=0), np.ones((2, 4)))


@pytest.mark.parametrize(
    ("index", "reason"),
    [
        ((), "Two of its axes must be kept"),
        ((0, 0, 0), r"joined, of the others, as in a\[heads,:,:\]\.$"),
        ((HEADS, HEADS, None), "Two of its axes must be kept"),
        ((0, None), "Two of its axes must be kept"),
        ((2, None, None), "The index must be from 0 to 1. Got 2 instead"),
        ((-1, None, None), "The index must be from 0 to 1. Got -1 instead"),
    ],
)
def test_a_part_that_is_not_there_is_refused(index, reason):
    with pytest.raises(ValueError, match=reason):
        taken(Pick("a", index), COUNTED)


def test_a_slice_of_a_file_on_the_disk_leaves_the_rest_there(tmp_path):
    path = tmp_path / "a.npy"
    np.save(path, COUNTED)
    part = taken(Pick("a", (1, None, None)), np.load(path, mmap_mode="r"))
    assert isinstance(part, np.memmap)
    assert np.shares_memory(part, part.base)


places = st.one_of(st.none(), st.integers(0, 5), st.just(HEADS))
picks = st.builds(
    Pick,
    st.sampled_from(["w", "layer.0.w", "odd[0]", "odd.T", "w:1/3", "a b"]),
    st.lists(places, min_size=1, max_size=4).map(tuple) | st.just(()),
    st.booleans(),
    st.none() | st.integers(0, 2),
)
NAMES = ["w", "layer.0.w", "odd[0]", "odd", "odd.T", "w:1/3", "a b"]


@given(picks)
def test_a_pick_is_read_as_it_is_written(pick):
    assert parse_pick(str(pick), [pick.array]) == pick


@pytest.mark.parametrize("name", NAMES)
def test_the_end_of_a_name_is_not_taken_for_a_mark(name):
    assert parse_pick(name, NAMES) == Pick(name)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("v", "There is no array 'v'. There are: w."),
        ("w[x]", "An index must be a number, heads or a colon. Got 'x' instead."),
        ("w.T.T", "There is no array 'w.T.T'"),
        ("w:4/3", "There is no array"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(text, reason):
    with pytest.raises(ValueError, match=re.escape(reason)):
        parse_pick(text, ["w"])


def test_the_shape_of_a_part_takes_no_memory():
    huge = 100_000, 3, 2**40
    assert shape_of(Pick("a", (5, None, None)), huge) == (3, 2**40)
