"""The dialog that lists the keyboard shortcuts."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.frame.keys import keys_tables
from attnviewer.ui.paint.fonts import usual_line

_COLUMNS = 3
_BESIDE = QSize(40, 80)
"""Screen space left free around the dialog."""


class KeysDialog(QDialog):
    """All shortcuts, in as many columns as the screen has room for, and a search."""

    def __init__(
        self, menus: Iterable[QMenu], names: dict[QAction, str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._content = QWidget(self)
        self._content.setObjectName("keys.content")
        self._menus, self._names = list(menus), names
        columns = QHBoxLayout(self._content)
        columns.setContentsMargins(20, 4, 20, 8)
        columns.setSpacing(22)
        self._labels = [QLabel(self._content) for _ in range(_COLUMNS)]
        for number, label in enumerate(self._labels):
            label.setObjectName(f"keys.{number}")
            label.setTextFormat(Qt.TextFormat.RichText)
            columns.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        columns.addStretch()
        self.search = QLineEdit(self)
        self.search.setObjectName("keys.search")
        self.search.setPlaceholderText(self.tr("Search, such as zoom or Ctrl+E"))
        self.search.setAccessibleName(self.tr("Search the keyboard shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show)
        self._columns = _COLUMNS
        self._show("")
        self._scroll = QScrollArea(self)
        room = self.screen().availableSize().width() - _BESIDE.width()
        room -= self._scroll.verticalScrollBar().sizeHint().width()
        while self._columns > 1 and self._content.sizeHint().width() > room:
            self._columns -= 1
            self._show("")
        self._scroll.setAccessibleName(self.tr("Keyboard shortcuts"))
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._content)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll)
        below = QHBoxLayout()
        below.setContentsMargins(20, 8, 16, 8)
        below.setSpacing(16)
        below.addWidget(self.search)
        below.addWidget(close)
        layout.addLayout(below)
        # Qt would limit the initial size to two thirds of the screen.
        self.resize(self.sizeHint())

    @Slot(str)
    def _show(self, wanted: str) -> None:
        """Show the shortcuts that contain a text."""
        # The line height of some fonts is too large for so long a list.
        line = usual_line(self.font())
        style = f"-qt-line-height-type: fixed; line-height: {line}px; margin: 0"
        tables = keys_tables(self._menus, self._names, self._columns, wanted.strip())
        for number, label in enumerate(self._labels):
            table = tables[number] if number < len(tables) else ""
            label.setText(table and f"<style>p {{ {style} }}</style>{table}")
            label.setVisible(bool(table))

    def sizeHint(self) -> QSize:
        whole = self._content.sizeHint() + QSize(0, super().sizeHint().height())
        whole -= QSize(0, self._scroll.sizeHint().height())
        room = self.screen().availableSize() - _BESIDE
        if whole.height() > room.height():
            whole += QSize(self._scroll.verticalScrollBar().sizeHint().width(), 0)
        return whole.boundedTo(room)
