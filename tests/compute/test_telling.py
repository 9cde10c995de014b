"""Which weight of a sentence tells something."""

import numpy as np
import pytest

from attnviewer.compute import telling_cell, telling_key, telling_tokens

TOKENS = ("[CLS]", "the", "cat", "is", "so", ",", "it", "sat", "[SEP]")


def with_weights(**weights):
    """Return weights between tokens, named by both, shape (9, 9)."""
    matrix = np.full((9, 9), 0.01)
    for names, weight in weights.items():
        query, key = map(TOKENS.index, names.split("_"))
        matrix[query, key] = weight
    return matrix


def test_words_are_neither_separators_nor_punctuation() -> None:
    tokens = ("[CLS]", "<s>", "<|endoftext|>", " ", ",", "'", "it", "3", "é", "[", "a]")
    telling = [6, 7, 8, 10]
    assert np.flatnonzero(telling_tokens(tokens)).tolist() == telling
    assert telling_tokens(["␣", " ", "⏎", "", "🐈", "+"]).tolist() == [
        *(False, False, False, False),
        *(True, True),
    ]


@pytest.mark.parametrize(
    ("tokens", "telling"),
    [
        (["[CLS]", "plum", "##s", ",", "bread", "##"], ["plum", "bread"]),
        (
            ["Un", "able", "␣cats", ",", "␣the", "y", "␣sat"],
            ["Un", "␣cats", "␣the", "␣sat"],
        ),
        (["a", "b", "."], ["a", "b"]),
    ],
)
def test_of_a_word_in_pieces_the_first_one_stands_for_it(tokens, telling) -> None:
    assert np.array(tokens)[telling_tokens(tokens)].tolist() == telling


@pytest.mark.parametrize(
    "dull",
    [(6, 0), (6, 8), (0, 6), (8, 2), (5, 1), (1, 5), (6, 6), (6, 7), (3, 4)],
)
def test_dull_weights_do_not_count_however_strong(dull) -> None:
    weights = with_weights(it_cat=0.6)
    weights[dull] = 0.99
    assert telling_cell(weights, TOKENS) == (6, 2, 0.6)


def test_a_key_tells_if_it_gets_the_majority_of_its_query() -> None:
    assert telling_cell(with_weights(it_cat=0.5), TOKENS) == (6, 2, 0.5)
    assert telling_cell(with_weights(it_cat=0.49), TOKENS) is None


def test_the_farther_of_two_keys_tells_more_but_less_than_in_proportion() -> None:
    # 0.6 × log 5 > 0.95 × log 2
    assert telling_cell(with_weights(sat_cat=0.6, it_so=0.95), TOKENS) == (7, 2, 0.6)
    # 0.6 × log 5 < 0.8 × log 4, although it is farther
    found = telling_cell(with_weights(sat_cat=0.6, it_cat=0.8), TOKENS)
    assert found == (6, 2, 0.8)
    assert found.score == pytest.approx(0.8 * np.log(4))


def test_some_rows_are_read_as_the_queries_that_they_are() -> None:
    weights = np.zeros((2, 9))
    weights[0, 1] = 0.8  # of “it”
    weights[1, 3] = 0.7  # of “sat”
    assert telling_cell(weights, TOKENS, 6) == (6, 1, 0.8)
    assert telling_cell(weights[1:], TOKENS, 7) == (7, 3, 0.7)


def test_of_one_query_the_strongest_key_that_is_not_next_to_it_is_taken() -> None:
    row = np.array([0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    assert telling_key(row, TOKENS, 6) == 4
    assert telling_key(row, TOKENS, 3) == 7
    # A separator may ask as well.
    assert telling_key(row, TOKENS, 8) == 6
    assert telling_key(np.eye(9)[3], TOKENS, 3) is None


def test_nothing_is_told_of_zeros_and_of_what_is_no_number() -> None:
    assert telling_cell(np.full((9, 9), np.nan), TOKENS) is None
    assert telling_cell(np.zeros((9, 9)), TOKENS) is None
    weights = with_weights(it_cat=np.inf, it_the=0.6)
    assert telling_cell(weights, TOKENS) == (6, 1, 0.6)
