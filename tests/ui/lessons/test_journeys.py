"""A learner goes through a lesson with keys and mouse."""

import math

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from attnviewer.document import SetCells
from attnviewer.ui.views.lesson.dots import Dots
from attnviewer.ui.widgets.typeset_text import TypesetText
from tests.ui.lessons.conftest import SCORES, Learning

Key = Qt.Key


def key(key, modifier=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifier)


def press(text):
    """Type a text wherever the keys go, letter by letter."""
    for letter in text:
        QTest.keyClicks(QApplication.focusWidget(), letter)


def the_keys_alone_lead_through_the_page_that_moves_the_window(learning):
    selection = learning.window.workbench.selection
    assert (selection.step, selection.cell) == ("Q", (1, 0))
    assert learning.window.step_view.view == "table"
    assert learning.window.document.tokens == ("the", "cat")
    assert learning.window.windowTitle().startswith("Scores by hand")

    learning.restart()
    table = learning.table("scores")
    assert QApplication.focusWidget() is table
    press("1")
    key(Key.Key_Tab)
    press("3-3")  # arithmetic is allowed
    key(Key.Key_Return)
    assert table.currentIndex().row() == 1
    key(Key.Key_Left)
    press("2")
    key(Key.Key_Right)
    press("4")
    key(Key.Key_Return)
    # Behind the last cell, Return leads to the button, and presses it.
    key(Key.Key_Return)
    learning.rest()
    standing = learning.standing("scores")
    assert standing.outcome == "right"
    assert standing.at_first
    assert learning.said("scores").startswith("Right.")
    spoken = table.cells.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "the, cat: 3-3, right"
    # The value of arithmetic fits into a cell.
    assert table.cells.index(0, 1).data() == "0"
    # The keys go on to the next task.
    assert learning.card("which").isAncestorOf(QApplication.focusWidget())

    learning.restart()
    for text in SCORES.values():
        press(text)
        key(Key.Key_Tab)
    # Behind the last cell, Tab leads to the button.
    assert QApplication.focusWidget() is learning.button(
        "check", learning.card("scores")
    )
    key(Key.Key_Return)
    learning.rest()
    key(Key.Key_Down)
    key(Key.Key_Space)
    learning.rest()
    assert learning.card("which").answer.answer == (1,)
    key(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    learning.rest()
    assert learning.standing("which").outcome == "right"
    assert QApplication.focusWidget() is learning.button("next")
    key(Key.Key_Return)
    learning.rest()
    assert learning.learner.place == 1


def a_wrong_number_is_crossed_and_nothing_moves(learning):
    learning.type("scores", "1", "0", "2", "5")
    before = {
        name: learning.button(name, learning.card("scores")).pos()
        for name in ("check", "help", "skip")
    }
    table = learning.table("scores")
    place = table.mapTo(learning.content, table.rect().topLeft())
    learning.click("check", learning.card("scores"))
    standing = learning.standing("scores")
    assert standing.outcome == "wrong"
    assert standing.verdict.share == 0.75
    assert [c for c, v in standing.verdict.cells.items() if not v.right] == [(1, 1)]
    spoken = table.cells.index(1, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("cat, cat: 5, ")
    assert learning.said("scores")
    after = {
        name: learning.button(name, learning.card("scores")).pos() for name in before
    }
    assert after == before
    assert table.mapTo(learning.content, table.rect().topLeft()) == place
    # The wrong cell has the keys, to be corrected at once.
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 1)
    press("4")
    key(Key.Key_Return, Qt.KeyboardModifier.NoModifier)
    key(Key.Key_Return)
    learning.rest()
    assert learning.standing("scores").outcome == "right"
    assert not learning.standing("scores").at_first

    card = learning.card("which")
    state = card.findChild(QLabel, "lesson.state")
    first, second = (card.findChildren(QLabel, "lesson.mark")[n] for n in (0, 1))
    learning.choose("which", 0)
    learning.click("check", card)
    assert (state.text(), first.text()) == ("✕ not yet", "✕")
    text = card.findChildren(TypesetText, "lesson.option.text")[1]
    part = text.findChild(QLabel)
    QTest.mouseClick(part, Qt.MouseButton.RightButton)
    QTest.mousePress(part, Qt.MouseButton.LeftButton)
    beyond = part.rect().bottomLeft() + QPoint(0, 50)
    QTest.mouseRelease(part, Qt.MouseButton.LeftButton, pos=beyond)
    assert card.answer.answer == (0,)
    QTest.mouseClick(part, Qt.MouseButton.LeftButton)
    learning.rest()
    # Another answer is open again.
    assert (state.text(), first.text(), second.text()) == ("", "", "")
    assert state.property("mark") == ""
    assert card.accessibleName() == "Task 2"
    assert learning.card("which").answer.answer == (1,)
    assert learning.said("which") == ""

    learning.restart()
    learning.type("scores", "9", "0", "2", "4")
    learning.click("check", learning.card("scores"))
    press("1")
    key(Key.Key_Return)
    # The numbers that are right are passed over.
    assert QApplication.focusWidget() is learning.button(
        "check", learning.card("scores")
    )

    learning.restart()
    learning.type("scores", "1", "0", "2")
    press("4")
    key(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    key(Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    learning.rest()
    assert learning.standing("scores").outcome == "right"


def hints_come_one_by_one_and_then_the_answer_which_counts_nothing(learning):
    card = learning.card("scores")
    help_ = learning.button("help", card)
    assert help_.text() == "Hint 1 of 2"
    learning.click("help", card)
    learning.click("help", card)
    assert help_.text() == "Show the answer"
    learning.click("help", card)
    standing = learning.standing("scores")
    assert standing.outcome == "shown"
    assert standing.answer == SCORES
    assert "no points" in learning.said("scores")
    learning.click("again", card)
    assert learning.standing("scores").outcome == "open"
    learning.type("scores", *SCORES.values())
    learning.click("check", card)
    assert learning.standing("scores").outcome == "right"
    assert not learning.standing("scores").at_first

    learning.restart()
    learning.window.resize(1366, 520)
    learning.rest()
    card = learning.card("scores")
    learning.click("help", card)
    learning.click("help", card)
    learning.rest()
    seen = learning.content._scroll.viewport()
    bottom = card.mapTo(learning.content.page, card.rect().bottomLeft()).y()
    assert bottom <= seen.height() - learning.content.page.y()

    card = learning.card("which")
    for _ in range(2):
        assert not learning.button("help", card).isVisible()
        learning.choose("which", 0)
        learning.click("check", card)
    learning.click("help", card)
    assert learning.standing("which").outcome == "shown"
    assert learning.standing("which").answer == (1,)


def a_document_is_made_by_ordinary_edits_but_not_of_what_may_not_change(learning):
    learning.learner.go(1)
    learning.rest()
    learning.window.workbench.edits.submit(SetCells("", "W_Q", 0, 0, np.array([[0.5]])))
    learning.rest()
    # The condition is listed once, and an edit that is asked for is no offence.
    assert learning.said("back") == ""
    assert "begin again" in learning.content._changed_text.text()
    learning.window.workbench.edits.submit(SetCells("", "X", 0, 0, np.array([[9.0]])))
    learning.rest()
    assert "Also changed: X" in learning.said("back")
    assert learning.standing("back").outcome == "open"

    learning.restart()
    learning.learner.go(1)
    learning.rest()
    window = learning.window
    before = window.document.matrix("W_Q").copy()
    edits = window.workbench.edits
    edits.submit(SetCells("", "W_Q", 1, 0, np.array([[9.0]])))
    edits.submit(SetCells("", "W_Q", 1, 1, np.array([[-9.0]])))
    learning.rest()
    assert learning.standing("back").outcome == "right"
    # As was asked for: nothing to be put back, and the keys go on.
    assert not learning.button("put_back").isVisible()
    assert QApplication.focusWidget() is learning.button("next")
    edits.submit(SetCells("", "W_Q", 1, 1, np.array([[-8.0]])))
    learning.rest()
    learning.click("put_back")
    assert (window.document.matrix("W_Q") == before).all()
    edits.activeStack().undo()
    assert window.document.matrix("W_Q")[1, 0] == 9.0


def a_dock_behind_another_comes_forward_once_its_task_is_solved(learning):
    learning.learner.go(1)
    learning.rest()
    window = learning.window
    window.docks.open_panel("explain")
    learning.rest()
    assert learning.content.visibleRegion().isEmpty()
    edit = SetCells("", "W_Q", 1, 0, np.array([[9.0, -9.0]]))
    window.workbench.edits.submit(edit)
    learning.rest()
    assert learning.standing("back").outcome == "right"
    assert not learning.content.visibleRegion().isEmpty()
    assert QApplication.focusWidget() is learning.button("next")


def what_a_page_shows_first_is_no_answer(window, lesson_path, qtbot, tmp_path):
    path = tmp_path / "shown.md"
    text = lesson_path.read_text("utf-8")
    text = text.replace(
        "```task\nkind: wrong-step",
        "```show\nstep: weights\n```\n```task\nkind: wrong-step",
    )
    front, _, rest = text.partition("## Scores")
    path.write_text(front + "## A mistake" + rest.partition("## A mistake")[2], "utf-8")
    learning = Learning(window, path, qtbot)
    learning.open()
    assert window.workbench.selection.step == "weights"
    assert learning.standing("where").answer is None
    assert learning.card("where").answer.answer is None
    # There is one menu: that of the lesson, in which it is closed.
    shown = [
        b
        for b in window.docks.dock("lesson").findChildren(QToolButton)
        if b.text() == "⋯" and b.isVisible()
    ]
    assert shown == [learning.button("menu")]


def a_mistake_is_found_in_the_strip_and_told_once_nobody_hunts_it(learning):
    learning.learner.go(2)
    learning.rest()
    window = learning.window
    trace = window.workbench.engine.current.trace
    assert not trace.spec.mistakes
    assert not trace.stages["scaled"].mistake
    # The numbers are those of the mistake: not divided by √2.
    assert trace["scaled"][1, 1] == trace["scores"][1, 1]
    bar = window.findChild(object, "mistake")
    assert not bar.isVisible()
    # The right rule, step by step, would give other numbers.
    window.docks.open_panel("walk")
    learning.rest()
    assert window.findChild(object, "walk.none").isVisible()
    window.docks.open_panel("lesson")
    learning.choose("where", 4)
    assert learning.card("where").answer.answer == "scaled"
    learning.click("check", learning.card("where"))
    assert not bar.isVisible()
    learning.choose("what", 0)
    learning.click("check", learning.card("what"))
    assert learning.standing("what").outcome == "right"
    assert bar.isVisible()
    assert window.workbench.engine.current.trace.stages["scaled"].mistake

    learning.restart()
    learning.learner.go(2)
    learning.rest()
    card = learning.window.flow.findChild(object, "flow.scaled")
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    learning.rest()
    # To look at a step is no answer.
    assert learning.card("where").answer.answer is None
    learning.choose("where", 4)
    learning.click("check", learning.card("where"))
    assert learning.standing("where").outcome == "right"
    # Nor does the summary tell the mistake that is left to be named.
    learning.learner.go(3)
    learning.rest()
    assert not bar.isVisible()
    assert not window.workbench.engine.current.trace.spec.mistakes

    learning.restart()
    learning.learner.go(2)
    learning.rest()
    page, window = learning.learner.page, learning.window
    learning.learner.skip(page.tasks[0])
    assert not window.workbench.engine.current.trace.spec.mistakes
    window.workbench.selection.choose_cell("scaled", (1, 1))
    derivation = window.findChild(object, "explain.sources")
    window.docks.open_panel("explain")
    learning.rest()
    assert not derivation.isVisible()
    window.docks.open_panel("lesson")
    learning.rest()
    learning.click("skip", learning.card("what"))
    assert window.workbench.engine.current.trace.spec.mistakes
    # What was not worked out meanwhile is from now on.
    window.docks.open_panel("explain")
    learning.rest()
    assert derivation.isVisible()


def the_lesson_ends_with_what_was_done_and_goes_on_with_exercises(learning):
    learning.type("scores", *SCORES.values())
    learning.click("check", learning.card("scores"))
    learning.click("skip", learning.card("which"))
    learning.learner.go(3)
    learning.rest()
    text = learning.content.page._text.text
    assert "1 right at the first attempt" in text
    assert "1 skipped" in text
    assert "3 not done yet" in text
    QTest.mouseClick(
        learning.content.findChild(object, "lesson.go.exercise.0"),
        Qt.MouseButton.LeftButton,
    )
    learning.rest()
    assert learning.learner.is_exercise
    first = learning.window.document.matrix("X").copy()
    learning.click("another")
    assert (learning.window.document.matrix("X") != first).any()
    assert learning.button("next").text() == "Lessons…"
    assert learning.button("next").isEnabled()


def scores_stay_hidden_until_they_are_right_or_skipped(learning):
    engine, view = learning.window.workbench.engine, learning.window.step_view
    hidden = {"scores", "weights", "output"}
    assert engine.current.withheld == hidden
    assert all(math.isnan(n) for n in engine.current.trace["weights"].flat)
    learning.type("scores", *SCORES.values())
    learning.click("check", learning.card("scores"))
    assert engine.current.withheld == frozenset()
    learning.window.workbench.selection.choose_step("weights")
    view.set_view("table")
    assert view.page.objectName() != "step.withheld"

    learning.restart()
    engine = learning.window.workbench.engine
    learning.click("skip", learning.card("scores"))
    assert engine.current.withheld == frozenset()
    assert np.isfinite(engine.current.trace["weights"]).all()
    learning.type("scores", "1")
    learning.learner.go(0)
    learning.rest()
    assert engine.current.withheld == {"scores", "weights", "output"}


def tab_leads_to_what_turns_the_page_and_tasks_are_skipped_if_they_may_be(
    learning,
):
    learning.learner.go(0)
    learning.rest()
    learning.button("skip", learning.card("which")).setFocus()
    key(Key.Key_Tab)
    assert QApplication.focusWidget().objectName() == "lesson.menu"
    key(Key.Key_Tab)  # there is nothing to go back to
    assert QApplication.focusWidget() is learning.button("next")
    for _ in range(3):
        key(Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is learning.button(
        "check", learning.card("which")
    )

    learning.restart()
    learning.click("skip", learning.card("scores"))
    assert learning.standing("scores").outcome == "skipped"
    dots = learning.content.findChild(Dots)

    def click_dot(place):
        point = QPoint(round(dots._middle(place)), dots.height() // 2)
        QTest.mouseClick(dots, Qt.MouseButton.LeftButton, pos=point)
        learning.rest()

    # Nor is it passed over from a page before it.
    click_dot(3)
    assert learning.learner.place == 0
    told = "“A mistake” has a task that cannot be skipped"
    assert learning.window.reason.text() == told
    learning.window.reason.clear()
    click_dot(2)
    assert learning.learner.place == 2
    card = learning.card("where")
    assert not learning.button("skip", card).isVisible()
    assert not learning.button("next").isEnabled()
    assert learning.button("next").toolTip() == told
    click_dot(0)
    assert learning.learner.place == 0


def a_page_without_tasks_in_sight_is_scrolled_by_the_keys(
    window, lesson_path, qtbot, tmp_path
):
    long = "\n\n".join(["A line of text that is long enough to be broken."] * 60)
    text = lesson_path.read_text("utf-8")
    path = tmp_path / "long.md"
    path.write_text(text.replace("The score is", f"{long}\n\nThe score is"), "utf-8")
    learning = Learning(window, path, qtbot)
    learning.open()
    assert QApplication.focusWidget().objectName() == "lesson.scroll"
    bar = QApplication.focusWidget().verticalScrollBar()
    key(Key.Key_PageDown)
    assert bar.value() > 0


def one_after_the_other(learning, *ways):
    for way in ways:
        learning.window.docks.open_panel("lesson")
        learning.restart()
        way(learning)


def test_numbers_and_choices_are_answered_hinted_and_skipped_by_keys_and_mouse(
    learning,
):
    one_after_the_other(
        learning,
        the_keys_alone_lead_through_the_page_that_moves_the_window,
        a_wrong_number_is_crossed_and_nothing_moves,
        scores_stay_hidden_until_they_are_right_or_skipped,
        tab_leads_to_what_turns_the_page_and_tasks_are_skipped_if_they_may_be,
        hints_come_one_by_one_and_then_the_answer_which_counts_nothing,
    )


def test_a_document_is_made_a_mistake_found_and_the_lesson_ends_with_what_was_done(
    learning,
):
    one_after_the_other(
        learning,
        a_document_is_made_by_ordinary_edits_but_not_of_what_may_not_change,
        a_dock_behind_another_comes_forward_once_its_task_is_solved,
        a_mistake_is_found_in_the_strip_and_told_once_nobody_hunts_it,
        the_lesson_ends_with_what_was_done_and_goes_on_with_exercises,
    )


def test_a_page_shows_what_it_names_first_and_a_long_one_is_scrolled_by_the_keys(
    window, lesson_path, qtbot, tmp_path
):
    what_a_page_shows_first_is_no_answer(window, lesson_path, qtbot, tmp_path)
    a_page_without_tasks_in_sight_is_scrolled_by_the_keys(
        window, lesson_path, qtbot, tmp_path
    )
