"""Options of a question, of which one or several are right."""

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.teaching.tasks import ChoiceTask
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.options import Options


class ChoiceAnswer(Answer):
    """Buttons for the options of a task."""

    def __init__(self, task: ChoiceTask, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        written = task.options(document)
        self._several = task.several
        self._rights = [option.right for option in written]
        texts = [option.text for option in written]
        self._options = Options(texts, self, several=task.several)
        self._options.changed.connect(self.changed)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._options)

    @property
    def answer(self) -> Any:
        return self._options.chosen

    @property
    def missing(self) -> str:
        return "" if self._options.chosen else self.tr("Choose an answer first.")

    def show_standing(self, standing: Standing) -> None:
        chosen = standing.answer if isinstance(standing.answer, tuple) else ()
        self._options.choose(chosen)
        signs: dict[int, bool] = {}
        if standing.finished:
            signs = {n: True for n, right in enumerate(self._rights) if right}
        elif standing.verdict is not None and not self._several:
            # Of several it is not told which: half of them would be given away.
            signs = dict.fromkeys(chosen, False)
        self._options.mark(signs)
        self._options.set_locked(locked=standing.finished)

    def enter(self) -> None:
        self._options.enter()

    def press_enter(self) -> bool:
        return self._options.choose_focused()

    def restyle(self) -> None:
        self._options.restyle()
