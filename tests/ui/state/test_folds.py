"""Which groups of tokens are folded, as tokens move and cells are pointed at."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.grouping import group_tokens
from attnviewer.document.sequences import insert_tokens, move_tokens, remove_tokens
from attnviewer.ui.state.folds import FoldModel


@pytest.fixture
def document():
    x = np.eye(6)
    document = Document("some", [*"abcdef"], {"X": x}, Spec(projected=False))
    document.apply(group_tokens(document, 0, 2, "one", "group"))
    document.apply(group_tokens(document, 3, 5, "two", "group"))
    return document


@pytest.fixture
def folds(qapp, document):
    return FoldModel(lambda: document)


def folded(folds):
    return sorted((side, *group) for side, group in folds.current.folded)


def test_a_folded_group_stays_so_while_its_tokens_move_or_more_join_it(
    folds, document
) -> None:
    folds.toggle("queries", folds.current.queries[1])
    new = np.zeros((1, 6))
    document.apply(insert_tokens(document, "X", 0, ["new"], new, "insert"))
    folds.follow()
    assert folded(folds) == [("queries", "two", 4, 6)]
    document.apply(insert_tokens(document, "X", 5, ["inside"], new, "insert"))
    folds.follow()
    assert folded(folds) == [("queries", "two", 4, 7)]
    document.apply(move_tokens(document, "X", 0, 1, 7, "move"))
    folds.follow()
    assert folded(folds) == [("queries", "two", 3, 6)]
    document.apply(remove_tokens(document, "X", 3, 3, "remove"))
    folds.follow()
    assert folded(folds) == []


def test_the_groups_of_a_cell_are_folded_unless_all_are(folds) -> None:
    one, two = folds.current.queries
    folds.toggle("queries", one)
    both = [("keys", *two), ("queries", *one)]
    assert folds.toggle_at(("queries", "keys"), (0, 3))
    assert folded(folds) == both
    assert folds.toggle_at(("queries", "keys"), (0, 3))
    assert folded(folds) == []
    assert not folds.toggle_at(("queries", "features"), (2, 0))
