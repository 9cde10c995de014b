"""The line of a dialog that says why something does not fit."""

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviewer.ui.widgets.reason import ReasonLabel

SENTENCE = "It is not a number."


@pytest.fixture
def dialog(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    column = QVBoxLayout(widget)
    column.addWidget(QLabel("above"))
    widget.column = column
    return widget


def shown(qtbot, dialog, reason):
    below = QLabel("below", dialog)
    for label in (reason, below):
        dialog.column.addWidget(label)
    dialog.column.addStretch(1)
    dialog.resize(400, 300)
    with qtbot.waitExposed(dialog):
        dialog.show()

    def place():
        dialog.column.activate()
        return below.y()

    return place


def test_a_label_with_lines_keeps_their_room_from_the_start(qtbot, dialog):
    reason = ReasonLabel("reason", dialog, lines=2)
    place = shown(qtbot, dialog, reason)
    empty = place()
    assert reason.isVisible()
    assert reason.height() >= 2 * reason.fontMetrics().lineSpacing()
    for text in (SENTENCE, ""):
        reason.say(text)
        assert (reason.text(), reason.accessibleName()) == (text, text)
        assert place() == empty


def test_a_label_without_lines_takes_room_once_it_has_said_something(qtbot, dialog):
    reason = ReasonLabel("reason", dialog)
    place = shown(qtbot, dialog, reason)
    empty = place()
    assert not reason.isVisible()
    reason.say(SENTENCE, error=False)
    said = place()
    assert said > empty
    assert reason.property("remark") == "doubt"
    reason.say("")
    assert place() == said
    assert reason.property("remark") == "error"
