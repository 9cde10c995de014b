"""The window closes: which of the changed documents are saved, by keys alone."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPushButton,
    QTreeWidget,
)

from attnviewer.io import read_session
from attnviewer.ui.window.closing import ClosingDialog, confirm_close

CONTROL = Qt.KeyboardModifier.ControlModifier
CONTENT = "4 tokens: word 1 word 2 word 3 word 4 · Self-attention"
TITLE = "“Four words, weights drawn with seed 42”"


@pytest.fixture
def files(monkeypatch):
    """Answer the file dialogs, one after the other."""
    answers: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (answers.pop(0), ""))
    return answers


@pytest.fixture
def twice_changed(window):
    """Return a window with an example that was edited, and again, by two edits."""
    type_into(window, "7")
    window.opener.open_example("four-words")
    type_into(window, "8")
    type_into(window, "9")
    return window


def type_into(window, text):
    window.activateWindow()
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, text)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)


def close(window, act):
    """Close the window by its keys, and act on the dialog that asks."""
    timer = QTimer(interval=0)

    def answer():
        dialog = QApplication.activeModalWidget()
        if dialog is None:
            return
        timer.stop()
        assert isinstance(dialog, ClosingDialog)
        try:
            act(dialog)
        finally:
            dialog.reject()

    timer.timeout.connect(answer)
    timer.start()
    window.confirm_close = confirm_close
    QTest.keyClick(window, Qt.Key.Key_Q, CONTROL)
    window.confirm_close = None  # nobody answers any more
    assert not timer.isActive()


def press(dialog, key):
    QTest.keyClick(dialog.focusWidget(), key)


def test_documents_of_one_title_are_told_apart(twice_changed):
    def look(dialog):
        rows = dialog.findChild(QTreeWidget)
        items = [rows.topLevelItem(row) for row in range(rows.topLevelItemCount())]
        texts = [[item.text(column) for column in range(5)] for item in items]
        assert [row[0] for row in texts] == [TITLE, TITLE]
        assert all(CONTENT in item.toolTip(1) for item in items)
        assert "2 edits" not in texts[0][2]
        assert texts[0][2].startswith("Set X")
        assert texts[1][2].endswith("(2 edits)")
        assert all(row[3] for row in texts)
        assert [row[4] for row in texts] == ["—", "—"]
        press(dialog, Qt.Key.Key_Escape)

    close(twice_changed, look)
    assert twice_changed.isVisible()


def test_a_long_sentence_is_cut_once_at_its_end(window):
    def look(dialog):
        item = dialog.findChild(QTreeWidget).topLevelItem(0)
        content = item.text(1)
        assert content.startswith("4 tokens: transformation word 2")
        assert content.endswith("…")
        assert content.count("…") == 1
        assert "word 4 · Self-attention" in item.toolTip(1)
        press(dialog, Qt.Key.Key_Escape)

    table = window.inputs.table("tokens")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "t")
    QTest.keyClicks(window.focusWidget(), "ransformation")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    close(window, look)


def test_only_what_is_checked_is_saved(twice_changed, files, tmp_path):
    files.append(str(tmp_path / "first.attn"))

    def answer(dialog):
        lost = dialog.findChild(QLabel, "closing.lost")
        assert lost.text() == ""
        press(dialog, Qt.Key.Key_Down)
        press(dialog, Qt.Key.Key_Space)
        assert lost.text() == "The changes to 1 unchecked document will be lost."
        assert dialog.findChild(QPushButton, "closing.save").isDefault()
        press(dialog, Qt.Key.Key_Return)

    close(twice_changed, answer)
    assert not twice_changed.isVisible()
    assert [path.name for path in tmp_path.iterdir()] == ["first.attn"]
    assert read_session(tmp_path / "first.attn").matrix("X")[0, 0] == 7


def test_a_name_that_is_not_given_keeps_the_window_and_all_changes(
    twice_changed, files, tmp_path
):
    files.extend([str(tmp_path / "first.attn"), ""])
    close(twice_changed, lambda dialog: press(dialog, Qt.Key.Key_Return))
    assert twice_changed.isVisible()
    assert twice_changed.document.matrix("X")[0, 0] == 9
    assert twice_changed.isWindowModified()
    assert twice_changed.workbench.changed == [twice_changed.document]


def test_discarding_saves_nothing(twice_changed, tmp_path):
    def answer(dialog):
        dialog.findChild(QPushButton, "closing.discard").setFocus()
        press(dialog, Qt.Key.Key_Space)

    close(twice_changed, answer)
    assert not twice_changed.isVisible()
    assert list(tmp_path.iterdir()) == []
