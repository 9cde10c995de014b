"""A window with a short lesson, and what a learner does there."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton

from attnviewer.ui.features.lessons import LessonsFeature
from attnviewer.ui.views.lesson.answers.cell_table import AnswerTable

LEFT = Qt.MouseButton.LeftButton
LESSON = """---
title: Scores by hand
id: by-hand
minutes: 5
summary: Two words and their scores.
---
## Scores

The score is $q \\cdot k$.

```document
tokens: the, cat
options: scale=1
X: 1 0; 0 2
W_Q: 1 0; 0 1
W_K: 1 1; 0 1
W_V: 1 0; 0 1
```
```show
step: Q
view: table
cell: 1, 0
```
```task
kind: numbers
id: scores
step: scores
hint: Multiply and add.
hint: The first is $1 \\cdot 1$.
```
```task
kind: choice
id: which
ask: Which key gets most of the weight of *cat*?
options: keys
answer: largest weights[1, :]
```

## Look back

```task
kind: make
id: back
until: weights["cat", "the"] > 0.9
only: W_Q
```

## A mistake

```document
tokens: the, cat
X: 1 0; 0 2
W_Q: 1 0; 0 1
W_K: 1 1; 0 1
W_V: 1 0; 0 1
mistake: scale-missing
```
```task
kind: wrong-step
id: where
skip: no
```
```task
kind: mistake
id: what
options: scale-missing, scale-not-rooted
```

# Exercises

## Again

```document
tokens: a, b
draw: X W_Q W_K W_V
seed: each
```
```task
kind: numbers
id: again
step: Q
cells: 0, :
digits: 3
```
"""
SCORES = {(0, 0): "1", (0, 1): "0", (1, 0): "2", (1, 1): "4"}
"""By hand: X W_Q is X, X W_K is [[1, 1], [0, 2]], and Q Kᵀ their product."""


class Learning:
    """The Lesson dock of a window, used as a learner uses it."""

    def __init__(self, window, path, qtbot):
        self.window, self.path, self.qtbot = window, path, qtbot
        self.feature = window.feature(LessonsFeature)
        self.learner = self.feature.learner
        self.learner.draw_seed = iter(range(1, 100)).__next__

    def open(self):
        self.feature.open_path(self.path)
        self.rest()

    def restart(self):
        """Begin the lesson anew by its menu."""
        self.content.findChild(QAction, "action.lesson.restart").trigger()
        self.rest()

    def rest(self):
        engine = self.window.workbench.engine
        for _ in range(4):
            QApplication.processEvents()
        self.qtbot.waitUntil(lambda: not (engine.is_waiting or engine.is_behind))
        QApplication.processEvents()

    @property
    def content(self):
        return self.feature.panel.content

    def card(self, task):
        return self.content.page.card(task)

    def standing(self, task):
        page = self.learner.page
        return self.learner.standing(next(t for t in page.tasks if t.id == task))

    def button(self, name, within=None):
        return (within or self.content).findChild(QAbstractButton, f"lesson.{name}")

    def click(self, name, within=None):
        button = self.button(name, within)
        assert button.isVisible(), name
        assert button.isEnabled(), name
        QTest.mouseClick(button, LEFT)
        self.rest()

    def table(self, task):
        return self.card(task).findChild(AnswerTable)

    def type(self, task, *texts):
        """Type numbers from the first cell on, each left by Tab."""
        table = self.table(task)
        table.setFocus()
        table._go(0, 0)
        for text in texts:
            QTest.keyClicks(QApplication.focusWidget(), text)
            QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        self.rest()

    def choose(self, task, number):
        button = self.card(task).findChild(QAbstractButton, f"lesson.option.{number}")
        QTest.mouseClick(button, LEFT, pos=button.rect().center() * 0 + _near(button))
        self.rest()

    def said(self, task):
        from attnviewer.ui.widgets.typeset_text import TypesetText

        return self.card(task).findChild(TypesetText, "lesson.message").text

    def buttons(self):
        found = self.content.findChildren(QPushButton)
        return [button.text() for button in found if button.isVisible()]


def _near(button):
    from PySide6.QtCore import QPoint

    return QPoint(8, button.height() // 2)


@pytest.fixture
def lesson_path(tmp_path):
    path = tmp_path / "by-hand.md"
    path.write_text(LESSON, encoding="utf-8")
    return path


@pytest.fixture
def learning(window, lesson_path, qtbot):
    """A window in which the lesson has been opened."""
    learning = Learning(window, lesson_path, qtbot)
    learning.open()
    return learning
