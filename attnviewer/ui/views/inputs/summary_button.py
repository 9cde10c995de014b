"""A one-line summary of the inputs, which opens the dialog to change them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.eliding_button import ElidingButton
from attnviewer.ui.widgets.tool_tips import plain_tip


class SummaryButton(ElidingButton):
    """A flat button that is elided rather than widening its dock."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("inputs.summary")
        self.setFlat(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_summary(self, text: str) -> None:
        """Show a text; the tool tip has it in full and says what a click does."""
        self.setText(text)
        self.setToolTip(plain_tip(self.tr("{} (change dimensions)").format(text)))
        self.setAccessibleName(self.tr("Dimensions: {}").format(text))
