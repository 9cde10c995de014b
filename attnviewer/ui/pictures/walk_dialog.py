"""The dialog for a walk as an animated GIF."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import QueryWalk
from attnviewer.document import distinct_label
from attnviewer.io import FileError, file_stem
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.paint.theme import Appearance, Theme
from attnviewer.ui.pictures.gif import PACES_MS
from attnviewer.ui.pictures.style import PAPER
from attnviewer.ui.pictures.walk_frames import spread
from attnviewer.ui.pictures.walk_saving import PACE_MS, walk_snapshot
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import quoted, token_label
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.views import PICTURES

FRAME_SIZES = ((640, 480), (800, 600), (1280, 720), (1920, 1080))
ABOUT_WIDTH = 48
"""Width of the description, in characters."""
_SIZE, _PACE, _PAPER = "walk/size", "walk/pace", "walk/paper"


@dataclass(frozen=True, slots=True)
class WalkChoice:
    """How to play a walk.

    Parameters
    ----------
    path : Path
        The file.
    theme : Theme
        The colours.
    size : tuple of two int
        Width and height of a frame in pixels.
    pace : int
        Milliseconds between two moves.
    """

    path: Path
    theme: Theme
    size: tuple[int, int]
    pace: int


class WalkDialog(QDialog):
    """Size, speed and colours of the frames.

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
        about = QLabel(self._about(workbench), self)
        about.setObjectName("walk_dialog.about")
        about.setWordWrap(True)
        about.setMinimumWidth(ABOUT_WIDTH * about.fontMetrics().averageCharWidth())
        self._size = QComboBox(self)
        self._size.setObjectName("walk_dialog.size")
        self._size.setAccessibleName(self.tr("Size"))
        for wide, high in FRAME_SIZES:
            text = self.tr("{width} × {height} pixels").format(width=wide, height=high)
            self._size.addItem(text, f"{wide}x{high}")
        self._pace = QSpinBox(self)
        self._pace.setObjectName("walk_dialog.pace")
        self._pace.setAccessibleName(self.tr("Milliseconds between two moves"))
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
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        save = buttons.addButton(
            self.tr("&Save…"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        save.setObjectName("walk_dialog.save")
        save.setDefault(True)
        buttons.accepted.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(self.tr("Si&ze"), self._size)
        form.addRow(self.tr("Each &move"), self._pace)
        form.addRow(self.tr("C&olours"), self._theme)
        column = QVBoxLayout(self)
        column.addWidget(about)
        column.addLayout(form)
        column.addWidget(self._reason)
        column.addWidget(buttons)

    def _about(self, workbench: Workbench) -> str:
        """Describe the query and the number of moves."""
        snapshot = walk_snapshot(workbench)
        trace = snapshot.computed.trace
        head = present_head(trace, snapshot.head)
        n_moves = len(QueryWalk(trace, snapshot.query, head=head))
        query = distinct_label(
            "queries", snapshot.computed.labels, snapshot.query, token_label
        )
        frames = len(spread(n_moves))
        text = self.tr(
            "The computation for the query {query}, number by number: "
            "{moves} moves. The animation loops for ever."
        ).format(query=quoted(query), moves=n_moves)
        if frames < n_moves:
            text += " " + self.tr("{frames} of them, evenly spread, are shown.").format(
                frames=frames
            )
        return text

    def _recall(self) -> None:
        settings = own_settings()
        index = self._size.findData(settings.value(_SIZE))
        self._size.setCurrentIndex(index if index >= 0 else 1)
        pace = str(settings.value(_PACE))
        self._pace.setValue(int(pace) if pace.isdecimal() else PACE_MS)
        self._theme.setCurrentIndex(int(str(settings.value(_PAPER)) == "true"))

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
        settings.setValue(_PACE, str(self._pace.value()))
        settings.setValue(_PAPER, "true" if paper else "false")
        theme = PAPER if paper else Appearance.theme_in_force()
        size = FRAME_SIZES[self._size.currentIndex()]
        self.accept()
        self.chosen.emit(WalkChoice(path, theme, size, self._pace.value()))
