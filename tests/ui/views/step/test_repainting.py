"""After edits, pages paint what has changed, and show what a new window shows."""

import numpy as np
import pytest
from PySide6.QtCore import QRect

from attnviewer.compute import HeadLocation, Pin, Spec
from attnviewer.document import Document, SetCells

from .editing import Exposed, change, edit, on_screen, settle, words

N_EDITS = 4
SIZE = 1500, 950
HEADS = Spec(n_heads=2, causal=True)
PINNED = Spec(
    n_heads=2,
    pins=(
        Pin("weights", range(4), range(2), 0.25, head=0),
        Pin("Q", 2, 1, 3.0, how="add"),
    ),
)
PAGES = {
    "table": [("weights", PINNED)],
    "heads": [("weights", HEADS), ("weights", PINNED)],
    "lines": [("weights", HEADS), ("weights", PINNED)],
    "how": [
        ("weights", PINNED),
        ("scores", Spec(causal=True)),
        ("output", HEADS),
    ],
}


@pytest.fixture
def open_page(open_on):
    """Open a window on a page of a document of so many tokens."""

    def show(view, step, spec=None, n=9, document=None, window=None):
        rng = np.random.default_rng(1)
        document = document or words(n, spec or Spec(), rng)
        window = open_on(document, step, SIZE, window)
        window.step_view.set_view(view)
        if view == "lines":
            window.workbench.selection.choose_cell(step, None)
        settle()
        return window, window.step_view.page

    return show


def painted(exposed):
    """Return what was painted, but for the pixel that tells of an edit."""
    boxes = [rect for region in exposed.regions for rect in region]
    return [box for box in boxes if box.width() > 1 or box.height() > 1]


def test_after_edits_a_page_shows_what_a_window_shows_that_saw_none(open_page):
    window = other = None
    for view, step, spec in [(v, *page) for v in PAGES for page in PAGES[v]]:
        rng = np.random.default_rng(len(view) + len(step))
        window, page = open_page(view, step, spec, window=window)
        for _ in range(N_EDITS):
            edit(window, rng)
        shown = on_screen(page)
        other, opened = open_page(view, step, document=window.document, window=other)
        assert np.array_equal(shown, on_screen(opened)), (view, step, spec)


def test_pages_are_painted_only_where_numbers_change_and_tell_of_each_edit(
    open_page, qtbot
):
    window = check_table(open_page)
    check_picture(open_page, window)
    check_cards(open_page, window)
    check_lines(open_page, window)
    check_lines_out_of_sight(open_page, window)
    check_unchanged_pages(open_page, window, qtbot)


def check_unchanged_pages(open_page, window, qtbot):
    open_page("heatmap", "weights", HEADS, window=window)
    for number, view in enumerate(["heatmap", *PAGES]):
        window.step_view.set_view(view)
        settle()
        with qtbot.waitSignal(window.step_view.painted):
            cells = SetCells("edit", "W_V", 1, 2, np.array([[0.25 + number]]))
            window.workbench.edits.submit(cells)


def check_table(open_page):
    window, table = open_page("table", "Q")
    told = []
    table.model().dataChanged.connect(
        lambda first, last: told.append(
            (first.row(), first.column(), last.row(), last.column())
        )
    )
    exposed = Exposed(table.viewport())
    change(window, "X", 4, 2)
    assert told == [(4, 0, 4, 5)]
    top, height = table.rowViewportPosition(4), table.rowHeight(4)
    # The grid's line above belongs to no row, and is painted with each.
    row = QRect(0, top - 1, table.viewport().width(), height + 2)
    assert painted(exposed)
    assert all(row.contains(box) for box in painted(exposed))
    told.clear()
    change(window, "W_Q", 1, 3)
    assert told == [(0, 3, 8, 3)]
    told.clear()
    change(window, "W_V", 1, 3)
    assert told == []
    return window


def check_cards(open_page, window):
    _, page = open_page("heads", "weights", HEADS, window=window)
    cards = [page.heads.wall.card_of(HeadLocation(None, head)) for head in range(2)]
    exposed = [Exposed(card) for card in cards]
    change(window, "W_Q", 1, 4)  # a column of the second head
    kept, changed = map(painted, exposed)
    assert not kept
    assert changed == [cards[1].rect()]


def check_lines(open_page, window):
    _, page = open_page("lines", "weights", HEADS, window=window)
    exposed = Exposed(page.picture.viewport())
    drawn = []
    page.picture.drawn.connect(lambda: drawn.append(1))
    for matrix, column in (("W_V", 1), ("W_Q", 4)):  # none, and the second head's
        change(window, matrix, 1, column)
        assert not painted(exposed)
        assert not drawn
    change(window, "W_Q", 1, 2)
    assert painted(exposed)
    assert drawn


def check_lines_out_of_sight(open_page, window):
    document = words(300, Spec(), np.random.default_rng(1))
    matrices = {name: document.matrix(name) for name in ("X", "W_Q", "W_K", "W_V")}
    crossed = Document(
        "Crossed",
        document.tokens,
        matrices | {"context": document.matrix("X")},
        Spec(context=True),
        context_tokens=document.tokens,
    )
    _, page = open_page("lines", "weights", document=crossed, window=window)
    exposed = Exposed(page.picture.viewport())
    change(window, "X", 299, 2)  # a query far below
    assert not painted(exposed)
    change(window, "X", 1, 2)
    assert painted(exposed)


def check_picture(open_page, window):
    _, page = open_page("how", "weights", Spec(causal=True), n=6, window=window)
    window.workbench.selection.choose_cell("weights", (2, 1))
    settle()
    exposed = Exposed(page.stage)
    change(window, "W_V", 1, 2)
    change(window, "X", 5, 2)  # a key that the query does not see
    assert not any(page.stage.rect() == box for box in painted(exposed))
    exposed.regions.clear()
    change(window, "W_V", 2, 2)
    assert not painted(exposed)
    change(window, "W_Q", 1, 2)
    assert painted(exposed)
    lowest = min(box.top() for box in painted(exposed))
    heading = page.stage.drawing.control("temperature")
    assert heading is not None
    assert lowest >= heading.top()
