"""Tab through the window, and where the keys are when something closes."""

import gc
import weakref

import pytest
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from attnviewer.ui.window.app import create_window
from tests.focus import press
from tests.menus import action_of

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier

SPEC = "variant heads output_projection mask scale normalizer temperature.slider"
BAR = [f"spec.{name}" for name in [*SPEC.split(), "temperature.number"]]
STEP = ["flow.weights", "step.tabs"]
PLAYBACK = ("first", "back", "play", "next", "last", "speed", "fill")
TEMPERATURE = ["how.temperature.slider", "how.temperature.number"]
HOW = ["step.how", *(f"how.{name}" for name in PLAYBACK), *TEMPERATURE]
HEATMAP = ["step.play", "step.heatmap", "step.heatmap.colors"]
PARTS = ("formula", "copy", "tree", "influence", "effect", "row", "input")
EXPLAIN = [f"explain.{part}" for part in PARTS]
WEIGHTS = ["table.W_Q", "table.W_K", "table.W_V"]


@pytest.fixture
def window(appearance, open_window):
    window = open_window("example:four-words", (1600, 1000))
    QApplication.processEvents()
    return window


def do(window, name):
    action_of(window, name).trigger()
    QApplication.processEvents()


def go_round(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    """Press a key until Tab's round is closed; return what was visited."""
    window.findChild(QWidget, BAR[0]).setFocus()
    visited = [BAR[0]]
    for _ in range(300):
        press(key, modifiers)
        QApplication.processEvents()  # the explanation follows in its own turn
        name = QApplication.focusWidget().objectName()
        if name == BAR[0]:
            return visited
        if name != visited[-1]:
            visited.append(name)
    raise AssertionError(f"the round does not close: {visited}")


def both_ways(window):
    """Return the round of Tab, the same as that of Shift+Tab the other way round."""
    on, back = go_round(window, Key.Key_Tab), go_round(window, Key.Key_Backtab, SHIFT)
    assert back == [on[0], *reversed(on[1:])]
    assert len(set(on)) == len(on)
    return on


INPUTS = ["inputs.summary", "table.tokens", "table.X", *WEIGHTS, "notes.scroll"]
BEFORE = [*BAR, "button.pin", "export", *INPUTS, *STEP]


def test_tab_visits_everything_once_as_one_reads(window):
    assert QApplication.focusWidget().objectName() == "step.how"
    assert both_ways(window) == [*BEFORE, *HOW, *EXPLAIN]
    window.step_view.set_view("heatmap")
    assert go_round(window, Key.Key_Tab) == [*BEFORE, *HEATMAP, *EXPLAIN]


def test_f6_goes_from_pane_to_pane_and_back_to_where_one_was(window):
    def panes(modifiers=Qt.KeyboardModifier.NoModifier):
        for _ in range(5):
            press(Key.Key_F6, modifiers)
            yield QApplication.focusWidget().objectName()

    assert QApplication.focusWidget().objectName() == "step.how"
    first = ["explain.formula", BAR[0], "table.tokens", "flow.weights", "step.how"]
    assert list(panes()) == first
    window.findChild(QWidget, "table.W_K").setFocus()
    assert list(panes(SHIFT)) == [
        BAR[0],
        *first[:1],
        "step.how",
        *STEP[:1],
        "table.W_K",
    ]
    do(window, "dock.explain")  # closes it
    assert QApplication.focusWidget().objectName() == "table.W_K"
    assert list(panes()) == [*STEP[:1], "step.how", BAR[0], "table.W_K", *STEP[:1]]


def test_a_page_that_comes_after_the_window_is_visited_in_its_turn(qtbot, appearance):
    late = create_window("example:four-words", wait=False)
    qtbot.addWidget(late)
    late.resize(1600, 1000)
    with qtbot.waitActive(late):
        late.show()
        late.activateWindow()
    qtbot.waitUntil(lambda: late.findChild(QWidget, "step.how") is not None)
    assert late.focusWidget().objectName() == "step.how"
    assert go_round(late, Key.Key_Tab) == [*BEFORE, *HOW, *EXPLAIN]
    late.close()


def test_what_comes_later_finds_its_place_in_the_round(qtbot, window):
    do(window, "variant.3")  # cross-attention: a second sequence, and other steps
    do(window, "token.find")
    do(window, "dock.history")
    window.notice.offer("News", [("&This", print), ("T&hat", print)])
    qtbot.waitUntil(window.last_edit.isVisible)
    find = [f"find.X.{name}" for name in ("line", "back", "next", "close")]
    tokens = ["inputs.summary", "inputs.tabs", *find, "table.tokens", "table.X"]
    notice = ["notice.offer.0", "notice.offer.1", "notice.dismiss"]
    assert both_ways(window) == [
        *(*BAR, "button.undo", "button.pin", "export"),
        *(*tokens, *WEIGHTS, "notes.scroll"),
        *(*notice, *STEP, *HOW, *EXPLAIN, "history.list", "status.last_edit"),
    ]


def test_lines_beside_and_a_walk_are_visited_after_the_explanation(window):
    do(window, "dock.lines")
    do(window, "dock.history")
    page = [f"lines.page.{n}" for n in ("threshold.slider", "threshold.number")]
    visited = [name for name in both_ways(window) if name != "docks.tabs"]
    assert visited[-5:] == [*(EXPLAIN[-1], *page, "lines.page.picture", "history.list")]
    do(window, "docks.reset")
    do(window, "dock.walk")
    visited = go_round(window, Key.Key_Tab)
    walk = visited[visited.index(EXPLAIN[-1]) + 1 :]
    assert walk[0] == "walk.query"
    assert {"walk.play", "walk.slider", "walk.rows"} <= set(walk)
    assert all(name.startswith("walk.") for name in walk)


def check_a_painted_mask_and_its_numbers_are_in_the_round(window):
    mask = window.findChild(QComboBox, "spec.mask")
    mask.setFocus()
    QTest.keyClicks(mask, "w")
    QApplication.processEvents()
    inputs = go_round(window, Key.Key_Tab)[len(BAR) + 3 :]
    visited = inputs[: inputs.index("table.W_Q")]
    assert visited == [
        *("inputs.summary", "inputs.tabs", "mask.kind", "mask.left", "mask.right"),
        "table.mask",
    ]


def check_a_closed_dialog_gives_the_keys_back(qtbot, window):
    table = window.inputs.table("W_Q")
    for name in ("fill", "draw_all", "dimensions", "token.sentence", "keys", "about"):
        table.setFocus()
        table.setCurrentIndex(table.model().index(1, 2))
        do(window, name)
        assert QApplication.activeModalWidget() is not None, name
        press(Key.Key_Escape)
        assert QApplication.activeModalWidget() is None, name
        with qtbot.waitActive(window):
            window.activateWindow()  # as the window system does
        assert table.hasFocus(), name
        here = table.currentIndex()
        assert (here.row(), here.column()) == (1, 2), name


def check_a_dismissed_notice_gives_the_keys_back_and_control_tab_leaves_a_table(
    qtbot, window
):
    table = window.inputs.table("W_Q")
    table.setFocus()
    for how in ("Tab and Space", "Shift+Escape"):
        window.notice.refuse("No")
        assert table.hasFocus(), how
        if how == "Shift+Escape":
            press(Key.Key_Escape, SHIFT)
        else:
            window.findChild(QWidget, "notice.dismiss").setFocus()
            press(Key.Key_Space)
        qtbot.waitUntil(lambda: not window.notice.text)
        assert table.hasFocus(), how
    table = window.inputs.table("X")
    table.setFocus()
    table.setCurrentIndex(table.model().index(1, 1))
    press(Key.Key_Tab, CONTROL)
    assert QApplication.focusWidget().objectName() == "table.W_Q"
    press(Key.Key_Backtab, CONTROL | SHIFT)
    press(Key.Key_Backtab, CONTROL | SHIFT)
    assert QApplication.focusWidget().objectName() == "table.tokens"


def test_keys_come_back_from_dialogs_and_notices_and_reach_a_painted_mask(
    qtbot, window
):
    check_a_closed_dialog_gives_the_keys_back(qtbot, window)
    check_a_dismissed_notice_gives_the_keys_back_and_control_tab_leaves_a_table(
        qtbot, window
    )
    check_a_painted_mask_and_its_numbers_are_in_the_round(window)


def test_where_the_keys_are_is_to_be_seen(window):
    """Whatever Tab visits looks different with the keys than without them."""
    blind = []
    for name in go_round(window, Key.Key_Tab):
        widget = window.findChild(QWidget, name)
        window.findChild(QWidget, "notes.scroll").setFocus()
        if name == "notes.scroll":
            window.findChild(QWidget, "export").setFocus()
        without = picture(window, widget)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if picture(window, widget) == without:
            blind.append(name)
    assert blind == []


def picture(window, widget):
    QApplication.processEvents()
    place = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
    return window.grab(place.adjusted(-4, -4, 4, 4)).toImage()


def test_a_closed_window_lets_go_of_its_documents(qapp, appearance):
    window = create_window("example:four-words")
    window.show()
    window.opener.open("example:two-heads")  # other cards, which Tab visits
    QApplication.processEvents()
    do(window, "dock.lines")  # which puts all in the order of Tab once more
    panels = [weakref.ref(window.explain), weakref.ref(window.workbench.document)]
    window.close()
    window.deleteLater()
    del window
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    assert [panel() for panel in panels] == [None, None]
