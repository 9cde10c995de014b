"""An explanation after edits, beside one that is opened anew, and what it computes."""

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.state.sensitivity import Gradients
from attnviewer.ui.views.explain import ExplainPanel, row_box
from attnviewer.ui.views.explain.tree import DerivationTree
from attnviewer.ui.views.explain.tree.rows import DerivationRows
from attnviewer.ui.widgets.labels import Box
from attnviewer.ui.widgets.link_box import LinkBox

SPECS = {
    "plain": Spec(),
    "causal": Spec(causal=True),
    "sigmoid": Spec(normalizer="sigmoid"),
    "sparsemax": Spec(normalizer="sparsemax"),
    "heads": Spec(n_heads=2, output_projection=True),
    "bias": Spec(bias=True),
    "no projections": Spec(projected=False, scale=1.0, normalizer="sum"),
}
NUMBERS = ("-2.5", "7", "0.12345678", "1e200", "-1e200", "3", "12345.678")


def document_of(spec: Spec, n: int = 5) -> Document:
    rng = np.random.default_rng(2)
    shapes = {"X": (n, 4), "bias": (n, n), "mask": (n, n)}
    matrices = {m: rng.normal(size=shapes.get(m, (4, 4))) for m in spec.input_names}
    if "mask" in matrices:
        matrices["mask"] = np.ones((n, n), dtype=bool)
    return Document("Words", [f"word {k}" for k in range(n)], matrices, spec)


def settle() -> None:
    for _ in range(20):
        QApplication.processEvents()


def end_pauses(window) -> None:
    """Let what waits for a pause between edits go on at once."""
    for owner in (window.explain, window.workbench.sensitivity):
        for timer in owner.findChildren(QTimer):
            if timer.isActive() and timer.isSingleShot():
                pause = timer.interval()
                timer.start(0)
                settle()
                timer.setInterval(pause)
    settle()


def type_into(window, matrix: str, row: int, column: int, text: str) -> None:
    window.activateWindow()
    table = window.inputs.table(matrix)
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    QTest.keyClicks(table, text[0])
    QTest.keyClicks(QApplication.focusWidget(), text[1:])
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle()


def told(panel: ExplainPanel) -> dict[str, object]:
    """Return all that is told in sight: texts, links, what is read out, heights."""
    found: dict[str, object] = {}
    for label in panel.findChild(QScrollArea).findChildren(QLabel):
        if label.isVisible():
            said = label.text(), label.accessibleDescription()
            found[label.objectName()] = *said, label.height()
    tree = panel.findChild(DerivationTree)
    if tree.isVisible():
        found["tree"] = below(tree, QModelIndex()), tree.height()
    return found


def below(tree: DerivationTree, parent: QModelIndex) -> list[object]:
    model, rows = tree.model(), []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        rows.append((index.data(), tree.visualRect(index).getRect()))
        if tree.isExpanded(index):
            rows.append(below(tree, index))
    return rows


def close_all(tree: DerivationTree) -> None:
    """Close all rows, as what is open depends on the numbers that were seen."""
    for row in range(tree.model().rowCount()):
        tree.collapse(tree.model().index(row, 0))


def assert_as_opened_anew(window) -> None:
    """Compare the dock with one that has seen no number before."""
    workbench, panel = window.workbench, window.explain
    end_pauses(window)  # until what is out of sight has followed
    place = QWidget()
    place.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    parts = workbench.edits, workbench.sensitivity, window.appearance
    fresh = ExplainPanel(workbench.engine, workbench.selection, *parts, place)
    fresh.heading.setParent(place)  # it is the title of the dock in the window
    place.resize(panel.size())
    fresh.resize(panel.size())
    place.show()
    settle()
    fresh.findChild(DerivationTree).restyle()  # its frame has its width now
    close_all(fresh.findChild(DerivationTree))
    settle()
    # The open rows gave it a scroll bar; Qt keeps it while the lines that are wrapped
    # beside it need it, even if they would fit without.
    if not panel.findChild(QScrollArea).verticalScrollBar().isVisible():
        fresh.resize(panel.width(), 3 * panel.height())
        settle()
        fresh.resize(panel.size())
        settle()
    shown, painted = told(fresh), pictures(fresh)
    place.close()
    place.deleteLater()
    assert told(panel) == shown
    window.step_view.setFocus()
    assert pictures(panel) == painted


def pictures(panel: ExplainPanel) -> list[QImage]:
    parts = *panel.findChildren(Box), panel.findChild(DerivationTree)
    return [part.grab().toImage() for part in parts if part.isVisible()]


def on_screen(window) -> QImage:
    """Return what has been painted of the dock so far."""
    panel = window.explain
    place = QRect(panel.mapTo(window, QPoint()), panel.size())
    return window.screen().grabWindow(window.winId()).toImage().copy(place)


@pytest.fixture
def open_cell(open_window):
    def show(spec: Spec, step: str, cell: tuple[int, int], n: int = 5, window=None):
        window = window or open_window("example:four-words", (1366, 768))
        window.workbench.open(document_of(spec, n))
        window.inputs.look.set_flashing(False)
        window.workbench.open_step(step, cell)
        settle()
        close_all(window.explain.findChild(DerivationTree))
        return window

    return show


CELLS = [
    ("weights", "plain"),
    ("weights", "sigmoid"),
    ("weights", "sparsemax"),
    ("weights", "heads"),
    ("scores", "bias"),
    ("scores", "no projections"),
    ("output", "causal"),
    ("output", "heads"),
]


def test_after_edits_it_tells_and_looks_as_if_opened_anew(open_window, open_cell):
    window = open_window("example:four-words", (1366, 768))
    check_edits(open_cell, window)
    check_infinite_numbers(open_cell, window)
    check_hidden_keys(open_cell, window)
    check_links_and_terms(open_cell, window)
    check_widths(open_cell, window)


def check_edits(open_cell, window):
    for start, (step, name) in enumerate(CELLS):
        window = open_cell(SPECS[name], step, (2, 1), window=window)
        document = window.workbench.document
        matrices = [matrix for matrix in document.matrices if matrix != "mask"]
        rng = np.random.default_rng(7)
        # Each ends with another number, and all follow each other somewhere.
        for number in np.roll(NUMBERS, -start)[:4].tolist():
            matrix = str(rng.choice(matrices))
            rows, columns = document.matrix(matrix).shape
            row, column = int(rng.integers(rows)), int(rng.integers(columns))
            type_into(window, matrix, row, column, number)
        assert_as_opened_anew(window)


def check_infinite_numbers(open_cell, window):
    window = open_cell(Spec(), "weights", (2, 1), window=window)
    for number, sign in (("1e300", "∞"), ("-1e300", "NaN"), ("1", "")):
        for place in range(2):
            type_into(window, "X", 2 - place, place, number)
            type_into(window, "W_K", place, place, number)
        texts = str(below(window.explain.findChild(DerivationTree), QModelIndex()))
        assert sign in texts
        assert_as_opened_anew(window)


def check_hidden_keys(open_cell, window):
    window = open_cell(Spec(mask=True), "weights", (2, 1), window=window)
    tree = window.explain.findChild(DerivationTree)
    rows = tree.model().rowCount()
    table = window.inputs.table("mask")
    for key in (3, 1):  # another one, then that of the cell itself
        for _ in range(2):
            table.setFocus()
            table.setCurrentIndex(table.model().index(2, key))
            QTest.keyClick(table, Qt.Key.Key_Space)
            settle()
            assert_as_opened_anew(window)
        assert tree.model().rowCount() == rows


def test_an_edit_repaints_the_rows_whose_numbers_it_changes_and_no_other(
    open_cell, monkeypatch
):
    window = check_rows_painted(open_cell, monkeypatch)
    check_no_arrow_painted(open_cell, monkeypatch, window)
    check_pictures(open_cell, window)


def check_rows_painted(open_cell, monkeypatch):
    window = open_cell(Spec(), "weights", (2, 1))
    tree, painted = window.explain.findChild(DerivationTree), []
    type_into(window, "X", 4, 0, "0.25")
    draw = DerivationRows.draw

    def counting(rows, painter, place, index):
        painted.append(index.data().split("=")[0].strip())
        draw(rows, painter, place, index)

    monkeypatch.setattr(DerivationRows, "draw", counting)
    tree.viewport().repaint()
    assert len(painted) == tree.model().rowCount()
    painted.clear()
    type_into(window, "X", 4, 0, "0.26")
    assert painted == ["scaled[word 2, word 4]"]
    return window


def check_no_arrow_painted(open_cell, monkeypatch, window):
    window = open_cell(Spec(), "weights", (2, 1), window=window)
    tree, painted = window.explain.findChild(DerivationTree), []
    type_into(window, "W_Q", 0, 0, "0.25")
    draw = DerivationTree.drawBranches

    def counting(tree, painter, place, index):
        painted.append(index.row())
        draw(tree, painter, place, index)

    monkeypatch.setattr(DerivationTree, "drawBranches", counting)
    before = below(tree, QModelIndex())
    type_into(window, "W_Q", 0, 0, "0.26")
    after = below(tree, QModelIndex())
    assert [place for _, place in after] == [place for _, place in before]
    assert all(now != then for now, then in zip(after, before, strict=True))
    assert not painted
    assert_as_opened_anew(window)


def check_pictures(open_cell, window):
    window = open_cell(Spec(), "weights", (2, 1), window=window)
    tree = window.explain.findChild(DerivationTree)
    tree.expand(tree.model().index(0, 0))
    rng = np.random.default_rng(11)
    for magnitude in (0, 1, 9, 10, 14, 9, 8, -7, -9, -12, 0, 3, 21, 5, 0):
        matrix = str(rng.choice(["X", "W_Q", "W_K"]))
        row, column = int(rng.integers(1, 3)), int(rng.integers(4))
        type_into(window, matrix, row, column, f"{rng.normal():.3f}e{magnitude}")
        end_pauses(window)
        painted = on_screen(window)
        for part in window.explain.findChildren(QWidget):
            part.update()
        settle()
        assert painted == on_screen(window), (matrix, magnitude)


def test_what_is_out_of_sight_is_computed_when_it_comes_into_it(open_cell, monkeypatch):
    window = check_gradients(open_cell, monkeypatch)
    check_cursor(open_cell, monkeypatch, window)
    check_row(open_cell, monkeypatch, window)


def check_gradients(open_cell, monkeypatch):
    window = open_cell(Spec(), "weights", (2, 1), n=16)
    box = window.explain.findChild(LinkBox, "explain.influence")
    end_pauses(window)
    computed, run = [], Gradients.run

    def counting(gradients):
        computed.append(gradients)
        run(gradients)

    monkeypatch.setattr(Gradients, "run", counting)
    before = box.text()
    type_into(window, "X", 2, 0, "4.5")
    assert box.visibleRegion().isEmpty()
    assert not computed
    scroll = window.explain.findChild(QScrollArea)
    turn(scroll.viewport(), -120 * 100)
    settle()
    assert not box.visibleRegion().isEmpty()
    assert len(computed) == 1
    assert box.text() != before
    before = box.text()
    type_into(window, "W_V", 1, 0, "4.5")  # on which no weight depends
    end_pauses(window)
    assert len(computed) == 1
    assert box.text() == before
    assert_as_opened_anew(window)
    return window


def check_cursor(open_cell, monkeypatch, window):
    window = open_cell(Spec(), "weights", (2, 1), n=16, window=window)
    window.explain.findChild(QScrollArea).verticalScrollBar().setValue(0)
    box = window.explain.findChild(LinkBox, "explain.input")
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    end_pauses(window)
    computed, run = [], Gradients.run

    def counting(gradients):
        computed.append(gradients)
        run(gradients)

    monkeypatch.setattr(Gradients, "run", counting)
    before = box.text()
    type_into(window, "X", 0, 0, "4.5")
    QTest.keyClick(table, Qt.Key.Key_Down)
    settle()
    assert box.visibleRegion().isEmpty()
    assert not computed
    bar = window.explain.findChild(QScrollArea).verticalScrollBar()
    bar.setValue(bar.maximum())
    settle()
    assert not box.visibleRegion().isEmpty()
    assert len(computed) == 1
    assert box.text() != before
    assert_as_opened_anew(window)


def check_row(open_cell, monkeypatch, window):
    """A row is summed up when it comes into sight."""
    window = open_cell(Spec(), "weights", (2, 1), n=16, window=window)
    panel, summed = window.explain, []
    influence = panel.findChild(LinkBox, "explain.influence")
    row = panel.findChild(Box, "explain.row")
    scroll = panel.findChild(QScrollArea)
    top = influence.mapTo(scroll.widget(), QPoint()).y()
    bar = scroll.verticalScrollBar()
    bar.setValue(top + 12 - scroll.viewport().height())
    settle()
    summary = row_box.row_summary

    def counting(*parts):
        summed.append(parts)
        return summary(*parts)

    monkeypatch.setattr(row_box, "row_summary", counting)
    told_before = influence.text(), row.text()
    type_into(window, "X", 2, 0, "4.5")
    assert not influence.visibleRegion().isEmpty()
    assert row.visibleRegion().isEmpty()
    assert influence.text() != told_before[0]
    assert not summed
    bar.setValue(bar.maximum())
    settle()
    assert not row.visibleRegion().isEmpty()
    assert len(summed) == 1
    assert row.text() != told_before[1]
    assert_as_opened_anew(window)


def turn(widget: QWidget, angle: int) -> None:
    """Turn the wheel over a widget."""
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(widget.mapToGlobal(widget.rect().center())),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)


def check_links_and_terms(open_cell, window):
    window = open_cell(Spec(), "scaled", (2, 1), window=window)
    box = window.explain.findChild(LinkBox, "explain.formula")
    box.setFocus(Qt.FocusReason.OtherFocusReason)
    type_into(window, "X", 2, 0, "5.5")
    box.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == box.text()
    QTest.keyClick(box, Qt.Key.Key_Tab)
    assert box.hasFocus()  # on its link now
    QTest.keyClick(box, Qt.Key.Key_Tab)
    assert not box.hasFocus()
    window = open_cell(Spec(), "scores", (2, 1), window=window)
    tree = window.explain.findChild(DerivationTree)
    tree.expand(tree.model().index(0, 0))
    settle()
    before, resets = below(tree, QModelIndex()), []
    tree.model().modelReset.connect(lambda: resets.append(1))
    window.workbench.open_step("scores", (3, 1))
    settle()
    after = below(tree, QModelIndex())
    assert [type(row) for row in after] == [type(row) for row in before]
    assert after != before
    assert not resets
    close_all(tree)
    assert_as_opened_anew(window)


def check_widths(open_cell, window):
    for name, matrix, numbers in [
        ("plain", "W_Q", ("-0.5", "1e-9", "123456", "nan", "0")),
        ("no projections", "X", ("0.5", "12.25", "1e300")),
    ]:
        window = open_cell(SPECS[name], "weights", (2, 1), window=window)
        for number in numbers:
            type_into(window, matrix, 0, 0, number)
            assert_as_opened_anew(window)
