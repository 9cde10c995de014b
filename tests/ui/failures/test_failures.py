"""Unexpected errors: shown in one dialog, which first offers to save a copy."""

import sys
import threading

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
)

from attnviewer.io import read_session
from attnviewer.ui.failures import reporting_failures
from attnviewer.ui.failures.dialog import FailureDialog
from attnviewer.ui.log import FILE, log_folder
from attnviewer.ui.work.worker import Worker
from tests.documents import state_of


@pytest.fixture
def failing(window, qtbot):
    """The window with error reporting; raised errors are expected."""
    raised = []

    def collect(_kind, error, _way):
        raised.append(error)

    hook, sys.excepthook = sys.excepthook, collect
    try:
        with reporting_failures() as failures:
            failures.follow(window, window.workbench, window.notice)
            window.raised = raised
            yield window
    finally:
        sys.excepthook = hook


def fail(error):
    """Raise from the event loop."""

    def act():
        raise error

    QTimer.singleShot(0, act)


def dialogs(window):
    return [d for d in window.findChildren(FailureDialog) if d.isVisible()]


def wait_for_dialog(window, qtbot):
    qtbot.waitUntil(lambda: len(dialogs(window)) == 1)
    return dialogs(window)[0]


def press(dialog, name):
    button = dialog.findChild(QPushButton, f"failure.{name}")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)


def log_text():
    return (log_folder() / FILE).read_text(encoding="utf-8")


def test_an_error_in_a_slot_is_told_in_plain_words_with_details_and_logged(
    failing, qtbot
):
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)  # no error: Ctrl+C
    QApplication.processEvents()
    assert dialogs(failing) == []
    assert [type(error) for error in failing.raised] == [KeyboardInterrupt]
    fail(ValueError("Got 0.25 instead"))
    dialog = wait_for_dialog(failing, qtbot)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("bug in attnviewer, not a mistake of yours" in text for text in texts)
    assert not any("ValueError" in text for text in texts)
    assert "ValueError: Got # instead" in log_text()
    assert len(failing.raised) == 2  # and it is printed, too
    save = dialog.findChild(QPushButton, "failure.save")
    assert save.isDefault()
    # The details are the traceback, can be shown and hidden, and grow.
    details = dialog.findChild(QPlainTextEdit)
    assert not details.isVisible()
    press(dialog, "show")
    assert details.isVisible()
    assert details.toPlainText().startswith("Traceback (most recent call last):")
    assert "ValueError: Got 0.25 instead" in details.toPlainText()
    details.selectAll()
    details.copy()
    assert "Got 0.25" in QApplication.clipboard().text()
    press(dialog, "show")
    assert not details.isVisible()
    fail(KeyError("other"))
    qtbot.waitUntil(lambda: "KeyError: 'other'" in details.toPlainText())
    assert "ValueError: Got 0.25 instead" in details.toPlainText()
    assert len(dialogs(failing)) == 1
    press(dialog, "continue")
    fail(TypeError("third"))
    third = wait_for_dialog(failing, qtbot).findChild(QPlainTextEdit)
    assert "third" in third.toPlainText()


def test_a_copy_is_saved_or_the_reason_told_and_the_document_stays_what_it_was(
    failing, qtbot, monkeypatch, tmp_path
):
    suggested, answers = [], ["no/x.attn", "layer 0.5", "layer 0.5", "copy"]

    def ask(_parent, _title, place, _kinds):
        suggested.append(place)
        return str(tmp_path / answers.pop(0)), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    failing.origins.keep_source(failing.document, str(tmp_path / "mine.attn"), None)
    fail(ValueError())
    dialog = wait_for_dialog(failing, qtbot)
    outcome = dialog.findChild(QLabel, "failure.outcome")
    press(dialog, "save")
    assert "There is no folder" in outcome.text()
    # With a point in its name it is a session as well.
    press(dialog, "save")
    assert [file.name for file in tmp_path.glob("layer*")] == ["layer 0.5.attn"]
    press(dialog, "save")
    assert outcome.text().startswith("No copy was saved.")
    assert outcome.text().endswith("It already exists and was not overwritten.")
    press(dialog, "save")
    saved = read_session(tmp_path / "copy.attn")
    assert state_of(saved) == state_of(failing.document)
    assert "a copy" in suggested[0]
    assert "mine.attn" not in suggested[0]
    assert not (tmp_path / "mine.attn").exists()
    assert outcome.isVisible()
    assert outcome.text().endswith("copy.attn")
    assert dialog.isVisible()


def test_continue_goes_on_and_the_same_error_is_not_asked_about_again(failing, qtbot):
    for _ in range(2):
        fail(ValueError())
    dialog = wait_for_dialog(failing, qtbot)
    press(dialog, "continue")
    assert dialogs(failing) == []
    assert failing.isVisible()
    fail(ValueError())
    qtbot.waitUntil(lambda: "has occurred again" in failing.notice.text)
    assert dialogs(failing) == []
    assert len(failing.raised) == 1


def test_an_error_that_comes_all_the_time_brings_one_dialog_and_few_lines(
    failing, qtbot
):
    raised = []

    def paint():
        raised.append(True)
        raise ZeroDivisionError("painting")

    turns = QTimer(failing, interval=0)
    turns.timeout.connect(paint)
    turns.start()
    dialog = wait_for_dialog(failing, qtbot)
    qtbot.waitUntil(lambda: len(raised) > 120)
    assert len(dialogs(failing)) == 1
    press(dialog, "continue")
    qtbot.waitUntil(lambda: "has occurred again" in failing.notice.text)
    turns.stop()
    assert dialogs(failing) == []
    assert log_text().count("unexpected error\n") == 1
    assert "again: 100 times" in log_text()


def test_an_error_in_another_thread_is_told_in_the_window(failing, qtbot):
    class Job:
        stopped = False

        def __init__(self, error):
            self._error = error

        def run(self):
            raise self._error

    worker = Worker(failing)
    worker.start(Job(ZeroDivisionError("in a worker")))
    worker.finish()
    dialog = wait_for_dialog(failing, qtbot)
    details = dialog.findChild(QPlainTextEdit).toPlainText()
    assert "ZeroDivisionError: in a worker" in details
    press(dialog, "continue")
    thread = threading.Thread(target=Job(KeyError("in a thread")).run)
    thread.start()
    thread.join()
    details = wait_for_dialog(failing, qtbot).findChild(QPlainTextEdit)
    assert "KeyError: 'in a thread'" in details.toPlainText()


def test_quitting_asks_for_what_is_not_saved_and_stays_where_that_fails(failing, qtbot):
    def fail_to_ask(*_):
        raise ZeroDivisionError("while it is asked")

    failing.workbench.edits.mark_unsaved(failing.document)
    failing.confirm_close = fail_to_ask
    QTimer.singleShot(0, failing.close)
    dialog = wait_for_dialog(failing, qtbot)
    assert failing.isVisible()
    assert "while it is asked" in log_text()
    asked = []
    failing.confirm_close = lambda *args: asked.append(args) or True
    press(dialog, "quit")
    qtbot.waitUntil(lambda: not failing.isVisible())
    assert len(asked) == 1


def test_afterwards_errors_go_where_they_went_before():
    before = sys.excepthook, threading.excepthook
    with reporting_failures():
        assert sys.excepthook is not before[0]
    assert (sys.excepthook, threading.excepthook) == before
