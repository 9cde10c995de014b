import pytest
from PySide6.QtGui import QCursor

from .editing import settle


@pytest.fixture
def open_on(appearance, open_window):
    """Open a document with a step in sight, in a new window of a size or in another."""

    def show(document, step, size, window=None):
        QCursor.setPos(0, 0)  # over no cell, wherever tests before have left it
        window = window or open_window("example:four-words", size)
        window.resize(*size)
        window.workbench.open(document)
        window.step_view.set_view("heatmap")
        window.inputs.look.set_flashing(False)
        window.workbench.selection.choose_cell(step, (1, 2))
        window.inputs.table("X").setFocus()
        settle()
        return window

    return show
