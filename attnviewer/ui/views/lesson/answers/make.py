"""What the document shall become, ticked as it does."""

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.teaching.tasks import MakeTask
from attnviewer.ui.state.lesson import Learner, Standing
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.widgets.style_properties import set_styled

_SIGNS = {">=": "≥", "<=": "≤", "!=": "≠"}


class MakeAnswer(Answer):
    """A line for each condition; the document itself is the answer."""

    checkable = False

    def __init__(self, task: MakeTask, learner: Learner, parent: QWidget) -> None:
        super().__init__(parent)
        self._task, self._learner = task, learner
        self._finished = False
        self._marks: list[QLabel] = []
        self._lines: list[QLabel] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for condition in task.until:
            mark, line = QLabel(self), QLabel(_written(condition.text), self)
            mark.setObjectName("lesson.mark")
            line.setObjectName("lesson.condition")
            line.setWordWrap(True)
            mark.setFixedWidth(self.fontMetrics().height() + 4)
            row = QHBoxLayout()
            row.setSpacing(4)
            row.addWidget(mark)
            row.addWidget(line, 1)
            column.addLayout(row)
            self._marks.append(mark)
            self._lines.append(line)
        learner.edited.connect(self._tick)

    @property
    def answer(self) -> Any:
        return None

    def show_standing(self, standing: Standing) -> None:
        self._finished = standing.finished
        self._tick()

    def enter(self) -> None:
        """Leave the focus; the answer is made in the window."""

    def _tick(self) -> None:
        held = [True] * len(self._marks)
        if not self._finished:
            held = self._learner.holding(self._task)
        for mark, line, holds in zip(self._marks, self._lines, held, strict=True):
            mark.setText("✓" if holds else "○")
            set_styled(mark, "mark", "right" if holds else "")
            state = self.tr("done") if holds else self.tr("still to do")
            line.setAccessibleName(f"{line.text()}: {state}")


def _written(text: str) -> str:
    for typed, sign in _SIGNS.items():
        text = text.replace(typed, sign)
    return text
