"""A button that plays and pauses."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton, QWidget

_SIGNS = "▶", "❚❚"


class PlayButton(QToolButton):
    """Shows what a click does; as wide as the wider of its two texts.

    Parameters
    ----------
    parent : QWidget
        What it is in.
    texts : tuple of str
        What is written on it while it would play, and while it would pause.
    """

    def __init__(self, parent: QWidget, texts: tuple[str, str] = _SIGNS) -> None:
        super().__init__(parent)
        self._texts = texts
        self.show_playing(playing=False)

    def show_playing(self, *, playing: bool) -> None:
        """Show the text that pauses, or the one that plays."""
        self.setText(self._texts[playing])

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        widths = {text: metrics.size(0, text).width() for text in self._texts}
        wider = max(widths.values()) - widths[self.text()]
        return super().sizeHint() + QSize(wider, 0)
