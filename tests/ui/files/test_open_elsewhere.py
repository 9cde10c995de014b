"""Two windows on one session: both detect it, and no stale lock file remains."""

import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest

from attnviewer.document import SetCells
from attnviewer.io import read_session, save_session
from attnviewer.io.file_lock import claim
from attnviewer.ui.files import open_elsewhere as presence_module
from attnviewer.ui.state.folders import data_folder
from tests.documents import four_words

TOLD = (
    "a.attn is also open in another window. When it is saved there, you can reload it "
    "here."
)
CONTROL = Qt.KeyboardModifier.ControlModifier

OTHER_PROCESS = """
import sys
from PySide6.QtCore import QTimer
from attnviewer.ui.window.app import create_window
from attnviewer.ui.window.application import create_application
application = create_application()
window = create_window(sys.argv[1])
application.processEvents()
print(window.notice.text, flush=True)
command = sys.stdin.readline().strip()
if command == "save":
    import numpy as np
    from attnviewer.document import SetCells
    edit = SetCells("theirs", "X", 0, 0, np.array([[9.0]]))
    window.workbench.edits.submit(edit)
    window.saver.save()
    sys.stdin.readline()
window.close()
"""


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "a.attn"
    save_session(four_words(), path)
    return path


@pytest.fixture
def other_process(session):
    """Start windows on the session in separate processes."""
    started = []

    def start():
        process = subprocess.Popen(
            [sys.executable, "-c", OTHER_PROCESS, str(session)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process, process.stdout.readline().strip()

    yield start
    for process in started:
        process.kill()
        process.communicate()


def held_files():
    return list((data_folder() / "open").glob("*"))


def test_the_second_window_is_told_at_once_however_the_file_is_reached(
    qtbot, appearance, open_window, session, tmp_path, monkeypatch
):
    first = open_window(str(session))
    QCoreApplication.processEvents()
    assert first.notice.text == ""
    second = open_window(str(session))
    qtbot.waitUntil(lambda: second.notice.text == TOLD)
    qtbot.waitUntil(lambda: first.notice.text == TOLD)

    monkeypatch.chdir(tmp_path)
    third = open_window("../" + tmp_path.name + "/a.attn")
    qtbot.waitUntil(lambda: third.notice.text == TOLD)


def open_in(window, qtbot, path):
    before = window.document
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document is not before)
    QCoreApplication.processEvents()


def test_windows_do_not_mind_other_files_examples_or_what_has_turned_away_or_closed(
    appearance, open_window, qtbot, session, tmp_path
):
    one, two = (open_window("example:four-words") for _ in range(2))
    QCoreApplication.processEvents()
    assert [window.notice.text for window in (one, two)] == ["", ""]
    assert held_files() == []

    other = tmp_path / "b.attn"
    save_session(four_words(), other)
    open_in(one, qtbot, session)
    open_in(two, qtbot, other)
    assert len(held_files()) == 2
    assert [window.notice.text for window in (one, two)] == ["", ""]

    # One turns to something else.
    one.opener.open_example("two-heads")
    open_in(two, qtbot, session)
    assert two.notice.text == ""

    # What is told already stays in sight.
    edit = SetCells("mine", "X", 0, 0, np.array([[7.0]]))
    one.workbench.edits.submit(edit)
    one.opener.open(str(session))
    qtbot.waitUntil(lambda: TOLD in one.notice.text)
    assert "are kept: File ▸ Changed documents." in one.notice.text

    one.close()
    two.close()
    assert held_files() == []
    # Nor is one counted that was closed.
    last = open_window(str(session))
    QCoreApplication.processEvents()
    assert last.notice.text == ""


def test_windows_of_two_processes_learn_of_each_other_of_what_is_saved_and_of_a_kill(
    qtbot, appearance, open_window, session, other_process
):
    window = open_window(str(session))
    process, printed = other_process()
    assert printed == TOLD
    qtbot.waitUntil(lambda: window.notice.text == TOLD)
    process.stdin.write("save\n")
    process.stdin.flush()
    qtbot.waitUntil(lambda: "a.attn has changed on disk." in window.notice.text)
    edit = SetCells("mine", "X", 0, 1, np.array([[7.0]]))
    window.workbench.edits.submit(edit)
    window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, CONTROL)
    assert "was not overwritten" in window.notice.text
    assert read_session(session).matrix("X")[0, 0] == 9

    assert len(held_files()) == 2
    process.kill()
    process.wait()
    assert len(held_files()) == 2  # it was killed before cleaning up
    window.opener.open_example("two-heads")
    open_in(window, qtbot, session)
    assert "another window" not in window.notice.text
    assert len(held_files()) == 1


def test_a_file_that_was_taken_for_left_behind_is_made_anew(
    qapp, tmp_path, monkeypatch
):
    taken = []

    def claim_late(path):
        lock = claim(path)
        if not taken:
            taken.append(path)
            path.unlink()
        return lock

    monkeypatch.setattr(presence_module, "claim", claim_late)
    path, lock = presence_module._create_locked("name")
    assert path.exists()
    assert path != taken[0]
    lock.close()


@pytest.mark.usefixtures("no_locks")
def test_where_files_cannot_be_locked_no_other_window_is_told_of(
    qtbot, appearance, open_window, session
):
    presence_module._folder().mkdir(parents=True)
    name = presence_module._lock_name(session)
    (presence_module._folder() / f"{name}-0").touch()  # left behind
    window = open_window(str(session))
    QCoreApplication.processEvents()
    assert window.notice.text == ""
    assert len(held_files()) == 1


def test_where_nothing_can_be_kept_a_window_opens_all_the_same(
    qtbot, appearance, open_window, session, monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(
        presence_module, "data_folder", lambda: tmp_path / "file" / "below"
    )
    window = open_window(str(session))
    QCoreApplication.processEvents()
    assert "a.attn" in window.windowTitle()
    assert window.notice.text == ""
