"""The dialog for the computation as an animated GIF."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QWidget,
)

from attnviewer.document import distinct_label
from attnviewer.io import FileError
from attnviewer.io.export import file_stem
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.pictures.gif import PACES_MS
from attnviewer.ui.pictures.style import PAPER
from attnviewer.ui.pictures.walk_frames import Scope, count_moves, spread
from attnviewer.ui.pictures.walk_saving import PACE_MS, walk_snapshot
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.views import PICTURES

FRAME_SIZES = ((640, 480), (960, 600), (1280, 720), (1920, 1080))
SCOPES: tuple[Scope, ...] = ("step", "row", "steps")
ABOUT_WIDTH = 48
"""Width of the description, in characters."""
_SIZE, _PACE, _PAPER = "walk/size", "walk/pace", "walk/paper"
_SCOPE = "walk/scope"


@dataclass(frozen=True, slots=True)
class WalkChoice:
    """The settings of an animation of the computation.

    Parameters
    ----------
    path : Path
        The file.
    theme : Theme
        The colours.
    size : tuple of two int
        Width and height of a frame in pixels.
    pace : int
        Milliseconds of each cell.
    scope : str
        What the animation goes through.
    """

    path: Path
    theme: Theme
    size: tuple[int, int]
    pace: int
    scope: Scope


class WalkDialog(QDialog):
    """The walk that is played; size, speed and colours of the frames.

    Attributes
    ----------
    chosen : Signal
        A `WalkChoice`.
    """

    chosen = Signal(object)

    def __init__(self, workbench: Workbench, folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("walk_dialog")
        self.setWindowTitle(self.tr("Step by step as GIF"))
        self._folder = folder
        self._stem = file_stem(workbench.document.title)
        self._workbench = workbench
        self._scope = QComboBox(self)
        self._scope.setObjectName("walk_dialog.scope")
        self._scope.setAccessibleName(self.tr("What is played"))
        for scope, text in zip(SCOPES, self._scope_texts(), strict=True):
            self._scope.addItem(text, scope)
        self._about = about = QLabel(self)
        about.setObjectName("walk_dialog.about")
        about.setWordWrap(True)
        about.setMinimumWidth(ABOUT_WIDTH * about.fontMetrics().averageCharWidth())
        self._size = QComboBox(self)
        self._size.setObjectName("walk_dialog.size")
        self._size.setAccessibleName(self.tr("Size"))
        for wide, high in FRAME_SIZES:
            text = self.tr("{width} × {height} pixels").format(width=wide, height=high)
            self._size.addItem(text, f"{wide}x{high}")
        self._pace = number_field(self)
        self._pace.setObjectName("walk_dialog.pace")
        self._pace.setAccessibleName(self.tr("Milliseconds per cell"))
        self._pace.setRange(*PACES_MS)
        self._pace.setSingleStep(100)
        self._pace.setSuffix(self.tr(" ms"))
        self._theme = QComboBox(self)
        self._theme.setObjectName("walk_dialog.theme")
        self._theme.setAccessibleName(self.tr("Colours"))
        self._theme.addItem(self.tr("As on the screen"), False)
        self._theme.addItem(self.tr("Light, for paper"), True)
        self._reason = ReasonLabel("walk_dialog.reason", self)
        self._recall()
        self._describe()
        self._scope.currentIndexChanged.connect(self._describe)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        save = buttons.addButton(
            self.tr("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        save.setObjectName("walk_dialog.save")
        save.setDefault(True)
        buttons.accepted.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("&Play"), self._scope)
        form.addRow(self.tr("Si&ze"), self._size)
        form.addRow(self.tr("Each c&ell"), self._pace)
        form.addRow(self.tr("C&olours"), self._theme)
        column = dialog_column(self)
        column.addWidget(about)
        column.addLayout(form)
        column.addWidget(self._reason)
        column.addWidget(buttons)

    def _scope_texts(self) -> tuple[str, str, str]:
        snapshot = walk_snapshot(self._workbench)
        query = distinct_label(
            "queries", snapshot.computed.labels, snapshot.query, token_label
        )
        return (
            self.tr("This step: {step}").format(step=step_title(snapshot.step)),
            self.tr("All steps of one query: {query}").format(query=quoted(query)),
            self.tr("All steps of all queries"),
        )

    @Slot()
    def _describe(self) -> None:
        """Say how many cells are filled."""
        scope = SCOPES[self._scope.currentIndex()]
        n_moves = count_moves(walk_snapshot(self._workbench, scope))
        frames = len(spread(n_moves))
        text = self.tr(
            "The computation, filled cell by cell: {cells} cells. "
            "The animation loops for ever."
        ).format(cells=n_moves)
        if frames < n_moves:
            text += " " + self.tr("{frames} of them, evenly spread, are shown.").format(
                frames=frames
            )
        self._about.setText(text)

    def _recall(self) -> None:
        settings = own_settings()
        index = self._size.findData(settings.value(_SIZE))
        self._size.setCurrentIndex(index if index >= 0 else 1)
        pace = str(settings.value(_PACE))
        self._pace.setValue(int(pace) if pace.isdecimal() else PACE_MS)
        self._theme.setCurrentIndex(int(str(settings.value(_PAPER)) == "true"))
        self._scope.setCurrentIndex(
            max(0, self._scope.findData(settings.value(_SCOPE)))
        )

    @Slot()
    def _on_save(self) -> None:
        suggested = self._folder / f"{self._stem}.gif"
        try:
            path = ask_where_to_save(
                self, self.windowTitle(), suggested, PICTURES["gif"]
            )
        except FileError as error:
            self._reason.say(str(error))
            return
        if path is None:
            return
        settings, paper = own_settings(), bool(self._theme.currentData())
        settings.setValue(_SIZE, self._size.currentData())
        settings.setValue(_SCOPE, self._scope.currentData())
        settings.setValue(_PACE, str(self._pace.value()))
        settings.setValue(_PAPER, "true" if paper else "false")
        theme = PAPER if paper else Appearance.theme_in_force()
        size = FRAME_SIZES[self._size.currentIndex()]
        self.accept()
        scope = SCOPES[self._scope.currentIndex()]
        self.chosen.emit(WalkChoice(path, theme, size, self._pace.value(), scope))
