"""The choices about a picture of the view as the window shows it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QWidget

from attnviewer.ui.pictures.form import choose, named_box
from attnviewer.ui.pictures.style import PAPER, SCALES, Style


class ViewForm(QWidget):
    """Asks for the pixels and the colours.

    Attributes
    ----------
    changed : Signal
        Something else was chosen.
    form : QFormLayout
        Its rows.
    """

    changed = Signal()

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("picture.view")
        self._scale = named_box("scale", self.tr("Pixels"), self)
        for scale in SCALES:
            text = self.tr("{scale} × those of the screen")
            self._scale.addItem(text.format(scale=f"{scale:g}"), scale)
        self._theme = named_box("theme", self.tr("Colours"), self)
        self._theme.addItem(self.tr("As on the screen"), False)
        self._theme.addItem(self.tr("Light, for paper"), True)
        choose(self._scale, style.scale)
        choose(self._theme, style.theme is PAPER)
        self.form = QFormLayout(self)
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.addRow(self.tr("&Pixels"), self._scale)
        self.form.addRow(self.tr("C&olours"), self._theme)
        for box in (self._scale, self._theme):
            box.currentIndexChanged.connect(self.changed)

    @property
    def style_chosen(self) -> Style:
        """The style of the picture."""
        theme = PAPER if self._theme.currentData() else None
        return Style(self._scale.currentData(), theme)

    def show_format(self, format_: str) -> None:
        """Offer what a format has."""
        self.form.setRowVisible(self._scale, format_ == "png")
