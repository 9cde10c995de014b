"""What is being typed is taken, and the keys stay where they were."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from attnviewer.ui.widgets.pending_input import commit_pending_input


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_a_field_that_stays_keeps_the_focus_and_goes_on(kind, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    field = kind(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    QTest.keyClicks(field, "0.5")
    commit_pending_input()
    assert QApplication.focusWidget() is field
    QTest.keyClicks(QApplication.focusWidget(), "1")
    text = field.text() if kind is QLineEdit else field.toPlainText()
    assert text == "0.51"
