"""The conditions on the document, ticked as they are met."""

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.teaching.tasks import MakeTask
from attnviewer.ui.state.lesson import Learner, Standing
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.conditions import holds_now, in_words, present
from attnviewer.ui.widgets.style_properties import set_styled


class MakeAnswer(Answer):
    """A line for each condition; the document itself is the answer."""

    checkable = False

    def __init__(self, task: MakeTask, learner: Learner, parent: QWidget) -> None:
        super().__init__(parent)
        self._task, self._learner = task, learner
        self._finished = False
        self._marks: list[QLabel] = []
        self._lines: list[QLabel] = []
        self._nows: list[QLabel] = []
        document = learner.document
        trace = document.compute()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for condition in task.until:
            text = in_words(condition, document, trace)
            mark, line, now = QLabel(self), QLabel(text, self), QLabel(self)
            mark.setObjectName("lesson.mark")
            line.setObjectName("lesson.condition")
            now.setObjectName("lesson.now")
            line.setTextFormat(Qt.TextFormat.PlainText)
            line.setWordWrap(True)
            row = QHBoxLayout()
            row.setSpacing(4)
            row.addWidget(mark)
            row.addWidget(line, 1)
            row.addWidget(now)
            column.addLayout(row)
            self._marks.append(mark)
            self._lines.append(line)
            self._nows.append(now)
        self.restyle()
        learner.edited.connect(self._tick)

    @property
    def answer(self) -> Any:
        return None

    def show_standing(self, standing: Standing) -> None:
        self._finished = standing.finished
        self._tick()

    def enter(self) -> None:
        """Leave the focus; the answer is made in the window."""

    def restyle(self) -> None:
        for mark in self._marks:
            mark.setFixedWidth(self.fontMetrics().height() + 4)

    def _tick(self) -> None:
        document, trace = self._learner.present()
        parts = zip(self._task.until, self._marks, self._lines, self._nows, strict=True)
        for condition, mark, line, now in parts:
            holds = self._finished
            if document is not None and trace is not None:
                holds = holds or holds_now(condition, document, trace)
                now.setText(present(condition, document, trace))
            mark.setText("✓" if holds else "–")
            set_styled(mark, "mark", "right" if holds else "")
            state = self.tr("done") if holds else self.tr("still to do")
            line.setAccessibleName(f"{line.text()}: {state}")
