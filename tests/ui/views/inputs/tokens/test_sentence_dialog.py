"""A sentence is typed or pasted and becomes the tokens, with real keys."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
)

from attnviewer.compute import Spec, size
from attnviewer.document import Document
from attnviewer.ui.views.inputs import TokenCommands
from attnviewer.ui.views.inputs.tokens.sentence_dialog import MOST_SHOWN, SentenceDialog
from tests.mnemonics import mnemonics_of

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def ask(open_bench, qtbot):
    """Open the dialog on a document as a person does."""

    def open_(document, table="tokens"):
        bench = open_bench(document)
        commands = TokenCommands(bench.panel, bench.edits, bench.reason, bench.window)
        bench.window.addActions([row for row in commands.rows if row is not None])
        QApplication.processEvents()
        QTest.keyClick(bench.at(table, 0), Key.Key_T, CONTROL)
        dialog = bench.window.findChild(SentenceDialog)
        qtbot.waitUntil(dialog.isActiveWindow)
        return bench, dialog

    return open_


def words(*tokens, d_model=2, **more):
    x = np.arange(1.0, len(tokens) * d_model + 1).reshape(-1, d_model)
    return Document("Words", tokens, {"X": x, **more}, Spec(projected=False))


def write(dialog, text):
    line = dialog.findChild(QPlainTextEdit, "sentence.text")
    line.setFocus()
    QTest.keyClick(line, Key.Key_A, CONTROL)
    QTest.keyClicks(line, text)


def choose(dialog, name, number):
    box = dialog.findChild(QComboBox, f"sentence.{name}")
    box.setFocus()
    QTest.keyClick(box, Key.Key_Home)
    for _ in range(number):
        QTest.keyClick(box, Key.Key_Down)


def untick(dialog, name):
    box = dialog.findChild(QCheckBox, f"sentence.{name}")
    box.setFocus()
    QTest.keyClick(box, Key.Key_Space)


def chips(dialog):
    model = dialog.findChild(QListView, "sentence.tokens").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def text(dialog, name):
    label = dialog.findChild(QLabel, f"sentence.{name}")
    return label.text() if label.isVisible() else None


def accept(dialog):
    button = dialog.findChild(QPushButton, "sentence.accept")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_typed_sentence_becomes_tokens_as_one_step_of_undo(ask):
    document = words("cat", "dog")
    bench, dialog = ask(document)
    write(dialog, "The cat, the mat")
    assert chips(dialog) == ["The", "cat", ",", "the", "mat"]
    assert text(dialog, "count") == "5 tokens, 5 distinct"
    seed = dialog.findChild(QSpinBox, "sentence.seed")
    seed.setFocus()
    seed.selectAll()
    QTest.keyClicks(seed, "42")
    accept(dialog)
    assert document.tokens == ("The", "cat", ",", "the", "mat")
    # np.random.seed(42); np.random.rand(5, 2); the cat keeps its row.
    expected = np.random.RandomState(42).rand(5, 2)
    expected[1] = [1.0, 2.0]
    np.testing.assert_array_equal(document.matrix("X"), expected)
    assert bench.edits.undoText() == "Sentence: The cat ,…"
    assert document.recipes == ()
    block = bench.table("tokens").selected_block()
    assert (block.row, block.height) == (0, 5)
    bench.edits.undo()
    assert document.tokens == ("cat", "dog")
    assert bench.edits.isClean()


def test_rows_that_were_all_drawn_are_remembered_with_their_seed(ask):
    document = words("cat", "dog")
    _, dialog = ask(document)
    write(dialog, "one two three")
    accept(dialog)
    (recipe,) = document.recipes
    ((_, drawn),) = recipe.draw()
    np.testing.assert_array_equal(drawn, document.matrix("X"))
    np.testing.assert_array_equal(drawn, np.random.RandomState(0).rand(3, 2))


def test_the_present_tokens_are_offered_and_nothing_changed_is_no_edit(ask):
    bench, dialog = ask(words("The", "cat", "."))
    line = dialog.findChild(QPlainTextEdit, "sentence.text")
    assert line.toPlainText() == "The cat ."
    accept(dialog)
    assert bench.edits.count() == 0


def test_tokens_that_a_sentence_cannot_hold_are_not_offered(ask):
    _, dialog = ask(words("word 1", "word 2"))
    assert dialog.findChild(QPlainTextEdit, "sentence.text").toPlainText() == ""
    assert text(dialog, "count") == "No tokens yet"
    assert not dialog.findChild(QPushButton, "sentence.accept").isEnabled()


def test_several_lines_can_be_pasted(ask, qtbot):
    document = words("a")
    _, dialog = ask(document)
    QGuiApplication.clipboard().setText("one two\r\nthree\n\n\tfour")
    line = dialog.findChild(QPlainTextEdit, "sentence.text")
    line.setFocus()
    QTest.keyClick(line, Key.Key_A, CONTROL)
    QTest.keyClick(line, Key.Key_V, CONTROL)
    assert chips(dialog) == ["one", "two", "three", "four"]
    QTest.keyClick(line, Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: document.tokens == ("one", "two", "three", "four"))


def test_too_few_columns_for_one_hot_rows_are_told_in_place(ask):
    document = words("a", d_model=3)
    _, dialog = ask(document)
    write(dialog, "a b c d")
    choose(dialog, "method", 1)
    assert text(dialog, "reason") == (
        "One-hot rows need a column for each distinct token: d_model must be at least "
        "4. Got 3 instead."
    )
    assert not dialog.findChild(QPushButton, "sentence.accept").isEnabled()
    write(dialog, "a b b c")
    assert text(dialog, "reason") is None
    untick(dialog, "keep")
    accept(dialog)
    assert document.matrix("X").tolist() == [
        [1, 0, 0],
        [0, 1, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]


def test_only_what_matters_for_the_rows_can_be_chosen(ask):
    _, dialog = ask(words("a"))
    seed = dialog.findChild(QSpinBox, "sentence.seed")
    alike = dialog.findChild(QCheckBox, "sentence.alike")
    able = []
    for number in range(3):
        choose(dialog, "method", number)
        able.append((seed.isEnabled(), alike.isEnabled()))
    assert able == [(True, True), (False, False), (True, False)]
    assert not dialog.findChild(QComboBox, "sentence.sequence").isVisible()


def test_equal_words_get_equal_rows_where_wanted(ask):
    document = words("a")
    _, dialog = ask(document)
    write(dialog, "x y x")
    untick(dialog, "alike")
    accept(dialog)
    x = document.matrix("X")
    assert x[0].tolist() == x[2].tolist()
    assert x[0].tolist() != x[1].tolist()


def test_the_second_sequence_gets_its_own_sentence(ask):
    document = Document(
        "Cross",
        ["q"],
        {"X": [[1.0, 2.0]], "context": [[3.0, 4.0]]},
        Spec(projected=False, context=True),
        context_tokens=["k"],
    )
    _, dialog = ask(document, "context_tokens")
    box = dialog.findChild(QComboBox, "sentence.sequence")
    assert box.isVisible()
    assert box.currentText() == "Second sequence"
    write(dialog, "k l")
    accept(dialog)
    assert document.context_tokens == ("k", "l")
    assert document.tokens == ("q",)
    assert document.matrix("context")[0].tolist() == [3.0, 4.0]


def test_a_sentence_that_is_refused_stays_with_its_reason(ask, monkeypatch):
    monkeypatch.setattr(size, "MOST_TOKENS", 8192)
    bench, dialog = ask(words("a"))
    line = dialog.findChild(QPlainTextEdit, "sentence.text")
    line.setPlainText("a " * 8193)
    assert len(chips(dialog)) == MOST_SHOWN + 1
    accept(dialog)
    assert dialog.isVisible()
    assert text(dialog, "reason") == (
        "The number of tokens must be at most 8,192. Got 8,193 instead."
    )
    assert bench.edits.count() == 0
    # In lines, as Qt takes seconds to lay out a single one of this length.
    line.setPlainText(("a" * 99 + "\n") * 2000 + "a")
    for method in (0, 1, 2):
        choose(dialog, "method", method)
        assert text(dialog, "reason") == (
            "The text must have at most 200,000 characters. Got 200,001 instead."
        )
    assert chips(dialog) == []
    assert not dialog.findChild(QPushButton, "sentence.accept").isEnabled()


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("  \n\t ", "No tokens yet"),
        ("שלום", "1 token"),
        ("你好，世界。", "4 tokens, 4 distinct"),
        ("👍🏽 👍🏽 🇩🇪", "3 tokens, 2 distinct"),
    ],
)
def test_tokens_are_counted_while_they_are_typed(ask, sentence, count):
    _, dialog = ask(words("a"))
    dialog.findChild(QPlainTextEdit, "sentence.text").setPlainText(sentence)
    assert text(dialog, "count") == count
    accept = dialog.findChild(QPushButton, "sentence.accept")
    assert accept.isEnabled() == (count != "No tokens yet")


def test_escape_leaves_everything_as_it_was(ask, qtbot):
    bench, dialog = ask(words("a"))
    write(dialog, "b c")
    QTest.keyClick(dialog, Key.Key_Escape)
    qtbot.waitUntil(lambda: bench.window.findChild(SentenceDialog) is None)
    assert bench.document.tokens == ("a",)
    assert bench.edits.count() == 0
    # Without a window manager nothing activates the window again.
    assert bench.window.focusWidget() is bench.table("tokens")


def test_every_control_has_a_name_and_tab_visits_them_in_order(ask):
    _, dialog = ask(words("a"))
    visited = []
    dialog.findChild(QPlainTextEdit, "sentence.text").setFocus()
    for _ in range(8):
        widget = QApplication.focusWidget()
        assert widget.accessibleName() or widget.text()
        visited.append(widget.objectName())
        QTest.keyClick(widget, Key.Key_Tab)
    assert visited[:6] == [
        f"sentence.{name}"
        for name in ("text", "tokens", "method", "seed", "alike", "keep")
    ]
    assert "sentence.accept" in visited
    assert mnemonics_of(dialog).keys() == {
        f"sentence.{name}" for name in ("method", "seed", "alike", "keep", "accept")
    }
