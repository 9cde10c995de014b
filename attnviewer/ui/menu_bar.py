"""The bar of menus, between the program's name and the document's title."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenuBar, QWidget

from attnviewer.ui.elided_label import ElidedLabel

FRAME = 7
"""Padding and border of the bar, as its style has them."""
BESIDE_MENU = 26
"""Padding of a menu's title, and the room between titles."""


class MenuBar(QMenuBar):
    """Menus, with a name before them and a title that gets what room they leave."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # Plain labels count the padding of a style sheet twice.
        self._brand, self._title = ElidedLabel("brand"), ElidedLabel("title")
        self._brand.setText("attnviewer")
        corner = Qt.Corner
        self.setCornerWidget(self._brand, corner.TopLeftCorner)
        self.setCornerWidget(self._title, corner.TopRightCorner)

    def show_title(self, title: str) -> None:
        """Show another document's title."""
        self._title.setText(title)

    def fit(self) -> None:
        """Share the room out anew."""
        mnemonic = Qt.TextFlag.TextShowMnemonic.value
        menus = sum(
            self.fontMetrics().size(mnemonic, action.text()).width() + BESIDE_MENU
            for action in self.actions()
        )
        others = 2 * FRAME + self._brand.sizeHint().width() + menus
        self._title.setFixedWidth(max(0, self.width() - others))
        # A menu bar lays its corners out anew only when it is given them.
        self.setCornerWidget(self._title, Qt.Corner.TopRightCorner)
        self._title.show()
        # It centres the left one in the height that it had before.
        self._brand.move(self._brand.x(), self._title.y())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
