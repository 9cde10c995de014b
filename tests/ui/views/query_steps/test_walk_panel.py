"""The dock that walks through one query's computation, by real keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QAction, QTextDocumentFragment
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QToolButton,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, spec_edit
from attnviewer.document.rearranging import rearranged
from attnviewer.io import load
from attnviewer.ui.views.query_steps import WalkPanel
from attnviewer.ui.views.query_steps import panel as panel_module
from attnviewer.ui.views.query_steps.rows import RowsView
from tests.focus import visited_by_tab
from tests.menus import action_of
from tests.wheel import NOTCH, turn_wheel

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
PLAIN = Spec(projected=False)

# Word 1 of the four words: hand-worked in the notebook 000 with W_Q, W_K of seed 42.
SCORES = ["8", "2", "10", "2"]
WEIGHTS = ["0.2361", "0.0074", "0.7491", "0.0074"]


@pytest.fixture
def walk(qtbot, window):
    """Open the dock by its key, with word 1 selected."""
    return start(qtbot, window)


def start(qtbot, window):
    window.workbench.selection.choose_cell("weights", (0, 2))
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    panel = window.findChild(WalkPanel)
    qtbot.waitUntil(panel.isVisible)
    return panel


def restart(qtbot, window, walk):
    """Close the dock where it is open, and walk through the four words anew."""
    if walk.isVisible():
        qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
        qtbot.waitUntil(lambda: walk.player.walk is None and not walk.isVisible())
    window.workbench.open(load("example:four-words"))
    QApplication.processEvents()
    start(qtbot, window)


def part(panel, kind, name):
    found = panel.findChild(kind, f"walk.{name}")
    assert found is not None, name
    return found


def click(qtbot, panel, name):
    qtbot.mouseClick(part(panel, QToolButton, name), LEFT)


def loop_numbers(panel):
    return part(panel, RowsView, "rows").texts()[0]


def phase(panel):
    checked = [c for c in panel.findChildren(QPushButton) if c.isChecked()]
    return [chip.text() for chip in checked]


def go_to(qtbot, panel, title):
    chips = {chip.text(): chip for chip in panel.findChildren(QPushButton)}
    qtbot.mouseClick(chips[title], LEFT)


def verdict(panel):
    return part(panel, QLabel, "verdict").text()


def selected(window):
    return window.workbench.selection.step, window.workbench.selection.cell


def test_it_walks_from_the_selected_query_until_both_forms_agree_and_through_edits(
    window, walk, qtbot
):
    check_edits(qtbot, window, walk)
    restart(qtbot, window, walk)
    check_numbers(window, walk, qtbot)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_it_plays_and_the_selection_follows_it_until_it_closes_wherever_it_is(
    window, walk, qtbot
):
    check_selection(qtbot, window, walk)
    restart(qtbot, window, walk)
    check_playing(qtbot, walk, window)
    restart(qtbot, window, walk)
    check_places(qtbot, window, walk)


def test_on_a_small_screen_its_width_and_warnings_are_seen_and_titles_stay_beside(
    window, walk, qtbot
):
    check_warnings(qtbot, window, walk)
    window.appearance.set_text_size(100)
    check_small_screen(window, walk)
    check_a_passing_wheel_changes_nothing(window, walk)


def check_numbers(window, walk, qtbot):
    check_walk_to_scores(qtbot, walk, window)
    restart(qtbot, window, walk)
    check_agreement(qtbot, walk, window)


def check_walk_to_scores(qtbot, walk, window):
    assert phase(walk) == ["Q"]
    assert part(walk, QComboBox, "query").currentText() == "word 1"
    assert loop_numbers(walk) == ["2", "·", "·"]  # 1·2 + 0·2 + 0·2
    loop = part(walk, QLabel, "loop").text()
    assert loop == "for j in columns: Q[j] = Xᵢ · W_Q, column j"
    assert part(walk, QLabel, "matrix").text() == "Q = X W_Q"
    assert selected(window) == ("weights", (0, 2))
    # Row 0 of Q, K and V, printed in the notebook 000.
    vectors = {"Q": ["2", "0", "2"], "K": ["2", "2", "2"], "V": ["1", "1", "0"]}
    for title, numbers in vectors.items():
        go_to(qtbot, walk, title)
        for _ in range(2):
            click(qtbot, walk, "next")
        assert phase(walk) == [title]
        assert loop_numbers(walk) == numbers
        others = f"Every other row of {title} is computed in the same way."
        assert (others in part(walk, QLabel, "formula").text()) == (title != "Q")
    assert selected(window) == ("V", (0, 2))
    click(qtbot, walk, "next")
    assert phase(walk) == ["scores"]
    assert part(walk, QLabel, "loop").text() == "for j in keys: scores[j] = Qᵢ · Kⱼ"
    go_to(qtbot, walk, "scores")
    for known in range(1, 4):
        click(qtbot, walk, "next")
        assert loop_numbers(walk) == SCORES[: known + 1] + ["·"] * (3 - known)
    click(qtbot, walk, "next")
    assert phase(walk) == ["scaled"]
    click(qtbot, walk, "back")
    assert phase(walk) == ["scores"]


def check_agreement(qtbot, walk, window):
    go_to(qtbot, walk, "weights")
    for _ in range(3):
        click(qtbot, walk, "next")
    loop, matrix = part(walk, RowsView, "rows").texts()
    assert loop == matrix == WEIGHTS
    assert verdict(walk) == "= equal to within 1e−12"
    restart(qtbot, window, walk)
    go_to(qtbot, walk, "output")
    for done in (1, 2, 3):
        assert verdict(walk) == f"{done} of 4 keys added"
        click(qtbot, walk, "next")
    assert verdict(walk) == "= equal to within 1e−12"
    restart(qtbot, window, walk)
    spec = Spec(projected=False, scale=1.0)
    window.workbench.open(Document("Large", ["a", "b"], {"X": [[40], [1]]}, spec))
    window.workbench.selection.choose_cell("weights", (0, 0))
    go_to(qtbot, walk, "output")
    assert verdict(walk) == "1 of 2 keys added"
    qtbot.keyClick(part(walk, QCheckBox, "unshifted"), Qt.Key.Key_Space)
    assert loop_numbers(walk) == ["NaN"]
    assert verdict(walk).startswith("≠ differ: the loop has NaN")
    click(qtbot, walk, "last")
    assert verdict(walk).startswith("≠ differ: the loop has NaN")


def check_selection(qtbot, window, walk):
    check_closing(qtbot, window, walk)
    restart(qtbot, window, walk)
    check_following(qtbot, window, walk)


def check_closing(qtbot, window, walk):
    click(qtbot, walk, "next")
    assert selected(window) == ("Q", (0, 1))
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    qtbot.waitUntil(lambda: walk.player.walk is None)
    assert selected(window) == ("weights", (0, 2))
    restart(qtbot, window, walk)
    go_to(qtbot, walk, "weights")
    window.workbench.selection.choose_cell("weights", (3, 3))
    assert selected(window) == ("weights", (3, 3))
    click(qtbot, walk, "next")
    assert selected(window) == ("weights", (3, 1))
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    qtbot.waitUntil(lambda: walk.player.walk is None)
    assert selected(window) == ("weights", (3, 3))
    restart(qtbot, window, walk)
    click(qtbot, walk, "play")
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    qtbot.waitUntil(lambda: walk.player.walk is None)
    assert not walk.isVisible()
    assert not walk.player.playing


def check_places(qtbot, window, walk):
    go_to(qtbot, walk, "scores")
    click(qtbot, walk, "next")
    for place in ("floating", "below"):
        action_of(window, f"dock.walk.{place}").trigger()
        QApplication.processEvents()
        assert walk.isVisible()
        assert (walk.window() is window) == (place == "below")
        assert phase(walk) == ["scores"]
        assert loop_numbers(walk) == ["8", "2", "·", "·"]
        assert selected(window) == ("scores", (0, 1))


def test_it_opens_high_enough_for_all_its_controls(qtbot, open_window):
    for size in ((1600, 1000), (1366, 768)):
        check_controls(qtbot, open_window("example:four-words", size))


def check_controls(qtbot, window):
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    panel = window.findChild(WalkPanel)
    qtbot.waitUntil(panel.isVisible)
    QApplication.processEvents()
    box = part(panel, QCheckBox, "unshifted")
    assert box.visibleRegion().boundingRect() == box.rect()


def check_following(qtbot, window, walk):
    """The selection follows the walk, and the walk the selected query."""
    go_to(qtbot, walk, "weights")
    click(qtbot, walk, "next")
    selection = window.workbench.selection
    assert (selection.step, selection.cell) == ("weights", (0, 1))
    selection.choose_cell("weights", (3, 3))
    assert part(walk, QComboBox, "query").currentText() == "word 4"
    assert phase(walk) == ["weights"]
    restart(qtbot, window, walk)
    assert walk.heading.text() == "Loop and matrix form"
    window.opener.open_example("two-heads")
    window.workbench.selection.choose_head(0)
    assert walk.heading.text() == "Loop and matrix form · H0"
    window.workbench.selection.choose_head(1)
    assert walk.heading.text() == "Loop and matrix form · H1"


def check_playing(qtbot, walk, window):
    slider = part(walk, QSlider, "slider")
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert walk.player.number == 1
    qtbot.keyClick(slider, Qt.Key.Key_End)
    assert not part(walk, QToolButton, "next").isEnabled()
    assert part(walk, QLabel, "place").text() == "30 of 30"
    restart(qtbot, window, walk)
    part(walk, QComboBox, "speed").setFocus()
    qtbot.keyClick(part(walk, QComboBox, "speed"), Qt.Key.Key_End)
    click(qtbot, walk, "play")
    assert walk.player.playing
    qtbot.waitUntil(lambda: walk.player.number >= 2)
    qtbot.keyClick(part(walk, QToolButton, "play"), Qt.Key.Key_Space)
    assert not walk.player.playing
    click(qtbot, walk, "last")
    click(qtbot, walk, "back")
    click(qtbot, walk, "play")
    qtbot.waitUntil(lambda: not walk.player.playing)
    assert phase(walk) == ["output"]
    # 0.2361·1 + 0.0074·0 + 0.7491·1 + 0.0074·0, and so on, from notebook 000.
    assert loop_numbers(walk) == ["0.9852", "1.7417", "0.7565"]
    restart(qtbot, window, walk)
    click(qtbot, walk, "play")
    window.workbench.open(Document("Other", ["a", "b"], {"X": [[1], [2]]}, PLAIN))
    assert not walk.player.playing
    assert walk.player.walk is not None
    assert part(walk, QToolButton, "play").accessibleName() == "Play"


def test_without_the_maximum_weights_are_the_same_until_scores_are_large(
    qtbot, walk, window
):
    box = part(walk, QCheckBox, "unshifted")
    qtbot.mouseClick(box, LEFT, pos=box.rect().center() - box.rect().center() / 2)
    go_to(qtbot, walk, "weights")
    assert loop_numbers(walk)[0] == WEIGHTS[0]
    said = part(walk, QLabel, "warning").text()
    assert said.startswith("Same weights here: the largest exponent is 5.77")
    assert "maximum" not in [c.text() for c in walk.findChildren(QPushButton)]
    restart(qtbot, window, walk)
    if part(walk, QCheckBox, "unshifted").isChecked():
        part(walk, QCheckBox, "unshifted").click()
    spec = Spec(projected=False, scale=1.0)
    window.workbench.open(Document("Large", ["a", "b"], {"X": [[30], [1]]}, spec))
    window.workbench.selection.choose_cell("weights", (0, 0))
    box = part(walk, QCheckBox, "unshifted")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    go_to(qtbot, walk, "weights")
    assert loop_numbers(walk)[0] == "NaN"
    assert part(walk, RowsView, "rows").texts()[1][0] == "1"
    said = part(walk, QLabel, "warning").text()
    assert said.startswith("Overflow: e^900.00 is beyond the largest float64")
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert loop_numbers(walk)[0] == "1"
    assert not part(walk, QLabel, "warning").isVisible()


def test_it_is_driven_by_keys_alone_and_gives_the_keys_back(qtbot, window):
    window.step_view.setFocus()
    before = QApplication.focusWidget()
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    panel = window.findChild(WalkPanel)
    qtbot.waitUntil(panel.isVisible)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    assert panel.player.number == 1
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert panel.player.playing
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert not panel.player.playing
    check_tab_visits_the_phases_after_the_transport(panel)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F10, CTRL)
    qtbot.waitUntil(lambda: not panel.isVisible())
    assert QApplication.focusWidget() is before


def check_tab_visits_the_phases_after_the_transport(panel):
    QApplication.processEvents()  # shows the phases
    part(panel, QComboBox, "speed").setFocus()
    visited = visited_by_tab(panel)
    names = [name for _, name in visited]
    assert names[1] == "walk.phase.0"
    assert names[-1] == "walk.unshifted"
    assert visited == sorted(visited, key=lambda stop: stop[0])
    chip = part(panel, QPushButton, "phase.0")
    spoken = QAccessible.queryAccessibleInterface(chip)
    assert spoken.role() == QAccessible.Role.RadioButton
    part(panel, QSlider, "slider").setFocus()


def check_edits(qtbot, window, walk):
    go_to(qtbot, walk, "weights")
    click(qtbot, walk, "next")
    for name in ("token.add", "token.add", "undo"):
        window.findChild(QAction, f"action.{name}").trigger()
        window.workbench.engine.flush()
        assert phase(walk) == ["weights"]
        assert len(loop_numbers(walk)) == len(window.document.tokens)
        assert loop_numbers(walk)[2] == "·"
    check_the_selection_before_the_walk_follows_its_tokens(qtbot, window, walk)
    restart(qtbot, window, walk)
    go_to(qtbot, walk, "scaled")
    assert loop_numbers(walk)[0] == "4.6188"  # 8 / √3
    chip = next(c for c in walk.findChildren(QPushButton) if c.text() == "scaled")
    assert "√d_k" in chip.toolTip()
    scaled = Spec(scale=0.5)
    window.workbench.edits.submit(spec_edit(window.document, scaled, "Halve"))
    window.workbench.engine.flush()
    assert phase(walk) == ["scaled"]
    assert loop_numbers(walk)[0] == "4"  # 8 · 0.5
    assert chip.toolTip().startswith("Multiplies the scores by a number that you")
    restart(qtbot, window, walk)
    go_to(qtbot, walk, "exponentials")
    spec = Spec(normalizer="sparsemax")
    window.workbench.edits.submit(spec_edit(window.document, spec, "Sparse"))
    window.workbench.engine.flush()
    assert phase(walk) == ["weights"]
    click(qtbot, walk, "next")
    assert len([n for n in loop_numbers(walk) if n != "·"]) == 2


def check_the_selection_before_the_walk_follows_its_tokens(qtbot, window, walk):
    restart(qtbot, window, walk)
    click(qtbot, walk, "next")
    first, second, *rest = window.document.tokens
    sources, tokens = np.array([1, 0, 2, 3]), (second, first, *rest)
    edit = rearranged(window.document, "X", sources, tokens, "Exchange")
    window.workbench.edits.submit(edit)
    window.workbench.engine.flush()
    assert walk.player.number == 1
    qtbot.keyClick(window, Qt.Key.Key_F10, CTRL)
    qtbot.waitUntil(lambda: walk.player.walk is None)
    assert selected(window) == ("weights", (1, 2))


def check_small_screen(window, walk):
    window.resize(1366, 768)
    window.opener.open_example("two-heads")  # masked: the most phases
    QApplication.processEvents()
    assert (
        walk.findChild(QScrollArea, "walk.scroll").horizontalScrollBar().maximum() == 0
    )
    window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    QApplication.processEvents()
    loop, matrix = (part(walk, QLabel, name) for name in ("loop", "matrix"))
    titles = [w for w in loop.parentWidget().findChildren(QLabel) if not w.objectName()]
    lefts = [w.mapTo(walk, QPoint()).x() for w in (titles[0], loop, titles[1], matrix)]
    assert lefts == sorted(lefts)


def check_a_passing_wheel_changes_nothing(window, walk):
    walk.player.go(2)
    window.step_view.set_view("lines")
    window.step_view.set_view("how")
    window.step_view.setFocus()
    names = (
        *("walk.query", "walk.speed", "step.head"),
        *("step.lines.overlay", "how.speed", "how.fill"),
    )
    boxes = [window.findChild(QComboBox, name) for name in names]
    before = [box.currentIndex() for box in boxes]
    for control in (*boxes, part(walk, QSlider, "slider")):
        for angle in (NOTCH, -NOTCH, -NOTCH):
            turn_wheel(control, angle)
    assert [box.currentIndex() for box in boxes] == before
    assert walk.player.number == 2


def check_warnings(qtbot, window, walk):
    window.resize(1366, 768)
    for percent in (100, 125, 150, 200):
        window.appearance.set_text_size(percent)
        QApplication.processEvents()
        check_warning(qtbot, walk)


def check_warning(qtbot, walk):
    unshifted, warning = walk.findChild(QCheckBox), part(walk, QLabel, "warning")
    if unshifted.isChecked():
        unshifted.click()
    walk.findChild(QScrollArea, "walk.scroll").ensureWidgetVisible(unshifted)
    qtbot.mouseClick(unshifted, LEFT, pos=QPoint(10, unshifted.height() // 2))
    qtbot.waitUntil(
        lambda: warning.visibleRegion().boundingRect() == warning.rect(), timeout=2000
    )
    assert warning.text().startswith("Same weights here")


def test_tokens_of_another_document_are_listed_as_written_and_once(
    qtbot, window, walk, monkeypatch
):
    go_to(qtbot, walk, "weights")
    other = Document("Two", ["a", "b"], {"X": [[1.0, 0.0], [0.0, 1.0]]}, PLAIN)
    window.workbench.open(other)
    query = part(walk, QComboBox, "query")
    qtbot.waitUntil(lambda: query.count() == 2)
    assert walk.player.number == 0  # it waits at the start
    assert [query.itemText(k) for k in range(2)] == ["a", "b"]
    restart(qtbot, window, walk)
    tokens = ["<i>x</i>", "a&amp;b"]
    other = Document("Two", tokens, {"X": [[1.0, 0.0], [0.0, 1.0]]}, PLAIN)
    window.workbench.open(other)
    query = part(walk, QComboBox, "query")
    qtbot.waitUntil(lambda: query.count() == 2)
    shown = QTextDocumentFragment.fromHtml(part(walk, QLabel, "formula").text())
    assert "<i>x</i>" in shown.toPlainText()
    click(qtbot, walk, "next")
    shown = QTextDocumentFragment.fromHtml(part(walk, QLabel, "formula").text())
    assert "a&amp;b" in shown.toPlainText()
    spec = Spec(projected=False, scale=1.0)
    x = [[40.01925], [1.0]]  # 40.01925² = 1601.5403705625
    window.workbench.open(Document("Large", ["a", "b"], {"X": x}, spec))
    window.workbench.selection.choose_cell("scores", (0, 0))
    go_to(qtbot, walk, "scores")
    assert loop_numbers(walk)[0] == "1601.5404"
    listed = []
    monkeypatch.setattr(
        panel_module, "lines_along", lambda *asked: listed.append(asked) or ()
    )
    for _ in range(3):
        click(qtbot, walk, "next")
    assert listed == []
