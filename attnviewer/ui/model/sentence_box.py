"""The box for the sentence that a model runs over."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.widgets.reason import ReasonBubble, place_of

LONGEST = 2**20
"""Characters that can be typed; a model takes fewer, and says so."""
MOST_EARLIER = 50
"""Sentences that the arrow keys bring back."""
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SentenceBox(QLineEdit):
    """A sentence that is taken by Enter; a refused one stays, and it says why.

    Escape brings the present sentence back, and the arrow keys earlier ones; undo
    brings back what was typed before that.

    Attributes
    ----------
    entered : Signal
        A sentence that is to be run over.
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
        """Show what the model ran over; what is being typed stays.

        Parameters
        ----------
        sentence : str
            The sentence.
        anew : bool
            Whether it is another model's, so that nothing stays.
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
        """Say why what is in it was refused; it stays, as if it was still typed."""
        self._entered = self._present
        self._reason.say(reason, place_of(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.text() != self._present:
            self._put(self._present)
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
        # The newest is what is being typed.
        self._at = len(self._earlier)

    def _step(self, by: int) -> None:
        """Show an earlier or later sentence, after the last one what was typed."""
        if self._at == len(self._earlier):
            self._typed = self.text()
        known = [*self._earlier, *([self._typed] if self._typed else [])]
        at = self._at + by
        if 0 <= at < len(known):
            self._put(known[at])
            self._at = at  # last, as Qt takes it for typing

    def _put(self, sentence: str) -> None:
        """Show a sentence so that undo brings back what was there."""
        self._reason.clear()
        self.selectAll()
        self.insert(sentence)
