"""Edits in a window, and what is painted after them."""

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.document import Document, SetCells


def words(n, spec, rng) -> Document:
    shapes = {"X": (n, 6), **dict.fromkeys(("W_Q", "W_K", "W_V"), (6, 6))}
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return Document("Words", [f"word {i}" for i in range(n)], matrices, spec)


def settle():
    for _ in range(20):
        QApplication.processEvents()


def edit(window, rng):
    """Type a number into a cell of a matrix."""
    name = str(rng.choice(["X", "W_Q", "W_K", "W_V"]))
    table = window.inputs.table(name)
    window.activateWindow()
    settle()
    table.setFocus()
    row, column = (int(rng.integers(k)) for k in window.document.matrix(name).shape)
    table.setCurrentIndex(table.model().index(row, column))
    value = f"{rng.choice(['', '-'])}{rng.integers(10)}.{rng.integers(10, 99)}"
    QTest.keyClicks(table, value[0])
    QTest.keyClicks(QApplication.focusWidget(), value[1:])
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle()


def on_screen(picture):
    """Return the pixels of a widget that were painted, without painting any."""
    window = picture.window()
    place = QRect(picture.mapTo(window, QPoint()), picture.size())
    shot = window.screen().grabWindow(window.winId(), *place.getRect()).toImage()
    pixels = np.frombuffer(shot.constBits(), np.uint8)
    lines = pixels.reshape(shot.height(), shot.bytesPerLine() // 4, 4)
    return lines[:, : shot.width()].copy()


class Exposed(QObject):
    """Notes which parts of a widget are painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.regions = []
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint:
            self.regions.append(event.region())
        return False


def change(window, matrix, row, column):
    cells = SetCells("edit", matrix, row, column, np.array([[0.25]]))
    window.workbench.edits.submit(cells)
    settle()
