"""What the menus and the list of keys say."""

import re
from html import unescape

import pytest
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMessageBox

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.ui.app import create_window


@pytest.fixture
def window(qtbot, theme_is_put_back):
    window = create_window("example:four-words")
    qtbot.addWidget(window)
    yield window
    window.close()


def action(window, name):
    return window.findChild(QAction, f"action.{name}")


@pytest.fixture
def list_keys(window, monkeypatch):
    """Open the list as a person does and return its rows: what, and with which keys."""
    told = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: told.append(box.text()))

    def rows():
        action(window, "keys").trigger()
        found = re.findall(r"<td>(.*?)</td><td[^>]*>(.*?)</td>", told[-1])
        return [(unescape(what), unescape(keys)) for what, keys in found]

    return rows


def test_the_list_of_keys_names_undo_and_redo_whatever_is_next(window, list_keys):
    before = list_keys()
    window.workbench.edits.submit(Replace("Mask Causal", spec=Spec(causal=True)))
    assert action(window, "undo").text() == "Undo Mask Causal"
    assert list_keys() == before
    for name in ("Undo", "Redo", "Open"):
        keys = QKeySequence(getattr(QKeySequence.StandardKey, name))
        native = keys.toString(QKeySequence.SequenceFormat.NativeText)
        assert (name, native) in before


def test_every_shortcut_of_the_menus_is_listed_once(window, list_keys):
    native = QKeySequence.SequenceFormat.NativeText
    shortcuts = {
        shortcut.toString(native)
        for menu_action in window.findChildren(QAction)
        if not (shortcut := menu_action.shortcut()).isEmpty()
    }
    listed = [keys for _, keys in list_keys()]
    assert len(shortcuts) > 8
    assert all(listed.count(keys) == 1 for keys in shortcuts)


@pytest.mark.parametrize("keys", ["F2", "Ctrl+Tab", "Delete", "← →"])
def test_keys_that_views_answer_to_are_listed_too(list_keys, keys):
    assert keys in [listed for _, listed in list_keys()]


def test_a_document_set_aside_keeps_every_sign_of_its_title(window):
    matrices = {"X": [[1.0]]}
    odd = Document("R&D\tand\nmore", ["a"], matrices, Spec(projected=False))
    window.workbench.open(odd)
    window.workbench.edits.submit(Replace("Rename", tokens=("b",)))
    window.workbench.open(Document("Next", ["a"], matrices, Spec(projected=False)))
    menu = next(
        menu
        for menu in window.findChildren(QMenu)
        if menu.title() == "&Changed documents"
    )
    menu.aboutToShow.emit()
    text = action(window, "reopen.0").text()
    assert QKeySequence.mnemonic(text).isEmpty()
    assert text.replace("&&", "&") == "R&D⇥and⏎more"
