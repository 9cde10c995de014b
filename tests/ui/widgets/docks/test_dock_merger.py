"""Panels share one side of a window that is narrow for its texts."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QWidget

from attnviewer.ui.widgets.tab_order import stop_before
from attnviewer.ui.window.app import create_window
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Area = Qt.DockWidgetArea


@pytest.fixture
def make_window(qtbot, appearance):
    windows = []

    def make(percent, width=1366, layout=None, height=768):
        appearance.set_text_size(percent)
        window = create_window("example:two-heads")
        qtbot.addWidget(window)
        windows.append(window)
        window.resize(width, height)
        if layout is not None:
            assert window.docks.restore(layout)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        settle()
        return window

    yield make
    for window in windows:
        window.close()


def settle():
    for _ in range(3):
        QApplication.processEvents()


def dock(window, name):
    return window.findChild(QDockWidget, f"dock.{name}")


def do(window, name):
    action_of(window, name).trigger()
    settle()


def in_sight(window):
    """Return which of the panels beside the centre are seen."""
    return [
        name
        for name in ("inputs", "explain", "history")
        if dock(window, name).isVisible()
        and window.rect().contains(dock(window, name).geometry())
    ]


def tabs(window):
    bars = window.findChildren(QTabBar, "docks.tabs")
    (bar,) = (bar for bar in bars if bar.isVisible())
    return [bar.tabText(number) for number in range(bar.count())]


def share_of_the_centre(window):
    return window.step_view.width() / window.width()


def test_both_sides_have_panels_where_there_is_room(make_window):
    window = make_window(80)
    assert in_sight(window) == ["inputs", "explain"]


@pytest.mark.parametrize("percent", [125, 200])
def test_large_texts_leave_one_side_to_all_panels_which_come_forward_by_click_and_menu(
    make_window, qtbot, percent
):
    window = make_window(percent)
    assert in_sight(window) == ["inputs"]
    assert tabs(window) == ["Inputs", "Explain"]
    assert share_of_the_centre(window) > 0.65
    bar = window.findChild(QTabBar, "docks.tabs")
    assert bar.accessibleName() == "Panels"
    for number, panel in ((1, "explain"), (0, "inputs")):
        place = bar.tabRect(number).center()
        qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
        settle()
        assert in_sight(window) == [panel]
    # The menu brings a panel forward before it closes it.
    do(window, "dock.explain")
    assert in_sight(window) == ["explain"]
    assert dock(window, "explain").isAncestorOf(QApplication.focusWidget())
    do(window, "dock.history")
    assert in_sight(window) == ["history"]
    do(window, "dock.history")
    assert not dock(window, "history").isVisible()
    assert len(in_sight(window)) == 1


@pytest.mark.parametrize(
    ("height", "sides"), [(768, ["inputs", "explain"]), (640, ["inputs"])]
)
def test_a_narrow_window_has_panels_on_both_sides_if_it_is_high(
    make_window, height, sides
):
    assert in_sight(make_window(100, 1024, height=height)) == sides


def test_a_panel_that_the_keys_go_to_comes_forward(make_window):
    window = make_window(200)
    focused = set()
    for _ in range(80):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        settle()
        widget = QApplication.focusWidget()
        place = QRect(widget.mapTo(window, QPoint()), widget.size())
        assert window.rect().intersects(place), widget.objectName()
        focused |= {n for n in in_sight(window) if dock(window, n).isAncestorOf(widget)}
    assert focused == {"inputs", "explain"}


def test_keys_that_qt_hands_on_bring_no_panel_forward(make_window):
    window = make_window(200)
    assert in_sight(window) == ["inputs"]
    step = window.step_view
    assert step.isAncestorOf(QApplication.focusWidget())
    step.hide()
    # Whatever has them now was chosen by nobody.
    assert not step.isAncestorOf(QApplication.focusWidget())
    settle()
    assert in_sight(window) == ["inputs"]
    step.show()
    window.step_view.set_view("heatmap")
    behind = window.findChild(QWidget, "explain.formula")
    last = stop_before(behind)
    last.setFocus()
    last.hide()  # nor may they stay where nobody sees them
    settle()
    assert in_sight(window) == ["inputs"]
    assert not behind.hasFocus()


def test_panels_part_again_by_hand_with_smaller_texts_or_in_a_larger_window(
    make_window,
):
    window = make_window(200)
    do(window, "dock.explain.right")
    assert in_sight(window) == ["inputs", "explain"]
    window.resize(1340, 760)
    settle()
    assert in_sight(window) == ["inputs", "explain"]  # where the person has moved it
    do(window, "docks.reset")
    assert in_sight(window) == ["inputs"]
    window.appearance.set_text_size(100)
    settle()
    assert in_sight(window) == ["inputs", "explain"]
    assert window.dockWidgetArea(dock(window, "explain")) == Area.RightDockWidgetArea
    window.appearance.set_text_size(200)
    settle()
    assert in_sight(window) == ["inputs"]
    window.resize(3000, 1600)
    settle()
    assert in_sight(window) == ["inputs", "explain"]


def test_a_layout_that_comes_back_fits_the_texts_of_that_time(make_window):
    layout = None
    for percent in (200, 100, 200):
        window = make_window(percent, layout=layout)
        expected = ["inputs", "explain"] if percent == 100 else ["inputs"]
        assert in_sight(window) == expected, percent
        layout = window.docks.layout_state()
        window.close()


def test_a_panel_that_shares_a_place_does_so_wherever_that_is(make_window):
    window = make_window(100)
    do(window, "dock.lines")
    assert tabs(window) == ["Explain", "Lines"]
    window.appearance.set_text_size(200)
    settle()
    assert tabs(window) == ["Inputs", "Explain", "Lines"]
    window.appearance.set_text_size(100)
    settle()
    assert tabs(window) == ["Explain", "Lines"]
    do(window, "dock.explain.close")
    do(window, "dock.explain")
    assert tabs(window) == ["Explain", "Lines"]
    do(window, "docks.reset")
    assert in_sight(window) == ["inputs", "explain"]
    assert not dock(window, "lines").isVisible()


def test_a_presentation_leaves_the_panels_as_they_were_and_the_tour_finds_them(
    make_window,
):
    window = make_window(200)
    do(window, "presentation")
    assert in_sight(window) == []
    do(window, "presentation")
    assert in_sight(window) == ["inputs"]
    do(window, "tour")
    for _ in range(4):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        settle()
    assert in_sight(window) == ["explain"]
    balloon: QWidget = window.tour.balloon
    assert window.rect().contains(balloon.geometry())
    window.tour.end()
