"""A line in which a row or a column is named."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from attnviewer.ui.navigation.places import found_places, offered_places
from attnviewer.ui.widgets.symbol_button import symbol_button

MOST_OFFERED = 100
"""The most tokens that are listed below the line."""
_PLACE = Qt.ItemDataRole.UserRole + 1


class PlaceLine(QWidget):
    """Names a row or a column by its position, or by a part of its token.

    While it is typed into, a list offers tokens with their positions. Enter goes to the
    next match, with Shift to the previous one.

    Parameters
    ----------
    name : str
        Which of the two: ``row`` or ``column``.
    parent : QWidget
        The dialog.

    Attributes
    ----------
    asked : Signal
        A match is wanted: the next one (1), the previous one (−1), or the present or
        next one (0).
    edited : Signal
        Something was typed.
    """

    asked = Signal(int)
    edited = Signal()

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._labels: Sequence[str] = ()
        self.current: int | None = None
        self._fresh = False
        self.line = _Line(self)
        self.line.setObjectName(f"go_to.{name}")
        self.line.setPlaceholderText(self.tr("Position or token"))
        self.line.setToolTip(
            self.tr(
                "A position, counted from 0, or a part of a token. A number in quotes "
                "is looked for in the tokens."
            )
        )
        self.line.entered.connect(self._ask)
        self.line.textEdited.connect(self._on_edited)
        self._offered = QStandardItemModel(self)
        self._completer = _Completer(self._offered, self)
        self._completer.activated.connect(self._take)
        self.line.setCompleter(self._completer)
        self._count = QLabel(self)
        self._count.setObjectName(f"go_to.{name}.count")
        self._count.setProperty("muted", True)
        widest = self.tr("{number} of {count}").format(number="0000", count="0000")
        self._count.setMinimumWidth(self._count.fontMetrics().horizontalAdvance(widest))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self._count)
        for part, symbol, title, slot in (
            ("back", "↑", self.tr("Previous match"), self._go_back),
            ("next", "↓", self.tr("Next match"), self._go_on),
        ):
            button = symbol_button(f"go_to.{name}.{part}", symbol, title, self)
            button.setAutoRaise(True)
            button.clicked.connect(slot)
            row.addWidget(button)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is typed."""
        return not self.line.text().strip()

    def set_labels(self, labels: Sequence[str], title: str) -> None:
        """Set the labels of the rows or columns, and what these are."""
        self._labels = labels
        self.line.setAccessibleName(title)

    def search(self, by: int = 0) -> int:
        """Return the present match, or the one before or after it.

        Raises
        ------
        ValueError
            If there is none.
        """
        try:
            places = found_places(self._labels, self.line.text())
        except ValueError:
            self._count.clear()
            raise
        at = -1 if self.current is None else self.current
        if by > 0 and not self._fresh:
            number = bisect_right(places, at)
        elif by < 0:
            number = bisect_left(places, at) - 1
        else:
            number = bisect_left(places, at)
        number %= len(places)
        self.current, self._fresh = places[number], False
        text = self.tr("{number} of {count}").format(
            number=number + 1, count=len(places)
        )
        self._count.setText(text if len(places) > 1 else "")
        return places[number]

    @Slot()
    def _on_edited(self) -> None:
        self._fresh = True
        self._count.clear()
        self._offered.clear()
        for place in offered_places(self._labels, self.line.text(), MOST_OFFERED):
            item = QStandardItem(f"{self._labels[place]}  ·  {place}")
            item.setData(place, _PLACE)
            self._offered.appendRow(item)
        self.edited.emit()

    @Slot(str)
    def _take(self) -> None:
        """Go to the chosen token of the list."""
        popup = self._completer.popup()
        assert popup is not None
        place = popup.currentIndex().data(_PLACE)
        text = self.line.text().strip()
        if text.isdecimal():  # which names a position otherwise
            self.line.setText(f"“{text}”")
        self.current, self._fresh = place, False
        self.asked.emit(0)

    @Slot(int)
    def _ask(self, by: int) -> None:
        self.asked.emit(by)

    @Slot()
    def _go_back(self) -> None:
        self.asked.emit(-1)

    @Slot()
    def _go_on(self) -> None:
        self.asked.emit(1)


class _Completer(QCompleter):
    """A list below a line, which leaves the text of the line as it is."""

    def __init__(self, model: QStandardItemModel, parent: QWidget) -> None:
        super().__init__(model, parent)
        self.setCompletionMode(self.CompletionMode.UnfilteredPopupCompletion)
        # Nothing is there to be matched, so that no row is chosen at first.
        self.setCompletionRole(Qt.ItemDataRole.UserRole)

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        line = self.widget()
        assert isinstance(line, QLineEdit)
        return line.text()


class _Line(QLineEdit):
    entered = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self.completer().popup()
        assert popup is not None
        chosen = popup.isVisible() and popup.currentIndex().isValid()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if chosen:
                event.ignore()  # the list takes it
                return
            popup.hide()
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.entered.emit(-1 if back else 1)
            return
        super().keyPressEvent(event)
