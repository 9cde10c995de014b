"""The menu bar, between the program's name and the document's title."""

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QMenuBar, QWidget

from attnviewer.ui.widgets.elided_label import ElidedLabel

FRAME = 7
"""Padding and border of the bar, as in its style sheet."""
BESIDE_MENU = 26
"""Padding of a menu's title, plus spacing."""


class MenuBar(QMenuBar):
    """Menus, with the program's name before them and the title in the space left.

    Attributes
    ----------
    title_clicked : Signal
        The title was clicked, to be edited.
    """

    title_clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # QLabel would count the style sheet's padding twice.
        self._brand, self._title = ElidedLabel("brand"), _Title("title")
        self._title.clicked.connect(self.title_clicked)
        self._brand.setText("attnviewer")
        corner = Qt.Corner
        self.setCornerWidget(self._brand, corner.TopLeftCorner)
        self.setCornerWidget(self._title, corner.TopRightCorner)

    def show_title(self, title: str) -> None:
        """Show a document title."""
        self._title.setText(title)

    def title_rect(self) -> QRect:
        """Return the title's rectangle within the bar."""
        return self._title.geometry()

    def fit(self) -> None:
        """Give the title the space that the menus leave."""
        mnemonic = Qt.TextFlag.TextShowMnemonic.value
        menus = sum(
            self.fontMetrics().size(mnemonic, action.text()).width() + BESIDE_MENU
            for action in self.actions()
        )
        others = 2 * FRAME + self._brand.sizeHint().width() + menus
        self._title.setFixedWidth(max(0, self.width() - others))
        # QMenuBar lays out corner widgets only when they are set.
        self.setCornerWidget(self._title, Qt.Corner.TopRightCorner)
        self._title.show()
        # Qt centres the left corner by the former height of the bar.
        self._brand.move(self._brand.x(), self._title.y())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()


class _Title(ElidedLabel):
    clicked = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()
        else:
            super().mousePressEvent(event)
