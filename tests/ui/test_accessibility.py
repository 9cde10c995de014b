"""What a screen reader finds in the window, and what it says by itself."""

from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QLineEdit,
    QSlider,
)

from attnviewer.io.recovery import About, RecoverableDocument
from attnviewer.ui.failures.dialog import FailureDialog
from attnviewer.ui.recovery.dialog import RecoveryDialog
from attnviewer.ui.views.step.lines.threshold import ThresholdBox
from attnviewer.ui.widgets import announcing
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Role, Text = QAccessible.Role, QAccessible.Text


@pytest.fixture
def window(appearance, open_window):
    return open_window("example:two-heads")


def walk(interface):
    """Yield everything in sight; of tables no cells."""
    yield interface
    if interface.role() != Role.Table:
        for number in range(interface.childCount()):
            child = interface.child(number)
            if child is not None and not child.state().invisible:
                yield from walk(child)


def name_of(interface):
    # On some systems a box has the name of its choice, and a label that is read first.
    kind = QAccessible.RelationFlag.Label
    labels = [other.text(Text.Name) for other, _ in interface.relations(kind)]
    name = interface.text(Text.Name)
    if interface.role() == Role.ComboBox and name == interface.text(Text.Value):
        return " ".join(labels)
    return name


def assert_named(widget):
    found = list(walk(QAccessible.queryAccessibleInterface(widget)))
    stops = [i for i in found if i.state().focusable and i.object() is not None]
    nameless = [i.object() for i in stops if not name_of(i).strip()]
    assert nameless == []
    return stops


def test_everything_that_can_have_the_keys_has_a_name(window):
    assert len(assert_named(window)) > 25
    for name in ("variant.3", "bias", "positions.2", "token.find", "dock.history"):
        action_of(window, name).trigger()
    window.notice.offer("News", [("&This", print)])
    for panel in ("patching", "lines"):
        window.findChild(QDockWidget, f"dock.{panel}").show()
    QApplication.processEvents()
    assert len(assert_named(window)) > 35
    check_boxes_and_sliders_of_all_panels_have_a_name(window)


def check_dialog(window, name):
    window.findChild(QAction, f"action.{name}").trigger()
    (dialog,) = (d for d in window.findChildren(QDialog) if d.isVisible())
    assert dialog.windowTitle(), name
    assert assert_named(dialog), name
    dialog.reject()


def check_boxes_and_sliders_of_all_panels_have_a_name(window):
    kinds = QComboBox, QAbstractSpinBox, QSlider
    fields = [field for kind in kinds for field in window.findChildren(kind)]
    spoken = [name_of(QAccessible.queryAccessibleInterface(f)) for f in fields]
    assert [f for f, name in zip(fields, spoken, strict=True) if not name] == []


def check_everything_in_dialogs_has_a_name(window, tmp_path):
    for name in ("keys", "dimensions", "token.sentence", "token.grid", "new", "gif"):
        check_dialog(window, name)
    window.inputs.table("W_Q").setFocus()
    window.inputs.table("W_Q").selectAll()
    check_dialog(window, "fill")
    check_dialog(window, "draw_all")
    recoverable = RecoverableDocument(
        tmp_path / "1.attn", About("Words"), datetime.now(UTC)
    )
    for dialog in (
        RecoveryDialog([recoverable], window),
        FailureDialog(window, window.workbench, "ValueError"),
    ):
        dialog.open()
        assert dialog.windowTitle()
        assert assert_named(dialog)
        dialog.reject()


def test_choices_cells_and_their_editors_say_what_they_are_and_why_one_refuses(window):
    mask = window.findChild(QComboBox, "spec.mask")
    spoken = QAccessible.queryAccessibleInterface(mask)
    assert (name_of(spoken), spoken.text(Text.Value)) == ("Mask", "Causal")
    table = window.inputs.table("W_Q")
    cells = QAccessible.queryAccessibleInterface(table)
    texts = [cells.child(n).text(Text.Name) for n in range(cells.childCount())]
    assert "W_Q, row 4, column 1: -1.5" in texts
    table.setFocus()
    table.setCurrentIndex(table.model().index(4, 1))
    QTest.keyClicks(table, "x")
    editor = table.viewport().findChild(QLineEdit)
    QTest.keyClick(editor, "\r")
    spoken = QAccessible.queryAccessibleInterface(editor)
    assert spoken.text(Text.Name) == "W_Q, row 4, column 1: -1.5"
    assert spoken.text(Text.Description) == window.reason.text() != ""


def check_reasons_and_news_are_announced(window, monkeypatch):
    said = []

    class Listening:
        AnnouncementPoliteness = QAccessible.AnnouncementPoliteness

        @staticmethod
        def isActive():
            return True

        @staticmethod
        def updateAccessibility(event):
            urgent = QAccessible.AnnouncementPoliteness.Assertive
            said.append((event.message(), event.politeness() == urgent))

    monkeypatch.setattr(announcing, "QAccessible", Listening)
    window.reason.say("No.", QRect(0, 0, 9, 9))
    window.notice.show_message("Done.")
    window.notice.refuse("Not done.")
    assert said == [("No.", True), ("Done.", False), ("Not done.", True)]


def check_sliders_say_their_number_and_what_it_means(window):
    slider = window.findChild(QSlider, "spec.temperature.slider")
    spoken = QAccessible.queryAccessibleInterface(slider)
    assert spoken.role() == Role.Slider
    assert spoken.text(Text.Name) == "Temperature"
    assert spoken.text(Text.Value) == "1.00, no effect"
    value = spoken.valueInterface()
    assert (value.minimumValue(), value.maximumValue()) == (0.05, 20.0)
    value.setCurrentValue(2.0)
    assert abs(window.document.spec.temperature - 2.0) < 0.02
    assert value.currentValue() == window.document.spec.temperature
    assert spoken.text(Text.Value).endswith(", more even weights")
    number = window.findChild(QLineEdit, "spec.temperature.number")
    number.setText("50")
    number.editingFinished.emit()
    assert value.currentValue() == 50.0  # beyond the end of the slider
    # The threshold of the lines is said as a weight.
    window.step_view.set_view("lines")
    box = window.step_view.findChild(ThresholdBox)
    spoken = QAccessible.queryAccessibleInterface(box.slider)
    box.set_threshold(0.03)
    assert spoken.text(Text.Value) == "weights of at least 0.03"
    assert spoken.valueInterface().currentValue() == 0.03
    spoken.valueInterface().setCurrentValue(1.0)
    assert box.threshold == 1.0


def test_sliders_dialogs_reasons_and_news_are_spoken(window, monkeypatch, tmp_path):
    check_sliders_say_their_number_and_what_it_means(window)
    check_everything_in_dialogs_has_a_name(window, tmp_path)
    check_reasons_and_news_are_announced(window, monkeypatch)
