"""In languages written from the right, matrices are still read from the left."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QWidget


@pytest.fixture
def make_window(qapp, appearance, open_window):
    def make(direction):
        qapp.setLayoutDirection(direction)
        window = open_window("example:two-heads", (1366, 768))
        QApplication.processEvents()
        return window

    yield make
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def left_of(window, name):
    widget = window.findChild(QWidget, name)
    return widget.mapTo(window, QPoint(0, 0)).x()


def cells(window, name):
    table = window.findChild(QWidget, f"table.{name}")
    return table.viewport().grab(QRect(0, 0, 120, 120)).toImage()


def test_tables_look_the_same_in_both_directions(make_window):
    left = make_window(Qt.LayoutDirection.LeftToRight)
    right = make_window(Qt.LayoutDirection.RightToLeft)
    for name in ("tokens", "W_Q"):
        assert cells(left, name) == cells(right, name)


def test_the_window_is_mirrored_but_not_the_matrices_and_the_steps(make_window):
    window = make_window(Qt.LayoutDirection.RightToLeft)
    assert left_of(window, "spec.variant") > left_of(window, "spec.mask")
    assert left_of(window, "table.tokens") < left_of(window, "table.X")
    assert left_of(window, "flow.X") < left_of(window, "flow.Q")
