"""Unsaved documents of a crashed process are offered and restored exactly."""

import gc
import os
from dataclasses import astuple
from datetime import timedelta
from pathlib import Path

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QTreeWidget

from attnviewer.document import Document, SetCells
from attnviewer.io import read_session, save_session
from attnviewer.io.file_lock import lock
from attnviewer.io.recovery import About, RecoveryFolder
from attnviewer.io.stamp import Stamp
from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.files.checklist import change_text
from attnviewer.ui.recovery import autosave as autosave_module
from attnviewer.ui.recovery.dialog import RecoveryDialog
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.settings import own_settings
from tests.documents import FOUR_WORDS, four_words
from tests.ui.recovery.ending import end_recovery

CONTENT, CHANGE = "2 tokens: a b · Self-attention", "Set X[0, 0]"
CONTROL = Qt.KeyboardModifier.ControlModifier


def root() -> Path:
    return data_folder() / "recovery"


def edited(value) -> Document:
    document = four_words()
    document.apply(SetCells("Set", "X", 0, 0, np.array([[value]])))
    return document


def leave(*values, file=None) -> None:
    """Leave documents behind, like a crashed process."""
    folder = RecoveryFolder(root())
    stamp = Stamp.of(file) if file else None
    stamped = stamp and astuple(stamp)
    about = About("Four words", file and str(file), stamped, CONTENT, CHANGE)
    for number, value in enumerate(values):
        later = about.time + timedelta(seconds=number)
        folder.keep(number, edited(value), replace(about, time=later))
    folder._lock.close()


def kept() -> list[Path]:
    return sorted(root().glob("process-*/*.attn"))


def dialog_of(window) -> RecoveryDialog:
    return window.findChild(RecoveryDialog)


def press(window, name) -> None:
    """Press a button of the dialog by keyboard."""
    button = dialog_of(window).findChild(QPushButton, f"recovery.{name}")
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)


def test_the_dialog_says_what_was_left_behind_and_leaves_it_unless_it_is_checked(
    window,
):
    # Without leftovers, nothing is asked.
    window.add(RecoveryFeature)
    assert dialog_of(window) is None
    assert not root().exists()
    end_recovery(window)

    leave(7.0, file=Path("/somewhere/words.attn"))
    window.add(RecoveryFeature)
    dialog = dialog_of(window)
    assert dialog.isVisible()
    assert not dialog.isModal()
    item = dialog.findChild(QTreeWidget).topLevelItem(0)
    shown = [item.text(column) for column in range(5)]
    assert shown[:3] == ["“Four words”", CONTENT, CHANGE]
    assert shown[3]
    assert shown[4] == "words.attn"
    assert item.toolTip(4) == "/somewhere/words.attn"

    # Nothing can be done while nothing is checked.
    gc.collect()
    names = "recover", "discard", "later"
    buttons = [dialog.findChild(QPushButton, f"recovery.{name}") for name in names]
    assert [button.isEnabled() for button in buttons] == [True, True, True]
    shown = dialog.findChild(QTreeWidget)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Space)
    assert [button.isEnabled() for button in buttons] == [False, False, True]
    # Escape leaves everything for later.
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert len(kept()) == 1
    end_recovery(window)

    # A long name of a file leaves room for the document.
    leave(7.0, file=Path("/somewhere") / ("x" * 250 + ".attn"))
    window.add(RecoveryFeature)
    shown = dialog_of(window).findChild(QTreeWidget)
    title = shown.topLevelItem(0).text(0)
    assert shown.columnWidth(0) > shown.fontMetrics().horizontalAdvance(title)
    assert shown.columnWidth(4) < shown.viewport().width() / 3
    assert shown.topLevelItem(0).text(4).endswith("x.attn")
    assert shown.topLevelItem(0).toolTip(4).endswith("xx.attn")


def test_only_what_is_checked_is_discarded_and_what_waits_is_offered_again(
    window, open_window
):
    leave(7.0, 8.0, 9.0)
    window.add(RecoveryFeature)
    shown = dialog_of(window).findChild(QTreeWidget)
    unchecked = shown.topLevelItem(1).data(0, Qt.ItemDataRole.UserRole)
    shown.setFocus()
    QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Space)
    press(window, "discard")
    assert kept() == [unchecked.path]
    assert dialog_of(window).isVisible()
    assert shown.topLevelItemCount() == 1
    press(window, "later")
    assert len(kept()) == 1
    window.close()

    # Once all are discarded, the dialog closes, and nothing is opened.
    other = open_window("example:four-words")
    before = other.document
    leave(8.0)
    other.add(RecoveryFeature)
    assert dialog_of(other).findChild(QTreeWidget).topLevelItemCount() == 2
    press(other, "discard")
    assert not dialog_of(other).isVisible()
    assert kept() == []
    assert other.document is before
    other.close()
    assert list(root().iterdir()) == []


def recover(window, qtbot) -> None:
    """Start recovery, and recover all that was left behind."""
    window.add(RecoveryFeature)
    press(window, "recover")
    qtbot.waitUntil(lambda: window.document.title == "Four words")


def test_what_is_recovered_is_modified_whatever_is_undone_and_goes_on_being_kept(
    window, qtbot, monkeypatch
):
    leave(7.0)
    recover(window, qtbot)
    assert window.document.matrix("X")[0, 0] == 7.0
    assert window.isWindowModified()
    assert window.notice.text == "Recovered “Four words”. Not saved yet."
    edit = SetCells("Set", "X", 0, 0, np.array([[8.0]]))
    window.workbench.edits.submit(edit)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert window.document.matrix("X")[0, 0] == 7.0
    assert window.isWindowModified()
    assert change_text(window.workbench.edits.changes(window.document)) == CHANGE
    end_recovery(window)

    monkeypatch.setattr(autosave_module, "INTERVAL_MS", 0)
    leave(7.0)
    recover(window, qtbot)
    edit = SetCells("Set", "X", 0, 1, np.array([[8.0]]))
    window.workbench.edits.submit(edit)
    assert len(kept()) == 1
    qtbot.waitUntil(
        lambda: read_session(kept()[0]).matrix("X")[0].tolist() == [7.0, 8.0, 0.0]
    )


def test_several_come_back_one_open_and_all_among_the_changed_if_a_text_is_refused(
    window, qtbot
):
    leave(7.0, 8.0, 9.0)
    window.add(RecoveryFeature)
    press(window, "recover")
    workbench = window.workbench
    qtbot.waitUntil(lambda: window.document.matrix("X")[0, 0] == 9.0)
    assert dialog_of(window) is None or not dialog_of(window).isVisible()
    documents = [window.document, *workbench.set_aside]
    assert [d.matrix("X")[0, 0] for d in documents] == [9.0, 7.0, 8.0]
    assert window.notice.text == (
        "Recovered “Four words”. Not saved yet. "
        "The others are in File ▸ Changed documents."
    )
    assert not any(workbench.edits.is_saved(d) for d in documents)
    assert len(window.findChildren(RecoveryDialog)) <= 1
    end_recovery(window)

    leave(7.0)
    window.add(RecoveryFeature)
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "x")
    dialog_of(window).findChild(QPushButton, "recovery.recover").click()
    qtbot.waitUntil(lambda: len(window.workbench.set_aside) == 1)
    assert window.workbench.set_aside[0].matrix("X")[0, 0] == 7.0
    assert "text that is not valid" in window.notice.text


def test_what_is_recovered_is_kept_and_saved_to_its_file_unless_that_has_changed_since(
    window, qtbot, tmp_path
):
    file = tmp_path / "words.attn"
    save_session(four_words(), file)
    leave(7.0, file=file)
    recover(window, qtbot)
    assert len(kept()) == 1
    assert read_session(file).matrix("X").tolist() == FOUR_WORDS["X"]
    assert "words.attn" in window.windowTitle()
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert read_session(file).matrix("X")[0, 0] == 7.0
    assert not window.isWindowModified()
    qtbot.waitUntil(lambda: kept() == [])
    end_recovery(window)

    # The message offers to save it.
    save_session(four_words(), file)
    leave(7.0, file=file)
    recover(window, qtbot)
    button = window.notice.findChild(QPushButton, "notice.offer.0")
    assert button.text() == "&Save"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert read_session(file).matrix("X")[0, 0] == 7.0
    assert not window.isWindowModified()
    end_recovery(window)

    save_session(four_words(), file)
    leave(7.0, file=file)
    save_session(edited(9.0), file)
    recover(window, qtbot)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert "has changed on disk" in window.notice.text
    assert read_session(file).matrix("X")[0, 0] == 9.0


def test_damaged_ones_are_told_and_put_apart_and_the_others_come_back(window, qtbot):
    leave(7.0, 8.0)
    whole = kept()[0].read_bytes()
    kept()[0].write_bytes(whole[:1000])
    recover(window, qtbot)
    qtbot.waitUntil(lambda: len(list((root() / "damaged").iterdir())) == 1)
    (apart,) = (root() / "damaged").iterdir()
    assert apart.read_bytes() == whole[:1000]
    end_recovery(window)

    # One alone is told with its reason and its place.
    leave(7.0)
    kept()[0].write_bytes(b"PK no archive")
    before = window.document
    window.add(RecoveryFeature)
    press(window, "recover")
    qtbot.waitUntil(lambda: window.notice.text != "")
    assert window.notice.text.startswith("“Four words” cannot be recovered. ")
    assert "is damaged" in window.notice.text
    (apart,) = (root() / "damaged").iterdir()
    assert window.notice.text.endswith(str(apart))
    assert window.document is before
    end_recovery(window)

    # One that has vanished meanwhile is told.
    leave(7.0)
    window.add(RecoveryFeature)
    kept()[0].unlink()
    press(window, "recover")
    qtbot.waitUntil(lambda: "no such file" in window.notice.text)


def test_a_living_windows_work_is_not_offered_to_another(
    window, open_window, qtbot, monkeypatch
):
    monkeypatch.setattr(autosave_module, "INTERVAL_MS", 0)
    window.add(RecoveryFeature)
    edit = SetCells("Set", "X", 0, 0, np.array([[7.0]]))
    window.workbench.edits.submit(edit)
    qtbot.waitUntil(lambda: len(kept()) == 1)
    other = open_window("example:four-words")
    other.add(RecoveryFeature)
    assert dialog_of(other) is None
    other.close()
    QApplication.processEvents()
    assert len(kept()) == 1


def temporary(folder: Path) -> Path:
    """Leave what remains when a process is killed while writing a file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / ".attnviewer-0123456789abcdef.tmp"
    path.write_bytes(b"half")
    return path


def remember_files_in(*folders: Path) -> None:
    recent = " ".join(str(folder / "words.attn") for folder in folders)
    own_settings().setValue("files/recent", recent)


def test_temporary_files_go_at_the_start_but_for_those_of_living_processes(
    window, qtbot, tmp_path
):
    leave(7.0)
    (process,) = root().glob("process-*")
    gone, recent = tmp_path / "gone", tmp_path / "work"
    left_behind = [temporary(process), temporary(recent)]
    remember_files_in(gone, recent)
    theirs = recent / "attnviewer-0123456789abcdef.tmp"
    theirs.write_bytes(b"of somebody else")
    elsewhere = temporary(tmp_path)
    window.add(RecoveryFeature)
    qtbot.waitUntil(lambda: not any(path.exists() for path in left_behind))
    assert theirs.exists()
    assert elsewhere.exists()
    assert not gone.exists()
    assert len(kept()) == 1
    end_recovery(window)

    if os.name != "posix":
        return  # elsewhere no open file can go
    living, left_behind = temporary(tmp_path / "a"), temporary(tmp_path / "b")
    remember_files_in(tmp_path / "a", tmp_path / "b")
    with living.open("rb+") as file:
        assert lock(file)
        window.add(RecoveryFeature)
        qtbot.waitUntil(lambda: not left_behind.exists())
        assert living.read_bytes() == b"half"
