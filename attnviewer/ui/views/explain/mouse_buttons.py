"""The mouse buttons that go back and forward."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QMouseEvent, QWindow

from attnviewer.ui.views.explain.visit_history import VisitHistory


class MouseButtons(QObject):
    """Maps the back and forward buttons of a mouse to the visited cells."""

    def __init__(self, visited: VisitHistory, parent: QObject) -> None:
        super().__init__(parent)
        self._go = {
            Qt.MouseButton.BackButton: visited.back,
            Qt.MouseButton.ForwardButton: visited.forward,
        }
        self._watched: QWindow | None = None

    def watch(self, window: QWindow | None) -> None:
        """Filter these buttons before any widget of a window gets them."""
        if window is not None and window is not self._watched:
            self._watched = window
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress:
            assert isinstance(event, QMouseEvent)
            go = self._go.get(event.button())
            if go is not None:
                go()
                return True
        return False
