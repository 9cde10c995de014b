"""Keys that go where the focus is, as a person's do."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def press(
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key, and let happen what it has led to a turn later."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)
    QApplication.processEvents()


def visited_by_tab(panel: QWidget) -> list[tuple[int, str]]:
    """Return what Tab visits from the focus on, below which line of the panel."""
    visited = []
    while (widget := QApplication.focusWidget()) and panel.isAncestorOf(widget):
        visited.append((widget.mapTo(panel, QPoint()).y(), widget.objectName()))
        press(Qt.Key.Key_Tab)
    return visited
