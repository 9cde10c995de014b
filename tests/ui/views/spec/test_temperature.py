"""The temperature's slider and number, in the bar."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QSlider, QVBoxLayout, QWidget

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.views.spec.spec_bar import SpecBar
from attnviewer.ui.views.spec.temperature import TemperatureControl
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.wheel import NOTCH, turn_wheel


class Bar:
    def __init__(self, qtbot, make_edits):
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.document = Document("", ["a"], {"X": np.eye(1)}, Spec(projected=False))
        self.edits = make_edits(self.document, self.window)
        self.reason = ReasonBubble(self.window)
        self.bar = SpecBar(self.edits, self.reason, self.window)
        QVBoxLayout(self.window).addWidget(self.bar)
        self.window.resize(1300, 120)
        with qtbot.waitActive(self.window):
            self.window.show()
            self.window.activateWindow()
        self.slider = self.window.findChild(QSlider, "spec.temperature.slider")
        self.number = self.window.findChild(QLineEdit, "spec.temperature.number")

    @property
    def temperature(self):
        return self.document.spec.temperature

    def at(self, share: float) -> QPoint:
        """Return the point of the handle at a share of the way."""
        handle = 16  # as wide as the style draws it, or nearly
        width = self.slider.width() - handle
        return QPoint(round(handle / 2 + share * width), self.slider.height() // 2)

    def drag(self, *shares: float) -> None:
        button = Qt.MouseButton.LeftButton
        QTest.mousePress(self.slider, button, pos=self.at(shares[0]))
        for share in shares[1:]:
            QTest.mouseMove(self.slider, self.at(share))
        QTest.mouseRelease(self.slider, button, pos=self.at(shares[-1]))


@pytest.fixture
def bar(qtbot, appearance, make_edits):
    bar = Bar(qtbot, make_edits)
    yield bar
    bar.bar.release()
    bar.reason.clear()


def test_one_is_in_the_middle(bar):
    assert bar.slider.value() == 0
    assert bar.number.text() == "1.00"
    assert bar.slider.minimum() == -bar.slider.maximum()


def test_the_ends_are_a_twentieth_and_twenty(bar):
    QTest.keyClick(bar.slider, Qt.Key.Key_End)
    assert bar.temperature == 20
    QTest.keyClick(bar.slider, Qt.Key.Key_Home)
    assert bar.temperature == 0.05


def test_a_drag_is_followed_live_and_is_one_step_of_undo(bar):
    seen = []
    bar.document.changed.connect(lambda _change: seen.append(bar.temperature))
    bar.drag(0.5, 0.6, 0.7, 0.8)
    assert len(seen) >= 3
    assert seen == sorted(seen)
    assert bar.edits.count() == 1
    last = bar.temperature
    assert last > 2
    assert bar.edits.undoText() == f"Set temperature to {last:g}"
    bar.edits.undo()
    assert bar.temperature == 1
    assert bar.slider.value() == 0
    bar.edits.redo()
    assert bar.temperature == last


def test_a_drag_there_and_back_is_no_edit(bar):
    bar.drag(0.5, 0.7, 0.5)
    assert bar.temperature == 1
    assert bar.edits.count() == 0


def test_two_drags_are_two_steps(bar):
    bar.drag(0.5, 0.7)
    first = bar.temperature
    bar.drag(bar.slider.value() / 2000 + 0.5, 0.9)
    assert bar.edits.count() == 2
    bar.edits.undo()
    assert bar.temperature == first


def test_keys_step_and_each_press_is_one_edit(bar):
    QTest.keyClick(bar.slider, Qt.Key.Key_Right)
    assert 1.05 < bar.temperature < 1.07
    QTest.keyClick(bar.slider, Qt.Key.Key_PageUp)
    assert bar.edits.count() == 2
    QTest.keyClick(bar.slider, Qt.Key.Key_PageDown)
    QTest.keyClick(bar.slider, Qt.Key.Key_Left)
    assert bar.temperature == 1


def test_a_double_click_puts_it_back_to_one(bar):
    QTest.keyClick(bar.slider, Qt.Key.Key_End)
    place = bar.at(1.0)
    QTest.mouseClick(bar.slider, Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(bar.slider, Qt.MouseButton.LeftButton, pos=place)
    assert bar.temperature == 1
    assert bar.slider.value() == 0


@pytest.mark.parametrize(
    ("typed", "want", "shown"),
    [("0.7", 0.7, "0.70"), ("1e-3", 0.001, "0.001"), ("50", 50.0, "50.00")],
)
def test_a_number_can_be_typed_even_beyond_the_slider(bar, typed, want, shown):
    bar.number.setFocus()
    bar.number.selectAll()
    QTest.keyClicks(bar.number, typed)
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    assert bar.temperature == want
    assert bar.number.text() == shown
    assert bar.edits.count() == 1


@pytest.mark.parametrize(
    ("typed", "shown", "whole"),
    [
        ("1/3", "0.3333", "0.3333333333333333"),
        ("0.051234", "0.0512", "0.051234"),
        ("4000", "4000", "4000"),
        ("123456.7", "1.23e5", "123456.7"),
        ("1.5e-300", "2e−300", "1.5e-300"),
    ],
)
def test_a_number_too_long_for_the_field_is_rounded_there_and_whole_in_the_tip(
    bar, typed, shown, whole
):
    bar.number.setFocus()
    bar.number.selectAll()
    QTest.keyClicks(bar.number, typed)
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    assert bar.number.text() == shown
    width = bar.number.fontMetrics().horizontalAdvance(shown)
    assert width <= bar.number.contentsRect().width() - 4
    assert f"temperature, {whole}:" in bar.number.toolTip()
    before = bar.temperature
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    assert bar.temperature == before
    assert bar.edits.count() == 1


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("0", "The 'temperature' option must be a finite number above 0"),
        ("-2", "The 'temperature' option must be a finite number above 0"),
        ("warm", "“warm” is not a number."),
        ("", "Type a number"),
    ],
)
def test_a_wrong_number_is_told_why_and_changes_nothing(bar, typed, reason):
    bar.number.setFocus()
    bar.number.selectAll()
    QTest.keyClick(bar.number, Qt.Key.Key_Backspace)
    QTest.keyClicks(bar.number, typed)
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    assert bar.reason.text().startswith(reason)
    assert bar.number.text() == "1.00"
    assert bar.document.revision == 0


def test_only_a_wheel_that_is_meant_turns_it(bar):
    bar.slider.clearFocus()
    turn_wheel(bar.slider, NOTCH)
    assert bar.document.revision == 0
    bar.slider.setFocus()
    turn_wheel(bar.slider, NOTCH)
    assert bar.temperature > 1


def test_names_for_screen_readers(bar):
    assert bar.slider.accessibleName() == "Temperature"
    assert bar.number.accessibleName() == "Temperature as a number"


def test_the_caption_is_there_where_it_fits(bar):
    control = TemperatureControl(bar.edits, bar.reason, "how.temperature", bar.window)
    least = control.sizeHint().width()
    control.fit(least)
    assert control.caption.isHidden()
    control.fit(2 * least)
    assert not control.caption.isHidden()
    assert control.sizeHint().width() <= 2 * least
