"""The looks of all steps."""

from PySide6.QtCore import QObject, Signal

from attnviewer.ui.look.look import AUTOMATIC, Look


class Looks(QObject):
    """How each step is coloured. Views set it and watch it.

    Attributes
    ----------
    changed : Signal
        Some step is coloured differently now.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks: dict[str, Look] = {}

    def of(self, step: str) -> Look:
        """Return how a step is coloured."""
        return self._looks.get(step, AUTOMATIC)

    def set(self, step: str, look: Look) -> None:
        """Colour a step differently."""
        if look != self.of(step):
            self._looks[step] = look
            self.changed.emit()
