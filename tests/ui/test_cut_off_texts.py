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
from tests.menus import action_of

from .cut_off_texts import misfits

EXAMPLES = [info.id for info in list_examples()]


@pytest.fixture
def make_window(qtbot, appearance):
    windows = []

    def make(percent=100, theme="light"):
        appearance.choose(theme)
        appearance.set_text_size(percent)
        window = create_window("example:four-words")
        qtbot.addWidget(window)
        windows.append(window)
        window.resize(1366, 768)
        with qtbot.waitExposed(window):
            window.show()
        return window

    yield make
    for window in windows:
        window.close()


def settle():
    for _ in range(3):
        QApplication.processEvents()


def test_small_texts_fit_in_examples_and_every_dialog(make_window):
    window = make_window(percent=80, theme="dark")
    check_examples(window, EXAMPLES[::4])
    check_dialogs(window)


def test_usual_texts_fit_in_every_view_and_variant_which_have_their_room(
    make_window, qtbot
):
    window = make_window()
    check_walk(window)
    check_views(window)
    window.resize(960, 600)
    settle()
    check_variants_and_steps(window, qtbot)


def test_larger_texts_fit_in_examples_and_leave_the_heatmap_its_numbers(make_window):
    window = make_window(percent=125)
    check_examples(window, EXAMPLES[2::4])
    check_numbers(window)


def test_large_texts_fit_beside_the_walk_and_in_every_dialog_and_variant(
    make_window, qtbot
):
    window = make_window(percent=150)
    check_walk(window)
    check_dialogs(window)
    check_variants_and_steps(window, qtbot)


def test_the_largest_texts_fit_in_every_example_view_and_variant(make_window, qtbot):
    window = make_window(percent=200, theme="dark")
    check_examples(window, EXAMPLES)
    check_numbers(window)
    check_labels(window)
    check_views(window)
    window.resize(3840, 2160)
    settle()
    check_variants_and_steps(window, qtbot)


def check_examples(window, examples):
    for example in examples:
        window.opener.open(f"example:{example}")
        for panel in ("inputs", "explain"):
            window.findChild(QDockWidget, f"dock.{panel}").raise_()
            settle()
            assert misfits(window) == [], (example, panel)


def check_views(window):
    """Every view has its room."""
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


def check_walk(window):
    """The walk leaves the heatmap its rows."""
    window.step_view.set_view("heatmap")
    window.findChild(QAction, "action.dock.walk").trigger()
    settle()
    assert misfits(window) == []
    row = window.step_view.heatmap.cell_rect((0, 0)).height()
    assert row > window.fontMetrics().height()
    window.findChild(QAction, "action.dock.walk").trigger()
    settle()


def check_labels(window):
    """Labels are drawn anew where the walk has taken their room."""
    window.opener.open("example:two-heads")
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
    window.findChild(QAction, "action.dock.walk").trigger()
    settle()


def check_numbers(window):
    """The heatmap keeps its numbers."""
    window.step_view.set_view("heatmap")
    for example in ("four-words", "two-heads"):
        window.opener.open(f"example:{example}")
        settle()
        cell = window.step_view.heatmap.cell_rect((0, 0))
        assert cell.height() > window.fontMetrics().height(), example
        assert cell.width() > window.fontMetrics().horizontalAdvance("0.0"), example


def check_variants_and_steps(window, qtbot):
    window.opener.open("example:four-words")
    window.step_view.set_view("how")
    do = ["variant.3", "bias", "positions.2", "token.find", "dock.history", "table"]
    for name in do:
        action_of(window, name).trigger()
        settle()
        assert misfits(window) == [], name
    qtbot.waitUntil(window.last_edit.isVisible)
    settle()
    assert misfits(window) == []
    for step in window.workbench.engine.current.trace:
        window.workbench.open_step(step)
        settle()
        assert misfits(window) == [], step


def check_dialogs(window):
    window.opener.open("example:four-words")
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
