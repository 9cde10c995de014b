"""A window of Qt's own tables and pyqtgraph's image, as a script would make it."""

import time

import numpy as np
import pyqtgraph as pg
from baselines import notebook
from edited_window import MATRICES, SIZE, Quiet, settle, with_keys
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QLabel,
    QMainWindow,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)
from random_inputs import Inputs

from attnviewer.compute import Array

Index = QModelIndex | QPersistentModelIndex
_NUMBERS = 12
"""How many numbers of each step are written below the tables."""


class PlainWindow:
    """Four tables, the heatmap of the weights, and a line of numbers of each step."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = {name: array.copy() for name, array in inputs.items()}
        self._rng = np.random.default_rng(0)
        self._window = QMainWindow()
        self._tables = {name: self._table(name) for name in MATRICES}
        self._lines = [QLabel() for _ in range(4)]
        view = pg.GraphicsView()
        box = pg.ViewBox(enableMenu=False, invertY=True, defaultPadding=0)
        self._image = pg.ImageItem(axisOrder="row-major")
        box.addItem(self._image)
        view.setCentralItem(box)
        left = QWidget()
        layout = QVBoxLayout(left)
        for widget in (*self._tables.values(), *self._lines):
            layout.addWidget(widget)
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(view)
        splitter.setSizes([SIZE.width() // 2, SIZE.width() // 2])
        self._window.setCentralWidget(splitter)
        self._quiet = Quiet(self._window)
        self._started = 0.0
        self.compute()
        self._window.resize(SIZE)
        self._window.show()
        settle()

    def type_into(self, matrix: str) -> None:
        """Type a number into a random cell in sight, up to the key that ends it."""
        table = self._tables[matrix]
        self._window.activateWindow()
        settle()
        table.setFocus()
        row, column = (int(self._rng.integers(min(4, n))) for n in _shape(table))
        table.setCurrentIndex(table.model().index(row, column))
        text = f"{self._rng.integers(1, 10)}.{self._rng.integers(1000, 9999)}"
        QTest.keyClicks(table, text[0])
        QTest.keyClicks(with_keys(), text[1:])
        settle()

    def commit(self) -> None:
        """End the edit by its key and wait until all that it changes is painted."""
        settle()
        self._started = time.perf_counter()
        QTest.keyClick(with_keys(), Qt.Key.Key_Return)
        self._quiet.wait()

    def until_quiet(self) -> float:
        """Return the seconds until the window was painted for the last time."""
        return self._quiet.since - self._started

    def close(self) -> None:
        self._window.close()
        self._window.deleteLater()
        settle()

    def _table(self, name: str) -> QTableView:
        table = QTableView()
        table.setModel(_Numbers(self, self._inputs[name]))
        return table

    def compute(self) -> None:
        """Show what follows from the tables."""
        x, *sides = (self._inputs[name] for name in MATRICES)
        q, k, v = (x @ side for side in sides)
        weights, output = notebook(q, k, v, None)
        self._image.setImage(weights, autoLevels=False, levels=(0.0, 1.0))
        for line, step in zip(self._lines, (q, k, v, output), strict=True):
            line.setText(" ".join(f"{number:.4f}" for number in step[0, :_NUMBERS]))


class _Numbers(QAbstractTableModel):
    """An array that can be edited."""

    def __init__(self, window: PlainWindow, array: Array) -> None:
        super().__init__()
        self._window = window
        self._array = array

    def rowCount(self, parent: Index | None = None) -> int:
        return len(self._array)

    def columnCount(self, parent: Index | None = None) -> int:
        return int(self._array.shape[1])

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return f"{self._array[index.row(), index.column()]:.4f}"
        return None

    def setData(
        self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        self._array[index.row(), index.column()] = float(str(value))
        self.dataChanged.emit(index, index)
        self._window.compute()
        return True


def _shape(table: QTableView) -> tuple[int, int]:
    model = table.model()
    return model.rowCount(), model.columnCount()
