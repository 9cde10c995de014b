"""Naive embeddings of tokens."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.document import EditError
from attnviewer.document.embeddings import embed, with_kept_rows

TOKENS = ["the", "cat", "saw", "the", "dog"]
NAMES = st.lists(st.text(max_size=3), min_size=1, max_size=8)


def test_random_rows_are_those_of_the_notebooks():
    # np.random.seed(42); np.random.rand(2, 3), as printed by NumPy's documentation.
    rows = [[0.37454012, 0.95071431, 0.73199394], [0.59865848, 0.15601864, 0.15599452]]
    np.testing.assert_allclose(embed(["a", "b"], 3, "random", 42), rows, atol=5e-9)


def test_equal_words_have_equal_random_rows_on_demand_alone():
    apart = embed(TOKENS, 4, "random", 7)
    alike = embed(TOKENS, 4, "random", 7, alike=True)
    assert (apart[0] != apart[3]).all()
    assert (alike[0] == alike[3]).all()
    assert len(np.unique(alike, axis=0)) == 4


def test_one_hot_rows_are_numbered_by_first_appearance():
    assert embed(TOKENS, 5, "one-hot").tolist() == [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 1, 0],
    ]


def test_one_hot_rows_tell_how_many_columns_they_need():
    with pytest.raises(EditError) as caught:
        embed(TOKENS, 3, "one-hot")
    assert str(caught.value) == (
        "One-hot rows need a column for each distinct token: d_model must be at least "
        "4. Got 3 instead."
    )


@given(NAMES, NAMES, st.integers(0, 2**32 - 1))
def test_hashed_rows_are_the_words_own_in_every_sentence(one, other, seed):
    rows = {}
    for tokens in (one, other):
        for token, row in zip(tokens, embed(tokens, 3, "hashed", seed), strict=True):
            assert rows.setdefault(token, row.tolist()) == row.tolist()
            assert ((row >= 0) & (row < 1)).all()
    assert len({tuple(row) for row in rows.values()}) == len(rows)


def test_hashed_rows_do_not_depend_on_the_start_of_the_program():
    code = "from attnviewer.document.embeddings import embed; print(embed(['cat'], 2, "
    code += "'hashed', 3).tolist())"
    here = embed(["cat"], 2, "hashed", 3).tolist()
    for seed in ("0", "1"):
        there = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            text=True,
        )
        assert there.stdout.strip() == str(here)


def test_hashed_rows_change_with_the_seed():
    assert (embed(["cat"], 4, "hashed", 0) != embed(["cat"], 4, "hashed", 1)).all()


def test_a_lone_surrogate_has_a_hashed_row_too():
    assert embed(["\ud800"], 2, "hashed").shape == (1, 2)


def test_tokens_that_stay_keep_their_rows_and_repeated_ones_the_last():
    present = np.array([[1.0], [2.0], [3.0]])
    rows = np.array([[-1.0], [-2.0], [-3.0], [-4.0], [-5.0]])
    kept = with_kept_rows(
        ["dog", "the", "the", "the", "cat"], rows, ["the", "cat", "the"], present
    )
    assert kept.tolist() == [[-1], [1], [3], [3], [2]]
    assert rows[1].tolist() == [-2.0]
