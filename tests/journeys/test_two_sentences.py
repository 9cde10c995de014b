"""A person compares a head over two sentences, by keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QSpinBox,
    QToolBar,
    QToolButton,
)

from attnviewer import models
from tests.documents import four_words
from tests.models.checkpoints import write_gpt2

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
FIRST, OTHER = "3 1 4 1 5", "3 1 9 4 1 5 2"


@pytest.fixture
def folder(tmp_path):
    return write_gpt2(tmp_path / "little")


@pytest.fixture
def window(qtbot, window, folder):
    """The window with a model over the first sentence, showing its heatmap."""
    window.resize(1600, 1000)
    model = window.workbench.model
    with qtbot.waitSignal(model.completed):
        model.open(folder, FIRST)
    window.step_view.set_view("heatmap")
    return window


def part(window, kind, name):
    return window.findChild(kind, name)


def begin(window):
    QTest.mouseClick(part(window, QToolButton, "model.compare"), LEFT)
    return part(window, QLineEdit, "model.other")


def enter(qtbot, window, line, sentence):
    line.selectAll()
    QTest.keyClicks(line, sentence)
    with qtbot.waitSignal(window.workbench.model.changed):
        QTest.keyClick(line, Key.Key_Return)


def compare(qtbot, window):
    """Compare the sentences side by side."""
    enter(qtbot, window, begin(window), OTHER)
    part(window, QToolButton, "difference.show.3").click()


def weights(folder, sentence, layer, head):
    """Run a model that the window does not know."""
    ids = [int(word) for word in sentence.split()]
    return models.load(folder).run(ids).attention(layer)["weights"][head]


def shown(picture):
    """Return what a picture shows, with its labels."""
    content = picture._content
    return content.matrix.window(), content.row_labels, content.column_labels


def assert_both(window, folder, layer, head):
    pictures = window.step_view.difference.pictures
    both = (pictures.other, OTHER), (pictures.heatmap, FIRST)
    for picture, sentence in both:
        assert picture.isVisible()
        values, rows, columns = shown(picture)
        np.testing.assert_allclose(
            values, weights(folder, sentence, layer, head), rtol=1e-4, atol=1e-6
        )
        assert rows == columns == tuple(f"#{word}" for word in sentence.split())


def what_is_chosen_in_one_of_two_sentences_side_by_side_is_chosen_in_the_other(
    window, folder, qtbot
):
    view = window.step_view
    assert view.view == "difference"
    assert_both(window, folder, 0, 0)
    pictures = view.difference.pictures
    assert part(window, QLabel, "model.other.count").text() == "7 tokens"
    titles = [part(window, QLabel, f"difference.title.{side}") for side in "ab"]
    assert [title.text() for title in titles] == [
        "A: #3 #1 #9 #4 #1 #5 #2",
        "B: #3 #1 #4 #1 #5",
    ]
    scales = [p._content.scale for p in (pictures.other, pictures.heatmap)]
    assert (scales[0].low, scales[0].high) == (scales[1].low, scales[1].high)
    assert view.difference.summary.text() == "A has 7 rows, B has 5; 5 of them match."

    told = []
    for sentence in (OTHER, FIRST):
        rows = weights(folder, sentence, 0, 0).astype(float)
        shares = rows[rows > 0]
        entropy = -(shares * np.log2(shares)).sum() / len(rows)
        told.append((f"{entropy:.2f}", f"{100 * rows[:, 0].mean():.0f}"))
    (a, first_a), (b, first_b) = told
    text = part(window, QLabel, "difference.statistics").text()
    assert f"entropy {a} → {b} bit" in text
    assert f"first key {first_a} → {first_b} %" in text

    selection = window.workbench.selection
    # The third row of A is of a token that B lacks; its fourth is B's third.
    place = pictures.other.cell_rect((3, 1)).center().toPoint()
    QTest.mouseClick(pictures.other.viewport(), LEFT, pos=place)
    assert selection.cell == (2, 1)
    a, b = weights(folder, OTHER, 0, 0)[3, 1], weights(folder, FIRST, 0, 0)[2, 1]
    told = part(window, QLabel, "difference.cell").text()
    assert told.startswith(f"A: #4, #1 {a:.4f} · B: #4, #1 {b:.4f} · B − A: ")
    QTest.keyClick(pictures.other, Key.Key_Up)
    assert selection.cell is None
    told = part(window, QLabel, "difference.cell").text()
    assert told.endswith("B: has no such cell")
    QTest.keyClick(pictures.other, Key.Key_Up)
    assert selection.cell == (1, 1)

    QTest.mouseClick(part(window, QToolButton, "difference.show.2"), LEFT)
    page = window.step_view.difference
    assert not page.pictures.other.isVisible()
    after, before = weights(folder, FIRST, 0, 0), weights(folder, OTHER, 0, 0)
    places = [0, 1, 3, 4, 5]  # by hand: A has a 9 in between and a 2 behind
    values = page.heatmap._content.matrix.window()
    np.testing.assert_allclose(
        values, after - before[np.ix_(places, places)], rtol=1e-3, atol=1e-5
    )

    assert window.notice.text == ""
    line = part(window, QLineEdit, "model.other")
    with qtbot.waitSignal(window.workbench.model.changed):
        QTest.keyClick(line, Key.Key_Escape)
    assert window.notice.text == ""


def tab_leads_to_what_is_asked_and_the_end_of_the_comparison_restores_the_page(
    qtbot, window
):
    line = part(window, QLineEdit, "model.other")
    assert not line.isVisible()
    assert begin(window) is line
    assert line.isVisible()
    assert line.hasFocus()
    assert line.text() == FIRST
    QTest.keyClick(line, Key.Key_Escape)
    assert not line.isVisible()
    assert window.workbench.model.experiment.other is None
    assert window.step_view.view == "heatmap"

    line = begin(window)
    toggle = part(window, QToolButton, "model.compare")
    toggle.setFocus()
    bars = window.findChildren(QToolBar)
    # The rest of the line comes first, with undo and export at its end.
    for _ in range(8):
        assert any(bar.isAncestorOf(QApplication.focusWidget()) for bar in bars)
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
        if line.hasFocus():
            break
    assert line.hasFocus()
    QTest.keyClick(line, Key.Key_Tab)
    assert part(window, QToolButton, "model.other.end").hasFocus()
    QTest.keyClick(line, Key.Key_Escape)

    for way in ["escape", "button", "toggle", "empty"]:
        enter(qtbot, window, begin(window), OTHER)
        line = part(window, QLineEdit, "model.other")
        model = window.workbench.model
        document = window.document
        with qtbot.waitSignal(model.changed):
            if way == "escape":
                QTest.keyClick(line, Key.Key_Escape)
            elif way == "empty":
                line.selectAll()
                QTest.keyClick(line, Key.Key_Delete)
                QTest.keyClick(line, Key.Key_Return)
            else:
                name = "model.other.end" if way == "button" else "model.compare"
                QTest.mouseClick(part(window, QToolButton, name), LEFT)
        assert window.step_view.view == "heatmap"
        assert not line.isVisible()
        assert not part(window, QToolButton, "model.compare").isChecked()
        assert window.workbench.baseline.pinned is None
        assert model.other == ""
        assert window.document is document


def a_refused_sentence_and_another_head_layer_and_step_keep_the_comparison(
    qtbot, window, folder
):
    line = part(window, QLineEdit, "model.other")
    line.selectAll()
    QTest.keyClicks(line, "3 4800")
    QTest.keyClick(line, Key.Key_Return)
    qtbot.waitUntil(lambda: "4800" in window.notice.text)
    assert line.text() == "3 4800"
    assert window.workbench.model.other == OTHER
    assert_both(window, folder, 0, 0)

    line.setText(OTHER)
    head = part(window, QSpinBox, "model.head")
    head.setFocus()
    QTest.keyClick(head, Key.Key_Up)
    assert_both(window, folder, 0, 1)
    layer = part(window, QSpinBox, "model.layer")
    layer.setFocus()
    with qtbot.waitSignal(window.workbench.model.changed):
        QTest.keyClick(layer, Key.Key_Up)
    assert_both(window, folder, 1, 1)
    window.workbench.selection.choose_step("Q")
    pictures = window.step_view.difference.pictures
    assert [shown(p)[0].shape for p in (pictures.other, pictures.heatmap)] == [
        (7, 8),
        (5, 8),
    ]
    assert pictures.statistics.text() == ""


def an_edit_stays_beside_a_second_sentence_that_another_document_hides(qtbot, window):
    document = window.document
    table = window.inputs.table("W_Q")
    place = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    QTest.keyClicks(table, "7")
    enter(qtbot, window, begin(window), OTHER)
    assert window.document is document
    assert document.matrix("W_Q")[0, 0] == 7
    assert window.workbench.set_aside == []

    line, model = part(window, QLineEdit, "model.other"), window.workbench.model
    window.opener.open_document(four_words())
    assert not line.isVisible()
    with qtbot.waitSignal(model.changed):
        model.show(model.location)
    assert line.isVisible()
    assert line.text() == OTHER


def test_heads_over_two_sentences_are_compared_whatever_else_is_chosen_or_refused(
    window, folder, qtbot
):
    compare(qtbot, window)
    what_is_chosen_in_one_of_two_sentences_side_by_side_is_chosen_in_the_other(
        window, folder, qtbot
    )
    compare(qtbot, window)
    a_refused_sentence_and_another_head_layer_and_step_keep_the_comparison(
        qtbot, window, folder
    )


def test_a_comparison_is_led_to_ended_and_hidden_and_an_edit_stays_beside_it(
    qtbot, window
):
    tab_leads_to_what_is_asked_and_the_end_of_the_comparison_restores_the_page(
        qtbot, window
    )
    an_edit_stays_beside_a_second_sentence_that_another_document_hides(qtbot, window)
