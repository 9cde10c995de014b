"""Texts fit their boxes, in every example, theme and size."""

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QGraphicsItem,
    QLineEdit,
    QTabBar,
    QToolButton,
)

from attnviewer.io import list_examples
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.window.app import create_window
from attnviewer.views import VIEWS

from .cut_off_texts import misfits

EXAMPLES = [info.id for info in list_examples()]


@pytest.fixture
def make_window(qtbot, appearance):
    windows = []

    def make(size=(1366, 768), percent=100, theme="light", example="four-words"):
        appearance.choose(theme)
        appearance.set_text_size(percent)
        window = create_window(f"example:{example}")
        qtbot.addWidget(window)
        windows.append(window)
        window.resize(*size)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield make
    for window in windows:
        window.close()


def settle():
    for _ in range(3):
        QApplication.processEvents()


@pytest.mark.parametrize(
    ("percent", "theme", "examples"),
    [
        (80, "dark", EXAMPLES[::4]),
        (125, "light", EXAMPLES[2::4]),
        (200, "dark", EXAMPLES),
    ],
)
def test_texts_fit_their_boxes_on_a_small_screen(make_window, theme, percent, examples):
    window = make_window(percent=percent, theme=theme)
    for example in examples:
        window.opener.open(f"example:{example}")
        for panel in ("inputs", "explain"):
            window.findChild(QDockWidget, f"dock.{panel}").raise_()
            settle()
            assert misfits(window) == [], (example, panel)


@pytest.mark.parametrize("percent", [100, 200])
def test_every_view_has_its_room_on_a_small_screen(make_window, percent):
    window = make_window(percent=percent)
    window.opener.open("example:two-heads")
    window.workbench.baseline.pin(window.document)
    line = window.fontMetrics().height()
    for view in VIEWS:
        window.step_view.set_view(view)
        settle()
        assert misfits(window) == [], view
        page = window.step_view._stack
        assert page.height() > 10 * line, view
        assert page.width() > 28 * line, view
    tabs = window.step_view.header.tabs
    assert tabs.width() >= tabs.sizeHint().width()


@pytest.mark.parametrize("percent", [100, 150])
def test_the_walk_leaves_the_heatmap_its_rows_on_a_small_screen(make_window, percent):
    window = make_window(percent=percent)
    window.step_view.set_view("heatmap")
    window.findChild(QAction, "action.dock.walk").trigger()
    settle()
    assert misfits(window) == []
    row = window.step_view.heatmap.cell_rect((0, 0)).height()
    assert row > window.fontMetrics().height()


def test_labels_are_drawn_anew_where_the_walk_has_taken_their_room(make_window):
    window = make_window(percent=200, example="two-heads")
    window.step_view.set_view("heatmap")
    settle()
    window.grab()
    window.findChild(QAction, "action.dock.walk").trigger()
    settle()
    settle()
    heatmap = window.step_view.heatmap
    seen = window.grab().toImage()
    for axis in (heatmap.rows, heatmap.columns):
        mode = axis.cacheMode()
        axis.setCacheMode(QGraphicsItem.CacheMode.NoCache)  # lets go of what is kept
        axis.setCacheMode(mode)
    assert seen == window.grab().toImage()


@pytest.mark.parametrize("percent", [125, 200])
def test_large_texts_leave_the_heatmap_its_numbers_on_a_small_screen(
    make_window, percent
):
    window = make_window(percent=percent)
    window.step_view.set_view("heatmap")
    for example in ("four-words", "two-heads"):
        window.opener.open(f"example:{example}")
        settle()
        cell = window.step_view.heatmap.cell_rect((0, 0))
        assert cell.height() > window.fontMetrics().height(), example
        assert cell.width() > window.fontMetrics().horizontalAdvance("0.0"), example


@pytest.mark.parametrize(
    ("size", "percent"),
    [
        ((960, 600), 100),
        ((1366, 768), 150),
        ((3840, 2160), 200),
    ],
)
def test_texts_fit_in_every_variant_and_view(make_window, qtbot, size, percent):
    window = make_window(size, percent)
    do = ["variant.3", "bias", "positions.2", "token.find", "dock.history", "table"]
    for name in do:
        window.findChild(QAction, f"action.{name}").trigger()
        settle()
        assert misfits(window) == [], name
    qtbot.waitUntil(window.last_edit.isVisible)
    settle()
    assert misfits(window) == []
    for step in window.workbench.engine.current.trace:
        window.workbench.open_step(step)
        settle()
        assert misfits(window) == [], step


@pytest.mark.parametrize("percent", [80, 150])
def test_texts_fit_in_every_dialog(make_window, percent):
    window = make_window(percent=percent)
    for name in ("dimensions", "export", "fill", "token.sentence", "keys"):
        window.inputs.table("X").setFocus()
        window.findChild(QAction, f"action.{name}").trigger()
        settle()
        (dialog,) = [d for d in window.findChildren(QDialog) if d.isVisible()]
        assert misfits(dialog) == [], name
        assert dialog.height() <= 768, name
        assert dialog.width() <= 1366, name
        dialog.reject()
        settle()


def test_a_text_that_is_cut_off_is_found(make_window):
    window = make_window()
    assert misfits(window) == []
    for widget in (
        window.findChild(QToolButton, "export"),
        window.findChild(QLineEdit, "spec.temperature.number"),
        window.findChild(QTabBar, "step.tabs"),
        window.findChild(FlowCard, "flow.weights"),
    ):
        before = widget.minimumWidth(), widget.maximumWidth()
        size = widget.size()
        widget.setFixedWidth(20)
        settle()
        assert misfits(window), widget
        widget.setMinimumWidth(before[0])
        widget.setMaximumWidth(before[1])
        widget.resize(size)
        settle()
    assert misfits(window) == []
    window.explain.setFixedWidth(60)
    settle()
    assert misfits(window)
