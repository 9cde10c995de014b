"""Which weight of a sentence tells something."""

import numpy as np
import pytest

from attnviewer.compute import telling_cell, telling_key
from attnviewer.compute.telling import telling_tokens

TOKENS = ("[CLS]", "the", "cat", "is", "so", ",", "it", "sat", "[SEP]")


def test_words_are_neither_separators_nor_punctuation() -> None:
    tokens = ("[CLS]", "<s>", "<|endoftext|>", " ", ",", "'", "it", "3", "é", "[", "a]")
    telling = [6, 7, 8, 10]
    assert np.flatnonzero(telling_tokens(tokens)).tolist() == telling


@pytest.mark.parametrize(
    "dull",
    [(6, 0), (6, 8), (0, 6), (8, 2), (5, 1), (1, 5), (6, 6), (6, 7), (6, 3), (3, 6)],
)
def test_dull_weights_do_not_count_however_strong(dull) -> None:
    weights = np.full((9, 9), 0.01)
    weights[6, 2] = 0.2
    weights[dull] = 0.9
    assert telling_cell(weights, TOKENS) == (6, 2, 0.2)


def test_some_rows_are_read_as_the_queries_that_they_are() -> None:
    weights = np.zeros((2, 9))
    weights[0, [1, 3]] = 0.3, 0.6  # of “it”: “is” is near
    weights[1, 3] = 0.4  # of “sat”
    assert telling_cell(weights, TOKENS, 6) == (7, 3, 0.4)
    assert telling_cell(weights[:1], TOKENS, 6) == (6, 1, 0.3)


def test_of_one_query_only_what_is_next_to_it_is_left_out() -> None:
    row = np.array([0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert telling_key(row, TOKENS, 6) == 4
    assert telling_key(row, TOKENS, 3) == 7
    # A separator may ask as well.
    assert telling_key(row, TOKENS, 8) == 6
    assert telling_key(np.eye(9)[3], TOKENS, 3) is None


def test_nothing_is_told_of_zeros_and_of_what_is_no_number() -> None:
    assert telling_cell(np.full((9, 9), np.nan), TOKENS) is None
    assert telling_cell(np.zeros((9, 9)), TOKENS) is None
