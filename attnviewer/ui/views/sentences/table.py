"""The list of sentences with their numbers."""

from collections.abc import Iterable
from math import isnan

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, Qt
from PySide6.QtWidgets import QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.state.sentences import Sentences
from attnviewer.ui.text.numbers import format_number, full_number
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

_tr = translate_in("Sentences")

TEXT, VALUE = range(2)
DECIMALS = 3
EMPTY = ""


class SentenceTable(LinkList):
    """Lists sentences; going to another row opens it.

    Attributes
    ----------
    pasted, copied : Signal
        Ctrl+V or Ctrl+C was pressed.
    removed : Signal
        The sentence that Delete was pressed on.
    """

    pasted = Signal()
    copied = Signal()
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(2, wide=TEXT, parent=parent)
        self.setObjectName("sentences.list")
        self.setAccessibleName(self.tr("Sentences"))
        self.setAccessibleDescription(
            self.tr("Up and Down open a sentence, Delete removes one.")
        )
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        # Of a thousand rows those in sight are measured.
        header.setResizeContentsPrecision(0)
        self.keep_room(("", _tr("refused")))
        header.show()

    def show_sentences(self, sentences: Sentences, title: str) -> None:
        """List the sentences, and select the one that is open."""
        self.rows.set_titles((self.tr("sentence"), title))
        texts, values, opened = sentences.texts, sentences.values, sentences.selected
        known = (abs(value) for value in values.values() if not isnan(value))
        most = max(known, default=0.0)
        self.show_rows(
            [
                _row(sentences, text, values[text], most, bold=text == opened)
                for text in texts
            ]
        )
        if opened:
            row = texts.index(opened)
            if row != self.currentIndex().row():
                self.setCurrentIndex(self.rows.index(row, TEXT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Paste):
            self.pasted.emit()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit()
        elif event.key() == Qt.Key.Key_Delete and index.isValid():
            self.removed.emit(self.rows.key(index.row()))
        else:
            super().keyPressEvent(event)
            now = self.currentIndex()
            if now.row() != index.row():
                self.follow(now)


def table_rows(sentences: Sentences, title: str) -> Iterable[list[str | int | float]]:
    """Yield the whole table, headings first; what is not known is empty."""
    yield [_tr("sentence"), _tr("tokens"), title, _tr("refused")]
    values = sentences.values
    for text in sentences.texts:
        known, value = sentences.known(text), values[text]
        number = EMPTY if isnan(value) else value
        yield [text, known.n_tokens or EMPTY, number, known.reason]


def _row(
    sentences: Sentences, text: str, value: float, most: float, *, bold: bool
) -> Row:
    known, line = sentences.known(text), one_line(text)
    if known.reason:
        tip = f"{line}\n\n{known.reason}"
        refused = Cell(_tr("refused"), tip, color="muted")
        return Row(text, (Cell(line, tip, color="muted"), refused))
    tip = f"{line}\n{how_many_tokens(known.n_tokens)}" if known.n_tokens else line
    sentence = Cell(line, tip, bold=bold)
    if isnan(value):
        reason = known.lacking.get(sentences.column, "")
        shown = "—" if known.n_tokens else "…"
        return Row(text, (sentence, Cell(shown, reason or line, color="muted")))
    share = abs(value) / most if most else 0.0
    number = Cell(format_number(value, DECIMALS), full_number(value), share)
    return Row(text, (sentence, number))
