"""Groups of tokens in the window: found, named by hand, folded and opened."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.state.selection import Marked

TOKENS = ["[CLS]", "the", "token", "##izer", "splits", "un", "##usual", "words", "."]


def group(window):
    """Open nine tokens in two heads, of which two pairs are words."""
    rng = np.random.default_rng(5)
    matrices = {name: rng.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices["X"] = rng.normal(size=(9, 4))
    window.workbench.open(Document("Pieces", TOKENS, matrices, Spec(n_heads=2)))
    window.step_view.set_view("heatmap")
    window.workbench.engine.flush()
    return window


def run(window, name):
    window.findChild(QAction, f"action.groups.{name}").trigger()


def shown(window):
    """Return labels and numbers of the heatmap."""
    content = window.step_view.heatmap._content
    return content.row_labels, content.column_labels, content.matrix.window()


def words_fold_and_open_and_their_numbers_are_combined(grouped):
    window, heatmap = grouped, grouped.step_view.heatmap
    window.workbench.selection.choose_step("weights")
    run(window, "words")
    window.workbench.engine.flush()
    assert [g.name for g in window.workbench.document.groups] == [
        "tokenizer",
        "unusual",
    ]
    brackets = [
        (b.group.name, b.first, b.last) for b, _ in heatmap.groups.rows.placed()
    ]
    assert brackets == [("tokenizer", 2, 3), ("unusual", 5, 6)]
    run(window, "fold")
    weights = window.workbench.engine.current.trace["weights"][0]
    rows, columns, numbers = shown(window)
    names = ("[CLS]", "the", "tokenizer", "splits", "unusual", "words", ".")
    assert rows == columns == names
    expected = 0.0
    for query in (2, 3):
        for key in (5, 6):
            expected += weights[query, key] / 2
    assert numbers[2, 4] == pytest.approx(expected, abs=1e-12)
    assert numbers[0, 4] == pytest.approx(weights[0, 5] + weights[0, 6], abs=1e-12)
    # What is selected and copied is what is shown.
    window.workbench.selection.choose_cell("weights", (3, 6))
    block = heatmap.combined_block()
    assert block.tolist() == [[numbers[2, 4]]]
    assert heatmap.combines((3, 6))
    assert not heatmap.combines((0, 1))
    centre = heatmap.cell_rect((3, 6)).center()
    assert heatmap.cell_at(centre) == (2, 5)
    window.findChild(QAction, "action.copy_step").trigger()
    table = QGuiApplication.clipboard().text().splitlines()
    assert table[0].split("\t")[1:] == list(names)
    assert float(table[3].split("\t")[5]) == numbers[2, 4]
    run(window, "queries.sum")
    assert shown(window)[2][2, 4] == pytest.approx(2 * expected, abs=1e-12)
    # The key opens the row and the column of the selected cell.
    QTest.keyClick(heatmap, Qt.Key.Key_G)
    assert shown(window)[0][2:5] == ("token", "##izer", "splits")
    assert shown(window)[1][2:5] == ("tokenizer", "splits", "un")
    run(window, "open")
    assert shown(window)[0] == tuple(TOKENS)
    np.testing.assert_array_equal(shown(window)[2], weights)
    # A click on a bracket folds one side.
    bracket, place = next(iter(heatmap.groups.columns.placed()))
    axis = heatmap.groups.columns
    where = axis.mapToScene(QPointF(place.center().x(), place.height() / 2))
    QTest.mouseClick(
        heatmap.viewport(),
        Qt.MouseButton.LeftButton,
        pos=heatmap.mapFromScene(where),
    )
    assert shown(window)[2].shape == (9, 8)
    assert bracket.group.name == "tokenizer"
    window.workbench.edits.undo()
    window.workbench.engine.flush()
    assert window.workbench.document.groups == ()
    assert shown(window)[0] == tuple(TOKENS)


def a_drag_over_labels_marks_their_tokens_and_what_is_marked_is_grouped(grouped):
    window, heatmap = grouped, grouped.step_view.heatmap
    run(window, "by_hand")
    assert "Mark neighbouring tokens first" in window.notice.text
    window.workbench.selection.choose_step("weights")
    window.workbench.selection.mark(Marked(frozenset({7})))
    run(window, "by_hand")
    dialog = window.findChild(QDialog, "group")
    assert TOKENS[7] in {label.text() for label in dialog.findChildren(QLabel)}
    dialog.reject()
    window.workbench.selection.mark(Marked(frozenset({7, 8})))
    run(window, "by_hand")
    dialog = window.findChildren(QDialog, "group")[-1]
    dialog.findChild(QLineEdit, "group.name").setText("end")
    dialog.accept()
    assert [tuple(g) for g in window.workbench.document.groups] == [("end", 7, 9)]
    run(window, "segments")
    assert "must have a separator" in window.notice.text

    first, last = (
        heatmap.mapFromScene(heatmap.rows.mapToScene(QPointF(5, y)))
        for y in (
            heatmap.cell_rect((1, 0)).center().y() - heatmap.rows.y(),
            heatmap.cell_rect((3, 0)).center().y() - heatmap.rows.y(),
        )
    )
    view = heatmap.viewport()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=first)
    QTest.mouseMove(view, last)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=last)
    assert window.workbench.selection.marked.rows == {1, 2, 3}
    run(window, "words")
    run(window, "by_hand")
    dialog = window.findChildren(QDialog, "group")[-1]
    # Of the words, "tokenizer" has tokens 2 and 3, "unusual" has 5 and 6.
    assert dialog.findChild(QLabel, "group.replaced").text() == "tokenizer"
    dialog.reject()


def all_heads_fold_as_the_heatmap_does(grouped):
    window = grouped
    window.workbench.selection.choose_step("weights")
    run(window, "words")
    window.workbench.engine.flush()
    window.step_view.set_view("heads")
    run(window, "fold")
    page = window.step_view.page
    page.finish()
    weights = window.workbench.engine.current.trace["weights"]
    for head, card in enumerate(page.heads.wall.cards):
        numbers = card.card.content.matrix.window()
        assert numbers.shape == (7, 7)
        expected = (weights[head, 2, 0] + weights[head, 3, 0]) / 2
        assert numbers[2, 0] == pytest.approx(expected, abs=1e-12)
    window.workbench.selection.choose_cell("weights", (8, 8))
    assert page.heads.wall.cards[0]._selected == (6, 6)
    pointed = []
    page.heads.hovered.connect(lambda cell, _: pointed.append(cell))
    page.heads.wall.cards[0]._emit_pointed_at((6, 6))
    page.heads.wall.cards[0]._emit_pointed_at((2, 0))
    assert pointed == [(8, 8), None]


def lines_join_folded_groups(grouped):
    window = grouped
    window.workbench.selection.choose_step("weights")
    run(window, "words")
    window.workbench.engine.flush()
    window.step_view.set_view("lines")
    run(window, "fold")
    picture = window.step_view.page.picture
    weights = window.workbench.engine.current.trace["weights"][0]
    content = picture.content
    assert content.labels[0][2] == content.labels[1][2] == "tokenizer"
    expected = sum(weights[q, k] for q in (2, 3) for k in (5, 6)) / 2
    read = content.reading.of("queries", 2)[0]
    assert read[4] == pytest.approx(expected, abs=1e-12)
    window.workbench.selection.choose_cell("weights", (3, 6))
    assert picture.pairs.cell == (2, 4)
    picture.pairs.select((4, 6))
    assert window.workbench.selection.cell == (5, 8)
    assert "mean over queries" in window.step_view.page.note.text()
    run(window, "open")
    assert picture.content.reading.shape == (9, 9)


def test_words_and_what_is_marked_are_grouped_and_folded_in_every_view(window):
    for follows in (
        a_drag_over_labels_marks_their_tokens_and_what_is_marked_is_grouped,
        all_heads_fold_as_the_heatmap_does,
        lines_join_folded_groups,
        words_fold_and_open_and_their_numbers_are_combined,
    ):
        follows(group(window))
