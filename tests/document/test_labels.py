"""The names of rows, columns and cells."""

import numpy as np
import pytest

from attnviewer.compute import Spec, run
from attnviewer.document import Labels, cell_name, distinct_label
from attnviewer.document.labels import axis_label, axis_labels

_TOKENS = Labels(("the", "cat"), ("the", "cat"))


@pytest.mark.parametrize("axis", ["tokens", "queries", "keys"])
def test_rows_and_columns_of_tokens_bear_the_tokens(axis) -> None:
    assert axis_labels(axis, _TOKENS, 2) == ["the", "cat"]


def test_features_are_numbered_from_zero() -> None:
    assert axis_labels("features", _TOKENS, 3) == ["0", "1", "2"]


def test_a_step_older_than_its_tokens_still_has_a_label_for_each_row() -> None:
    assert axis_labels("queries", _TOKENS, 4) == ["the", "cat", "2", "3"]
    assert axis_labels("queries", _TOKENS, 1) == ["the"]
    assert axis_label("keys", _TOKENS, 2) == "2"


def test_a_cell_is_named_by_its_step_and_tokens() -> None:
    trace = run(Spec(n_heads=2), {n: np.eye(2) for n in ("X", "W_Q", "W_K", "W_V")})
    names = {
        step: cell_name(trace.stages[step], _TOKENS, index)
        for step, index in [("weights", (1, 0, 1)), ("X", (1, 0)), ("W_Q", (0, 1))]
    }
    assert names["X"].startswith("X")
    assert names["weights"].startswith("weights")
    for step, labels in [("weights", ("the", "cat")), ("X", ("cat", "0"))]:
        assert all(label in names[step] for label in labels)
    assert names["W_Q"].endswith("[0, 1]")


def test_equal_tokens_are_told_apart_in_running_text_by_their_places() -> None:
    tokens = Labels(("a", "red", "a"), ("a", "red", "a"))
    assert distinct_label("keys", tokens, 0) == "a (0)"
    assert distinct_label("queries", tokens, 2) == "a (2)"
    assert distinct_label("keys", tokens, 1) == "red"
    assert distinct_label("features", tokens, 2) == "2"
    assert distinct_label("keys", tokens, 2, str.upper) == "A (2)"


def test_keys_bear_the_tokens_of_the_second_sequence() -> None:
    labels = Labels(("the", "cat"), ("die", "Katze", "die"))
    assert axis_labels("queries", labels, 2) == ["the", "cat"]
    assert axis_labels("keys", labels, 3) == ["die", "Katze", "die"]
    assert distinct_label("keys", labels, 2) == "die (2)"
    assert distinct_label("tokens", labels, 0) == "the"
