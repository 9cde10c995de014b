"""A file that is watched: what counts as another one, and when it is told."""

import os

import pytest
from PySide6.QtCore import QFileSystemWatcher

from attnviewer.io import write_atomically
from attnviewer.io.stamp import Stamp
from attnviewer.ui.files import watching as watching_module
from attnviewer.ui.files.watching import FileWatch


class Told:
    """A watch on a file that others write, and what it has told."""

    def __init__(self, path):
        self.path = path
        self.news = []
        self.watch = FileWatch()
        self.watch.changed.connect(lambda: self.news.append("changed"))
        self.watch.gone.connect(lambda: self.news.append("gone"))
        path.write_text("as it was")
        self.watch.follow(path, Stamp.of(path))


@pytest.fixture
def told(qapp, tmp_path):
    told = Told(tmp_path / "weights & käse 🧀.npz")
    yield told
    told.watch.close()


@pytest.fixture
def at_rest(qtbot, told):
    """Wait until there is nothing more to look at."""

    def wait():
        timer = told.watch.findChild(watching_module.QTimer)
        qtbot.waitUntil(lambda: not timer.isActive())

    return wait


def test_a_file_written_in_place_is_told_of(told, qtbot):
    with qtbot.waitSignal(told.watch.changed):
        told.path.write_text("as it is now")


def test_a_file_that_another_takes_the_place_of_is_told_of_each_time(told, qtbot):
    for text in ("once", "twice!", "thrice!!"):
        with qtbot.waitSignal(told.watch.changed):
            write_atomically(told.path, text.encode())
    assert told.news == ["changed"] * 3


def test_what_was_told_is_not_told_again(told, qtbot, at_rest):
    with qtbot.waitSignal(told.watch.changed):
        told.path.write_text("as it is now")
    for _ in range(2):  # as when the window comes to the front
        told.watch.look()
        at_rest()
    assert told.news == ["changed"]


def test_a_file_of_the_same_length_is_told_of(told, qtbot):
    with qtbot.waitSignal(told.watch.changed):
        write_atomically(told.path, b"as it Was")


def test_a_file_that_is_gone_is_told_of_and_so_is_its_return(told, qtbot):
    with qtbot.waitSignal(told.watch.gone):
        told.path.unlink()
    with qtbot.waitSignal(told.watch.changed):
        told.path.write_text("here again")
    assert told.news == ["gone", "changed"]


def test_a_writer_that_takes_the_old_file_away_first_has_made_no_loss(told, qtbot):
    told.path.unlink()
    told.watch.look()
    with qtbot.waitSignal(told.watch.changed):
        told.path.write_text("a moment later")
    assert told.news == ["changed"]


def test_other_files_of_the_folder_are_not_told_of(told, at_rest):
    (told.path.parent / "other.npz").write_text("other")
    told.watch.look()
    at_rest()
    assert told.news == []


def test_a_state_that_is_known_by_now_is_not_told_of(told, at_rest):
    told.path.write_text("our own doing")
    told.watch.follow(told.path, Stamp.of(told.path))
    told.watch.look()
    at_rest()
    assert told.news == []


def test_a_change_before_the_watch_began_is_told_of(told, qtbot):
    before = Stamp.of(told.path)
    told.watch.follow(None)
    told.path.write_text("while nobody looked")
    with qtbot.waitSignal(told.watch.changed):
        told.watch.follow(told.path, before)


def test_a_file_that_never_rests_is_told_of_all_the_same(told, qtbot, monkeypatch):
    monkeypatch.setattr(watching_module, "PATIENCE", 0.3)
    writing = watching_module.QTimer(interval=20)
    lengths = iter(range(1, 10_000))
    writing.timeout.connect(lambda: told.path.write_text("x" * next(lengths)))
    writing.start()
    with qtbot.waitSignal(told.watch.changed):
        pass
    assert writing.isActive()
    writing.stop()


def test_where_the_system_tells_nothing_a_look_does(told, qtbot, monkeypatch):
    monkeypatch.setattr(QFileSystemWatcher, "addPath", lambda *_: False)
    told.watch.follow(None)
    before = Stamp.of(told.path)
    told.watch.follow(told.path, before)
    told.path.write_text("on a network drive")
    with qtbot.waitSignal(told.watch.changed):
        told.watch.look()


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
def test_the_target_of_a_link_is_watched(told, qtbot, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    link = folder / "latest.npz"
    link.symlink_to(told.path)
    told.watch.follow(link, Stamp.of(link))
    with qtbot.waitSignal(told.watch.changed):
        write_atomically(told.path, b"through the link")


@pytest.mark.skipif(os.name != "posix", reason="links need a privilege elsewhere")
def test_a_link_to_another_file_is_another_state(told, qtbot, tmp_path):
    for name in ("run1", "run2"):
        (tmp_path / name).write_text("the same")
    link = tmp_path / "latest.npz"
    link.symlink_to(tmp_path / "run1")
    told.watch.follow(link, Stamp.of(link))
    with qtbot.waitSignal(told.watch.changed):
        link.unlink()
        link.symlink_to(tmp_path / "run2")
