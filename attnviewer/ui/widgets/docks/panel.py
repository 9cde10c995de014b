"""The content of a dock."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.docks.framed_dock import FramedDock


@dataclass(frozen=True, slots=True)
class Panel:
    """The content of a dock.

    Parameters
    ----------
    name : str
        The dock's object name is ``dock.`` and this.
    dock : FramedDock
        The dock, with its title.
    toggle : str
        The text of the menu line that shows and hides it.
    parts : callable
        Called when the dock is first shown. Returns the panel, and a one-line summary
        for its title bar. The panel is the dock's child from the start: in another
        parent Qt would style all of it again.
    area : Qt.DockWidgetArea
        Where it opens at first.
    narrowest : float
        Its width in a small window, in line heights; 0 for one below the centre.
    opened : bool
        Whether it is visible at first.
    beside : str
        The name of an earlier panel that it is tabbed with; "" for none.
    meanwhile_beside : str
        The name of one that it is tabbed with while that is open; "" for none.
    keys : str
        The shortcut that shows and hides it; "" for none.
    share : float
        The least share of its side's height that it opens with above or below others.
    own_menu : bool
        Whether the content has a menu, in place of that of the title bar.
    """

    name: str
    dock: FramedDock
    toggle: str
    parts: Callable[[], tuple[QWidget, QWidget]]
    area: Qt.DockWidgetArea
    narrowest: float
    opened: bool = True
    beside: str = ""
    meanwhile_beside: str = ""
    keys: str = ""
    share: float = 0.0
    own_menu: bool = False
