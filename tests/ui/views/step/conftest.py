import pytest

from .editing import settle


@pytest.fixture
def open_on(appearance, open_window):
    """Open a window on a document, in a size and with a step in sight."""

    def show(document, step, size):
        window = open_window("example:four-words", size)
        window.workbench.open(document)
        window.step_view.set_view("heatmap")
        window.inputs.look.set_flashing(False)
        window.workbench.selection.choose_cell(step, (1, 2))
        window.inputs.table("X").setFocus()
        settle()
        return window

    return show
