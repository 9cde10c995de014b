"""A slip in one step costs that step alone: what follows from it is right."""

import pytest
from PySide6.QtCore import Qt

from tests.ui.lessons.conftest import Learning

LESSON = """---
title: Carried
id: carried
---
## From queries to scores

```document
tokens: the, cat
options: scale=1
X: 1 0; 0 2
W_Q: 1 0; 0 1
W_K: 1 1; 0 1
W_V: 1 0; 0 1
```
```task
kind: numbers
id: queries
step: Q
```
```task
kind: numbers
id: scores
step: scores
```
"""


@pytest.fixture
def learning(window, tmp_path, qtbot):
    path = tmp_path / "carried.md"
    path.write_text(LESSON, encoding="utf-8")
    learning = Learning(window, path, qtbot)
    learning.open()
    return learning


def spoken(learning, task, row, column):
    cells = learning.table(task).cells
    return cells.index(row, column).data(Qt.ItemDataRole.AccessibleTextRole)


def test_what_follows_from_a_wrong_number_is_ticked_and_a_further_slip_is_still_one(
    learning,
):
    # By hand: the last query should be 2; with 3 its scores are 3·1 and 3·2.
    learning.type("queries", "1", "0", "0", "3")
    learning.click("check", learning.card("queries"))
    assert learning.standing("queries").outcome == "wrong"
    learning.type("scores", "1", "0", "3", "6")
    learning.click("check", learning.card("scores"))
    assert learning.standing("scores").outcome == "right"
    follows = "right: it follows from your earlier numbers"
    assert spoken(learning, "scores", 1, 1) == f"cat, cat: 6, {follows}"
    assert spoken(learning, "scores", 0, 0) == "the, the: 1, right"
    assert "follows from your earlier numbers" in learning.said("scores")

    learning.learner.restart()
    learning.rest()
    learning.type("queries", "1", "0", "0", "3")
    learning.click("check", learning.card("queries"))
    learning.type("scores", "1", "0", "3", "7")
    learning.click("check", learning.card("scores"))
    verdict = learning.standing("scores").verdict
    assert [c for c, v in verdict.cells.items() if not v.right] == [(1, 1)]
