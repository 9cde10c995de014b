"""The window as a whole: layout, accessible names, menus."""

from time import perf_counter

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QScrollArea,
    QTableView,
    QToolTip,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.io import list_examples
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state import building as building_module
from attnviewer.ui.state import engine as engine_module
from attnviewer.ui.state.live import Live
from attnviewer.ui.window.app import create_window

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


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_every_example_fits_a_small_laptop_screen_with_all_its_labels(make_window):
    window = make_window()
    names = "table.X table.W_Q table.W_K table.W_V table.tokens flow step.how "
    for name in (names + "explain status inputs").split():
        assert window.findChild(QWidget, name) is not None, name
    for name in ["undo", "redo", "open", "export_step", "export_all", "quit"]:
        assert action(window, name) is not None, name
    for example in EXAMPLES:
        window.opener.open_example(example)
        for _ in range(2):
            QApplication.processEvents()
        assert (window.width(), window.height()) == (1366, 768), example
        bar = window.findChild(QWidget, "export")
        right = bar.mapTo(window, QPoint(bar.width(), 0)).x()
        assert right <= window.width(), example
        for label in window.findChildren(QLabel):
            inside_bar = label.parent() in (window.spec_bar, window.menuBar())
            if label.isVisible() and inside_bar:
                fits = label.width() >= label.sizeHint().width()
                assert fits, (example, label.text())


@pytest.mark.parametrize(
    ("width", "inputs", "explain"),
    [(1024, 308, 287), (1600, 308, 300), (2560, 476, 476)],
)
def test_docks_open_as_wide_as_the_window_allows(make_window, width, inputs, explain):
    window = make_window(size=(width, 1000))
    assert abs(window.inputs.width() - inputs) <= 2
    assert abs(window.explain.width() - explain) <= 2
    window.resize(width + 200, 1000)
    QApplication.processEvents()
    assert abs(window.inputs.width() - inputs) <= 2
    if width == 1600:  # enough room for all of the notes
        notes = window.findChild(QLabel, "notes")
        area = window.findChild(QWidget, "notes.scroll")
        assert area.height() >= notes.heightForWidth(notes.width())


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_choice_that_lacks_room_is_shortened_and_told_by_its_tool_tip(make_window):
    window = make_window("two-heads", size=(960, 600))
    box = window.spec_bar.findChild(QComboBox, "spec.variant")
    assert box.currentText() == "Multi-head attention"
    box.setFixedWidth(133)
    whole_letters = box.grab().toImage()
    # What does not fit is elided, not cut off: both end in the same letters.
    box.setItemText(box.currentIndex(), "Multi-head attentive")
    assert box.grab().toImage() == whole_letters
    box.setItemText(box.currentIndex(), "Multi-head attention")
    position = box.rect().center()
    QApplication.sendEvent(
        box, QHelpEvent(QEvent.Type.ToolTip, position, box.mapToGlobal(position))
    )
    assert QToolTip.text().splitlines()[0] == "Variant: Multi-head attention"
    QToolTip.hideText()


def check_a_long_title_leaves_the_menus_where_they_are(window):
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


def test_notes_leave_no_room_unused_and_end_with_a_whole_line(make_window):
    window = make_window("journey")
    window.appearance.set_text_size(150)
    for example in ("journey", "two-heads"):
        window.opener.open_example(example)
        notes = window.findChild(QLabel, "notes")
        area = window.findChild(QScrollArea, "notes.scroll")
        tables = window.findChild(QScrollArea, "inputs.scroll")
        for _ in range(3):
            QApplication.processEvents()
        hidden = area.verticalScrollBar().maximum()
        # One line after the other of what is hidden, and the margin below the last one.
        lines = [notes.heightForWidth(width) for width in range(200, 900, 20)]
        line = np.gcd.reduce(np.abs(np.diff(lines)))
        assert hidden == 0 or (hidden - 8) % line == 0, example
        assert hidden == 0 or tables.verticalScrollBar().maximum() > 0, example


def check_undo_bears_the_name_of_the_edit_and_a_changed_document_asks_before_it_goes(
    window, qtbot
):
    mask = window.findChild(QComboBox, "spec.mask")
    mask.setFocus()
    qtbot.keyClicks(mask, "c")
    undo = action(window, "undo")
    assert undo.text() == "&Undo Set mask to Causal"
    asked = []
    window.confirm_close = lambda _window, documents: bool(asked.append(documents))
    assert not window.close()
    assert asked == [[window.document]]
    window.confirm_close = None
    button = window.findChild(QAbstractButton, "button.undo")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not window.document.spec.causal
    assert not undo.isEnabled()
    assert not button.isEnabled()


def check_keys_walk_through_the_steps_and_the_views(window, qtbot):
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.AltModifier)
        seen.append(window.workbench.selection.step)
    assert seen == ["output", "output", "weights"]
    for key, view in (("5", "table"), ("1", "how"), ("2", "heatmap")):
        qtbot.keyClick(window, key, Qt.KeyboardModifier.ControlModifier)
        assert window.findChild(QWidget, f"step.{view}").isVisible()


def test_keys_walk_undo_takes_back_and_a_long_title_moves_no_menu(window, qtbot):
    check_keys_walk_through_the_steps_and_the_views(window, qtbot)
    check_undo_bears_the_name_of_the_edit_and_a_changed_document_asks_before_it_goes(
        window, qtbot
    )
    check_a_long_title_leaves_the_menus_where_they_are(window)


def test_a_reason_goes_when_the_window_changes_its_size_and_an_example_replaces_all(
    make_window, qtbot
):
    window = make_window()
    window.reason.say("no", QRect(10, 10, 20, 20))
    assert window.reason.isVisible()
    window.resize(1400, 800)
    qtbot.waitUntil(lambda: not window.reason.isVisible())
    first = window.document
    action(window, "example.journey").trigger()
    assert window.windowTitle().startswith("Your journey")
    tables = [t.objectName() for t in window.findChildren(QTableView) if t.isVisible()]
    assert "table.X" in tables
    assert "table.W_Q" not in tables
    assert window.findChild(QWidget, "flow.Q") is None
    # What is replaced or closed is let go of.
    second = window.document
    assert len(first.changed) == 0
    assert len(second.changed) > 0
    window.close()
    assert len(second.changed) == 0


def test_the_theme_menu_puts_the_dark_theme_in_force(make_window):
    window = make_window()
    window.appearance.choose("light")
    light = window.grab().toImage()
    action(window, "theme.dark").trigger()
    dark = window.grab().toImage()
    # A corner of the heatmap is empty.
    place = window.step_view.heatmap.mapTo(window, QPoint(2, 2))
    assert light.pixelColor(place).name() == LIGHT.window
    assert dark.pixelColor(place).name() == DARK.window


def weights_by_hand(document, head):
    """Return the weights of a head, with the columns split and a causal mask."""
    x = document.matrix("X")
    width = document.matrix("W_Q").shape[1] // document.spec.n_heads
    columns = slice(head * width, (head + 1) * width)
    queries = x @ document.matrix("W_Q")[:, columns]
    keys = x @ document.matrix("W_K")[:, columns]
    rows = []
    for row, query in enumerate(queries):
        powers = np.exp(keys[: row + 1] @ query / np.sqrt(width))
        rows.append(np.append(powers / powers.sum(), np.zeros(len(x) - row - 1)))
    return np.array(rows)


def shown_value(window):
    text = window.findChild(QLabel, "status.cell").text()
    return text, float(text.split(" = ")[1].split()[0])


def test_an_example_begins_where_it_is_about_and_the_status_bar_follows_the_head(
    make_window, qtbot
):
    window = make_window("two-heads")
    query, key = (window.document.tokens.index(word) for word in ("it", "cat"))
    weights = weights_by_hand(window.document, 1)
    assert np.argmax(weights[query]) == key
    selection = window.workbench.selection
    assert (selection.step, selection.cell) == ("weights", (query, key))
    selection.choose_head(0)
    action(window, "example.two-heads").trigger()
    assert selection.head == 1
    assert window.step_view.header.head.currentText() == "H1"
    selection.choose_head(0)
    selection.choose_cell("weights", (4, 3))
    switch = window.step_view.header.head
    switch.setFocus()
    for head, key in ((1, Qt.Key.Key_Down), (0, Qt.Key.Key_Up)):
        qtbot.keyClick(switch, key)
        text, value = shown_value(window)
        assert "it, because" in text
        expected = weights_by_hand(window.document, head)[4, 3]
        np.testing.assert_allclose(value, expected, rtol=1e-12)
    apart = [weights_by_hand(window.document, head)[4, 3] for head in (0, 1)]
    assert abs(apart[0] - apart[1]) > 0.01


def edit(window, value):
    values = np.array([[value]])
    window.workbench.edits.submit(SetCells("edit", "X", 0, 0, values))


def check_the_time_to_paint_is_told_in_every_view_until_another_document_comes(
    window, qtbot
):
    for view in ("heatmap", "table"):
        window.step_view.set_view(view)
        QApplication.processEvents()
        assert window.status.speed.text() == ""
        before = perf_counter()
        edit(window, 7.0)
        qtbot.waitUntil(lambda: "ms" in window.status.speed.text())
        waited = (perf_counter() - before) * 1e3
        assert 0 < float(window.status.speed.text().split()[-2]) <= waited + 0.1, view
        action(window, "example.journey").trigger()
        QApplication.processEvents()
        assert window.status.speed.text() == "", view


def check_long_work_is_announced_and_memory_that_runs_out_leaves_the_last_picture(
    window, qtbot, monkeypatch
):
    with monkeypatch.context() as patched:
        patched.setattr(engine_module, "FRAME_COST", 0)
        patched.setattr(engine_module, "PATIENT_COST", 0)
        edit(window, 7.0)
        window.workbench.engine.flush()
        assert window.status.speed.text() == "computing…"
        qtbot.waitUntil(lambda: "ms" in window.status.speed.text())
    shown = window.workbench.engine.current

    def run_out(*_, **__):
        raise MemoryError

    monkeypatch.setattr(building_module, "IncrementalEngine", run_out)
    monkeypatch.setattr(Live, "follow", run_out)
    edit(window, 8.0)
    window.workbench.engine.flush()
    assert "not enough memory" in window.notice.text
    assert window.workbench.engine.current is shown
    action(window, "example.journey").trigger()
    assert "not enough memory" in window.notice.text
    assert window.document.tokens[0] == "word 1"


def test_the_status_bar_tells_the_time_to_paint_long_work_and_too_little_memory(
    window, qtbot, monkeypatch
):
    check_the_time_to_paint_is_told_in_every_view_until_another_document_comes(
        window, qtbot
    )
    window.opener.open_example("four-words")
    check_long_work_is_announced_and_memory_that_runs_out_leaves_the_last_picture(
        window, qtbot, monkeypatch
    )
