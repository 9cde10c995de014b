"""The toolbar of the most used choices, below the menus."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from attnviewer.ui.frame.bar_button import BarButton
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.widgets.named_button import NamedButton
from attnviewer.ui.widgets.tool_bar import ToolBar

LINES_FOR_NAMES = 105
"""Window width from which buttons show their names, in line heights."""


class Bar(ToolBar):
    """The choices of a document's attention, and the most used commands."""

    def __init__(self, undo: QAction, redo: QAction, window: QMainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(self.tr("Choices"))
        self.setObjectName("bar")
        self.setMovable(False)
        self._undo, self._redo = undo, redo
        self._buttons: list[tuple[NamedButton, int]] = []
        self._choices: QAction | None = None
        self._spacer: QAction | None = None

    def add_choices(self, choices: QWidget) -> None:
        """Add the choices at the start, and after them the undo and redo buttons."""
        spacer = QWidget(self)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._choices, self._spacer = self.addWidget(choices), self.addWidget(spacer)
        # The tab order follows the order of construction.
        self.add_button(BarButton(self._undo, "⟲", self.tr("Undo"), self))
        self.add_button(BarButton(self._redo, "⟳", self.tr("Redo"), self))

    def show_choices(self, *, shown: bool) -> None:
        """Show the choices, or only the buttons."""
        if self._choices is not None:
            self._choices.setVisible(shown)

    def fill_line(self, *, filled: bool) -> None:
        """Put the buttons at the end of the line, or take no more room than needed."""
        if self._spacer is not None:
            self._spacer.setVisible(filled)

    def needed_width(self) -> int:
        """Return the width for what is shown by now."""
        layout = self.layout()
        assert layout is not None
        layout.invalidate()  # names that come and go are noticed only later
        return self.sizeHint().width()

    def add_button(
        self, button: NamedButton, lines_for_name: int = LINES_FOR_NAMES
    ) -> None:
        """Append a button.

        Parameters
        ----------
        button : NamedButton
            The button.
        lines_for_name : int
            Window width from which it shows its name, in line heights.
        """
        self.addWidget(button)
        self._buttons.append((button, lines_for_name))

    def fit(self) -> None:
        """Show button names as far as the window's width allows."""
        lines = self.window().width() / usual_line(self.window().font())
        for button, least in self._buttons:
            button.show_name(named=lines >= least)

    def add_export(self, menu: QMenu) -> None:
        """Append a button with the export menu."""
        button = QToolButton(self)
        button.setObjectName("export")
        button.setText(self.tr("Export"))
        button.setAccessibleName(self.tr("Export"))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.addWidget(button)
