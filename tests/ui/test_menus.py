"""What the menus and the list of keys say."""

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
    told = []
    monkeypatch.setattr(
        QMessageBox, "information", lambda _window, _title, text: told.append(text)
    )

    def lines():
        action(window, "keys").trigger()
        return told[-1].split("\n")

    return lines


def test_the_list_of_keys_names_undo_and_redo_whatever_is_next(window, list_keys):
    before = list_keys()
    window.workbench.edits.submit(Replace("Mask Causal", spec=Spec(mask="causal")))
    assert action(window, "undo").text() == "Undo Mask Causal"
    assert list_keys() == before
    for name in ("Undo", "Redo", "Open"):
        keys = QKeySequence(getattr(QKeySequence.StandardKey, name))
        native = keys.toString(QKeySequence.SequenceFormat.NativeText)
        assert f"{name}: {native}" in before


def test_the_list_of_keys_names_each_key_once(list_keys):
    lines = [line for line in list_keys() if ": " in line]
    assert len(lines) == len({line.split(": ")[1] for line in lines})


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
