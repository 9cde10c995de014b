"""Tokens added, taken away, moved, renamed and found, with real keys and mouse."""

from time import process_time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QToolButton,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, SetCells
from attnviewer.document.sequences import grown
from attnviewer.ui.views.inputs import TokenCommands
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.widgets.actions import fill_menu
from tests.ui.views.inputs.tables import settle

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
press = QTest.keyClick


@pytest.fixture
def with_commands():
    """Give a bench the commands and their keys, as the window has them."""

    def give(bench):
        commands = TokenCommands(bench.panel, bench.edits, bench.reason, bench.window)
        menu = QMenu("Tokens", bench.window)
        fill_menu(menu, commands.rows)
        bench.window.layout().setMenuBar(bar := QMenuBar(bench.window))
        bar.addMenu(menu)
        QApplication.processEvents()
        return bench

    return give


@pytest.fixture
def tokens(bench, with_commands):
    return with_commands(bench)


def cross_attention(n=3, n_keys=4):
    generator = np.random.RandomState(0)
    matrices = {"X": generator.rand(n, 2), "context": generator.rand(n_keys, 2)}
    matrices["bias"] = generator.rand(n, n_keys)
    return Document(
        "Cross",
        [f"q {place}" for place in range(n)],
        matrices,
        Spec(projected=False, context=True),
        context_tokens=[f"k {place}" for place in range(n_keys)],
    )


def selected(bench, name):
    block = bench.table(name).selected_block()
    return block.row, block.column, block.height, block.width


def select_rows(bench, name, first, last):
    table = bench.at(name, first)
    for _ in range(last - first):
        press(table, Key.Key_Down, SHIFT)
    return table


def centre(table, row):
    return table.visualRect(table.model().index(row, 0)).center()


def drag(table, row, *stations):
    viewport = table.viewport()
    QTest.mousePress(viewport, LEFT, pos=centre(table, row))
    for place in stations:
        QTest.mouseMove(viewport, place)
    return stations[-1]


def drop(table, place):
    QTest.mouseRelease(table.viewport(), LEFT, pos=place)


# --------------------------------------------------------------------- adding


@pytest.mark.parametrize("name", ["tokens", "X"])
def test_a_token_is_added_below_selected_and_can_be_undone(tokens, name):
    bench = tokens
    table = bench.at(name, 1)
    press(table, Key.Key_I, CONTROL)
    assert bench.document.tokens == ("word 1", "word 2", "word 5", "word 3", "word 4")
    assert bench.document.matrix("X").tolist() == [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
        [1, 1, 0],
        [0, 0, 1],
    ]
    assert bench.edits.undoText() == "Add token word 5"
    assert bench.current(name) == (2, 0)
    assert selected(bench, name) == (2, 0, 1, 1)
    assert table.hasFocus()
    bench.edits.undo()
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "word 4")
    assert bench.current(name) == (1, 0)


def test_a_token_is_added_above(tokens):
    press(tokens.at("tokens", 0), Key.Key_I, CONTROL | SHIFT)
    assert tokens.document.tokens[:2] == ("word 5", "word 1")
    assert tokens.current("tokens") == (0, 0)


def test_without_a_selected_token_a_new_one_comes_last(tokens):
    table = tokens.at("W_Q", 0, 0)
    press(table, Key.Key_I, CONTROL)
    assert tokens.document.tokens[-1] == "word 5"
    assert table.hasFocus()


def test_tables_and_titles_have_room_for_a_new_token(tokens):
    bench = tokens
    before = [bench.table(name).height() for name in ("tokens", "X")]
    press(bench.at("tokens", 3), Key.Key_I, CONTROL)
    settle()
    row = bench.table("X").rowHeight(0)
    after = [bench.table(name).height() for name in ("tokens", "X")]
    assert after == [height + row for height in before]
    assert "5×3" in [label.text() for label in bench.panel.findChildren(QLabel)]


# -------------------------------------------------------- removing, duplicating


def test_selected_tokens_are_removed_and_come_back(tokens):
    bench = tokens
    table = select_rows(bench, "tokens", 1, 2)
    press(table, Key.Key_Delete, CONTROL)
    assert bench.document.tokens == ("word 1", "word 4")
    assert bench.edits.undoText() == "Remove 2 tokens"
    assert bench.current("tokens") == (1, 0)
    bench.edits.undo()
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "word 4")
    assert selected(bench, "tokens") == (1, 0, 2, 1)


def test_all_tokens_cannot_be_removed_and_the_reason_is_beside_them(tokens):
    table = select_rows(tokens, "tokens", 0, 3)
    press(table, Key.Key_Delete, CONTROL)
    assert tokens.edits.count() == 0
    assert tokens.reason.isVisible()
    assert tokens.reason.text() == (
        "All tokens together cannot be removed: a sequence needs at least one."
    )


def test_duplicates_come_below_and_are_selected(tokens):
    table = select_rows(tokens, "tokens", 0, 1)
    press(table, Key.Key_J, CONTROL)
    assert tokens.document.tokens == (
        *("word 1", "word 2", "word 1 (2)", "word 2 (2)"),
        *("word 3", "word 4"),
    )
    assert tokens.edits.undoText() == "Duplicate 2 tokens"
    assert selected(tokens, "tokens") == (2, 0, 2, 1)


def test_commands_on_tokens_are_off_where_no_token_is_selected(tokens):
    names = ("remove", "copy", "up", "down", "rename")
    actions = [tokens.window.findChild(QAction, f"action.token.{n}") for n in names]
    assert not any(action.isEnabled() for action in actions)
    tokens.at("X", 0, 0)
    assert all(action.isEnabled() for action in actions)
    tokens.at("W_V", 0, 0)
    assert not any(action.isEnabled() for action in actions)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_keys_of_tokens_are_those_of_others_elsewhere(tokens):
    tokens.at("tokens", 0)
    box = QComboBox(tokens.window)
    box.addItems(["a", "b"])
    tokens.window.layout().addWidget(box)
    box.show()
    box.setFocus()
    assert box.hasFocus()
    press(box, Key.Key_Down, ALT)
    assert tokens.edits.count() == 0
    assert box.view().isVisible()
    box.hidePopup()


# --------------------------------------------------------------------- moving


def test_alt_and_arrows_move_tokens_with_their_rows(tokens):
    bench = tokens
    table = bench.at("X", 0, 1)
    press(table, Key.Key_Down, ALT)
    press(table, Key.Key_Down, ALT)
    assert bench.document.tokens == ("word 2", "word 3", "word 1", "word 4")
    assert bench.document.matrix("X")[2].tolist() == [1, 0, 0]
    assert bench.edits.undoText() == "Move token word 1 to 2"
    assert bench.current("X") == (2, 1)
    press(table, Key.Key_Up, ALT)
    assert bench.document.tokens == ("word 2", "word 1", "word 3", "word 4")
    assert table.hasFocus()
    for _ in range(3):
        bench.edits.undo()
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "word 4")
    assert bench.current("X") == (0, 1)


def test_at_the_end_a_token_stays_where_it_is(tokens):
    press(tokens.at("tokens", 0), Key.Key_Up, ALT)
    press(tokens.at("tokens", 3), Key.Key_Down, ALT)
    assert tokens.edits.count() == 0


def test_several_tokens_move_together(tokens):
    table = select_rows(tokens, "tokens", 0, 1)
    press(table, Key.Key_Down, ALT)
    assert tokens.document.tokens == ("word 3", "word 1", "word 2", "word 4")
    assert tokens.edits.undoText() == "Move 2 tokens to 1"
    assert selected(tokens, "tokens") == (1, 0, 2, 1)


def test_a_dragged_token_goes_to_the_line(tokens):
    bench = tokens
    table = bench.table("tokens")
    below_last = centre(table, 3) + QPoint(0, 6)
    place = drag(table, 0, centre(table, 1), below_last)
    line = table.viewport().findChild(QFrame, "token.gap")
    assert line.isVisible()
    assert (
        abs(
            line.geometry().center().y()
            - table.visualRect(table.model().index(3, 0)).bottom()
        )
        <= 2
    )
    assert bench.document.revision == 0
    drop(table, place)
    assert not line.isVisible()
    assert bench.document.tokens == ("word 2", "word 3", "word 4", "word 1")
    assert bench.edits.undoText() == "Move token word 1 to 3"
    assert selected(bench, "tokens") == (3, 0, 1, 1)
    assert table.hasFocus()


def test_selected_tokens_are_dragged_together(tokens):
    table = select_rows(tokens, "tokens", 2, 3)
    above_first = centre(table, 0) - QPoint(0, 6)
    drop(table, drag(table, 3, centre(table, 1), above_first))
    assert tokens.document.tokens == ("word 3", "word 4", "word 1", "word 2")
    assert selected(tokens, "tokens") == (0, 0, 2, 1)


def test_a_drag_that_is_given_up_or_comes_back_moves_nothing(tokens):
    table = tokens.table("tokens")
    place = drag(table, 0, centre(table, 1), centre(table, 3))
    press(table, Key.Key_Escape)
    assert not table.viewport().findChild(QFrame, "token.gap").isVisible()
    drop(table, place)
    drop(table, drag(table, 0, centre(table, 2), centre(table, 0)))
    assert tokens.edits.count() == 0


def test_a_click_into_a_selection_selects_its_one_token(tokens):
    table = select_rows(tokens, "tokens", 0, 3)
    QTest.mouseClick(table.viewport(), LEFT, pos=centre(table, 2))
    assert selected(tokens, "tokens") == (2, 0, 1, 1)


def test_a_double_click_still_opens_a_token(tokens):
    table = tokens.table("tokens")
    QTest.mouseClick(table.viewport(), LEFT, pos=centre(table, 2))
    QTest.mouseDClick(table.viewport(), LEFT, pos=centre(table, 2))
    assert tokens.editor("tokens").text() == "word 3"


def test_a_drag_beyond_the_edge_scrolls(open_bench, with_commands):
    names = [f"t {place}" for place in range(40)]
    long = Document("Long", names, {"X": np.ones((40, 1))}, Spec(projected=False))
    bench = with_commands(open_bench(long))
    table = bench.table("tokens")
    beyond = QPoint(10, table.viewport().height() + 5)
    place = drag(table, 0, centre(table, 1), *[beyond] * 5)
    assert table.rowAt(0) > 0
    assert bench.table("X").rowAt(0) == table.rowAt(0)
    drop(table, place)
    assert bench.document.tokens.index("t 0") > 12


# ------------------------------------------------------------------- renaming


def test_rename_opens_the_token_beside_the_selected_row(tokens):
    bench = tokens
    bench.at("X", 2, 1)
    bench.window.findChild(QAction, "action.token.rename").trigger()
    editor = bench.editor("tokens")
    assert editor.text() == "word 3"
    QTest.keyClicks(editor, "cat")
    press(editor, Key.Key_Return)
    assert bench.document.tokens[2] == "cat"
    assert bench.edits.undoText() == "Rename token word 3 to cat"


# --------------------------------------------------------------- open editors


def test_what_is_typed_is_taken_over_before_its_token_moves(tokens):
    bench = tokens
    editor = bench.type_into("tokens", 0, 0, "cat")
    press(editor, Key.Key_Down, ALT)
    assert bench.document.tokens == ("word 2", "cat", "word 3", "word 4")
    assert bench.editor("tokens") is None
    bench.edits.undo()
    assert bench.document.tokens == ("cat", "word 2", "word 3", "word 4")
    bench.edits.undo()
    assert bench.document.tokens == ("word 1", "word 2", "word 3", "word 4")


def test_a_refused_text_goes_with_its_row(tokens):
    bench = tokens
    editor = bench.type_into("X", 1, 2, "abc")
    press(editor, Key.Key_Return)
    press(bench.at("tokens", 1), Key.Key_Down, ALT)
    press(bench.at("tokens", 0), Key.Key_I, CONTROL)
    settle()
    assert bench.editor("X") is editor
    assert editor.text() == "abc"
    assert editor.refused
    table = bench.table("X")
    where = table.indexAt(editor.geometry().center())
    assert (where.row(), where.column()) == (3, 2)
    assert bench.document.tokens[3] == "word 2"


def test_an_editor_in_another_table_stays_open_through_all_edits_of_tokens(tokens):
    bench = tokens
    editor = bench.type_into("W_Q", 0, 0, "x1")
    press(editor, Key.Key_Return)
    table = bench.at("tokens", 1)
    for key, modifier in (
        (Key.Key_I, CONTROL),
        (Key.Key_J, CONTROL),
        (Key.Key_Up, ALT),
        (Key.Key_Delete, CONTROL),
    ):
        press(table, key, modifier)
    assert bench.edits.count() == 4
    assert bench.editor("W_Q") is editor
    assert editor.text() == "x1"


def test_a_refused_name_stays_open_while_its_token_moves(tokens):
    bench = tokens
    press(bench.at("tokens", 0), Key.Key_F2)
    editor = bench.editor("tokens")
    editor.selectAll()
    press(editor, Key.Key_Backspace)
    press(editor, Key.Key_Return)
    assert editor.refused
    press(editor, Key.Key_Down, ALT)
    assert bench.document.tokens[:2] == ("word 2", "word 1")
    assert bench.editor("tokens") is editor
    assert editor.text() == ""
    assert bench.table("tokens").indexAt(editor.geometry().center()).row() == 1
    assert bench.edits.count() == 1


# ------------------------------------------------------------ second sequence


def test_the_second_sequence_is_shown_with_its_tokens_and_edited(
    open_bench, with_commands
):
    document = cross_attention()
    bench = with_commands(open_bench(document))
    shown = bench.table("context_tokens")
    assert shown.accessibleName() == "Tokens of the second sequence"
    assert shown.model().index(3, 0).data() == "k 3"
    before = document.matrix("context").copy()
    press(bench.at("context_tokens", 0), Key.Key_Down, ALT)
    assert document.context_tokens == ("k 1", "k 0", "k 2", "k 3")
    assert document.tokens == ("q 0", "q 1", "q 2")
    np.testing.assert_array_equal(document.matrix("context"), before[[1, 0, 2, 3]])
    press(bench.at("context", 3, 1), Key.Key_I, CONTROL)
    assert document.context_tokens[-1] == "k 4"
    assert document.matrix("bias").shape == (3, 5)
    bench.enter("context_tokens", 0, 0, "cat")
    assert document.context_tokens[0] == "cat"
    table = bench.table("context_tokens")
    drop(table, drag(table, 0, centre(table, 1), centre(table, 2) + QPoint(0, 6)))
    assert document.context_tokens == ("k 0", "k 2", "cat", "k 3", "k 4")


# -------------------------------------------------------------------- finding


def find_line(bench, sequence="X"):
    return bench.panel.findChild(QLineEdit, f"find.{sequence}.line")


def count(bench, sequence="X"):
    return bench.panel.findChild(QLabel, f"find.{sequence}.count").text()


@pytest.fixture
def words(open_bench, with_commands):
    names = ["The", "cat", "sat", "on", "the", "other", "mat"]
    x = np.arange(14.0).reshape(7, 2)
    document = Document("Words", names, {"X": x}, Spec(projected=False))
    return with_commands(open_bench(document))


def test_a_token_is_found_by_any_part_of_it(words):
    bench = words
    table = bench.at("X", 1, 1)
    press(table, Key.Key_F, CONTROL)
    line = find_line(bench)
    assert line.hasFocus()
    QTest.keyClicks(line, "THE")
    assert count(bench) == "2 of 3"
    assert bench.current("X") == (4, 1)
    assert selected(bench, "X") == (4, 0, 1, 2)
    assert table.property("active")
    press(line, Key.Key_Return)
    assert (count(bench), bench.current("X")) == ("3 of 3", (5, 1))
    press(bench.window, Key.Key_F3)
    assert (count(bench), bench.current("X")) == ("1 of 3", (0, 1))
    press(line, Key.Key_Return, SHIFT)
    assert (count(bench), bench.current("X")) == ("3 of 3", (5, 1))
    press(bench.window, Key.Key_F3, SHIFT)
    assert (count(bench), bench.current("X")) == ("2 of 3", (4, 1))
    press(line, Key.Key_Escape)
    assert not line.isVisible()
    assert table.hasFocus()
    press(table, Key.Key_F3)
    assert bench.current("X") == (5, 1)


def test_buttons_find_too(words):
    bench = words
    press(bench.at("X", 0, 0), Key.Key_F, CONTROL)
    QTest.keyClicks(find_line(bench), "at")
    assert count(bench) == "1 of 3"
    for name, told in (("next", "2 of 3"), ("back", "1 of 3")):
        click_button(bench, name)
        assert count(bench) == told
    click_button(bench, "close")
    assert not find_line(bench).isVisible()


def click_button(bench, name):
    button = bench.panel.findChild(QToolButton, f"find.X.{name}")
    QTest.mouseClick(button, LEFT)


def test_nothing_found_is_said_and_selects_nothing(words):
    press(words.at("X", 2, 0), Key.Key_F, CONTROL)
    QTest.keyClicks(find_line(words), "dog")
    assert count(words) == "0 found"
    assert words.current("X") == (2, 0)
    press(find_line(words), Key.Key_Return)
    assert words.current("X") == (2, 0)


def test_the_count_follows_edits_of_the_tokens(words):
    press(words.at("X", 0, 0), Key.Key_F, CONTROL)
    QTest.keyClicks(find_line(words), "cat")
    assert count(words) == "1 of 1"
    x = np.zeros((1, 2))
    words.edits.submit(grown(words.document, "X", ["tomcat"], x, "Add"))
    assert count(words) == "1 of 2"


def test_what_is_found_can_be_moved(words):
    press(words.at("X", 0, 0), Key.Key_F, CONTROL)
    QTest.keyClicks(find_line(words), "mat")
    press(find_line(words), Key.Key_Up, ALT)
    assert words.document.tokens[5] == "mat"


def test_a_hundred_thousand_tokens_are_searched_within_a_blink(
    open_bench, with_commands
):
    names = [f"token {place}" for place in range(100_000)]
    document = Document(
        "Long",
        ["q"],
        {"X": [[1.0]], "context": np.zeros((100_000, 1))},
        Spec(projected=False, context=True),
        context_tokens=names,
    )
    bench = with_commands(open_bench(document))
    press(bench.at("context", 0, 0), Key.Key_F, CONTROL)
    line = find_line(bench, "context")
    QTest.keyClicks(line, "token 9999")
    began = process_time()
    QTest.keyClicks(line, "9")
    assert process_time() - began < 1
    assert count(bench, "context") == "1 of 1"
    table = bench.table("context")
    assert bench.current("context") == (99_999, 0)
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex()))


# --------------------------------------------------------------------- models


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 7)), max_size=8))
def test_models_obey_qt_and_undo_leads_back_bit_for_bit(token_bench, moves):
    bench, commands = token_bench
    document = bench.document
    first = {n: a.tobytes() for n, a in document.matrices.items()}, document.tokens
    for which, row in moves:
        n = len(document.tokens)
        bench.at("tokens", min(row, n - 1))
        if which < 6:
            commands[which].trigger()
        else:
            mixed = {"X": np.full((row + 1, 3), 0.5 + row)}
            names = tuple(f"{which}{place}" for place in range(row + 1))
            bench.edits.submit(Replace("Mixed", tokens=names, matrices=mixed))
        assert bench.table("X").model().rowCount() == len(document.tokens)
    while bench.edits.canUndo():
        bench.edits.undo()
    now = {n: a.tobytes() for n, a in document.matrices.items()}, document.tokens
    assert now == first


@pytest.fixture
def token_bench(tokens):
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tables = tokens.panel.findChildren(CellTable)
    testers = [QAbstractItemModelTester(table.model(), fatal) for table in tables]
    names = ("add", "above", "remove", "copy", "up", "down")
    actions = [tokens.window.findChild(QAction, f"action.token.{n}") for n in names]
    yield tokens, actions
    testers.clear()


def test_cells_that_change_as_rows_come_are_shown(tokens):
    bench = tokens
    bench.edits.submit(SetCells("Set", "X", 0, 0, np.array([[0.25]])))
    mixed = {"X": np.full((6, 3), 7.0)}
    names = ("word 1", *"abcd", "word 4")
    bench.edits.submit(Replace("Mixed", tokens=names, matrices=mixed))
    model = bench.table("X").model()
    shown = {model.index(row, column).data() for row in range(6) for column in range(3)}
    assert shown == {"7"}
