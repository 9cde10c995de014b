"""A person works on queries, keys and values that are given, from keys and mouse."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPushButton,
    QSpinBox,
    QTableView,
    QToolButton,
    QToolTip,
)

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.replacement import replacement
from attnviewer.io.session import save_session
from attnviewer.ui.views.flow.graph import flow_graph
from attnviewer.ui.views.inputs.matrix.panel import MatrixPanel
from attnviewer.ui.views.query_steps import WalkPanel
from attnviewer.ui.views.query_steps.rows import RowsView
from tests.documents import GIVEN, four_words, given, given_across, state_of
from tests.focus import press

Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton

Q, K, V = (np.array(GIVEN[name]) for name in "QKV")

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints", "This plugin does not support", extend=True
)


@pytest.fixture
def open_document(appearance, open_window, tmp_path, qtbot):
    """Return what opens a document from a session file, in one window of small size."""
    windows = []

    def open_(document):
        path = tmp_path / str(len(windows)) / f"{document.title}.attn"
        path.parent.mkdir()
        save_session(document, path)
        if not windows:
            windows.append(open_window(str(path), (1366, 768)))
        else:
            windows.append(windows[0])
            before = windows[0].document
            windows[0].opener.open(str(path))
            qtbot.waitUntil(lambda: windows[0].document is not before)
            QApplication.processEvents()  # so that new tables are laid out
            with qtbot.waitActive(windows[0]):
                windows[0].activateWindow()  # without a window manager
        return windows[0]

    return open_


def weights_by_hand(q, k):
    powers = np.exp(q @ k.T / np.sqrt(k.shape[1]))
    return powers / powers.sum(axis=1, keepdims=True)


def weights(window):
    window.workbench.engine.flush()
    return window.workbench.engine.current.trace["weights"]


def click(window, name, row, column):
    table = window.findChild(QTableView, f"table.{name}")
    place = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=place)
    return table


def tables(window):
    """Return the names of the tables in sight."""
    shown = [t for t in window.findChildren(QTableView) if t.isVisible()]
    names = (table.objectName().removeprefix("table.") for table in shown)
    return {name for name in names if name in (*"QKVX", "tokens", "context_tokens")}


def a_typed_query_is_followed_by_every_weight_and_taken_back(open_document):
    window = open_document(given())
    np.testing.assert_allclose(weights(window), weights_by_hand(Q, K))
    click(window, "Q", 1, 0)
    for letter in "3/2":
        QTest.keyClicks(QApplication.focusWidget(), letter)
    press(Key.Key_Return)
    changed = Q.copy()
    changed[1, 0] = 1.5
    np.testing.assert_allclose(weights(window), weights_by_hand(changed, K))
    assert window.workbench.edits.undoText() == "Set Q[cat, 0] to 1.5"
    press(Key.Key_Z, CONTROL)
    np.testing.assert_allclose(weights(window), weights_by_hand(Q, K))
    assert not window.isWindowModified()


def tokens_come_and_go_from_any_table_and_by_rows_that_are_pasted(open_document, qtbot):
    window = open_document(given())
    document, before = window.document, state_of(window.document)
    click(window, "V", 1, 2)
    press(Key.Key_J, CONTROL)
    assert document.tokens == ("the", "cat", "cat (2)", "sat", "down", ".")
    order = [0, 1, 1, 2, 3, 4]
    np.testing.assert_allclose(weights(window), weights_by_hand(Q[order], K[order]))
    click(window, "K", 0, 0)
    press(Key.Key_Delete, CONTROL)
    press(Key.Key_Down, ALT)
    assert document.tokens == ("cat (2)", "cat", "sat", "down", ".")
    order = [1, 1, 2, 3, 4]
    assert document.matrix("V").tolist() == V[order].tolist()
    click(window, "tokens", 4, 0)
    press(Key.Key_I, CONTROL)
    assert document.tokens[5:] == ("token 5",)
    assert [document.matrix(name)[5].any() for name in "QKV"] == [False] * 3
    while window.workbench.edits.canUndo():
        press(Key.Key_Z, CONTROL)
    assert state_of(document) == before

    window = open_document(given())
    QGuiApplication.clipboard().setText("1\t2\n3\t4\n5\t6")
    click(window, "K", 4, 0)
    press(Key.Key_V, CONTROL)
    offers = window.findChildren(QPushButton)
    grow = next(b for b in offers if b.isVisible() and "2 tokens" in b.text())
    qtbot.mouseClick(grow, LEFT)
    assert window.document.tokens == ("the", "cat", "sat", "down", ".", *_new(5, 6))
    assert window.document.matrix("K")[4:].tolist() == [[1, 2], [3, 4], [5, 6]]
    assert window.document.matrix("V")[5:].tolist() == [[0, 0, 0], [0, 0, 0]]


def _new(*places):
    return tuple(f"token {place}" for place in places)


def keys_and_values_have_tokens_of_their_own_to_be_found_and_drawn(open_document):
    window = open_document(given_across())
    document = window.document
    assert tables(window) == {"tokens", "Q", "context_tokens", "K", "V"}
    np.testing.assert_allclose(weights(window), weights_by_hand(Q, K[:3]))
    click(window, "V", 0, 0)
    press(Key.Key_Delete, CONTROL)
    assert document.context_tokens == ("chat", "dort")
    np.testing.assert_allclose(weights(window), weights_by_hand(Q, K[1:3]))
    click(window, "Q", 0, 0)
    press(Key.Key_Delete, CONTROL)
    assert document.tokens == ("cat", "sat", "down", ".")
    np.testing.assert_allclose(weights(window), weights_by_hand(Q[1:], K[1:3]))
    click(window, "context_tokens", 0, 0)
    press(Key.Key_F2)
    press(Key.Key_A, CONTROL)
    QTest.keyClicks(QApplication.focusWidget(), "chien")
    press(Key.Key_Return)
    assert document.context_tokens == ("chien", "dort")

    window = open_document(given_across())
    click(window, "V", 0, 1)
    press(Key.Key_F, CONTROL)
    QTest.keyClicks(QApplication.focusWidget(), "chat")
    press(Key.Key_Return)
    place = window.workbench.edits.cursor.selection
    assert (place.table, place.block.row, place.block.height) == ("K", 1, 1)

    window = open_document(given_across())
    QTest.keyClick(window, Key.Key_R, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    dialog = next(d for d in window.findChildren(QDialog) if d.isVisible())
    into = [b for b in dialog.findChildren(QCheckBox) if ".into." in b.objectName()]
    assert [(box.text(), box.isChecked()) for box in into] == [
        ("&Q, 5×2", True),
        ("&K, 3×2", True),
        ("&V, 3×3", True),
    ]
    QTest.keyClick(dialog, Key.Key_Return)
    (recipe,) = window.document.recipes
    generator = np.random.RandomState(recipe.seed)
    drawn = [
        generator.randint(draw.distribution.high, size=draw.shape)
        for draw in recipe.draws
    ]
    held = [window.document.matrix(name) for name in "QKV"]
    for numbers, matrix in zip(drawn, held, strict=True):
        assert matrix.tolist() == numbers.tolist()


def what_needs_x_or_weights_is_off_and_says_why(open_document):
    window = open_document(given())
    click(window, "tokens", 0, 0)
    press(Key.Key_T, CONTROL)
    assert not [d for d in window.findChildren(QDialog) if d.isVisible()]
    assert window.reason.isVisible()
    assert window.reason.text() == (
        "There is no X here to turn a sentence into. Rename the tokens one by one, or "
        "paste their names."
    )

    window = open_document(given())
    variant = window.findChild(QComboBox, "spec.variant")
    assert variant.currentText() == "Given Q, K and V"
    assert not variant.isEnabled()
    assert variant.accessibleDescription() == (
        "Other variants compute queries, keys and values from X; there is no X here."
    )
    heads = window.findChild(QSpinBox, "spec.heads")
    w_o = window.findChild(QCheckBox, "spec.output_projection")
    for control in (heads, w_o):
        assert not control.isEnabled()
        assert "no weight matrices" in control.toolTip()

    window = open_document(given())
    variant = window.findChild(QComboBox, "spec.variant")
    _ask_for_tip(variant)
    assert QToolTip.text().startswith("Variant: Given Q, K and V\nQueries, keys and")
    QToolTip.hideText()

    window = open_document(given())
    bar = window.menuBar()
    titles = {action.text(): action for action in bar.actions()}
    place = bar.actionGeometry(titles["&Attention"]).center()
    QTest.mouseClick(bar, LEFT, pos=place)
    attention = QApplication.activePopupWidget()
    off = {a.text(): a.toolTip() for a in attention.actions() if not a.isEnabled()}
    assert set(off) == {
        "&Variant",
        "&Key/value heads",
        "&Output projection W_O",
        "&Biases",
        "Number o&f heads",
        "Output &gate",
    }
    assert "there is no X here" in off.pop("&Variant")
    assert all("no weight matrices" in reason for reason in off.values())
    QTest.keyClick(attention, "p")
    menu = QApplication.activePopupWidget()
    positions = {action.text(): action for action in menu.actions()}
    added = positions["Sinusoidal, added to X"]
    assert not added.isEnabled()
    assert "There is no X" in added.toolTip()
    rotary = menu.actionGeometry(positions["Rotary (RoPE)"]).center()
    QTest.mouseClick(menu, LEFT, pos=rotary)
    window.workbench.engine.flush()
    assert "rotated Q" in window.workbench.engine.current.trace


def _ask_for_tip(widget):
    where = widget.rect().center()
    event = QHelpEvent(QEvent.Type.ToolTip, where, widget.mapToGlobal(where))
    QApplication.sendEvent(widget, event)


def dimensions_are_those_of_keys_and_values_and_choices_come_with_x(open_document):
    window = open_document(given())
    QTest.keyClick(window, Key.Key_M, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    dialog = next(d for d in window.findChildren(QDialog) if d.isVisible())
    spins = [s.objectName() for s in dialog.findChildren(QSpinBox)]
    names = ("n", "d_k", "d_v", "seed")
    assert spins == [f"dimensions.{name}" for name in names]
    spin = dialog.findChild(QSpinBox, "dimensions.d_v")
    QTest.keyClick(spin, Key.Key_Down)
    told = dialog.findChild(QLabel, "dimensions.effect.V").text()
    assert "1 column" in told
    QTest.keyClick(dialog, Key.Key_Return)
    assert window.document.matrix("V").shape == (5, 2)
    assert window.document.matrix("Q").tolist() == Q.tolist()

    window = open_document(given())
    window.opener.open_document(four_words())
    variant = window.findChild(QComboBox, "spec.variant")
    assert variant.isEnabled()
    assert variant.count() == 4
    assert variant.currentText() == "Self-attention"
    assert tables(window) == {"tokens", "X"}
    heads = window.findChild(QSpinBox, "spec.heads")
    assert heads.isEnabled()
    assert heads.toolTip().startswith("Heads\n")


def strip_and_walk_go_from_given_queries_to_given_values(open_document, qtbot):
    window = open_document(given_across())
    graph = flow_graph(window.workbench.engine.current.trace)
    first = [node.name for node in graph.nodes if node.column == 0]
    assert first == ["Q", "K", "V"]
    assert graph.steps[:3] == ("Q", "K", "V")
    assert not any(node.place == "joining" for node in graph.nodes)

    window = open_document(given_across())
    window.workbench.selection.choose_cell("weights", (2, 0))
    press(Key.Key_F10, Qt.KeyboardModifier.ControlModifier)
    walk = window.findChild(WalkPanel)
    qtbot.waitUntil(walk.isVisible)
    rows = walk.findChild(RowsView, "walk.rows")
    assert walk.findChild(QComboBox, "walk.query").currentText() == "sat"
    assert rows.texts()[0] == ["2", "·", "·"]
    last = walk.findChild(QToolButton, "walk.last")
    qtbot.mouseClick(last, LEFT)
    # Of e^(scores / √2) for the scores 2, 1 and 0, times the identity.
    assert rows.texts()[0] == rows.texts()[1] == ["0.5760", "0.2840", "0.1400"]


def what_is_pointed_at_is_framed_and_one_head_explained(open_document):
    window = open_document(given())
    window.workbench.selection.hover("weights", (1, 3))
    lit = {
        n: window.inputs.table(n).painter.highlighted_rows
        for n in ("tokens", "Q", "K", "V")
    }
    assert lit == {"tokens": (1,), "Q": (1,), "K": (3,), "V": (3,)}
    window.workbench.selection.hover("weights", None)
    assert window.inputs.table("K").painter.highlighted_rows == ()

    window = open_document(given())
    QTest.keyClick(window, Key.Key_4, CONTROL)
    QApplication.processEvents()
    text = window.findChild(QLabel, "heads.none")
    assert text.isVisible()
    assert text.text() == "The matrices given here belong to one head."


def a_file_read_again_brings_tokens_of_keys_and_score_weights_have_a_table(
    open_document,
):
    window = open_document(given())
    edits = window.workbench.edits
    edits.submit(replacement(window.document, given_across(), "Reload"))
    QApplication.processEvents()
    assert tables(window) == {"tokens", "Q", "context_tokens", "K", "V"}
    np.testing.assert_allclose(weights(window), weights_by_hand(Q, K[:3]))
    edits.submit(replacement(window.document, four_words(), "Reload"))
    QApplication.processEvents()
    assert tables(window) == {"tokens", "X"}
    for _ in range(2):
        QTest.keyClick(window, Key.Key_Z, CONTROL)
    QApplication.processEvents()
    assert tables(window) == {"tokens", "Q", "K", "V"}
    assert state_of(window.document) == state_of(given())
    panels = [p for p in window.inputs.findChildren(MatrixPanel) if p.isVisible()]
    assert [p.objectName() for p in panels if p.bears_tokens] == ["matrix.Q"]

    spec = Spec(projected=False, given=True, score="general")
    weighed = {**GIVEN, "w": np.eye(2)}
    window = open_document(Document("Weighed", given().tokens, weighed, spec))
    click(window, "w", 0, 1)
    QTest.keyClicks(QApplication.focusWidget(), "4")
    press(Key.Key_Return)
    window.workbench.engine.flush()
    scores = window.workbench.engine.current.trace["scores"]
    np.testing.assert_allclose(scores, Q @ [[1, 4], [0, 1]] @ K.T)


def the_tour_shows_the_first_query_to_change(open_document):
    window = open_document(given())
    window.findChild(QAction, "action.tour").trigger()
    QApplication.processEvents()
    press(Key.Key_Return)
    title = window.tour.balloon.findChild(QLabel, "tour.title").text()
    assert title == "Change any number"
    window.tour.end()


def test_given_matrices_and_their_tokens_are_edited_found_drawn_and_read_again(
    open_document, qtbot
):
    a_typed_query_is_followed_by_every_weight_and_taken_back(open_document)
    tokens_come_and_go_from_any_table_and_by_rows_that_are_pasted(open_document, qtbot)
    keys_and_values_have_tokens_of_their_own_to_be_found_and_drawn(open_document)
    dimensions_are_those_of_keys_and_values_and_choices_come_with_x(open_document)
    a_file_read_again_brings_tokens_of_keys_and_score_weights_have_a_table(
        open_document
    )


def test_given_matrices_are_followed_and_toured_and_what_needs_x_or_weights_is_off(
    open_document, qtbot
):
    strip_and_walk_go_from_given_queries_to_given_values(open_document, qtbot)
    what_is_pointed_at_is_framed_and_one_head_explained(open_document)
    what_needs_x_or_weights_is_off_and_says_why(open_document)
    the_tour_shows_the_first_query_to_change(open_document)
