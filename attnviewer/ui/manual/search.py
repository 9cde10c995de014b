"""The search field of the manual."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from attnviewer.ui.manual.hits import Hit, PageTexts


class SearchField(QLineEdit):
    """Searches all pages and steps through the hits.

    Attributes
    ----------
    page : int
        The current page, where a search starts.
    hits : list of Hit
        All occurrences of the text.
    hit : Hit or None
        The current hit.
    count : QLabel
        Shows the number of the hit and the total.
    moved : Signal
        The hits or the current hit have changed.
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
        self.textChanged.connect(self._search)

    @Slot()
    def next(self) -> None:
        """Go to the next hit, wrapping around."""
        self._step(1)

    @Slot()
    def previous(self) -> None:
        """Go to the previous hit, wrapping around."""
        self._step(-1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            backwards = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._step(-1 if backwards else 1)
        else:
            super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        if self.hit is not None:
            index = (self.hits.index(self.hit) + by) % len(self.hits)
            self._go(self.hits[index])

    @Slot(str)
    def _search(self, text: str) -> None:
        self.hits = self._texts.find(text)
        later = (hit for hit in self.hits if hit.page >= self.page)
        self._go(next(later, self.hits[0] if self.hits else None))

    def _go(self, hit: Hit | None) -> None:
        self.hit = hit
        text = ""
        if hit is not None:
            text = self.tr("{place} of {count}").format(
                place=self.hits.index(hit) + 1, count=len(self.hits)
            )
        elif self.text():
            text = self.tr("not found")
        self.count.setText(text)
        self.moved.emit()
