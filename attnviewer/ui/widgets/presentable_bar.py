"""A toolbar that knows of the presentation."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QAction

from attnviewer.ui.widgets.tool_bar import ToolBar


class PresentableBar(ToolBar):
    """A toolbar that shows itself when there is reason to, but in no presentation."""

    _presentation: QAction | None = None

    def hide_in(self, presentation: QAction) -> None:
        """Hide while the presentation is on."""
        self._presentation = presentation
        presentation.toggled.connect(self._update_visibility)

    def setVisible(self, visible: bool) -> None:
        presenting = self._presentation is not None and self._presentation.isChecked()
        super().setVisible(visible and not presenting)

    @Slot()
    def _update_visibility(self) -> None:
        """Show it, if there is reason to."""
        self.setVisible(True)
