"""Title and notes of the open document, where they are shown and edited."""

from datetime import UTC, datetime

from PySide6.QtCore import QObject, QRect, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QWidget
from shiboken6 import isValid

from attnviewer.document import Replace
from attnviewer.io import stated_title
from attnviewer.one_line import one_line
from attnviewer.ui.files.origins import Origins
from attnviewer.ui.frame.menu_bar import MenuBar
from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.paint.focus import moves_focus
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.notes import NotesArea
from attnviewer.ui.widgets.actions import ActionRow, Rows

_LEAST_CHARACTERS = 36
"""Minimum width of the title editor."""


class DocumentTexts(QObject):
    """Shows title and notes of the open document, and lets the user edit them.

    Attributes
    ----------
    rows : sequence of ActionRow
        Rows for the Edit menu.
    """

    def __init__(
        self,
        workbench: Workbench,
        origins: Origins,
        bar: MenuBar,
        notes: NotesArea,
        status: StatusBar,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._workbench = workbench
        self._edits = workbench.edits
        self._origins = origins
        self._bar = bar
        self._notes = notes
        self._status = status
        self._window = window
        self._editor: _TitleEditor | None = None
        bar.title_clicked.connect(self.rename)
        notes.edited.connect(self._set_notes)
        self.rows: Rows = [
            ActionRow(
                "rename",
                self.tr("Rena&me document…"),
                lambda _data: self.rename(),
                "Shift+F2",
            ),
            ActionRow("notes", self.tr("Edit n&otes"), lambda _data: notes.edit()),
        ]
        edits = self._edits
        for signal in (workbench.opened, edits.cleanChanged, edits.indexChanged):
            signal.connect(self._show)
        workbench.opened.connect(self._close_editor)
        origins.kept.connect(self._show_title)
        self._show()

    @Slot()
    def _show(self) -> None:
        self._notes.set_text(self._workbench.document.notes)
        self._show_title()

    @Slot()
    def _show_title(self) -> None:
        modified, document = self._workbench.modified, self._workbench.document
        title = document.title if modified else stated_title(document)
        path = self._origins.session(document)
        named = title if path is None else f"{title} ({one_line(path.name)})"
        self._window.setWindowTitle(f"{named}[*] — attnviewer")
        if modified != self._window.isWindowModified():
            self._window.setWindowModified(modified)
        if modified:
            title = self.tr("{title} — modified").format(title=title)
        self._bar.show_title(title)
        stamp = self._origins.stamp(document) if path is not None else None
        time = datetime.fromtimestamp(stamp.changed / 1e9, UTC) if stamp else None
        # A lesson's document cannot get lost, but counts as modified all the same.
        self._status.show_saved(modified=not self._edits.isClean(), time=time)

    @Slot()
    def rename(self) -> None:
        """Open an editor over the title."""
        if self._editor is None:
            title = self._edits.document.title
            self._editor = _TitleEditor(title, self._editor_rect(), self._window)
            self._editor.finished.connect(self._set_title)

    def _editor_rect(self) -> QRect:
        title_rect = self._bar.title_rect()
        origin = self._bar.mapTo(self._window, title_rect.topLeft())
        width = self._bar.fontMetrics().averageCharWidth() * _LEAST_CHARACTERS
        width = min(max(width, title_rect.width()), self._window.width())
        height = max(title_rect.height(), self._bar.fontMetrics().height() + 8)
        x = self._window.width() - width
        if self._window.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            x = 0
        return QRect(x, max(0, origin.y()), width, height)

    @Slot(str)
    def _set_title(self, typed: str) -> None:
        if not self._close_editor():
            return
        title = " ".join(typed.split())
        if title and title != self._edits.document.title:
            label = self.tr("Rename the document")
            self._edits.submit(Replace(label, title=title))

    @Slot()
    def _close_editor(self) -> bool:
        """Close the editor, such as that of a document which is no longer open."""
        editor, self._editor = self._editor, None
        if editor is not None:
            editor.leave()
        return editor is not None

    @Slot(str)
    def _set_notes(self, notes: str) -> None:
        self._edits.submit(Replace(self.tr("Edit the notes"), notes=notes))


class _TitleEditor(QLineEdit):
    """A line edit over the title; `finished` carries the title to use."""

    finished = Signal(str)

    def __init__(self, title: str, rect: QRect, window: QWidget) -> None:
        super().__init__(title, window)
        self.setObjectName("title.editor")
        self.setAccessibleName(self.tr("Title of the document"))
        self._original_title = title
        self._previous_focus = QApplication.focusWidget()
        self.setGeometry(rect)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def leave(self) -> None:
        """Give the focus back and close."""
        previous_focus = self._previous_focus
        if self.hasFocus() and previous_focus is not None and isValid(previous_focus):
            previous_focus.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.finished.emit(self._original_title)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.finished.emit(self.text())
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if moves_focus(event):
            self.finished.emit(self.text())
