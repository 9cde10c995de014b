"""The dialog for a figure or a picture of the view, with a preview."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.io import FileError
from attnviewer.io.export import file_stem
from attnviewer.ui.figures.caption import caption_of
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.painting import check_pixels as check_figure
from attnviewer.ui.figures.painting import image_of
from attnviewer.ui.figures.style import MM_PER_INCH, POINTS_PER_INCH
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.pictures.choice import PictureChoice
from attnviewer.ui.pictures.figure_form import FigureForm
from attnviewer.ui.pictures.form import align, choose, named_box
from attnviewer.ui.pictures.formats import WRITERS
from attnviewer.ui.pictures.rendering import check_pixels, laid_out
from attnviewer.ui.pictures.saving import copy_picture, notes_of, save_picture
from attnviewer.ui.pictures.settings import keep, kept_choice, kept_format
from attnviewer.ui.pictures.shown_panel import has_figure, shown_panel
from attnviewer.ui.pictures.style import SCREEN_DPI
from attnviewer.ui.pictures.view_form import ViewForm
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.views import PICTURES

PREVIEW = (30, 22)
"""Width and height of the preview, in line heights."""


class PictureDialog(QDialog):
    """Asks what a picture of the view is to be, and shows it.

    Attributes
    ----------
    message : Signal
        A text that reports what was done.
    saved_to : Signal
        The folder of the written picture.
    """

    message = Signal(str)
    saved_to = Signal(object)

    def __init__(
        self,
        step_view: StepView,
        workbench: Workbench,
        folder: Path,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("picture_dialog")
        self.setWindowTitle(self.tr("Picture of this view"))
        self._step_view, self._workbench, self._folder = step_view, workbench, folder
        kept = kept_choice()
        self._kind = named_box("kind", self.tr("Picture"), self)
        if has_figure(step_view):
            self._kind.addItem(self.tr("Figure for a paper"), "figure")
        self._kind.addItem(self.tr("As in the window"), "view")
        choose(self._kind, kept.kind)
        self._format = named_box("format", self.tr("Format"), self)
        for name in WRITERS:
            self._format.addItem(self._format_title(name), name)
        choose(self._format, kept_format())
        self._figure = FigureForm(kept, self._caption(kept.with_cell), self)
        self._view = ViewForm(kept.view, self)
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
        self._lay_out()
        self._kind.currentIndexChanged.connect(self._show)
        self._format.currentIndexChanged.connect(self._show)
        self._figure.changed.connect(self._show)
        self._view.changed.connect(self._show)
        self._show()

    @property
    def choice(self) -> PictureChoice:
        """The choice."""
        return PictureChoice(
            self._kind.currentData(),
            self._figure.style_chosen,
            self._figure.with_cell,
            self._view.style_chosen,
        )

    @Slot()
    def _show(self) -> None:
        """Update the preview."""
        choice, format_ = self.choice, self._format.currentData()
        is_figure = choice.kind == "figure"
        form = self._figure if is_figure else self._view
        self._forms.setCurrentWidget(form)
        self._figure.show_format(format_)
        self._view.show_format(format_)
        reason = ""
        try:
            if is_figure:
                self._show_figure(choice, format_)
            else:
                self._show_view(choice, format_)
        except ValueError as error:
            reason = str(error)
        self._reason.say(reason)
        for button in (self._save, self._copy):
            button.setEnabled(not reason)

    def _show_figure(self, choice: PictureChoice, format_: str) -> None:
        style = choice.figure
        self._figure.propose(self._caption(choice.with_cell))
        panel = shown_panel(
            self._step_view, self._workbench, style.theme, with_cell=choice.with_cell
        )
        figure = compose([panel], style)
        room = self._preview.size() * self.devicePixelRatioF()
        unit = min(room.width() / figure.width, room.height() / figure.height)
        self._show_image(image_of(figure, unit * POINTS_PER_INCH))
        mm = MM_PER_INCH / POINTS_PER_INCH
        pixels = None
        if format_ == "png":
            pixels = check_figure(figure, style.dpi)
        self._tell_size(figure.width * mm, figure.height * mm, pixels)

    def _show_view(self, choice: PictureChoice, format_: str) -> None:
        with laid_out(self._step_view, choice.view) as picture:
            self._show_image(picture.image(1.0))
            mm, pixels = MM_PER_INCH / SCREEN_DPI, None
            if format_ == "png":
                check_pixels(picture)
                pixels = picture.pixels
            size = picture.size
            self._tell_size(size.width() * mm, size.height() * mm, pixels)

    def _caption(self, with_cell: bool) -> str:
        """Return the caption that is proposed."""
        if not has_figure(self._step_view):
            return ""
        theme = kept_choice().figure.theme
        panel = shown_panel(
            self._step_view, self._workbench, theme, with_cell=with_cell
        )
        return caption_of([panel])

    def _show_image(self, image: QImage) -> None:
        ratio = self.devicePixelRatioF()
        room = self._preview.size() * ratio
        if image.width() > room.width() or image.height() > room.height():
            image = image.scaled(
                room,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
        pixmap = QPixmap.fromImage(image)
        pixmap.setDevicePixelRatio(ratio)
        self._preview.setPixmap(pixmap)

    def _tell_size(self, wide: float, high: float, pixels: QSize | None) -> None:
        text = self.tr("{width} × {height} mm").format(
            width=f"{wide:.0f}", height=f"{high:.0f}"
        )
        if pixels is not None:
            text = self.tr("{size}, {width} × {height} pixels").format(
                size=text, width=pixels.width(), height=pixels.height()
            )
        self._size.setText(text)

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
            save_picture(self._step_view, self._workbench, path, self.choice)
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
            copy_picture(self._step_view, self._workbench, self.choice)
        except ValueError as error:
            self._reason.say(str(error))
            return
        self._keep()
        self.message.emit(self.tr("Picture copied"))
        self.accept()

    def _keep(self) -> None:
        keep(self._format.currentData(), self.choice)

    def _format_title(self, name: str) -> str:
        titles = {
            "png": self.tr("PNG, an image"),
            "svg": self.tr("SVG, to be edited"),
            "pdf": self.tr("PDF, for LaTeX and print"),
        }
        return titles[name]

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
        self._copy = QPushButton(self.tr("&Copy"), self)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setObjectName("picture.copy")
        self._copy.clicked.connect(self._on_copy)
        buttons.accepted.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("Pictu&re"), self._kind)
        form.addRow(self.tr("&Format"), self._format)
        align((form, self._figure.form, self._view.form))
        self._forms = QStackedWidget(self)
        self._forms.addWidget(self._figure)
        self._forms.addWidget(self._view)
        left = QVBoxLayout()
        left.addLayout(form)
        left.addWidget(self._forms)
        left.addWidget(self._size)
        left.addStretch(1)
        across = QHBoxLayout()
        across.addLayout(left)
        across.addWidget(self._preview, 1)
        column = dialog_column(self)
        column.addLayout(across)
        column.addWidget(self._reason)
        column.addWidget(buttons)
