"""A person rearranges the tokens of an example, writes a sentence, and goes back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QTableView

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


def weights(window):
    window.workbench.engine.flush()
    return window.workbench.engine.current.trace["weights"]


def weights_by_hand(x, w_q, w_k):
    scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(w_k.shape[1])
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_tokens_are_moved_copied_and_written_anew_and_all_of_it_is_undone(
    qtbot, window
):
    document = window.document
    first = {n: a.tobytes() for n, a in document.matrices.items()}, document.tokens
    before = weights(window).copy()
    table = window.findChild(QTableView, "table.tokens")
    place = table.visualRect(table.model().index(0, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)

    QTest.keyClick(table, Key.Key_Down, ALT)
    order = [1, 0, 2, 3]
    np.testing.assert_allclose(weights(window), before[np.ix_(order, order)])

    QTest.keyClick(table, Key.Key_J, CONTROL)
    assert document.tokens == (
        *("word 2", "word 1", "word 1 (2)"),
        *("word 3", "word 4"),
    )
    twice = weights(window)
    np.testing.assert_allclose(twice[:, 1], twice[:, 2])

    QTest.keyClick(table, Key.Key_T, CONTROL)
    dialog = window.findChild(QPlainTextEdit, "sentence.text").window()
    QTest.keyClicks(dialog.findChild(QPlainTextEdit), "Not now.")
    accept = dialog.findChild(QPushButton, "sentence.accept")
    qtbot.mouseClick(accept, Qt.MouseButton.LeftButton)
    assert document.tokens == ("Not", "now", ".")
    x = np.random.RandomState(0).rand(3, 3)
    by_hand = weights_by_hand(x, document.matrix("W_Q"), document.matrix("W_K"))
    np.testing.assert_allclose(weights(window), by_hand)
    assert window.isWindowModified()

    for _ in range(3):
        QTest.keyClick(window, Key.Key_Z, CONTROL)
    now = {n: a.tobytes() for n, a in document.matrices.items()}, document.tokens
    assert now == first
    np.testing.assert_array_equal(weights(window), before)
    assert not window.isWindowModified()
