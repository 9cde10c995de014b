"""A person opens a model, looks for a head, edits it, and sees what that does."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionSpinBox,
    QToolBar,
    QToolButton,
)

from attnviewer import models
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.models.checkpoints import write_gpt2, write_llama

# A menu that pops up offscreen has nothing to be raised above.
pytestmark = pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing the keyboard)", extend=True
)

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(params=[write_gpt2, write_llama], ids=["gpt2", "llama"])
def folder(request, tmp_path):
    return request.param(tmp_path / "little")


def choose_from_file_menu(window, letter):
    bar = window.menuBar()
    file = next(a for a in bar.actions() if a.text() == "&File")
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(file).center())
    QTest.keyClick(file.menu(), letter)
    # Offscreen, the menu stays the active window.
    window.activateWindow()
    QApplication.processEvents()


def box(window, name):
    return window.findChild(QToolBar, "model.bar").findChild(object, f"model.{name}")


def press(window, name):
    QTest.mouseClick(window.findChild(QToolButton, f"button.model.{name}"), LEFT)


def click_up(spin):
    option = QStyleOptionSpinBox()
    spin.initStyleOption(option)
    arrow = spin.style().subControlRect(
        QStyle.ComplexControl.CC_SpinBox,
        option,
        QStyle.SubControl.SC_SpinBoxUp,
        spin,
    )
    QTest.mouseClick(spin, LEFT, pos=arrow.center())


def enter(window, text):
    field = box(window, "sentence")
    QTest.mouseClick(field, LEFT, pos=QPoint(field.width() // 2, field.height() // 2))
    QTest.keyClick(field, Key.Key_A, CONTROL)
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Key.Key_Return)


def type_into_cell(window, matrix, text):
    """Go to the first cell of a matrix and type over it."""
    table = window.inputs.table(matrix)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, text[0])
    editor = table.findChild(QLineEdit)
    QTest.keyClicks(editor, text[1:])
    QTest.keyClick(editor, Key.Key_Return)


def whose(window):
    """Return whose numbers the Explain dock and the status bar tell."""
    QApplication.processEvents()
    labels = "explain.cell", "status.cell"
    told = (window.findChild(QLabel, name).text() for name in labels)
    return [text.partition("[")[0].partition(" →")[0] for text in told]


def test_from_a_folder_to_what_an_edited_head_does(
    window, folder, qtbot, monkeypatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    model = window.workbench.model

    def shown(title):
        qtbot.waitUntil(lambda: window.document.title == f"little · {title}")
        qtbot.waitUntil(lambda: model.heads is not None)
        QApplication.processEvents()

    choose_from_file_menu(window, Key.Key_M)
    shown("L0")
    assert box(window, "count").text() == "16 tokens"

    # Another sentence: first one that the model cannot run over.
    enter(window, "5 6 99")
    bubble = window.findChild(ReasonBubble)
    qtbot.waitUntil(bubble.isVisible)
    assert "Got 99 " in bubble.text()
    QTest.keyClick(box(window, "sentence"), Key.Key_Backspace)
    QTest.keyClick(box(window, "sentence"), Key.Key_Backspace)
    QTest.keyClicks(box(window, "sentence"), "7")
    QTest.keyClick(box(window, "sentence"), Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.tokens == ("#5", "#6", "#7"))
    assert not bubble.isVisible()
    own = models.load(folder).run([5, 6, 7])
    np.testing.assert_allclose(
        window.workbench.engine.current.trace["output"],
        own.attention(0)["output"],
        rtol=1e-4,
        atol=1e-6,
    )

    # The next layer by the mouse, its third head by the keys.
    click_up(box(window, "layer"))
    shown("L1")
    head = box(window, "head")
    head.setFocus()
    QTest.keyClick(head, Key.Key_Up)
    QTest.keyClick(head, Key.Key_Up)
    assert window.workbench.selection.head == 2
    assert whose(window) == ["L1 · weights H2", "L1 · weights H2"]

    # It becomes a document, is edited, and put back.
    press(window, "edit_head")
    shown("L1 H2")
    assert whose(window) == ["L1 H2 · weights", "L1 H2 · weights"]
    type_into_cell(window, "W_Q", "3")
    assert window.workbench.edits.undoText() == "Set W_Q[0, 0] to 3"
    press(window, "put_back")
    qtbot.waitUntil(lambda: model.experiment.patches != ())
    weights = own.weights(1)["W_Q"].copy()
    weights[0, 16] = 3
    expected = own.with_weights(1, {"W_Q": weights})
    np.testing.assert_array_equal(model.experiment.run.logits, expected.logits)
    assert not np.array_equal(expected.logits, own.logits)

    # Undone in the document, it is put back as it was.
    QTest.keyClick(window, Key.Key_Z, CONTROL)
    assert not window.workbench.modified
    press(window, "put_back")
    qtbot.waitUntil(lambda: model.experiment.run.changes == {})
    press(window, "take_out")
    qtbot.waitUntil(lambda: model.experiment.patches == ())

    # What was put back brought the panel of the model forward.
    QApplication.processEvents()
    assert not window.docks.dock("model").visibleRegion().isEmpty()
    window.docks.open_panel("lines")

    # Something else, and back to the head and its layer.
    window.opener.open_example("two-heads")
    assert whose(window) == ["weights H1", "weights H1"]
    choose_from_file_menu(window, Key.Key_B)
    shown("L1 H2")
    press(window, "edit_head")
    shown("L1")
    assert window.workbench.selection.head == 2
    assert window.opener.set_aside == []
