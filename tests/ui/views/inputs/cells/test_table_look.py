"""What cells look like: their format, colours, flashes and rules; read from pixels."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication

from attnviewer import load_example
from attnviewer.compute import Spec
from attnviewer.document import Document, Region, Replace, SetCells, spec_edit
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.text.number_format import AUTOMATIC, NumberFormat
from attnviewer.ui.views.inputs.cells import flash
from attnviewer.ui.views.inputs.cells.flash import Flash
from tests.menus import open_all

CONTROL = Qt.KeyboardModifier.ControlModifier
QUIET = {"light": ((241, 244, 248), (132, 151, 176))}
QUIET["dark"] = ((29, 37, 47), (143, 162, 189))
"""The colours of zero and of the largest number where none is negative."""
LOWEST, HIGHEST = QUIET["light"]


def rgb(color):
    return color.red(), color.green(), color.blue()


def near(color, other, apart=3):
    return all(abs(a - b) <= apart for a, b in zip(rgb(color), other, strict=True))


def cell(table, row, column):
    return table.visualRect(table.model().index(row, column))


def ground(table, row, column):
    """Return the colour of a cell at its left edge, where no text is."""
    place = cell(table, row, column)
    picture = table.viewport().grab().toImage()
    return picture.pixelColor(place.left() + 4, place.top() + 4)


def inks(table, row, column):
    """Return the darkest and the lightest grey of a cell, its frame left out."""
    place = cell(table, row, column).adjusted(4, 4, -4, -4)
    picture = table.viewport().grab(place).toImage()
    greys = [
        sum(rgb(picture.pixelColor(x, y))) / 3
        for x in range(picture.width())
        for y in range(picture.height())
    ]
    return min(greys), max(greys)


def text(table, row, column):
    return table.model().index(row, column).data()


def header(table, orientation, place, role=Qt.ItemDataRole.DisplayRole):
    return table.model().headerData(place, orientation, role.value)


# ---------------------------------------------------------------------- formats


def test_a_chosen_format_is_shown_fits_its_column_and_stays_in_its_document(bench):
    number = np.array([[-123.456789012]])
    bench.edits.submit(SetCells("Set", "W_Q", 0, 0, number))
    table = bench.table("W_Q")
    before = table.columnWidth(0)
    for kind, digits, shown in [
        ("decimals", 8, "−123.45678901"),
        ("scientific", 8, "−1.23456789e2"),
        ("significant", 8, "−123.45679"),
        ("decimals", 0, "−123"),
    ]:
        bench.panel.look.set_format("W_Q", NumberFormat(kind, digits))
        assert text(table, 0, 0) == shown
        room = table.columnWidth(0) - 11
        assert table.fontMetrics().horizontalAdvance(shown) <= room
    assert table.columnWidth(0) == before
    assert text(bench.table("W_K"), 0, 0) == "2"
    other = {"X": np.ones((1, 1))} | {f"W_{n}": np.full((1, 1), 0.5) for n in "QKV"}
    bench.panel.set_document(Document("Other", ["a"], other))
    assert text(bench.table("W_Q"), 0, 0) == "0.5"
    bench.panel.set_document(bench.document)
    assert text(bench.table("W_Q"), 0, 0) == "−123"
    bench.panel.look.set_format("W_Q", AUTOMATIC)
    assert text(bench.table("W_Q"), 0, 0) == "−123.46"


def test_columns_are_as_wide_as_their_format_whatever_the_numbers(bench):
    widths = []
    for digits in (0, 8):
        bench.panel.look.set_format("W_Q", NumberFormat("scientific", digits))
        bench.panel.look.set_format("X", NumberFormat("scientific", digits))
        widths.append(bench.table("W_Q").columnWidth(0))
        assert bench.table("X").columnWidth(0) == widths[-1]
    assert widths[0] < widths[1] < 3 * widths[0]


def go_to(window, name, row, column):
    table = window.inputs.table(name)
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    return table


def actions(window, prefix):
    found = {action.objectName(): action for action in window.findChildren(QAction)}
    return {n: a for n, a in found.items() if n.startswith(f"action.{prefix}")}


def test_formats_and_colours_are_chosen_by_menu_and_keys_for_the_current_table(window):
    check_menu_of_formats(window)
    check_tokens_have_none(window)
    window.workbench.open(load_example("four-words"))
    check_keys_of_decimals(window)
    check_key_of_colours(window)


def check_keys_of_decimals(window):
    table = go_to(window, "W_Q", 0, 0)
    for keys, shown in [
        (Qt.Key.Key_Period, "2.0"),
        (Qt.Key.Key_Period, "2.00"),
        (Qt.Key.Key_Comma, "2.0"),
        (Qt.Key.Key_Comma, "2"),
        (Qt.Key.Key_Comma, "2"),
    ]:
        QTest.keyClick(table, keys, CONTROL)
        assert text(table, 0, 0) == shown
    assert text(window.inputs.table("W_K"), 0, 0) == "2"
    assert window.workbench.edits.count() == 0


def check_menu_of_formats(window):
    open_all(window)
    formats = actions(window, "format.")
    assert len(formats) == 1 + 9 + 8 + 9
    assert not any(action.isEnabled() for action in formats.values())
    go_to(window, "W_Q", 0, 0)
    formats["action.format.scientific.2"].trigger()
    assert text(window.inputs.table("W_Q"), 0, 0) == "2.00e0"
    go_to(window, "W_K", 0, 0)
    menu = formats["action.format.auto"].associatedObjects()[-1]
    menu.aboutToShow.emit()
    assert [n for n, a in formats.items() if a.isChecked()] == ["action.format.auto"]
    go_to(window, "W_Q", 0, 0)
    menu.aboutToShow.emit()
    checked = [name for name, action in formats.items() if action.isChecked()]
    assert checked == ["action.format.scientific.2"]


def check_tokens_have_none(window):
    go_to(window, "W_Q", 0, 0)
    go_to(window, "tokens", 0, 0)
    assert not any(a.isEnabled() for a in actions(window, "format.").values())
    assert not any(a.isEnabled() for a in actions(window, "decimals.").values())


# ------------------------------------------------------------------ status bar


def test_the_status_bar_tells_a_cell_in_full_first_under_the_pointer_then_with_the_keys(
    window, qtbot
):
    check_pointer_in_status(window, qtbot)
    check_keys_in_status(window)


def check_keys_in_status(window):
    edits = window.workbench.edits
    edits.submit(SetCells("Set", "W_Q", 0, 2, np.array([[0.12345678901234566]])))
    table = go_to(window, "W_Q", 0, 2)
    assert window.status.cell.text() == "W_Q[0, 2] = 0.12345678901234566"
    QTest.keyClick(table, Qt.Key.Key_Left)
    assert window.status.cell.text() == "W_Q[0, 1] = 0.0"
    edits.submit(SetCells("Set", "W_Q", 0, 1, np.array([[7.0]])))
    assert window.status.cell.text() == "W_Q[0, 1] = 7.0"
    window.step_view.setFocus()
    table.clearFocus()
    assert window.status.cell.text().startswith("weights[")


def check_pointer_in_status(window, qtbot):
    go_to(window, "W_Q", 0, 2)
    table = window.inputs.table("X")
    place = cell(table, 3, 2).center()
    QTest.mouseMove(table.viewport(), place - QPoint(2, 2))
    QTest.mouseMove(table.viewport(), place)
    qtbot.waitUntil(lambda: window.status.cell.text() == "X[word 4, 2] = 1.0")
    tokens = window.inputs.table("tokens")
    QTest.mouseMove(tokens.viewport(), cell(tokens, 1, 0).center())
    qtbot.waitUntil(lambda: window.status.cell.text() == "Token 1: word 2")
    QTest.mouseMove(window.status, QPoint(3, 3))
    qtbot.waitUntil(lambda: window.status.cell.text() == "W_Q[0, 2] = 2.0")


# ---------------------------------------------------------------- heat colours


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_cells_without_negative_numbers_run_from_the_maps_low_end_to_its_high(
    bench, appearance, theme
):
    appearance.choose(theme.name)
    table = bench.table("W_Q")
    bench.panel.look.set_heat(True)
    lowest, highest = QUIET[theme.name]
    assert near(ground(table, 0, 0), highest)  # 2, the largest
    assert near(ground(table, 0, 1), lowest)  # 0
    dark, _ = inks(table, 0, 0)
    assert dark < 80
    darkest, lightest = inks(table, 0, 1)
    assert lightest > 200 if theme.dark else darkest < 80
    bench.panel.look.set_heat(False)
    assert ground(table, 0, 0) == QColor(theme.editable)


def test_a_table_that_was_taken_away_follows_no_look(bench, qtbot):
    simple = spec_edit(bench.document, Spec(projected=False), "Drop the weights")
    table = bench.table("W_Q")
    with qtbot.waitSignal(table.destroyed):
        bench.edits.submit(simple)
    bench.panel.look.set_heat(True)
    assert near(ground(bench.table("X"), 0, 0), HIGHEST)


def test_signed_numbers_are_red_and_blue_around_zero_and_follow_an_edit(bench):
    bench.panel.look.set_heat(True)
    bench.panel.look.set_flashing(False)
    bench.enter("W_V", 0, 0, "-4")
    table = bench.table("W_V")
    zero, negative, one = (ground(table, *p) for p in ((2, 0), (0, 0), (0, 1)))
    assert negative.red() > negative.blue() + 60
    assert zero.lightness() > 220
    assert one.blue() > one.red()
    assert one.lightness() > 190  # a quarter of the reach
    bench.edits.undo()
    assert near(ground(table, 0, 1), HIGHEST)


def test_the_selection_is_seen_on_coloured_cells(bench):
    bench.panel.look.set_heat(True)
    table = bench.at("W_Q", 1, 1)
    table.select_block(Region(0, 0, 2, 2))
    picture = table.viewport().grab().toImage()
    whole = cell(table, 0, 0).united(cell(table, 1, 1))
    accent = QColor(LIGHT.accent)
    for x in (whole.left(), whole.right() - 1):
        assert picture.pixelColor(x, cell(table, 1, 0).center().y()) == accent
    assert picture.pixelColor(whole.center().x(), whole.bottom() - 1) == accent
    bench.elsewhere.setFocus()
    picture = table.viewport().grab().toImage()
    assert picture.pixelColor(whole.left(), whole.bottom() - 5) != accent


def test_minus_infinity_in_a_bias_stands_out_from_zero(open_bench):
    bias = np.array([[0.0, -np.inf], [0.0, 0.0]])
    matrices = {"X": np.eye(2), "bias": bias}
    spec = Spec(projected=False, bias=True)
    bench = open_bench(Document("Bias", "ab", matrices, spec))
    bench.panel.look.set_heat(True)
    table = bench.table("bias")
    table.select_block(Region(0, 0, 1, 1))
    hidden, zero = ground(table, 0, 1), ground(table, 1, 1)
    assert hidden == QColor(LIGHT.off_scale)
    assert zero.lightness() > 220


@pytest.mark.parametrize("side", ["left", "right"])
def test_of_a_number_that_is_cut_off_no_part_is_seen(open_bench, side):
    # Part of −12 and of −13 would be 2 and 3; of 1e300 and of 2e300, 1 and 2.
    numbers = {"left": [-12.0, -13.0], "right": [1e300, 2e300]}[side]
    x = np.repeat([numbers], 40, axis=0).T  # (2, 40)
    bench = open_bench(Document("Wide", "ab", {"X": x}, Spec(projected=False)))
    table = bench.table("X")
    bar = table.horizontalScrollBar()
    column = table.columnWidth(0)

    def seen(row):
        index = table.model().index(row, 20)
        place = table.visualRect(index) & table.viewport().rect()
        return table.viewport().grab(place).toImage()

    whole = 20 * column
    cut = whole + 3 * column // 4
    if side == "right":
        cut = 20 * column + column // 2 - table.viewport().width()
    for value, same in [(whole, False), (cut, True), (whole, False)]:
        bar.setValue(value)
        QApplication.processEvents()
        assert bar.value() == value
        assert (seen(0) == seen(1)) is same


def check_key_of_colours(window):
    table = go_to(window, "W_Q", 2, 2)
    QTest.keyClick(table, Qt.Key.Key_H, CONTROL)
    assert near(ground(table, 0, 0), HIGHEST)
    QTest.keyClick(table, Qt.Key.Key_H, CONTROL)
    assert ground(table, 0, 0) == QColor(LIGHT.editable)


# ---------------------------------------------------------------------- flashes


@pytest.fixture
def slowly(monkeypatch):
    """Let flashes last longer than any test."""
    monkeypatch.setattr(flash, "SECONDS", 1e6)


def lit(bench, name):
    """Return the cells that are neither plain nor selected."""
    bench.elsewhere.setFocus()
    table = bench.table(name)
    model = table.model()
    return [
        (row, column)
        for row in range(model.rowCount())
        for column in range(model.columnCount())
        if ground(table, row, column) != QColor(LIGHT.editable)
    ]


def is_flashing(table):
    (light,) = table.findChildren(Flash)
    return any(timer.isActive() for timer in light.findChildren(QTimer))


def test_typed_undone_and_redone_cells_flash_and_no_others(bench, slowly):
    bench.enter("W_Q", 0, 2, "9")
    assert lit(bench, "W_Q") == [(0, 2)]
    assert near(ground(bench.table("W_Q"), 0, 2), (241, 205, 101), 6)
    bench.enter("W_Q", 1, 0, "9")
    assert lit(bench, "W_Q") == [(1, 0)]
    bench.edits.undo()
    bench.edits.undo()
    bench.edits.redo()
    assert (0, 2) in lit(bench, "W_Q")
    assert lit(bench, "W_K") == []


def test_a_flash_fades_away_by_itself(bench, qtbot):
    bench.enter("W_Q", 0, 2, "9")
    assert is_flashing(bench.table("W_Q"))
    qtbot.waitUntil(lambda: not is_flashing(bench.table("W_Q")))
    assert lit(bench, "W_Q") == []


def test_of_a_whole_matrix_only_the_cells_that_differ_flash(bench, slowly):
    numbers = np.array([[2.0, 0, 2], [2, 5, 0], [5, 1, 2]])
    bench.edits.submit(Replace("Five", matrices={"W_Q": numbers}))
    assert lit(bench, "W_Q") == [(1, 1), (2, 0)]
    same = Replace("Same", matrices={"W_K": bench.document.matrix("W_K").copy()})
    bench.edits.submit(same)
    assert lit(bench, "W_K") == []


def test_the_parts_of_one_undone_gesture_flash_together(bench, slowly):
    drag = object()
    for row, column in ((0, 0), (2, 2), (1, 2)):
        edit = SetCells("Drag", "W_V", row, column, np.array([[8.0]]))
        bench.edits.submit(edit, gesture=drag)
        lit(bench, "W_V")
    bench.edits.undo()
    assert lit(bench, "W_V") == [(0, 0), (1, 2), (2, 2)]


def test_a_renamed_token_flashes(bench, slowly):
    bench.enter("tokens", 1, 0, "bank")
    assert lit(bench, "tokens") == [(1, 0)]


def test_nothing_flashes_where_it_is_switched_off(bench, slowly):
    bench.enter("W_Q", 0, 2, "9")
    bench.panel.look.set_flashing(False)
    assert lit(bench, "W_Q") == []
    bench.enter("W_Q", 0, 0, "9")
    assert lit(bench, "W_Q") == []


def test_a_table_that_is_not_seen_stops_its_flash(bench, slowly):
    bench.enter("W_Q", 0, 2, "9")
    assert is_flashing(bench.table("W_Q"))
    bench.window.hide()
    assert not is_flashing(bench.table("W_Q"))


# ------------------------------------------------------------------------ heads


def rules(table):
    """Return the columns and rows that a rule is drawn before."""
    picture = table.viewport().grab().toImage()
    model, color = table.model(), QColor(LIGHT.muted)

    def is_rule(x, y):
        return picture.pixelColor(x, y) == color

    across = [
        column
        for column in range(1, model.columnCount())
        if is_rule(cell(table, 0, column).left(), cell(table, 0, column).top() + 4)
    ]
    down = [
        row
        for row in range(1, model.rowCount())
        if is_rule(cell(table, row, 0).left() + 4, cell(table, row, 0).top())
    ]
    return across, down


def test_rules_divide_the_heads_and_follow_their_number(open_bench):
    rng = np.random.default_rng(0)
    matrices = {"X": rng.normal(size=(2, 4))}
    matrices |= {f"W_{name}": rng.normal(size=(4, 4)) for name in "QKVO"}
    document = Document("Four", ["a", "b"], matrices, Spec(output_projection=True))
    bench = open_bench(document)
    w_q, w_k, w_o = (bench.table(f"W_{name}") for name in "QKO")
    across = Qt.Orientation.Horizontal
    assert [rules(t) for t in (w_q, w_k, w_o)] == [([], [])] * 3
    assert header(w_q, across, 3) == "3"
    grouped = Spec(n_heads=4, n_kv_heads=2, output_projection=True)
    narrow = {name: rng.normal(size=(4, 2)) for name in ("W_K", "W_V")}
    bench.edits.submit(Replace("Grouped", spec=grouped, matrices=narrow))
    QApplication.processEvents()
    assert rules(w_q) == ([1, 2, 3], [])
    assert rules(w_k) == ([1], [])
    assert rules(w_o) == ([], [1, 2, 3])
    assert rules(bench.table("X")) == ([], [])
    assert header(w_q, across, 3) == "H3·0"
    tip = header(w_q, across, 3, Qt.ItemDataRole.ToolTipRole)
    assert tip == "3: head 3, dimension 0"
    assert header(w_o, Qt.Orientation.Vertical, 2) == "H2·0"
    bench.edits.undo()
    two = Spec(n_heads=2, output_projection=True)
    bench.edits.submit(spec_edit(document, two, "Two heads"))
    QApplication.processEvents()
    assert rules(w_q) == ([2], [])
    assert rules(w_o) == ([], [2])


def test_models_obey_qt_while_format_and_heads_change(bench):
    fatal = QAbstractItemModelTester.FailureReportingMode.Fatal
    tables = [bench.table(name) for name in ("X", "W_Q", "W_V")]
    testers = [QAbstractItemModelTester(table.model(), fatal) for table in tables]
    for table in tables:
        bench.panel.look.set_format(table.name, NumberFormat("decimals", 3))
    edit = spec_edit(bench.document, Spec(n_heads=3), "Three heads")
    bench.edits.submit(edit)
    bench.panel.look.set_heat(True)
    bench.edits.undo()
    assert testers


# ------------------------------------------------------------------------ large


def test_a_huge_table_is_shown_scrolled_and_edited_without_a_look_at_all_of_it(
    open_bench, monkeypatch
):
    rng = np.random.default_rng(0)
    tokens = list(map(str, range(8000)))
    x = rng.normal(size=(8000, 160))
    x[:, 0] = np.arange(8000)
    bench = open_bench(Document("Long", tokens, {"X": x}, Spec(projected=False)))
    table = bench.table("X")
    blocks = []
    shown = type(table.model()).shown_texts

    def counting(self, block):
        blocks.append(block)
        return shown(self, block)

    monkeypatch.setattr(type(table.model()), "shown_texts", counting)
    table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
    QApplication.processEvents()
    bench.enter("X", 7999, 1, "0.5")
    bench.edits.undo()
    QApplication.processEvents()
    assert blocks
    assert max(block.height * block.width for block in blocks) < 400
    assert text(table, 7999, 0) == "7999.00"


# ------------------------------------------------------------------ cut columns


def columns_on_screen(table):
    """Return the first row's cells as they are on the screen: whole and cut ones."""
    window, view = table.window(), table.viewport()
    screen = window.screen().grabWindow(window.winId()).toImage()
    height = table.rowHeight(0)
    whole, cut = [], []
    for column in range(table.model().columnCount()):
        left, width = table.columnViewportPosition(column), table.columnWidth(column)
        place = QRect(left, 0, width, height) & view.rect()
        picture = screen.copy(place.translated(view.mapTo(window, QPoint())))
        if not place.isEmpty():
            (whole if place.width() == width else cut).append(picture)
    return whole, cut


def scroll(table, to):
    table.horizontalScrollBar().setValue(to)
    QApplication.processEvents()


def wide(open_bench, number):
    """Return a table of one number that is wider than its panel."""
    weights = {name: np.full((3, 12), number) for name in ("W_Q", "W_K", "W_V")}
    document = Document("Wide", ["a"], {"X": np.ones((1, 3)), **weights}, Spec())
    return open_bench(document).table("W_Q")


@pytest.mark.parametrize("scrolled", [0, 35, 58, 90])
def test_a_number_that_is_cut_is_not_taken_for_another_one(open_bench, scrolled):
    pictures = []
    for number in (-1.25e-6, 4.75e-5):
        table = wide(open_bench, number)
        scroll(table, scrolled)
        whole, cut = columns_on_screen(table)
        assert len(whole) >= 2
        assert cut
        pictures.append((whole, cut))
    (whole, cut), (other_whole, other_cut) = pictures
    assert whole[0] != other_whole[0]
    # With nothing but dots in them the cells of different numbers look the same.
    assert cut == other_cut


def test_a_number_is_whole_as_soon_as_its_column_is(open_bench):
    table = wide(open_bench, -1.25)
    width = table.columnWidth(0)
    for scrolled in range(0, 2 * width, 7):
        scroll(table, scrolled)
    scroll(table, 2 * width)
    whole, _ = columns_on_screen(table)
    assert all(picture == whole[0] for picture in whole[1:])


def test_a_minus_stands_before_its_number_in_languages_from_right_to_left(
    open_bench, qapp
):
    whole, _ = columns_on_screen(wide(open_bench, -1.25))
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        mirrored, _ = columns_on_screen(wide(open_bench, -1.25))
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert mirrored[0] == whole[0]
