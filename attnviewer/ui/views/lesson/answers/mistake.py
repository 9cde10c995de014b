"""The mistake that a document computes with, chosen from a list."""

from PySide6.QtWidgets import QWidget

from attnviewer.document import Document
from attnviewer.teaching.mistaken import mistake_title
from attnviewer.teaching.tasks import MistakeTask
from attnviewer.ui.paint.markdown import escaped
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.lesson.answers.one_of import OneOf

_tr = translate_in("MistakeAnswer")


class MistakeAnswer(OneOf):
    """A button for each mistake."""

    def __init__(self, task: MistakeTask, document: Document, parent: QWidget) -> None:
        ids = task.options(document)
        texts = [escaped(mistake_title(id)) for id in ids]
        super().__init__(ids, texts, _tr("Choose a mistake first."), parent)
        self.options.changed.connect(self.changed)
