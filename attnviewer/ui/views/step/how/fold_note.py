"""The note that single tokens are shown although groups are folded."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.widgets.labels import note

ASIDE = 16
"""Margin at the sides, in pixels."""


class FoldNote(QWidget):
    """Says why single tokens are shown; hidden unless groups are folded.

    Attributes
    ----------
    button : QPushButton
        Leads to the folded weights.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("how.folds")
        text = self.tr(
            "Single tokens: weights are computed for each token, and folded afterwards."
        )
        self._text = note("how.folds.text")
        self._text.setText(text)
        self.button = QPushButton(self.tr("Show folded weights"), self)
        self.button.setObjectName("how.folds.show")
        self.button.setAccessibleDescription(text)
        row = QHBoxLayout(self)
        row.setContentsMargins(ASIDE, 2, ASIDE, 2)
        row.addWidget(self._text, 1)
        row.addWidget(self.button)
        self.hide()

    def show_step(self, shown: DisplayedStep) -> None:
        """Follow the step that is shown."""
        self.setVisible(shown.step == STEP_OF_ALL and bool(shown.folds.folded))
