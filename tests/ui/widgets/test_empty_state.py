"""What is said where there is nothing to show."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.ui.widgets.empty_state import EmptyState

TEXT = "Nothing has been edited yet. Edit any number to see what changes. " * 3


@pytest.mark.parametrize("spare", [0, 20, 400])
def test_the_text_is_whole_as_long_as_it_fits_between_the_edges(qtbot, spare):
    state = EmptyState("empty", None)
    qtbot.addWidget(state)
    state.say(TEXT, "Do it")
    text = state.findChild(QLabel, "empty.none")
    needed = text.heightForWidth(400 - 64) + 14 + state.button.sizeHint().height()
    state.resize(400, needed + 8 + spare)
    with qtbot.waitExposed(state):
        state.show()
    QApplication.processEvents()
    assert text.height() >= text.heightForWidth(text.width())
    assert state.button.height() == state.button.sizeHint().height()
    assert state.rect().contains(state.button.geometry())
