"""The letters that lead to the controls of a dialog with Alt."""

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget


def mnemonics_of(dialog: QWidget) -> dict[str, str]:
    """Return the letters of what is seen in a dialog, by name of the control."""
    texts = {b: b.text() for b in dialog.findChildren(QAbstractButton) if b.isVisible()}
    for label in dialog.findChildren(QLabel):
        if label.buddy() is not None and label.isVisible():
            texts[label.buddy()] = label.text()
    letters = {
        control.objectName(): QKeySequence.mnemonic(text).toString()
        for control, text in texts.items()
        if not QKeySequence.mnemonic(text).isEmpty()
    }
    assert len(set(letters.values())) == len(letters), letters
    return letters
