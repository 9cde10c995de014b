"""The window as a whole: what fits, what has a name, what the menus do."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QSpinBox,
    QTableView,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.io import list_examples
from attnviewer.ui.app import create_window
from attnviewer.ui.theme import LIGHT

EXAMPLES = [info.id for info in list_examples()]


@pytest.fixture
def make_window(qtbot, appearance):
    windows = []

    def make(example="four-words", size=(1366, 768)):
        window = create_window(f"example:{example}")
        qtbot.addWidget(window)
        windows.append(window)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield make
    for window in windows:
        window.close()


def action(window, name):
    return window.findChild(QAction, f"action.{name}")


def test_the_widgets_that_scripts_rely_on_are_there(make_window):
    window = make_window()
    names = "table.X table.W_Q table.W_K table.W_V table.tokens flow step.heatmap "
    for name in (names + "step.table explain status inputs").split():
        assert window.findChild(QWidget, name) is not None, name
    for name in ["undo", "redo", "open", "export_step", "export_all", "quit"]:
        assert action(window, name) is not None, name


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_fits_a_small_laptop_screen(make_window, example):
    window = make_window(example)
    assert (window.width(), window.height()) == (1366, 768)
    bar = window.findChild(QWidget, "export")
    right = bar.mapTo(window, QPoint(bar.width(), 0)).x()
    assert right <= window.width()


def test_every_control_a_person_acts_on_has_an_accessible_name(make_window):
    window = make_window("two-heads")
    controls = [
        control
        for kind in (QAbstractButton, QComboBox, QSpinBox, QTableView)
        for control in window.findChildren(kind)
        if control.isVisible() and not control.objectName().startswith("qt_")
    ]
    assert len(controls) > 15
    nameless = [
        control
        for control in controls
        if not control.accessibleName()
        and not getattr(control, "text", str)()
        # the corner between a table's headers is Qt's own
        and type(control.parent()).__name__ != "QTableView"
        and not isinstance(control.parent(), QTableView)
    ]
    assert nameless == []


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_label_of_the_frame_is_cut_off(make_window, example):
    window = make_window(example)
    for label in window.findChildren(QLabel):
        inside_bar = label.parent() in (window.spec_bar, window.menuBar())
        if label.isVisible() and inside_bar:
            assert label.width() >= label.sizeHint().width(), label.text()


def test_a_long_title_leaves_the_menus_where_they_are(make_window):
    window = make_window()
    bar = window.menuBar()
    before = [bar.actionGeometry(menu) for menu in bar.actions()]
    title = Document("word " * 80, ["a"], {"X": [[1.0]]}, Spec(projected=False))
    window.workbench.open(title)
    QApplication.processEvents()
    assert [bar.actionGeometry(menu) for menu in bar.actions()] == before
    assert all(bar.rect().contains(place) for place in before)
    shown = window.findChild(QLabel, "title")
    assert shown.isVisible()
    assert shown.width() > 300
    assert bar.rect().contains(shown.geometry())


def test_notes_are_shown_whole_where_there_is_room(make_window):
    window = make_window(size=(1600, 1000))
    notes = window.findChild(QLabel, "notes")
    area = window.findChild(QWidget, "notes.scroll")
    QApplication.processEvents()
    assert area.height() >= notes.heightForWidth(notes.width())


def test_undo_in_the_menu_bears_the_name_of_the_edit(make_window, qtbot):
    window = make_window()
    mask = window.findChild(QComboBox, "spec.mask")
    mask.setFocus()
    qtbot.keyClicks(mask, "c")
    undo = action(window, "undo")
    assert undo.text() == "Undo Mask Causal"
    button = window.findChild(QAbstractButton, "button.undo")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document.spec.mask == "none"
    assert not undo.isEnabled()
    assert not button.isEnabled()


def test_an_example_from_the_menu_takes_the_documents_place(make_window):
    window = make_window()
    action(window, "example.journey").trigger()
    assert window.windowTitle().startswith("Your journey")
    tables = [t.objectName() for t in window.findChildren(QTableView) if t.isVisible()]
    assert "table.X" in tables
    assert "table.W_Q" not in tables
    assert window.findChild(QWidget, "flow.Q") is None


def test_alt_and_arrows_walk_through_the_steps(make_window, qtbot):
    window = make_window()
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
        seen.append(window.workbench.selection.step)
    assert seen == ["output", "output", "weights"]


def test_the_table_is_one_key_away(make_window, qtbot):
    window = make_window()
    qtbot.keyClick(window, "2", Qt.KeyboardModifier.ControlModifier)
    assert window.findChild(QWidget, "step.table").isVisible()
    qtbot.keyClick(window, "1", Qt.KeyboardModifier.ControlModifier)
    assert window.findChild(QWidget, "step.heatmap").isVisible()


def test_the_theme_menu_puts_the_dark_theme_in_force(make_window):
    window = make_window()
    window.appearance.choose("light")
    light = window.grab().toImage()
    action(window, "theme.dark").trigger()
    dark = window.grab().toImage()
    place = QPoint(light.width() // 2, light.height() - 40)
    assert light.pixelColor(place).name() == LIGHT.window
    assert dark.pixelColor(place).lightness() < 64


def test_a_changed_document_asks_before_the_window_closes(make_window, qtbot):
    window = make_window()
    asked = []
    window.confirm_close = lambda _window, titles: bool(asked.append(titles))
    mask = window.findChild(QComboBox, "spec.mask")
    mask.setFocus()
    qtbot.keyClicks(mask, "c")
    assert not window.close()
    assert asked == [[window.document.title]]
    window.confirm_close = None


def test_a_reason_goes_when_the_window_changes_its_size(make_window, qtbot):
    window = make_window()
    window.reason.say("no", QRect(10, 10, 20, 20))
    assert window.reason.isVisible()
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: not window.reason.isVisible())
