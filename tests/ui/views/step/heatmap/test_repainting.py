"""What is painted after edits is what a window shows that was opened afterwards."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells

N_EDITS = 8
VARIANTS = {
    "plain": Spec(),
    "causal": Spec(causal=True),
    "sparsemax": Spec(normalizer="sparsemax"),
    "heads": Spec(n_heads=2, causal=True),
}


def words(n, spec, rng) -> Document:
    shapes = {"X": (n, 6), **dict.fromkeys(("W_Q", "W_K", "W_V"), (6, 6))}
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    return Document("Words", [f"word {i}" for i in range(n)], matrices, spec)


def settle():
    for _ in range(20):
        QApplication.processEvents()


@pytest.fixture
def open_on(appearance, open_window):
    """Open a window on a document, in a size and with a step in sight."""

    def show(document, step, size):
        window = open_window("example:four-words", size)
        window.workbench.open(document)
        window.inputs.look.set_flashing(False)
        window.workbench.selection.choose_cell(step, (1, 2))
        window.inputs.table("X").setFocus()
        settle()
        return window

    return show


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


def on_screen(window):
    """Return the pixels of the heatmap that were painted, without painting any."""
    picture = window.step_view.heatmap
    place = QRect(picture.mapTo(window, QPoint()), picture.size())
    shot = window.screen().grabWindow(window.winId(), *place.getRect()).toImage()
    pixels = np.frombuffer(shot.constBits(), np.uint8)
    lines = pixels.reshape(shot.height(), shot.bytesPerLine() // 4, 4)
    return lines[:, : shot.width()].copy()


@pytest.mark.parametrize(
    ("variant", "step", "size"),
    [
        ("plain", "weights", (1500, 950)),
        ("causal", "scores", (1500, 950)),
        ("sparsemax", "weights", (1020, 700)),
        ("heads", "weights", (1020, 700)),
        ("plain", "Q", (1020, 700)),
        ("causal", "output", (1500, 950)),
    ],
)
def test_after_edits_the_screen_shows_what_a_new_window_shows(
    open_on, variant, step, size
):
    rng = np.random.default_rng(len(variant) + len(step))
    document = words(9, VARIANTS[variant], rng)
    window = open_on(document, step, size)
    for _ in range(N_EDITS):
        edit(window, rng)
    shown = on_screen(window)
    other = open_on(document, step, size)
    assert np.array_equal(shown, on_screen(other))


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


def test_an_edit_of_one_row_repaints_the_cells_of_that_row_alone(open_on):
    document = words(9, Spec(), np.random.default_rng(1))
    window = open_on(document, "Q", (1500, 950))
    heatmap = window.step_view.heatmap
    exposed = Exposed(heatmap.viewport())
    change(window, "X", 4, 2)
    (region,) = exposed.regions
    row = heatmap.cell_rect((4, 0)).united(heatmap.cell_rect((4, 5))).toAlignedRect()
    assert region.contains(row)
    around = row.adjusted(-4, -4, 4, 4)
    assert region.subtracted(around).boundingRect().size().width() <= 1


def test_an_edit_leaves_labels_and_colour_scale_as_they_are_painted(open_on):
    document = words(9, Spec(), np.random.default_rng(1))
    window = open_on(document, "weights", (1500, 950))
    heatmap = window.step_view.heatmap
    exposed, bar = Exposed(heatmap.viewport()), Exposed(heatmap.bar)
    change(window, "W_Q", 1, 2)
    (region,) = exposed.regions
    for place in (heatmap.rows.geometry(), heatmap.columns.geometry()):
        assert not region.contains(place.center().toPoint())
    assert not bar.regions


def test_an_edit_that_leaves_the_step_alone_repaints_no_cell_of_it(open_on):
    document = words(9, Spec(), np.random.default_rng(1))
    window = open_on(document, "weights", (1500, 950))
    heatmap = window.step_view.heatmap
    exposed = Exposed(heatmap.viewport())
    change(window, "W_V", 1, 2)
    (region,) = exposed.regions
    assert not region.intersects(heatmap.box.geometry().toRect())


def test_an_edit_that_repaints_no_cell_is_told_of_as_painted(open_on, qtbot):
    document = words(9, Spec(), np.random.default_rng(1))
    window = open_on(document, "weights", (1500, 950))
    with qtbot.waitSignal(window.step_view.painted):
        cells = SetCells("edit", "W_V", 1, 2, np.array([[0.25]]))
        window.workbench.edits.submit(cells)
