"""The dialog of the dimensions, opened and used as a person does."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QSpinBox,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, spec_edit, variant_spec
from attnviewer.document.variants.resizing import Effect
from attnviewer.document.variants.variants import biases_spec
from attnviewer.io import load
from attnviewer.ui.views.spec.dimensions_dialog import DimensionsDialog, effect_text
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.menus import action_of
from tests.mnemonics import mnemonics_of

LEFT = Qt.MouseButton.LeftButton
M = Qt.Key.Key_M
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class Dialog:
    def __init__(self, window):
        window.activateWindow()
        QTest.keyClick(window, M, KEYS)
        self.widget = window.findChildren(DimensionsDialog)[-1]

    def type(self, name, text):
        spin = self.spin(name)
        spin.setFocus()
        spin.selectAll()
        QTest.keyClicks(spin, text)

    def spin(self, name) -> QSpinBox:
        return self.widget.findChild(QSpinBox, f"dimensions.{name}")

    def effect(self, matrix) -> str:
        return self.widget.findChild(QLabel, f"dimensions.effect.{matrix}").text()

    def kind(self, matrix) -> str:
        label = self.widget.findChild(QLabel, f"dimensions.effect.{matrix}")
        return label.property("effect")

    @property
    def reason(self) -> str:
        return self.widget.findChild(QLabel, "dimensions.reason").text()

    @property
    def ok(self) -> QPushButton:
        buttons = self.widget.findChild(QDialogButtonBox)
        return buttons.button(QDialogButtonBox.StandardButton.Ok)


def check_the_ground_is_that_of_other_dialogs(window) -> None:
    dialog = Dialog(window).widget
    table = dialog.findChild(QWidget, "dimensions.effects").geometry()
    picture = dialog.grab().toImage()
    ground = QColor(window.appearance.theme.window)
    for place in (QPoint(2, 2), table.bottomRight() - QPoint(3, 3)):
        assert picture.pixelColor(place) == ground
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_widths_are_typed_drawn_from_the_seed_refused_and_one_step_with_tokens(
    open_window,
):
    window = open_window("example:four-words")
    check_refusals(window)
    check_widths(window)
    window.workbench.open(load("example:four-words"))
    check_reasons(window)
    check_the_ground_is_that_of_other_dialogs(window)


def test_what_the_variant_has_can_be_chosen_and_heads_of_keys_follow_the_others(
    open_window,
):
    window = open_window("example:four-words")
    check_heads(window)
    check_choices(window)
    check_buttons_stay_on_a_small_screen(window)


def check_widths(window):
    document, edits = window.document, window.workbench.edits
    before = {name: matrix.copy() for name, matrix in document.matrices.items()}
    dialog = Dialog(window)
    assert dialog.widget.focusWidget() is dialog.spin("n")
    assert mnemonics_of(dialog.widget).keys() == {
        *(f"dimensions.{name}" for name in ("n", "d_model", "d_k", "d_v")),
        *(f"dimensions.{name}" for name in ("n_heads", "n_kv_heads")),
        *("dimensions.padding", "dimensions.seed"),
    }
    dialog.type("d_k", "4")
    assert dialog.effect("W_Q") == "padded with 1 column of zeros"
    assert dialog.effect("X") == "unchanged"
    assert document.revision == 0
    QTest.keyClick(dialog.spin("d_k"), Qt.Key.Key_Return)
    assert edits.undoText() == "Set d_k to 4"
    assert document.matrix("W_K").tolist() == [
        *([2, 2, 2, 0], [0, 2, 1, 0], [0, 1, 1, 0]),
    ]
    assert window.findChild(QPushButton, "inputs.summary").text() == (
        "4 tokens · d_model 3 · d_k 4 · d_v 3"
    )
    edits.undo()
    for name, matrix in before.items():
        np.testing.assert_array_equal(document.matrix(name), matrix)
    drawn = []
    for seed in ("7", "7", "8"):
        dialog = Dialog(window)
        assert not dialog.spin("seed").isEnabled()
        padding = dialog.widget.findChild(QComboBox, "dimensions.padding")
        padding.setFocus()
        QTest.keyClick(padding, Qt.Key.Key_Down)
        dialog.type("seed", seed)
        dialog.type("d_k", "4")
        assert dialog.effect("W_Q") == "padded with 1 column of random numbers"
        QTest.keyClick(dialog.spin("d_k"), Qt.Key.Key_Return)
        drawn.append(window.document.matrix("W_Q")[:, 3].copy())
        window.workbench.edits.undo()
    np.testing.assert_array_equal(drawn[0], drawn[1])
    assert (drawn[0] != drawn[2]).all()
    assert drawn[0].all()
    document, edits = window.document, window.workbench.edits
    before = {name: matrix.copy() for name, matrix in document.matrices.items()}
    tokens = document.tokens
    dialog = Dialog(window)
    dialog.type("n", "2")
    # The rows removed from the end of X are 1, 1, 0 and 0, 0, 1.
    lost = np.count_nonzero(before["X"][2:])
    assert dialog.effect("X") == f"cut: 2 rows, {lost} of their numbers are not 0"
    assert dialog.kind("X") == "lost"
    assert dialog.kind("W_Q") == "unchanged"
    dialog.type("n", "6")
    assert dialog.effect("X") == "padded with 2 rows of zeros"
    dialog.type("d_k", "4")
    QTest.keyClick(dialog.spin("d_k"), Qt.Key.Key_Return)
    assert edits.undoText() == "Change dimensions"
    assert len(document.tokens) == 6
    assert document.tokens[:4] == tokens
    assert document.matrix("X")[4:].tolist() == [[0, 0, 0]] * 2
    assert document.matrix("W_Q").shape == (3, 4)
    edits.undo()
    assert document.tokens == tokens
    for name, matrix in before.items():
        np.testing.assert_array_equal(document.matrix(name), matrix)
    assert edits.count() == 1


def check_refusals(window):
    summary = window.findChild(QPushButton, "inputs.summary")
    QTest.mouseClick(summary, LEFT, pos=summary.rect().center())
    dialog = window.findChild(DimensionsDialog)
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert window.workbench.edits.count() == 0
    dialog = Dialog(window)
    QTest.keyClick(dialog.spin("d_k"), Qt.Key.Key_Return)
    assert not dialog.widget.isVisible()
    assert window.workbench.edits.count() == 0
    dialog = Dialog(window)
    dialog.type("d_model", "0")
    assert dialog.reason == "The 'd_model' must be from 1 to 16384. Got 0 instead."
    assert not dialog.ok.isEnabled()
    QTest.keyClick(dialog.spin("d_model"), Qt.Key.Key_Return)
    assert dialog.widget.isVisible()
    assert window.workbench.edits.count() == 0
    dialog.type("d_model", "2")
    assert dialog.reason == ""
    assert dialog.ok.isEnabled()
    dialog.widget.reject()
    dialog = Dialog(window)
    dialog.type("d_v", "2")
    # The third column of W_V is 0, 1, 0.
    assert dialog.effect("W_V") == "cut: 1 column, 1 of their numbers is not 0"
    assert dialog.kind("W_V") == "lost"
    assert dialog.kind("W_Q") == "unchanged"
    dialog.type("d_v", "5")
    assert dialog.kind("W_V") == "changed"
    dialog.widget.reject()


def check_choices(window):
    window.opener.open_example("journey")
    assert not window.document.spec.projected
    dialog = Dialog(window)
    spins = {s.objectName() for s in dialog.widget.findChildren(QSpinBox)}
    assert spins == {"dimensions.n", "dimensions.d_model", "dimensions.seed"}
    dialog.widget.reject()
    scores = {"S": np.eye(2), "V": np.ones((2, 3))}
    spec = Spec(projected=False, given=True, score="given")
    window.opener.open_document(Document("", ["a", "b"], scores, spec))
    window.workbench.engine.flush()
    dialog = Dialog(window)
    spins = {s.objectName() for s in dialog.widget.findChildren(QSpinBox)}
    assert spins == {"dimensions.n", "dimensions.d_v", "dimensions.seed"}
    dialog.type("n", "3")
    assert dialog.effect("S") == "padded with 1 row and 1 column of zeros"
    assert dialog.effect("V") == "padded with 1 row of zeros"
    dialog.widget.reject()


def check_heads(window):
    window.opener.open_example("two-heads")
    dialog = Dialog(window)
    for kind in (QSpinBox, QComboBox):
        assert all(c.accessibleName() for c in dialog.widget.findChildren(kind))
    effect: QWidget = dialog.widget.findChild(QLabel, "dimensions.effect.W_Q")
    assert effect.accessibleName() == "W_Q: 8×8, unchanged"
    dialog.widget.reject()
    dialog = Dialog(window)
    dialog.type("n_heads", "3")
    QTest.keyClick(dialog.spin("n_heads"), Qt.Key.Key_Return)
    assert window.workbench.edits.undoText() == "Set n_heads to 3"
    window.workbench.engine.flush()
    assert window.workbench.engine.current.trace.n_heads("weights") == 3
    window.workbench.edits.undo()
    dialog = Dialog(window)
    dialog.type("n_heads", "3")
    assert dialog.spin("n_kv_heads").value() == 3
    dialog.type("n_kv_heads", "1")
    dialog.type("n_heads", "4")
    assert dialog.spin("n_kv_heads").value() == 1
    QTest.mouseClick(dialog.ok, LEFT, pos=dialog.ok.rect().center())
    spec = window.document.spec
    assert (spec.n_heads, spec.n_kv_heads) == (4, 1)
    assert window.workbench.edits.undoText() == "Change dimensions"


def check_buttons_stay_on_a_small_screen(window):
    window.opener.open_example("two-heads")
    edits, document = window.workbench.edits, window.document
    edits.submit(spec_edit(document, variant_spec(document, "cross"), "Cross"))
    biased = biases_spec(document.spec, {"b_Q", "b_K", "b_V", "b_O"})
    edits.submit(spec_edit(document, biased, "Biases"))
    window.appearance.set_text_size(200)
    dialog = Dialog(window)
    assert dialog.widget.minimumSizeHint().height() < 720
    dialog.widget.resize(1366, 720)
    QApplication.processEvents()
    assert dialog.widget.rect().contains(dialog.ok.parentWidget().geometry())
    dialog.widget.reject()


@pytest.mark.parametrize(
    ("cut", "added", "lost", "random", "text"),
    [
        ((0, 0), (0, 0), 0, True, "unchanged"),
        ((0, 6), (0, 0), 4, False, "cut: 6 columns, 4 of their numbers are not 0"),
        ((2, 1), (0, 0), 0, False, "cut: 2 rows and 1 column, all zeros"),
        ((0, 0), (1, 2), 0, True, "padded with 1 row and 2 columns of random numbers"),
        (
            *((0, 2), (0, 2), 1, False),
            "cut: 2 columns, 1 of their numbers is not 0; "
            "padded with 2 columns of zeros",
        ),
    ],
)
def test_what_becomes_of_a_matrix_in_words(cut, added, lost, random, text):
    assert (
        effect_text(Effect("W_Q", (3, 9), (3, 3), cut, added, lost), random=random)
        == text
    )
    if random and any(added):
        mask = Effect("mask", (3, 9), (3, 3), cut, added, lost)
        assert effect_text(mask, random=True).endswith("that hide nothing")
        bias = Effect("b_Q", (1, 9), (1, 3), cut, added, lost)
        assert effect_text(bias, random=True).endswith("of zeros")


def check_reasons(window):
    document = window.document
    spec = replace(document.spec, context=True)
    window.workbench.edits.submit(spec_edit(document, spec, "Cross"))
    dialog = Dialog(window)
    dialog.type("n_k", "3")
    assert dialog.kind("context") == "lost"
    assert dialog.kind("X") == "unchanged"
    QTest.keyClick(dialog.spin("n_k"), Qt.Key.Key_Return)
    assert window.workbench.edits.undoText() == "Set n_k to 3"
    assert (len(document.tokens), len(document.context_tokens)) == (4, 3)
    heads = window.findChild(QSpinBox, "spec.heads")
    heads.setFocus()
    heads.selectAll()
    QTest.keyClicks(heads, "2")
    QTest.keyClick(heads, Qt.Key.Key_Return)
    _accept_offer(window, "must be divisible by n_heads = 2")
    rotary = action_of(window, "positions.3")
    assert rotary.text() == "Rotary (RoPE)"
    rotary.trigger()
    _accept_offer(window, "The 'd_k' must be even")
    # What no width would change has no button.
    bubble = window.findChild(ReasonBubble, "reason")
    bubble.say("Something else.", QRect(0, 0, 9, 9))
    assert bubble.isVisible()
    assert not window.findChild(QPushButton, "reason.offer").isVisible()


def _accept_offer(window, reason):
    bubble = window.findChild(QLabel, "reason")
    assert reason in bubble.text()
    button = window.findChild(QPushButton, "reason.offer")
    assert bubble.rect().contains(button.geometry())
    place = button.mapTo(window, button.rect().center())
    assert window.childAt(place) is button
    QTest.mouseClick(window.windowHandle(), LEFT, pos=place)
    assert not bubble.isVisible()
    dialog = window.findChildren(DimensionsDialog)[-1]
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
