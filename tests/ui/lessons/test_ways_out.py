"""Nothing leaves the window, on any way, that a task of the lesson still asks for."""

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from attnviewer.document import SetCells
from attnviewer.ui.state.live import NO_VEIL, Veil
from attnviewer.ui.views.training.content import TrainingContent
from tests.ui.lessons.conftest import Learning

WAYS = (
    *("export_step", "export_all", "export", "copy_step"),
    *("picture", "copy_picture", "gif"),
    *("save", "save_as", "record", "edit.seek", "edit.pin"),
)


@pytest.fixture
def never_asked(monkeypatch):
    """Fail where a file is asked for."""

    def asked(*_arguments, **_options):
        raise AssertionError("a file was asked for")

    for name in ("getSaveFileName", "getExistingDirectory"):
        monkeypatch.setattr(QFileDialog, name, asked)


def explained(window):
    box = window.explain.findChild(object, "explain.formula")
    return box.accessibleDescription()


def every_way_out_is_refused_until_the_task_is_answered(
    window, lesson_path, never_asked, qtbot
):
    learning = Learning(window, lesson_path, qtbot)
    learning.open()
    notice = window.notice
    window.workbench.selection.choose_cell("weights", (1, 1))
    clipboard = QGuiApplication.clipboard()
    clipboard.setText("before")
    for way in WAYS:
        notice.dismiss()
        action = window.findChild(QAction, f"action.{way}")
        assert action is not None, way
        action.trigger()
        learning.rest()
        assert "the lesson still asks for" in notice.text, way
        assert clipboard.text() == "before", way
        assert not [d for d in window.findChildren(QDialog) if d.isVisible()], way


def what_follows_from_a_hidden_step_is_not_explained_and_what_was_open_is_shut(
    window,
):
    engine = window.workbench.engine
    engine.withhold(Veil(frozenset({"scaled"})))
    window.docks.open_panel("explain")
    window.workbench.selection.choose_cell("weights", (1, 1))
    window.explain.catch_up()
    weight = window.document.compute()["weights"][1, 1]
    said = explained(window)
    assert f"{weight:.4f}" in said
    assert said.endswith("Hidden until you answer: scaled.")
    assert window.workbench.sensitivity.target is None
    box = window.explain.findChild(object, "explain.influence")
    assert box.accessibleDescription() == "Hidden until you answer"
    window.explain.copy_latex()
    assert "nan" not in QGuiApplication.clipboard().text().lower()
    engine.withhold(NO_VEIL)
    window.explain.catch_up()
    assert "Hidden" not in explained(window)
    assert window.workbench.sensitivity.target is not None

    window.workbench.selection.choose_cell("weights", (1, 1))
    window.findChild(QAction, "action.edit.seek").trigger()
    (dialog,) = (d for d in window.findChildren(QDialog) if d.isVisible())
    engine.withhold(Veil(frozenset({"scaled", "weights"})))
    assert not dialog.isVisible()
    # The lines are those of the weights, and the list of changes is of all steps.
    window.workbench.selection.choose_cell("scores", (1, 1))
    window.step_view.set_view("lines")
    QApplication.processEvents()
    assert window.step_view.page is window.step_view._withheld
    number = SetCells("", "W_Q", 0, 0, window.document.matrix("W_Q")[:1, :1] + 1)
    window.workbench.edits.submit(number)
    window.step_view.set_view("difference")
    QApplication.processEvents()
    finder = window.step_view.difference.finder
    finder.finish()
    assert set(finder.steps).isdisjoint({"scaled", "weights"})
    assert "scores" in finder.steps
    window.workbench.selection.choose_cell("weights", (1, 1))
    window.last_edit._update_text()
    assert window.last_edit.text() == "Last edit"
    window.docks.open_panel("training")
    QApplication.processEvents()
    content = window.findChild(TrainingContent)
    content._take_target("weights")
    assert "the lesson still asks for" in content._refusal


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_nothing_leaves_the_window_that_a_task_still_asks_for(
    window, lesson_path, never_asked, qtbot
):
    what_follows_from_a_hidden_step_is_not_explained_and_what_was_open_is_shut(window)
    window.workbench.engine.withhold(NO_VEIL)
    every_way_out_is_refused_until_the_task_is_answered(
        window, lesson_path, never_asked, qtbot
    )
