"""The dialog in which somebody says what an implementation is meant to compute."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QTreeWidget,
)

from attnviewer.doctor import diagnosing
from tests.ui.gates import gated

from .implementations import inputs, saved, steps

Key = Qt.Key


def listed(dialog):
    """Return array, shape, step and axes of the rows below the two titles."""
    tree = dialog.find(QTreeWidget, "recognised")
    groups = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    return [
        [group.child(row).text(column) for column in range(4)]
        for group in groups
        for row in range(group.childCount())
    ]


def test_what_each_array_is_read_as_is_listed(checked, qtbot):
    mine = steps(inputs())
    given = {
        "mine_attn_probs": mine["mine_weights"][None],
        "mine_y": mine["mine_output"],
    }
    dialog = checked(given)
    weights = ["mine_attn_probs", "1×2×6×6", "weights", "(batch, heads, queries, keys)"]
    qtbot.waitUntil(lambda: weights in listed(dialog))
    assert ["W_K", "8×8", "W_K", ""] in listed(dialog)
    assert ["mine_y", "6×8", "output", ""] in listed(dialog)
    assert (
        "'mine_y' is read as output."
        in dialog.find(QPlainTextEdit, "notes").toPlainText()
    )


def test_the_heads_of_the_weights_are_suggested(checked):
    dialog = checked(steps(inputs()))
    assert dialog.widget.spec == "n_heads=2"


def test_shapes_that_fit_no_reading_are_told_and_mended_by_an_option(checked, qtbot):
    dialog = checked(steps(inputs()))
    dialog.heads(3)
    qtbot.waitUntil(lambda: "The 'n_heads' must divide the 8 columns" in dialog.reason)
    assert listed(dialog)[-1][2] == "—"
    dialog.heads(2)
    qtbot.waitUntil(lambda: not dialog.reason)
    assert listed(dialog)[-1][2] == "output"


def test_every_option_can_be_said(checked, qtbot):
    dialog = checked(steps(inputs()))
    dialog.mean_causal()
    dialog.find(QComboBox, "positions").setCurrentText("RoPE")
    QTest.keyClicks(dialog.find(QLineEdit, "rope_base"), "5e5")
    QTest.keyClicks(dialog.find(QLineEdit, "softcap"), "30")
    QTest.keyClicks(dialog.find(QLineEdit, "more"), "scale=1/8")
    said = set(dialog.widget.spec.split(","))
    assert said == {
        *("n_heads=2", "causal=true", "positions=rope", "rope_base=5e5"),
        *("softcap=30", "scale=1/8"),
    }
    dialog.find(QComboBox, "positions").setCurrentText("none")
    assert "rope" not in dialog.widget.spec
    assert not dialog.find(QLineEdit, "rope_base").isEnabled()


def test_an_option_that_does_not_exist_is_refused_in_the_dialog(checked, qtbot):
    dialog = checked(steps(inputs()))
    QTest.keyClicks(dialog.find(QLineEdit, "more"), "flavour=sour")
    qtbot.waitUntil(lambda: "flavour" in dialog.reason)
    dialog.start()
    qtbot.waitUntil(lambda: dialog.find(QPushButton, "start").isEnabled())
    assert "flavour" in dialog.reason


def test_a_file_without_arrays_of_an_implementation_is_refused(window, qtbot, tmp_path):
    before = window.document
    window.checker.check_file(saved(tmp_path / "inputs.npz", {}))
    qtbot.waitUntil(lambda: "mine_STEP" in window.frame.notice.text)
    assert window.checker.dialog is None
    assert window.document is before


def test_a_missing_file_is_refused(window, qtbot, tmp_path):
    window.checker.check_file(tmp_path / "nowhere.npz")
    qtbot.waitUntil(lambda: "nowhere.npz" in window.frame.notice.text)


def test_arrays_of_another_run_are_told(checked, qtbot):
    mine = {"mine_output": np.ones((9, 8))}
    dialog = checked(mine)
    qtbot.waitUntil(lambda: "It seems to be of another run" in dialog.reason)


def test_missing_inputs_are_told(checked, qtbot):
    dialog = checked({"mine_output": np.ones((6, 8))}, {"X": np.ones((6, 8))})
    qtbot.waitUntil(lambda: "W_Q" in dialog.reason)


def test_arrays_that_are_not_numbers_are_a_finding_rather_than_a_refusal(checked):
    mine = steps(inputs())
    mine["mine_weights"] = np.full((2, 6, 6), np.nan)
    dialog = checked(mine)
    dialog.mean_causal()
    examination = dialog.finish()
    assert not examination.diagnosis.agrees
    assert examination.steps["weights"].standing == "differs"
    assert np.isnan(examination.cells["weights"].theirs)


def test_the_check_is_stopped_and_started_again(checked, qtbot, monkeypatch):
    dialog = checked(steps(inputs()))
    dialog.mean_causal()
    before = dialog.window.document
    with gated(monkeypatch, diagnosing, "search") as gate:
        gate.clear()
        dialog.start()
        assert dialog.find(QProgressBar, "progress").isVisible()
        cancel = dialog.find(QPushButton, "cancel")
        assert cancel.text() == "Stop"
        QTest.keyClick(dialog.widget, Key.Key_Escape)
        assert dialog.reason == "The check was stopped."
        assert cancel.text() == "Cancel"
        assert not dialog.find(QProgressBar, "progress").isVisible()
        gate.set()
    assert dialog.window.document is before
    assert dialog.finish().diagnosis.agrees


def test_escape_closes_the_dialog_and_leaves_everything_as_it_was(checked, window):
    before = window.document
    dialog = checked(steps(inputs()))
    QTest.keyClick(dialog.widget, Key.Key_Escape)
    assert window.checker.dialog is None
    assert window.document is before


def test_what_was_meant_is_still_there_when_the_file_is_checked_again(checked, window):
    dialog = checked(steps(inputs()))
    dialog.mean_causal()
    dialog.widget.reject()
    assert checked(steps(inputs())).widget.spec == "n_heads=2,causal=true"


def test_a_computation_that_no_document_holds_is_told_with_its_diagnosis(
    checked, qtbot
):
    given = inputs() | {"mask": np.stack([np.tri(6), np.ones((6, 6))])}
    dialog = checked(steps(inputs()), given)
    dialog.start()
    qtbot.waitUntil(lambda: "No document can show this" in dialog.reason)
    assert (
        "Differs from 'weights' on"
        in dialog.find(QPlainTextEdit, "notes").toPlainText()
    )


def test_importing_such_a_file_by_its_menu_asks_for_roles(window, qtbot, tmp_path):
    window.importer.import_files([saved(tmp_path / "mine.npz", steps(inputs()))])
    qtbot.waitUntil(lambda: window.importer.dialog is not None)
    assert window.checker.dialog is None
    window.importer.dialog.reject()


@pytest.mark.parametrize("size", [80, 200])
def test_no_text_of_the_dialog_is_cut_off(checked, window, size):
    window.appearance.set_text_size(size)
    dialog = checked(steps(inputs()))
    label = dialog.widget.findChild(QLabel, "check.intro")
    assert label.height() >= label.heightForWidth(label.width())
