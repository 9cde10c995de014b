"""The log file: events, without any number of a matrix."""

import logging
import os

import numpy as np
import pytest
from PySide6.QtCore import QUrl, qInstallMessageHandler, qWarning
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QFileDialog

from attnviewer.document import SetCells
from attnviewer.io import save_session
from attnviewer.ui.log import FILE, LOG, Log, log_error, log_file, log_folder
from tests.documents import four_words


@pytest.fixture
def log(qapp):
    log = Log()
    yield log
    log.close()


def written() -> str:
    return (log_folder() / FILE).read_text(encoding="utf-8")


def failing(message: str) -> Exception:
    secret = np.array([[0.123456789]])
    try:
        raise ValueError(message.format(secret[0, 0]))
    except ValueError as error:
        return error


def test_a_start_tells_all_versions(log):
    for name in ("attnviewer", "Python", "NumPy", "PySide", "Qt", "shown by offscreen"):
        assert name in written()
    assert np.__version__ in written()


def test_an_error_is_written_with_its_way_and_without_a_number(log):
    log_error(failing("Got {} at (8172635, 3), -1.5e-299 and 1,000.5 instead"))
    assert "ValueError: Got # at (#, #), -# and # instead" in written()
    assert 'test_log.py", line ' in written()
    assert "raise ValueError(message" in written()
    # Not a number that a time, version or line number could contain.
    for number in ("0.123456789", "8172635", "e-299", "1,000.5"):
        assert number not in written()


def test_the_errors_before_an_error_are_written_too(log):
    try:
        try:
            raise KeyError("first 0.25")
        except KeyError as error:
            raise RuntimeError("second 0.75") from error
    except RuntimeError as error:
        log_error(error)
    first, second = written().index("KeyError: 'first #'"), written().index("second #")
    assert first < second


def test_of_a_file_the_name_alone_is_written(log, tmp_path):
    path = tmp_path / "a\nb.attn"
    log_file("refused", path, f"{path}, line 3: Got 0.5 instead.")
    assert str(tmp_path) not in written()
    assert "refused a\\nb.attn: a\\nb.attn, line #: Got # instead." in written()


def test_what_qt_says_is_written_and_heard_by_whom_it_was_before(qapp):
    heard = []

    def hear(_kind, _context, text):
        heard.append(text)

    before = qInstallMessageHandler(hear)
    log = Log()
    qWarning("something of Qt's")
    log.close()
    assert qInstallMessageHandler(before) is hear
    assert heard == ["something of Qt's"]
    assert "WARNING Qt: something of Qt's" in written()


def test_nothing_is_written_when_it_is_closed(qapp):
    log = Log()
    log.close()
    before = written()
    log_error(failing("late"))
    assert written() == before
    assert all(isinstance(h, logging.NullHandler) for h in LOG.handlers)


def test_old_files_make_room_for_new_ones(log, monkeypatch):
    log._handler.maxBytes = 2000
    for number in range(200):
        LOG.info("a line, and then another one: %s", number)
    names = sorted(path.name for path in log_folder().iterdir())
    assert names == [FILE, f"{FILE}.1", f"{FILE}.2"]
    assert all(path.stat().st_size <= 2000 for path in log_folder().iterdir())
    assert "another one: 199" in written()


def test_a_folder_that_cannot_be_made_is_no_reason_to_fail(qapp, capsys):
    log_folder().parent.parent.mkdir(parents=True, exist_ok=True)
    log_folder().parent.write_bytes(b"a file")
    log = Log()
    log_error(failing("nobody hears of it"))
    log.close()
    assert capsys.readouterr() == ("", "")


def test_a_full_disk_is_no_reason_to_fail(log, monkeypatch, capsys):
    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(log._handler, "format", fail)
    LOG.info("nobody hears of it")
    assert capsys.readouterr() == ("", "")


def test_opening_and_saving_in_the_window_leave_names_in_the_log(
    log, window, qtbot, tmp_path, monkeypatch
):
    path = tmp_path / "mine.attn"
    save_session(four_words(), path)
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document.title == "Four words")
    edit = SetCells("Set", "X", 0, 0, np.array([[0.123456789]]))
    window.workbench.edits.submit(edit)
    window.saver.save()
    bad = tmp_path / "bad.attn"
    bad.write_bytes(b"PK")
    window.opener.open(str(bad))
    qtbot.waitUntil(lambda: "bad.attn" in window.notice.text)
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "x.attn"), "")
    )
    window.saver.save_as()
    lines = written().splitlines()
    for event in ("opened mine.attn", "saved mine.attn", "refused bad.attn: bad.attn"):
        assert any(f"INFO {event}" in line for line in lines), event
    assert any("could not save x.attn: There is no folder" in line for line in lines)
    assert "0.123456789" not in written()
    assert os.sep + "bad.attn" not in written()


@pytest.mark.parametrize("opens", [True, False])
def test_the_help_menu_shows_the_folder_and_tells_the_path(
    log, window, monkeypatch, opens
):
    shown = []

    def show(url):
        shown.append(url)
        return opens

    monkeypatch.setattr(QDesktopServices, "openUrl", show)
    window.findChild(QAction, "action.log").trigger()
    assert shown == [QUrl.fromLocalFile(str(log_folder()))]
    assert window.notice.text.endswith(str(log_folder() / FILE))


def test_without_a_log_file_the_help_menu_says_so(window, monkeypatch):
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: pytest.fail("opened"))
    window.findChild(QAction, "action.log").trigger()
    assert "There is no log file" in window.notice.text
