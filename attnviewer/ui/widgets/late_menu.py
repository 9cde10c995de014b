"""A menu that is filled when it is first opened."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.ui.widgets.actions import Rows, fill_menu


class LateMenu(QMenu):
    """A menu whose rows are made just before it is first shown.

    None of them may have a shortcut, which would not work until then.

    Parameters
    ----------
    rows : callable
        Makes the rows.
    parent : QWidget
        The Qt parent.
    """

    def __init__(self, rows: Callable[[], Rows], parent: QWidget) -> None:
        super().__init__(parent)
        self._rows = rows
        self.aboutToShow.connect(self._fill)

    @Slot()
    def _fill(self) -> None:
        self.aboutToShow.disconnect(self._fill)
        fill_menu(self, self._rows())
