"""A person checks attention code, reads what is wrong, mends it and checks again."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFileDialog,
    QFrame,
    QLabel,
    QPushButton,
    QWidget,
)

# A menu that pops up offscreen has nothing to be raised above.
pytestmark = pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing the keyboard)", extend=True
)

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key


def save(path, axis):
    """Write causal attention of two heads, with the softmax along some axis."""
    generator = np.random.default_rng(8)
    x = generator.normal(size=(5, 6))
    w = {f"W_{letter}": generator.normal(size=(6, 6)) / 2 for letter in "QKVO"}
    q, k, v = (
        (x @ w[f"W_{letter}"]).reshape(5, 2, 3).transpose(1, 0, 2) for letter in "QKV"
    )
    masked = np.where(np.tri(5), q @ k.transpose(0, 2, 1) / np.sqrt(3), -np.inf)
    shares = np.exp(masked)
    weights = shares / shares.sum(axis=axis, keepdims=True)
    out = (weights @ v).transpose(1, 0, 2).reshape(5, 6) @ w["W_O"]
    np.savez(path, X=x, **w, mine_weights=weights, mine_output=out)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where the file dialog says that the arrays are."""
    path = tmp_path / "my_attention.npz"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    return path


def check_by_the_menu(window, qtbot):
    """Open the file by File ▸ Check my implementation…, and wait for the dialog."""
    bar = window.menuBar()
    file = next(action for action in bar.actions() if action.text() == "&File")
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(file).center())
    QTest.keyClick(file.menu(), Key.Key_Y)
    qtbot.waitUntil(lambda: window.checker.dialog is not None)
    return window.checker.dialog


def texts(window):
    panel = window.findChild(QWidget, "doctor")
    return [label.text() for label in panel.findChildren(QLabel)]


def test_a_mistake_is_named_shown_and_gone_once_it_is_mended(window, qtbot, path):
    save(path, axis=-2)
    dialog = check_by_the_menu(window, qtbot)
    causal = dialog.findChild(QCheckBox, "check.causal")
    causal.setFocus()
    QTest.keyClick(causal, Key.Key_Space)
    QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.title == "my_attention")
    QApplication.processEvents()

    assert window.findChild(QWidget, "doctor").isVisible()
    assert "softmax-over-queries" in texts(window)
    assert "your array differs" in (
        window.flow.findChild(QWidget, "flow.weights").accessibleName()
    )

    window.workbench.open_step("X", (0, 0))
    window.step_view.set_view("table")
    go = window.findChild(QPushButton, "doctor.go")
    QTest.mouseClick(go, LEFT)
    selection = window.workbench.selection
    assert selection.step == "weights"
    assert window.step_view.view == "difference"
    window.step_view.difference.finish()
    page = window.step_view.difference
    (largest, *_) = page.finder.changes("weights").largest
    assert (largest.row, largest.column) == selection.cell
    assert "cells differ" in page.summary.text()

    save(path, axis=-1)
    wrong = window.document
    dialog = check_by_the_menu(window, qtbot)
    assert dialog.findChild(QCheckBox, "check.causal").isChecked()
    QTest.keyClick(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: window.document is not wrong)
    QApplication.processEvents()
    verdict = window.findChild(QFrame, "doctor.verdict")
    assert "Agrees to within float64 rounding" in verdict.accessibleName()
    assert "agrees with your array" in (
        window.flow.findChild(QWidget, "flow.weights").accessibleName()
    )
    assert window.findChild(QPushButton, "doctor.go") is None
