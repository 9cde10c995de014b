"""The page that compares, on a workbench of its own."""

import numpy as np
import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage

from attnviewer.compute import Pin, Spec
from attnviewer.document import Document, SetCells
from attnviewer.document.pins import add_pins, enable_pins
from attnviewer.ui.paint import step_scale
from attnviewer.ui.views.step.difference import finder as finder_module


def heads():
    random = np.random.default_rng(0)
    names = ("X", "W_Q", "W_K", "W_V")
    matrices = {name: random.normal(size=(4, 4)) for name in names}
    return Document("Heads", "abcd", matrices, Spec(n_heads=2))


def many(n=300):
    random = np.random.default_rng(0)
    x = random.normal(size=(n, 2))
    return Document("Many", ["t"] * n, {"X": x}, Spec(projected=False, scale=1.0))


def edit(bench, name, row, column, value):
    cells = np.array([[float(value)]])
    bench.edits.submit(SetCells(f"Set {name}", name, row, column, cells))
    bench.engine.flush()


def color_at(page, cell):
    rect = page.heatmap.cell_rect(cell)
    place = rect.topLeft() + (rect.center() - rect.topLeft()) / 3
    return page.heatmap.grab().toImage().pixelColor(place.toPoint())


def _ends(ticks) -> list[str]:
    """Return the texts of the first and the last tick."""
    return [ticks[0][1], ticks[-1][1]]


def test_all_heads_share_symmetric_limits_and_the_list_names_heads(open_page, qtbot):
    bench, page = open_page(heads())
    before = bench.engine.current.trace["scores"].copy()
    # Columns 2 and 3 of W_Q are those of the second head.
    edit(bench, "W_Q", 0, 3, 9.0)
    bench.selection.choose_step("scores")
    change = bench.engine.current.trace["scores"] - before
    assert not change[0].any()
    reach = np.abs(change).max()
    assert reach > 0
    limits = [f"−{reach:.4g}", f"{reach:.4g}"]
    # On a busy machine, the limits of all heads are read beside the window.
    qtbot.waitUntil(lambda: _ends(page.heatmap.bar.ticks()) == limits)
    names = [c.name for c in page.changes.changes]
    assert all(name.startswith("H1 ") for name in names)
    assert bench.selection.head == 0
    page.changes.setFocus()
    qtbot.keyClick(page.changes, "\r")
    assert bench.selection.head == 1
    _, row, column = np.unravel_index(np.abs(change).argmax(), change.shape)
    assert bench.selection.cell == (row, column)


def test_more_is_bluer_less_is_redder_and_the_same_is_neither(open_page):
    bench, page = open_page(
        Document("Three", "abc", {"X": np.eye(3)}, Spec(projected=False, scale=1.0))
    )
    bench.selection.choose_cell("X", None)
    bench.baseline.pin()
    edit(bench, "X", 0, 1, 2.0)
    edit(bench, "X", 1, 2, -2.0)
    more, less, same = (color_at(page, cell) for cell in ((0, 1), (1, 2), (2, 0)))
    assert more.blue() > more.red() + 50
    assert less.red() > less.blue() + 50
    assert abs(same.red() - same.blue()) < 20


def test_a_and_b_have_one_scale(open_page):
    bench, page = open_page(
        Document("Two", "ab", {"X": np.eye(2)}, Spec(projected=False, scale=1.0))
    )
    bench.selection.choose_step("X")
    edit(bench, "X", 0, 1, -6.0)
    ticks = []
    for number in (0, 1):
        page.bar.findChild(object, f"difference.show.{number}").click()
        ticks.append([text for _, text in page.heatmap.bar.ticks()])
    assert ticks == [["−6", "0", "6"]] * 2


def test_every_edit_is_followed_and_hidden_pages_do_nothing(open_page):
    bench, page = open_page(heads())
    bench.baseline.pin()
    view = page.window()
    edit(bench, "X", 0, 0, 5.0)
    first = page.summary.text()
    view.set_view("table")
    edit(bench, "X", 1, 1, 50.0)
    assert page.summary.text() == first
    view.set_view("difference")
    assert page.summary.text() != first


def test_a_baseline_that_changes_behind_a_hidden_page_is_found_on_return(open_page):
    bench, page = open_page(heads())
    view = page.window()
    edit(bench, "X", 0, 0, 5.0)
    view.set_view("table")
    bench.baseline.pin()
    view.set_view("difference")
    # The baseline is computed as a whole, the edit row by row.
    assert page.empty.text.startswith("Nothing differs beyond rounding; ")


@pytest.fixture
def slow(monkeypatch):
    """One turn of the event loop is never enough."""
    monkeypatch.setattr(finder_module, "SLICE_SECONDS", 0.0)
    monkeypatch.setattr(step_scale, "LARGE", 100)


def test_what_takes_long_is_compared_turn_by_turn(open_page, qtbot, slow):
    bench, page = open_page(many())
    bench.baseline.pin()
    before = bench.engine.current.trace["scores"].copy()
    bench.selection.choose_step("scores")
    edit(bench, "X", 7, 1, 9.0)
    assert page.summary.text().startswith("Comparing…")
    page.finish()
    change = bench.engine.current.trace["scores"] - before
    row, column = np.unravel_index(np.abs(change).argmax(), change.shape)
    largest = page.changes.changes[0].cell
    assert (largest.row, largest.column) == (row, column) == (7, 7)
    assert largest.change == change[7, 7]
    assert page.heatmap.isVisible()
    assert not page.finder.findChild(QTimer).isActive()


def test_the_turns_end_when_the_page_is_hidden_and_go_on_after(open_page, qtbot, slow):
    bench, page = open_page(many())
    view = page.window()
    edit(bench, "X", 7, 1, 9.0)
    timer = page.finder.findChild(QTimer)
    assert timer.isActive()
    view.set_view("table")
    assert not timer.isActive()
    view.set_view("difference")
    qtbot.waitUntil(lambda: not timer.isActive() and page.heatmap.isVisible())
    assert " of 90000 cells differ, by at most " in page.summary.text()
    page.bar.findChild(object, "difference.show.0").click()
    page.finish()
    assert page.heatmap._content.scale.scaling == "log"


def test_a_lone_change_among_many_is_seen_at_full_colour(open_page, qtbot, slow):
    document = Document(
        "Lone", ["t"] * 1500, {"X": np.zeros((1500, 900))}, Spec(projected=False)
    )
    bench, page = open_page(document)
    bench.selection.choose_cell("X", None)
    bench.selection.choose_step("X")
    with qtbot.waitSignal(bench.engine.computed):
        edit(bench, "X", 1234, 567, 3.0)
    page.finish()
    image = page.heatmap.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4).astype(int)
    blue, _, red, _ = pixels[np.argmax(pixels @ [-1, -1, 1, 0])]
    assert red > 90
    assert blue < 60


def test_the_pages_own_words_come_without_numbers_of_an_earlier_comparison(open_page):
    bench, page = open_page(heads())
    edit(bench, "X", 0, 0, 5.0)
    assert page.heatmap.isVisible()
    bench.edits.undo()
    bench.engine.flush()
    assert not page.heatmap.isVisible()
    assert page.empty.text.startswith("Nothing has been edited yet")
    # As in the bar; what is pinned are numbers.
    assert page.empty.button.text() == "Set baseline"
    assert page.finder.comparison is None


def choices(page):
    box = page.bar.reference
    return [box.itemText(number) for number in range(box.count())]


def test_the_difference_from_without_pins_is_what_the_pins_do(open_page, qtbot):
    document = Document("Two", "ab", {"X": np.eye(2)}, Spec(projected=False, scale=1.0))
    bench, page = open_page(document)
    bench.selection.choose_step("scores")
    assert "without pins" not in choices(page)
    pins = [Pin("scores", 0, 1, 2.0), Pin("output", 1, 0, 0.25, how="add")]
    bench.edits.submit(add_pins(document, pins, "Pin"))
    bench.engine.flush()
    assert choices(page)[2:] == ["without pins"]
    page.bar.reference.activated.emit(2)
    assert page.bar.reference.currentText() == "without pins"
    assert page.summary.text() == "1 of 4 cells differ, by at most 2."
    assert [change.cell for change in page.changes.changes] == [(0, 0, 1, 0.0, 2.0)]
    edit(bench, "X", 0, 0, 3.0)  # A follows, so that it is the pins' alone
    assert [change.cell for change in page.changes.changes] == [(0, 0, 1, 0.0, 2.0)]
    edit(bench, "X", 0, 0, 1.0)
    bench.selection.choose_step("output")
    # Row 0 is the weights, as X is the unit matrix: of 1 and 2 instead of 1 and 0.
    share = np.e / (np.e + 1)
    expected = pytest.approx(
        {(0, 0): 1 - 2 * share, (0, 1): 2 * share - 1, (1, 0): 0.25}, abs=1e-15
    )

    def assert_changes():
        found = (change.cell for change in page.changes.changes)
        assert {(c.row, c.column): c.change for c in found} == expected

    qtbot.waitUntil(assert_changes)
    everything = enable_pins(document, range(2), False, "Switch off")
    bench.edits.submit(everything)
    bench.engine.flush()
    assert page.empty.isVisible()
    assert "No pin is switched on" in page.empty.accessibleName()
    assert not page.empty.button.isVisible()
    assert page.bar.reference.currentText() == "without pins"
    bench.edits.undo()
    bench.engine.flush()
    assert not page.empty.isVisible()
    page.bar.reference.activated.emit(1)
    bench.edits.submit(everything)
    bench.engine.flush()
    assert "without pins" not in choices(page)


def test_earlier_baselines_stay_below_the_state_without_pins(open_page):
    bench, page = open_page(heads())
    bench.baseline.pin()
    edit(bench, "X", 0, 0, 9.0)
    bench.baseline.pin()
    assert len(choices(page)) == 3
    bench.edits.submit(add_pins(bench.document, [Pin("scores", 0, 0, 1.0)], "Pin"))
    bench.engine.flush()
    assert choices(page)[2] == "without pins"
    earlier = bench.baseline.earlier[0].title
    assert choices(page)[3] == earlier
    page.bar.reference.activated.emit(3)
    assert page.bar.reference.currentText() == earlier
    bench.edits.undo()
    bench.engine.flush()
    assert len(choices(page)) == 3
    assert "without pins" not in choices(page)
