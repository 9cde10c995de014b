"""A person pins a weight by typing, reads what that does, keeps it and lets it go."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QListWidget

from attnviewer import Pin
from tests.ui.turns import follow_picture

Key = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Where the file dialog says that the session is saved."""
    path = tmp_path / "pinned.attn"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    return path


def click_cell(window, cell) -> None:
    heatmap = window.step_view.heatmap
    place = heatmap.cell_rect(cell).center().toPoint()
    QTest.mouseClick(heatmap.viewport(), LEFT, pos=place)
    # Else the next click would be the second of a double click.
    QTest.qWait(QApplication.doubleClickInterval() // 4)
    QApplication.processEvents()


def weights(window):
    window.workbench.engine.catch_up()
    follow_picture()
    return window.workbench.engine.current.trace["weights"]


def explained(window) -> str:
    return window.findChild(QLabel, "explain.formula").accessibleDescription()


def test_a_weight_is_pinned_by_typing_and_kept_in_the_session(window, path, qtbot):
    computed = weights(window)[1, 0]
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    click_cell(window, (1, 0))
    for letter in "0.9":
        QTest.keyClicks(QApplication.focusWidget(), letter)
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Return)
    question = window.findChild(QDialog, "pin.question")
    QTest.keyClick(question.focusWidget(), Key.Key_Return)
    assert weights(window)[1, 0] == 0.9
    assert window.workbench.selection.cell == (1, 0)
    note = f"Pinned to 0.900 (computed {computed:.3f})."
    assert note in explained(window)
    output = window.workbench.engine.current.trace["output"].copy()

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.step_view.heatmap.setFocus()
    QTest.keyClick(window.step_view.heatmap, Key.Key_Z, CONTROL)
    assert weights(window)[1, 0] == computed
    assert note not in explained(window)
    QTest.keyClick(window.step_view.heatmap, Key.Key_Y, CONTROL)
    assert weights(window)[1, 0] == 0.9

    QTest.keyClick(window.step_view.heatmap, Key.Key_S, CONTROL)
    qtbot.waitUntil(path.exists)
    window.opener.open_example("two-heads")
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document.pins == (Pin("weights", 1, 0, 0.9),))
    assert weights(window)[1, 0] == 0.9
    assert (window.workbench.engine.current.trace["output"] == output).all()
    window.docks.open_panel("pins")
    listed = window.findChild(QListWidget, "pins.list")
    assert listed.item(0).text() == "weights[word 2, word 1] = 0.9"

    window.workbench.open_step("weights")
    window.step_view.set_view("heatmap")
    QApplication.processEvents()
    click_cell(window, (1, 0))
    QTest.keyClick(window.step_view.heatmap, Key.Key_Delete)
    assert window.document.pins == ()
    assert weights(window)[1, 0] == computed
    assert listed.count() == 0
