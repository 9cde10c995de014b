"""The dialog for the style of a picture, with a preview."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.io import FileError, file_stem
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.pictures.formats import WRITERS
from attnviewer.ui.pictures.rendering import Picture, check_pixels, laid_out
from attnviewer.ui.pictures.saving import copy_view, notes_of, save_view
from attnviewer.ui.pictures.settings import keep, kept_format, kept_style
from attnviewer.ui.pictures.style import (
    MM_PER_INCH,
    PAPER,
    PRESETS,
    RESOLUTIONS,
    SCALES,
    SCREEN_DPI,
    Style,
)
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.views import PICTURES

PREVIEW = (30, 16)
"""Width and height of the preview, in line heights."""


class PictureDialog(QDialog):
    """Format, width, resolution, colours and caption of a picture, with a preview.

    Attributes
    ----------
    message : Signal
        A text that reports what was done.
    saved_to : Signal
        The folder of the written picture.
    """

    message = Signal(str)
    saved_to = Signal(object)

    def __init__(self, step_view: StepView, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("picture_dialog")
        self.setWindowTitle(self.tr("Picture of this view"))
        self._step_view, self._folder = step_view, folder
        style = kept_style()
        self._format = self._box("format", self.tr("Format"))
        for name in WRITERS:
            self._format.addItem(self._format_title(name), name)
        self._preset = self._box("preset", self.tr("Width"))
        self._preset.addItem(self.tr("As on the screen"), None)
        for name, preset in PRESETS.items():
            self._preset.addItem(self._preset_title(name, preset.width_mm), name)
        self._scale = self._box("scale", self.tr("Pixels"))
        self._resolution = self._box("resolution", self.tr("Pixels"))
        for scale in SCALES:
            text = self.tr("{scale} × those of the screen")
            self._scale.addItem(text.format(scale=f"{scale:g}"), scale)
        for resolution in RESOLUTIONS:
            text = self.tr("{dpi} per inch")
            self._resolution.addItem(text.format(dpi=resolution), resolution)
        self._theme = self._box("theme", self.tr("Colours"))
        self._theme.addItem(self.tr("As on the screen"), False)
        self._theme.addItem(self.tr("Light, for paper"), True)
        self._caption = QCheckBox(self.tr("State &below how it was computed"), self)
        self._caption.setObjectName("picture.caption")
        self._size = QLabel(self)
        self._size.setObjectName("picture.size")
        self._size.setProperty("muted", True)
        self._size.setWordWrap(True)
        self._reason = ReasonLabel("picture.reason", self, lines=2)
        self._preview = QLabel(self)
        self._preview.setObjectName("picture.preview")
        self._preview.setAccessibleName(self.tr("Preview"))
        self._preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._preview.setFixedSize(self._room())
        _choose(self._format, kept_format())
        _choose(self._preset, None if style.preset is None else style.preset.name)
        _choose(self._scale, style.scale)
        _choose(self._resolution, style.resolution)
        _choose(self._theme, style.theme is PAPER)
        self._caption.setChecked(style.caption)
        self._lay_out()
        for box in self._boxes():
            box.currentIndexChanged.connect(self._show)
        self._caption.toggled.connect(self._show)
        self._show()

    @property
    def style_chosen(self) -> Style:
        """The chosen style."""
        return Style(
            PRESETS.get(self._preset.currentData()),
            self._scale.currentData(),
            self._resolution.currentData(),
            PAPER if self._theme.currentData() else None,
            caption=self._caption.isChecked(),
        )

    @Slot()
    def _show(self) -> None:
        """Update the preview."""
        style, format_ = self.style_chosen, self._format.currentData()
        pixels, physical = format_ == "png", style.preset is not None
        self._form.setRowVisible(self._scale, pixels and not physical)
        self._form.setRowVisible(self._resolution, pixels and physical)
        with laid_out(
            self._step_view, style, notes_of(self._step_view).line
        ) as picture:
            self._size.setText(self._size_text(picture, format_))
            self._show_image(picture.image(1.0))
            reason = ""
            if pixels:
                try:
                    check_pixels(picture)
                except ValueError as error:
                    reason = str(error)
        self._reason.say(reason)
        self._save.setEnabled(not reason)

    def _show_image(self, image: QImage) -> None:
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap.fromImage(
            image.scaled(
                self._preview.size() * ratio,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        )
        pixmap.setDevicePixelRatio(ratio)
        self._preview.setPixmap(pixmap)

    def _size_text(self, picture: Picture, format_: str) -> str:
        unit = picture.scale * MM_PER_INCH / SCREEN_DPI
        wide, high = picture.whole.width() * unit, picture.whole.height() * unit
        text = self.tr("{width} × {height} mm").format(
            width=f"{wide:.0f}", height=f"{high:.0f}"
        )
        if format_ == "png":
            size = picture.pixels
            return self.tr("{size}, {width} × {height} pixels").format(
                size=text, width=size.width(), height=size.height()
            )
        return text

    @Slot()
    def _on_save(self) -> None:
        format_ = self._format.currentData()
        notes = notes_of(self._step_view)
        suggested = self._folder / f"{file_stem(notes.title)}.{format_}"
        kind = PICTURES[format_]
        try:
            path = ask_where_to_save(self, self.windowTitle(), suggested, kind)
            if path is None:
                return
            save_view(self._step_view, path, self.style_chosen)
        except (FileError, ValueError) as error:
            self._reason.say(str(error))
            return
        self._keep()
        self.saved_to.emit(path.parent)
        self.message.emit(self.tr("{file} written").format(file=path))
        self.accept()

    @Slot()
    def _on_copy(self) -> None:
        try:
            copy_view(self._step_view, self.style_chosen)
        except ValueError as error:
            self._reason.say(str(error))
            return
        self._keep()
        self.message.emit(self.tr("Picture copied"))
        self.accept()

    def _keep(self) -> None:
        keep(self._format.currentData(), self.style_chosen)

    def _box(self, name: str, title: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(f"picture.{name}")
        box.setAccessibleName(title)
        return box

    def _boxes(self) -> tuple[QComboBox, ...]:
        return self._format, self._preset, self._scale, self._resolution, self._theme

    def _format_title(self, name: str) -> str:
        titles = {
            "png": self.tr("PNG, an image"),
            "svg": self.tr("SVG, shapes with outlined texts"),
            "pdf": self.tr("PDF, shapes with embedded fonts"),
        }
        return titles[name]

    def _preset_title(self, name: str, width: float) -> str:
        titles = {
            "one column": self.tr("One column, {width} mm"),
            "one and a half columns": self.tr("One and a half columns, {width} mm"),
            "text width": self.tr("Text width, {width} mm"),
            "slide 16:9": self.tr("Slide 16:9, {width} mm"),
        }
        return titles[name].format(width=f"{width:g}")

    def _room(self) -> QSize:
        line = self.fontMetrics().lineSpacing()
        room = QSize(PREVIEW[0] * line, PREVIEW[1] * line)
        return room.boundedTo(self._step_view.window().size() / 2)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        # Created here: PySide may lose buttons that the box creates itself.
        self._save = QPushButton(self.tr("&Save…"), self)
        buttons.addButton(self._save, QDialogButtonBox.ButtonRole.AcceptRole)
        self._save.setObjectName("picture.save")
        self._save.setDefault(True)
        copy = buttons.addButton(
            self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole
        )
        copy.setObjectName("picture.copy")
        copy.clicked.connect(self._on_copy)
        buttons.accepted.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        self._form = QFormLayout()
        for box, title in zip(
            self._boxes(),
            (
                self.tr("&Format"),
                self.tr("&Width"),
                self.tr("&Pixels"),
                self.tr("&Pixels"),
                self.tr("C&olours"),
            ),
            strict=True,
        ):
            self._form.addRow(title, box)
        self._form.addRow(self._caption)
        self._form.addRow(self._size)
        across = QHBoxLayout()
        across.addLayout(self._form)
        across.addWidget(self._preview, 1)
        column = QVBoxLayout(self)
        column.addLayout(across)
        column.addWidget(self._reason)
        column.addWidget(buttons)


def _choose(box: QComboBox, value: object) -> None:
    box.setCurrentIndex(max(0, box.findData(value)))
