import numpy as np
import pytest

from attnviewer.document import Labels
from attnviewer.ui.state.first_look import telling_cell


def look(weights, queries, keys=None):
    names = tuple(queries)
    return telling_cell(np.array(weights), Labels(names, tuple(keys or names)))


def test_the_strongest_weight_off_the_diagonal_and_the_first_key_is_taken():
    weights = [[1.0, 0.0, 0.0], [0.7, 0.1, 0.2], [0.2, 0.3, 0.5]]
    assert look(weights, ["a", "b", "c"]) == (2, 1)


def test_between_two_sequences_there_is_no_diagonal():
    weights = [[0.1, 0.0, 0.9], [0.1, 0.8, 0.1]]
    assert look(weights, ["a", "b"], ["x", "y", "z"]) == (0, 2)
    weights = [[0.1, 0.1, 0.8], [0.05, 0.9, 0.05]]
    assert look(weights, ["a", "b"], ["x", "y", "z"]) == (1, 1)


@pytest.mark.parametrize(
    "separator",
    ["[SEP]", "[CLS]", "<s>", "</s>", "<|endoftext|>", ".", "…", "“?!”", "", " "],
)
def test_separators_are_passed_over_as_keys_and_as_queries(separator):
    weights = [
        [0.5, 0.1, 0.1, 0.3],
        [0.1, 0.1, 0.2, 0.6],
        [0.1, 0.2, 0.1, 0.6],
        [0.0, 0.5, 0.5, 0.0],
    ]
    assert look(weights, ["a", "b", "c", separator]) == (1, 2)


def test_words_with_punctuation_in_them_are_words():
    weights = [[0.4, 0.3, 0.3], [0.1, 0.1, 0.8], [0.2, 0.3, 0.5]]
    assert look(weights, ["a", "b", "it's"]) == (1, 2)


def test_where_all_weight_is_on_the_first_key_a_query_that_sees_several_is_taken():
    weights = [[1.0, 0.0, 0.0], [0.6, 0.4, 0.0], [0.5, 0.0, 0.5]]
    assert look(weights, ["a", "b", "c"]) == (1, 0)


def test_undefined_and_infinite_weights_are_passed_over():
    weights = [[0.1, np.nan, np.inf], [0.1, 0.1, 0.2], [0.1, 0.1, 0.1]]
    assert look(weights, ["a", "b", "c"]) == (1, 2)


def test_a_single_word_is_selected_itself():
    assert look([[1.0]], ["a"]) == (0, 0)
