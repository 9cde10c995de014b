"""A button that plays and pauses."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton, QWidget

_PLAY, _PAUSE = "▶", "❚❚"


class PlayButton(QToolButton):
    """Shows what a click does; as wide as the wider of its two signs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.show_playing(playing=False)

    def show_playing(self, *, playing: bool) -> None:
        """Show the sign that pauses, or the one that plays."""
        self.setText(_PAUSE if playing else _PLAY)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        widths = {sign: metrics.size(0, sign).width() for sign in (_PLAY, _PAUSE)}
        wider = max(widths.values()) - widths[self.text()]
        return super().sizeHint() + QSize(wider, 0)
