"""Files and numbers that are dropped on the window or pasted into it."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QStyle, QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.import_.importer import Importer, files_of

_LONGEST = 50
"""Most characters of a name in the hint."""


class DropAndPaste(QObject):
    """Imports what is dropped on a window, or pasted where no widget accepts it.

    Shows a hint while files are dragged over it. What is pasted becomes a new document.
    """

    def __init__(self, window: QWidget, importer: Importer) -> None:
        super().__init__(window)
        self._window = window
        self._importer = importer
        self._hint = QLabel(window)
        self._hint.setObjectName("drop.hint")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setTextFormat(Qt.TextFormat.PlainText)
        self._hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._hint.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent):
            return self._enter(event)
        if event.type() == QEvent.Type.DragLeave:
            self._hint.hide()
        elif isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            return self._drop(event)
        elif (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.matches(QKeySequence.StandardKey.Paste)
        ):
            self._importer.paste()
            return True
        return super().eventFilter(watched, event)

    def _enter(self, event: QDragEnterEvent) -> bool:
        paths = files_of(event.mimeData())
        if not paths:
            return False
        if len(paths) == 1:
            metrics = self._hint.fontMetrics()
            room = _LONGEST * metrics.averageCharWidth()
            middle = Qt.TextElideMode.ElideMiddle
            name = metrics.elidedText(one_line(paths[0].name), middle, room)
            text = self.tr("Drop to open “{name}”").format(name=name)
        else:
            text = self.tr("Drop to open {count} files together").format(
                count=len(paths)
            )
        self._hint.setText(text)
        self._hint.setAccessibleName(text)
        self._hint.adjustSize()
        whole = self._window.rect()
        size = self._hint.size().boundedTo(whole.size())
        self._hint.setGeometry(
            QStyle.alignedRect(
                self._window.layoutDirection(),
                Qt.AlignmentFlag.AlignCenter,
                size,
                whole,
            )
        )
        self._hint.raise_()
        self._hint.show()
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        return True

    def _drop(self, event: QDropEvent) -> bool:
        self._hint.hide()
        paths = files_of(event.mimeData())
        if not paths:
            return False
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._importer.open_files(paths)
        return True
