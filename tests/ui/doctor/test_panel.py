"""What the window shows of a diagnosis: strip, panel, difference."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QFileDialog,
    QFrame,
    QLabel,
    QPushButton,
    QToolButton,
    QWidget,
)

from attnviewer.doctor import hypotheses
from attnviewer.document.edits import SetCells

from .implementations import inputs, steps

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def unscaled(checked, window):
    """The window after the check of scores that are not scaled."""
    mine = steps(inputs(), scale=1.0, dtype=np.float32)
    mine["mine_Q"] = steps(inputs())["mine_Q"].astype(np.float32)
    dialog = checked(mine)
    dialog.mean_causal()
    dialog.finish()
    QApplication.processEvents()
    return window


def said(window):
    """Return all texts of the panel."""
    panel = window.findChild(QWidget, "doctor")
    return "\n".join(label.text() for label in panel.findChildren(QLabel))


def card(window, step):
    return window.flow.findChild(QWidget, f"flow.{step}")


def edit(window):
    changed = SetCells("Edit", "X", 0, 0, np.array([[9.0]]))
    window.workbench.edits.submit(changed)
    QApplication.processEvents()


def test_the_finding_is_told_and_saved_and_opens_as_it_is_computed_there(
    unscaled, qtbot, tmp_path, monkeypatch
):
    text = said(unscaled)
    assert "scale-missing" in text
    assert "× scores = q @ k.mT" in text
    assert "✓ scores = q @ k.mT / math.sqrt(q.size(-1))" in text
    assert "of what rounding explains" in text
    assert "Source: Vaswani et al. 2017" in text
    assert "float32" in text

    mine, right = (steps(inputs(), scale=s)["mine_scaled"] for s in (1.0, 0.5))
    worst = np.unravel_index(np.abs(mine - right).argmax(), mine.shape)
    head, row, column = (int(k) for k in worst)
    cell = f"scaled H{head}[token {row}, token {column}]"
    told = [f"{n:.6g}".replace("-", "−") for n in (mine[worst], right[worst])]
    expected = f"{cell} is {told[0]} in your array, {told[1]} is right."
    assert expected in said(unscaled)
    selection = unscaled.workbench.selection
    assert (selection.step, selection.head, selection.cell) == (
        "scaled",
        head,
        (row, column),
    )

    QTest.mouseClick(unscaled.findChild(QPushButton, "doctor.copy"), LEFT)
    copied = QGuiApplication.clipboard().text()
    assert copied == "scores = q @ k.mT / math.sqrt(q.size(-1))"

    path = tmp_path / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(unscaled.findChild(QPushButton, "doctor.save"), LEFT)
    assert "The scores are not scaled" in path.read_text(encoding="utf-8")
    assert "report.html" in unscaled.frame.notice.text

    path = tmp_path / "nowhere" / "report.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(unscaled.findChild(QPushButton, "doctor.save"), LEFT)
    assert "nowhere" in unscaled.frame.notice.text

    document = unscaled.document
    QTest.mouseClick(unscaled.findChild(QPushButton, "doctor.play"), LEFT)
    qtbot.waitUntil(lambda: unscaled.document is not document)
    weights = unscaled.document.compute()["weights"]
    theirs = steps(inputs(), scale=1.0)["mine_weights"]
    np.testing.assert_allclose(weights, theirs, rtol=1e-12)
    assert unscaled.workbench.doctor.examination is None


def test_strip_and_difference_compare_each_step_and_stay_until_the_document_is_gone(
    unscaled,
):
    told = {
        "Q": "agrees with your array, except for rounding in the last digits",
        "scores": "agrees with your array to within float32 rounding",
        "scaled": "your array differs",
        "weights": "your array differs, as it follows from an earlier step",
    }
    for step, text in told.items():
        assert card(unscaled, step).accessibleName().endswith(f", {text}")
        assert text in card(unscaled, step).toolTip()
    assert "your array" not in card(unscaled, "masked").accessibleName()

    page = unscaled.step_view.difference
    page.finish()
    assert unscaled.step_view.view == "difference"
    assert unscaled.findChild(QComboBox, "difference.reference").currentText() == (
        "theirs: mine"
    )
    texts = [
        unscaled.findChild(QToolButton, f"difference.show.{number}").text()
        for number in range(4)
    ]
    assert texts == ["A theirs", "B right", "B − A", "A | B"]
    mine, right = (steps(inputs(), scale=s)["mine_scaled"] for s in (1.0, 0.5))
    (largest, *_) = page.finder.changes("scaled").largest
    np.testing.assert_allclose(
        abs(largest.change), np.abs(mine - right).max(), rtol=1e-5
    )

    selection = unscaled.workbench.selection
    before = selection.step, selection.head, selection.cell
    unscaled.workbench.open_step("V", (0, 0))
    unscaled.workbench.baseline.choose("last_edit")
    unscaled.step_view.set_view("heatmap")
    button = unscaled.findChild(QPushButton, "doctor.go")
    assert button.text() == "Go to scaled"
    QTest.mouseClick(button, LEFT)
    assert (selection.step, selection.head, selection.cell) == before
    assert unscaled.step_view.view == "difference"
    assert unscaled.workbench.baseline.choice == "theirs"

    panel = unscaled.findChild(QWidget, "doctor")
    panel.going.emit("rotated Q")
    assert unscaled.frame.notice.text == (
        "The document has no step “rotated Q” any more."
    )

    note = unscaled.findChild(QLabel, "doctor.edited")
    assert note.isHidden()
    edit(unscaled)
    assert not note.isHidden()
    assert "scale-missing" in said(unscaled)
    unscaled.workbench.edits.undo()
    assert note.isHidden()

    document = unscaled.document
    edit(unscaled)
    unscaled.opener.open_example("two-heads")
    unscaled.opener.reopen(document)
    assert "scale-missing" in said(unscaled)
    assert "your array" in card(unscaled, "weights").accessibleName()

    unscaled.opener.open_example("two-heads")
    assert "scale-missing" not in said(unscaled)
    assert "your array" not in card(unscaled, "weights").accessibleName()
    assert unscaled.workbench.baseline.choice == "last_edit"
    assert not unscaled.workbench.baseline.title("theirs")

    document = unscaled.document
    unscaled.opener.open_example("two-heads")
    unscaled.opener.open_document(document)
    assert unscaled.workbench.doctor.examination is None


@pytest.mark.usefixtures("few_mistakes")
def test_agreement_is_told_and_so_is_an_unknown_mistake(window, checked):
    window.docks.open_panel("doctor")
    assert "mine_output" in said(window)
    assert not window.findChild(QPushButton, "doctor.save").isEnabled()

    dialog = checked(steps(inputs()))
    dialog.mean_causal()
    dialog.finish()
    verdict = window.findChild(QFrame, "doctor.verdict")
    assert verdict.property("agrees") is True
    assert "Agrees to within float64 rounding" in said(window)
    assert (
        card(window, "weights").accessibleName().endswith("rounding in the last digits")
    )

    noise = np.random.default_rng(5).random((2, 6, 6))
    dialog = checked({"mine_weights": noise}, name="noise.npz")
    dialog.mean_causal()
    dialog.finish()
    text = said(window)
    assert "weights differs, and no mistake of the catalogue explains it" in text
    assert "All 72 numbers differ." in text


def test_an_item_of_a_batch_and_numbers_below_the_mask_are_shown(
    checked, window, monkeypatch
):
    given = inputs()
    one, two = inputs(1), inputs(2)
    given["X"] = np.stack([one["X"], two["X"]])
    both = [steps(given | {"X": x}) for x in given["X"]]
    mine = {"mine_weights": np.stack([each["mine_weights"] for each in both])}
    mine["mine_weights"][1, 0, 3, 1] += 0.5
    dialog = checked(mine, given)
    dialog.mean_causal()
    with monkeypatch.context() as few:  # what nothing explains tries all that there are
        few.setattr(hypotheses, "CATALOGUE", hypotheses.CATALOGUE[::8])
        examination = dialog.finish()
    assert examination.item == (1,)
    np.testing.assert_array_equal(window.document.matrix("X"), two["X"])
    assert "The document shows item 1" in said(window)
    assert window.workbench.selection.cell == (3, 1)

    dialog = checked(steps(inputs(), causal=False), name="causal.npz")
    dialog.mean_causal()
    examination = dialog.finish()
    assert "causal-missing" in examination.diagnosis.findings[0].ids
    page = window.step_view.difference
    page.finish()
    pair = page.finder.pair("weights")
    np.testing.assert_array_equal(pair.after[0].hidden(), ~np.tri(6, dtype=bool))
    assert not pair.before[0].hidden().any()
