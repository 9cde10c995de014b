"""The line in which a sentence is typed."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.state.sentences.job import LONGEST
from attnviewer.ui.state.sentences.reading import sentences_in


class SentenceLine(QLineEdit):
    """Enter adds what is typed; several lines that are pasted are added at once.

    Attributes
    ----------
    entered : Signal
        A list of sentences.
    """

    entered = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sentences.line")
        self.setAccessibleName(self.tr("Add a sentence"))
        self.setPlaceholderText(self.tr("Add a sentence"))
        self.setToolTip(self.tr("Enter adds it. Several lines can be pasted at once."))
        self.setMaxLength(LONGEST)
        self.returnPressed.connect(self._enter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Paste):
            pasted = sentences_in(QGuiApplication.clipboard().text())
            if len(pasted) > 1:
                self.entered.emit(pasted)
                return
        super().keyPressEvent(event)

    @Slot()
    def _enter(self) -> None:
        typed = sentences_in(self.text())
        if typed:
            self.clear()
            self.entered.emit(typed)
