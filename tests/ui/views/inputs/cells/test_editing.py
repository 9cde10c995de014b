"""Cells edited with real keys in real tables."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QLocale, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace, SetCells
from tests.ui.views.inputs.tables import select

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
press = QTest.keyClick

BAD_TEXTS = {
    "abc": "“abc” is not a number.",
    "1,5": "Write decimals with a point: 1.5",
    "nan": "The number must be finite. Got nan instead.",
    "1e999": "1e999 is too large: the limit is about 1.8e308.",
}


def click(table, row, column):
    centre = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=centre)


def unchanged(bench):
    return bench.edits.count() == 0 and bench.document.revision == 0


# ----------------------------------------------------------------- taking over


def test_typing_replaces_the_number(bench):
    bench.enter("W_Q", 0, 2, "12.5")
    assert bench.document.matrix("W_Q")[0, 2] == 12.5
    assert bench.editor("W_Q") is None
    assert bench.edits.undoText() == "Set W_Q[0, 2] to 12.5"
    bench.edits.undo()
    assert bench.document.matrix("W_Q")[0, 2] == 2


def test_a_typed_minus_starts_a_negative_number(bench):
    bench.enter("W_Q", 0, 0, "-3")
    assert bench.document.matrix("W_Q")[0, 0] == -3


@pytest.mark.parametrize("open_with", ["F2", "double click"])
def test_opening_a_cell_and_pressing_return_changes_nothing(bench, open_with):
    table = bench.at("W_Q", 0, 2)
    if open_with == "F2":
        press(table, Key.Key_F2)
    else:
        centre = table.visualRect(table.currentIndex()).center()
        left = Qt.MouseButton.LeftButton
        QTest.mouseClick(table.viewport(), left, pos=centre)
        QTest.mouseDClick(table.viewport(), left, pos=centre)
    assert bench.editor("W_Q").text() == "2"
    press(bench.editor("W_Q"), Key.Key_Return)
    assert bench.editor("W_Q") is None
    assert unchanged(bench)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1 + 0.2, "0.30000000000000004"),
        (2e-9, "2e-09"),
        (-0.0, "-0.0"),
        (1e300, "1e+300"),
    ],
)
def test_exact_digits_survive_f2(bench, number, text):
    bench.edits.submit(SetCells("Set", "W_K", 1, 1, np.array([[number]])))
    before = bench.document.matrix("W_K").tobytes()
    press(bench.at("W_K", 1, 1), Key.Key_F2)
    assert bench.editor("W_K").text() == text
    press(bench.editor("W_K"), Key.Key_Return)
    assert bench.edits.count() == 1
    assert bench.document.matrix("W_K").tobytes() == before


def test_escape_restores_the_number(bench):
    editor = bench.type_into("W_V", 0, 0, "99")
    press(editor, Key.Key_Escape)
    assert bench.editor("W_V") is None
    assert bench.table("W_V").hasFocus()
    assert unchanged(bench)


def test_leaving_for_another_widget_takes_the_text_over(bench):
    bench.type_into("W_V", 0, 0, "99")
    bench.elsewhere.setFocus()
    assert bench.editor("W_V") is None
    assert bench.document.matrix("W_V")[0, 0] == 99
    assert bench.elsewhere.hasFocus()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_context_menu_of_an_editor_leaves_it_open(bench):
    editor = bench.type_into("W_V", 0, 0, "99")
    menu = editor.createStandardContextMenu()
    menu.popup(editor.mapToGlobal(editor.rect().center()))
    assert bench.editor("W_V") is editor
    menu.close()
    assert unchanged(bench)


def test_an_editor_is_wide_enough_for_an_exact_number(bench):
    number = np.array([[0.1 + 0.2]])
    bench.edits.submit(SetCells("Set", "W_Q", 0, 2, number))
    table = bench.at("W_Q", 0, 2)
    press(table, Key.Key_F2)
    editor = bench.editor("W_Q")
    assert editor.width() >= editor.fontMetrics().horizontalAdvance(editor.text())
    assert table.viewport().rect().contains(editor.geometry())
    press(editor, Key.Key_Escape)


# --------------------------------------------------------------------- moving


WAYS_ON = [
    (Key.Key_Return, None, (0, 1), (1, 1)),
    (Key.Key_Enter, None, (0, 1), (1, 1)),
    (Key.Key_Return, SHIFT, (1, 1), (0, 1)),
    (Key.Key_Return, None, (2, 1), (2, 1)),
    (Key.Key_Return, SHIFT, (0, 1), (0, 1)),
    (Key.Key_Tab, None, (0, 1), (0, 2)),
    (Key.Key_Tab, None, (0, 2), (1, 0)),
    (Key.Key_Tab, None, (2, 1), (2, 2)),
    (Key.Key_Backtab, SHIFT, (0, 1), (0, 0)),
    (Key.Key_Backtab, SHIFT, (1, 0), (0, 2)),
    (Key.Key_Down, None, (0, 1), (1, 1)),
    (Key.Key_Up, None, (1, 1), (0, 1)),
]
"""Keys, where they are pressed, and the cell that they lead to."""


@pytest.mark.parametrize("editing", [True, False], ids=["editing", "not editing"])
def test_keys_take_over_and_move(bench, editing):
    for key, modifier, start, end in WAYS_ON:
        target = bench.at("W_Q", *start)
        if editing:
            target = bench.type_into("W_Q", *start, "77")
        press(target, key, modifier or Qt.KeyboardModifier.NoModifier)
        assert bench.editor("W_Q") is None, key
        assert bench.current("W_Q") == end, key
        assert bench.table("W_Q").hasFocus(), key
        assert (bench.document.matrix("W_Q")[start] == 77) == editing, key
        assert bench.edits.count() == editing
        bench.edits.undo()


def test_arrows_move_among_the_cells(bench):
    table = bench.at("X", 0, 0)
    for key in (Key.Key_Right, Key.Key_Down, Key.Key_Down, Key.Key_Left):
        press(table, key)
    assert bench.current("X") == (2, 0)


def test_tab_leaves_the_table_at_its_ends(bench):
    press(bench.at("W_Q", 2, 2), Key.Key_Tab)
    assert bench.table("W_K").hasFocus()
    press(bench.at("W_Q", 0, 0), Key.Key_Backtab, SHIFT)
    assert bench.table("X").hasFocus()


def test_tab_after_typing_stays_at_the_end_and_the_next_one_leaves(bench):
    press(bench.type_into("W_Q", 2, 1, "7"), Key.Key_Tab)
    table = bench.table("W_Q")
    QTest.keyClicks(table, "8")
    press(bench.editor("W_Q"), Key.Key_Tab)
    assert table.hasFocus()
    assert bench.current("W_Q") == (2, 2)
    assert bench.document.matrix("W_Q")[2].tolist() == [2, 7, 8]
    press(table, Key.Key_Tab)
    assert bench.table("W_K").hasFocus()


def test_tab_over_the_last_cells_of_what_was_typed_stays_too(bench):
    press(bench.type_into("W_Q", 2, 0, "7"), Key.Key_Tab)
    for _ in range(2):
        press(bench.table("W_Q"), Key.Key_Tab)
    assert bench.table("W_Q").hasFocus()
    assert bench.current("W_Q") == (2, 2)


def test_control_tab_leaves_the_table_from_any_cell(bench):
    press(bench.at("W_Q", 1, 1), Key.Key_Tab, CONTROL)
    assert bench.table("W_K").hasFocus()
    press(bench.table("W_K"), Key.Key_Backtab, CONTROL | SHIFT)
    assert bench.table("W_Q").hasFocus()
    assert bench.current("W_Q") == (1, 1)


# ------------------------------------------------------------------- refusals


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Tab, Key.Key_Down])
def test_bad_text_stays_with_its_reason_and_changes_nothing(bench, key):
    for text, reason in BAD_TEXTS.items():
        editor = bench.type_into("W_Q", 0, 2, text)
        press(editor, key)
        assert bench.editor("W_Q") is editor
        assert editor.text() == text
        assert editor.property("invalid") is True
        assert editor.accessibleDescription() == reason
        assert bench.reason.isVisible()
        assert bench.reason.text() == reason
        assert unchanged(bench)
        press(editor, Key.Key_Escape)
        assert not bench.reason.isVisible()


def test_the_reason_lies_beside_the_cell(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    press(editor, Key.Key_Return)
    corner = editor.mapTo(bench.window, editor.rect().bottomLeft())
    assert 0 < bench.reason.y() - corner.y() < 20
    assert abs(bench.reason.x() - corner.x()) < bench.reason.width()


def test_refused_text_keeps_the_keys_and_can_be_corrected(bench):
    editor = bench.type_into("W_Q", 0, 2, "1,5")
    press(editor, Key.Key_Return)
    assert editor.hasFocus()
    press(editor, Key.Key_Backspace)
    assert editor.property("invalid") is False
    assert not bench.reason.isVisible()
    press(editor, Key.Key_Backspace)
    QTest.keyClicks(editor, ".5")
    press(editor, Key.Key_Return)
    assert bench.editor("W_Q") is None
    assert bench.document.matrix("W_Q")[0, 2] == 1.5
    assert bench.current("W_Q") == (1, 2)


def test_escape_gives_refused_text_up_with_its_reason(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    press(editor, Key.Key_Return)
    press(editor, Key.Key_Escape)
    assert bench.editor("W_Q") is None
    assert not bench.reason.isVisible()
    assert unchanged(bench)


def test_bad_text_survives_the_loss_of_focus(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    bench.elsewhere.setFocus()
    assert bench.editor("W_Q") is editor
    assert editor.text() == "abc"
    assert bench.reason.isVisible()
    assert bench.elsewhere.hasFocus()
    assert unchanged(bench)
    editor.setFocus()
    press(editor, Key.Key_Escape)
    assert bench.editor("W_Q") is None


def test_other_cells_can_be_edited_while_one_holds_bad_text(bench):
    bad = bench.type_into("W_Q", 0, 2, "abc")
    table = bench.table("W_Q")
    click(table, 2, 0)
    assert bad.isVisible()
    assert bad.text() == "abc"
    QTest.keyClicks(table, "5")
    typed = QApplication.focusWidget()
    assert typed is not bad
    press(typed, Key.Key_Return)
    assert bench.document.matrix("W_Q")[2, 0] == 5
    bench.enter("W_K", 0, 0, "6")
    assert bench.document.matrix("W_K")[0, 0] == 6
    assert bad.text() == "abc"
    # Coming back to the cell is coming back to its text.
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 2))
    press(table, Key.Key_Up)
    assert bad.hasFocus()
    press(bad, Key.Key_Escape)
    assert bench.editor("W_Q") is None
    assert table.hasFocus()


def test_the_documents_own_refusal_is_shown_too(bench, monkeypatch):
    def refuse(_edit):
        raise ValueError("Not this one.")

    monkeypatch.setattr(bench.document, "apply_quietly", refuse)
    editor = bench.type_into("W_Q", 0, 2, "5")
    press(editor, Key.Key_Return)
    assert bench.editor("W_Q") is editor
    assert bench.reason.text() == "Not this one."
    assert unchanged(bench)


def test_a_german_locale_changes_nothing(open_bench, four_words):
    QLocale.setDefault(QLocale("de_DE"))
    try:
        bench = open_bench(four_words)
        bench.enter("W_Q", 0, 2, "1234.5")
        assert bench.document.matrix("W_Q")[0, 2] == 1234.5
        press(bench.at("W_Q", 0, 2), Key.Key_F2)
        editor = bench.editor("W_Q")
        assert editor.text() == "1234.5"
        editor.setText("1,5")
        press(editor, Key.Key_Return)
        assert bench.reason.text() == "Write decimals with a point: 1.5"
        assert bench.document.matrix("W_Q")[0, 2] == 1234.5
        press(editor, Key.Key_Escape)
    finally:
        QLocale.setDefault(QLocale.c())


# ------------------------------------------------- open editors and other edits


def test_an_open_editor_survives_a_change_elsewhere(bench):
    bench.enter("W_K", 0, 0, "9")
    editor = bench.type_into("W_Q", 0, 2, "3.")
    bench.document.apply(SetCells("Set", "W_Q", 1, 1, np.array([[0.25]])))
    bench.edits.undo()
    bench.document.apply(Replace("Causal", spec=Spec(causal=True)))
    bench.document.apply(Replace("Name", tokens=("a", "b", "c", "d")))
    assert bench.editor("W_Q") is editor
    assert editor.text() == "3."
    assert editor.hasFocus()
    QTest.keyClicks(editor, "5")
    press(editor, Key.Key_Return)
    assert bench.document.matrix("W_Q")[0, 2] == 3.5


def test_a_block_written_over_an_open_editor_keeps_text_whose_number_stays(bench):
    editor = bench.type_into("W_Q", 0, 1, "3.")
    row = np.array([[7.0, 0.0, 7.0]])
    bench.document.apply(SetCells("Set", "W_Q", 0, 0, row))
    assert editor.text() == "3."
    bench.document.apply(Replace("Same", matrices={"W_Q": np.eye(3)}))
    assert editor.text() == "3."


def test_a_change_of_the_very_cell_shows_in_its_open_editor(bench):
    bench.enter("W_Q", 0, 2, "4")
    press(bench.at("W_Q", 0, 2), Key.Key_F2)
    bench.edits.undo()
    assert bench.editor("W_Q").text() == "2"


def test_what_is_being_typed_survives_a_change_of_its_own_cell(bench):
    bench.enter("W_Q", 0, 2, "4")
    editor = bench.type_into("W_Q", 0, 2, "3.")
    bench.edits.undo()
    assert editor.text() == "3."
    QTest.keyClicks(editor, "5")
    press(editor, Key.Key_Return)
    assert bench.document.matrix("W_Q")[0, 2] == 3.5
    bench.edits.undo()
    assert bench.document.matrix("W_Q")[0, 2] == 2


def test_a_change_of_the_cell_itself_clears_its_refusal(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    press(editor, Key.Key_Return)
    bench.document.apply(SetCells("Set", "W_Q", 0, 2, np.array([[8.0]])))
    assert editor.text() == "8"
    assert editor.property("invalid") is False


# ------------------------------------------------------------- delete and copy


@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace])
def test_delete_on_a_block_is_one_undo_step(bench, key):
    table = bench.at("W_Q", 0, 0)
    select(table, 0, 0, 2, 1)
    press(table, key)
    assert bench.document.matrix("W_Q").tolist() == [[0, 0, 2], [0, 0, 0], [0, 0, 2]]
    assert bench.edits.count() == 1
    bench.edits.undo()
    assert bench.document.matrix("W_Q")[2, 0] == 2


def test_delete_on_one_cell_names_it_and_on_zero_does_nothing(bench):
    press(bench.at("W_Q", 0, 2), Key.Key_Delete)
    assert bench.edits.undoText() == "Set W_Q[0, 2] to 0"
    press(bench.table("W_Q"), Key.Key_Delete)
    assert bench.edits.count() == 1


def test_shift_and_arrows_select_a_block(bench):
    table = bench.at("W_V", 0, 0)
    press(table, Key.Key_Right, SHIFT)
    press(table, Key.Key_Down, SHIFT)
    press(table, Key.Key_Delete)
    assert bench.document.matrix("W_V").tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert bench.edits.count() == 1


def test_control_c_copies_the_block_with_exact_numbers(bench):
    bench.enter("W_Q", 0, 0, "-0.1234567890123")
    table = bench.at("W_Q", 0, 0)
    select(table, 0, 0, 1, 2)
    press(table, Key.Key_C, CONTROL)
    text = QGuiApplication.clipboard().text()
    assert text == "-0.1234567890123\t0\t2\n2\t0\t0"
    assert bench.editor("W_Q") is None


# --------------------------------------------------------------------- tokens


def test_a_token_is_renamed_by_typing_with_undo(bench):
    bench.enter("tokens", 1, 0, "bank")
    assert bench.document.tokens == ("word 1", "bank", "word 3", "word 4")
    assert bench.current("tokens") == (2, 0)
    bench.edits.undo()
    assert bench.document.tokens[1] == "word 2"
    assert bench.table("tokens").model().index(1, 0).data() == "word 2"


def test_an_empty_token_is_refused_in_place(bench):
    press(bench.at("tokens", 1), Key.Key_F2)
    editor = bench.editor("tokens")
    editor.clear()
    press(editor, Key.Key_Return)
    assert bench.editor("tokens") is editor
    assert bench.reason.text() == "Type a token: it cannot be empty."
    assert unchanged(bench)


def test_delete_leaves_tokens_alone(bench):
    press(bench.at("tokens", 1), Key.Key_Delete)
    assert unchanged(bench)


def test_tokens_open_unchanged_whatever_they_look_like(open_bench):
    tokens = ["1,5", " word", "ß"]
    document = Document("T", tokens, {"X": np.eye(3)}, Spec(projected=False))
    bench = open_bench(document)
    for row, token in enumerate(tokens):
        press(bench.at("tokens", row), Key.Key_F2)
        assert bench.editor("tokens").text() == token
        press(bench.editor("tokens"), Key.Key_Return)
    assert unchanged(bench)


def test_a_deleted_editor_leaves_no_reason_behind(bench):
    editor = bench.type_into("W_Q", 0, 2, "abc")
    press(editor, Key.Key_Return)
    narrow = {"W_Q": np.ones((3, 2)), "W_K": np.ones((3, 2))}
    bench.document.apply(Replace("Narrow", matrices=narrow))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert bench.editor("W_Q") is None
    assert not bench.reason.isVisible()
