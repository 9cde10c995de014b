"""Options of a question, of which one or several are right."""

from typing import Any

from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.teaching.tasks import ChoiceTask
from attnviewer.ui.state.lesson import Standing
from attnviewer.ui.views.lesson.answers.one_of import OptionsAnswer


class ChoiceAnswer(OptionsAnswer):
    """Buttons for the options of a task."""

    def __init__(self, task: ChoiceTask, document: Document, parent: QWidget) -> None:
        written = task.options(document)
        texts = [option.text for option in written]
        super().__init__(texts, parent, several=task.several)
        self._several = task.several
        self._rights = [option.right for option in written]
        self.options.changed.connect(self.changed)

    @property
    def answer(self) -> Any:
        return self.options.chosen

    @property
    def missing(self) -> str:
        return "" if self.options.chosen else self.tr("Choose an answer first.")

    def show_standing(self, standing: Standing) -> None:
        chosen = standing.answer if isinstance(standing.answer, tuple) else ()
        self.options.choose(chosen)
        signs: dict[int, bool] = {}
        if standing.finished:
            signs = {n: True for n, right in enumerate(self._rights) if right}
        elif standing.verdict is not None and not self._several:
            # With several answers, marking the wrong ones would give away the rest.
            signs = dict.fromkeys(chosen, False)
        self.options.mark(signs)
        self.options.set_locked(locked=standing.finished)
