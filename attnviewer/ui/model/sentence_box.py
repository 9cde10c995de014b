"""The line edit for the sentence that a model runs over."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.widgets.reason import ReasonBubble, global_rect

LONGEST = 2**20
"""Most characters; a model accepts fewer, and says so."""
MOST_EARLIER = 50
"""Length of the history for the arrow keys."""
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SentenceBox(QLineEdit):
    """A sentence that Enter submits; a refused one stays, with the reason.

    Escape restores the current sentence, and the arrow keys recall earlier ones; both
    can be undone.

    Attributes
    ----------
    entered : Signal
        A sentence to run the model over.
    """

    entered = Signal(str)

    def __init__(self, reason: ReasonBubble, parent: QWidget) -> None:
        super().__init__(parent)
        self._reason = reason
        self._present = self._entered = ""
        self._earlier: list[str] = []
        self._at = 0
        self._typed = ""
        self.setMaxLength(LONGEST)
        self.returnPressed.connect(self._enter)
        self.textEdited.connect(self._on_edited)

    def show_present(self, sentence: str, *, anew: bool) -> None:
        """Show the sentence the model ran over, unless one is being typed.

        Parameters
        ----------
        sentence : str
            The sentence.
        anew : bool
            Whether it is another model's, which resets the text and history.
        """
        typing = self.text() not in (self._present, self._entered) and not anew
        if anew:
            self._earlier.clear()
        self._present = self._entered = sentence
        if sentence in self._earlier:
            self._earlier.remove(sentence)
        self._earlier = [*self._earlier[1 - MOST_EARLIER :], sentence]
        self._at = len(self._earlier) - 1
        if not typing and self.text() != sentence:
            self.setText(sentence)
            self.setCursorPosition(0)

    def refuse(self, reason: str) -> None:
        """Say why the text was refused; it stays as if still being typed."""
        self._entered = self._present
        self._reason.say(reason, global_rect(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.text() != self._present:
            self._replace_text(self._present)
            self._at = len(self._earlier) - 1
        elif key in _STEPS and not event.modifiers():
            self._step(_STEPS[key])
        else:
            super().keyPressEvent(event)

    @Slot()
    def _enter(self) -> None:
        self._reason.clear()
        self._entered = self.text()
        self.entered.emit(self._entered)

    @Slot()
    def _on_edited(self) -> None:
        self._reason.clear()
        # The last entry is the text being typed.
        self._at = len(self._earlier)

    def _step(self, by: int) -> None:
        """Show an earlier or later sentence; after the last one, the typed text."""
        if self._at == len(self._earlier):
            self._typed = self.text()
        known = [*self._earlier, *([self._typed] if self._typed else [])]
        at = self._at + by
        if 0 <= at < len(known):
            self._replace_text(known[at])
            self._at = at  # last, as setting the text counts as typing

    def _replace_text(self, sentence: str) -> None:
        """Replace the text in an undoable way."""
        self._reason.clear()
        self.selectAll()
        self.insert(sentence)
