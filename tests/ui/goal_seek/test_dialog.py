"""The Goal Seek dialog: what it takes, what it refuses, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
)

from attnviewer.document import Replace, SetCells
from attnviewer.document.sequences import move_tokens
from attnviewer.ui.goal_seek.seeker import SeekJob
from tests.documents import four_words, given
from tests.ui.cut_off_texts import misfits
from tests.ui.gates import gated
from tests.ui.goal_seek.asking import (
    ask,
    choose,
    click,
    dialog_of,
    name_of,
    open_cell,
    part,
    reasons,
    rows,
    seek,
    targets,
    text_of,
    tick_only,
    type_into,
    want,
    weights,
)
from tests.ui.test_accessibility import assert_named

pytestmark = [
    pytest.mark.qt_log_ignore("This plugin does not support"),
    pytest.mark.usefixtures("few_starts"),
]


@pytest.fixture
def dialog(window):
    open_cell(window)
    return ask(window)


@pytest.fixture
def gate(monkeypatch):
    """Hold each search while the gate is closed."""
    with gated(monkeypatch, SeekJob, "_report") as open_:
        yield open_


def anew(window):
    """Ask the same question of the same numbers, in a document of its own."""
    if (dialog := dialog_of(window)) is not None:
        dialog.reject()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    window.workbench.open(four_words())
    open_cell(window)
    return ask(window)


def bits(window):
    return {name: m.tobytes() for name, m in window.document.matrices.items()}


def test_a_target_is_there_once_and_what_it_is_computed_from_is_ticked(window, dialog):
    boxes = {box.text(): box for box in dialog.findChildren(QCheckBox)}
    ticked = {name for name, box in boxes.items() if box.isChecked()}
    assert ticked == {"X", "W_Q", "W_K"}
    assert not boxes["W_V"].isEnabled()
    assert boxes["W_V"].toolTip() == "No target is computed from this."
    assert boxes["temperature"].isEnabled()
    open_cell(window, "output", (0, 0))
    click(dialog, "seek.add")
    assert boxes["W_V"].isChecked()

    dialog = anew(window)
    click(dialog, "seek.add")
    assert len(targets(dialog)) == 1
    open_cell(window, "weights", (2, 3))
    click(dialog, "seek.add")
    names = [name_of(target) for target in targets(dialog)]
    assert names == ["weights[word 2, word 1]", "weights[word 3, word 4]"]
    click(targets(dialog)[0], "seek.target.remove")
    assert [name_of(target) for target in targets(dialog)] == names[1:]

    dialog = anew(window)
    open_cell(window, "X", (0, 0))
    click(dialog, "seek.add")
    assert reasons(dialog) == ["Select a cell of a computed step first."]
    assert len(targets(dialog)) == 1


def test_an_entropy_falls_below_a_limit_and_two_weights_become_equal(
    window, dialog, qtbot
):
    choose(dialog, "quantity", 1)
    choose(dialog, "relation", 1)
    want(dialog, "0.5")
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.apply")
    row = weights(window)[1]
    row = row[row > 0]
    assert -(row * np.log2(row)).sum() <= 0.5 + 1e-9

    dialog = anew(window)
    assert weights(window)[1, 0] != weights(window)[1, 1]
    choose(dialog, "relation", 3)
    assert reasons(dialog) == ["Select the other cell in the window."]
    window.workbench.open_step("weights", (1, 1))
    assert reasons(dialog) == []
    assert text_of(dialog, "seek.target.other") == "weights[word 2, word 2]"
    assert seek(dialog, qtbot).startswith("All targets are met.")
    (target,) = rows(dialog, "seek.targets")
    header = part(dialog, object, "seek.targets").horizontalHeader()
    assert header.model().headerData(1, header.orientation()) == "Wanted"
    assert target[1] == "= weights[word 2, word 2]"
    click(dialog, "seek.apply")
    assert abs(weights(window)[1, 0] - weights(window)[1, 1]) <= 1e-9


def test_selected_rows_change_within_the_limit_and_the_nearest_has_its_own_button(
    window, dialog, qtbot
):
    old = window.document.matrices["X"].copy()
    window.workbench.edits.cursor.move(_selection("X", 1, 0, 1, old.shape[1]))
    tick_only(dialog, "X")
    box = part(dialog, QComboBox, "seek.cells.X")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "X[word 2, :]"
    want(dialog, f"{weights(window)[1, 0] + 0.01}")
    type_into(part(dialog, QLineEdit, "seek.limit.X"), "0.5")
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.apply")
    change = window.document.matrices["X"] - old
    assert not change[[0, 2, 3]].any()
    assert 0 < np.abs(change).max() <= 0.5
    check_chosen_rows_follow_their_tokens(window)

    dialog = anew(window)
    now = weights(window)[1, 0]
    tick_only(dialog, "W_Q")
    type_into(part(dialog, QLineEdit, "seek.limit.W_Q"), "0.01")
    want(dialog, "0.5" if now > 0.5 else "0.8")
    outcome = seek(dialog, qtbot)
    assert "weights[word 2, word 1]" in outcome
    assert "Allow larger changes" in outcome
    assert part(dialog, QPushButton, "seek.apply").isHidden()
    (target,) = rows(dialog, "seek.targets")
    assert target[4] != "met"
    click(dialog, "seek.nearest")
    assert weights(window)[1, 0] == pytest.approx(float(target[3]), rel=1e-4)
    assert window.workbench.edits.count() == 1


def check_chosen_rows_follow_their_tokens(window):
    dialog, edits = anew(window), window.workbench.edits
    document = window.document
    edits.cursor.move(_selection("X", 1, 0, 2, document.matrices["X"].shape[1]))
    box = part(dialog, QComboBox, "seek.cells.X")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "X[word 2 … word 3, :]"
    edits.submit(move_tokens(document, "X", 3, 1, 0, "Move"))
    window.workbench.engine.catch_up()
    assert box.currentText() == "X[word 2 … word 3, :]"
    edits.submit(move_tokens(document, "X", 2, 1, 0, "Move"))
    window.workbench.engine.catch_up()
    assert box.currentText() == "Selected rows"
    click(dialog, "seek.start")
    assert "These cells of X are not there now." in reasons(dialog)
    edits.undo()
    window.workbench.engine.catch_up()
    assert box.currentText() == "X[word 2 … word 3, :]"
    window.opener.open_example("two-heads")
    assert box.currentText() == "All"


def test_few_numbers_change_if_that_is_chosen_and_what_changes_is_shown(
    window, dialog, qtbot
):
    want(dialog, "0.8")
    tick_only(dialog, "W_Q")
    counts = []
    for name in ("seek.least", "seek.fewest"):
        button = part(dialog, QRadioButton, name)
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        seek(dialog, qtbot)
        counts.append(len(rows(dialog, "seek.changes")))
        click(dialog, "seek.back")
    assert counts[1] < counts[0]

    dialog = anew(window)
    want(dialog, "0.8")
    tick_only(dialog, "W_Q")
    seek(dialog, qtbot)
    for name in ("seek.changes", "seek.effects"):
        listed = part(dialog, object, name)
        listed.setFocus()
        listed.setCurrentIndex(listed.model().index(0, 0))
        QTest.keyClick(listed, Qt.Key.Key_Return)
    shown = window.workbench.edits.cursor.selection
    assert rows(dialog, "seek.changes")[0][0] == (
        f"W_Q[{shown.block.row}, {shown.block.column}]"
    )
    row, column = window.workbench.selection.cell
    effect = rows(dialog, "seek.effects")[0][0]
    assert effect == f"weights[word {row + 1}, word {column + 1}]"


def check_what_cannot_be_sought_is_refused_beside_its_field(window, dialog):
    for text in ["", "nan", "inf", "-inf", "0,8", "80%", "x"]:
        want(dialog, text)
        (reason,) = reasons(dialog)
        assert reason, text
        click(dialog, "seek.start")
        assert reasons(dialog) == [reason, "Correct what is marked above first."]
        assert not part(dialog, QPushButton, "seek.start").isHidden()
        want(dialog, "0.8")
        assert reasons(dialog) == [], text

    type_into(part(dialog, QLineEdit, "seek.limit.X"), "-1")
    assert reasons(dialog) == ["Type a limit of at least 0, or none."]

    dialog = anew(window)
    tick_only(dialog)
    click(dialog, "seek.start")
    assert reasons(dialog) == ["Tick what may change first."]
    click(targets(dialog)[0], "seek.target.remove")
    click(dialog, "seek.start")
    assert reasons(dialog) == ["Add a target first."]


def check_contradicting_targets_and_steps_of_hard_max_are_refused_by_name(
    dialog, window, qtbot
):
    want(dialog, "0.8")
    open_cell(window, "weights", (1, 1))
    click(dialog, "seek.add")
    want(dialog, "0.7", number=1)
    outcome = seek(dialog, qtbot)
    assert outcome.startswith(
        "The targets ask the weights of weights[word 2, :] to add up to at least 1.5"
    )

    dialog = anew(window)
    spec = replace(window.document.spec, normalizer="hardmax")
    window.workbench.edits.submit(Replace("Hard", spec=spec))
    want(dialog, "0.5")
    outcome = seek(dialog, qtbot)
    assert "hardmax" in outcome
    assert part(dialog, QPushButton, "seek.apply").isHidden()
    assert not part(dialog, QCheckBox, "seek.free.temperature").isEnabled()


def test_a_masked_key_is_refused_by_name_with_what_would_help(
    appearance, open_window, qtbot
):
    window = open_window("example:two-heads", (1366, 768))
    open_cell(window, "weights", (1, 4))
    inputs, dialog = bits(window), ask(window)
    want(dialog, "0.5")
    outcome = seek(dialog, qtbot)
    assert outcome.startswith("weights H1[cat, it] = 0.5 is impossible: ")
    assert "mask" in outcome
    assert rows(dialog, "seek.changes") == []
    assert bits(window) == inputs


def test_an_edit_ends_the_search_or_outdates_the_proposal(dialog, window, qtbot, gate):
    gate.clear()
    want(dialog, "0.8")
    click(dialog, "seek.start")
    assert not part(dialog, QProgressBar, "seek.progress").isHidden()
    window.workbench.edits.submit(SetCells("Edit", "X", 0, 0, np.array([[2.0]])))
    assert reasons(dialog) == [
        "The document has changed, which ended the search. Seek again."
    ]
    gate.set()
    qtbot.wait(50)
    assert part(dialog, QProgressBar, "seek.progress").isHidden()
    assert seek(dialog, qtbot).startswith("All targets are met.")

    dialog = anew(window)
    want(dialog, "0.8")
    seek(dialog, qtbot)
    window.workbench.edits.submit(SetCells("Edit", "X", 0, 0, np.array([[2.0]])))
    remark = text_of(dialog, "seek.remark")
    assert remark == "The document has changed since this was found. Seek again."
    assert not part(dialog, QPushButton, "seek.apply").isEnabled()
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.apply")
    assert abs(weights(window)[1, 0] - 0.8) <= 1e-9


def check_cancel_and_escape_end_a_search_and_the_question_stays(
    dialog, window, qtbot, gate
):
    inputs = bits(window)
    want(dialog, "0.8")
    for leave in (lambda: click(dialog, "seek.cancel"), lambda: _escape(dialog)):
        gate.clear()
        click(dialog, "seek.start")
        leave()
        said = ["The search was cancelled. Nothing has changed."]
        assert reasons(dialog) == said
        gate.set()
        qtbot.wait(50)
        assert dialog.isVisible()
        assert not part(dialog, QPushButton, "seek.start").isHidden()
    assert bits(window) == inputs
    _escape(dialog)
    assert dialog_of(window) is None


def check_another_document_during_the_search_ends_it_and_the_targets_are_kept(
    dialog, window, qtbot, gate
):
    first = window.document
    gate.clear()
    want(dialog, "0.8")
    click(dialog, "seek.start")
    window.workbench.open(given())
    assert targets(dialog) == []
    (said,) = reasons(dialog)
    assert said.startswith("Another document is open now.")
    gate.set()
    qtbot.wait(50)
    assert not part(dialog, QPushButton, "seek.start").isHidden()
    window.workbench.open(first)
    (target,) = targets(dialog)
    assert part(target, QLineEdit, "seek.target.value").text() == "0.8"
    assert seek(dialog, qtbot).startswith("All targets are met.")


def test_no_text_is_cut_off_in_question_and_answer(appearance, window, dialog, qtbot):
    value = part(dialog, QLineEdit, "seek.target.value")
    assert value.selectedText() == value.text()  # typing replaces it
    assert value.cursorPosition() == 0  # the first digits are in sight
    for size in (100, 200):
        appearance.set_text_size(size)
        want(dialog, "0.8")
        type_into(part(dialog, QLineEdit, "seek.limit.X"), "-1")
        QApplication.processEvents()
        assert misfits(dialog) == [], size
        type_into(part(dialog, QLineEdit, "seek.limit.X"), "")
        QTest.keyClick(part(dialog, QLineEdit, "seek.target.value"), Qt.Key.Key_Return)
        qtbot.waitUntil(part(dialog, QPushButton, "seek.apply").isVisible)
        QApplication.processEvents()
        assert misfits(dialog) == [], size
        assert dialog.width() <= window.width()
        dialog = anew(window)


def check_everything_that_can_have_the_keys_has_a_name(dialog, qtbot):
    assert len(assert_named(dialog)) >= 12
    want(dialog, "0.8")
    seek(dialog, qtbot)
    assert len(assert_named(dialog)) >= 6


def test_everything_is_named_and_what_cannot_be_sought_is_refused_by_name(
    window, dialog, qtbot
):
    check_everything_that_can_have_the_keys_has_a_name(dialog, qtbot)
    dialog = anew(window)
    check_what_cannot_be_sought_is_refused_beside_its_field(window, dialog)
    dialog = anew(window)
    check_contradicting_targets_and_steps_of_hard_max_are_refused_by_name(
        dialog, window, qtbot
    )


def check_ctrl_q_in_the_dialog_closes_the_window_during_a_search(dialog, window, gate):
    gate.clear()
    want(dialog, "0.8")
    click(dialog, "seek.start")
    gate.set()
    dialog.activateWindow()
    QApplication.processEvents()
    assert QApplication.activeWindow() is dialog
    QTest.keyClick(dialog, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert not window.isVisible()


def test_a_search_ends_by_a_button_escape_another_document_or_a_closing_window(
    window, dialog, qtbot, gate
):
    check_another_document_during_the_search_ends_it_and_the_targets_are_kept(
        dialog, window, qtbot, gate
    )
    dialog = anew(window)
    check_cancel_and_escape_end_a_search_and_the_question_stays(
        dialog, window, qtbot, gate
    )
    dialog = anew(window)
    check_ctrl_q_in_the_dialog_closes_the_window_during_a_search(dialog, window, gate)


def test_a_target_follows_its_tokens_and_waits_while_they_are_gone(
    dialog, window, qtbot
):
    want(dialog, "0.8")
    document, (n, d) = window.document, window.document.matrices["X"].shape
    fewer = Replace("Cut", tokens=document.tokens[:1], matrices={"X": np.ones((1, d))})
    window.workbench.edits.submit(fewer)
    window.workbench.engine.catch_up()
    QApplication.processEvents()
    assert text_of(dialog, "seek.target.now") == "not there"
    said = "This cell is not there now. Undo, or remove the target."
    assert reasons(dialog) == [said]
    click(dialog, "seek.start")
    assert reasons(dialog) == [said, "Correct what is marked above first."]
    window.workbench.edits.undo()
    window.workbench.engine.catch_up()
    QApplication.processEvents()
    first = Replace(
        "Insert",
        tokens=("new", *document.tokens),
        matrices={"X": np.vstack([np.ones((1, d)), document.matrices["X"]])},
    )
    window.workbench.edits.submit(first)
    window.workbench.engine.catch_up()
    QApplication.processEvents()
    assert n + 1 == len(document.tokens)
    assert name_of(targets(dialog)[0]) == "weights[word 2, word 1]"
    heads = replace(document.spec, n_heads=d, n_kv_heads=d)
    for spec, name in (
        (heads, "weights H0[word 2, word 1]"),
        (document.spec, "weights[word 2, word 1]"),
    ):
        window.workbench.edits.submit(Replace("Heads", spec=spec))
        window.workbench.engine.catch_up()
        QApplication.processEvents()
        assert name_of(targets(dialog)[0]) == name
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.apply")
    assert abs(weights(window)[2, 1] - 0.8) <= 1e-9


def _escape(dialog):
    QTest.keyClick(dialog, Qt.Key.Key_Escape)


def _selection(table, *block):
    from attnviewer.document import Region
    from attnviewer.ui.state.cursor import InputSelection

    return InputSelection(table, Region(*block))
