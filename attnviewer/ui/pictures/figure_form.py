"""The choices about a figure: width, font, colours, caption."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QFormLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.figures.style import (
    COLUMN_MM,
    PAGE_MM,
    RESOLUTIONS,
    WIDTHS_MM,
    FigureStyle,
)
from attnviewer.ui.pictures.choice import PictureChoice
from attnviewer.ui.pictures.form import choose, named_box, named_check
from attnviewer.ui.widgets.number_field import number_field

MIDDLE_MM = 114.0
"""One and a half columns."""
_CAPTION_LINES = 4
_LONGEST_NAME = 24
"""Characters of the box of fonts; longer names are in its list."""


class FigureForm(QWidget):
    """Asks how a figure is to look.

    Parameters
    ----------
    choice : PictureChoice
        What is chosen at first.
    caption : str
        The caption that is proposed.
    parent : QWidget
        The dialog.

    Attributes
    ----------
    changed : Signal
        Something else was chosen.
    form : QFormLayout
        Its rows with a label.
    """

    changed = Signal()

    def __init__(self, choice: PictureChoice, caption: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("picture.figure")
        style = choice.figure
        self._width = named_box("width", self.tr("Width"), self)
        self._add_widths(style.width_mm)
        self._millimetres = self._spin("millimetres", self.tr("Width in millimetres"))
        self._millimetres.setRange(*(round(width) for width in WIDTHS_MM))
        self._millimetres.setSuffix(self.tr(" mm"))
        self._millimetres.setValue(round(style.width_mm or COLUMN_MM))
        self._font = named_box("font", self.tr("Font"), self)
        self._font.addItem(self.tr("Sans serif"), "sans")
        self._font.addItem(self.tr("Serif"), "serif")
        for family in QFontDatabase.families():
            self._font.addItem(family, family)
        self._font.setMinimumContentsLength(_LONGEST_NAME)
        policy = self._font.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self._font.setSizeAdjustPolicy(policy)
        choose(self._font, style.font)
        self._ground = named_box("ground", self.tr("Colours"), self)
        self._ground.addItem(self.tr("Black on white"), False)
        self._ground.addItem(self.tr("Light on dark"), True)
        choose(self._ground, style.dark)
        self._dpi = self._spin("dpi", self.tr("Pixels per inch"))
        self._dpi.setRange(*RESOLUTIONS)
        self._dpi.setSingleStep(50)
        self._dpi.setValue(style.dpi)
        self._cell = named_check(
            "cell", self.tr("Show the selected c&ell"), self, checked=choice.with_cell
        )
        self._outlines = named_check(
            "outlines", self.tr("Text as o&utlines"), self, checked=style.outlines
        )
        self._outlines.setToolTip(
            self.tr("Looks the same without the font, but cannot be edited.")
        )
        self._caption = named_check(
            "caption", self.tr("Add a ca&ption"), self, checked=bool(style.caption)
        )
        self._text = QPlainTextEdit(caption, self)
        self._text.setObjectName("picture.caption_text")
        self._text.setAccessibleName(self.tr("Caption"))
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(
            _CAPTION_LINES * self._text.fontMetrics().lineSpacing() + 12
        )
        self._lay_out()
        for box in (self._width, self._font, self._ground):
            box.currentIndexChanged.connect(self._on_changed)
        for spin in (self._millimetres, self._dpi):
            spin.valueChanged.connect(self._on_changed)
        for check in (self._cell, self._outlines, self._caption):
            check.toggled.connect(self._on_changed)
        self._text.textChanged.connect(self._on_changed)
        self._update_rows()

    @property
    def style_chosen(self) -> FigureStyle:
        """The style of the figure."""
        width = self._width.currentData()
        caption: bool | str = False
        if self._caption.isChecked():
            caption = self._text.toPlainText().strip()
        return FigureStyle(
            float(self._millimetres.value()) if width == "other" else width,
            self._font.currentData(),
            self._outlines.isChecked(),
            caption,
            self._ground.currentData(),
            self._dpi.value(),
        )

    @property
    def with_cell(self) -> bool:
        """Whether the selected cell is framed."""
        return self._cell.isChecked()

    def propose(self, caption: str) -> None:
        """Put another caption in place of one that has not been edited."""
        if not self._text.document().isModified():
            self._text.blockSignals(True)
            self._text.setPlainText(caption)
            self._text.blockSignals(False)

    def show_format(self, format_: str) -> None:
        """Offer what a format has."""
        self.form.setRowVisible(self._dpi, format_ == "png")
        self._outlines.setVisible(format_ == "svg")

    @Slot()
    def _on_changed(self) -> None:
        self._update_rows()
        self.changed.emit()

    def _update_rows(self) -> None:
        self.form.setRowVisible(self._millimetres, self._width.currentData() == "other")
        self._text.setVisible(self._caption.isChecked())

    def _add_widths(self, width: float | None) -> None:
        titles = {
            COLUMN_MM: self.tr("One column, {width} mm"),
            MIDDLE_MM: self.tr("One and a half columns, {width} mm"),
            PAGE_MM: self.tr("Page, {width} mm"),
        }
        self._width.addItem(self.tr("Column, or page if needed"), None)
        for millimetres, title in titles.items():
            self._width.addItem(title.format(width=f"{millimetres:g}"), millimetres)
        self._width.addItem(self.tr("Other"), "other")
        known = width is None or width in titles
        choose(self._width, width if known else "other")

    def _spin(self, name: str, title: str) -> QSpinBox:
        spin = number_field(self)
        spin.setObjectName(f"picture.{name}")
        spin.setAccessibleName(title)
        return spin

    def _lay_out(self) -> None:
        self.form = QFormLayout()
        self.form.setContentsMargins(0, 0, 0, 0)
        self.form.addRow(self.tr("&Width"), self._width)
        self.form.addRow(self.tr("&Millimetres"), self._millimetres)
        self.form.addRow(self.tr("Fo&nt"), self._font)
        self.form.addRow(self.tr("C&olours"), self._ground)
        self.form.addRow(self.tr("Pixels per &inch"), self._dpi)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self.form)
        for widget in (self._cell, self._outlines, self._caption, self._text):
            column.addWidget(widget)
