"""A person edits a whole document without ever touching the mouse."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def press(key, modifiers=NONE, times=1):
    """Press a key wherever the keys are now: a menu, a dialog or the window."""
    for _ in range(times):
        QTest.keyClick(target(), key, modifiers)
        QApplication.processEvents()


def type_(text):
    for sign in text:
        QTest.keyClicks(target(), sign)
    QApplication.processEvents()


def target():
    return QApplication.activePopupWidget() or QApplication.focusWidget()


def tab_to(name, back=False):
    key, modifiers = (Key.Key_Backtab, SHIFT) if back else (Key.Key_Tab, NONE)
    for _ in range(80):
        here = QApplication.focusWidget()
        if here.objectName() == name:
            return
        # Tab goes along the cells of a table; with Ctrl it leaves.
        leaves = CONTROL if isinstance(here, QTableView) else NONE
        press(key, modifiers | leaves)
    raise AssertionError(f"Tab does not come to {name}")


def state(document):
    matrices = {n: a.tobytes() for n, a in document.matrices.items()}
    return matrices, document.tokens, document.context_tokens, document.spec


def test_everything_can_be_edited_with_the_keys_alone(qtbot, window):
    document = window.document
    opened = state(document)
    edits = 0

    def table(name):
        return window.inputs.table(name)

    def done(count=1):
        nonlocal edits
        edits += count
        assert window.workbench.edits.count() == edits

    # A number, as arithmetic, and the cell below it.
    tab_to("table.W_Q")
    press(Key.Key_Home, CONTROL)
    type_("-sqrt(4)/2")
    press(Key.Key_Return)
    type_("7")
    press(Key.Key_Return)
    assert document.matrix("W_Q")[:2, 0].tolist() == [-1.0, 7.0]
    done(2)

    # A whole matrix copied into another one.
    press(Key.Key_A, CONTROL)
    press(Key.Key_C, CONTROL)
    tab_to("table.W_K")
    press(Key.Key_Home, CONTROL)
    press(Key.Key_V, CONTROL)
    assert document.matrix("W_K").tolist() == document.matrix("W_Q").tolist()
    done()

    # Rows beyond the last token: the offer is taken by its letter.
    QGuiApplication.clipboard().setText("1\t2\t3\n4\t5\t6")
    tab_to("table.X", back=True)
    press(Key.Key_End, CONTROL)
    press(Key.Key_Home)
    press(Key.Key_V, CONTROL)
    assert len(document.tokens) == 4
    press(Key.Key_D, ALT)
    # Qt shows a button as pressed for a moment before it acts.
    qtbot.waitUntil(lambda: len(document.tokens) == 5)
    assert document.matrix("X")[3:].tolist() == [[1, 2, 3], [4, 5, 6]]
    done()

    # Tokens: a copy, moved up, and another one gone.
    tab_to("table.tokens", back=True)
    press(Key.Key_Home, CONTROL)
    press(Key.Key_J, CONTROL)
    press(Key.Key_Down, ALT)
    press(Key.Key_Delete, CONTROL)
    assert document.tokens == ("word 1", "word 2", "word 3", "word 4", "word 5")
    done(3)

    # A sentence instead of them.
    press(Key.Key_T, CONTROL)
    press(Key.Key_A, CONTROL)
    type_("Who saw whom?")
    press(Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: document.tokens == ("Who", "saw", "whom", "?"))
    # A window manager gives the keys back to the window; there is none here.
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is table("tokens"))
    done()

    # The identity, from the menu by its letters.
    tab_to("table.W_V")
    press(Key.Key_A, CONTROL)
    press(Key.Key_E, ALT)
    press(Key.Key_F)
    press(Key.Key_I)
    assert document.matrix("W_V").tolist() == np.eye(3).tolist()
    done()

    # A mask and a variant, from the bar.
    tab_to("spec.mask", back=True)
    press(Key.Key_C)
    tab_to("spec.variant", back=True)
    press(Key.Key_M)
    assert document.spec.causal
    assert document.spec.variant == "multi_head"
    done(2)

    # All the way back.
    press(Key.Key_Z, CONTROL, edits)
    assert state(document) == opened
    assert not window.isWindowModified()
