"""Recent files: the list, odd names, and missing files."""

import os
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton

from attnviewer.io import save_session
from attnviewer.ui.files.recent import RecentFiles, RecentMenu
from attnviewer.ui.state.settings import own_settings
from tests.documents import four_words
from tests.models.checkpoints import write_gpt2

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def make_file(tmp_path):
    def make(name, folder=tmp_path):
        folder.mkdir(exist_ok=True)
        save_session(four_words(), folder / name)
        return folder / name

    return make


@pytest.fixture
def open_(window, qtbot):
    """Open a file and wait until it is open."""

    def open_and_wait(path):
        before = window.document
        window.opener.open(str(path))
        qtbot.waitUntil(lambda: window.document is not before)

    return open_and_wait


def listed(window):
    menu = window.findChild(RecentMenu)
    menu.aboutToShow.emit()
    return [a for a in menu.actions() if a.objectName().startswith("action.recent.")][
        :-1
    ]


def clear(window):
    listed(window)
    window.findChild(QAction, "action.recent.clear").trigger()


def names(window):
    return [action.data().name for action in listed(window)]


def test_files_are_listed_the_newest_first_chosen_by_numbers_and_removed_once_gone(
    window, open_, make_file, qtbot
):
    one, other = make_file("one.attn"), make_file("other.attn")
    for path in (one, other, one):
        open_(path)
    assert names(window) == ["one.attn", "other.attn"]

    open_(other)
    before = window.document
    menu = window.findChild(RecentMenu)
    menu.popup(window.pos())
    QTest.keyClick(menu, Qt.Key.Key_2)
    qtbot.waitUntil(lambda: window.document is not before)
    assert "one.attn" in window.windowTitle()

    clear(window)
    path, other = make_file("gone.attn"), make_file("there.attn")
    open_(path)
    open_(other)
    path.unlink()
    listed(window)[1].trigger()
    assert window.notice.text == f"{path}: This file no longer exists."
    offer = window.notice.findChild(QPushButton, "notice.offer.0")
    offer.setFocus()
    QTest.keyClick(offer, Qt.Key.Key_Space)
    assert names(window) == ["there.attn"]


def test_the_list_has_at_most_ten_files_cuts_long_names_and_is_empty_if_unreadable(
    window, open_, qtbot, make_file, monkeypatch
):
    recent = window.findChild(RecentFiles)
    for number in range(12):
        recent.add(make_file(f"{number}.attn"))
    assert names(window) == [f"{number}.attn" for number in range(11, 1, -1)]

    for kept in ["%00 relative/a.attn %zz", 7, ["a", "b"], ""]:
        own_settings().setValue("files/recent", kept)
        assert listed(window) == []

    (menu,) = [m for m in window.findChildren(QMenu) if m.title() == "Open &recent"]
    assert isinstance(menu, RecentMenu)

    # A name of 255 bytes leaves room for others, and is in the tool tip.
    path = make_file("ä" * 125 + ".attn")
    open_(path)
    (action,) = listed(window)
    assert "…" in action.text()
    assert len(action.text()) < 130
    assert action.toolTip() == str(path)

    # What is read once more is not written down once more.
    open_(make_file("a.attn"))
    added = []
    monkeypatch.setattr(RecentFiles, "add", lambda _, path: added.append(path))
    QTest.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: "was reloaded" in window.notice.text)
    assert added == []


def test_saved_documents_are_listed_once_but_no_bundled_examples_and_all_are_cleared(
    window, open_, make_file, tmp_path, monkeypatch
):
    window.opener.open_example("two-heads")
    assert listed(window) == []
    (action,) = window.findChild(RecentMenu).actions()
    assert (action.text(), action.isEnabled()) == ("None", False)

    path = tmp_path / "saved.attn"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert names(window) == ["saved.attn"]

    open_(make_file("a.attn"))
    clear(window)
    assert listed(window) == []

    # A file with two names is listed once.
    if sys.platform == "win32":
        return  # links need a privilege there
    path = make_file("real.attn")
    link = tmp_path / "link.attn"
    link.symlink_to(path)
    open_(path)
    open_(link)
    assert names(window) == ["link.attn"]


def test_odd_names_are_shown_as_they_are_and_found_again(window, open_, make_file):
    for name, shown in [
        ("R&D <b>1.attn", "&1 R&&D <b>1.attn — "),
        ("Schlüssel 🔑.attn", "&1 Schlüssel 🔑.attn — "),
        ("a\tb.attn", r"&1 a\tb.attn — "),
        ("100%20.attn", "&1 100%20.attn — "),
    ]:
        path = make_file(name)
        open_(path)
        action = listed(window)[0]
        assert action.text().startswith(shown)
        assert action.data() == path
        open_(action.data())

    if sys.platform != "linux":
        return  # names are text elsewhere
    clear(window)
    path = make_file(os.fsdecode(b"caf\xe9.attn"))
    open_(path)
    assert "caf\\udce9.attn" in window.windowTitle()
    window.opener.open_example("two-heads")
    (action,) = listed(window)
    assert action.text().startswith("&1 caf\\udce9.attn")
    before = window.document
    action.trigger()
    window.opener.reader.worker.finish()
    assert window.document is not before


def test_a_model_among_several_in_a_folder_is_listed_by_its_file(
    window, open_model, tmp_path
):
    pytest.importorskip("gguf")
    from tests.models.gguf_files import write_gguf

    folder = write_gpt2(tmp_path / "gpt2")
    paths = [write_gguf(folder, tmp_path / f"{name}.gguf") for name in "ab"]
    open_model(paths[1])
    assert [action.data() for action in listed(window)] == [paths[1]]
