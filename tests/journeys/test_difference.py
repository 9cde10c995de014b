"""A person pins, edits and looks at what has changed, by keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolButton, QWidget

from attnviewer.ui.views.inputs.cells import scrubbing

from .test_first_edit import W_Q, type_into, weights_by_hand

CONTROL = Qt.KeyboardModifier.ControlModifier
CONTROL_ALT = CONTROL | Qt.KeyboardModifier.AltModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key


@pytest.fixture
def window(window):
    # So large that cells show all of their four decimals.
    window.resize(1900, 1050)
    return window


@pytest.fixture
def page(window):
    window.step_view.set_view("difference")
    return window.step_view.difference


def start_again(window):
    """Open the example without a baseline."""
    window.workbench.baseline.unpin()
    window.opener.open_example("four-words")
    window.step_view.set_view("difference")
    window.findChild(QToolButton, "difference.show.2").click()
    window.workbench.selection.choose_step("weights")
    settle(window)


def settle(window):
    window.workbench.engine.flush()
    QApplication.processEvents()
    # An editor that has gone would be found by the next typing.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def cells(page):
    """Return what is written in the heatmap's cells, as it is drawn."""
    page.heatmap.grab()
    return sorted(page.heatmap.cells.texts())


def written(numbers):
    return sorted(f"{n + 0.0:.4f}".replace("-", "−") for n in np.ravel(numbers))


def with_signs(numbers):
    """Write changes as they stand in cells: a plus before what is more."""
    return sorted(
        f"{n:+.4f}".replace("-", "−") if n else "0.0000" for n in np.ravel(numbers)
    )


def listed(view):
    model = view.model()
    return [
        tuple(model.index(row, column).data() for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]


def with_corner(value):
    return [[2, 0, value], *W_Q[1:]]


def show(page, number):
    button = page.findChild(QToolButton, f"difference.show.{number}")
    QTest.mouseClick(button, LEFT)


def sentence(page):
    return page.summary.text() or page.empty.text


def what_an_edit_changed_is_shown_by_hand_and_its_largest_changes_are_links(
    qtbot, window, page
):
    assert sentence(page).startswith("Nothing has been edited yet")
    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    settle(window)
    before, after = weights_by_hand(W_Q), weights_by_hand(with_corner(-1.5))
    assert cells(page) == with_signs(after - before)
    assert page.bar.reference.currentText() == "before “Set W_Q[0, 2] to -1.5”"
    change = after - before
    row, column = np.unravel_index(np.abs(change).argmax(), change.shape)
    name, numbers, signed = listed(page.changes)[0]
    assert name == f"word {row + 1}, word {column + 1}"
    assert numbers == f"{before[row, column]:.4f} → {after[row, column]:.4f}"
    assert signed == f"{change[row, column]:+.4f}".replace("-", "−")
    n_changed = np.count_nonzero(change)
    assert sentence(page).startswith(f"{n_changed} of 16 cells differ, by at most")
    assert len(listed(page.changes)) == n_changed
    show(page, 0)
    assert cells(page) == written(before)
    show(page, 1)
    assert cells(page) == written(after)

    window.opener.open_example("four-words")
    settle(window)
    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    settle(window)
    names = [row[0] for row in listed(page.changes)]
    changes, selection = page.changes, window.workbench.selection
    for row in (1, 2):
        place = changes.visualRect(changes.model().index(row, 0)).center()
        qtbot.mouseClick(changes.viewport(), LEFT, pos=place)
        query, key = selection.cell
        assert names[row] == f"word {query + 1}, word {key + 1}"
    chosen = selection.cell
    changes.setFocus()
    qtbot.keyClick(changes, Key.Key_Down)
    assert selection.cell == chosen
    qtbot.keyClick(changes, Key.Key_Return)
    query, key = selection.cell
    assert names[3] == f"word {query + 1}, word {key + 1}"

    window.opener.open_example("four-words")
    settle(window)
    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    settle(window)
    button = page.findChild(QToolButton, "difference.show.2")
    button.setFocus()
    QTest.keyClick(button, Key.Key_Left)
    assert cells(page) == written(weights_by_hand(with_corner(-1.5)))
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Left)
    assert cells(page) == written(weights_by_hand(W_Q))


def undo_and_redo_move_the_last_edit_and_a_scrub_is_one_that_grows(qtbot, window, page):
    type_into(qtbot, window, "W_Q", 0, 2, "3")
    settle(window)
    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    settle(window)
    three, minus = weights_by_hand(with_corner(3)), weights_by_hand(with_corner(-1.5))
    assert cells(page) == with_signs(minus - three)
    qtbot.keyClick(window, "z", CONTROL)
    settle(window)
    assert page.bar.reference.currentText() == "before “Set W_Q[0, 2] to 3”"
    assert cells(page) == with_signs(three - weights_by_hand(W_Q))
    qtbot.keyClick(window, "z", CONTROL)
    settle(window)
    assert sentence(page).startswith("Nothing has been edited yet")
    assert not page.changes.isVisible()
    for _ in range(2):
        qtbot.keyClick(window, "y", CONTROL)
    settle(window)
    assert cells(page) == with_signs(minus - three)

    window.opener.open_example("four-words")
    settle(window)
    table = window.inputs.table("W_Q")
    place = table.visualRect(table.model().index(0, 2)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    for _ in range(3):
        qtbot.keyClick(table, Key.Key_Up, CONTROL_ALT)
        settle(window)
    now = window.document.matrix("W_Q")[0, 2]
    assert now > 2
    want = weights_by_hand(with_corner(now)) - weights_by_hand(W_Q)
    assert cells(page) == with_signs(want)
    assert window.workbench.edits.count() == 1

    window.opener.open_example("four-words")
    settle(window)
    type_into(qtbot, window, "W_Q", 0, 2, "3")
    settle(window)
    told = dict(listed(page.steps))
    assert (told["X"], told["W_K"], told["K"], told["V"]) == ("=",) * 4
    # By hand: one row of W_Q grew by 1 in one column; k_3 has a 3 there.
    assert (told["W_Q"], told["Q"], told["scores"]) == ("1", "1", "3")
    assert told["scaled"] == "1.732"
    row = list(told).index("scores")
    place = page.steps.visualRect(page.steps.model().index(row, 0)).center()
    qtbot.mouseClick(page.steps.viewport(), LEFT, pos=place)
    assert window.workbench.selection.step == "scores"
    assert listed(page.changes)[0] == ("word 1, word 3", "10 → 13", "+3")
    page.steps.setFocus()
    qtbot.keyClick(page.steps, Key.Key_Up)
    qtbot.keyClick(page.steps, Key.Key_Return)
    assert window.workbench.selection.step == "V"
    assert sentence(page) == "Nothing differs: all 12 cells are the same."


def a_pinned_state_stays_while_edits_come_and_go_and_half_typed_is_pinned(
    qtbot, window, page
):
    qtbot.keyClick(window, "b", CONTROL)
    settle(window)
    assert sentence(page) == "Nothing differs: all 16 cells are the same."
    assert not page.heatmap.isVisible()
    for text in ("3", "-1.5"):
        type_into(qtbot, window, "W_Q", 0, 2, text)
        settle(window)
        want = weights_by_hand(with_corner(float(text))) - weights_by_hand(W_Q)
        assert cells(page) == with_signs(want)
    assert page.bar.reference.currentText().startswith("Four words, weights drawn")
    assert ", set at " in page.bar.reference.currentText()
    button = window.findChild(QToolButton, "button.pin")
    assert button.text().startswith("Baseline ")
    QTest.mouseClick(button, LEFT)
    # The baseline is computed as a whole, and edits in parts: some BLAS round alike.
    assert sentence(page) == "Nothing differs: all 16 cells are the same." or sentence(
        page
    ).startswith("Nothing differs beyond rounding; ")
    qtbot.keyClick(window, "b", CONTROL | SHIFT)
    assert button.text() == "Set baseline"
    assert page.bar.reference.currentText() == "before “Set W_Q[0, 2] to -1.5”"

    window.opener.open_example("four-words")
    settle(window)
    table = window.inputs.table("W_Q")
    place = table.visualRect(table.model().index(0, 2)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.keyClicks(table, "7")
    QTest.mouseClick(window.findChild(QToolButton, "button.pin"), LEFT)
    assert window.document.matrix("W_Q")[0, 2] == 7
    assert window.workbench.baseline.pinned.snapshot.inputs["W_Q"][0, 2] == 7


def a_goes_between_the_pinned_and_the_last_and_added_tokens_are_hatched(
    qtbot, window, page
):
    qtbot.keyClick(window, "b", CONTROL)
    type_into(qtbot, window, "W_Q", 0, 2, "3")
    settle(window)
    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    settle(window)
    box = page.findChild(QComboBox, "difference.reference")
    box.setFocus()
    qtbot.keyClick(box, Key.Key_Down)
    three, minus = weights_by_hand(with_corner(3)), weights_by_hand(with_corner(-1.5))
    assert cells(page) == with_signs(minus - three)
    qtbot.keyClick(box, Key.Key_Up)
    assert cells(page) == with_signs(minus - weights_by_hand(W_Q))
    QTest.mouseClick(page.findChild(QToolButton, "difference.unpin"), LEFT)
    assert window.workbench.baseline.pinned is None
    assert cells(page) == with_signs(minus - three)

    window.opener.open_example("four-words")
    settle(window)
    qtbot.keyClick(window, "b", CONTROL)
    table = window.inputs.table("tokens")
    place = table.visualRect(table.model().index(3, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.keyClick(window, "i", CONTROL)
    settle(window)
    assert "Cells of tokens that only A or only B has are not compared." in sentence(
        page
    )
    assert len(cells(page)) == 16
    show(page, 0)
    assert cells(page) == written(weights_by_hand(W_Q))


def the_last_edit_is_told_at_a_glance_and_a_click_shows_it(qtbot, window):
    note = window.findChild(QToolButton, "status.last_edit")
    assert not note.isVisible()
    type_into(qtbot, window, "W_Q", 0, 2, "3")
    qtbot.waitUntil(note.isVisible)
    change = weights_by_hand(with_corner(3)) - weights_by_hand(W_Q)
    assert (
        note.text() == f"Last edit changed weights by up to {np.abs(change).max():.4g}"
    )
    window.workbench.baseline.pin()
    qtbot.mouseClick(note, LEFT)
    page = window.step_view.difference
    assert page.isVisible()
    assert cells(page) == with_signs(change)
    assert window.workbench.selection.cell == (0, 2)
    qtbot.keyClick(window, "z", CONTROL)
    qtbot.waitUntil(lambda: not note.isVisible())


def another_document_and_a_step_that_a_lacks_are_compared_in_words(qtbot, window, page):
    qtbot.keyClick(window, "b", CONTROL)
    window.opener.open("example:journey")
    settle(window)
    assert page.bar.reference.currentText().startswith("Four words, weights drawn")
    text = page.empty.text
    assert text.startswith("A and B have no tokens in common")
    assert "A has 4, B has 6" in text
    window.opener.open("example:four-words-rerun")
    settle(window)
    assert page.heatmap.isVisible()

    window.opener.open_example("four-words")
    settle(window)
    qtbot.keyClick(window, "b", CONTROL)
    mask = window.findChild(QComboBox, "spec.mask")
    mask.setFocus()
    QTest.keyClicks(mask, "c")
    settle(window)
    window.workbench.selection.choose_step("masked")
    assert sentence(page).startswith("A has no step “Masked scores”.")
    assert dict(listed(page.steps))["masked"] == "—"
    window.workbench.selection.choose_step("weights")
    assert page.heatmap.isVisible()

    window.opener.open_example("four-words")
    settle(window)
    window.workbench.baseline.pin()
    page.findChild(QToolButton, "difference.show.1").click()
    focusable = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and widget.isVisible()
    ]
    assert len(focusable) > 5
    for widget in focusable:
        assert widget.accessibleName() or isinstance(widget, QLabel), widget


def test_what_edits_changed_is_shown_listed_undone_and_told_at_a_glance(
    qtbot, window, page, monkeypatch
):
    # Keys belong to one gesture however long a busy machine takes between them.
    monkeypatch.setattr(scrubbing, "PAUSE", np.inf)
    what_an_edit_changed_is_shown_by_hand_and_its_largest_changes_are_links(
        qtbot, window, page
    )
    start_again(window)
    undo_and_redo_move_the_last_edit_and_a_scrub_is_one_that_grows(qtbot, window, page)
    start_again(window)
    the_last_edit_is_told_at_a_glance_and_a_click_shows_it(qtbot, window)


def test_a_pinned_state_is_compared_with_edits_tokens_and_other_documents(
    qtbot, window, page
):
    a_pinned_state_stays_while_edits_come_and_go_and_half_typed_is_pinned(
        qtbot, window, page
    )
    start_again(window)
    a_goes_between_the_pinned_and_the_last_and_added_tokens_are_hatched(
        qtbot, window, page
    )
    start_again(window)
    another_document_and_a_step_that_a_lacks_are_compared_in_words(qtbot, window, page)
