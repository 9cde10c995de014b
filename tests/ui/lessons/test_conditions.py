"""Conditions are told in words, with the names of tokens."""

import pytest

from attnviewer.document import Document
from attnviewer.teaching.conditions import parse_condition
from attnviewer.ui.views.lesson.conditions import in_words, present


@pytest.fixture
def document():
    eye = [[1.0, 0.0], [0.0, 1.0]]
    matrices = {"X": eye, "W_Q": eye, "W_K": eye, "W_V": eye}
    return Document("T", ["the", "cat"], matrices)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("weights[1, 0] >= 0.8", "weights[cat, the] ≥ 0.8"),
        ('weights["cat", "the"] != 1', "weights[cat, the] ≠ 1"),
        ("Q[0, 1] < K[1, 0]", "Q[the, 1] < K[cat, 0]"),
        ("sum weights[1, :] = 1", "sum weights[cat, :] = 1"),
        ("entropy weights[0] < 1", "entropy weights[0] < 1"),
        (
            "largest weights[1, :] is 0",
            "in row “cat” of weights, the largest is at “the”",
        ),
        ("visible[1, 0]", "“cat” sees “the”"),
        ("hidden[:, 1]", "“cat” is hidden from every query"),
        ("option causal = true", "option causal = true"),
    ],
)
def test_each_kind_of_condition(document, written, words):
    assert in_words(parse_condition(written), document, document.compute()) == words


def test_the_number_as_it_is_now(document):
    trace = document.compute()
    assert present(parse_condition("Q[0, 0] > 3"), document, trace) == "now 1"
    assert present(parse_condition("visible[0, 0]"), document, trace) == ""
