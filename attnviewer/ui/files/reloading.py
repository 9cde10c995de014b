"""Reloading files that other programs have changed."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QWidget

from attnviewer.document import Document, EditError, Replace
from attnviewer.document.replacement import replacement
from attnviewer.document.training_record import as_edited
from attnviewer.io.stamp import Stamp
from attnviewer.one_line import one_line
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.files.reading import Reader, Reading
from attnviewer.ui.files.saving import Saver
from attnviewer.ui.files.watching import FileWatch
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.inputs import InputsPanel
from attnviewer.ui.widgets.actions import ActionRow, Rows
from attnviewer.ui.widgets.notice import NoticeBar

TRIES = 5
"""Attempts to read a file, which may be half written."""
PAUSE = 300
"""Milliseconds between attempts, and between checks of an open editor."""


class Reloader(QObject):
    """Reloads the open document from its file, on request or on every change.

    Reloading is one undoable edit. Consecutive automatic reloads are merged into one.

    Attributes
    ----------
    reader : Reader
        Reads the files in the background.
    always : QAction
        Checked if the open document is reloaded whenever its file changes.
    """

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        saver: Saver,
        inputs: InputsPanel,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._origins = origins
        self._saver = saver
        self._inputs = inputs
        self._notice = notice
        self._always: set[Path] = set()
        self._gesture: object | None = None
        self._failures = 0
        self._failure_text = ""
        self._deferred: Reading | None = None
        self.reader = Reader(self)
        self.reader.done.connect(self._on_read)
        self.reader.failed.connect(self._on_unread)
        self._retry_timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._retry_timer.timeout.connect(self._retry)
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._on_changed)
        self._watch.gone.connect(self._on_gone)
        self._others: list[FileWatch] = []
        self.always = QAction(self.tr("Reload &when it changes"), parent)
        self.always.setObjectName("action.reload_always")
        self.always.setCheckable(True)
        self.always.triggered.connect(self._choose)
        workbench.opened.connect(self._follow)
        origins.kept.connect(self._on_kept)
        saver.overtaken.connect(self._ask_before_saving)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        application.focusWindowChanged.connect(self._check_files)
        self._follow()

    @property
    def rows(self) -> Rows:
        """The menu rows."""
        return [
            ActionRow("reload", self.tr("Re&load"), self.reload, "F5"),
            self.always,
        ]

    @Slot()
    def reload(self, _data: object = None) -> None:
        """Reload the open document from its file."""
        if self._origins.origin(self._workbench.document) is None:
            self._notice.refuse(self.tr("This document does not come from a file."))
        elif self._saver.commit_editors():
            self._gesture = None
            self._start()

    def close(self) -> None:
        """Stop watching, and wait for the reader."""
        self._forget()
        for watch in (self._watch, *self._others):
            watch.close()
        self.reader.close()

    @property
    def _name(self) -> str:
        origin = self._origins.origin(self._workbench.document)
        if origin is None:
            return ""
        name, more = one_line(origin.path.name), len(origin.paths) - 1
        if not more:
            return name
        return self.tr("{file} + {count} more").format(file=name, count=more)

    @Slot()
    def _check_files(self) -> None:
        for watch in (self._watch, *self._others):
            watch.check()

    @Slot()
    def _follow(self) -> None:
        """Watch the file of the open document."""
        document = self._workbench.document
        origin = self._origins.origin(document)
        path = origin.path if origin is not None else None
        self._forget()
        self._watch.follow(path, self._origins.stamp(document))
        self._follow_others(origin.paths[1:] if origin is not None else ())
        self.always.setEnabled(path is not None)
        self.always.setChecked(path in self._always)

    def _follow_others(self, paths: Sequence[Path]) -> None:
        """Watch the further files of an import, too."""
        while len(self._others) < len(paths):
            watch = FileWatch(self)
            watch.changed.connect(self._on_changed)
            self._others.append(watch)
        for watch, path in zip_longest(self._others, paths):
            watch.follow(path, Stamp.of(path) if path is not None else None)

    @Slot(object)
    def _on_kept(self, document: Document) -> None:
        if document is self._workbench.document:
            self._follow()

    def _forget(self) -> None:
        self.reader.stop()
        self._retry_timer.stop()
        self._deferred = None
        self._failures = 0

    @Slot()
    def _choose(self) -> None:
        """Turn automatic reloading on or off."""
        origin = self._origins.origin(self._workbench.document)
        assert origin is not None
        if self.always.isChecked():
            self._always.add(origin.path)
            self._gesture = object()
            self._start()
        else:
            self._always.discard(origin.path)

    @Slot()
    def _choose_always(self) -> None:
        self.always.setChecked(True)
        self._choose()

    @Slot()
    def _on_changed(self) -> None:
        if self.always.isChecked():
            self._gesture = self._gesture or object()
            if not self.reader.busy and self._deferred is None:
                self._start()
            return
        text = self.tr("{file} has changed on disk.").format(file=self._name)
        if self._workbench.modified:
            text += " " + self.tr(
                "This document has unsaved changes: reloading replaces "
                "them; undo brings them back."
            )
        self._notice.offer(
            text,
            [
                (self.tr("&Reload"), self.reload),
                (self.tr("Al&ways reload this file"), self._choose_always),
            ],
        )

    @Slot()
    def _on_gone(self) -> None:
        text = self.tr("{file} no longer exists. The document stays open.")
        self._failure_text = text.format(file=self._name)
        save_as = self.tr("&Save as…"), self._saver.save_as
        self._notice.refuse(self._failure_text, [save_as])

    @Slot()
    def _ask_before_saving(self) -> None:
        self._watch.ignore_present()
        text = self.tr(
            "{file} has changed on disk since it was read or saved here, and was not "
            "overwritten."
        )
        self._notice.refuse(
            text.format(file=self._name),
            [
                (self.tr("Save an&yway"), self._saver.save_anyway),
                (self.tr("&Save as…"), self._saver.save_as),
                (self.tr("&Reload"), self.reload),
            ],
        )

    @Slot()
    def _retry(self) -> None:
        if self._deferred is not None:
            self._on_read(self._deferred)
        else:
            self._start()

    def _start(self) -> None:
        self._retry_timer.stop()
        self._deferred = None
        origin = self._origins.origin(self._workbench.document)
        if origin is not None:
            self.reader.read(origin)

    @Slot(object)
    def _on_read(self, reading: Reading) -> None:
        assert reading.document is not None
        if self._gesture is not None and self._inputs.is_editing:
            # Text being typed must be neither lost nor committed half finished.
            self._deferred = reading
            self._retry_timer.start()
            return
        label = self.tr("Reload {file}").format(file=self._name)
        document = self._workbench.document
        edit = replacement(document, reading.document, label)
        if self._origins.session(document) is None:
            # Files of arrays hold no title and notes: keep those typed here.
            edit = replace(edit, title=document.title, notes=document.notes)
        if not _changes(document, edit):
            self._record(reading)
            return
        # The saved state is no longer what the file holds.
        self._workbench.edits.mark_unsaved(document)
        try:
            self._workbench.edits.submit(edit, gesture=self._gesture)
        except EditError as error:
            self._notice.refuse(f"{one_line(reading.origin.path)}: {error}")
            return
        self._workbench.edits.mark_saved(document)
        self._record(reading)

    def _record(self, reading: Reading) -> None:
        """Record that the open document agrees with its file."""
        if self._gesture is None:
            self._notice.show_message(
                self.tr("{file} was reloaded.").format(file=self._name)
            )
        elif self._failure_text and self._notice.text == self._failure_text:
            self._notice.dismiss()
        self._origins.keep(self._workbench.document, reading.origin, reading.stamp)

    @Slot(object, str)
    def _on_unread(self, reading: Reading, reason: str) -> None:
        self._failures += 1
        now = Stamp.of(reading.origin.path)
        if self._failures < TRIES or now not in (reading.stamp, None):
            self._retry_timer.start()
            return
        self._failures = 0
        self._failure_text = reason
        self._notice.refuse(reason, [(self.tr("&Try again"), self.reload)])


def _changes(document: Document, edit: Replace) -> bool:
    """Return whether an edit changes anything in a document."""
    if edit.matrices or edit.training != as_edited(document.training):
        return True
    if edit.grid != (() if document.grid is None else (document.grid,)):
        return True
    own = {"label", "matrices", "training", "grid"}
    names = {field.name for field in fields(edit)} - own
    return any(getattr(edit, name) != getattr(document, name) for name in names)
