"""What the menus and the list of keys say."""

import re
from html import unescape

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QDockWidget,
    QLabel,
    QMenu,
    QScrollArea,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.ui.app import create_window
from attnviewer.ui.keys_dialog import KeysDialog


@pytest.fixture
def window(qtbot, theme_is_put_back):
    window = create_window("example:four-words")
    qtbot.addWidget(window)
    yield window
    window.close()


def action(window, name):
    return window.findChild(QAction, f"action.{name}")


@pytest.fixture
def keys_dialog(window):
    """Open the list of keys as a person does."""

    def opened():
        action(window, "keys").trigger()
        return window.findChild(KeysDialog)

    return opened


@pytest.fixture
def list_keys(keys_dialog):
    """Return the rows of the list: what, and with which keys."""

    def rows():
        dialog = keys_dialog()
        text = "".join(label.text() for label in dialog.findChildren(QLabel))
        dialog.close()
        QApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete.value)
        found = re.findall(r"<td>(.*?)</td><td[^>]*>(.*?)</td>", text)
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


def test_the_list_of_keys_fits_a_small_laptop_screen(keys_dialog):
    dialog = keys_dialog()
    columns = dialog.findChildren(QLabel)
    assert len(columns) == 3
    room = dialog.screen().availableSize()
    whole = dialog.sizeHint()
    assert whole.width() <= min(room.width(), 1366)
    assert whole.height() <= min(room.height(), 768 - 40)
    dialog.resize(1280, 728)
    QApplication.processEvents()
    shown = QRect(QPoint(), dialog.size())
    for column in columns:
        place = QRect(column.mapTo(dialog, QPoint()), column.size())
        assert shown.contains(place), column.objectName()
        assert column.width() >= column.sizeHint().width()


def test_the_list_of_keys_scrolls_where_the_screen_is_small(keys_dialog):
    dialog = keys_dialog()
    dialog.resize(480, 300)
    QApplication.processEvents()
    area = dialog.findChild(QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert area.horizontalScrollBar().maximum() > 0
    close = dialog.findChild(QDialogButtonBox).buttons()[0]
    assert dialog.rect().contains(QRect(close.mapTo(dialog, QPoint()), close.size()))


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


def menus_below(menu):
    below = [a.menu() for a in menu.actions() if isinstance(a.menu(), QMenu)]
    return [menu, *(each for submenu in below for each in menus_below(submenu))]


def test_no_two_lines_of_a_menu_share_an_underlined_letter(window):
    bar = window.menuBar()
    menus = [menu for a in bar.actions() for menu in menus_below(a.menu())]
    assert len(menus) > 15
    for lines in [bar.actions(), *(menu.actions() for menu in menus)]:
        letters = [
            letter
            for line in lines
            if (letter := QKeySequence.mnemonic(line.text()).toString())
        ]
        assert len(letters) == len(set(letters)), [line.text() for line in lines]


def test_each_dock_is_shown_and_hidden_by_an_underlined_letter(window):
    for dock in window.findChildren(QDockWidget):
        toggle = dock.toggleViewAction()
        assert not QKeySequence.mnemonic(toggle.text()).isEmpty(), toggle.text()


def test_the_window_is_closed_by_a_key_on_every_system(window):
    assert action(window, "quit").shortcut().toString() == "Ctrl+Q"
