"""External changes to files: offers, reloading, and saving over them."""

import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import thread_time

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from attnviewer import tasks, train
from attnviewer.document import Document, SetCells
from attnviewer.document.array_roles.suggesting import suggest
from attnviewer.io import DocumentFile, FileError, read_session, save_session
from attnviewer.io.importing import ImportedFiles, read_arrays
from attnviewer.ui.files import reloading as reloading_module
from tests.documents import FOUR_WORDS, four_words, state_of
from tests.mnemonics import letters_of_menus

CONTROL = Qt.KeyboardModifier.ControlModifier


@dataclass(frozen=True)
class Weights:
    """An origin like an import's: the four words with matrices from a file."""

    path: Path

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.path,)

    def read(self) -> Document:
        try:
            with np.load(io.BytesIO(self.path.read_bytes())) as file:
                read = dict(file)
        except Exception as error:
            raise FileError(self.path, f"It cannot be read: {error}") from error
        return Document("Weights", "abcd", FOUR_WORDS | read)


def number(value) -> np.ndarray:
    return np.full((3, 3), float(value))


def write_weights(path, value):
    beside = path.with_name("beside.tmp.npz")
    np.savez(beside, W_Q=number(value))
    beside.replace(path)


@pytest.fixture
def weights(window, qtbot, tmp_path):
    """A file of weights, open in the window."""
    path = tmp_path / "weights.npz"
    write_weights(path, 1)
    open_origin(window, qtbot, Weights(path))
    return path


@pytest.fixture
def session(window, qtbot, tmp_path):
    """A session, open in the window."""
    path = tmp_path / "a.attn"
    save_session(four_words(), path)
    open_file(window, qtbot, path)
    return path


def open_anew(window, qtbot, path):
    """Open a new session, without what was changed before."""
    forget_changes(window)
    save_session(four_words(), path)
    open_file(window, qtbot, path)
    settled(window, qtbot)
    window.notice.dismiss()


def open_weights_anew(window, qtbot, path):
    """Open a file of weights as it was at first, without what was changed before."""
    forget_changes(window)
    write_weights(path, 1)
    open_origin(window, qtbot, Weights(path))
    settled(window, qtbot)
    window.notice.dismiss()


def forget_changes(window):
    workbench = window.workbench
    for document in workbench.changed:
        workbench.reopen(document)
        workbench.edits.mark_saved(document)


def open_origin(window, qtbot, origin):
    before = window.document
    window.opener.open_origin(origin)
    qtbot.waitUntil(lambda: window.document is not before)


def open_file(window, qtbot, path):
    before = window.document
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document is not before)


def edit(window, value=7):
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, str(value))
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)


def press(window, *keys):
    window.activateWindow()
    QTest.keyClick(window, *keys)


def choose(window, text):
    """Accept an offer in the notice bar by keyboard."""
    buttons = window.notice.findChildren(QPushButton)
    offer = next(b for b in buttons if b.text() == text and not b.isHidden())
    offer.setFocus()
    QTest.keyClick(offer, Qt.Key.Key_Space)


def offers(window):
    buttons = window.notice.findChildren(QPushButton)
    return [button.text() for button in buttons if not button.isHidden()]


def first_weight(window):
    return window.document.matrix("W_Q")[0, 0]


def saved_by_another(path, value):
    document = four_words()
    document.apply(SetCells("theirs", "W_Q", 0, 0, np.array([[float(value)]])))
    save_session(document, path)


def always(window):
    return window.findChild(QAction, "action.reload_always")


def settled(window, qtbot):
    """Wait until nothing is left to check or read."""
    timers = window.reloader.findChildren(QTimer)
    qtbot.waitUntil(
        lambda: (
            not window.reloader.reader.busy
            and not any(timer.isActive() for timer in timers)
        )
    )


def a_changed_file_is_offered_and_reloaded_by_one_edit_that_undo_takes_back(
    window, weights, qtbot
):
    before = state_of(window.document)
    window.workbench.open_step("scores", (2, 1))
    write_weights(weights, 5)
    notice = "weights.npz has changed on disk."
    qtbot.waitUntil(lambda: window.notice.text == notice)
    assert offers(window) == ["&Reload", "Al&ways reload this file"]
    assert first_weight(window) == 1
    choose(window, "&Reload")
    qtbot.waitUntil(lambda: first_weight(window) == 5)
    assert window.notice.text == "weights.npz was reloaded."
    assert window.workbench.edits.undoText() == "Reload weights.npz"
    assert window.workbench.edits.count() == 1
    assert not window.isWindowModified()
    assert window.workbench.selection.step == "scores"
    assert window.workbench.selection.cell == (2, 1)
    press(window, Qt.Key.Key_Z, CONTROL)
    assert state_of(window.document) == before
    assert window.isWindowModified()

    write_weights(weights, 1)
    open_origin(window, qtbot, Weights(weights))
    edit(window)
    mine = state_of(window.document)
    write_weights(weights, 5)
    qtbot.waitUntil(lambda: "unsaved changes" in window.notice.text)
    choose(window, "&Reload")
    qtbot.waitUntil(lambda: first_weight(window) == 5)
    assert window.document.matrix("X")[0, 0] == 1
    press(window, Qt.Key.Key_Z, CONTROL)
    assert state_of(window.document) == mine


def each_file_of_an_import_is_watched_and_read_with_the_same_assignment(
    window, qtbot, tmp_path
):
    path = tmp_path / "run.npz"
    arrays = {name: np.array(FOUR_WORDS[name], float) for name in FOUR_WORDS}
    renamed = {"X": "emb", "W_Q": "q", "W_K": "k", "W_V": "v"}
    np.savez(path, **{renamed[name]: array for name, array in arrays.items()})
    assign = ",".join(f"{name}={own}" for name, own in renamed.items())
    open_origin(window, qtbot, DocumentFile(path, assign))
    assert window.saver.path(window.document) is None
    arrays["W_Q"] = number(5)
    np.savez(path, **{renamed[name]: array for name, array in arrays.items()})
    qtbot.waitUntil(lambda: window.notice.text == "run.npz has changed on disk.")
    choose(window, "&Reload")
    qtbot.waitUntil(lambda: first_weight(window) == 5)
    assert window.workbench.edits.undoText() == "Reload run.npz"
    assert not window.isWindowModified()

    paths = tuple(tmp_path / f"{name}.npy" for name in ("X", "W_Q", "W_K", "W_V"))
    for path in paths:
        np.save(path, np.array(FOUR_WORDS[path.stem], float))
    assignment = suggest(read_arrays(paths).shapes).assignment
    open_origin(window, qtbot, ImportedFiles(paths, assignment))
    np.save(paths[1], number(5))
    notice = "X.npy + 3 more has changed on disk."
    qtbot.waitUntil(lambda: window.notice.text == notice)
    choose(window, "&Reload")
    qtbot.waitUntil(lambda: first_weight(window) == 5)


def test_a_file_only_touched_leaves_no_edit_and_one_of_fewer_tokens_the_cell_inside(
    window, qtbot, tmp_path
):
    press(window, Qt.Key.Key_F5)
    assert window.notice.text == "This document does not come from a file."
    assert not always(window).isEnabled()

    session = tmp_path / "a.attn"
    save_session(four_words(), session)
    open_file(window, qtbot, session)
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.notice.text == "a.attn was reloaded.")
    assert window.workbench.edits.count() == 0

    run = train(window.document, tasks.reverse(), steps=2)
    window.workbench.edits.submit(run.edit(2))
    record = window.document.training
    press(window, Qt.Key.Key_S, CONTROL)
    settled(window, qtbot)
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: window.notice.text == "a.attn was reloaded.")
    assert window.workbench.edits.count() == 1
    assert window.document.training == record

    # The numbers of another were not trained.
    saved_by_another(session, 9)
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: first_weight(window) == 9)
    assert window.document.training is None
    window.workbench.edits.undo()
    assert window.document.training == record

    open_anew(window, qtbot, session)
    window.workbench.open_step("weights", (3, 3))
    x = FOUR_WORDS["X"][:2]
    save_session(Document("Two", ["a", "b"], FOUR_WORDS | {"X": x}), session)
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: len(window.document.tokens) == 2)
    window.workbench.engine.flush()
    assert window.workbench.selection.cell == (1, 1)


def test_what_another_saved_is_saved_over_if_asked_not_on_closing_and_offers_have_keys(
    window, session, qtbot, tmp_path
):
    edit(window)
    saved_by_another(session, 9)
    press(window, Qt.Key.Key_S, CONTROL)
    assert window.notice.text == (
        "a.attn has changed on disk since it was read or saved here, and was not "
        "overwritten."
    )
    assert offers(window) == ["Save an&yway", "&Save as…", "&Reload"]
    assert read_session(session).matrix("W_Q")[0, 0] == 9
    assert window.isWindowModified()
    settled(window, qtbot)  # no other notice replaces the question
    choose(window, "Save an&yway")
    assert read_session(session).matrix("X")[0, 0] == 7
    assert not window.isWindowModified()

    # What the window saves is no news.
    edit(window, 8)
    press(window, Qt.Key.Key_S, CONTROL)
    settled(window, qtbot)
    assert window.notice.text == ""
    saved_by_another(session, 9)
    qtbot.waitUntil(lambda: window.notice.text == "a.attn has changed on disk.")

    # Closing does not save over it.
    session = tmp_path / "b.attn"
    open_anew(window, qtbot, session)
    edit(window)
    saved_by_another(session, 9)
    assert not window.saver.save_each(window.workbench.changed)
    window.opener.open_example("two-heads")
    assert not window.saver.save_each(window.workbench.changed)
    assert "File ▸ Changed documents" in window.notice.text
    assert read_session(session).matrix("W_Q")[0, 0] == 9
    see_keys_of_offers(window, tmp_path / "c.attn", qtbot)


def see_keys_of_offers(window, session, qtbot):
    """See that what is offered has keys that no menu has."""
    open_anew(window, qtbot, session)
    seen = []
    edit(window)
    saved_by_another(session, 9)
    qtbot.waitUntil(lambda: "has changed" in window.notice.text)
    seen += offers(window)
    press(window, Qt.Key.Key_S, CONTROL)
    seen += offers(window)
    session.unlink()
    qtbot.waitUntil(lambda: "no longer exists" in window.notice.text)
    seen += offers(window)
    window.opener.open(str(session))
    qtbot.waitUntil(lambda: "no such file" in window.notice.text)
    seen += offers(window)
    letters = [QKeySequence.mnemonic(text).toString() for text in seen]
    assert len(letters) == 7
    assert all(letters)
    assert not {*letters} & letters_of_menus(window)


def test_a_file_gone_changed_while_its_document_was_aside_or_saved_elsewhere_is_told(
    window, session, qtbot, tmp_path, monkeypatch
):
    session.unlink()
    notice = "a.attn no longer exists. The document stays open."
    qtbot.waitUntil(lambda: window.notice.text == notice)
    assert offers(window) == ["&Save as…"]
    assert state_of(window.document) == state_of(four_words())
    edit(window)
    press(window, Qt.Key.Key_S, CONTROL)
    assert read_session(session).matrix("X")[0, 0] == 7
    settled(window, qtbot)
    assert window.notice.text == ""

    # A document set aside is compared with its file when it is back.
    open_anew(window, qtbot, session)
    edit(window)
    document = window.document
    window.opener.open_example("two-heads")
    saved_by_another(session, 9)
    settled(window, qtbot)
    assert "changed on disk" not in window.notice.text
    window.opener.reopen(document)
    qtbot.waitUntil(lambda: "a.attn has changed on disk." in window.notice.text)

    # Saving as another file leaves the old one unwatched.
    open_anew(window, qtbot, session)
    other = tmp_path / "b.attn"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    press(window, Qt.Key.Key_S, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    saved_by_another(session, 9)
    settled(window, qtbot)
    assert window.notice.text == ""
    saved_by_another(other, 9)
    qtbot.waitUntil(lambda: window.notice.text == "b.attn has changed on disk.")


def a_broken_file_is_refused_and_half_a_one_read_when_it_is_whole(
    window, weights, qtbot, monkeypatch
):
    before = state_of(window.document)
    weights.write_bytes(b"broken")
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: "It cannot be read" in window.notice.text)
    assert str(weights) in window.notice.text
    assert state_of(window.document) == before
    write_weights(weights, 5)
    choose(window, "&Try again")
    qtbot.waitUntil(lambda: first_weight(window) == 5)

    write_weights(weights, 1)
    qtbot.waitUntil(lambda: window.notice.text != "")
    open_origin(window, qtbot, Weights(weights))
    monkeypatch.setattr(reloading_module, "TRIES", 1000)
    whole = weights.with_name("whole.npz")
    np.savez(whole, W_Q=number(5))
    content = whole.read_bytes()
    weights.write_bytes(content[: len(content) // 2])
    press(window, Qt.Key.Key_F5)
    with qtbot.waitSignal(window.reloader.reader.failed):
        pass
    assert window.notice.text == "" or "has changed" in window.notice.text
    weights.write_bytes(content)
    qtbot.waitUntil(lambda: first_weight(window) == 5)


def a_file_is_reloaded_whenever_it_changes_if_the_person_wants(window, weights, qtbot):
    write_weights(weights, 2)
    qtbot.waitUntil(lambda: window.notice.text != "")
    choose(window, "Al&ways reload this file")
    assert always(window).isChecked()
    for value in (2, 3, 4):
        write_weights(weights, value)
        qtbot.waitUntil(lambda value=value: first_weight(window) == value)
    assert window.notice.text == ""
    assert window.workbench.edits.count() == 1
    assert not window.isWindowModified()
    edit(window)
    write_weights(weights, 5)
    qtbot.waitUntil(lambda: first_weight(window) == 5)
    assert window.document.matrix("X")[0, 0] == 1
    write_weights(weights, 6)
    qtbot.waitUntil(lambda: first_weight(window) == 6)
    assert window.workbench.edits.count() == 3
    press(window, Qt.Key.Key_Z, CONTROL)
    assert (first_weight(window), window.document.matrix("X")[0, 0]) == (4, 7)
    always(window).trigger()
    write_weights(weights, 8)
    qtbot.waitUntil(lambda: "has changed on disk" in window.notice.text)
    assert first_weight(window) == 4


def test_nothing_is_reloaded_over_what_is_typed_and_a_window_closes_while_it_watches(
    window, weights, qtbot
):
    always(window).trigger()
    settled(window, qtbot)
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "9")
    write_weights(weights, 5)
    with qtbot.waitSignal(window.reloader.reader.done):
        pass
    assert first_weight(window) == 1
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: first_weight(window) == 5)

    write_weights(weights, 6)
    window.close()
    QCoreApplication.processEvents()
    assert not window.isVisible()


WRITER = """
import itertools, sys, threading
from pathlib import Path
import numpy as np
path, told_to_end = Path(sys.argv[1]), threading.Event()
def wait_for_the_end():
    sys.stdin.read()
    told_to_end.set()
threading.Thread(target=wait_for_the_end, daemon=True).start()
for value in itertools.count(2):
    beside = path.with_name("beside.npz")
    np.savez(beside, W_Q=np.full((3, 3), float(value)))
    beside.replace(path)
    if told_to_end.wait(0.06):
        break
print(value)
"""
HANG = 60_000
"""Milliseconds that nothing takes on the busiest machine."""


def test_an_experiment_that_rewrites_its_file_all_the_time_is_followed(
    window, weights, qtbot, monkeypatch
):
    read, turned = Weights.read, Event()
    beside, seen, turns = [], set(), []
    last = thread_time()

    def read_beside_a_turn(self):
        turned.clear()
        beside.append(turned.wait(HANG / 1000))
        return read(self)

    def watch():
        nonlocal last
        now = thread_time()  # not that of others on a busy machine
        turns.append(now - last)
        last = now
        seen.add(first_weight(window))
        turned.set()

    monkeypatch.setattr(Weights, "read", read_beside_a_turn)
    always(window).trigger()

    clock = QTimer(interval=0)
    clock.timeout.connect(watch)
    clock.start()
    command = [sys.executable, "-c", WRITER, str(weights)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as writer:
        # It goes on however long the window takes to follow that often.
        qtbot.waitUntil(lambda: len(seen) > 5, timeout=HANG)
        last_written, _ = writer.communicate()
    qtbot.waitUntil(lambda: first_weight(window) == int(last_written), timeout=HANG)
    settled(window, qtbot)
    clock.stop()
    assert all(beside), "the window went on during each read"
    assert max(turns) < 0.5
    assert window.workbench.edits.count() == 1
    assert len(window.workbench.edits.last.inverses) == 1
    press(window, Qt.Key.Key_Z, CONTROL)
    assert first_weight(window) == 1


def where_the_system_tells_nothing_coming_back_to_the_window_does(
    window, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr(QFileSystemWatcher, "addPath", lambda *_: False)
    path = tmp_path / "a.attn"
    save_session(four_words(), path)
    open_file(window, qtbot, path)
    settled(window, qtbot)
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    saved_by_another(path, 9)
    settled(window, qtbot)
    assert window.notice.text == ""
    window.activateWindow()
    qtbot.waitUntil(lambda: window.notice.text == "a.attn has changed on disk.")


def test_a_changed_file_is_offered_reloaded_always_if_wanted_and_refused_if_broken(
    window, weights, qtbot, monkeypatch
):
    a_changed_file_is_offered_and_reloaded_by_one_edit_that_undo_takes_back(
        window, weights, qtbot
    )
    open_weights_anew(window, qtbot, weights)
    a_file_is_reloaded_whenever_it_changes_if_the_person_wants(window, weights, qtbot)
    open_weights_anew(window, qtbot, weights)
    a_broken_file_is_refused_and_half_a_one_read_when_it_is_whole(
        window, weights, qtbot, monkeypatch
    )


def test_each_file_of_an_import_is_watched_even_where_the_system_tells_nothing(
    window, qtbot, tmp_path, monkeypatch
):
    each_file_of_an_import_is_watched_and_read_with_the_same_assignment(
        window, qtbot, tmp_path
    )
    where_the_system_tells_nothing_coming_back_to_the_window_does(
        window, qtbot, tmp_path, monkeypatch
    )
