"""A person switches a head off, looks at what that does, and takes it back."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from attnviewer.compute import HeadLocation, Spec
from attnviewer.document import Document, SetCells
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.documents import four_words, state_of
from tests.documents import given as given_document

# A menu that pops up offscreen has nothing to be raised above.
pytestmark = pytest.mark.qt_log_ignore(
    "does not support (raise|grabbing the keyboard)", extend=True
)

LEFT = Qt.MouseButton.LeftButton
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(appearance, open_window):
    window = open_window("example:two-heads", (1366, 768))
    show_heads(window)
    return window


def show_heads(window):
    """Show the heads of the example, as if nothing had been done before."""
    window.opener.open_example("two-heads")
    window.step_view.set_view("heads")
    QApplication.processEvents()


def card_of(window, head):
    return window.step_view.heads.heads.wall.card_of(HeadLocation(None, head))


def head_menu(window) -> QMenu:
    return window.findChild(QMenu, "menu.head")


def action(window, how) -> QAction:
    menu = head_menu(window)
    return next(a for a in menu.actions() if a.objectName() == f"action.head.{how}")


def right_click(card):
    place = QPoint(card.width() // 2, 8)
    # A menu takes no click where the mouse was as it opened.
    QTest.mouseMove(card, place)
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, card.mapToGlobal(place))
    QApplication.sendEvent(card, event)


def choose(window, how):
    menu = head_menu(window)
    assert menu.isVisible()
    assert action(window, how).isEnabled()
    place = menu.actionGeometry(action(window, how)).center()
    QTest.mouseMove(menu, place)
    QTest.mouseClick(menu, LEFT, pos=place)
    window.workbench.engine.flush()
    QApplication.processEvents()


def without_head_1(document, constant):
    """softmax(Q Kᵀ / √d_k) V W_O by hand, with a constant in place of head 1."""
    x, w_q, w_k, w_v, w_o = (
        document.matrix(name) for name in ("X", "W_Q", "W_K", "W_V", "W_O")
    )
    heads = []
    for own in (slice(0, 4), slice(4, 8)):
        scores = (x @ w_q)[:, own] @ (x @ w_k)[:, own].T / 2  # d_k is 4
        weights = np.exp(scores) * np.tri(7)
        weights /= weights.sum(axis=1, keepdims=True)
        heads.append(weights @ (x @ w_v)[:, own])
    mean = np.tile(heads[1].mean(axis=0), (7, 1))
    heads[1] = {"off": np.zeros((7, 4)), "mean": mean}[constant]
    return np.hstack(heads) @ w_o


def a_head_goes_by_its_card_and_comes_back_by_undo(window):
    for how, undo in [("off", "Switch off H1"), ("mean", "Set H1 to its mean")]:
        for way in ["mouse", "Menu", "Shift+F10"]:
            workbench = window.workbench
            workbench.selection.choose_head(0)
            # No menu opens where the mouse still is, which would take no click there.
            QTest.mouseMove(window, QPoint(1, 1))
            before, shown = state_of(workbench.document), workbench.engine.current.trace
            first, expected = (
                shown["output"].tobytes(),
                without_head_1(workbench.document, how),
            )
            card = card_of(window, 1)
            if way == "mouse":
                right_click(card)
            else:
                QTest.keyClick(card_of(window, 0), Qt.Key.Key_Right)
                menu, shift = (Qt.Key.Key_Menu,), (Qt.Key.Key_F10, SHIFT)
                QTest.keyClick(card, *(menu if way == "Menu" else shift))
            assert workbench.selection.head == 1
            choose(window, how)
            output = workbench.engine.current.trace["output"]
            np.testing.assert_allclose(output, expected, atol=1e-12)
            assert workbench.edits.undoText() == undo
            assert [card_of(window, k).card.ablated for k in (0, 1)] == [False, True]
            assert "ablated" in card_of(window, 1).accessibleName()
            QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
            workbench.engine.flush()
            assert state_of(workbench.document) == before
            assert workbench.engine.current.trace["output"].tobytes() == first
            QApplication.processEvents()
            assert not card_of(window, 1).card.ablated
            assert "ablated" not in card_of(window, 1).accessibleName()


def the_difference_view_shows_what_the_head_gave(window) -> None:
    # So large that cells show all of their four decimals.
    window.resize(1900, 1050)
    QApplication.processEvents()
    before = window.workbench.engine.current.trace["output"].copy()
    right_click(card_of(window, 1))
    choose(window, "off")
    window.workbench.selection.choose_step("output")
    window.step_view.set_view("difference")
    QApplication.processEvents()
    page = window.step_view.difference
    assert page.bar.reference.currentText() == "before “Switch off H1”"
    change = (without_head_1(window.workbench.document, "off") - before).round(12)
    differ = np.count_nonzero(change)
    assert page.summary.text().startswith(f"{differ} of 56 cells differ")
    page.heatmap.grab()
    written = sorted(f"{n + 0.0:.4f}".replace("-", "−") for n in change.ravel())
    assert sorted(page.heatmap.cells.texts()) == written


def simplified() -> Document:
    return Document("Simple", "ab", {"X": np.eye(2)}, Spec(projected=False))


NO_WEIGHTS = "This variant has no weight matrices, so no head can be switched off."


def the_menu_says_where_there_is_no_head_to_switch_off(window):
    for document, reason in [
        (simplified, NO_WEIGHTS),
        (given_document, NO_WEIGHTS),
        (four_words, ""),
    ]:
        window.workbench.open(document())
        head_menu(window).aboutToShow.emit()
        for how in ("off", "mean"):
            assert action(window, how).isEnabled() == (not reason)
            assert reason in action(window, how).toolTip()


def shared_values() -> Document:
    generator = np.random.default_rng(0)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    return Document("GQA", "abc", matrices, Spec(n_heads=4, n_kv_heads=2))


def a_refusal_is_said_in_place_and_a_card_of_shared_values_struck_in_time(window):
    window.workbench.open(shared_values())
    QApplication.processEvents()
    before = state_of(window.workbench.document)
    right_click(card_of(window, 2))
    choose(window, "off")
    bubble = window.findChild(ReasonBubble)
    assert bubble.isVisible()
    assert bubble.text() == (
        "The 'head' must have values of its own where no W_O follows. Got H2, which "
        "shares them with H3, instead."
    )
    assert state_of(window.workbench.document) == before
    assert not window.workbench.edits.canUndo()

    document = shared_values()
    w_o = np.eye(8)
    w_o[:2] = 0
    matrices = {**document.matrices, "W_O": w_o}
    spec = Spec(n_heads=4, n_kv_heads=2, output_projection=True)
    window.workbench.open(Document("GQA", "abc", matrices, spec))
    window.workbench.selection.choose_step("V")
    QApplication.processEvents()
    assert [card_of(window, k).card.ablated for k in (0, 1)] == [False, False]
    right_click(card_of(window, 0))
    assert action(window, "off").text() == "Switch &off H0"
    head_menu(window).close()
    window.workbench.selection.choose_head(1)
    right_click(card_of(window, 0))
    choose(window, "off")
    assert [card_of(window, k).card.ablated for k in (0, 1)] == [True, False]


def an_ablated_head_is_captioned_and_not_offered_again_and_the_menu_acts_too(
    window,
):
    card = card_of(window, 1)
    size, corner = card.size(), card.corner
    before = card.grab().toImage()
    right_click(card)
    choose(window, "off")
    card = card_of(window, 1)
    assert (card.size(), card.corner) == (size, corner)
    line = card.rect().adjusted(0, 0, 0, card.corner.y() - card.height() - 2)
    assert card.grab().toImage().copy(line) != before.copy(line)

    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    window.workbench.engine.flush()
    QApplication.processEvents()
    right_click(card_of(window, 1))
    choose(window, "off")
    right_click(card_of(window, 1))
    for how in ("off", "mean"):
        assert not action(window, how).isEnabled()
        reason = (
            "H1 is ablated already (switched off or set to its mean). Undo brings it "
            "back."
        )
        assert action(window, how).toolTip() == reason
    head_menu(window).close()
    right_click(card_of(window, 0))
    assert action(window, "off").isEnabled()
    head_menu(window).close()

    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    window.workbench.engine.flush()
    QApplication.processEvents()
    QTest.mouseClick(card_of(window, 0), LEFT)
    bar = window.menuBar()
    attention = next(a for a in bar.actions() if a.text() == "&Attention")
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(attention).center())
    menu = head_menu(window).menuAction()
    place = attention.menu().actionGeometry(menu).center()
    QTest.mouseMove(attention.menu(), place)
    QTest.mouseClick(attention.menu(), LEFT, pos=place)
    assert action(window, "mean").text() == "Set H0 to its &mean"
    choose(window, "mean")
    assert window.workbench.edits.undoText() == "Set H0 to its mean"
    assert not window.workbench.document.matrix("W_O")[:4].any()


def a_head_waits_for_an_edit_that_is_still_computed(qtbot, window, monkeypatch) -> None:
    monkeypatch.setattr("attnviewer.ui.state.engine.FRAME_COST", -1)
    monkeypatch.setattr("attnviewer.ui.state.engine.PATIENT_COST", -1)
    edits, engine = window.workbench.edits, window.workbench.engine
    right_click(card_of(window, 1))
    with qtbot.waitSignal(engine.computed):
        edits.submit(SetCells("Type", "X", 0, 0, np.array([[9.0]])))
        action(window, "mean").trigger()
        bubble = window.findChild(ReasonBubble)
        assert bubble.text().startswith("The last edit is still to be computed.")
        assert edits.undoText() == "Type"
    head_menu(window).close()
    with qtbot.waitSignal(engine.computed):
        action(window, "mean").trigger()
    output = engine.current.trace["output"]
    expected = without_head_1(window.workbench.document, "off")
    np.testing.assert_allclose(
        output - expected, np.tile(output[0] - expected[0], (7, 1)), atol=1e-12
    )


def test_a_head_goes_and_comes_back_by_its_card_and_menu_which_say_what_is_ablated(
    window,
):
    a_head_goes_by_its_card_and_comes_back_by_undo(window)
    show_heads(window)
    an_ablated_head_is_captioned_and_not_offered_again_and_the_menu_acts_too(window)


def test_it_is_said_where_no_head_can_go_or_it_has_to_wait_and_seen_what_one_gave(
    window, qtbot, monkeypatch
) -> None:
    a_refusal_is_said_in_place_and_a_card_of_shared_values_struck_in_time(window)
    show_heads(window)
    the_menu_says_where_there_is_no_head_to_switch_off(window)
    show_heads(window)
    the_difference_view_shows_what_the_head_gave(window)
    show_heads(window)
    a_head_waits_for_an_edit_that_is_still_computed(qtbot, window, monkeypatch)
