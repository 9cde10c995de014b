"""The page of lines as a person uses it: in the step view, by mouse and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from attnviewer.compute import Spec
from attnviewer.document import Document, Replace
from attnviewer.ui.paint.head_hues import hue
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.views.step.lines import Lines
from attnviewer.ui.views.step.lines.reading import Reading
from tests.wheel import NOTCH, turn_wheel

TOKENS = ["we", "look", "at", "words"]
WEIGHTS = [
    [0.75, 0.25, 0.0, 0.0],
    [0.0, 0.5, 0.5, 0.0],
    [0.125, 0.0, 0.875, 0.0],
    [0.5, 0.0, 0.0, 0.5],
]
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def open_lines(qtbot, appearance):
    workbenches, views = [], []

    def open_on(document, size=(900, 600)):
        workbench = Workbench(document)
        workbenches.append(workbench)
        workbench.selection.choose_cell("weights", None)
        view = StepView(workbench, appearance)
        qtbot.addWidget(view)
        views.append(view)
        view.resize(*size)
        view.set_view("lines")
        with qtbot.waitActive(view):
            view.show()
            view.activateWindow()
        return view.page_of("lines"), workbench

    yield open_on
    for workbench in workbenches:
        workbench.close()


def given(weights, tokens=None):
    """Return a document with given weights: plain sums of rows that add up to 1.

    With X and W_Q the identity, the scores are the transpose of W_K.
    """
    keys = np.transpose(np.asarray(weights, dtype=float))
    eye = np.eye(len(keys))
    matrices = {"X": eye, "W_Q": eye, "W_K": keys, "W_V": eye}
    names = tokens or [f"t{k}" for k in range(len(keys))]
    return Document("Given", names, matrices, Spec(scale=1.0, normalizer="sum"))


def words():
    return given(WEIGHTS, TOKENS)


def two_heads(n=4):
    generator = np.random.default_rng(0)
    matrices = {name: generator.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices |= {"X": generator.normal(size=(n, 4)), "W_O": np.eye(4)}
    spec = Spec(n_heads=2, output_projection=True)
    return Document("Heads", [f"t{k}" for k in range(n)], matrices, spec)


def middle_of(lines, side, token):
    return lines.picture.middle_of(side, token).toPoint()


def on_line(lines, query, key, share=0.5):
    """Return a place on a line: halfway between its ends in the middle."""
    arrangement, content = lines.picture.arrangement(), lines.picture.content
    start, end = arrangement.middle("queries", query), arrangement.middle("keys", key)
    stacks = content.reading.stacks(content.threshold)
    if stacks is not None:
        (at_query,), (at_key,) = stacks.of(np.array([query]), np.array([key]))
        start, end = start + at_query * arrangement.row, end + at_key * arrangement.row
    rise = share * share * (3 - 2 * share)
    x = arrangement.left + share * (arrangement.right - arrangement.left)
    y = lines.picture.top + start + rise * (end - start)
    return QPoint(int(x), int(y))  # the pixel that holds it


def click(lines, place, modifiers=NO_MODIFIER):
    QTest.mouseClick(lines.picture.viewport(), LEFT, modifiers, place)


def point_at(lines, place):
    QTest.mouseMove(lines.picture.viewport(), place)
    QApplication.processEvents()


def image(lines):
    return lines.picture.viewport().grab().toImage()


def color_at(lines, place):
    return image(lines).pixelColor(place)


def away(color, other):
    """Return how far apart two colours are, in the channel that differs most."""
    one, two = color.getRgb()[:3], QColor(other).getRgb()[:3]
    return max(abs(a - b) for a, b in zip(one, two, strict=True))


def test_a_line_is_wider_and_bolder_the_larger_the_weight(open_lines):
    lines, _ = open_lines(words())
    picture, strokes = image(lines), lines.picture.drawing.quiet.strokes
    links = lines.picture.drawing.quiet.links
    cells = list(zip(links.queries.tolist(), links.keys.tolist(), strict=True))
    sharp, even = cells.index((2, 2)), cells.index((1, 1))
    # 0.875 against 0.5, of 0.4 rows.
    row = lines.picture.arrangement().row
    assert strokes.widths[sharp] == pytest.approx(0.4 * 0.875 * row)
    assert strokes.widths[even] == pytest.approx(0.4 * 0.5 * row)
    darkness = [
        away(picture.pixelColor(on_line(lines, *cell, 0.05)), LIGHT.window)
        for cell in ((2, 2), (1, 1))
    ]
    assert darkness[0] > darkness[1] > 20


def test_what_has_no_weight_has_no_line(open_lines):
    lines, _ = open_lines(words())
    lines.threshold.set_threshold(0.0)
    drawn = lines.picture.drawing.quiet.links
    assert len(drawn) == 8
    assert lines.controls.tally.text() == "8 of 8 lines shown"


def test_the_threshold_leaves_out_small_weights_and_says_so(open_lines, qtbot):
    lines, _ = open_lines(words())
    number = lines.threshold.number
    assert number.text() == "0.1"  # half of a quarter, in one digit
    number.selectAll()
    number.setFocus()
    qtbot.keyClicks(number, "0.6")
    qtbot.keyClick(number, Qt.Key.Key_Return)
    image(lines)
    assert lines.controls.tally.text() == "2 of 8 lines shown"
    assert away(color_at(lines, on_line(lines, 0, 0)), LIGHT.window) > 40
    assert away(color_at(lines, on_line(lines, 0, 1, 0.9)), LIGHT.window) < 3


def test_the_slider_moves_the_threshold_by_keys(open_lines, qtbot):
    lines, _ = open_lines(words())
    slider = lines.threshold.slider
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_End)
    image(lines)
    assert lines.threshold.number.text() == "1"
    assert lines.controls.tally.text() == "0 of 8 lines shown"
    qtbot.keyClick(slider, Qt.Key.Key_Home)
    image(lines)
    assert lines.controls.tally.text() == "8 of 8 lines shown"


@pytest.mark.parametrize("text", ["x", "-1", ""])
def test_a_text_that_is_no_threshold_is_refused_with_the_reason(
    open_lines, qtbot, text
):
    lines, workbench = open_lines(words())
    number = lines.threshold.number
    number.setFocus()
    number.selectAll()
    qtbot.keyClick(number, Qt.Key.Key_Delete)
    qtbot.keyClicks(number, text)
    qtbot.keyClick(number, Qt.Key.Key_Return)
    assert number.text() == "0.1"
    assert lines.note.isVisible()
    reason = lines.note.text()
    assert reason
    workbench.looks.set("weights", Look(colors="magma"))
    assert lines.note.text() == reason  # until there is a threshold
    qtbot.keyClick(lines.threshold.slider, Qt.Key.Key_Home)
    assert not lines.note.isVisible()


def test_a_click_on_a_token_marks_it_and_its_lines_stand_out(open_lines):
    lines, workbench = open_lines(words())
    place = on_line(lines, 0, 0)
    before = color_at(lines, place)
    assert away(before, LIGHT.accent) > 60
    click(lines, middle_of(lines, "queries", 0))
    assert workbench.selection.marked == Marked(frozenset([0]), frozenset())
    assert away(color_at(lines, place), LIGHT.accent) < 25
    assert away(color_at(lines, on_line(lines, 2, 2)), LIGHT.accent) > 60


def test_a_click_on_a_token_selects_its_strongest_line_everywhere(open_lines):
    lines, workbench = open_lines(words())
    image(lines)
    click(lines, middle_of(lines, "queries", 2))
    assert workbench.selection.cell == (2, 2)  # 0.875
    click(lines, middle_of(lines, "queries", 0))
    assert workbench.selection.cell == (0, 0)  # 0.75
    click(lines, middle_of(lines, "queries", 1), CONTROL)
    assert workbench.selection.cell == (0, 0)  # which only marks


def test_a_click_on_the_token_of_the_selected_cell_keeps_that_cell(open_lines):
    lines, workbench = open_lines(words())
    workbench.selection.choose_cell("weights", (0, 1))
    click(lines, middle_of(lines, "queries", 0))
    assert workbench.selection.cell == (0, 1)


def test_control_marks_more_shift_a_range_and_the_empty_ground_none(open_lines):
    lines, workbench = open_lines(words())
    selection = workbench.selection
    click(lines, middle_of(lines, "queries", 0))
    click(lines, middle_of(lines, "keys", 3), CONTROL)
    assert selection.marked == Marked(frozenset([0]), frozenset([3]))
    click(lines, middle_of(lines, "keys", 1), SHIFT)
    assert selection.marked == Marked(frozenset([0]), frozenset([1, 2, 3]))
    click(lines, middle_of(lines, "queries", 0), CONTROL)
    assert selection.marked == Marked(frozenset(), frozenset([1, 2, 3]))
    click(lines, QPoint(2, lines.picture.viewport().height() - 2))
    assert selection.marked == Marked()


def test_a_click_on_a_line_selects_its_cell_in_the_open_step(open_lines):
    lines, workbench = open_lines(words())
    workbench.selection.choose_step("scores")
    image(lines)
    click(lines, on_line(lines, 3, 0, share=0.2))
    assert (workbench.selection.step, workbench.selection.cell) == ("scores", (3, 0))


def test_pointing_at_a_line_tells_the_other_views_its_cell(open_lines):
    lines, workbench = open_lines(words())
    image(lines)
    point_at(lines, on_line(lines, 3, 0, share=0.2))
    assert workbench.selection.hovered == ("weights", (3, 0))
    point_at(lines, QPoint(2, 2))
    assert workbench.selection.hovered == ("weights", None)


def test_pointing_at_a_token_shows_its_lines_for_as_long(open_lines):
    lines, workbench = open_lines(words())
    place = on_line(lines, 2, 2)
    point_at(lines, middle_of(lines, "keys", 2))
    assert away(color_at(lines, place), LIGHT.accent) < 25
    QApplication.sendEvent(lines.picture.viewport(), QEvent(QEvent.Type.Leave))
    assert away(color_at(lines, place), LIGHT.accent) > 60
    assert not workbench.selection.marked


def test_what_other_views_point_at_and_mark_stands_out(open_lines):
    lines, workbench = open_lines(words())
    selection, place = workbench.selection, on_line(lines, 2, 2)
    selection.hover("scores", (2, 2))
    assert away(color_at(lines, place), LIGHT.accent) < 40
    selection.hover("Q", (2, 0))
    assert lines.picture.focus.queries == (2,)
    selection.hover("Q", None)
    selection.mark(Marked(frozenset(), frozenset([0])))
    assert away(color_at(lines, on_line(lines, 0, 0)), LIGHT.accent) < 25


def test_the_selected_cell_has_its_line_whatever_its_weight(open_lines):
    lines, workbench = open_lines(words())
    before = image(lines)
    workbench.selection.choose_cell("weights", (1, 3))  # whose weight is 0
    end = lines.picture.arrangement().right
    place = QPointF(
        end, lines.picture.top + lines.picture.arrangement().middle("keys", 3)
    )
    assert away(before.pixelColor(place.toPoint()), LIGHT.accent) > 60
    assert away(color_at(lines, place.toPoint()), LIGHT.accent) < 25


def test_the_keys_walk_over_tokens_mark_them_and_select_their_lines(open_lines, qtbot):
    lines, workbench = open_lines(words())
    picture, selection = lines.picture, workbench.selection
    picture.setFocus(Qt.FocusReason.TabFocusReason)
    assert picture.current == ("queries", 0)
    assert picture.accessibleDescription() == (
        "Query 0: we. Strongest: we (0) 0.75, look (1) 0.25."
    )
    qtbot.keyClick(picture, Qt.Key.Key_Down)
    qtbot.keyClick(picture, Qt.Key.Key_Down)
    assert picture.current == ("queries", 2)
    qtbot.keyClick(picture, Qt.Key.Key_Space)
    assert selection.marked == Marked(frozenset([2]), frozenset())
    qtbot.keyClick(picture, Qt.Key.Key_Right)
    assert picture.current == ("keys", 2)
    assert picture.accessibleDescription().startswith(
        "Key 2: at. Strongest: at (2) 0.875, look (1) 0.5."
    )
    qtbot.keyClick(picture, Qt.Key.Key_Return)
    assert selection.cell == (2, 2)
    qtbot.keyClick(picture, Qt.Key.Key_Return)
    assert selection.cell == (1, 2)
    assert "Selected: look → at: 0.5." in picture.accessibleDescription()
    qtbot.keyClick(picture, Qt.Key.Key_End)
    assert picture.current == ("keys", 3)
    qtbot.keyClick(picture, Qt.Key.Key_Up, SHIFT)
    assert selection.marked == Marked(frozenset([2]), frozenset([2, 3]))
    qtbot.keyClick(picture, Qt.Key.Key_Escape)
    assert selection.marked == Marked()
    assert selection.cell == (1, 2)
    qtbot.keyClick(picture, Qt.Key.Key_Escape)
    assert selection.cell is None


def test_tab_comes_to_the_lines_and_goes_on(open_lines, qtbot):
    lines, _ = open_lines(words())
    lines.threshold.number.setFocus()
    qtbot.keyClick(lines.threshold.number, Qt.Key.Key_Tab)
    assert lines.picture.hasFocus()
    qtbot.keyClick(lines.picture, Qt.Key.Key_Tab)
    assert not lines.picture.hasFocus()


def head_switch(lines, head):
    return lines.legend.findChild(QToolButton, f"step.lines.head.{head}")


def tip_at(lines, place):
    point_at(lines, place)
    return lines.picture.viewport().toolTip()


def test_tool_tips_have_the_full_token_and_the_full_weight(open_lines):
    long = "a token that is longer than any place on the screen could ever be " * 3
    lines, _ = open_lines(given(WEIGHTS, ["we", "<b>", long, "שלום"]))
    image(lines)
    assert f"Query 2: {long}. Strongest: " in tip_at(
        lines, middle_of(lines, "queries", 2)
    )
    assert tip_at(lines, on_line(lines, 3, 3)) == "שלום → שלום: 0.5"
    assert "&lt;b&gt;" in tip_at(lines, middle_of(lines, "keys", 1))


def test_heads_are_overlaid_in_their_hues_and_each_can_be_switched_off(
    open_lines, qtbot
):
    lines, workbench = open_lines(two_heads())
    weights = workbench.engine.current.trace["weights"]  # (2, 4, 4)
    assert not lines.legend.isVisible()
    lines.overlay.setFocus()
    qtbot.keyClick(lines.overlay, Qt.Key.Key_Down)
    assert lines.legend.isVisible()
    image(lines)
    links = lines.picture.drawing.quiet.links
    assert set(links.heads.tolist()) == {0, 1}
    assert len(links) == np.count_nonzero(weights >= 0.1)
    click(lines, middle_of(lines, "queries", 0))
    picture, key = image(lines), int(weights[1, 0].argmax())
    x, y = on_line(lines, 0, key).toTuple()
    column = [picture.pixelColor(x, y + dy) for dy in range(-14, 15)]
    assert min(away(color, hue(LIGHT, 1)) for color in column) < 40
    qtbot.mouseClick(head_switch(lines, 1), LEFT)
    image(lines)
    assert set(lines.picture.drawing.quiet.links.heads.tolist()) == {0}
    qtbot.keyClick(lines.overlay, Qt.Key.Key_Up)
    workbench.selection.choose_head(1)
    image(lines)
    assert set(lines.picture.drawing.quiet.links.heads.tolist()) == {1}


def test_without_any_head_the_lines_are_none_and_the_tokens_stay(open_lines, qtbot):
    lines, _ = open_lines(two_heads())
    qtbot.keyClick(lines.overlay, Qt.Key.Key_End)
    for head in (0, 1):
        qtbot.mouseClick(head_switch(lines, head), LEFT)
    click(lines, middle_of(lines, "queries", 1))
    image(lines)
    assert lines.controls.tally.text() == "0 of 0 lines shown"
    assert tip_at(lines, middle_of(lines, "queries", 1)) == "Query 1: t1."


def test_steps_of_scores_show_the_weights_and_say_so(open_lines):
    lines, workbench = open_lines(words())
    assert not lines.note.isVisible()
    workbench.selection.choose_step("scores")
    image(lines)
    assert "“Scores”; lines always show the attention weights" in lines.note.text()
    assert len(lines.picture.drawing.quiet.links) == 8


def test_other_steps_say_what_to_do_and_offer_it(open_lines, qtbot):
    lines, workbench = open_lines(words())
    workbench.selection.choose_step("Q")
    assert not lines.picture.isVisible()
    assert "“Queries Q” does not have both" in lines.reason.text()
    qtbot.mouseClick(lines.open_weights, LEFT)
    assert workbench.selection.step == "weights"
    assert lines.picture.isVisible()


def test_negative_weights_are_dashed_and_said_to_be(open_lines):
    lines, _ = open_lines(given([[1.5, -0.5], [0.25, 0.75]]))
    image(lines)
    assert (
        lines.controls.tally.text() == "4 of 4 lines shown · dashed: negative weights"
    )
    picture = image(lines)
    gaps = [
        away(picture.pixelColor(on_line(lines, 0, 1, share)), LIGHT.window) < 5
        for share in np.linspace(0.7, 0.95, 60)
    ]
    assert any(gaps)
    assert not all(gaps)


def test_weights_that_are_not_a_number_have_no_lines_but_are_told(open_lines):
    lines, _ = open_lines(given([[1.0, -1.0], [0.5, 0.5]]))
    image(lines)
    assert lines.controls.tally.text() == "2 of 2 lines shown"
    tip = tip_at(lines, middle_of(lines, "queries", 0))
    assert tip.endswith("Some of its weights are not a number.")


def test_a_query_whose_keys_are_all_masked_is_told(open_lines):
    generator = np.random.default_rng(0)
    matrices = {n: generator.normal(size=(2, 2)) for n in ("X", "W_Q", "W_K", "W_V")}
    mask = np.array([[True, False], [False, False]])
    document = Document("Mask", "ab", {**matrices, "mask": mask}, Spec(mask=True))
    lines, _ = open_lines(document)
    image(lines)
    assert lines.controls.tally.text() == "1 of 1 lines shown"
    tip = tip_at(lines, middle_of(lines, "queries", 1))
    assert tip == "Query 1: b. It attends to no key: all its weights are 0."


def test_one_token_looks_at_itself(open_lines):
    lines, _ = open_lines(given([[1.0]], ["alone"]))
    assert away(color_at(lines, on_line(lines, 0, 0)), LIGHT.window) > 40


def test_queries_and_keys_of_two_sequences_have_their_own_names(open_lines):
    generator = np.random.default_rng(0)
    sizes = {"X": (2, 3), "context": (5, 3)} | {f"W_{k}": (3, 3) for k in "QKV"}
    matrices = {name: generator.normal(size=size) for name, size in sizes.items()}
    document = Document(
        *("Cross", "ab", matrices, Spec(context=True)),
        context_tokens=["eins", "zwei", "drei", "vier", "fünf"],
    )
    lines, workbench = open_lines(document)
    image(lines)
    assert lines.picture.arrangement().counts == (2, 5)
    click(lines, middle_of(lines, "keys", 4))
    assert workbench.selection.marked == Marked(frozenset(), frozenset([4]))
    assert "Key 4: fünf." in tip_at(lines, middle_of(lines, "keys", 4))


def test_the_wheel_scrolls_and_with_control_it_zooms(open_lines):
    lines, _ = open_lines(two_heads(100))
    image(lines)
    first = lines.picture.arrangement()
    assert first.in_sight("queries").start == 0
    turn_wheel(lines.picture.viewport(), -2 * NOTCH)
    scrolled = lines.picture.arrangement()
    assert scrolled.in_sight("queries").start > 0
    centre = lines.picture.viewport().height() / 2 - lines.picture.top
    before = (centre - scrolled.start("queries")) / scrolled.row
    turn_wheel(lines.picture.viewport(), NOTCH, modifiers=CONTROL)
    zoomed = lines.picture.arrangement()
    assert zoomed.row == pytest.approx(scrolled.row * 1.15)
    assert (centre - zoomed.start("queries")) / zoomed.row == pytest.approx(
        before, abs=0.1
    )


def test_walking_scrolls_to_the_token(open_lines, qtbot):
    lines, _ = open_lines(two_heads(100))
    qtbot.keyClick(lines.picture, Qt.Key.Key_End)
    arrangement = lines.picture.arrangement()
    assert lines.picture.current == ("queries", 99)
    assert (
        arrangement.middle("queries", 99)
        <= arrangement.height - arrangement.row / 2 + 1
    )
    qtbot.keyClick(lines.picture, Qt.Key.Key_PageUp)
    assert lines.picture.current[1] in arrangement.in_sight("queries")


def test_lines_come_forward_with_the_selected_query_in_sight(open_lines):
    lines, workbench = open_lines(two_heads(100))
    image(lines)
    lines.hide()
    workbench.selection.choose_cell("weights", (80, 3))
    lines.show()
    image(lines)
    sight = lines.picture.arrangement().in_sight("queries")
    assert 80 in sight
    assert sight.start > 0
    workbench.selection.choose_cell("weights", (2, 3))
    image(lines)
    assert lines.picture.arrangement().in_sight("queries") == sight


def test_long_sequences_read_only_what_is_in_sight_and_say_so(open_lines):
    generator = np.random.default_rng(0)
    matrices = {name: generator.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices["X"] = generator.normal(size=(1000, 4))
    document = Document("Long", [f"t{k}" for k in range(1000)], matrices)
    lines, _ = open_lines(document)
    image(lines)
    assert "More than 256 tokens" in lines.note.text()
    drawing = lines.picture.drawing
    sight = lines.picture.arrangement().in_sight("queries")
    assert 0 < len(drawing.quiet.links) <= 8 * len(sight)
    assert set(drawing.quiet.links.queries.tolist()) <= set(sight)
    point_at(lines, middle_of(lines, "keys", 5))
    image(lines)
    assert set(lines.picture.drawing.loud.links.keys.tolist()) == {5}


@pytest.mark.parametrize("sight", [range(25), range(20, 23), range(990, 1000)])
def test_of_long_sequences_the_lines_of_queries_in_sight_are_shown_alone(sight):
    x = np.random.default_rng(0).normal(size=(1000, 4))
    trace = Document("", [""] * 1000, {"X": x}, Spec(projected=False)).compute()
    links = Reading(trace, (0,)).links(sight, 0.0)
    assert sorted(links.queries.tolist()) == [q for q in sight for _ in range(8)]


def test_an_edit_changes_the_lines(open_lines):
    lines, workbench = open_lines(words())
    image(lines)
    edit = Replace("Each itself", matrices={"W_K": np.eye(4)})
    workbench.edits.submit(edit)
    workbench.engine.flush()
    image(lines)
    links = lines.picture.drawing.quiet.links
    assert sorted(links.queries.tolist()) == [0, 1, 2, 3]
    assert links.queries.tolist() == links.keys.tolist()


def test_fewer_tokens_leave_nothing_pointed_at_that_is_gone(open_lines, qtbot):
    lines, workbench = open_lines(two_heads())
    qtbot.keyClick(lines.picture, Qt.Key.Key_End)
    workbench.selection.mark(Marked(frozenset([3]), frozenset([3])))
    small = {"X": np.eye(2, 4)}
    workbench.edits.submit(Replace("Cut", tokens=("a", "b"), matrices=small))
    workbench.engine.flush()
    image(lines)
    assert lines.picture.current == ("queries", 0)
    assert lines.picture.focus.queries == ()


def test_the_dark_theme_repaints(open_lines, appearance):
    lines, _ = open_lines(words())
    appearance.choose("dark")
    assert color_at(lines, QPoint(2, 2)).name() == DARK.window


@pytest.mark.parametrize(("width", "below"), [(300, True), (1200, False)])
def test_in_a_narrow_place_the_threshold_goes_below(open_lines, qtbot, width, below):
    _, workbench = open_lines(two_heads())
    lines = Lines(workbench.selection, "step.lines")
    qtbot.addWidget(lines)
    lines.resize(width, 600)
    with qtbot.waitExposed(lines):
        lines.show()
    current = workbench.engine.current
    lines.show_step(DisplayedStep(current, "weights", 0, Look(), LIGHT))
    image(lines)
    assert lines.width() == width
    assert (lines.threshold.y() > lines.overlay.geometry().center().y()) == below
    arrangement = lines.picture.arrangement()
    assert arrangement.right - arrangement.left > 30
    assert arrangement.numbers[1][1] <= lines.picture.viewport().width()


def test_every_control_has_a_name_and_takes_the_keys(open_lines, qtbot):
    lines, _ = open_lines(two_heads())
    qtbot.keyClick(lines.overlay, Qt.Key.Key_End)
    controls = [
        *(lines.overlay, lines.threshold.slider, lines.threshold.number),
        *(lines.picture, head_switch(lines, 0), head_switch(lines, 1)),
    ]
    for control in controls:
        assert control.objectName().startswith("step.lines")
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus


@pytest.mark.parametrize(("width", "beside"), [(900, True), (420, False)])
def test_the_tally_stands_beside_the_threshold_where_there_is_room(
    open_lines, width, beside
):
    lines, _ = open_lines(two_heads(), (width, 500))
    controls = lines.controls
    tally, threshold = controls.tally.geometry(), controls.threshold.geometry()
    assert (tally.left() > threshold.right()) == beside
    assert (tally.top() > threshold.bottom()) == (not beside)


def test_the_tally_goes_where_heads_leave_it_room_and_stays_there(open_lines):
    lines, _ = open_lines(two_heads(), (420, 500))
    controls = lines.controls
    before = controls.tally.y()
    assert before > controls.threshold.geometry().bottom()
    controls.overlay.hide()
    for _ in range(3):  # to hide it and to move the tally, each asks once
        QApplication.processEvents()
    assert controls.tally.y() < before
    asked = Asked(controls)
    QApplication.processEvents()
    assert not asked.for_layout


class Asked(QObject):
    """Counts how often a widget is asked to lay out its parts again."""

    def __init__(self, widget):
        super().__init__(widget)
        self.for_layout = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.for_layout += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)
