"""Unsaved work is autosaved in the background, only as long as it is unsaved."""

import contextlib
import errno
import os

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.document import Replace, SetCells
from attnviewer.document.copying import GradualCopy
from attnviewer.io import FileError, read_session, save_session
from attnviewer.ui.features.recovery import RecoveryFeature
from attnviewer.ui.recovery import autosave as autosave_module
from attnviewer.ui.state.folders import data_folder
from tests.documents import FOUR_WORDS, four_words
from tests.ui.recovery.ending import end_recovery

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def keeping(window, monkeypatch):
    """The window with autosaving without delay."""
    monkeypatch.setattr(autosave_module, "INTERVAL_MS", 0)
    window.add(RecoveryFeature)
    return window


def kept():
    return sorted((data_folder() / "recovery").glob("process-*/*.attn"))


def first_cells():
    cells = []
    for path in kept():
        with contextlib.suppress(FileError):  # it may be removed at any moment
            cells.append(read_session(path).matrix("X")[0, 0])
    return sorted(cells)


def type_into_x(window, text):
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, text)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)


def undo_all(window):
    window.workbench.edits.activeStack().setIndex(0)


def set_cell(window, value, **how):
    edit = SetCells("Set", "X", 0, 0, np.array([[value]]))
    window.workbench.edits.submit(edit, **how)


def test_edits_are_kept_until_they_are_undone_or_saved(keeping, qtbot, tmp_path):
    assert kept() == []
    type_into_x(keeping, "7")
    qtbot.waitUntil(lambda: first_cells() == [7.0])
    type_into_x(keeping, "8")
    qtbot.waitUntil(lambda: first_cells() == [8.0])
    QTest.keyClick(keeping, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: first_cells() == [7.0])
    QTest.keyClick(keeping, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: kept() == [])

    undo_all(keeping)
    qtbot.waitUntil(lambda: kept() == [])
    drag = object()
    for value in (5.0, 6.0):
        set_cell(keeping, value, gesture=drag)
        qtbot.waitUntil(lambda value=value: first_cells() == [value])

    undo_all(keeping)
    qtbot.waitUntil(lambda: kept() == [])
    spec = four_words(causal=True).spec
    keeping.workbench.edits.submit(Replace("Mask", spec=spec))
    qtbot.waitUntil(lambda: [read_session(p).spec for p in kept()] == [spec])

    undo_all(keeping)
    qtbot.waitUntil(lambda: kept() == [])
    keeping.origins.keep_source(keeping.document, str(tmp_path / "a.attn"), None)
    type_into_x(keeping, "7")
    qtbot.waitUntil(lambda: len(kept()) == 1)
    QTest.keyClick(keeping, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: kept() == [])
    type_into_x(keeping, "8")
    qtbot.waitUntil(lambda: first_cells() == [8.0])


def test_documents_that_are_set_aside_stay_kept_and_so_does_a_window_that_stays_open(
    keeping, qtbot
):
    # Each is in a file of its own.
    set_cell(keeping, 7.0)
    first = keeping.document
    qtbot.waitUntil(lambda: len(kept()) == 1)
    (path,) = kept()
    written = path.stat().st_mtime_ns
    keeping.opener.open_document(four_words())
    set_cell(keeping, 8.0)
    qtbot.waitUntil(lambda: first_cells() == [7.0, 8.0])
    assert path.stat().st_mtime_ns == written
    keeping.opener.reopen(first)
    QTest.keyClick(keeping, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: first_cells() == [8.0])
    end_recovery(keeping)

    # One that is set aside before it is kept is kept then.
    keeping.add(RecoveryFeature)
    set_cell(keeping, 7.0)
    keeping.opener.open_document(four_words())
    set_cell(keeping, 8.0)
    qtbot.waitUntil(lambda: first_cells() == [7.0, 8.0])
    end_recovery(keeping)

    # The end of the window leaves nothing.
    keeping.add(RecoveryFeature)
    set_cell(keeping, 7.0)
    qtbot.waitUntil(lambda: len(kept()) == 1)
    keeping.confirm_close = lambda *_: False
    assert not keeping.close()
    keeping.confirm_close = None
    set_cell(keeping, 8.0)
    qtbot.waitUntil(lambda: first_cells() == [8.0])

    set_cell(keeping, 7.0)
    qtbot.waitUntil(lambda: len(kept()) == 1)
    keeping.close()
    assert list((data_folder() / "recovery").iterdir()) == []


def autosave_of(window):
    """Start keeping; return the autosave and its clock."""
    window.add(RecoveryFeature)
    autosave = window.findChild(autosave_module.Autosave)
    return autosave, autosave.findChild(autosave_module.QTimer, "autosave.clock")


def test_nothing_is_written_before_its_time_and_nothing_twice(window, qtbot):
    autosave, clock = autosave_of(window)
    set_cell(window, 7.0)
    qtbot.waitUntil(clock.isActive)
    assert clock.interval() == 500
    assert kept() == []
    remaining = clock.remainingTime()
    set_cell(window, 8.0)
    QApplication.processEvents()
    assert clock.remainingTime() <= remaining
    clock.timeout.emit()  # as if the interval had passed
    qtbot.waitUntil(lambda: first_cells() == [8.0])
    clock.stop()
    autosave.worker.finish()
    QApplication.processEvents()
    assert not clock.isActive()


@pytest.fixture
def slow(monkeypatch):
    """The time of autosaves' own clock, and how long a file takes to be written."""
    time = {"now": 100.0, "writing": 0.0}

    def save(*arguments):
        time["now"] += time["writing"]
        save_session(*arguments)

    monkeypatch.setattr(autosave_module, "perf_counter", lambda: time["now"])
    monkeypatch.setattr("attnviewer.io.recovery.folder.save_session", save)
    return time


def test_at_most_two_seconds_are_lost_where_keeping_takes_up_to_seven_tenths(
    window, qtbot, slow
):
    for seconds in (0.0, 0.5, 0.7):
        slow["writing"] = seconds
        autosave, clock = autosave_of(window)
        set_cell(window, 7.0)
        qtbot.waitUntil(clock.isActive)
        assert clock.interval() / 1000 + seconds <= 2.0
        clock.stop()
        clock.timeout.emit()  # as if the interval had passed
        qtbot.waitUntil(lambda: first_cells() == [7.0])
        autosave.worker.finish()
        set_cell(window, 8.0)
        qtbot.waitUntil(clock.isActive)
        # An edit made just after the copy waits for this one, the pause and the next.
        assert seconds + clock.interval() / 1000 + seconds <= 2.0
        end_recovery(window)


def test_a_document_that_takes_long_is_kept_soon_after_a_rest(window, qtbot, slow):
    slow["writing"] = 10.0
    autosave, clock = autosave_of(window)
    intervals = []
    for rest in (0.0, 0.0, 12.5, 3600.0):
        slow["now"] += rest
        set_cell(window, 7.0 + len(intervals))
        qtbot.waitUntil(clock.isActive)
        intervals.append(clock.interval())
        clock.stop()
        clock.timeout.emit()
        qtbot.waitUntil(lambda: first_cells() == [6.0 + len(intervals)])
        autosave.worker.finish()
    assert intervals == [500, 28500, 16000, 500]


def test_what_is_undone_while_it_is_copied_is_not_kept_but_edits_are(
    keeping, qtbot, monkeypatch
):
    monkeypatch.setattr(autosave_module, "COPYING", 0.0)
    set_cell(keeping, 7.0)
    autosave = keeping.findChild(autosave_module.Autosave)
    slices = autosave.findChild(autosave_module.QTimer, "autosave.slices")
    qtbot.waitUntil(slices.isActive)
    keeping.workbench.edits.activeStack().undo()
    qtbot.waitUntil(lambda: not slices.isActive())
    autosave.worker.finish()
    assert kept() == []

    copies = []

    class Slow(GradualCopy):
        def go_on(self):
            copies.append(self)
            if len(copies) == 1:
                super().go_on()
                set_cell(keeping, 8.0)
                return True
            return super().go_on()

    monkeypatch.setattr(autosave_module, "GradualCopy", Slow)
    monkeypatch.setattr(autosave_module, "COPYING", 0.0)
    set_cell(keeping, 7.0)
    qtbot.waitUntil(lambda: first_cells() == [8.0])
    assert len(set(copies)) == 1


def test_a_full_disk_or_memory_or_whatever_goes_wrong_is_told_once_and_tried_again(
    keeping, qtbot, monkeypatch
):
    tried = []

    def fail(_descriptor):
        tried.append(True)
        raise OSError(errno.ENOSPC, "simulated")

    with monkeypatch.context() as full:
        full.setattr(os, "fsync", fail)
        set_cell(keeping, 7.0)
        qtbot.waitUntil(lambda: "The disk is full." in keeping.notice.text)
        keeping.notice.dismiss()
        before = len(tried)
        qtbot.waitUntil(lambda: len(tried) > before + 2)
        assert keeping.notice.text == ""
        assert kept() == []
    qtbot.waitUntil(lambda: first_cells() == [7.0])
    assert keeping.document.matrix("X")[1].tolist() == FOUR_WORDS["X"][1]

    undo_all(keeping)
    qtbot.waitUntil(lambda: kept() == [])
    keeping.notice.dismiss()

    def fail(_self):
        raise MemoryError

    with monkeypatch.context() as failing:
        failing.setattr(GradualCopy, "go_on", fail)
        set_cell(keeping, 7.0)
        qtbot.waitUntil(lambda: "not enough memory" in keeping.notice.text)
    qtbot.waitUntil(lambda: first_cells() == [7.0])
    end_recovery(keeping)

    # Mistakes while it is written are raised nowhere.
    keeping.add(RecoveryFeature)
    errors = [MemoryError(), RuntimeError("a mistake")]

    def fail(*_):
        raise errors[-1]

    while errors:
        with monkeypatch.context() as failing:
            failing.setattr("attnviewer.io.recovery.folder.save_session", fail)
            set_cell(keeping, 7.0)
            qtbot.waitUntil(lambda: "could not be autosaved" in keeping.notice.text)
        qtbot.waitUntil(lambda: first_cells() == [7.0])
        qtbot.waitUntil(lambda: keeping.notice.text.endswith("autosaved again."))
        errors.pop()
        undo_all(keeping)
        keeping.notice.dismiss()
        qtbot.waitUntil(lambda: kept() == [])
