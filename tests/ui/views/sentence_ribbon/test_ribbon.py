"""The sentence of a model as a ribbon: what a word attends to, by mouse and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QScrollArea, QToolButton

from attnviewer import models
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.step_scale import scale_for
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.sentence_ribbon.arrangement import (
    BETWEEN,
    GAP,
    arrange,
    padding_for,
)
from attnviewer.ui.views.sentence_ribbon.chips import NOTHING, Row, TokenChips

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
SENTENCE = "the cat sat on a mat and slept"
WORDS = SENTENCE.split()


@pytest.fixture
def ribbon(window, open_model, llama, qtbot):
    """The ribbon over eight words, and the model's own weights of its first layer."""
    open_model(llama)
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(SENTENCE)
    window.workbench.open_step("weights", (5, 1))
    QApplication.processEvents()
    return window.ribbon


@pytest.fixture
def weights(llama):
    """Shape (heads, 8, 8)."""
    return models.load(llama).run(SENTENCE).attention(0)["weights"]


def centre(ribbon, word):
    return ribbon.chips.rect_of(WORDS.index(word)).center()


def told(window):
    return window.findChild(QLabel, "ribbon.query").text()


def written(row):
    """Write weights as the ribbon is to: two decimals, dots for nearly nothing."""
    return [f"{weight:.2f}" if weight >= NOTHING else "·" for weight in row]


def test_only_a_model_has_a_ribbon(window, open_model, llama) -> None:
    assert not window.ribbon.isVisible()
    open_model(llama)
    assert window.ribbon.isVisible()
    window.opener.open_example("two-heads")
    assert not window.ribbon.isVisible()


def test_the_words_tell_a_row_select_queries_and_wrap(
    window, ribbon, weights, qtbot, appearance
) -> None:
    check_colours_and_numbers(window, ribbon, weights)
    window.workbench.selection.choose_head(0)
    check_keys_and_clicks(window, ribbon, weights)
    check_the_focus_is_seen(window, ribbon)
    check_long_sentences(window, ribbon, qtbot, appearance)


def check_colours_and_numbers(window, ribbon, weights) -> None:
    scale = scale_for(None, signed=False, theme=LIGHT)  # viridis from 0 to 1
    expected = cell_colors(weights[0, 5:6], scale, LIGHT)[0]
    picture = ribbon.chips.grab().toImage()
    for word in (0, 2, 3):
        corner = ribbon.chips.rect_of(word).bottomLeft() + QPoint(8, -3)
        found = QColor(picture.pixel(corner * picture.devicePixelRatio()))
        assert (found.red(), found.green(), found.blue()) == tuple(expected[word])
    masked = ribbon.chips.rect_of(7).bottomLeft() + QPoint(8, -3)
    assert QColor(picture.pixel(masked)).name() == LIGHT.sunken
    selection = window.workbench.selection
    QTest.mouseMove(ribbon.chips, centre(ribbon, "sat"))
    assert told(window) == "sat"
    assert ribbon.chips.texts()[:3] == written(weights[0, 2, :3])
    assert selection.hovered[0] == "weights"
    assert selection.hovered[1][0] == 2
    assert selection.cell == (5, 1)
    QTest.mouseMove(window.step_view, QPoint(5, 5))
    assert selection.hovered[1] is None
    assert told(window) == "mat"
    window.workbench.selection.hover("weights", (3, 0))
    assert told(window) == "on"
    window.workbench.selection.hover("Q", (4, 0))  # a row of Q is a query
    assert told(window) == "a"
    window.workbench.selection.hover("weights", None)
    assert told(window) == "mat"
    visible = weights[0, 5, :6]
    assert ribbon.chips.texts() == [*written(visible), "", ""]  # later ones are masked
    assert told(window) == "mat"
    assert ribbon.chips.row.key == 1
    window.workbench.selection.choose_head(2)
    assert ribbon.chips.texts()[:6] == written(weights[2, 5, :6])


def check_keys_and_clicks(window, ribbon, weights) -> None:
    ribbon.chips.setFocus()
    selection = window.workbench.selection
    for key, word in (
        (Key.Key_Right, 6),
        (Key.Key_Left, 5),
        (Key.Key_End, 7),
        (Key.Key_Right, 7),
        (Key.Key_Home, 0),
        (Key.Key_Left, 0),
    ):
        QTest.keyClick(ribbon.chips, key)
        assert selection.cell[0] == word
    assert ribbon.chips.accessibleDescription().startswith("the ")
    window.workbench.selection.choose_step("scaled")
    QTest.mouseClick(ribbon.chips, LEFT, pos=centre(ribbon, "slept"))
    selection = window.workbench.selection
    # Neither the first token nor a neighbour: keys 1 to 5.
    assert selection.cell == (7, 1 + int(np.argmax(weights[0, 7, 1:6])))
    assert selection.step == "weights"
    # Nothing is left of a query that sees itself, a neighbour and the first token.
    QTest.mouseMove(window.step_view, QPoint(5, 5))
    QTest.mouseClick(ribbon.chips, LEFT, pos=centre(ribbon, "cat"))
    assert selection.cell == (1, int(np.argmax(weights[0, 1])))
    QTest.mouseClick(window.findChild(QToolButton, "ribbon.edit"), LEFT)
    box = window.findChild(QLineEdit, "model.sentence")
    assert box.hasFocus()
    assert box.selectedText() == box.text() == SENTENCE


def check_the_focus_is_seen(window, ribbon) -> None:
    for focused in (True, False):
        (ribbon.chips if focused else window.step_view.heatmap).setFocus()
        picture = ribbon.chips.grab().toImage()
        edge = QColor(picture.pixel(0, picture.height() // 2))
        assert (edge.name() == LIGHT.accent) == focused


def check_long_sentences(window, ribbon, qtbot, appearance) -> None:
    one = ribbon.height()
    for times, lines in ((4, 2), (12, 4)):
        with qtbot.waitSignal(window.workbench.model.completed):
            window.workbench.model.set_text(" ".join([SENTENCE] * times))
        QApplication.processEvents()
        assert ribbon.chips.arrangement.lines >= lines
    two = ribbon.height()
    line = ribbon.chips.arrangement.line
    assert two - one == line + BETWEEN
    bar = window.findChild(QScrollArea, "ribbon.scroll").verticalScrollBar()
    assert bar.maximum() > 0
    ribbon.chips.setFocus()
    QTest.keyClick(ribbon.chips, Key.Key_End)
    count = len(ribbon.chips.arrangement.chips)
    last = ribbon.chips.rect_of(count - 1)
    assert not ribbon.chips.visibleRegion().intersected(last).isEmpty()
    with qtbot.waitSignal(window.workbench.model.completed):
        window.workbench.model.set_text(" ".join([SENTENCE] * 5))
    appearance.set_text_size(150)
    window.resize(1366, 900)
    QApplication.processEvents()
    two = ribbon.height()
    line = ribbon.chips.arrangement.line
    window.resize(1366, 700)
    qtbot.waitUntil(lambda: ribbon.height() == two - line - BETWEEN)
    check_a_row_that_is_not_shown_yet(window, ribbon, qtbot)
    for query in (31, 0, 30):
        window.workbench.selection.choose_cell("weights", (query, 0))
        place = ribbon.chips.place_of(query)
        assert ribbon.chips.visibleRegion().intersected(place).boundingRect() == place


def check_a_row_that_is_not_shown_yet(window, ribbon, qtbot) -> None:
    """Choose a cell of a longer sentence before the ribbon has followed."""
    workbench, count = window.workbench, len(ribbon.chips.texts())
    signals = workbench.engine.computed, workbench.opened, workbench.model.changed
    for signal in signals:
        signal.disconnect(ribbon._refresh)
    with qtbot.waitSignal(workbench.model.completed):
        workbench.model.set_text(" ".join([SENTENCE] * 6))
    workbench.engine.flush()
    workbench.selection.choose_cell("weights", (45, 0))
    assert ribbon.chips.texts() == [""] * count
    assert told(window) == ""
    for signal in signals:
        signal.connect(ribbon._refresh)
    with qtbot.waitSignal(workbench.model.completed):
        workbench.model.set_text(" ".join([SENTENCE] * 5))


@pytest.mark.parametrize(("room", "padding"), [(200, 9), (150, 6), (135, 4), (90, 9)])
def test_words_move_together_where_one_line_is_enough_for_them(room, padding) -> None:
    words = (20, 30, 40)
    assert padding_for(words, 10, room, (9, 6, 4)) == padding
    widths = [word + 2 * padding for word in words]
    assert (arrange(widths, room, 20).lines == 1) == (room > 100)


def test_words_lie_in_lines() -> None:
    laid_out = arrange((40, 50, 30, 900), 100, 20)
    assert [(c.x(), c.y(), c.width()) for c in laid_out.chips] == [
        (0, 0, 40),
        (40 + GAP, 0, 50),
        (0, 20 + BETWEEN, 30),
        (0, 2 * (20 + BETWEEN), 100),
    ]
    assert laid_out.height_of(2) == 40 + BETWEEN
    assert laid_out.firsts == (0, 2, 3)
    heights = range(-30, 120)
    for top in heights:
        for bottom in range(top, 120):
            band = QRect(0, top, 100, bottom - top + 1)
            met = [k for k, c in enumerate(laid_out.chips) if c.intersects(band)]
            assert set(met) <= set(laid_out.between(top, bottom))
    assert laid_out.between(0, 19) == range(2)
    assert laid_out.between(30, 30) == range(2, 3)
    assert arrange((), 100, 20).lines == 0
    assert not arrange((), 100, 20).between(0, 50)


def test_a_weight_that_is_no_number_is_told_from_a_masked_key(qtbot) -> None:
    weights, hidden = np.array([[np.nan, 0.0]]), np.array([[False, True]])
    scale = scale_for(None, signed=False, theme=LIGHT)
    colors = cell_colors(weights, scale, LIGHT, hidden)
    chips = TokenChips()
    qtbot.addWidget(chips)
    chips.set_width(200)
    row = Row("cat", 0, None, weights[0], colors[0], hidden[0])
    chips.show_row(("cat", "mat"), row, LIGHT)
    chips.resize(chips.sizeHint())
    assert chips.texts() == ["NaN", ""]
    picture = chips.grab().toImage()
    for token, color in enumerate((LIGHT.off_scale, LIGHT.sunken)):
        corner = chips.rect_of(token).bottomLeft() + QPoint(8, -3)
        assert QColor(picture.pixel(corner)).name() == color
