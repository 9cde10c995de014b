"""A person asks for a weight, looks at what gives it, applies it and takes it back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from tests.menus import choose_row, context_menu
from tests.ui.goal_seek.asking import (
    ask,
    click,
    dialog_of,
    name_of,
    open_cell,
    part,
    rows,
    seek,
    targets,
    tick_only,
    want,
    weights,
)

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CONTROL = Qt.KeyboardModifier.ControlModifier


def bits(window):
    return {name: m.tobytes() for name, m in window.document.matrices.items()}


def test_a_weight_is_asked_for_previewed_applied_and_undone(window, qtbot):
    open_cell(window)
    before, inputs = weights(window).copy(), bits(window)
    heatmap = window.step_view.heatmap
    place = heatmap.cell_rect((1, 0)).center().toPoint()
    choose_row(context_menu(heatmap.viewport(), place), "Goal Seek…")
    dialog = dialog_of(window)
    want(dialog, "0.8")
    tick_only(dialog, "W_Q")
    outcome = seek(dialog, qtbot)

    assert outcome.startswith("All targets are met.")
    assert bits(window) == inputs  # nothing has changed yet
    (target,) = rows(dialog, "seek.targets")
    assert target[:2] == ["weights[word 2, word 1]", "= 0.8"]
    assert target[3:] == ["0.8", "met"]
    changes = rows(dialog, "seek.changes")
    assert all(name.startswith("W_Q[") for name, _, _ in changes)
    sizes = [abs(float(by.replace("−", "-"))) for _, _, by in changes]
    assert sizes == sorted(sizes, reverse=True)
    assert {name.split(",")[0] for name, _, _ in rows(dialog, "seek.effects")} == {
        f"weights[word {row}" for row in (1, 3, 4)
    }

    click(dialog, "seek.apply")
    assert dialog_of(window) is None
    assert abs(weights(window)[1, 0] - 0.8) <= 1e-9
    other = {name: text for name, text in bits(window).items() if name != "W_Q"}
    assert other == {name: text for name, text in inputs.items() if name != "W_Q"}
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    assert window.workbench.edits.count() == 1
    assert window.workbench.edits.last.label == "Goal Seek"
    heatmap.setFocus()
    QTest.keyClick(heatmap, Qt.Key.Key_Z, CONTROL)
    assert bits(window) == inputs
    assert np.array_equal(weights(window), before)


def what_cannot_be_is_refused_with_the_reason_and_changes_nothing(window, qtbot):
    open_cell(window)
    inputs, dialog = bits(window), ask(window)
    want(dialog, "1.2")
    assert seek(dialog, qtbot) == (
        "weights[word 2, word 1] = 1.2 is impossible: weights of softmax are from 0 to "
        "1. Ask for a number in this range."
    )
    for name in ("seek.apply", "seek.nearest"):
        assert part(dialog, QPushButton, name).isHidden()
    click(dialog, "seek.back")
    want(dialog, "0.8")
    tick_only(dialog, "W_K")
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.close")
    assert bits(window) == inputs
    assert window.workbench.edits.count() == 0


def targets_wait_while_another_document_is_open(window, qtbot):
    open_cell(window)
    first, dialog = window.document, ask(window)
    want(dialog, "0.8")
    window.workbench.edits.submit(_rename())  # so that it is set aside
    window.opener.open_example("two-heads")
    qtbot.waitUntil(lambda: window.document is not first)
    QApplication.processEvents()
    assert dialog.isVisible()
    assert not part(dialog, object, "seek.none").isHidden()
    open_cell(window, "weights", (3, 1))
    click(dialog, "seek.add")
    (target,) = targets(dialog)
    assert name_of(target) == "weights H1[because, cat]"
    window.workbench.reopen(first)
    QApplication.processEvents()
    assert seek(dialog, qtbot).startswith("All targets are met.")
    click(dialog, "seek.apply")
    assert abs(weights(window)[1, 0] - 0.8) <= 1e-9


def _rename():
    from attnviewer.document import Replace

    return Replace("Title", title="Renamed")


@pytest.mark.usefixtures("few_starts")
def test_what_cannot_be_is_refused_and_targets_wait_for_their_document(window, qtbot):
    what_cannot_be_is_refused_with_the_reason_and_changes_nothing(window, qtbot)
    window.activateWindow()
    targets_wait_while_another_document_is_open(window, qtbot)
