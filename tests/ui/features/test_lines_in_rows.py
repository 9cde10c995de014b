"""The lines of a model's head stand beside its heatmap, in the same rows."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from attnviewer.ui.views.step.heatmap.arrangement import (
    Extents,
    arrange,
    beside_rows,
)
from attnviewer.ui.views.step.lines.arrangement import LayoutConstraints
from attnviewer.ui.views.step.lines.arrangement import arrange as arrange_lines

IDS = "3 14 15 9 2 6"


def docks_seen(window):
    """Return whether Explain or the lines are in sight, each in its dock."""
    return {
        name
        for name in ("explain", "lines")
        if not window.findChild(QDockWidget, f"dock.{name}").visibleRegion().isEmpty()
    }


@pytest.fixture
def lines(window, open_model, gpt2, qtbot):
    """The lines beside the heatmap of a head over six tokens."""
    open_model(gpt2)
    assert docks_seen(window) == {"explain"}
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(IDS)
    window.workbench.open_step("weights", (4, 2))
    QApplication.processEvents()
    return window.findChild(QWidget, "step.heatmap.lines")


def heights(window, lines):
    """Return the middles of the rows in heatmap and lines, those in sight."""
    heatmap, picture = window.step_view.heatmap, lines.picture
    sight = range(
        *(round(edge) for edge in (heatmap.box.sight.top(), heatmap.box.sight.bottom()))
    )
    rows = [heatmap.cell_rect((row, 0)).center().y() for row in sight]
    tokens = [picture.middle_of("keys", row) for row in sight]
    placed = [picture.viewport().mapTo(heatmap, t.toPoint()).y() for t in tokens]
    return rows, placed


def lines_stand_between_cells_and_colour_bar_and_each_key_in_its_row_if_zoomed(
    window, lines
) -> None:
    heatmap = window.step_view.heatmap
    places = [heatmap.box.geometry().toRect(), lines.geometry(), heatmap.bar.geometry()]
    assert all(a.right() < b.left() for a, b in pairwise(places))
    assert places[-1].right() <= heatmap.width()
    assert not heatmap.statistics.isVisible()
    box, number = lines.threshold.geometry(), lines.threshold.number.geometry()
    assert lines.rect().contains(box)
    assert number.right() < box.width()

    assert lines.isVisible()
    rows, placed = heights(window, lines)
    assert len(rows) == 6
    assert placed == pytest.approx(rows, abs=1)
    heatmap.setFocus()
    before = heatmap.cell_rect((0, 0)).height()
    for _ in range(3):
        QTest.keyClick(heatmap, Qt.Key.Key_Plus, Qt.KeyboardModifier.AltModifier)
    QApplication.processEvents()
    assert heatmap.cell_rect((0, 0)).height() > 1.5 * before
    rows, placed = heights(window, lines)
    assert 1 < len(rows) < 6
    assert placed == pytest.approx(rows, abs=1)
    height = lines.picture.arrangement().row
    ctrl, begin = Qt.KeyboardModifier.ControlModifier, Qt.ScrollPhase.NoScrollPhase
    spot = QPointF(lines.picture.rect().center())
    wheel = QWheelEvent(
        spot,
        spot,
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        ctrl,
        begin,
        False,
    )
    QApplication.sendEvent(lines.picture.viewport(), wheel)
    rows, placed = heights(window, lines)
    assert placed == pytest.approx(rows, abs=1)
    assert lines.picture.arrangement().row >= height


def there_are_lines_only_beside_weights_of_a_model_with_room(
    window, lines, qtbot
) -> None:
    def there():
        QApplication.processEvents()
        return lines.isVisible()

    window.workbench.open_step("scores", (4, 2))
    assert not there()
    window.workbench.open_step("weights", (4, 2))
    assert there()
    window.resize(960, 700)
    assert not there()
    assert window.step_view.heatmap.bar.geometry().right() <= window.step_view.width()
    model = window.workbench.model
    with qtbot.waitSignal(model.completed):
        model.set_text("1 2 3")
    assert lines.picture.content is None
    window.resize(1366, 768)
    assert there()
    assert lines.picture.content.reading.shape == (3, 3)
    window.opener.open_example("two-heads")
    assert not there()
    assert window.step_view.heatmap.statistics.isVisible()


def test_the_dock_of_lines_opens_where_they_have_no_room_in_the_centre_and_gives_way(
    open_window, appearance, gpt2, qtbot
) -> None:
    window = open_window("example:four-words", (1040, 768))
    window.opener.open(str(gpt2))
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    QApplication.processEvents()
    assert docks_seen(window) == {"lines"}
    window.resize(1600, 1000)
    QApplication.processEvents()
    assert docks_seen(window) == {"explain"}
    assert window.findChild(QWidget, "step.heatmap.lines").isVisible()
    window.resize(1040, 768)
    QApplication.processEvents()
    assert docks_seen(window) == {"explain"}


def a_line_is_clicked_and_the_threshold_decides_which_there_are(window, lines) -> None:
    window.workbench.selection.choose_cell("weights", (1, 0))
    picture = lines.picture
    picture.grab()
    arrangement = picture.arrangement()
    found = {
        picture.line_at(QPointF(1.0, picture.top + arrangement.middle("queries", row)))
        for row in range(6)
    } - {None}
    assert found
    query, _ = max(found)
    y = picture.top + arrangement.middle("queries", query)
    QTest.mouseClick(
        picture.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, round(y))
    )
    assert window.workbench.selection.cell[0] == query
    window.step_view.heatmap.setFocus()
    visited = []
    for _ in range(4):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        visited.append(QApplication.focusWidget())
    assert lines.threshold.slider in visited
    assert lines.threshold.number in visited
    before = len(lines.picture.drawing.quiet.links)
    lines.threshold.slider.setValue(lines.threshold.slider.maximum())
    lines.picture.grab()
    assert before > len(lines.picture.drawing.quiet.links)
    # A text that is no threshold is refused with the reason.
    number = lines.threshold.number
    shown = number.text()
    number.setFocus()
    QTest.keyClick(number, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(number, "much")
    QTest.keyClick(number, Qt.Key.Key_Return)
    assert "much" in window.notice.text
    assert number.text() == shown


def test_lines_beside_weights_are_in_their_rows_clicked_and_as_long_as_there_is_room(
    window, lines, qtbot
) -> None:
    a_line_is_clicked_and_the_threshold_decides_which_there_are(window, lines)
    lines_stand_between_cells_and_colour_bar_and_each_key_in_its_row_if_zoomed(
        window, lines
    )
    there_are_lines_only_beside_weights_of_a_model_with_room(window, lines, qtbot)


def test_what_shares_the_rows_takes_the_room_that_the_cells_leave() -> None:
    size, shape, extents = QSizeF(900, 300), (10, 10), Extents(60, 40, 30, 0, 20)
    least = 200.0
    plain = arrange(QSizeF(size.width() - least, size.height()), shape, extents)
    parts, beside = beside_rows(plain, size.width(), least)
    assert parts.cells.size() == plain.cells.size()
    assert beside.top() == parts.cells.top()
    assert beside.height() == parts.cells.height()
    assert parts.cells.right() < beside.left()
    assert beside.right() < parts.bar.left()
    assert least <= beside.width() + 4 <= 1.2 * parts.cells.width() + 1
    around = QRectF(parts.left).united(parts.bar)
    assert around.center().x() == pytest.approx(size.width() / 2, abs=1)


def test_beside_other_rows_lines_begin_at_the_edge_and_only_keys_are_named() -> None:
    room = LayoutConstraints(300, 200, (10, 10), 16, (80, 80), 40, row=25)
    found = arrange_lines(room, 0.5)
    assert found.sides == ("keys",)
    assert found.left == 0
    assert found.right < found.keys[0] < found.keys[1] < found.numbers[1][0]
    assert found.numbers[1][1] <= 300
    assert found.row == 25
    assert found.start("keys") == -25  # half of the 50 pixels out of sight
    assert not found.is_shared
    assert arrange_lines(
        LayoutConstraints(300, 200, (10, 10), 16, (80, 80), 40)
    ).sides == (
        "queries",
        "keys",
    )


def test_beside_lines_the_weights_of_a_real_model_keep_two_decimals(
    open_window, appearance, minilm, qtbot
) -> None:
    window = open_window("example:four-words", (1366, 810))
    window.opener.open(str(minilm))
    heatmap = window.step_view.heatmap
    selection = window.workbench.selection
    qtbot.waitUntil(lambda: selection.cell == (10, 2), timeout=20_000)
    for size, cell in (((1366, 810), 22), ((1600, 1000), 32)):
        window.resize(*size)
        QApplication.processEvents()
        qtbot.waitUntil(lambda: {".68", ".99"} <= set(heatmap.cells.texts()))
        assert cell <= heatmap.cell_rect((0, 0)).width() < 1.4 * cell
        assert not any(text.startswith("0") for text in heatmap.cells.texts())
