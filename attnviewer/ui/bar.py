"""The bar of what is chosen most, below the menus."""

from PySide6.QtWidgets import (
    QMainWindow,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from attnviewer.ui.bar_button import BarButton
from attnviewer.ui.baseline import BaselineModel
from attnviewer.ui.choices.spec_bar import SpecBar
from attnviewer.ui.fonts import usual_line
from attnviewer.ui.menus import Menus
from attnviewer.ui.step.difference.pinning import PinButton, Pinning

LINES_FOR_NAMES = {"button.pin": 80, "button.undo": 100, "button.redo": 100}
"""Width of a window whose bar has room for a button's name, in heights of a line."""


class Bar(QToolBar):
    """The choices of a document's attention, and what is done most.

    Parameters
    ----------
    spec_bar : SpecBar
        The choices.
    menus : Menus
        Where undo and redo come from.
    pinning : Pinning
        The commands of the button that pins.
    baseline : BaselineModel
        What is pinned.
    export : QMenu
        The ways to export.
    window : QMainWindow
        The window.
    """

    def __init__(
        self,
        spec_bar: SpecBar,
        menus: Menus,
        pinning: Pinning,
        baseline: BaselineModel,
        export: QMenu,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self.setWindowTitle(self.tr("Choices"))
        self.setObjectName("bar")
        self.setMovable(False)
        self.addWidget(spec_bar)
        spacer = QWidget(self)
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        self._buttons: list[BarButton | PinButton] = [
            BarButton(menus.undo, "⟲", self.tr("Undo"), self),
            BarButton(menus.redo, "⟳", self.tr("Redo"), self),
            PinButton(pinning, baseline, self),
        ]
        for button in self._buttons:
            self.addWidget(button)
        self.addWidget(self._export_button(export))

    def fit(self) -> None:
        """Show the names of the buttons that the window has room for."""
        lines = self.window().width() / usual_line(self.window().font())
        for button in self._buttons:
            least = LINES_FOR_NAMES[button.objectName()]
            button.show_name(named=lines >= least)

    def _export_button(self, menu: QMenu) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("export")
        button.setText(self.tr("Export"))
        button.setAccessibleName(self.tr("Export"))
        button.setMenu(menu)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        return button
