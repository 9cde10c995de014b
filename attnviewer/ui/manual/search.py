"""The field that finds a text in the manual."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from attnviewer.ui.manual.hits import Hit, PageTexts


class SearchField(QLineEdit):
    """Finds a text in all pages and goes from hit to hit.

    Attributes
    ----------
    page : int
        The page in sight, from which on a text is looked for.
    hits : list of Hit
        Every place where the text occurs.
    hit : Hit or None
        The one that was gone to last.
    count : QLabel
        Which of how many it is.
    moved : Signal
        There are other hits, or another one is gone to.
    """

    moved = Signal()

    def __init__(self, texts: PageTexts, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual.search")
        self.setAccessibleName(self.tr("Search in all pages"))
        self.setPlaceholderText(self.tr("Search in all pages (Ctrl+F)"))
        self.setClearButtonEnabled(True)
        self.count = QLabel(parent)
        self.count.setObjectName("manual.count")
        self._texts = texts
        self.page = 0
        self.hits: list[Hit] = []
        self.hit: Hit | None = None
        self.textChanged.connect(self._look)

    @Slot()
    def next(self) -> None:
        """Go to the next hit; from the last one to the first."""
        self._step(1)

    @Slot()
    def previous(self) -> None:
        """Go to the hit before; from the first one to the last."""
        self._step(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            backwards = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._step(-1 if backwards else 1)
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        if self.hit is not None:
            place = (self.hits.index(self.hit) + by) % len(self.hits)
            self._go(self.hits[place])

    @Slot(str)
    def _look(self, text: str) -> None:
        self.hits = self._texts.find(text)
        later = (hit for hit in self.hits if hit.page >= self.page)
        self._go(next(later, self.hits[0] if self.hits else None))

    def _go(self, hit: Hit | None) -> None:
        self.hit = hit
        told = ""
        if hit is not None:
            told = self.tr("{place} of {count}").format(
                place=self.hits.index(hit) + 1, count=len(self.hits)
            )
        elif self.text():
            told = self.tr("not found")
        self.count.setText(told)
        self.moved.emit()
