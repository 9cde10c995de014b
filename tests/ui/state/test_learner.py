"""What a learner has opened, answered and made in a lesson."""

import numpy as np
import pytest

from attnviewer.document import SetCells
from attnviewer.teaching import lesson_from_text
from attnviewer.ui.state.lesson import Learner
from attnviewer.ui.state.workbench import Workbench
from tests.documents import four_words

LESSON = """---
title: Drawn
id: drawn
---
## Make

```document
tokens: left, right
options: scale=1
draw: Q K V
numbers: 0..3
d_k: 2
d_v: 2
seed: each
```
```task
kind: make
id: make
until: Q[0, 0] >= 5
only: Q
```

## Go on

```task
kind: numbers
id: scores
step: scores
```
"""


@pytest.fixture
def workbench(qapp):
    workbench = Workbench(four_words())
    yield workbench
    workbench.close()


def test_other_numbers_replace_what_was_made_of_those_before(
    workbench, tmp_path, qtbot
) -> None:
    learner = Learner(workbench, tmp_path, workbench)
    learner.draw_seed = iter(range(1, 100)).__next__
    learner.open(lesson_from_text(LESSON, tmp_path / "drawn.md"))
    drawn = workbench.document.matrix("Q").copy()
    edit = SetCells("edit", "Q", 0, 0, np.array([[7.0]]))
    with qtbot.waitSignal(learner.edited):
        workbench.edits.submit(edit)
    (task,) = learner.page.tasks
    assert learner.standing(task).outcome == "right"
    learner.go(1)
    assert workbench.document.matrix("Q")[0, 0] == 7
    learner.another()
    now = workbench.document.matrix("Q")
    assert now[0, 0] <= 3
    assert (now != drawn).any()
    learner.release()
