"""The dialog that lists the keyboard shortcuts."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
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
    """All shortcuts in columns; scrolls if the screen is too small."""

    def __init__(
        self, menus: Iterable[QMenu], names: dict[QAction, str], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(self.tr("Keys"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._content = QWidget(self)
        self._content.setObjectName("keys.content")
        columns = QHBoxLayout(self._content)
        columns.setContentsMargins(20, 4, 20, 16)
        columns.setSpacing(22)
        # The line height of some fonts is too large for so long a list.
        height = (
            f"-qt-line-height-type: fixed; line-height: {usual_line(self.font())}px"
        )
        for number, table in enumerate(keys_tables(menus, names, _COLUMNS)):
            label = QLabel(
                f"<style>p {{ {height}; margin: 0 }}</style>{table}", self._content
            )
            label.setObjectName(f"keys.{number}")
            label.setTextFormat(Qt.TextFormat.RichText)
            columns.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
        self._scroll = QScrollArea(self)
        self._scroll.setAccessibleName(self.tr("Keys"))
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._content)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        close.setContentsMargins(0, 8, 16, 12)
        close.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll)
        layout.addWidget(close)
        # Qt would limit the initial size to two thirds of the screen.
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        whole = self._content.sizeHint() + QSize(0, super().sizeHint().height())
        whole -= QSize(0, self._scroll.sizeHint().height())
        return whole.boundedTo(self.screen().availableSize() - _BESIDE)
