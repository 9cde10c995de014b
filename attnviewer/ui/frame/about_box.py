"""The About box: the program, its version and its licence."""

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from attnviewer.ui.paint.fonts import usual_line
from attnviewer.version import __version__

LICENSE = "https://opensource.org/license/mit"
ICON_LINES = 4
"""Height of the icon, in lines of text."""


class AboutBox(QMessageBox):
    """Shows them beside the icon."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("about")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("About attnviewer"))
        side = ICON_LINES * usual_line(self.font())
        self.setIconPixmap(parent.window().windowIcon().pixmap(side, side))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        purpose = self.tr(
            "A desktop workbench for the attention mechanism of transformers: edit any "
            "number, and every matrix that depends on it follows."
        )
        license_ = self.tr("© 2026 The attnviewer authors.") + " "
        license_ += self.tr("Free software under the {license}.").format(
            license=f'<a href="{LICENSE}">{escape(self.tr("MIT License"))}</a>'
        )
        self.setText(
            f"<p><b>attnviewer {escape(__version__)}</b></p>"
            f"<p>{escape(purpose)}</p><p>{license_}</p>"
        )
