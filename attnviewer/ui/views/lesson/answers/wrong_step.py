"""The first wrong step, chosen from a list."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.teaching.tasks import WrongStepTask
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.lesson.answers.one_of import OneOf

_tr = translate_in("WrongStepAnswer")


class WrongStepAnswer(OneOf):
    """A button for each computed step; the chosen one is the step that is shown."""

    def __init__(
        self,
        task: WrongStepTask,
        document: Document,
        selection: SelectionModel,
        parent: QWidget,
    ) -> None:
        names = task.options(document)
        texts = [f"`{name}`" for name in names]
        super().__init__(names, texts, _tr("Choose a step first."), parent)
        self._selection = selection
        self.options.changed.connect(self._show_step)

    @Slot()
    def _show_step(self) -> None:
        self.changed.emit()
        self._selection.choose_step(self.answer)
