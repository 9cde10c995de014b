"""Folded groups of tokens in the table, the difference, statistics and figures."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QPushButton

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells
from attnviewer.document.token_groups import TokenGroup
from attnviewer.ui.figures.files import encoded
from attnviewer.ui.figures.style import PAPER, FigureStyle
from attnviewer.ui.pictures.shown_panel import shown_panel
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.step.heatmap.profiles import _line
from attnviewer.ui.views.step.lines.texts import token_words

TOKENS = ["[CLS]", "the", "token", "##izer", "splits", "un", "##usual", "words", "."]
NAMES = ["[CLS]", "the", "tokenizer", "splits", "unusual", "words", "."]
STARTS = [0, 1, 2, 4, 5, 7, 8]
COUNTS = np.diff([*STARTS, 9])


def fold(window):
    """Open nine tokens in two heads, which are seven words, folded."""
    rng = np.random.default_rng(5)
    matrices = {name: rng.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices["X"] = rng.normal(size=(9, 4))
    window.workbench.open(Document("Pieces", TOKENS, matrices, Spec(n_heads=2)))
    window.workbench.engine.flush()
    window.workbench.selection.choose_step("weights")
    run(window, "words")
    window.workbench.engine.flush()
    run(window, "fold")
    return window


def run(window, name):
    window.findChild(QAction, f"action.groups.{name}").trigger()


def by_words(weights):
    """Sum over the keys of each word, and average over its queries."""
    sums = np.add.reduceat(np.add.reduceat(weights, STARTS, 0), STARTS, 1)
    return sums / COUNTS[:, np.newaxis]


def weights_of(window, head=0):
    return window.workbench.engine.current.trace["weights"][head]


def entropy(rows):
    return -(rows * np.log2(rows)).sum(axis=1)


def the_table_shows_words_and_only_single_tokens_can_be_pinned(folded):
    window, selection = folded, folded.workbench.selection
    own_settings().setValue("pins/known", True)  # as after the first pin
    window.step_view.set_view("table")
    table, model = window.step_view.table, window.step_view.table.model()
    expected = by_words(weights_of(window))
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    assert [model.headerData(k, down) for k in range(7)] == NAMES
    tip = model.headerData(2, across, Qt.ItemDataRole.ToolTipRole)
    assert tip == "tokenizer, 2 tokens"
    table.setCurrentIndex(model.index(2, 4))
    assert selection.cell == (2, 5)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = float(QGuiApplication.clipboard().text())
    assert copied == pytest.approx(expected[2, 4], abs=1e-12)
    assert window.notice.text == "1×1 cells of weights copied"
    QTest.keyClick(table, Qt.Key.Key_5)
    assert not table.editors
    assert "combines those of several" in window.reason.text()
    assert not window.workbench.document.pins
    # A row that is no group leads to its own token.
    table.setCurrentIndex(model.index(3, 5))
    assert selection.cell == (4, 7)
    QTest.keyClick(table, Qt.Key.Key_0)
    editor = table.editors[0]
    QTest.keyClicks(editor, ".5")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    pin = window.workbench.document.pins[0]
    assert (*pin.rows, *pin.columns) == (4, 7)
    selection.choose_cell("weights", (6, 6))
    assert (table.currentIndex().row(), table.currentIndex().column()) == (4, 4)
    run(window, "open")
    assert model.rowCount() == 9


def statistics_are_those_of_the_words(folded):
    window = folded
    expected = [by_words(weights_of(window, head)) for head in (0, 1)]
    window.step_view.set_view("heatmap")
    statistics = window.step_view.heatmap.statistics
    found = [statistics.facts(row).entropy for row in range(7)]
    np.testing.assert_allclose(found, entropy(expected[0]), rtol=0, atol=1e-12)
    assert "counts as one query, the mean" in statistics._meaning(1.0)
    # Sums over queries have other row sums, which are told.
    run(window, "queries.sum")
    assert statistics.facts(2).total == pytest.approx(2.0)
    assert statistics.facts(2).entropy == pytest.approx(found[2], abs=1e-12)
    run(window, "queries.mean")
    window.step_view.set_view("heads")
    page = window.step_view.page
    page.finish()
    for card, rows in zip(page.heads.wall.cards, expected, strict=True):
        assert f"entropy {entropy(rows).mean():.2f} bit" in card.accessibleName()
        own = np.diagonal(rows).mean()
        assert f"itself {100 * own:.0f} %" in card._tip()
        assert "counts as one query" in card._tip().replace("\n", " ")
    window.workbench.selection.choose_cell("weights", (3, 6))
    panel = window.explain
    panel.refresh()
    title = panel.findChild(QLabel, "explain.row.title")
    assert title.text() == "Row “tokenizer”"
    summed = panel.findChild(QLabel, "explain.row").text()
    assert f"entropy {entropy(expected[0])[2]:.2f} bit" in summed


def the_difference_folds_both_sides_alike(folded):
    window, baseline = folded, folded.workbench.baseline
    before = by_words(weights_of(window)).copy()
    baseline.pin()
    x = window.workbench.document.matrix("X")[3:4] + 0.8
    window.workbench.edits.submit(SetCells("Shift", "X", 3, 0, x))
    window.workbench.engine.flush()
    change = by_words(weights_of(window)) - before
    window.step_view.set_view("difference")
    page = window.step_view.difference
    page.finish()
    content = page.heatmap._content
    assert content.row_labels == content.column_labels == tuple(NAMES)
    np.testing.assert_allclose(content.matrix.window(), change, rtol=0, atol=1e-12)
    largest = page.finder.changes("weights").largest[0]
    page.changes.chosen.emit(largest)
    here = STARTS[largest.row], STARTS[largest.column]
    assert window.workbench.selection.cell == here
    page.bar.choose("A | B")
    page._show()
    page.finish()
    sides = [picture._content for picture in (page.pictures.other, page.heatmap)]
    np.testing.assert_allclose(sides[0].matrix.window(), before, rtol=0, atol=1e-12)
    window.workbench.selection.choose_cell("weights", (3, 6))
    text = page.pictures.cell.text()
    assert f"tokenizer, unusual {before[2, 4]:.4f}" in text
    # A click on the mark of a word opens it on both sides.
    axis = page.heatmap.groups.rows
    _, place = next(iter(axis.placed()))
    where = axis.mapToScene(QPointF(place.height() / 2, place.center().x()))
    spot = page.heatmap.mapFromScene(where)
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(page.heatmap.viewport(), left, pos=spot)
    page.finish()
    shapes = [p._content.shape for p in (page.pictures.other, page.heatmap)]
    assert shapes == [(8, 7), (8, 7)]


def how_says_why_it_shows_single_tokens_and_leads_to_the_words(folded):
    window = folded
    window.step_view.set_view("how")
    note = window.step_view.page.folds
    assert note.isVisible()
    assert "Single tokens" in note.findChild(QLabel, "how.folds.text").text()
    button = note.findChild(QPushButton, "how.folds.show")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.step_view.view == "heatmap"
    run(window, "open")
    window.step_view.set_view("how")
    assert not note.isVisible()


def tokens_are_grouped_by_keys_alone(folded):
    window = folded
    window.step_view.set_view("heatmap")
    heatmap = window.step_view.heatmap
    heatmap.setFocus()
    window.workbench.selection.choose_cell("weights", (7, 0))
    QTest.keyClick(heatmap, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(heatmap, Qt.Key.Key_G, Qt.KeyboardModifier.ShiftModifier)
    dialog = window.findChild(QDialog, "group")
    name = dialog.findChild(QLineEdit, "group.name")
    QTest.keyClicks(name, "end")
    QTest.keyClick(name, Qt.Key.Key_Return)
    window.workbench.engine.flush()
    assert [tuple(g) for g in window.workbench.document.groups][-1] == ("end", 7, 9)
    QTest.keyClick(heatmap, Qt.Key.Key_G)
    assert heatmap._content.row_labels[-1] == "end"


def single_tokens_keep_their_numbers_beside_folded_groups(folded):
    window = folded
    window.step_view.set_view("lines")
    content = window.step_view.page_of("lines").picture.content
    assert token_words(content, ("queries", 3)).startswith("Query 4: splits. ")
    assert token_words(content, ("queries", 2)).startswith("Query tokenizer. ")
    told = token_words(content, ("keys", 6))
    assert told.startswith("Key 8: ..")
    strongest = np.argsort(-by_words(weights_of(window))[:, 6])[:3]
    numbers = {3: " (4)", 5: " (7)", 6: " (8)", 2: "", 4: ""} | {0: " (0)", 1: " (1)"}
    for line in strongest:
        assert f"{NAMES[line]}{numbers[line]} 0." in told
    window.step_view.set_view("heatmap")
    content = window.step_view.heatmap._content
    lines = (slice(2, 3), slice(0, 7)), (slice(0, 7), slice(3, 4))
    lines = [_line(content, *line) for line in lines]
    assert [line.label for line in lines] == ["tokenizer", "splits (4)"]
    expected = [f"{name}{numbers[line]}" for line, name in enumerate(NAMES)]
    for line in lines:
        assert [line.name_of(cell) for cell in range(7)] == expected


def figures_have_the_names_of_words_and_their_numbers(folded):
    window = folded
    for view, times in {"heatmap": 2, "heads": 3, "lines": 2, "table": 2}.items():
        window.step_view.set_view(view)
        panel = shown_panel(window.step_view, window.workbench, PAPER)
        text = encoded([panel], FigureStyle(174.0, caption=True), "svg").decode()
        assert text.count(">tokenizer<") == times
        assert "##izer" not in text
        assert "count as one" in text.replace("\n", " ")
        if view == "table":
            assert f">{by_words(weights_of(window))[2, 4]:.4f}<" in text
    run(window, "open")
    window.step_view.set_view("heatmap")
    panel = shown_panel(window.step_view, window.workbench, PAPER)
    text = encoded([panel], FigureStyle(174.0), "svg").decode()
    assert text.count(">tokenizer<") == 2  # beside the labels of its tokens
    assert text.count(">##izer<") == 2


def weights_that_are_shown_in_blocks_fold_as_well(window):
    """1100 tokens, of which ten at a time are a group."""
    rng = np.random.default_rng(6)
    groups = tuple(TokenGroup(f"g{k}", k, k + 10) for k in range(0, 1100, 10))
    x = rng.normal(size=(1100, 2))
    spec = Spec(projected=False, causal=True)
    tokens = tuple(map(str, range(1100)))
    window.workbench.open(Document("Long", tokens, {"X": x}, spec, groups=groups))
    window.workbench.engine.flush()
    window.workbench.selection.choose_step("weights")
    window.step_view.set_view("heatmap")
    content = window.step_view.heatmap._content
    assert content.overview is not None
    run(window, "fold")
    content = window.step_view.heatmap._content
    assert content.overview is None
    assert content.row_labels[109] == "g1090"
    weights = window.workbench.engine.current.trace["weights"].astype(np.float64)
    starts = range(0, 1100, 10)
    sums = np.add.reduceat(np.add.reduceat(weights, starts, 0), starts, 1) / 10
    np.testing.assert_allclose(content.matrix.window(), sums, rtol=0, atol=1e-12)
    masked = content.matrix.hidden()
    np.testing.assert_array_equal(masked, np.triu(np.ones((110, 110), bool), 1))


def test_table_statistics_and_difference_are_those_of_words_and_how_leads_to_them(
    window,
):
    for follows in (
        the_table_shows_words_and_only_single_tokens_can_be_pinned,
        statistics_are_those_of_the_words,
        the_difference_folds_both_sides_alike,
        how_says_why_it_shows_single_tokens_and_leads_to_the_words,
    ):
        follows(fold(window))


def test_keys_group_tokens_and_figures_and_blocks_are_of_words(window):
    single_tokens_keep_their_numbers_beside_folded_groups(fold(window))
    tokens_are_grouped_by_keys_alone(fold(window))
    figures_have_the_names_of_words_and_their_numbers(fold(window))
    weights_that_are_shown_in_blocks_fold_as_well(window)
