"""The first wrong step, chosen from a list or in the strip."""

from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.teaching.tasks import WrongStepTask
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.views.lesson.answers.answer import Answer
from attnviewer.ui.views.lesson.answers.options import Options


class WrongStepAnswer(Answer):
    """A button for each computed step; the chosen one is the step that is shown."""

    def __init__(
        self,
        task: WrongStepTask,
        document: Document,
        selection: SelectionModel,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._selection = selection
        self._names = task.options(document)
        self._locked = False
        texts = [f"`{name}`" for name in self._names]
        self._options = Options(texts, self)
        self._options.changed.connect(self._show_step)
        selection.step_changed.connect(self._on_step)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._options)

    @property
    def answer(self) -> Any:
        chosen = self._options.chosen
        return self._names[chosen[0]] if chosen else None

    @property
    def missing(self) -> str:
        return "" if self._options.chosen else self.tr("Choose a step first.")

    def show_standing(self, standing: Standing) -> None:
        names, answer = self._names, standing.answer
        chosen = [names.index(answer)] if answer in names else []
        self._options.choose(chosen)
        said = standing.verdict
        self._options.mark({} if said is None else dict.fromkeys(chosen, said.right))
        self._locked = standing.finished
        self._options.set_locked(locked=self._locked)

    def enter(self) -> None:
        self._options.enter()

    def press_enter(self) -> bool:
        return self._options.choose_focused()

    def restyle(self) -> None:
        self._options.restyle()

    @Slot()
    def _show_step(self) -> None:
        self.changed.emit()
        self._selection.choose_step(self.answer)

    @Slot(str)
    def _on_step(self, step: str) -> None:
        """Choose the step that the learner has opened in the strip."""
        if not self._locked and step in self._names and step != self.answer:
            self._options.choose([self._names.index(step)])
            self._options.mark({})
            self.changed.emit()
