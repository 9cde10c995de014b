"""The numbers of the walk so far."""

import numpy as np
from PySide6.QtCore import QRect

from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.query_steps.rows import RowsView, WalkRows


def rows(current):
    known = np.arange(current + 1.0)
    headings = tuple(f"key {key}" for key in range(12))
    return WalkRows(headings, known, known, current, 4)


def test_the_titles_of_the_rows_stay_while_the_columns_scroll(qtbot):
    view = RowsView()
    qtbot.addWidget(view)
    view.resize(400, view.sizeHint().height())
    view.show()
    wide = view.fontMetrics().horizontalAdvance("matrix form")
    strip = QRect(0, 0, wide, view.height())
    view.show_rows(rows(0), LIGHT)
    titles = view.grab(strip).toImage()
    view.show_rows(rows(11), LIGHT)
    assert view.horizontalScrollBar().value() > 0
    assert view.grab(strip).toImage() == titles
