"""The menus and the list of shortcuts."""

import re
from html import unescape
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialogButtonBox,
    QDockWidget,
    QLabel,
    QMenu,
    QScrollArea,
    QTabBar,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.ui.frame.keys_dialog import KeysDialog
from tests.menus import open_all

# Menus need a raised window with the focus, which does not exist offscreen.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def window(open_window):
    return open_window("example:four-words")


def action(window, name):
    return window.findChild(QAction, f"action.{name}")


@pytest.fixture
def keys_dialog(window, monkeypatch):
    """Open the list of shortcuts as a user would, on a screen of a size."""

    def opened(width=1366, height=728):
        screen = SimpleNamespace(availableSize=lambda: QSize(width, height))
        monkeypatch.setattr(KeysDialog, "screen", lambda _: screen)
        action(window, "keys").trigger()
        return window.findChild(KeysDialog)

    return opened


@pytest.fixture
def list_keys(keys_dialog):
    """Return the rows of the list: actions and their keys."""

    def rows():
        dialog = keys_dialog()
        listed = rows_of(dialog)
        closed(dialog)
        return listed

    return rows


def closed(dialog):
    dialog.close()
    QApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete.value)


def rows_of(dialog):
    text = "".join(label.text() for label in dialog.findChildren(QLabel))
    found = re.findall(r"<td><p>(.*?)</p></td><td[^>]*><p>(.*?)</p></td>", text)
    return [(unescape(what), unescape(keys)) for what, keys in found]


def test_every_shortcut_is_listed_once_and_the_keys_of_views_too(window, list_keys):
    before = list_keys()
    native = QKeySequence.SequenceFormat.NativeText
    shortcuts = [
        keys.toString(native)
        for menu_action in window.findChildren(QAction)
        for keys in menu_action.shortcuts()
    ]
    listed = [one for _, keys in before for one in keys.split(", ")]
    assert len(shortcuts) > 35
    # These are listed once more for the views of a step, which handle them themselves.
    for keys in ("Ctrl+C", "Ctrl+V"):
        assert listed.count(keys) == 2
        shortcuts.remove(keys)
    assert [keys for keys in shortcuts if listed.count(keys) != 1] == []
    of_views = {
        *("F2", "Ctrl+Tab", "← →", "1, V", "Ctrl+Alt+↑ ↓", "Shift+Escape", "Enter, ↓"),
        *("Enter, Space", "→ ←", "Home, End", "Tab, then Enter"),
    }
    assert of_views <= {keys for _, keys in before}
    # The keys of submenus say what they belong to.
    names = {name for name, _ in before}
    assert {"Text size: Larger", "Text size: Smaller"} <= names
    assert not {"Larger", "Smaller", "Back", "Forward"} & names
    # Undo and redo have the keys of spreadsheets and no others, whatever is next.
    assert dict(before)["Undo"] == "Ctrl+Z"
    assert dict(before)["Redo"] == "Ctrl+Shift+Z, Ctrl+Y"
    window.workbench.edits.submit(Replace("Mask Causal", spec=Spec(causal=True)))
    assert action(window, "undo").text() == "&Undo Mask Causal"
    assert list_keys() == before
    for name in ("Undo", "Redo", "Open"):
        keys = QKeySequence(getattr(QKeySequence.StandardKey, name))
        native_keys = keys.toString(native)
        assert native_keys in dict(before)[name].split(", ")


def menus_of(menu):
    menu.aboutToShow.emit()  # which fills many of them
    yield menu
    for menu_action in menu.actions():
        if menu_action.menu():
            yield from menus_of(menu_action.menu())


def context_menu(window, table):
    """Open the context menu of a table, which lists what is possible there."""
    place = window.inputs.table(table)
    place.setFocus()
    place.setCurrentIndex(place.model().index(0, 0))
    QTest.keyClick(place, Qt.Key.Key_Menu)
    menu = window.findChild(QMenu, "inputs.menu")
    assert menu.isVisible()
    menu.close()
    return menu


def all_menus(window):
    bar = [m for a in window.menuBar().actions() for m in menus_of(a.menu())]
    return [*bar, *menus_of(context_menu(window, "X"))]


LOOK = ["Nu&mber format", "Heat colou&rs in the inputs", "Column &widths"]


def test_the_list_of_keys_fits_a_small_screen_or_scrolls_down_and_is_searched(
    keys_dialog, qtbot
):
    dialog = keys_dialog()
    columns = [c for c in dialog.findChildren(QLabel) if not c.isHidden()]
    assert len(columns) in (2, 3)  # with wide letters, three have no room
    whole = dialog.sizeHint()
    assert whole.width() <= 1366
    assert whole.height() <= 768 - 40
    assert dialog.findChild(QWidget, "keys.content").sizeHint().width() <= 1366
    QApplication.processEvents()
    area = dialog.findChild(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0
    for column in columns:
        assert column.width() >= column.sizeHint().width()
    # The last row is at the bottom of what can be scrolled to.
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    shown = area.viewport().rect()
    for column in columns:
        bottom = column.mapTo(area.viewport(), column.rect().bottomRight())
        assert shown.contains(bottom), column.objectName()
    qtbot.keyClicks(dialog.search, "zoom")
    assert rows_of(dialog) == [("Zoom, and show all", "Alt++ Alt+− Alt+0")]
    dialog.search.clear()
    qtbot.keyClicks(dialog.search, "ctrl+shift+z")
    assert [keys for _, keys in rows_of(dialog)] == ["Ctrl+Shift+Z, Ctrl+Y"]
    qtbot.keyClicks(dialog.search, "nothing has this")
    assert rows_of(dialog) == []
    closed(dialog)
    dialog = keys_dialog(800, 600)
    QApplication.processEvents()
    area = dialog.findChild(QScrollArea)
    assert area.verticalScrollBar().maximum() > 0
    assert area.horizontalScrollBar().maximum() == 0
    close = dialog.findChild(QDialogButtonBox).buttons()[0]
    assert dialog.rect().contains(QRect(close.mapTo(dialog, QPoint()), close.size()))


def check_no_two_commands_share_a_name_or_a_shortcut(window):
    """Wherever the focus is: Qt ignores an ambiguous shortcut."""
    keys = [
        keys.toString()
        for menu_action in window.findChildren(QAction)
        for keys in menu_action.shortcuts()
    ]
    keys += [shortcut.key().toString() for shortcut in window.findChildren(QShortcut)]
    assert sorted(keys) == sorted(set(keys))
    assert action(window, "quit").shortcut().toString() == "Ctrl+Q"  # on every system
    all_menus(window)
    names = [a.objectName() for a in window.findChildren(QAction) if a.objectName()]
    assert sorted(names) == sorted(set(names))
    for dock in window.findChildren(QDockWidget):
        toggle = dock.toggleViewAction()
        assert not QKeySequence.mnemonic(toggle.text()).isEmpty(), toggle.text()


def check_every_line_of_every_menu_has_a_text_and_a_letter_of_its_own(window):
    menus = all_menus(window)
    assert len(menus) > 25
    letterless = []
    for menu in [*menus, window.menuBar()]:
        lines = [line for line in menu.actions() if not line.isSeparator()]
        letters = [QKeySequence.mnemonic(line.text()).toString() for line in lines]
        given = [letter for letter in letters if letter]
        assert len(given) == len(set(given)), [line.text() for line in lines]
        pairs = zip(lines, letters, strict=True)
        letterless += [line for line, letter in pairs if not letter]
    for line in letterless:
        assert line.text()
        # Titles of documents, names of matrices, and exclusive choices.
        name = line.objectName().removeprefix("action.")
        of_data = name.startswith(("example.", "bias.")) or not line.isEnabled()
        assert of_data or line.actionGroup(), line.text()
    # No caption takes the letter of a menu.
    for built_when_shown in ("dock.lines", "lines"):
        action(window, built_when_shown).trigger()
    window.step_view.set_view("on_picture")
    taken = {QKeySequence.mnemonic(a.text()) for a in window.menuBar().actions()}
    captions = [label.text() for label in window.findChildren(QLabel) if label.buddy()]
    captions += [button.text() for button in window.findChildren(QAbstractButton)]
    sequences = {text: QKeySequence.mnemonic(text) for text in captions}
    own = {text: letter for text, letter in sequences.items() if letter.toString()}
    assert own
    assert [text for text, letter in own.items() if letter in taken] == []


def test_the_context_menu_offers_what_of_the_menu_bar_works_in_a_table(window):
    causal = Replace("Mask Causal", spec=Spec(causal=True))
    window.workbench.edits.submit(causal)
    for table, more in (
        ("W_Q", ["&Fill", *LOOK]),
        ("X", ["&Fill", "T&okens", *LOOK]),
        ("tokens", ["T&okens", "Column &widths"]),
        ("mask", []),
    ):
        window.findChild(QTabBar, "inputs.tabs").setCurrentIndex(int(table == "mask"))
        actions = context_menu(window, table).actions()
        lines = [line for line in actions if not line.isSeparator()]
        assert [line.text() for line in lines] == [
            "Cu&t",
            "&Copy",
            "Cop&y as NumPy",
            "&Paste",
            "&Delete",
            "Select &all",
            "Fi&ll down",
            "Fill ri&ght",
            *more,
        ]
        # The very same actions: one text, one shortcut, one state.
        bar = [m for a in window.menuBar().actions() for m in menus_of(a.menu())]
        offered = {a for menu in bar for a in (menu.menuAction(), *menu.actions())}
        assert set(lines) <= offered, table
    # By letters one comes to the commands on tokens.
    window.findChild(QTabBar, "inputs.tabs").setCurrentIndex(0)
    tokens = window.inputs.table("tokens")
    tokens.setFocus()
    tokens.setCurrentIndex(tokens.model().index(1, 0))
    QTest.keyClick(tokens, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    for key in (Qt.Key.Key_O, Qt.Key.Key_D):
        QTest.keyClick(QApplication.activePopupWidget(), key)
    expected = ("word 1", "word 2", "word 2 (2)", "word 3", "word 4")
    assert window.document.tokens == expected


def check_a_document_set_aside_keeps_every_sign_of_its_title(window):
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


LATE_ACTIONS = ("dock.explain.left", "fill.W_Q.zeros", "mask.0", "format.decimals.2")
LATE_WIDGETS = ("step.table", "find.X.line", "explain.score", "model.sentence")


def check_what_nobody_has_opened_yet_is_not_made(window):
    """A window opens sooner without it; what has a shortcut is there at once."""
    assert [n for n in LATE_ACTIONS if action(window, n) is not None] == []
    assert [n for n in LATE_WIDGETS if window.findChild(QWidget, n) is not None] == []
    open_all(window)
    assert [n for n in LATE_ACTIONS if action(window, n) is None] == []


def test_lines_of_all_menus_have_names_texts_letters_and_shortcuts_of_their_own(window):
    check_what_nobody_has_opened_yet_is_not_made(window)
    check_no_two_commands_share_a_name_or_a_shortcut(window)
    check_every_line_of_every_menu_has_a_text_and_a_letter_of_its_own(window)
    check_a_document_set_aside_keeps_every_sign_of_its_title(window)
