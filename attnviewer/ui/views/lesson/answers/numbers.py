"""Numbers of a step, typed into empty cells."""

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.teaching.tasks import NumbersTask
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.tokens import lines_along
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.cell_table import AnswerTable
from attnviewer.ui.views.lesson.answers.cells import AnswerCells
from attnviewer.ui.widgets.reason import ReasonBubble


class NumbersAnswer(Answer):
    """A table of empty cells with the tokens' names."""

    def __init__(
        self,
        task: NumbersTask,
        document: Document,
        reason: ReasonBubble,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        trace = document.compute()
        axes, shape = trace.stages[task.step].axes, trace.shape(task.step)[-2:]
        rows, columns = (
            lines_along(axis, document.labels, count)
            for axis, count in zip(axes, shape, strict=True)
        )
        self._cells = AnswerCells(
            task.cells(document), (rows, columns), task.tolerance, self
        )
        self._table = AnswerTable(self._cells, reason, self)
        title = step_title(task.step)
        if trace.n_heads(task.step) > 1:
            title = self.tr("{step}, H{head}").format(step=title, head=task.head)
        self._table.setAccessibleName(
            self.tr("Your numbers: {step}").format(step=title)
        )
        self._cells.typed.connect(self.changed)
        self._table.left.connect(self.done)
        name = QLabel(title, self)
        name.setObjectName("lesson.cells.title")
        row = QHBoxLayout()
        row.addWidget(self._table)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(name)
        column.addLayout(row)

    @property
    def answer(self) -> Any:
        return self._cells.texts

    @property
    def missing(self) -> str:
        if not self._cells.texts:
            return self.tr("Type the numbers into the empty cells first.")
        return ""

    def show_standing(self, standing: Standing) -> None:
        texts = standing.answer if isinstance(standing.answer, dict) else {}
        verdict = standing.verdict
        # The verdict is on the numbers as they were checked.
        cells = {} if verdict is None else verdict.cells
        self._cells.show(texts, cells, locked=standing.finished)

    def enter(self) -> None:
        self._table.enter()

    def commit(self) -> None:
        self._table.commit_editors()

    def restyle(self) -> None:
        self._table.fit()
