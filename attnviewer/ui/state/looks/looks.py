"""The looks of all steps."""

from PySide6.QtCore import QObject, Signal

from attnviewer.ui.state.looks.look import AUTOMATIC, Look

ACROSS = ("scores", "summed", "scaled", "tempered", "capped", "biased", "masked")
"""Steps that can share limits: the scores at each stage before the weights."""


class Looks(QObject):
    """The look of each step. Views set it and watch it.

    Attributes
    ----------
    changed : Signal
        The look of some step has changed.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks: dict[str, Look] = {}

    def of(self, step: str) -> Look:
        """Return how a step is coloured."""
        return self._looks.get(step, AUTOMATIC)

    def set(self, step: str, look: Look) -> None:
        """Set the look of a step, and of those that share its limits."""
        before = self.of(step)
        if look == before:
            return
        together = step in ACROSS and (look.across_steps or before.across_steps)
        for name in ACROSS if together else (step,):
            self._looks[name] = look
        self.changed.emit()
