"""Widths of columns: by mouse, by their texts, and by the room there is."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, Replace
from attnviewer.ui.state.settings import own_settings

# The offscreen platform does not raise what a menu opens.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton

NAMES = ("a long name of a token", "a long name of another")


def document(columns=8, numbers=None):
    values = np.eye(2, columns) if numbers is None else numbers
    return Document("Wide", NAMES, {"X": values}, Spec(projected=False))


@pytest.fixture
def open_wide(open_bench):
    def open_(width, document):
        bench = open_bench(document)
        resize(bench, width)
        return bench

    return open_


def resize(bench, width):
    bench.window.resize(width, 700)
    settle()


def settle():
    for _ in range(3):
        QApplication.processEvents()


def drag_edge(table, column, by):
    """Drag the right edge of a column's heading; return its width before."""
    header = table.horizontalHeader()
    width = header.sectionSize(column)
    edge = QPoint(header.sectionViewportPosition(column) + width - 1, 8)
    # From elsewhere: a pointer that is there already does not move.
    for place in (edge - QPoint(20, 0), edge):
        QTest.mouseMove(header.viewport(), place)
    assert header.cursor().shape() == Qt.CursorShape.SplitHCursor
    QTest.mousePress(header.viewport(), LEFT, NONE, edge)
    QTest.mouseMove(header.viewport(), edge + QPoint(by, 0))
    QTest.mouseRelease(header.viewport(), LEFT, NONE, edge + QPoint(by, 0))
    QApplication.processEvents()
    return width


def width_of(table):
    return table.columnWidth(0)


@pytest.mark.parametrize("name", ["X", "W_Q", "tokens"])
def test_columns_are_as_wide_as_their_dragged_edge_says(bench, name):
    table = bench.table(name)
    before = drag_edge(table, 0, 20)
    assert width_of(table) == pytest.approx(before + 20, abs=1)
    selected = table.selected_blocks()
    assert selected == []
    assert bench.edits.count() == 0


def test_the_edge_of_a_later_column_follows_the_pointer_too(bench):
    table = bench.table("W_Q")
    before = drag_edge(table, 1, -20)
    assert width_of(table) == pytest.approx(before - 10, abs=1)
    assert {table.columnWidth(column) for column in range(3)} == {width_of(table)}


def test_a_double_click_on_an_edge_fits_the_longest_text_whatever_it_is(bench):
    table, digit = bench.table("W_Q"), bench.table("W_Q").fontMetrics()
    header = table.horizontalHeader()
    edge = QPoint(header.sectionSize(0) - 1, 8)
    QTest.mouseDClick(header.viewport(), LEFT, NONE, edge)
    QTest.mouseRelease(header.viewport(), LEFT, NONE, edge)
    assert width_of(table) < digit.horizontalAdvance("0.00")
    bench.enter("W_Q", 1, 1, "-12.25")
    QApplication.processEvents()
    room = digit.horizontalAdvance("−12.25")
    assert room < width_of(table) < room + 2 * digit.horizontalAdvance("0")


def test_the_edge_between_tokens_and_numbers_is_hit_from_both_sides(open_wide):
    bench = open_wide(700, document())
    tokens, numbers = bench.table("tokens"), bench.table("X")
    right_of_edge = QPoint(2, 8)
    header = numbers.horizontalHeader().viewport()
    QTest.mousePress(header, LEFT, NONE, right_of_edge)
    QTest.mouseMove(header, right_of_edge - QPoint(30, 0))
    QTest.mouseRelease(header, LEFT, NONE, right_of_edge - QPoint(30, 0))
    settle()
    narrow, digit = width_of(tokens), tokens.fontMetrics().horizontalAdvance("0")
    assert narrow < len(NAMES[0]) * digit
    QTest.mouseDClick(header, LEFT, NONE, right_of_edge)
    QTest.mouseRelease(header, LEFT, NONE, right_of_edge)
    settle()
    assert width_of(tokens) > len(NAMES[0]) * digit
    assert numbers.selected_blocks() == []


def test_a_width_is_kept_for_the_matrix_in_other_documents_and_starts(
    open_bench, four_words
):
    bench = open_bench(four_words)
    drag_edge(bench.table("W_Q"), 0, 30)
    chosen, usual = width_of(bench.table("W_Q")), width_of(bench.table("W_K"))
    bench.panel.release()
    again = open_bench(four_words)
    assert width_of(again.table("W_Q")) == pytest.approx(chosen, abs=1)
    again.table("W_Q").headings.reset_width()
    assert width_of(again.table("W_Q")) == usual
    again.panel.release()
    own_settings().setValue("inputs/widths/W_Q", "wide")
    assert width_of(open_bench(four_words).table("W_Q")) == usual


def test_a_number_that_is_wider_than_its_column_is_not_cut(bench):
    table = bench.table("W_Q")
    bench.panel.look.set_flashing(False)
    bench.enter("W_Q", 0, 0, "-123.25")
    drag_edge(table, 0, -40)
    bench.elsewhere.setFocus()
    narrow = table.viewport().grab().toImage()
    bench.enter("W_Q", 0, 0, "-123.75")
    bench.elsewhere.setFocus()
    assert table.viewport().grab().toImage() == narrow


def test_columns_that_do_not_fit_are_narrowed_as_far_as_their_numbers_allow(open_wide):
    bench = open_wide(480, document())
    table = bench.table("X")
    assert not table.horizontalScrollBar().maximum()
    assert width_of(table) < table.cell_size().width()
    bench.enter("X", 0, 0, "-1.2345")
    settle()
    assert width_of(table) == table.cell_size().width()
    assert table.horizontalScrollBar().maximum() > 0
    bench.edits.undo()
    settle()
    assert not table.horizontalScrollBar().maximum()
    resize(bench, 1000)
    assert width_of(table) == table.cell_size().width()


def test_a_wider_panel_shows_the_tokens_whole(open_wide):
    bench = open_wide(340, document(3))
    table = bench.table("tokens")
    whole = table.fontMetrics().horizontalAdvance(NAMES[0])
    assert width_of(table) < whole
    assert table.painter.elides
    resize(bench, 640)
    assert width_of(table) > whole
    bench.edits.submit(Replace("Short", tokens=("a", "b")))
    QApplication.processEvents()
    assert width_of(table) < whole


def test_the_context_menu_of_a_heading_is_for_its_whole_row_or_column(bench):
    table = bench.table("W_Q")
    asked = []
    table.menu_wanted.connect(asked.append)
    for header, line in (
        (table.horizontalHeader(), Region(0, 1, 3, 1)),
        (table.verticalHeader(), Region(1, 0, 1, 3)),
    ):
        place = QPoint(15, 8)
        if header is table.horizontalHeader():
            place.setX(header.sectionViewportPosition(1) + 20)
        else:
            place.setY(header.sectionViewportPosition(1) + 5)
        reason = QContextMenuEvent.Reason.Mouse
        event = QContextMenuEvent(reason, place, header.mapToGlobal(place))
        QApplication.sendEvent(header.viewport(), event)
        assert table.selected_blocks() == [line]
    assert len(asked) == 2
    QApplication.activePopupWidget().close()
