"""A person draws the notebooks' weights, by keys alone."""

import json
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QCheckBox, QLineEdit

from attnviewer.ui.views.inputs.fills.dialog import FillDialog

NOTEBOOKS = Path(__file__).parents[1] / "data" / "notebooks"
WEIGHTS = ["W_Q", "W_K", "W_V"]
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def notebook(name):
    return json.loads((NOTEBOOKS / f"{name}.json").read_text("utf-8"))


def draw(qtbot, window, matrix=None, *, high="3", seed=None):
    """Draw a matrix, or all, with the dialog: with a seed, or on from the last draw."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    window.activateWindow()
    QApplication.processEvents()
    table = window.inputs.table(matrix or "W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    key = Qt.Key.Key_R if matrix is None else Qt.Key.Key_F
    qtbot.keyClick(table, key, CONTROL_SHIFT)
    dialog = window.findChild(FillDialog)
    goes_on = dialog.findChild(QCheckBox, "fill.continue")
    if goes_on.isChecked() != (seed is None):
        qtbot.keyClick(goes_on, Qt.Key.Key_Space)
    if seed is not None:
        type_over(qtbot, dialog.findChild(QLineEdit, "fill.seed"), seed)
    type_over(qtbot, dialog.findChild(QLineEdit, "fill.integers.high"), high)
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    window.activateWindow()
    QApplication.processEvents()


def type_over(qtbot, line, text):
    line.selectAll()
    qtbot.keyClicks(line, text)
    assert line.text() == text


def weights(window):
    return {name: window.document.matrix(name).tolist() for name in WEIGHTS}


def the_weights_of_notebook_000_are_drawn_and_give_its_attention(qtbot, window):
    printed = notebook("000")
    draw(qtbot, window, seed="7")
    assert weights(window)["W_Q"] != printed["arrays"]["W_Q"]["value"]
    draw(qtbot, window, seed="42")
    want = {name: printed["arrays"][name]["value"] for name in WEIGHTS}
    assert weights(window) == want
    got = window.document.compute()["weights"]
    full = np.array(printed["full_precision"]["weights"])
    np.testing.assert_allclose(got, full, rtol=4e-15, atol=0)


def going_on_draws_what_notebook_001_prints_and_then_what_it_computes_with(
    qtbot, window
):
    case = notebook("001")
    # Its cells were run more than once before they were printed.
    draw(qtbot, window, "W_Q", high="9", seed="42")
    for high in ("3", "9", "3"):
        draw(qtbot, window, "W_Q", high=high)
    draw(qtbot, window, "W_Q", high="9")
    draw(qtbot, window, "W_K")
    draw(qtbot, window, "W_V")
    stale = {n: case["arrays"][f"{n}_printed"]["value"] for n in WEIGHTS}
    assert weights(window) == stale
    draw(qtbot, window)
    assert weights(window) == {n: case["solution"][n] for n in WEIGHTS}
    recipe = window.document.recipes[-1]
    assert [d.matrix for d in recipe.draws] == [None] * 7 + WEIGHTS

    undo = Qt.KeyboardModifier.ControlModifier
    qtbot.keyClick(window, Qt.Key.Key_Z, undo)
    assert weights(window) == stale
    assert len(window.document.recipes[-1].draws) == 7
    for _ in range(7):
        qtbot.keyClick(window, Qt.Key.Key_Z, undo)
    assert not window.isWindowModified()
    assert len(window.document.recipes[-1].draws) == 3


def test_what_both_notebooks_print_is_drawn_and_gives_their_attention(qtbot, window):
    the_weights_of_notebook_000_are_drawn_and_give_its_attention(qtbot, window)
    window.opener.open_example("four-words")
    going_on_draws_what_notebook_001_prints_and_then_what_it_computes_with(
        qtbot, window
    )
