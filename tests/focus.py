"""Keys that go where the focus is, as a person's do."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


def press(
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Press a key, and let happen what it has led to a turn later."""
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)
    QApplication.processEvents()
