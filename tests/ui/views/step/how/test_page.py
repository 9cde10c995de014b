"""The picture of the operation in a window: played, edited, with keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton

from attnviewer.document import Replace
from attnviewer.io import load
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.spec.temperature import TemperatureControl
from attnviewer.ui.views.step.how.drawing import Text
from attnviewer.ui.views.step.how.page import HowPage
from attnviewer.ui.views.step.how.transport import _Segments
from attnviewer.ui.widgets import motion
from tests.ui.views.step.editing import settle

from .conftest import bars_of

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def how(window):
    """The page, on the scores of the four words."""
    window.inputs.look.set_flashing(False)
    return show_scores(window)


def show_scores(window):
    window.step_view.set_view("how")
    window.workbench.selection.choose_cell("scores", (0, 2))
    settle()
    page = window.step_view.page
    assert isinstance(page, HowPage)
    page.setFocus()
    return page


def press(key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(QApplication.focusWidget(), key, modifiers)
    settle()


def type_(text):
    """Type into what has the focus: the first letter may open an editor."""
    for letter in text:
        QTest.keyClicks(QApplication.focusWidget(), letter)
    settle()


def selected(window):
    return window.workbench.selection.step, window.workbench.selection.cell


def operand(page, name):
    """Return the table of an input over the picture."""
    table = page.stage.findChild(object, f"operand.{name}")
    assert table is not None
    assert table.isVisible()
    return table


def click(table, row, column):
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    settle()


def weight(window, name="W_Q"):
    return window.document.matrix(name)


def show_queries(window):
    """Show the queries, whose weights are edited above them, of the four words."""
    window.workbench.open(load("example:four-words"))
    window.step_view.set_view("how")
    window.workbench.selection.choose_cell("Q", (0, 0))
    settle()
    return window.step_view.page


# ---------------------------------------------------------------------- keys


def test_a_feature_that_comes_after_a_page_is_handed_it(how, window):
    window.workbench.selection.choose_cell("weights", (0, 2))
    settle()
    pages = []
    window.step_view.follow_pages(pages.append)
    assert how in pages
    control = how.stage.findChild(TemperatureControl)
    how.set_temperature(control)  # as at the start, when the picture is there
    assert control.isVisible()


def test_keys_play_the_picture_and_lead_through_its_cells_and_steps(
    how, window, qtbot, monkeypatch
):
    check_keys(how, window, qtbot)
    show_scores(window)
    with monkeypatch.context() as patch:
        check_zoom(how, window, qtbot, patch)
    show_scores(window)
    check_lens_and_header(how, window)


def check_keys(how, window, qtbot):
    for key, cell in (
        (Key.Key_Right, (0, 3)),
        (Key.Key_Right, (1, 0)),
        (Key.Key_Left, (0, 3)),
        (Key.Key_Down, (1, 3)),
        (Key.Key_Home, (0, 0)),
        (Key.Key_Left, (0, 0)),
        (Key.Key_End, (3, 3)),
        (Key.Key_Right, (3, 3)),
    ):
        press(key)
        assert selected(window) == ("scores", cell)
    show_scores(window)
    press(Key.Key_Home)
    press(Key.Key_Space)
    (scores,) = (s for s in how.stage.drawing.sheets if s.step == "scores")
    assert scores.empty.sum() >= 14
    press(Key.Key_Space)
    (scores,) = (s for s in how.stage.drawing.sheets if s.step == "scores")
    assert scores.empty is None
    show_scores(window)
    press(Key.Key_Space)
    assert how.playback.is_playing
    qtbot.waitUntil(lambda: selected(window) == ("scores", (0, 3)))
    press(Key.Key_Space)
    assert not how.playback.is_playing
    press(Key.Key_Space)
    press(Key.Key_Escape)
    assert not how.playback.is_playing
    assert selected(window)[1] is not None
    press(Key.Key_Escape)
    assert selected(window) == ("scores", None)


def test_f10_opens_the_picture_and_plays_until_another_view_is_seen(
    window, qtbot, how, monkeypatch
):
    window.step_view.set_view("heatmap")
    settle()
    button = window.findChild(QToolButton, "step.play")
    assert button.isVisible()
    assert "F10" in button.toolTip()
    QTest.mouseClick(button, LEFT)
    page = window.step_view.page
    assert isinstance(page, HowPage)
    assert page.playback.is_playing
    assert not button.isVisible()
    action = window.findChild(QAction, "action.play")
    assert action.isChecked()
    qtbot.keyClick(window, Key.Key_F10)
    assert not page.playback.is_playing
    assert not action.isChecked()
    show_scores(window)
    press(Key.Key_Space)
    window.step_view.set_view("table")
    settle()
    assert not how.playback.is_playing
    show_scores(window)
    monkeypatch.setattr(
        "attnviewer.ui.views.step.how.playback.is_reduced", lambda _widget: True
    )
    press(Key.Key_Home)
    press(Key.Key_Space)
    drawing = how.stage.drawing  # the first score, with its products
    (scores,) = (s for s in drawing.sheets if s.step == "scores")
    assert scores.empty.sum() == 15
    assert "= 8" in [s.text for s in drawing.shapes if isinstance(s, Text)]
    QTest.qWait(60)
    assert how.stage.drawing is drawing
    press(Key.Key_Space)


def test_another_speed_holds_from_when_it_is_chosen(how, window, qtbot):
    press(Key.Key_Home)
    press(Key.Key_Space)
    playback = how.playback
    qtbot.waitUntil(lambda: playback.progress.share > 0.1)
    before = playback.progress.share
    playback.set_speed(0)  # a quarter
    with qtbot.waitSignal(playback.changed):
        pass
    assert before <= playback.progress.share < before + 0.1
    press(Key.Key_Space)
    playback.set_speed(2)


def test_an_input_that_is_both_factors_is_painted_above_the_result(
    appearance, open_window
):
    window = open_window("example:journey")
    window.step_view.set_view("how")
    window.workbench.selection.choose_cell("scores", (1, 2))
    settle()
    stage = window.step_view.page.stage
    above = next(sheet for sheet in stage.drawing.sheets if sheet.transposed)
    image = stage.grab().toImage()
    # The selected column is not dimmed.
    for row in range(above.shape[0]):
        place = above.cell_rect(row, 2).topLeft().toPoint() + QPoint(4, 4)
        painted = image.pixelColor(place).getRgb()[:3]
        assert painted == tuple(above.colors[row, 2].tolist())


# ------------------------------------------------------------ strip and header


def covered(window):
    lens = window.flow._lens.rect
    cards = window.flow.findChildren(FlowCard)
    return {c.step for c in cards if lens.contains(c.geometry().center())}


def check_lens_and_header(how, window):
    # The selected row goes on to its weights beside the product.
    on_stage = {"Q", "K", "scores", "scaled", "weights"}
    assert covered(window) == on_stage
    window.step_view.set_view("heatmap")
    settle()
    assert covered(window) == {"scores"}
    window.step_view.set_view("how")
    settle()
    assert covered(window) == on_stage
    show_scores(window)
    # By hand: q = (2, 0, 2), k = (2, 4, 3).
    assert how.stage.accessibleName() == "How the step is computed"
    assert how.stage.accessibleDescription() == "scores[word 1, word 3] = 10.0"
    press(Key.Key_Left)
    assert how.stage.accessibleDescription() == "scores[word 1, word 2] = 2.0"
    show_scores(window)
    before = how.stage.drawing
    assert covered(window) == {"Q", "K", "scores", "scaled", "weights"}
    press(Key.Key_Space)
    playing = how.stage.drawing
    press(Key.Key_Escape)
    assert not bars_of(playing)
    places = [sheet.rect for sheet in before.sheets[:3]]
    assert [sheet.rect for sheet in playing.sheets] == places
    show_scores(window)
    window.opener.open_example("two-heads")
    settle()
    header = window.step_view.header
    parts = header.head, header.play, header.findChild(object, "step.concept")
    assert not any(part.isVisible() for part in parts)
    high = header.height()
    window.resize(1366, 800)
    settle()
    assert [part.isVisible() for part in parts] == [False, False, True]
    window.resize(1366, 768)
    settle()
    assert header.height() == high
    window.step_view.set_view("heatmap")
    settle()
    assert all(part.isVisible() for part in parts)
    assert header.height() > high


def check_zoom(how, window, qtbot, monkeypatch):
    before = next(s for s in how.stage.drawing.sheets if s.step == "scores")
    share = before.size / before.cell
    qtbot.keyClick(window, Key.Key_F11)
    settle()
    assert not how.transport.isVisible()
    inside = next(s for s in how.stage.drawing.sheets if s.step == "scores")
    assert inside.size / inside.cell > 1.1 * share
    qtbot.keyClick(window, Key.Key_F11)
    settle()
    assert how.transport.isVisible()
    show_scores(window)
    card = next(c for c in window.flow.findChildren(FlowCard) if c.step == "Q")
    QTest.mouseClick(card, LEFT, pos=card.rect().center())
    zoom = how.stage.zoom
    assert zoom.isVisible()
    sheet = next(s for s in how.stage.drawing.sheets if s.step == "Q")
    place = sheet.cell_rect(2, 1).center().toPoint()
    assert how.stage.childAt(place) is None  # nothing is in the way
    QTest.mouseClick(how.stage, LEFT, pos=place)
    assert selected(window) == ("Q", (2, 1))
    qtbot.waitUntil(lambda: not zoom.isVisible())
    show_scores(window)
    qtbot.keyClick(window, Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert selected(window)[0] == "scaled"
    assert how.stage.zoom.isVisible()
    qtbot.waitUntil(lambda: not how.stage.zoom.isVisible())
    monkeypatch.setattr(motion, "is_reduced", lambda _widget: True)
    qtbot.keyClick(window, Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert selected(window)[0] == "scores"
    assert not how.stage.zoom.isVisible()


# -------------------------------------------------------------------- editing


def test_numbers_of_operands_are_edited_by_keys_and_mouse_as_documents_change(
    how, window
):
    check_typing(show_queries(window), window)
    check_mouse(show_queries(window), window)
    check_open_editors(show_queries(window), window)
    check_dimensions(show_queries(window), window)


def check_typing(on_q, window):
    table = operand(on_q, "W_Q")
    before = weight(window).copy()
    click(table, 0, 1)
    type_("7")
    press(Key.Key_Return)
    assert weight(window)[0, 1] == 7
    type_("8")
    press(Key.Key_Tab)
    assert weight(window)[1, 1] == 8
    # X is (1, 0, 0) for word 1 and (0, 1, 0) for word 2: rows of W_Q.
    q = next(s for s in on_q.stage.drawing.sheets if s.step == "Q")
    assert q.values[0, 1] == 7
    assert q.values[1, 1] == 8
    press(Key.Key_Z, CTRL)
    press(Key.Key_Z, CTRL)
    assert np.array_equal(weight(window), before)
    table = operand(on_q, "W_Q")
    click(table, 1, 1)
    QGuiApplication.clipboard().setText("5\t6\n7\t9")
    press(Key.Key_V, CTRL)
    assert weight(window)[1:, 1:].tolist() == [[5, 6], [7, 9]]
    press(Key.Key_Z, CTRL)
    assert weight(window)[1:, 1:].tolist() != [[5, 6], [7, 9]]
    table = operand(on_q, "W_Q")
    before = weight(window).copy()
    click(table, 0, 1)
    type_("1x")
    press(Key.Key_Return)
    assert window.findChild(object, "reason").isVisible()
    assert np.array_equal(weight(window), before)
    press(Key.Key_Escape)
    for playing in (True, False):
        press(Key.Key_Space)  # with the keys in the table
        assert on_q.playback.is_playing is playing
        assert table.state() != table.State.EditingState


def drag(widget, start, stop):
    QTest.mousePress(widget, LEFT, pos=start)
    for step in range(1, 6):
        QTest.mouseMove(widget, start + (stop - start) * step / 5)
        settle()
    QTest.mouseRelease(widget, LEFT, pos=stop)
    settle()


def check_mouse(on_q, window):
    table = operand(on_q, "W_Q")
    click(table, 0, 0)
    before = weight(window)[0, 0]
    cell = table.visualRect(table.model().index(0, 0))
    start = QPoint(cell.left() + 3, cell.center().y())
    drag(table.viewport(), start, start + QPoint(13, 0))
    assert weight(window)[0, 0] == pytest.approx(before + 0.3)
    press(Key.Key_Z, CTRL)
    assert weight(window)[0, 0] == before
    table = operand(on_q, "W_Q")
    click(table, 0, 2)
    type_("5")
    press(Key.Key_Return)
    click(table, 0, 2)
    first, last = (table.visualRect(table.model().index(k, 2)) for k in (0, 2))
    drag(table.viewport(), first.bottomRight() - QPoint(4, 4), last.center())
    assert weight(window)[:, 2].tolist() == [5, 5, 5]


def test_another_head_has_its_own_columns_of_the_weights(appearance, open_window):
    window = open_window("example:two-heads", (1600, 1000))
    window.workbench.selection.choose_cell("Q", (0, 0))
    settle()
    page = window.step_view.page
    tabs = page.findChild(QTabBar, "how.heads")
    for head, columns in ((0, range(4)), (1, range(4, 8))):
        QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(head).center())
        settle()
        table = operand(page, "W_Q")
        seen = [c for c in range(8) if not table.isColumnHidden(c)]
        assert seen == [*columns]
        click(table, 0, columns[0])
        type_(f"{head + 2}")
        press(Key.Key_Return)
        assert weight(window)[0, columns[0]] == head + 2
        q = next(s for s in page.stage.drawing.sheets if s.step == "Q")
        own = weight(window)[:, list(columns)]
        assert np.allclose(q.values, window.document.matrix("X") @ own)


def check_dimensions(on_q, window):
    click(operand(on_q, "W_Q"), 2, 2)
    rng = np.random.default_rng(1)
    names = "W_Q", "W_K", "W_V"
    matrices = {name: rng.normal(size=(3, 2)) for name in names}
    window.workbench.edits.submit(Replace("Narrower", matrices=matrices))
    settle()
    table = operand(on_q, "W_Q")
    assert (table.model().rowCount(), table.model().columnCount()) == (3, 2)
    sheet = next(s for s in on_q.stage.drawing.sheets if s.step == "W_Q")
    assert sheet.shape == (3, 2)
    assert table.visualRect(table.model().index(2, 1)).size().width() > 20
    click(table, 2, 1)
    type_("4")
    press(Key.Key_Return)
    assert weight(window)[2, 1] == 4
    window.resize(1366, 700)
    window.opener.open_example("two-heads")
    window.workbench.selection.choose_cell("Q", (0, 0))
    settle()
    page = window.step_view.page
    reduced = next(s for s in page.stage.drawing.sheets if s.step == "X")
    assert len(reduced.rows) < 7
    table = page.stage.findChild(object, "operand.X")
    assert table is None or not table.isVisible()


def check_open_editors(on_q, window):
    click(operand(on_q, "W_Q"), 0, 0)
    type_("5")
    window.opener.open_example("four-words-rerun")
    check_as_opened(window, "four-words-rerun")
    window.workbench.selection.choose_cell("Q", (0, 0))
    settle()
    click(operand(on_q, "W_Q"), 0, 0)
    type_("5")
    window.workbench.open(load("example:two-heads"))
    check_as_opened(window, "two-heads")


def check_as_opened(window, example):
    settle()
    fresh = load(f"example:{example}").matrix("W_Q")
    assert np.array_equal(weight(window), fresh)
    page = window.step_view.page
    assert page.stage.drawing.sheets
    assert page.stage.drawing.sheet_at(QPointF(-1, -1)) is None


def test_a_click_lights_the_segment_under_the_pointer_in_the_theme(qtbot) -> None:
    segments, chosen = _Segments(None), []
    qtbot.addWidget(segments)
    segments.resize(64 * 10, 20)
    segments.chosen.connect(chosen.append)
    for segment in range(64):
        place = QPoint(10 * segment + 5, 10)
        QTest.mouseClick(segments, LEFT, pos=place)
        for theme in (LIGHT, DARK):
            segments.set_theme(theme)
            segments.show_place(chosen[-1], 100)
            picture = segments.grab().toImage()
            lit = [picture.pixelColor(10 * k + 5, 10).name() for k in range(64)]
            assert lit.count(theme.accent) == segment + 1
    assert len(chosen) == 64
