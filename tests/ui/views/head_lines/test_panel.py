"""The panel of lines as a person uses it: in the window, beside any view."""

from itertools import cycle, islice

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QLineEdit,
    QTabBar,
    QTableView,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.io import load
from attnviewer.ui.state.selection import Marked
from tests.ui.cut_off_texts import misfits

LEFT = Qt.MouseButton.LeftButton
FIRST = [[0.75, 0.25], [0.25, 0.75]]
SECOND = [[1.0, 0.0], [0.75, 0.25]]


@pytest.fixture
def window(appearance, open_window):
    window = open_window("example:two-heads", (1366, 768))
    window.workbench.open_head(0)
    window.workbench.selection.choose_cell("weights", (1, 0))
    return window


def settle():
    for _ in range(3):
        QApplication.processEvents()


def reopen(window):
    """Open the first example anew beside the panel, with a cell of a head selected."""
    window.workbench.open(load("example:two-heads"))
    window.workbench.open_head(0)
    window.workbench.selection.choose_cell("weights", (1, 0))
    settle()


def restart(window):
    """Close the panel where it is open, and begin with the first example anew."""
    if window.findChild(QDockWidget, "dock.lines").isVisible():
        do(window, "dock.lines")
    window.step_view.setFocus()
    window.workbench.selection.hover("weights", None)
    reopen(window)


def do(window, name):
    window.findChild(QAction, f"action.{name}").trigger()
    settle()


def panel(window):
    return window.findChild(QWidget, "lines")


def picture(window):
    return window.findChild(QWidget, "lines.page.picture")


def text(window, name):
    return window.findChild(QLabel, name).text().replace("\u00a0", " ")


def keys_told(window):
    """Return what the chosen query looks at, with the weights."""
    labels = [
        [window.findChild(QLabel, f"lines.numbers.{kind}.{k}") for k in range(3)]
        for kind in ("key", "weight")
    ]
    pairs = zip(*labels, strict=True)
    return [(key.text(), weight.text()) for key, weight in pairs if key.isVisible()]


def click(window, side, token):
    place = picture(window).middle_of(side, token).toPoint()
    QTest.mouseClick(picture(window).viewport(), LEFT, pos=place)
    settle()


def two_heads(first=FIRST, second=SECOND):
    """Return a document whose heads have given weights, whose rows add up to 1.

    With X and each head's W_Q the identity, the scores are the transpose of its W_K.
    """
    eye = np.eye(2)
    keys = np.hstack([np.transpose(first), np.transpose(second)])
    matrices = {
        "X": eye,
        "W_Q": np.hstack([eye, eye]),
        "W_K": keys,
        "W_V": np.hstack([eye, eye]),
        "W_O": np.vstack([eye, eye]),
    }
    spec = Spec(n_heads=2, output_projection=True, scale=1.0, normalizer="sum")
    return Document("Given", ["it", "was"], matrices, spec)


def long_one(n):
    generator = np.random.default_rng(3)
    matrices = {name: generator.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices["X"] = generator.normal(size=(n, 4))
    return Document("Long", [f"t{k}" for k in range(n)], matrices, Spec())


def test_it_opens_behind_explain_reads_what_is_seen_and_marks_the_query_asked_for(
    window, qtbot
):
    check_opening(window)
    restart(window)
    check_out_of_sight(window, qtbot)
    restart(window)
    check_tabs(window)
    restart(window)
    check_numbers(window)
    restart(window)
    check_pointer_and_keys(window, qtbot)
    restart(window)
    check_marks(window)


def test_the_lines_follow_edits_all_heads_and_the_theme(window, qtbot, appearance):
    check_all_heads(window, qtbot, appearance)
    appearance.choose("light")
    restart(window)
    check_edit(window, qtbot)


def check_opening(window):
    dock = window.findChild(QDockWidget, "dock.lines")
    assert not dock.isVisible()
    assert picture(window) is None  # not made before it is wanted
    do(window, "dock.lines")
    assert dock.isVisible()
    assert picture(window).hasFocus()
    bar = window.findChild(QTabBar, "docks.tabs")
    tabs = [bar.tabText(number) for number in range(bar.count())]
    assert (tabs, bar.currentIndex()) == (["Explain", "Lines"], 1)
    assert text(window, "lines.legend") == "H0 · query → keys · width = weight"
    do(window, "dock.lines")
    assert not dock.isVisible()
    assert window.findChild(QWidget, "explain").isVisible()
    window.step_view.setFocus()
    had = QApplication.focusWidget()
    window.docks.open_panel("lines")
    settle()
    assert window.findChild(QDockWidget, "dock.lines").isVisible()
    assert QApplication.focusWidget() is had


def check_numbers(window):
    do(window, "dock.lines")
    window.workbench.open(two_heads())
    settle()
    click(window, "queries", 1)
    assert text(window, "lines.numbers.title") == "H0"
    assert text(window, "lines.numbers.statistics").split("\n") == [
        "entropy 0.81 bit (layer mean 0.61)",
        "first key 50 % (69) · previous 25 % (50) · distance 0.25 (0.31)",
    ]
    assert text(window, "lines.numbers.query") == "query “was” attends to:"
    assert keys_told(window) == [("was", "0.7500"), ("it", "0.2500")]
    window.workbench.selection.choose_head(1)
    settle()
    assert text(window, "lines.legend").startswith("H1 · ")
    assert text(window, "lines.numbers.title") == "H1"
    assert text(window, "lines.numbers.statistics").split("\n") == [
        "entropy 0.41 bit (layer mean 0.61)",
        "first key 88 % (69) · previous 75 % (50) · distance 0.38 (0.31)",
    ]
    assert keys_told(window) == [("it", "0.7500"), ("was", "0.2500")]
    click(window, "queries", 0)
    assert keys_told(window) == [("it", "1.0000")]
    window.workbench.selection.mark(Marked(frozenset([0, 1]), frozenset()))
    settle()
    assert text(window, "lines.numbers.query") == "2 queries together attend to:"
    assert keys_told(window) == [("it", "1.7500"), ("was", "0.2500")]
    click(window, "queries", 0)
    said = window.findChild(QWidget, "lines.numbers").accessibleDescription()
    assert "query “it” attends to:\nit 1.0000" in said
    window.opener.open("example:four-words")
    settle()
    assert text(window, "lines.legend") == "query → keys · width = weight"
    assert not window.findChild(QLabel, "lines.numbers.compared").isVisible()
    assert "(" not in text(window, "lines.numbers.statistics")
    matrices = {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V")}
    matrices["mask"] = np.zeros((2, 2), dtype=bool)
    window.workbench.open(Document("Blind", "ab", matrices, Spec(mask=True)))
    settle()
    assert text(window, "lines.numbers.statistics").startswith("entropy — bit")
    assert keys_told(window) == []


def check_marks(window):
    window.step_view.set_view("heatmap")
    do(window, "dock.lines")
    heatmap = window.findChild(QWidget, "step.heatmap")
    before = heatmap.grab().toImage()
    click(window, "queries", 4)
    assert window.workbench.selection.marked == Marked(frozenset([4]), frozenset())
    assert heatmap.grab().toImage() != before
    assert text(window, "lines.numbers.query") == "query “it” attends to:"
    reopen(window)
    window.step_view.setFocus()
    workbench = window.workbench
    workbench.open_step("scores", (3, 0))
    settle()
    assert picture(window).focus.cells == ((3, 0),)
    assert text(window, "lines.numbers.query") == "query “because” attends to:"
    workbench.open_step("Q", (5, 2))
    settle()
    assert picture(window).focus.queries == (5,)
    assert text(window, "lines.numbers.query") == "query “was” attends to:"
    workbench.open_step("K", (2, 1))
    settle()
    assert (picture(window).focus.queries, picture(window).focus.keys) == ((), (2,))
    assert (
        text(window, "lines.numbers.query")
        == "Click a query to see what it attends to."
    )
    workbench.selection.mark(Marked(frozenset([1]), frozenset([0])))
    settle()
    assert picture(window).focus.keys == (1,)
    reopen(window)
    selection = window.workbench.selection
    selection.choose_step("V")
    settle()
    click(window, "queries", 6)
    assert selection.step == "weights"
    assert selection.marked == Marked(frozenset([6]), frozenset())
    selection.choose_step("scores")
    settle()
    click(window, "keys", 0)
    assert selection.step == "scores"  # which has the same rows and columns
    assert selection.marked == Marked(frozenset(), frozenset([0]))


def check_pointer_and_keys(window, qtbot):
    do(window, "dock.lines")
    window.step_view.setFocus()
    selection, lines = window.workbench.selection, picture(window)
    lines.grab()
    settle()  # the numbers below have taken their room
    places = lines.arrangement()
    middle = places.middle("queries", 3), places.middle("keys", 2)
    end = QPointF((places.left + places.right) / 2, lines.top + sum(middle) / 2)
    QTest.mouseMove(lines.viewport(), end.toPoint())
    settle()
    assert selection.hovered == ("weights", (3, 2))  # what "because" looks at most
    QTest.mouseMove(lines.viewport(), QPoint(2, 2))
    settle()
    assert selection.hovered == ("weights", None)
    selection.hover("Q", (2, 0))
    assert lines.focus.queries == (2,)
    reopen(window)
    lines, selection = picture(window), window.workbench.selection
    assert lines.current == ("queries", 1)  # that of the selected cell
    qtbot.keyClick(lines, Qt.Key.Key_Down)
    assert lines.current == ("queries", 2)
    settle()
    assert text(window, "lines.numbers.query") == "query “slept” attends to:"
    qtbot.keyClick(lines, Qt.Key.Key_Return)
    assert selection.cell == (2, 1)  # "slept" looks at "cat" most
    settle()
    assert text(window, "lines.numbers.query") == "query “slept” attends to:"
    assert keys_told(window)[0] == ("cat", "0.9783")


def check_out_of_sight(window, qtbot):
    do(window, "dock.lines")
    window.workbench.open(two_heads())
    settle()
    bar = window.findChild(QTabBar, "docks.tabs")

    def open_tab(number):
        place = bar.tabRect(number).center()
        qtbot.mouseClick(bar, LEFT, pos=place)
        settle()

    open_tab(0)
    window.workbench.open(two_heads(SECOND, FIRST))
    settle()
    assert picture(window).pairs.trace is None
    open_tab(1)
    click(window, "queries", 0)
    assert keys_told(window) == [("it", "1.0000")]
    do(window, "dock.lines")
    window.workbench.open(two_heads())
    settle()
    assert picture(window).pairs.trace is None
    do(window, "dock.lines")
    click(window, "queries", 0)
    assert keys_told(window) == [("it", "0.7500"), ("was", "0.2500")]


def click_tab(window, title):
    bar, number = next(
        (bar, number)
        for bar in window.findChildren(QTabBar, "docks.tabs")
        for number in range(bar.count())
        if bar.tabText(number) == title
    )
    QTest.mouseClick(bar, LEFT, pos=bar.tabRect(number).center())
    settle()


def check_tabs(window):
    do(window, "dock.lines")
    slider = window.findChild(QWidget, "lines.page.threshold.slider")
    QTest.mouseClick(slider, LEFT, pos=slider.rect().center())
    chosen = panel(window).lines.threshold.threshold
    click_tab(window, "Explain")
    focused = QApplication.focusWidget()
    assert window.findChild(QWidget, "explain").isAncestorOf(focused)
    # The numbers that the lines were drawn from are gone now.
    window.workbench.edits.submit(SetCells("Set", "X", 0, 0, np.array([[1.25]])))
    settle()
    QTest.keyClick(focused, Qt.Key.Key_Right)
    settle()
    assert panel(window).lines.threshold.threshold == chosen
    # Assistive technology may move a slider wherever it is.
    slider.setValue(0)
    settle()
    click_tab(window, "Lines")
    lines = panel(window).lines
    assert lines.threshold.threshold == 0
    drawn, _of, count, *_ = lines.controls.tally.text().split()
    assert drawn == count


def check_all_heads(window, qtbot, appearance):
    do(window, "dock.lines")
    box = window.findChild(QWidget, "lines.page.overlay")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    settle()
    assert text(window, "lines.legend").startswith("All heads · ")
    assert text(window, "lines.numbers.title") == "H0"
    assert misfits(window) == []
    for theme in ("light", "dark"):
        appearance.choose(theme)
        settle()
        ground = picture(window).grab().toImage().pixelColor(1, 1).name()
        assert ground == appearance.theme.surface


def test_the_means_of_a_long_sequence_are_read_in_turns(window, qtbot, monkeypatch):
    # On a fast machine one turn would do.
    monkeypatch.setattr("attnviewer.ui.work.surveyor.SLICE_SECONDS", 0)
    do(window, "dock.lines")
    document = long_one(1500)
    window.workbench.open(document)
    settle()
    assert text(window, "lines.numbers.statistics").startswith("entropy …")
    assert len(keys_told(window)) == 3
    x, w_q, w_k = (document.matrix(name) for name in ("X", "W_Q", "W_K"))
    scores = x @ w_q @ (x @ w_k).T / 2
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = -np.nansum(weights * np.log2(weights), axis=1).mean()
    expected = f"entropy {bits:.2f} bit"
    qtbot.waitUntil(
        lambda: text(window, "lines.numbers.statistics").startswith(expected)
    )


def test_the_panel_fits_on_a_small_screen(appearance, open_window):
    window = open_window("example:two-heads", (1366, 768))
    do(window, "dock.lines")
    examples = cycle(("two-heads", "journey", "four-words"))
    for percent, n in ((80, 1), (100, 1), (150, 2), (200, 3)):
        appearance.set_text_size(percent)
        for example in islice(examples, n):
            window.opener.open(f"example:{example}")
            settle()
            assert misfits(window) == [], (percent, example)
            line = window.fontMetrics().height()
            assert picture(window).height() >= 10 * line
            assert panel(window).width() < 0.4 * window.width()


def check_edit(window, qtbot):
    window.opener.open("example:four-words")
    do(window, "dock.lines")
    click(window, "queries", 3)
    before = picture(window).grab().toImage()
    told = keys_told(window)
    table = window.findChild(QTableView, "table.W_Q")
    place = table.visualRect(table.model().index(2, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)
    qtbot.keyClicks(table, "0")
    editor = table.viewport().findChild(QLineEdit)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    settle()
    # Notebook 000 with W_Q[2, 0] = 0: word 4 asks [0, 1, 2]; the keys are the rows of
    # X W_K, so that its scores are 6, 4, 10 and 3 over √3.
    exponentials = np.exp((np.array([6, 4, 10, 3]) - 10) / np.sqrt(3))
    weights = exponentials / exponentials.sum()
    assert keys_told(window) != told
    assert keys_told(window) == [
        ("word 3", f"{weights[2]:.4f}"),
        ("word 1", f"{weights[0]:.4f}"),
        ("word 2", f"{weights[1]:.4f}"),
    ]
    assert picture(window).grab().toImage() != before
    do(window, "undo")
    assert keys_told(window) == told
