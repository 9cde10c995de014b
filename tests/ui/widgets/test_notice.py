"""The line that tells how something ended: where it lies, and what it leaves alone."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

from attnviewer.ui.paint.theme import LIGHT

LONG = "A sentence that is told at length. " * 12


def place(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def test_nothing_moves_when_a_notice_comes_and_goes(window, qtbot):
    parts = window.flow, window.step_view, window.step_view.heatmap, window.inputs
    settle()
    before = [place(part) for part in parts]
    QTest.keyClick(window, Qt.Key.Key_F5)  # which an example refuses
    settle()
    assert "does not come from a file" in window.notice.text
    assert [place(part) for part in parts] == before
    label = window.notice.findChild(QLabel, "notice.text")
    assert label.palette().windowText().color() == QColor(LIGHT.error)
    window.notice.show_message("Done.")
    assert label.palette().windowText().color() == QColor(LIGHT.text)
    dismiss = window.notice.findChild(QWidget, "notice.dismiss")
    QTest.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.notice.isVisible())
    settle()
    assert [place(part) for part in parts] == before


@pytest.mark.parametrize("percent", [100, 200])
def test_a_notice_lies_at_the_lower_edge_with_all_of_its_text(window, percent):
    window.appearance.set_text_size(percent)
    settle()
    window.notice.offer(LONG, [("&This", print), ("T&hat", print)])
    settle()
    for size in (window.size(), window.size() * 0.8):
        window.resize(size)
        settle()
        notice, centre = place(window.notice), place(window.centralWidget())
        assert notice.bottomLeft() == centre.bottomLeft()
        assert notice.bottomRight() == centre.bottomRight()
        label = window.notice.findChild(QWidget, "notice.text")
        assert label.height() >= label.heightForWidth(label.width())
        assert not notice.intersects(place(window.spec_bar))
        assert not notice.intersects(place(window.status))


def test_a_shorter_text_and_fewer_buttons_take_less_room(window):
    window.notice.refuse(LONG * 3)
    settle()
    tall = window.notice.height()
    window.notice.offer("No", [("&This", print)])
    settle()
    assert window.notice.height() < tall
    button = window.notice.findChild(QPushButton, "notice.offer.0")
    assert place(window.notice).contains(place(button))
