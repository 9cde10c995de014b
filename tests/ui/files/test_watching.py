"""Watching a file: which changes are reported, and when."""

import os

import pytest
from PySide6.QtCore import QFileSystemWatcher

from attnviewer.io import write_atomically
from attnviewer.io.stamp import Stamp
from attnviewer.ui.files import watching as watching_module
from attnviewer.ui.files.watching import FileWatch


class WatchedFile:
    """A watch on a file that others write, and the signals it has emitted."""

    def __init__(self, path):
        self.path = path
        self.signals = []
        self.watch = FileWatch()
        self.watch.changed.connect(lambda: self.signals.append("changed"))
        self.watch.gone.connect(lambda: self.signals.append("gone"))
        path.write_text("as it was")
        self.watch.follow(path, Stamp.of(path))


@pytest.fixture
def case(qapp, tmp_path):
    case = WatchedFile(tmp_path / "weights & käse 🧀.npz")
    yield case
    case.watch.close()


@pytest.fixture
def at_rest(qtbot, case):
    """Wait until the watch is idle."""

    def wait():
        timer = case.watch.findChild(watching_module.QTimer)
        qtbot.waitUntil(lambda: not timer.isActive())

    return wait


def test_a_file_written_in_place_is_told_of(case, qtbot):
    with qtbot.waitSignal(case.watch.changed):
        case.path.write_text("as it is now")


def test_a_file_that_another_takes_the_place_of_is_told_of_each_time(case, qtbot):
    for text in ("once", "twice!", "thrice!!"):
        with qtbot.waitSignal(case.watch.changed):
            write_atomically(case.path, text.encode())
    assert case.signals == ["changed"] * 3


def test_what_was_told_is_not_told_again(case, qtbot, at_rest):
    with qtbot.waitSignal(case.watch.changed):
        case.path.write_text("as it is now")
    for _ in range(2):  # as when the window comes to the front
        case.watch.check()
        at_rest()
    assert case.signals == ["changed"]


def test_a_file_of_the_same_length_is_told_of(case, qtbot):
    with qtbot.waitSignal(case.watch.changed):
        write_atomically(case.path, b"as it Was")


def test_a_file_that_is_gone_is_told_of_and_so_is_its_return(case, qtbot):
    with qtbot.waitSignal(case.watch.gone):
        case.path.unlink()
    with qtbot.waitSignal(case.watch.changed):
        case.path.write_text("here again")
    assert case.signals == ["gone", "changed"]


def test_a_writer_that_takes_the_old_file_away_first_has_made_no_loss(case, qtbot):
    case.path.unlink()
    case.watch.check()
    with qtbot.waitSignal(case.watch.changed):
        case.path.write_text("a moment later")
    assert case.signals == ["changed"]


def test_other_files_of_the_folder_are_not_told_of(case, at_rest):
    (case.path.parent / "other.npz").write_text("other")
    case.watch.check()
    at_rest()
    assert case.signals == []


def test_a_state_that_is_known_by_now_is_not_told_of(case, at_rest):
    case.path.write_text("our own doing")
    case.watch.follow(case.path, Stamp.of(case.path))
    case.watch.check()
    at_rest()
    assert case.signals == []


def test_a_change_before_the_watch_began_is_told_of(case, qtbot):
    before = Stamp.of(case.path)
    case.watch.follow(None)
    case.path.write_text("while nobody looked")
    with qtbot.waitSignal(case.watch.changed):
        case.watch.follow(case.path, before)


def test_a_file_that_never_rests_is_told_of_all_the_same(case, qtbot, monkeypatch):
    monkeypatch.setattr(watching_module, "PATIENCE", 0.3)
    writing = watching_module.QTimer(interval=20)
    lengths = iter(range(1, 10_000))
    writing.timeout.connect(lambda: case.path.write_text("x" * next(lengths)))
    writing.start()
    with qtbot.waitSignal(case.watch.changed):
        pass
    assert writing.isActive()
    writing.stop()


def test_where_the_system_tells_nothing_a_look_does(case, qtbot, monkeypatch):
    monkeypatch.setattr(QFileSystemWatcher, "addPath", lambda *_: False)
    case.watch.follow(None)
    before = Stamp.of(case.path)
    case.watch.follow(case.path, before)
    case.path.write_text("on a network drive")
    with qtbot.waitSignal(case.watch.changed):
        case.watch.check()


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
def test_the_target_of_a_link_is_watched(case, qtbot, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "latest.npz"
    link.symlink_to(case.path)
    case.watch.follow(link, Stamp.of(link))
    with qtbot.waitSignal(case.watch.changed):
        write_atomically(case.path, b"through the link")


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
def test_a_link_to_another_file_is_another_state(case, qtbot, tmp_path):
    for name in ("run1", "run2"):
        (tmp_path / name).write_text("the same")
    link = tmp_path / "latest.npz"
    link.symlink_to(tmp_path / "run1")
    case.watch.follow(link, Stamp.of(link))
    with qtbot.waitSignal(case.watch.changed):
        link.unlink()
        link.symlink_to(tmp_path / "run2")
