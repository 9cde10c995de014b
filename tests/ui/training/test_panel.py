"""The panel opens ready to play with a document that is about training, only then."""

import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QScrollArea,
    QToolButton,
    QWidget,
)

from attnviewer.ui.features.training import SHARE, TrainingFeature
from attnviewer.ui.views.training.curve import LossCurve
from attnviewer.ui.views.training.texts import OPTIMIZERS, TASKS
from tests.focus import visited_by_tab

from .conftest import Panel


def dock(window):
    return window.findChild(QDockWidget, "dock.training")


def test_the_example_opens_it_high_enough_for_the_run_and_closed_it_stays_closed(
    appearance, open_window, qtbot
):
    window = open_window("example:look-back", (1366, 768))
    QApplication.processEvents()
    assert abs(dock(window).height() / window.centralWidget().height() - SHARE) < 0.02
    assert window.findChild(QToolButton, "training.play").isVisible()
    assert not window.findChild(QWidget, "training.form").isVisible()

    empty = window.findChild(QLabel, "training.empty")
    assert empty.isVisible()
    panel = Panel(window, qtbot)
    panel.click("step")
    panel.rest()
    assert not empty.isVisible()

    dock(window).close()
    window.feature(TrainingFeature).settle()
    QApplication.processEvents()
    assert not dock(window).isVisible()


@pytest.mark.parametrize("percent", [100, 200])
def test_the_curve_names_its_last_step(appearance, qtbot, percent):
    appearance.set_text_size(percent)
    curve = LossCurve(None)
    qtbot.addWidget(curve)
    curve.show_theme(appearance.theme)
    curve.show_losses([1.0, 0.5], 1, 200)
    curve.resize(percent * 3, percent * 2)
    curve.show()
    for _ in range(2):  # the axis takes its height after it was painted first
        QApplication.processEvents()
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    *_, texts = curve._bottom.generateDrawSpecs(painter)
    painter.end()
    assert texts[-1][2] == "200"


def test_in_a_narrow_window_it_is_in_front(appearance, open_window, qtbot):
    window = open_window("example:look-back", (960, 700))
    play = window.findChild(QToolButton, "training.play")
    qtbot.waitUntil(lambda: not play.visibleRegion().isEmpty())


def test_other_documents_leave_it_closed(window):
    assert not dock(window).isVisible()


def check_tab_visits_the_form_from_top_to_bottom(window):
    form = window.findChild(QWidget, "training.form")
    form.findChild(QWidget, "training.task").setFocus()
    visited = visited_by_tab(form)
    assert visited[-1][1] == "training.pace"
    assert len(visited) > 12
    assert visited == sorted(visited, key=lambda stop: stop[0])


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_all_choices_have_room_in_its_width(appearance, open_window, percent, qtbot):
    appearance.set_text_size(percent)
    window = open_window("example:look-back", (1366, 768))
    scroll = window.findChild(QScrollArea, "training.scroll")
    qtbot.waitUntil(scroll.isVisible)
    panel = Panel(window, qtbot)
    panel.click("step")
    panel.rest()
    panel.click("more")
    check_tab_visits_the_form_from_top_to_bottom(window)
    chosen = [("task", task) for task in TASKS]
    chosen += [("optimizer", optimizer) for optimizer in OPTIMIZERS]
    for name, choice in chosen:
        panel.choose(name, choice)
        QApplication.processEvents()
        assert scroll.widget().width() == scroll.viewport().width(), choice
