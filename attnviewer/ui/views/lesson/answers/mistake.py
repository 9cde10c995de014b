"""The mistake that a document computes with, chosen from a list."""

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.teaching.mistaken import mistake_title
from attnviewer.teaching.tasks import MistakeTask
from attnviewer.ui.paint.markdown import escaped
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.options import Options


class MistakeAnswer(Answer):
    """A button for each mistake."""

    def __init__(self, task: MistakeTask, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._ids = task.options(document)
        self._options = Options([escaped(mistake_title(id)) for id in self._ids], self)
        self._options.changed.connect(self.changed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._options)

    @property
    def answer(self) -> Any:
        chosen = self._options.chosen
        return self._ids[chosen[0]] if chosen else None

    @property
    def missing(self) -> str:
        return "" if self._options.chosen else self.tr("Choose a mistake first.")

    def show_standing(self, standing: Standing) -> None:
        ids, answer = self._ids, standing.answer
        chosen = [ids.index(answer)] if answer in ids else []
        self._options.choose(chosen)
        said = standing.verdict
        self._options.mark({} if said is None else dict.fromkeys(chosen, said.right))
        self._options.set_locked(locked=standing.finished)

    def enter(self) -> None:
        self._options.enter()

    def press_enter(self) -> bool:
        return self._options.choose_focused()

    def restyle(self) -> None:
        self._options.restyle()
