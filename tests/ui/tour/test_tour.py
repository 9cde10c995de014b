"""The tour points out the parts of the window, which stay usable."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from attnviewer.ui.window.app import create_window
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key


def do(window, name):
    action_of(window, name).trigger()
    QApplication.processEvents()


def press(key):
    QTest.keyClick(QApplication.focusWidget(), key)
    QApplication.processEvents()


def place(widget, window):
    return QRect(widget.mapTo(window, QPoint()), widget.size())


def said(window):
    balloon = window.tour.balloon
    names = ("title", "count", "text")
    return [balloon.findChild(QLabel, f"tour.{name}").text() for name in names]


@pytest.fixture
def first_window(qtbot, appearance):
    """A window that has not been shown."""
    window = create_window("example:four-words")
    qtbot.addWidget(window)
    yield window
    window.close()


@pytest.fixture
def tour(window):
    do(window, "tour")
    return window.tour


def test_enter_leads_through_five_stops_each_told_to_a_screen_reader(window):
    assert window.tour.balloon is None  # nobody is shown it unasked
    do(window, "tour")
    tour = window.tour
    targets = [
        window.inputs,
        window.inputs.table("X").viewport(),
        window.flow,
        window.step_view.header,
        window.explain,
    ]
    seen, ended = [], []
    tour.ended.connect(lambda: ended.append(True))
    for target in targets:
        title, count, text = said(window)
        seen.append((title, count))
        spoken = f"{title}, {count}. {text}"
        assert tour.balloon.accessibleName() == spoken
        button = QApplication.focusWidget()
        assert button.accessibleDescription() == spoken
        assert button.accessibleName() in ("Next", "Done")
        # It lies inside the window, beside what it is about.
        balloon = place(tour.balloon, window)
        assert window.rect().contains(balloon)
        assert not balloon.intersects(place(target, window)), said(window)
        assert ended == []
        press(Key.Key_Return)
    assert [count for _, count in seen] == [f"{n} of 5" for n in range(1, 6)]
    assert len({title for title, _ in seen}) == 5
    assert ended == [True]
    assert tour.balloon is None


def test_the_tour_ends_at_once_and_gives_the_keys_back(window):
    table = window.inputs.table("W_Q")
    for way in ("escape", "skip"):
        table.setFocus()
        do(window, "tour")
        if way == "escape":
            press(Key.Key_Escape)
        else:
            skip = window.tour.balloon.findChild(QPushButton, "tour.skip")
            QTest.mouseClick(skip, Qt.MouseButton.LeftButton)
        QApplication.processEvents()
        assert window.tour.balloon is None, way
        assert QApplication.focusWidget() is table, way
    # A presentation hides what the tour points out: only one of them is there.
    do(window, "tour")
    press(Key.Key_F11)
    assert window.tour.balloon is None
    do(window, "tour")
    assert not window.presentation.action.isChecked()
    press(Key.Key_Escape)
    assert window.tour.balloon is None


def test_after_the_tour_of_the_first_start_the_keys_are_in_the_step(
    first_window, qtbot
):
    window = first_window
    window.show()
    window.tour.start()  # as at the first start: before the window has the focus
    qtbot.waitUntil(lambda: QApplication.focusWidget() is not None)
    press(Key.Key_Escape)
    assert window.tour.balloon is None
    focused = QApplication.focusWidget()
    assert focused is not None
    assert window.step_view.page.isAncestorOf(focused)


def test_a_balloon_follows_its_target_as_the_window_changes(window, tour):
    for _ in range(4):
        press(Key.Key_Return)  # to Explain, at the right edge
    before = place(tour.balloon, window)
    window.resize(1600, 900)
    QApplication.processEvents()
    after = place(tour.balloon, window)
    assert after.left() > before.left()
    assert not after.intersects(place(window.explain, window))
    window.appearance.set_text_size(150)
    QApplication.processEvents()
    assert tour.balloon.width() > after.width()
    assert window.rect().contains(place(tour.balloon, window))


def test_the_window_can_be_used_during_the_tour_which_can_go_back(window, tour, qtbot):
    first = said(window)
    back = window.findChild(QPushButton, "tour.back")
    assert not back.isEnabled()
    press(Key.Key_Return)
    assert said(window) != first
    QTest.mouseClick(back, Qt.MouseButton.LeftButton)
    assert said(window) == first
    # A stop whose dock is closed is told in the middle.
    do(window, "dock.inputs.close")
    middle = place(tour.balloon, window).center() - window.rect().center()
    assert middle.manhattanLength() <= 3
    do(window, "dock.inputs")
    assert not place(tour.balloon, window).intersects(place(window.inputs, window))
    table = window.inputs.table("W_Q")
    cell = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell)
    qtbot.keyClick(table.viewport(), Key.Key_7)
    qtbot.keyClick(table.editors[0], Key.Key_Return)
    assert window.document.matrices["W_Q"][0, 0] == 7
    assert tour.balloon.isVisible()


@pytest.mark.parametrize(
    ("theme", "percent"),
    [("light", 80), ("dark", 200)],
)
def test_no_text_of_the_tour_is_cut_off(appearance, open_window, theme, percent):
    appearance.choose(theme)
    appearance.set_text_size(percent)
    window = open_window("example:four-words", (1366, 768))
    do(window, "tour")
    for _ in range(5):
        for label in window.tour.balloon.findChildren(QLabel):
            needed = label.heightForWidth(label.width())
            assert label.height() >= needed, label.text()
            assert label.width() >= label.minimumSizeHint().width(), label.text()
        for button in window.tour.balloon.findChildren(QPushButton):
            if button.isVisible():
                assert button.width() >= button.sizeHint().width(), button.text()
        assert window.rect().contains(place(window.tour.balloon, window))
        press(Key.Key_Return)
