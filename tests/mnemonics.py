"""The letters that lead to controls and menus with Alt."""

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLabel, QMainWindow, QWidget


def mnemonic(named: QAction | QAbstractButton | QLabel) -> str:
    """Return the letter with Alt; empty if there is none."""
    return QKeySequence.mnemonic(named.text()).toString()


def mnemonics_of(dialog: QWidget) -> dict[str, str]:
    """Return the letters of what is seen in a dialog, by name of the control."""
    seen = [(b, mnemonic(b)) for b in dialog.findChildren(QAbstractButton)]
    for button, letter in seen:  # which another shortcut would replace
        assert not letter or button.shortcut().toString() == letter, letter
    for label in dialog.findChildren(QLabel):
        if label.buddy() is not None and label.isVisible():
            seen.append((label.buddy(), mnemonic(label)))
    letters = {c.objectName(): letter for c, letter in seen if c.isVisible() and letter}
    assert len(set(letters.values())) == len(letters), letters
    return letters


def letters_of_menus(window: QMainWindow) -> set[str]:
    """Return the letters of the menus of a window."""
    return {mnemonic(action) for action in window.menuBar().actions()} - {""}
