"""Recently opened or saved files and models."""

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_to_bytes

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from attnviewer.io.stamp import Stamp
from attnviewer.one_line import one_line
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.mnemonics import action_text
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.io import Origin
    from attnviewer.models import Model

MOST = 10
"""Number of files to remember."""
LONGEST = 40
"""Most characters of a name, and of its folder, in the menu."""
_KEY = "files/recent"


def recent_paths() -> list[Path]:
    """Return the recent files, which may no longer exist."""
    settings = own_settings()
    settings.sync()  # other windows write to them, too
    kept = settings.value(_KEY)
    names = kept.split() if isinstance(kept, str) else []
    paths = [Path(os.fsdecode(unquote_to_bytes(name))) for name in names[:MOST]]
    return [path for path in paths if path.is_absolute() and "\0" not in str(path)]


class RecentFiles(QObject):
    """Remembers document files and model folders between starts, newest first."""

    def __init__(
        self, workbench: Workbench, origins: Origins, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._origins = origins
        self._added: Origin | None = None
        self._model: Model | None = None
        workbench.opened.connect(self._add_open)
        origins.kept.connect(self._add_open)
        workbench.model.changed.connect(self._add_model)

    def add(self, path: Path) -> None:
        """Move a file to the front; different spellings of its path count once."""
        path = path.absolute()
        same = os.path.realpath(path)
        others = [p for p in recent_paths() if os.path.realpath(p) != same]
        self._keep([path, *others][:MOST])

    def remove(self, path: Path) -> None:
        """Forget a file."""
        self._keep([other for other in recent_paths() if other != path])

    def clear(self, _data: object = None) -> None:
        """Forget all files."""
        self._keep([])

    def _keep(self, paths: list[Path]) -> None:
        # As bytes: a file name need not be valid text.
        names = [quote(os.fsencode(path)) for path in paths]
        settings = own_settings()
        settings.setValue(_KEY, " ".join(names))
        settings.sync()

    @Slot()
    def _add_open(self) -> None:
        origin = self._origins.origin(self._workbench.document)
        # Reloading the same file again must not rewrite the settings each time.
        if origin is not None and origin is not self._added:
            self.add(origin.path)
        self._added = origin

    @Slot()
    def _add_model(self) -> None:
        experiment = self._workbench.model.experiment
        assert experiment is not None
        model = experiment.run.model
        if model is not self._model:
            self.add(model.source)
        self._model = model


class RecentMenu(QMenu):
    """Lists the recent files, rebuilt each time it opens."""

    def __init__(
        self,
        recent: RecentFiles,
        opener: Opener,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("Open &recent"))
        self.setToolTipsVisible(True)
        self._recent = recent
        self._opener = opener
        self._notice = notice
        self._gone: Path | None = None
        self.aboutToShow.connect(self._list)

    @Slot()
    def _list(self) -> None:
        self.clear()
        paths = recent_paths()
        rows: Rows = [
            ActionRow(
                f"recent.{number}", self._text(number, path), self._open, None, path
            )
            for number, path in enumerate(paths)
        ]
        clear = ActionRow("recent.clear", self.tr("&Clear list"), self._recent.clear)
        fill_menu(self, [*rows, SEPARATOR, clear] if rows else [])
        for action in self.actions():
            self._describe(action)
        if not rows:
            self.addAction(self.tr("None")).setEnabled(False)

    def _text(self, number: int, path: Path) -> str:
        text = self.tr("{file} — {folder}").format(
            file=self._elided(path.name), folder=self._elided(str(path.parent))
        )
        # A mnemonic is a single digit.
        return f"&{(number + 1) % 10} {action_text(text)}"

    def _elided(self, text: str) -> str:
        metrics = self.fontMetrics()
        room = LONGEST * metrics.averageCharWidth()
        middle = Qt.TextElideMode.ElideMiddle
        return metrics.elidedText(one_line(text), middle, room)

    def _describe(self, action: QAction) -> None:
        path = action.data()
        if isinstance(path, Path):
            action.setToolTip(plain_tip(one_line(path)))

    def _open(self, path: Path) -> None:
        if Stamp.of(path) is not None:
            self._opener.open(str(path))
            return
        self._gone = path
        self._notice.refuse(
            self.tr("{file}: This file no longer exists.").format(file=one_line(path)),
            [(self.tr("&Remove from the list"), self._remove)],
        )

    @Slot()
    def _remove(self) -> None:
        if self._gone is not None:
            self._recent.remove(self._gone)
