"""Documents and their files: opening, saving, and changes by other programs."""

from collections.abc import Mapping

from PySide6.QtCore import Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from attnviewer.io import list_examples
from attnviewer.ui.features.inputs import InputsFeature
from attnviewer.ui.files.open_elsewhere import SessionPresence
from attnviewer.ui.files.opening import Opener
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.recent import RecentFiles, RecentMenu
from attnviewer.ui.files.reloading import Reloader
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.text.mnemonics import action_text
from attnviewer.ui.widgets.actions import ActionRow, fill_menu

Keys = QKeySequence.StandardKey


class FilesFeature(Feature):
    """Opens, saves and reloads documents."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        window, workbench, notice = frame.window, frame.workbench, frame.notice
        inputs = frame.feature(InputsFeature).panel
        self.origins = origins = Origins(window)
        self.saver = Saver(workbench, origins, inputs, notice, window)
        self.opener = Opener(workbench, origins, self.saver, notice, window)
        self._reloader = Reloader(
            workbench, origins, self.saver, inputs, notice, window
        )
        frame.work.follow(self.opener.reader)
        frame.work.follow(self._reloader.reader)
        self._presence = SessionPresence(workbench, origins, notice, window)
        recent = RecentFiles(workbench, origins, window)
        self._recent = RecentMenu(recent, self.opener, notice, window)
        self._fill_menus()

    @property
    def offers(self) -> Mapping[str, object]:
        return {
            "opener": self.opener,
            "saver": self.saver,
            "origins": self.origins,
            "reloader": self._reloader,
        }

    def release(self) -> None:
        self.opener.reader.close()
        self._reloader.close()
        self._presence.close()

    def _fill_menus(self) -> None:
        menus, opener, saver = self.frame.menus, self.opener, self.saver
        menus.add(
            "file.open",
            [
                ActionRow("new", self.tr("&New…"), opener.new, Keys.New),
                ActionRow("open", self.tr("&Open…"), opener.open_file, Keys.Open),
            ],
        )
        set_aside = _SetAsideMenu(opener, self.frame.window)
        menus.add("file.recent", [self._recent, set_aside])
        menus.add(
            "file.save",
            [
                ActionRow("save", self.tr("&Save"), saver.save, Keys.Save),
                ActionRow(
                    "save_as", self.tr("Save &as…"), saver.save_as, "Ctrl+Shift+S"
                ),
            ],
        )
        menus.add("file.reload", self._reloader.rows)
        menus.add(
            "examples",
            [
                ActionRow(
                    f"example.{info.id}",
                    action_text(info.title),
                    opener.open_example,
                    data=info.id,
                )
                for info in list_examples()
            ],
        )


class _SetAsideMenu(QMenu):
    """Lists the documents set aside, rebuilt each time it opens."""

    def __init__(self, opener: Opener, parent: QMainWindow) -> None:
        super().__init__(parent)
        self.setTitle(self.tr("&Changed documents"))
        self._opener = opener
        self.aboutToShow.connect(self._list)

    @Slot()
    def _list(self) -> None:
        self.clear()
        rows = [
            ActionRow(f"reopen.{i}", action_text(d.title), self._opener.reopen, data=d)
            for i, d in enumerate(self._opener.set_aside)
        ]
        fill_menu(self, rows)
        if not rows:
            self.addAction(self.tr("None")).setEnabled(False)
