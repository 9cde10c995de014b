import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.selection import SelectionModel


@pytest.fixture
def open_status(qtbot):
    engines = []

    def show(tokens, x, **spec):
        document = Document("Some", tokens, {"X": x}, Spec(projected=False, **spec))
        engine, selection = Engine(document), SelectionModel()
        engines.append(engine)
        status = StatusBar(engine, selection)
        qtbot.addWidget(status)
        return status, selection

    yield show
    for engine in engines:
        engine.close()


def seen(label: QLabel) -> str:
    """Return the visible text of a label, without markup."""
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByKeyboard)
    QTest.keyClick(label, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    return label.selectedText()


def test_it_says_whether_the_cell_is_selected_pointed_at_or_an_input(open_status):
    status, selection = open_status(["a", "b"], [[1.0, 2.0], [3.0, 4.0]])
    caption = status.findChild(QLabel, "status.caption")
    assert seen(caption) == ""
    selection.choose_cell("scores", (0, 1))
    assert (seen(caption), seen(status.cell)) == ("Selected:", "scores[a, b] = 11.0")
    selection.hover("scores", (0, 0))
    assert (seen(caption), seen(status.cell)) == ("Pointer:", "scores[a, a] = 5.0")
    status._engine.computed.emit(status._engine.current)  # as after an edit
    assert (seen(caption), seen(status.cell)) == ("Pointer:", "scores[a, a] = 5.0")
    selection.hover("scores", None)
    assert seen(caption) == "Selected:"
    status.show_input("X[a, 0] = 1.0")
    assert (seen(caption), seen(status.cell)) == ("Input:", "X[a, 0] = 1.0")


def test_the_time_of_an_edit_is_told_in_words(qtbot, open_status):
    status, _ = open_status(["a"], [[1.0]])
    status.show_speed(0.0823)
    qtbot.waitUntil(lambda: status.speed.text() == "updated in 82.3 ms")
    assert "last edit" in status.speed.toolTip()


def test_the_bar_is_as_high_as_at_first_after_larger_texts(window):
    def height():
        for _ in range(3):
            QApplication.processEvents()
        return window.status.height()

    before = height()
    QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(window, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    assert height() > before
    QTest.keyClick(window, Qt.Key.Key_0, Qt.KeyboardModifier.ControlModifier)
    assert height() == before


def test_the_bar_is_no_higher_before_it_tells_of_the_first_edit(window):
    before = window.last_edit.sizeHint().height()
    window.last_edit.setText("Last edit changed weights by up to 0.5")
    assert window.last_edit.sizeHint().height() == before


def test_the_selected_cell_is_named_with_its_exact_number(open_status):
    status, selection = open_status(["a", "b"], [[1.0, 2.0], [3.0, 4.0]])
    selection.choose_cell("scores", (0, 1))
    assert seen(status.cell) == "scores[a, b] = 11.0"
    selection.choose_cell("scores", None)
    assert seen(status.cell) == ""


def test_the_row_sum_is_rounded_and_never_passes_for_an_exact_number(open_status):
    x = np.random.default_rng(1).normal(size=(7, 3))
    status, selection = open_status("abcdefg", x)
    for query in range(7):
        selection.choose_cell("weights", (query, 0))
        assert seen(status.cell).endswith("     row sum 1.0000")


def test_tokens_that_look_like_markup_appear_as_they_are(open_status):
    status, selection = open_status(["<s>", "<b>x</b>"], [[1.0], [2.0]])
    selection.choose_cell("scores", (0, 1))
    assert seen(status.cell) == "scores[<s>, <b>x</b>] = 2.0"


def test_no_token_widens_the_bar_or_breaks_its_line(open_status):
    status, selection = open_status(["x" * 500, "a\nb"], [[1.0], [2.0]])
    selection.choose_cell("scores", (0, 1))
    assert seen(status.cell) == f"scores[{'x' * 17}…, a⏎b] = 2.0"


def test_statistics_of_selected_inputs_are_shown_while_there_are_some(window):
    statistics = window.status.statistics
    table = window.inputs.table("W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    assert not statistics.isVisible()
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert statistics.text() == "Sum 4 · Mean 2 · Count 2 · Min 2 · Max 2"
    assert statistics.isVisible()
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert not statistics.isVisible()

    # A cell was clicked, and the keys go on while the pointer stays.
    place = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseMove(table.viewport(), place)
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    table.entered.emit(table.model().index(0, 0))
    assert window.status.cell.text().startswith("W_Q[0, 0] = ")
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert window.status.cell.text().startswith("W_Q[1, 0] = ")
