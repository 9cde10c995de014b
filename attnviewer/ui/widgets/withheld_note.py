"""The note in place of numbers that are withheld."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.widgets.empty_state import EmptyState


class WithheldNote(EmptyState):
    """Stands in the place of a widget while that would show what is withheld.

    Parameters
    ----------
    about : str
        What the names of its parts begin with.
    engine : Engine
        What the numbers come from.
    covered : QWidget
        The widget in whose place it stands.
    shows : callable
        Returns whether the widget would show something that is withheld.
    parent : QWidget
        The Qt parent.
    """

    def __init__(
        self,
        about: str,
        engine: Engine,
        covered: QWidget,
        shows: Callable[[Computed], bool],
        parent: QWidget,
    ) -> None:
        super().__init__(about, parent)
        self._covered, self._shows = covered, shows
        self.say(self.tr("Hidden until you answer"))
        self.hide()
        engine.computed.connect(self._follow)
        self._follow(engine.current)

    @Slot(object)
    def _follow(self, computed: Computed) -> None:
        away = self._shows(computed)
        if away == self.isHidden():
            self._covered.setHidden(away)
            self.setVisible(away)
