"""What a drag from elsewhere sends to a window."""

from PySide6.QtCore import QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QVersionNumber
from PySide6.QtGui import QDragEnterEvent

# Whole pixels are deprecated since, and the only way before.
_POINT = QPointF if QLibraryInfo.version() >= QVersionNumber(6, 12) else QPoint


def drag_enter(x: int, y: int, data: QMimeData) -> QDragEnterEvent:
    """Return the event of data that enter at a place to be copied."""
    return QDragEnterEvent(
        _POINT(x, y),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
