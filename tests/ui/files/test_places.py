"""Failing disks and folders, and odd names: a reason, a way out, no data loss."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from attnviewer.io import atomic as atomic_module
from attnviewer.io import read_session, save_session
from tests.documents import four_words, state_of

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

TROUBLES = [
    (errno.EACCES, "Permission denied."),
    (errno.EROFS, "The disk is read-only."),
    (errno.ENOSPC, "The disk is full."),
    (errno.EDQUOT, "The disk quota is used up."),
    (errno.EIO, "The disk reports a hardware error."),
]
NAMES = [
    "with spaces and (signs) & 100 %.attn",
    "Schlüssel 🔑 注意.attn",
    "-rf.attn",
    "v1.2 notes.attn",
    "ä" * 125 + ".attn",
]
if sys.platform == "linux":  # elsewhere it is no name
    NAMES.append(os.fsdecode(b"caf\xe9.attn"))


@pytest.fixture
def answers(monkeypatch):
    """Answer the file dialogs, one after the other."""
    given = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_: (str(given.pop(0)), "")
    )
    return given


@pytest.fixture
def refusing_disk(monkeypatch):
    """Make writing into a folder fail half way through."""

    def refuse(folder, code):
        replace = Path.replace

        def fail(path, target):
            if Path(target).parent == folder:
                raise OSError(code, os.strerror(code))
            return replace(path, target)

        monkeypatch.setattr(atomic_module.Path, "replace", fail)

    return refuse


def press(window, *keys):
    window.activateWindow()
    QTest.keyClick(window, *keys)


def edit(window, text="7"):
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, text)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)


def choose(window, text):
    buttons = window.notice.findChildren(QPushButton)
    offer = next(b for b in buttons if b.text() == text and not b.isHidden())
    offer.setFocus()
    QTest.keyClick(offer, Qt.Key.Key_Space)


def open_and_wait(window, qtbot, path):
    before = window.document
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document is not before)


def test_what_cannot_be_saved_or_exported_is_told_and_goes_elsewhere(
    window, qtbot, answers, refusing_disk, tmp_path
):
    for code, reason in TROUBLES:
        folder, path = tmp_path / f"bad {code}", tmp_path / f"good {code}.attn"
        folder.mkdir()
        save_session(four_words(), folder / "a.attn")
        open_and_wait(window, qtbot, folder / "a.attn")
        edit(window)
        refusing_disk(folder, code)
        press(window, Qt.Key.Key_S, CONTROL)
        assert window.notice.text == f"{folder / 'a.attn'}: {reason}"
        assert window.isWindowModified()
        assert state_of(read_session(folder / "a.attn")) == state_of(four_words())
        assert [file.name for file in folder.iterdir()] == ["a.attn"]
        answers.append(path)
        choose(window, "&Save as…")
        assert read_session(path).matrix("X")[0, 0] == 7
        assert not window.isWindowModified()

    for code, reason in TROUBLES:
        bad, good = tmp_path / f"csv bad {code}", tmp_path / f"csv good {code}"
        bad.mkdir()
        good.mkdir()
        refusing_disk(bad, code)
        answers.append(bad / "weights.csv")
        window.findChild(QAction, "action.export_step").trigger()
        notice = f"{bad / 'weights.csv'}: {reason}"
        qtbot.waitUntil(lambda notice=notice: window.notice.text == notice)
        assert list(bad.iterdir()) == []
        answers.append(good / "weights.csv")
        choose(window, "Export elsewhe&re…")
        qtbot.waitUntil((good / "weights.csv").exists)
        qtbot.waitUntil(lambda: "written" in window.notice.text)


def test_what_cannot_be_read_is_told_and_another_file_chosen(
    window, qtbot, tmp_path, monkeypatch
):
    good, opened, codes = tmp_path / "good.attn", Path.open, {}
    save_session(four_words(), good)

    def refuse(path, *arguments, **options):
        if path in codes:
            raise OSError(codes[path], os.strerror(codes[path]))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(good), ""))
    unknown = errno.ESTALE, "The system rep"
    for code, reason in (TROUBLES[0], TROUBLES[-1], unknown):
        window.opener.open_example("two-heads")
        bad = tmp_path / f"bad {code}.attn"
        save_session(four_words(), bad)
        codes[bad] = code
        window.opener.open(str(bad))
        told = f"{bad}: {reason}"
        qtbot.waitUntil(lambda told=told: window.notice.text.startswith(told))
        choose(window, "Open a&nother file…")
        qtbot.waitUntil(lambda: "good.attn" in window.windowTitle())


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is denied to root"
)
@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_folder_without_the_right_to_write_is_told(window, answers, tmp_path, mode):
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(mode)
    answers.append(folder / "a.attn")
    press(window, Qt.Key.Key_S, CONTROL)
    folder.chmod(0o700)
    assert window.notice.text.endswith("Permission denied.")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 64 KiB, where the tests have the right to mount one."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    try:
        made = subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        made = False
    if not made:
        pytest.skip("a disk can be made by root on Linux alone")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_full_keeps_the_old_session_whole(
    window, qtbot, answers, small_disk, tmp_path
):
    path = small_disk / "a.attn"
    save_session(four_words(), path)
    open_and_wait(window, qtbot, path)
    with pytest.raises(OSError, match="No space"):
        (small_disk / "x").write_bytes(b"x" * 2**16)
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert window.notice.text == f"{path}: The disk is full."
    assert state_of(read_session(path)) == state_of(four_words())
    assert sorted(file.name for file in small_disk.iterdir()) == ["a.attn", "x"]
    answers.append(tmp_path / "b.attn")
    choose(window, "&Save as…")
    assert read_session(tmp_path / "b.attn").matrix("X")[0, 0] == 7
    qtbot.waitUntil(lambda: not window.isWindowModified())


def test_odd_names_are_saved_opened_watched_and_exported_beside(
    window, qtbot, answers, tmp_path
):
    for number, name in enumerate(NAMES, start=2):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / name
        edit(window, str(number))
        answers.append(path)
        press(window, Qt.Key.Key_S, CONTROL | SHIFT)
        assert [file.name for file in folder.iterdir()] == [name]
        assert window.saver.path(window.document) == path
        open_and_wait(window, qtbot, path)
        assert window.document.matrix("X")[0, 0] == number
        save_session(four_words(), path)
        qtbot.waitUntil(lambda: "has changed on disk" in window.notice.text)
        table = path.with_name(path.stem[:100] + ".csv")  # the index goes beside it
        answers.append(table)
        window.findChild(QAction, "action.export_step").trigger()
        qtbot.waitUntil(table.exists)
        qtbot.waitUntil(lambda: "written" in window.notice.text)


def test_names_that_no_file_can_have_or_another_has_are_told_others_get_the_suffix(
    window, answers, tmp_path
):
    for number, name in enumerate(
        ["ä" * 126 + ".attn", "a\0b.attn", "half \ud83d.attn"]
    ):
        window.opener.open_document(four_words())
        folder = tmp_path / str(number)
        folder.mkdir()
        answers.append(folder / name)
        press(window, Qt.Key.Key_S, CONTROL)
        assert str(folder) in window.notice.text
        assert list(folder.iterdir()) == []
        answers.append(folder / "a.attn")
        choose(window, "&Save as…")
        assert (folder / "a.attn").exists()

    # So does one with a point, and with it a name can be too long.
    window.opener.open_document(four_words())
    folder = tmp_path / "points"
    folder.mkdir()
    answers.append(folder / "v1.2 notes")
    press(window, Qt.Key.Key_S, CONTROL)
    assert [file.name for file in folder.iterdir()] == ["v1.2 notes.attn"]

    window.opener.open_document(four_words())
    answers.append(tmp_path / ("a" * 253))
    press(window, Qt.Key.Key_S, CONTROL)
    assert "The name is too long." in window.notice.text

    # What the dialog has not asked about is not overwritten.
    window.opener.open_document(four_words())
    (tmp_path / "a.attn").write_text("somebody's")
    answers.append(tmp_path / "a")
    press(window, Qt.Key.Key_S, CONTROL)
    assert (tmp_path / "a.attn").read_text() == "somebody's"
    notice = f"{tmp_path / 'a.attn'}: It already exists and was not overwritten."
    assert window.notice.text == notice
    answers.append(tmp_path / "a.attn")  # now the dialog has asked about overwriting
    choose(window, "&Save as…")
    assert state_of(read_session(tmp_path / "a.attn")) == state_of(window.document)
