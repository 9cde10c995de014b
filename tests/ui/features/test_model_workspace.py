"""What is around a model: its heads, and inputs only for a head that is edited."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QToolBar,
    QToolButton,
    QWidget,
)

from attnviewer.models.layer_documents import link_of
from attnviewer.ui.views.head_atlas import HeadAtlas

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
FIRST = "L3 H1: it → animal, 0.68, the strongest link between distant words."


def seen(window, *names):
    QApplication.processEvents()
    parts = [window.findChild(QWidget, name) for name in names]
    return [p.isVisible() and not p.visibleRegion().isEmpty() for p in parts]


AROUND = "dock.inputs", "dock.heads", "spec.variant", "flow.weights", "ribbon"
PLAIN = [True, False, True, True, False]
WHOLE = [False, True, False, False, True]
ALONE = [True, False, True, True, True]


def press(window, name):
    QTest.mouseClick(window.findChild(QToolButton, f"button.model.{name}"), LEFT)


def wait(window, qtbot, name):
    def there():
        link = link_of(window.document)
        return link is not None and link.name == name

    qtbot.waitUntil(there)
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    QApplication.processEvents()


def say(window):
    return window.findChild(QLabel, "notice.text").text()


def a_model_has_its_heads_in_place_of_inputs_and_a_line_with_the_buttons(
    window, open_model, gpt2, qtbot
) -> None:
    assert seen(window, *AROUND) == PLAIN
    model, bar = (window.findChild(QToolBar, name) for name in ("model.bar", "bar"))

    def beside():
        """Return whether the model and the buttons share a line."""
        QApplication.processEvents()
        right = window.findChild(QWidget, "export").geometry().right() + bar.x()
        assert right > window.width() - 40  # the buttons are at the end of their line
        return model.y() == bar.y() and model.geometry().right() < bar.x()

    open_model(gpt2)
    assert seen(window, *AROUND) == WHOLE
    assert beside()
    assert seen(window, "model.name") == [True]
    assert window.findChild(QLineEdit, "model.sentence").width() > 300
    press(window, "edit_head")
    wait(window, qtbot, "L0 H0")
    assert seen(window, *AROUND) == ALONE
    assert not beside()
    press(window, "edit_head")
    wait(window, qtbot, "L0")
    assert seen(window, *AROUND) == WHOLE
    assert beside()
    window.opener.open_example("two-heads")
    assert seen(window, *AROUND) == PLAIN
    assert not beside()
    assert not model.isVisible()
    window.findChild(QAction, "action.model.back").trigger()
    wait(window, qtbot, "L0")
    assert seen(window, *AROUND) == WHOLE
    window.findChild(QDockWidget, "dock.heads").close()
    window.findChild(QAction, "action.docks.reset").trigger()
    assert seen(window, *AROUND) == WHOLE
    assert beside()
    window.opener.open_example("two-heads")
    assert seen(window, *AROUND) == PLAIN


def notices_and_a_presentation_leave_the_workspace_of_a_model_in_sight(
    window, open_model, gpt2, qtbot
) -> None:
    notice, centre = window.frame.notice, window.centralWidget()

    def at_top():
        notice.show_message("Done.")
        QApplication.processEvents()
        assert notice.isVisible()
        return notice.y() == 0

    assert not at_top()
    assert notice.geometry().bottom() == centre.rect().bottom()
    open_model(gpt2)
    assert at_top()
    assert notice.height() < window.findChild(QWidget, "ribbon").height() / 2
    present = window.findChild(QAction, "action.presentation")
    present.trigger()
    present.trigger()
    assert at_top()
    # A presentation ends in the workspace that is open by then.
    present.trigger()
    assert seen(window, "dock.inputs", "dock.heads") == [False, False]
    window.opener.open_example("two-heads")
    present.trigger()
    qtbot.waitUntil(lambda: seen(window, *AROUND) == PLAIN)
    assert not at_top()


def test_inputs_that_were_closed_stay_closed_without_the_model_others_come_back(
    window, open_model, open_window, gpt2, qtbot
) -> None:
    window.findChild(QAction, "action.dock.inputs").trigger()
    open_model(gpt2)
    window.opener.open_example("two-heads")
    assert seen(window, *AROUND) == [False, *PLAIN[1:]]
    window.findChild(QAction, "action.dock.inputs").trigger()
    window.findChild(QAction, "action.model.back").trigger()
    wait(window, qtbot, "L0")
    window.close()
    another = open_window("example:four-words", (1366, 768))
    assert seen(another, *AROUND) == PLAIN


def layer_and_head_have_one_control(window, open_model, gpt2, qtbot) -> None:
    controls = "atlas.stepper", "model.layer", "model.head", "step.head"
    open_model(gpt2)
    assert seen(window, *controls) == [True, False, False, False]
    window.findChild(QDockWidget, "dock.heads").close()
    qtbot.waitUntil(lambda: seen(window, *controls) == [False, True, True, True])
    window.docks.open_panel("heads")
    qtbot.waitUntil(lambda: seen(window, *controls) == [True, False, False, False])
    window.opener.open_example("two-heads")
    assert seen(window, *controls) == [False, False, False, True]
    assert isinstance(window.findChild(QWidget, "step.head"), QComboBox)


def apply_is_there_only_when_something_was_changed(
    window, open_model, gpt2, qtbot
) -> None:
    model = open_model(gpt2)
    button = "button.model.put_back"
    assert seen(window, button) == [False]
    window.workbench.selection.choose_head(0)
    press(window, "edit_head")
    wait(window, qtbot, "L0 H0")
    assert seen(window, button) == [False]
    table = window.inputs.table("W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, Key.Key_3)
    QTest.keyClick(table.findChild(QLineEdit), Key.Key_Return)
    assert seen(window, button) == [True]
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(window, Key.Key_Z, control)
    assert seen(window, button) == [False]
    QTest.keyClick(window, Key.Key_Y, control)
    press(window, "put_back")
    qtbot.waitUntil(lambda: model.experiment.patches != ())
    QTest.keyClick(window, Key.Key_Z, control)
    # The model computes with other weights than are open.
    assert seen(window, button) == [True]


def test_a_baseline_leaves_all_buttons_in_the_line(window, open_model, gpt2) -> None:
    open_model(gpt2)
    window.resize(1366, 768)
    export = window.findChild(QToolButton, "export")

    def ends_the_line():
        for _ in range(3):  # a request for a layout asks for another
            QApplication.processEvents()
        right = export.mapTo(window, export.rect().topRight()).x()
        return export.isVisible() and 1366 - 20 < right < 1366

    assert ends_the_line()
    window.findChild(QToolButton, "button.pin").click()
    assert ends_the_line()
    window.workbench.baseline.unpin()
    assert ends_the_line()


def test_a_model_has_a_workspace_of_its_own(window, open_model, gpt2, qtbot) -> None:
    for follows in (
        a_model_has_its_heads_in_place_of_inputs_and_a_line_with_the_buttons,
        notices_and_a_presentation_leave_the_workspace_of_a_model_in_sight,
        layer_and_head_have_one_control,
        apply_is_there_only_when_something_was_changed,
    ):
        follows(window, open_model, gpt2, qtbot)


def test_a_real_model_opens_on_its_most_telling_head(window, minilm, qtbot) -> None:
    window.opener.open(str(minilm))
    wait(window, qtbot, "L3")
    selection = window.workbench.selection
    assert selection.head == 1
    assert (selection.step, selection.cell) == ("weights", (10, 2))
    assert window.step_view.view == "heatmap"
    assert say(window).startswith(FIRST)
    assert seen(window, *AROUND) == WHOLE
    location = window.findChild(QLabel, "atlas.location").text()
    assert location == "L3 · H1"
    rows = window.findChild(HeadAtlas).same.rows

    def listed():
        names = (rows.index(row, 0).data() for row in range(rows.rowCount()))
        return list(names) == ["L3 H1", "L5 H11", "L5 H3", "L0 H6", "L4 H11"]

    qtbot.waitUntil(listed)


def test_with_large_texts_the_heads_are_in_front_of_the_other_panels(
    appearance, open_window, minilm, qtbot
) -> None:
    appearance.set_text_size(150)
    window = open_window("example:four-words", (1366, 768))
    window.opener.open(str(minilm))
    wait(window, qtbot, "L3")
    qtbot.waitUntil(lambda: seen(window, "atlas.location") == [True])


def test_who_has_chosen_something_meanwhile_stays_there(
    window, minilm, qtbot, gate
) -> None:
    model = window.workbench.model
    with qtbot.waitSignal(model.completed, timeout=20_000):
        with qtbot.waitSignal(model.changed, timeout=20_000):
            window.opener.open(str(minilm))
        gate.clear()
        window.workbench.selection.choose_head(4)
        gate.set()
    QApplication.processEvents()
    assert link_of(window.document).name == "L0"
    assert window.workbench.selection.head == 4
    assert FIRST not in say(window)
