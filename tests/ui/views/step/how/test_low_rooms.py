"""The picture of the operation in windows with large texts and little room."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap, QRegion

from attnviewer.io import load
from attnviewer.ui.views.step.how.drawing import Bars, Text
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.painting import DrawingPainter
from attnviewer.ui.views.step.how.subject import Progress
from tests.ui.views.step.editing import settle

LEAST_SHARE = 0.6
"""Of the height of the page, for the picture."""


@pytest.fixture
def open_large(appearance, open_window):
    def open_(example):
        appearance.set_text_size(200)
        window = open_window(f"example:{example}", (1366, 768))
        window.step_view.set_view("how")
        settle()
        return window

    yield open_
    appearance.set_text_size(100)


def test_with_large_texts_the_picture_keeps_its_height_words_and_numbers(open_large):
    window = open_large("four-words")
    check_pictures(window)
    window.opener.open_example("two-heads")
    settle()
    check_pictures(window)
    check_numbers_of_scores_and_weights(window)
    check_number_of_the_cell(window)


def test_no_button_moves_when_play_starts_and_without_room_the_picture_is_painted_too(
    open_window,
):
    window = open_window("example:four-words", (1366, 768))
    window.step_view.set_view("how")
    settle()
    check_buttons(window)
    window.opener.open_example("two-heads")
    settle()
    stage = window.step_view.page.stage
    for step in window.workbench.engine.current.trace:
        window.workbench.selection.choose_step(step)
        for size in [(1, 1), (5, 300), (300, 5), (40, 40), (150, 20)]:
            stage.resize(*size)
            picture = QPixmap(*size)
            painter = QPainter(picture)
            paints = DrawingPainter(painter, stage.shown.theme, stage.font())
            paints.paint(stage.drawing, exposed=QRegion(stage.rect()))
            painter.end()


def check_buttons(window):
    """No button moves when play starts."""
    page = window.step_view.page
    buttons = page.transport.findChildren(type(page.transport._play).__base__)
    before = [button.geometry() for button in buttons]
    sign = page.transport._play.text()
    page.playback.play()
    settle()
    assert page.transport._play.text() != sign
    assert [button.geometry() for button in buttons] == before
    page.playback.stop()


def check_pictures(window):
    page = window.step_view.page
    for step in window.workbench.engine.current.trace:
        window.workbench.selection.choose_cell(step, (1, 1))
        settle()
        assert page.stage.height() >= LEAST_SHARE * page.height(), step
        drawing = page.stage.drawing
        room = QRectF(page.stage.rect())
        assert all(room.contains(sheet.rect) for sheet in drawing.sheets), step
        measures = Measures(page.stage.font(), height=page.stage.height())
        for label in drawing.shapes:
            if isinstance(label, Text) and label.weight == "bold":
                needed = measures.width(label.text, label.size, label.face)
                cut_off = needed > label.rect.width() + 2
                assert not cut_off or "softmax" in label.text, (step, label.text)


def test_with_large_texts_titles_give_way_and_heads_stand_beside_the_transport(
    open_large, appearance
):
    window = open_large("two-heads")
    page, header = window.step_view.page, window.step_view.header
    heads, transport = page.sheets.geometry(), page.transport.geometry()
    assert heads.top() == transport.top()
    assert heads.left() > transport.right()
    window.step_view.set_view("heatmap")
    window.resize(1240, 640)  # no room for the title in any font
    settle()
    assert not header.title.isVisible()
    assert header.tabs.isVisible()
    large = header.height() / window.fontMetrics().height()
    appearance.set_text_size(100)
    settle()
    assert header.title.isVisible()
    assert large < header.height() / window.fontMetrics().height()
    window.step_view.set_view("how")
    settle()
    assert page.sheets.geometry().top() > page.transport.geometry().bottom()


def check_numbers_of_scores_and_weights(window):
    window.workbench.selection.choose_cell("weights", (4, 1))
    settle()
    stage = window.step_view.page.stage
    *beside, weights = stage.drawing.sheets
    assert weights.step == "weights"
    # What 11 pixels are in the picture's texts, which are smaller in a lower room. With
    # some fonts the scores are beside, and texts get smaller down to the usual size.
    usual = 1.0 if beside else Measures(stage.font(), height=stage.height())(1)
    least = min(15.0, 11 * usual)
    assert weights.size >= least
    assert [bool(text) for text in weights.texts[0]] == [True] * 5 + [False] * 2
    groups = [shape for shape in stage.drawing.shapes if isinstance(shape, Bars)]
    assert len(groups) == 3
    for group in groups:  # scores, exponentials and shares
        assert group.size >= least
        assert all(group.labels)


def terms(drawing):
    """Return the lines of the largest terms, and that of their sum."""
    texts = [s for s in drawing.shapes if isinstance(s, Text) and s.face == "number"]
    (total,) = (text for text in texts if text.text.startswith("= "))
    return [text for text in texts if text is not total], total


@pytest.mark.parametrize(("width", "lines"), [(1200, 1), (640, 2)])
def test_the_terms_of_a_sum_take_a_second_line_where_one_is_too_short(
    drawn, width, lines
):
    drawing, _ = drawn(load("example:four-words"), "output", room=(width, 420))
    written, total = terms(drawing)
    assert len(written) == lines
    measures = Measures(QGuiApplication.font())
    for text in written:
        assert measures.width(text.text, text.size, "number") <= text.rect.width()
    assert total.rect.top() >= written[-1].rect.bottom()
    # The weights of word 1 as in the notebook, and ones and zeros of V.
    whole = " ".join(text.text for text in written)
    assert whole == "0.236·1 + 0.007·0 + 0.749·1 + 0.007·0"
    assert total.text == "= 0.9852"


def test_what_is_left_out_of_a_sum_is_told(drawn):
    document = load("example:narrow-keys")
    drawing, trace = drawn(document, "output", (0, 1), room=(1200, 420))
    written, _ = terms(drawing)
    _, _, said = " ".join(text.text for text in written).rpartition(" + ")
    count, _, rest = said.partition(" more = ")
    products = trace["weights"][0] * trace["V"][:, 1]
    largest = np.sort(np.abs(products))[-(products.size - int(count)) :]
    assert float(rest) == pytest.approx(products.sum() - largest.sum(), abs=0.0005)


def test_on_a_large_screen_the_sum_is_in_proportion_to_the_cells(drawn):
    drawing, _ = drawn(load("example:four-words"), "scores", (0, 2), room=(2800, 1800))
    _, total = terms(drawing)
    assert total.text == "= 10"
    assert total.size >= 0.15 * drawing.sheets[0].cell


@pytest.mark.parametrize("column", [0, 2])
def test_the_sum_counts_up_while_terms_are_added(drawn, column):
    document = load("example:four-words")
    trace = drawn(document, "output")[1]
    parts = np.cumsum(trace["weights"][0] * trace["V"][:, column])
    seen = []
    for share in np.linspace(0, 1, 41).tolist():
        progress = Progress(done=column, share=share)
        drawing, _ = drawn(document, "output", (0, column), progress=progress)
        total = float(terms(drawing)[1].text[2:])
        if not seen or total != seen[-1]:
            seen.append(total)
    wanted = sorted({0.0, *np.round(parts, 4).tolist()})
    assert seen == pytest.approx(wanted, abs=1e-9)


def check_number_of_the_cell(window):
    page = window.step_view.page
    for step, cell in (("weights", (0, 0)), ("weights", (6, 6)), ("X", (6, 7))):
        window.workbench.selection.choose_cell(step, cell)
        settle()
        said = page.transport.position
        if said.isVisible():
            needed = said.fontMetrics().horizontalAdvance(said.text())
            assert said.width() >= needed, (step, cell)
        others = [*page.transport._buttons, page.transport.speed]
        for other in others:
            assert other.isHidden() or other.geometry().right() <= page.width()


@pytest.fixture
def open_larger(appearance, open_window):
    def open_(example, step, cell):
        appearance.set_text_size(150)
        window = open_window(f"example:{example}", (1366, 768))
        window.step_view.set_view("how")
        window.workbench.selection.choose_cell(step, cell)
        settle()
        return window.step_view.page.stage

    yield open_
    appearance.set_text_size(100)


def test_texts_get_smaller_before_a_part_of_the_softmax_is_lost(open_larger):
    stage = open_larger("four-words", "scores", (0, 2))
    check_parts_of_the_softmax(stage, "Scaled scores")
    window = stage.window()
    window.workbench.selection.choose_cell("weights", (0, 2))
    settle()
    check_parts_of_the_softmax(stage, "Scaled scores")
    window.opener.open_example("two-heads")
    window.workbench.selection.choose_cell("weights", (4, 1))
    settle()
    check_parts_of_the_softmax(window.step_view.page.stage, "Masked scores")


def check_parts_of_the_softmax(stage, scores):
    shapes = stage.drawing.shapes
    said = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert {scores, "Exponentials", "Attention weights"} <= set(said)
    for group in shapes:
        if isinstance(group, Bars):
            assert group.rects[:, 3].max() >= 12.0  # a bar, no line
            assert group.size >= 11.0


def test_in_a_low_room_the_parts_of_the_softmax_stand_beside_each_other(drawn):
    drawing, trace = drawn(
        load("example:four-words"), "weights", (0, 2), room=(900, 190)
    )
    scores, exponentials, shares = (s for s in drawing.shapes if isinstance(s, Bars))
    # By hand: (8, 2, 10, 2) / √3, exponentials of the distance to the largest.
    assert scores.labels == ("4.6188", "1.1547", "5.7735", "1.1547")
    assert exponentials.labels == ("0.3152", "0.0099", "1", "0.0099")
    assert [text.split("\N{NARROW NO-BREAK SPACE}")[0] for text in shares.labels] == [
        *("23.6", "0.7", "74.9", "0.7")
    ]
    for left, right in itertools.pairwise((scores, exponentials, shares)):
        assert left.rects[-1, 0] + left.rects[-1, 2] < right.rects[0, 0]
    (row,) = drawing.sheets
    assert np.array_equal(row.values, trace["weights"][:1])
    assert row.framed == (0, 2)
    names = [s.text for s in drawing.shapes if isinstance(s, Text)]
    assert names.count("word 3") == 3
    assert QRectF(0, 0, 900, 190).contains(drawing.bounds)


def test_the_selected_cell_is_named_beside_the_rows_of_the_factor_above(open_larger):
    stage = open_larger("four-words", "scores", (0, 2))
    said = [s for s in stage.drawing.shapes if isinstance(s, Text)]
    (name,) = (s for s in said if s.text == "scores[word 1, word 3]")
    measures = Measures(stage.font(), height=stage.height())
    sheet = next(s for s in stage.drawing.sheets if s.transposed)
    end = name.rect.left() + measures.width(name.text, name.size)
    digit = measures.width("0", measures(12))
    assert end < sheet.rect.left() - measures(8) - digit
    # 2·2 + 0·4 + 2·3: none is left out.
    assert [s.text for s in said].count("·") == 3


def test_of_a_wide_sum_as_much_is_drawn_as_has_room_for_its_numbers(drawn):
    document = load("example:look-back")
    for room, cell in [((760, 380), (4, 9)), ((900, 270), (7, 15))]:
        drawing, trace = drawn(document, "X + P", cell, room=room)
        terms = drawing.sheets
        assert [sheet.step for sheet in terms] == ["X", "P", "X + P"]
        for sheet in terms:
            assert sheet.texts
            assert cell[0] in sheet.rows
            assert cell[1] in sheet.columns
        assert 4 <= terms[0].shape[1] < trace["X"].shape[1]
    drawing, _ = drawn(document, "X + P", (4, 9), room=(760, 380))
    rows, columns = drawing.sheets[0].shape
    assert rows == 8
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert f"{columns} of 16 columns" in texts
    drawing, _ = drawn(document, "X + P", (4, 9), room=(2600, 900))
    assert drawing.sheets[0].shape == (8, 16)
    assert not [s for s in drawing.shapes if isinstance(s, Text) and " of " in s.text]
