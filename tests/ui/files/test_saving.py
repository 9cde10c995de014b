"""Saving by keys and menus: the file, the title, and failures."""

import gc
import os
import shutil
import weakref
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QDate, QEvent, QLocale, Qt, QTime
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton

from attnviewer.io import read_session
from attnviewer.paths import resource
from tests.documents import FOUR_WORDS, four_words, state_of


@pytest.fixture
def answers(monkeypatch):
    """Answer the file dialogs, one after the other, and record their suggestions."""
    given, suggested = [], []

    def ask(_parent, _title, place, _kinds):
        suggested.append(place)
        return given.pop(0), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    return given, suggested


def press(window, *keys):
    window.activateWindow()
    QTest.keyClick(window, *keys)


CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def edit(window):
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "7")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)


def saving_asks_where_once_writes_silently_and_save_as_elsewhere(
    window, answers, tmp_path
):
    given, suggested = answers
    given.append(str(tmp_path / "mine"))
    press(window, Qt.Key.Key_S, CONTROL)
    path = tmp_path / "mine.attn"
    assert state_of(read_session(path)) == state_of(window.document)
    assert suggested[0].endswith("Four words, weights drawn with seed 42.attn")
    assert "mine.attn" in window.windowTitle()
    edit(window)
    assert window.isWindowModified()
    press(window, Qt.Key.Key_S, CONTROL)
    assert not window.isWindowModified()
    assert read_session(path).matrix("X")[0, 0] == 7
    assert len(suggested) == 1

    window.opener.open_document(four_words())
    one, other = tmp_path / "one.attn", tmp_path / "other.attn"
    answers[0].extend([str(one), str(other)])
    press(window, Qt.Key.Key_S, CONTROL)
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL | SHIFT)
    assert read_session(one).matrix("X").tolist() == FOUR_WORDS["X"]
    assert read_session(other).matrix("X")[0, 0] == 7
    assert "other.attn" in window.windowTitle()


def status_of(window) -> str:
    return window.findChild(QLabel, "status.saved").text()


def test_what_is_typed_is_saved_the_status_bar_says_when_and_undo_modifies_it(
    window, answers, tmp_path, qtbot
):
    path = tmp_path / "a.attn"
    answers[0].append(str(path))
    assert status_of(window) == "no changes"
    edit(window)
    assert status_of(window) == "● modified"
    press(window, Qt.Key.Key_S, CONTROL)
    at = datetime.fromtimestamp(path.stat().st_mtime)
    time = QTime(at.hour, at.minute)
    short = QLocale.FormatType.ShortFormat
    assert status_of(window) == f"saved {QLocale().toString(time, short)}"
    older = Path(shutil.copy(path, tmp_path / "older.attn"))
    os.utime(older, (86400 * 365.5, 86400 * 365.5))
    window.opener.open(str(older))
    day = QLocale().toString(QDate(1971, 1, 1), short)
    qtbot.waitUntil(lambda: status_of(window) == f"saved {day}")

    window.opener.open_document(four_words())
    answers[0].append(str(tmp_path / "b.attn"))
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert not window.isWindowModified()
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.isWindowModified()

    window.opener.open_document(four_words())
    (tmp_path / "b.attn").unlink()
    answers[0].append(str(tmp_path / "b.attn"))
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "9")
    window.findChild(QAction, "action.save").trigger()
    assert read_session(tmp_path / "b.attn").matrix("X")[0, 0] == 9


def a_place_that_cannot_be_saved_to_is_told_with_a_way_out(window, answers, tmp_path):
    answers[0].append("")
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert window.isWindowModified()
    assert list(tmp_path.iterdir()) == []

    window.opener.open_document(four_words())
    answers[0].append(str(tmp_path / ("x" * 252)))
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert window.notice.text.endswith("The name is too long.")
    assert window.notice.findChild(QPushButton, "notice.offer.0").text() == "&Save as…"
    assert list(tmp_path.iterdir()) == []
    # The button would save the document that is open.
    changed = window.document
    window.opener.open_document(four_words())
    answers[0].append(str(tmp_path / ("x" * 252)))
    assert not window.saver.save_each([changed])
    assert window.notice.text.endswith("The name is too long.")
    offers = window.notice.findChildren(QPushButton, "notice.offer.0")
    assert not any(offer.isVisible() for offer in offers)

    window.opener.open_document(four_words())
    path = tmp_path / "b.attn"
    answers[0].extend([str(tmp_path / "gone" / "a.attn"), str(path)])
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert "There is no folder" in window.notice.text
    assert window.isWindowModified()
    window.notice.findChild(QPushButton, "notice.offer.0").click()
    assert read_session(path).matrix("X")[0, 0] == 7
    assert not window.isWindowModified()


def a_session_is_saved_where_it_came_from_and_kept_only_while_it_is_open(
    window, answers, tmp_path, qtbot
):
    answers[0].append(str(tmp_path / "a.attn"))
    press(window, Qt.Key.Key_S, CONTROL)
    gone = weakref.ref(window.document)
    window.opener.open_example("two-heads")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert gone() is None

    window.opener.open_document(four_words())
    path = tmp_path / "a.attn"
    answers[0].append(str(path))
    press(window, Qt.Key.Key_S, CONTROL)
    window.opener.open_example("two-heads")
    assert "a.attn" not in window.windowTitle()
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: "a.attn" in window.windowTitle())
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert read_session(path).matrix("X")[0, 0] == 7


def test_an_example_from_a_file_asks_where_to_be_saved(
    answers, open_window, appearance, tmp_path
):
    example = tmp_path / "mine.json"
    example.write_bytes(resource("examples", "four-words.json").read_bytes())
    before = example.read_bytes()
    window = open_window(str(example))
    assert window.saver.path(window.document) is None
    answers[0].append(str(tmp_path / "mine.attn"))
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert example.read_bytes() == before
    assert read_session(tmp_path / "mine.attn").matrix("X")[0, 0] == 7


def a_document_that_was_saved_while_set_aside_is_not_asked_about(
    window, answers, tmp_path
):
    window.workbench.edits.mark_saved(window.document)
    window.opener.open_document(four_words())
    edit(window)
    changed = window.document
    window.opener.open_example("two-heads")
    asked = []
    window.confirm_close = lambda _window, documents: asked.extend(documents)
    window.close()
    assert asked == [changed]
    answers[0].append(str(tmp_path / "a.attn"))
    assert window.saver.save_each(window.workbench.changed)
    assert read_session(tmp_path / "a.attn").matrix("X")[0, 0] == 7
    window.close()
    assert not window.isVisible()
    assert asked == [changed]


def test_a_session_keeps_its_place_while_open_and_once_saved_is_not_asked_about(
    window, answers, tmp_path, qtbot
):
    a_session_is_saved_where_it_came_from_and_kept_only_while_it_is_open(
        window, answers, tmp_path, qtbot
    )
    a_document_that_was_saved_while_set_aside_is_not_asked_about(
        window, answers, tmp_path
    )


def test_saving_asks_where_once_and_tells_what_cannot_be_saved_with_a_way_out(
    window, answers, tmp_path
):
    a_place_that_cannot_be_saved_to_is_told_with_a_way_out(window, answers, tmp_path)
    window.opener.open_example("four-words")
    answers[1].clear()
    saving_asks_where_once_writes_silently_and_save_as_elsewhere(
        window, answers, tmp_path
    )
