"""Creating a new document by keyboard only."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox

from attnviewer.document import VARIANT_TITLES
from attnviewer.ui.files.new_dialog import NewDialog
from tests.mnemonics import mnemonics_of

CONTROL = Qt.KeyboardModifier.ControlModifier


def open_dialog(window) -> NewDialog:
    window.activateWindow()
    QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_N, CONTROL)
    dialogs = [d for d in window.findChildren(NewDialog) if d.isVisible()]
    assert len(dialogs) == 1
    return dialogs[0]


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def test_a_new_document_is_made_by_keys_and_the_choices_are_remembered(window):
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "7")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    changed = window.document

    dialog = open_dialog(window)
    shapes = dialog.findChild(QLabel, "new.shapes")
    reason = dialog.findChild(QLabel, "new.reason")
    create = dialog.findChild(QPushButton, "new.create")
    tokens = dialog.findChild(QSpinBox, "new.n_tokens")
    assert dialog.focusWidget() is tokens
    assert shapes.text() == "X 4×4 · W_Q 4×4 · W_K 4×4 · W_V 4×4"
    QTest.keyClicks(tokens, "0")
    assert "The 'n_tokens' must be from 1" in reason.text()
    assert tokens.property("invalid")
    assert not create.isEnabled()
    QTest.keyClicks(tokens, "5")
    assert {f"new.{name}" for name in ("title", "variant", "d_k", "d_v")} <= (
        mnemonics_of(dialog).keys()
    )
    type_into(dialog.findChild(QSpinBox, "new.d_k"), "2")
    type_into(dialog.findChild(QSpinBox, "new.d_model"), "3")
    assert shapes.text() == "X 5×3 · W_Q 3×2 · W_K 3×2 · W_V 3×4"
    assert reason.text() == ""
    type_into(dialog.findChild(QLineEdit, "new.title"), "Lesson 3")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    document = window.document
    assert document.title == "Lesson 3"
    assert "Lesson 3" in window.windowTitle()
    assert not window.isWindowModified()
    assert document.matrix("X").shape == (5, 3)
    assert not document.matrix("W_Q").any()
    assert window.opener.set_aside == [changed], "the former one is kept"

    again = open_dialog(window)
    assert again.findChild(QSpinBox, "new.d_k").value() == 2
    assert again.findChild(QLineEdit, "new.title").text() == ""
    QTest.keyClick(again, Qt.Key.Key_Escape)
    assert window.document is document


def test_a_drawn_document_has_numpys_numbers_and_every_variant_can_be_made(window):
    dialog = open_dialog(window)
    variant = dialog.findChild(QComboBox, "new.variant")
    variant.setFocus()
    QTest.keyClick(variant, Qt.Key.Key_Home)  # simplified: X alone
    line = dialog.findChild(QLineEdit, "new.n_tokens.names")
    type_into(line, "the cat sat")
    assert not dialog.findChild(QSpinBox, "new.n_tokens").isEnabled()
    assert dialog.findChild(QSpinBox, "new.n_tokens").value() == 3
    assert not dialog.findChild(QSpinBox, "new.d_k").isVisible()
    numbers = dialog.findChild(QComboBox, "new.what")
    numbers.setFocus()
    QTest.keyClick(numbers, Qt.Key.Key_Down)
    seed = dialog.findChild(QLineEdit, "new.seed")
    assert seed.isVisible()
    numbers_of_choice = {"new.integers.low", "new.integers.high", "new.seed"}
    assert numbers_of_choice <= mnemonics_of(dialog).keys()
    type_into(seed, "minus one")
    assert "is not" in dialog.findChild(QLabel, "new.reason").text()
    assert seed.property("invalid")
    type_into(seed, "7")
    QTest.keyClick(seed, Qt.Key.Key_Return)
    document = window.document
    assert document.title == "the cat sat"
    assert document.tokens == ("the", "cat", "sat")
    expected = np.random.RandomState(7).randint(0, 3, (3, 4))
    assert document.matrix("X").tolist() == expected.tolist()
    assert [recipe.seed for recipe in document.recipes] == [7]

    # Names with blanks stand between semicolons.
    dialog = open_dialog(window)
    type_into(dialog.findChild(QLineEdit, "new.n_tokens.names"), "word 1; word 2;")
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert window.document.tokens == ("word 1", "word 2")

    count = open_dialog(window).findChild(QComboBox, "new.variant").count()
    made = []
    for place in range(count):
        dialog = open_dialog(window) if made else window.findChild(NewDialog)
        variant = dialog.findChild(QComboBox, "new.variant")
        variant.setFocus()
        QTest.keyClick(variant, Qt.Key.Key_Home)
        for _ in range(place):
            QTest.keyClick(variant, Qt.Key.Key_Down)
        QTest.keyClick(dialog, Qt.Key.Key_Return)
        made.append(window.document.spec.variant)
    assert made == list(VARIANT_TITLES)
