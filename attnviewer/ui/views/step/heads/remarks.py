"""Remarks above the cards: how layers are combined, and what a tint means."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.head_report import Tint
from attnviewer.ui.views.step.heads.choices import MARGIN
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.widgets.tint_legend import TintLegend


class HeadsRemarks(QWidget):
    """A sentence and a legend, each only while there is something to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = note("heads.note")
        self._note.setContentsMargins(MARGIN, 2, MARGIN, 2)
        self._note.hide()
        self.legend = TintLegend(self)
        self.legend.setContentsMargins(MARGIN, 2, MARGIN, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._note)
        column.addWidget(self.legend)

    def say(self, text: str | None) -> None:
        """Say a sentence; None for none."""
        self._note.setText(text or "")
        self._note.setVisible(text is not None)

    def show_tint(self, tint: Tint | None, theme: Theme) -> None:
        """Say what the cards are tinted by; None for nothing."""
        self.legend.set_theme(theme)
        self.legend.show_tint(tint)
