"""A lesson leaves the learner's own documents, and what they did in them, alone."""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from attnviewer.document import SetCells
from attnviewer.ui.features.recovery import RecoveryFeature
from tests.ui.lessons.conftest import SCORES, Learning


def edit(window, value):
    window.workbench.edits.submit(SetCells("", "W_Q", 0, 0, np.array([[value]])))
    QApplication.processEvents()


def learn(window, lesson_path, qtbot):
    learning = Learning(window, lesson_path, qtbot)
    learning.open()
    return learning


def close(learning):
    learning.feature.close_lesson()
    learning.rest()


def own_documents_come_back_with_their_undo_history_saved_or_not(
    window, lesson_path, qtbot
):
    own = window.document
    before = own.matrix("W_Q")[0, 0]
    edit(window, 7.5)
    window.workbench.selection.choose_cell("weights", (2, 1))
    window.step_view.set_view("table")
    learning = learn(window, lesson_path, qtbot)
    assert window.document is not own
    assert window.status.saved.text() == "no changes"
    edit(window, 3.0)
    assert window.status.saved.text() == "● modified"
    assert not window.workbench.modified
    assert window.workbench.changed == [own]
    lesson = window.document
    window.activateWindow()
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClicks(table, "x")
    close(learning)
    assert (window.document, learning.learner.away) == (lesson, False)
    assert learning.learner.lesson is not None
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    close(learning)
    assert window.document is own
    assert window.workbench.modified
    assert window.workbench.set_aside == []
    selection = window.workbench.selection
    assert (selection.step, selection.cell) == ("weights", (2, 1))
    assert window.step_view.view == "table"
    window.findChild(QAction, "action.undo").trigger()
    QApplication.processEvents()
    assert own.matrix("W_Q")[0, 0] == before
    assert not window.workbench.modified

    own = window.document
    edit(window, 7.5)
    window.workbench.edits.mark_saved(own)
    learning = learn(window, lesson_path, qtbot)
    learning.learner.go(2)
    learning.rest()
    close(learning)
    assert window.document is own
    assert window.workbench.edits.count() == 1
    assert not window.workbench.modified


def another_document_can_be_opened_in_between(window, lesson_path, qtbot):
    learning = learn(window, lesson_path, qtbot)
    lesson = window.document
    learning.type("scores", "1")
    window.opener.open_example("two-heads")
    learning.rest()
    assert window.workbench.engine.current.withheld == frozenset()
    assert learning.learner.away
    panel = learning.feature.panel
    back = panel.findChild(object, "lesson.remedy")
    assert back.text() == "Back to the lesson"
    back.click()
    learning.rest()
    assert window.document is lesson
    assert learning.standing("scores").answer == {(0, 0): "1"}
    assert window.workbench.engine.current.withheld


def recovery_keeps_and_closing_asks_for_the_own_document_and_nothing_of_the_lesson(
    window, lesson_path, qtbot
):
    recovery = window.add(RecoveryFeature)._recovery
    edit(window, 7.5)
    own = window.document
    learn(window, lesson_path, qtbot)
    edit(window, 3.0)
    autosave = recovery._autosave
    qtbot.waitUntil(lambda: own in autosave._kept)
    qtbot.waitUntil(lambda: not autosave._due())
    assert list(autosave._kept) == [own]

    asked = []

    def confirm(_window, documents):
        asked.extend(documents)
        return True

    window.confirm_close = confirm
    window.close()
    assert asked == [own]


def answers_are_kept_and_the_page_too(window, lesson_path, qtbot):
    learning = learn(window, lesson_path, qtbot)
    learning.type("scores", *SCORES.values())
    learning.click("check", learning.card("scores"))
    learning.choose("which", 0)
    learning.click("check", learning.card("which"))
    # As after a kill: another learner reads what was written, without a close.
    again = Learning(window, lesson_path, qtbot)
    again.learner.open(learning.learner.lesson)
    again.rest()
    assert again.standing("scores").outcome == "right"
    assert again.standing("which").outcome == "wrong"
    assert again.standing("which").verdict is not None
    again.learner.go(2)
    again.learner.open(learning.learner.lesson)
    assert again.learner.place == 2


def a_lesson_that_is_restarted_is_as_new_and_one_that_is_hidden_comes_back(
    window, lesson_path, qtbot
):
    learning = learn(window, lesson_path, qtbot)
    learning.restart()
    learning.type("scores", *SCORES.values())
    learning.click("check", learning.card("scores"))
    learning.learner.go(1)
    learning.learner.restart()
    learning.rest()
    assert learning.learner.place == 0
    assert learning.standing("scores").outcome == "open"
    assert learning.table("scores").cells.texts == {}

    window.docks.toggle("lesson").trigger()
    learning.rest()
    assert not learning.content.isVisible()
    assert "still open" in window.notice.text
    buttons = {b.text(): b for b in window.notice.findChildren(QPushButton)}
    buttons["&Show the lesson"].click()
    learning.rest()
    assert learning.content.isVisible()
    window.docks.toggle("lesson").trigger()
    learning.rest()
    buttons = {b.text(): b for b in window.notice.findChildren(QPushButton)}
    buttons["&Close the lesson"].click()
    learning.rest()
    assert learning.learner.lesson is None
    assert window.document.title.startswith("Four words, weights")


def nothing_under_the_veil_is_told_anywhere(window, lesson_path, qtbot):
    learning = learn(window, lesson_path, qtbot)
    learning.restart()
    window.workbench.selection.choose_cell("weights", (1, 1))
    learning.rest()
    right = f"{window.document.compute()['weights'][1, 1]:.3f}"
    assert "hidden until you answer" in window.status.cell.text()
    for view in ("how", "heatmap", "lines", "heads", "table", "difference"):
        window.step_view.set_view(view)
        learning.rest()
        assert window.step_view.page is window.step_view._withheld
    for name in ("explain", "walk", "lines"):
        window.docks.open_panel(name)
        learning.rest()
    for name in ("walk.none", "lines.none"):
        assert window.findChild(object, name).isVisible()
    window.explain.copy_text()
    assert right not in QApplication.clipboard().text()
    card = window.flow.findChild(object, "flow.weights")
    assert "hidden until you answer" in card.toolTip()
    assert right not in card.toolTip()


def a_file_that_is_no_lesson_is_refused_and_damaged_progress_set_aside(
    window, lesson_path, qtbot
):
    text = lesson_path.read_text("utf-8").replace("step: scores", "step: sores")
    path = lesson_path.parent / "wrong.md"
    path.write_text(text, "utf-8")
    learning = Learning(window, path, qtbot)
    learning.open()
    assert "line" in window.notice.text
    assert learning.learner.lesson is None

    learning = Learning(window, lesson_path, qtbot)
    learning.learner.folder.mkdir(parents=True)
    (learning.learner.folder / "lesson-by-hand.json").write_text("{", "utf-8")
    learning.open()
    assert "starts again" in window.notice.text
    assert learning.learner.lesson.id == "by-hand"

    text = lesson_path.read_text("utf-8")
    start = text.index("```show")
    path = lesson_path.parent / "plain.md"
    path.write_text(text[:start] + text[text.index("```", start + 3) + 4 :], "utf-8")
    learning = Learning(window, path, qtbot)
    learning.open()
    engine = window.workbench.engine
    assert engine.current.withheld
    assert window.workbench.selection.step not in engine.current.withheld
    close(learning)


def test_own_documents_come_back_and_so_does_a_lesson_with_its_answers_and_its_veil(
    window, lesson_path, qtbot
):
    for follows in (
        own_documents_come_back_with_their_undo_history_saved_or_not,
        nothing_under_the_veil_is_told_anywhere,
        a_lesson_that_is_restarted_is_as_new_and_one_that_is_hidden_comes_back,
        another_document_can_be_opened_in_between,
        answers_are_kept_and_the_page_too,
    ):
        follows(window, lesson_path, qtbot)


def test_no_lesson_is_refused_and_recovery_and_closing_are_about_the_own_document(
    window, lesson_path, qtbot
):
    for follows in (
        a_file_that_is_no_lesson_is_refused_and_damaged_progress_set_aside,
        recovery_keeps_and_closing_asks_for_the_own_document_and_nothing_of_the_lesson,
    ):
        follows(window, lesson_path, qtbot)
