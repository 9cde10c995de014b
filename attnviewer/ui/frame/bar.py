"""The bar of what is chosen most, below the menus."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from attnviewer.ui.frame.bar_button import BarButton
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.widgets.named_button import NamedButton

LINES_FOR_NAMES = 100
"""Width of a window whose bar has room for a button's name, in heights of a line."""


class Bar(QToolBar):
    """The choices of a document's attention, and what is done most."""

    def __init__(self, undo: QAction, redo: QAction, window: QMainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(self.tr("Choices"))
        self.setObjectName("bar")
        self.setMovable(False)
        self._undo, self._redo = undo, redo
        self._buttons: list[tuple[NamedButton, int]] = []

    def begin_with(self, choices: QWidget) -> None:
        """Put choices before all buttons, of which undo and redo are the first."""
        self.addWidget(choices)
        spacer = QWidget(self)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        # Tab visits buttons in the order in which they are made.
        self.add_button(BarButton(self._undo, "⟲", self.tr("Undo"), self))
        self.add_button(BarButton(self._redo, "⟳", self.tr("Redo"), self))

    def add_button(
        self, button: NamedButton, lines_for_name: int = LINES_FOR_NAMES
    ) -> None:
        """Put a button at the end.

        Parameters
        ----------
        button : NamedButton
            The button.
        lines_for_name : int
            Width of a window that has room for its name, in heights of a line.
        """
        self.addWidget(button)
        self._buttons.append((button, lines_for_name))

    def fit(self) -> None:
        """Show the names of the buttons that the window has room for."""
        lines = self.window().width() / usual_line(self.window().font())
        for button, least in self._buttons:
            button.show_name(named=lines >= least)

    def add_export(self, menu: QMenu) -> None:
        """Put a button with the ways to export at the end."""
        button = QToolButton(self)
        button.setObjectName("export")
        button.setText(self.tr("Export"))
        button.setAccessibleName(self.tr("Export"))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.addWidget(button)
