"""The dialog in which somebody says what an implementation is meant to compute."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QSpinBox,
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


def test_what_each_array_is_read_as_is_listed_and_what_does_not_fit_told(
    checked, qtbot
):
    mine = steps(inputs())
    given = {
        "mine_attn_probs": mine["mine_weights"][None],
        "mine_y": mine["mine_output"],
    }
    dialog = checked(given)
    weights = ["mine_attn_probs", "1×2×6×6", "weights", "(batch, heads, queries, keys)"]
    qtbot.waitUntil(lambda: weights in listed(dialog))
    assert ["W_K", "8×8", "W_K", ""] in listed(dialog)
    assert dialog.widget.focusWidget() is dialog.find(QSpinBox, "n_heads")
    captions = [w for w in dialog.widget.findChildren(QLabel) if w.buddy()]
    captions += dialog.widget.findChildren(QAbstractButton)
    letters = [w.text()[w.text().index("&") + 1] for w in captions if "&" in w.text()]
    assert len({letter.lower() for letter in letters}) == len(letters) > 5
    assert ["mine_y", "6×8", "output", ""] in listed(dialog)
    assert (
        "'mine_y' is read as output."
        in dialog.find(QPlainTextEdit, "notes").toPlainText()
    )

    # Arrays of another run, and missing inputs.
    mine = {"mine_output": np.ones((9, 8))}
    dialog.widget.reject()
    dialog = checked(mine, name="1.npz")
    qtbot.waitUntil(lambda: "It seems to be of another run" in dialog.reason)

    dialog.widget.reject()
    dialog = checked(
        {"mine_output": np.ones((6, 8))}, {"X": np.ones((6, 8))}, name="2.npz"
    )
    qtbot.waitUntil(lambda: "W_Q" in dialog.reason)

    dialog.widget.reject()
    given = inputs() | {"mask": np.stack([np.tri(6), np.ones((6, 6))])}
    dialog = checked(steps(inputs()), given, name="3.npz")
    dialog.start()
    qtbot.waitUntil(lambda: "No document can show this" in dialog.reason)
    assert (
        "First difference at 'weights'"
        in dialog.find(QPlainTextEdit, "notes").toPlainText()
    )


def test_the_heads_of_the_weights_are_suggested_and_every_option_can_be_said(
    checked, qtbot
):
    dialog = checked(steps(inputs()))
    assert dialog.widget.spec == "n_heads=2"

    dialog.widget.reject()
    dialog = checked(steps(inputs()), name="2.npz")
    dialog.heads(3)
    qtbot.waitUntil(lambda: "The 'n_heads' must divide the 8 columns" in dialog.reason)
    assert listed(dialog)[-1][2] == "—"
    dialog.heads(2)
    qtbot.waitUntil(lambda: not dialog.reason)
    assert listed(dialog)[-1][2] == "output"

    dialog.widget.reject()
    dialog = checked(steps(inputs()), name="3.npz")
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

    dialog.widget.reject()
    dialog = checked(steps(inputs()), name="4.npz")
    QTest.keyClicks(dialog.find(QLineEdit, "more"), "flavour=sour")
    qtbot.waitUntil(lambda: "flavour" in dialog.reason)
    dialog.start()
    qtbot.waitUntil(lambda: dialog.find(QPushButton, "start").isEnabled())
    assert "flavour" in dialog.reason


def test_files_that_cannot_be_checked_are_refused_and_importing_asks_for_roles(
    window, qtbot, tmp_path
):
    before = window.document
    window.checker.check_file(saved(tmp_path / "inputs.npz", {}))
    qtbot.waitUntil(lambda: "mine_STEP" in window.frame.notice.text)
    assert window.checker.dialog is None
    assert window.document is before

    window.checker.check_file(tmp_path / "nowhere.npz")
    qtbot.waitUntil(lambda: "nowhere.npz" in window.frame.notice.text)

    window.importer.import_files([saved(tmp_path / "mine.npz", steps(inputs()))])
    qtbot.waitUntil(lambda: window.importer.dialog is not None)
    assert window.checker.dialog is None
    window.importer.dialog.reject()


@pytest.mark.usefixtures("few_mistakes")
def test_escape_stops_the_check_and_changes_nothing_and_nan_is_a_finding(
    checked, qtbot, monkeypatch
):
    dialog = checked(steps(inputs()))
    window = dialog.window
    before = window.document
    QTest.keyClick(dialog.widget, Key.Key_Escape)
    assert window.checker.dialog is None
    assert window.document is before

    # What was meant is there at the next check.
    dialog = checked(steps(inputs()))
    dialog.mean_causal()
    dialog.widget.reject()
    dialog = checked(steps(inputs()))
    assert dialog.widget.spec == "n_heads=2,causal=true"
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
    assert window.document is before
    assert dialog.finish().diagnosis.agrees

    mine = steps(inputs())
    mine["mine_weights"] = np.full((2, 6, 6), np.nan)
    dialog = checked(mine, name="2.npz")
    dialog.mean_causal()
    examination = dialog.finish()
    assert not examination.diagnosis.agrees
    assert examination.steps["weights"].standing == "differs"
    assert np.isnan(examination.cells["weights"].theirs)


def test_no_text_of_the_dialog_is_cut_off(checked, window):
    for size in (80, 200):
        window.appearance.set_text_size(size)
        dialog = checked(steps(inputs()))
        label = dialog.widget.findChild(QLabel, "check.intro")
        assert label.height() >= label.heightForWidth(label.width())
        dialog.widget.reject()
