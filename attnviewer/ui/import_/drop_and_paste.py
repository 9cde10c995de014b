"""Ways for files and numbers into the window: they are dropped, or pasted."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QStyle, QWidget

from attnviewer.one_line import one_line
from attnviewer.ui.import_.importer import Importer, files_of

_LONGEST = 50
"""Characters of a name that the hint has room for."""


class DropAndPaste(QObject):
    """Takes what is dropped on a window, or pasted where nothing else takes it.

    It says so while files hover. What is pasted becomes a new document.
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
            told = self.tr("Drop to open “{name}”").format(name=name)
        else:
            told = self.tr("Drop to open {count} files together").format(
                count=len(paths)
            )
        self._hint.setText(told)
        self._hint.setAccessibleName(told)
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
