"""The page in the step view: real heads, live, and what it says without any."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton

from attnviewer.compute import HeadLocation, Spec
from attnviewer.document import Document, SetCells
from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.state.looks import Largest, Look
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from tests.documents import given_weights

LEFT = Qt.MouseButton.LeftButton


def document(n_heads, n_kv_heads=None, spec=None):
    generator = np.random.default_rng(0)
    width = 8 * (n_kv_heads or n_heads) // n_heads
    shapes = {"X": (5, 8), "W_Q": (8, 8), "W_K": (8, width), "W_V": (8, width)}
    matrices = {k: generator.normal(size=shape) for k, shape in shapes.items()}
    spec = spec or Spec(n_heads=n_heads, n_kv_heads=n_kv_heads)
    return Document("Heads", "abcde", matrices, spec)


@pytest.fixture
def open_page(qtbot, appearance):
    workbenches = []

    def open_on(document):
        workbench = Workbench(document)
        workbenches.append(workbench)
        view = StepView(workbench, appearance)
        qtbot.addWidget(view, before_close_func=lambda widget: widget.hide())
        view.resize(900, 740)
        view.set_view("heads")
        with qtbot.waitExposed(view):
            view.show()
        return view, workbench

    yield open_on
    for workbench in workbenches:
        workbench.close()


def card_of(view, head):
    return view.heads.heads.wall.card_of(HeadLocation(None, head))


def titles(view):
    return [widget.card.title for widget in view.heads.heads.wall.cards]


def test_all_heads_of_the_chosen_step_are_shown(open_page):
    view, workbench = open_page(document(4))
    assert titles(view) == ["H0", "H1", "H2", "H3"]
    for head in range(4):
        content = card_of(view, head).card.content
        expected = workbench.engine.current.trace["weights"][head]
        np.testing.assert_array_equal(content.matrix.window(), expected)


def test_a_click_chooses_the_head_for_all_views_and_they_choose_it_here(
    open_page, qtbot
):
    view, workbench = open_page(document(4))
    card = card_of(view, 2)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    assert workbench.selection.head == 2
    assert card.isChecked()
    workbench.selection.choose_head(1)
    assert [card_of(view, k).isChecked() for k in range(4)] == [
        False,
        True,
        False,
        False,
    ]


def test_a_double_click_opens_the_head_as_a_heatmap(open_page, qtbot):
    view, workbench = open_page(document(4))
    card = card_of(view, 3)
    qtbot.mouseDClick(card, LEFT, pos=card.rect().center())
    assert view.view == "heatmap"
    assert workbench.selection.head == 3


def test_enter_opens_the_head_that_the_arrows_led_to(open_page, qtbot):
    view, workbench = open_page(document(4))
    card_of(view, 0).setFocus()
    qtbot.keyClick(card_of(view, 0), Qt.Key.Key_Right)
    assert workbench.selection.head == 1
    qtbot.keyClick(card_of(view, 1), Qt.Key.Key_Return)
    assert view.view == "heatmap"


def test_an_edit_reaches_all_cards(open_page, qtbot):
    edited = document(2)
    view, _ = open_page(edited)
    before = [card_of(view, k).grab().toImage() for k in range(2)]
    captions = [card_of(view, k).caption.long for k in range(2)]
    with qtbot.waitSignal(view.painted):
        edited.apply(SetCells("Type", "X", 0, 0, np.array([[9.0]])))
    assert [card_of(view, k).grab().toImage() != before[k] for k in range(2)] == [
        True,
        True,
    ]
    assert captions != [card_of(view, k).caption.long for k in range(2)]


def test_the_page_waits_while_another_one_is_in_sight(open_page):
    edited = document(2)
    view, workbench = open_page(edited)
    view.set_view("table")
    edited.apply(SetCells("Type", "X", 0, 0, np.array([[9.0]])))
    workbench.engine.flush()
    assert math.isnan(card_of(view, 0).card.content.value(0, 0))
    view.set_view("heads")
    weights = workbench.engine.current.trace["weights"]  # (heads, n_q, n_k)
    assert card_of(view, 0).card.content.value(0, 0) == weights[0, 0, 0]


def test_choosing_a_head_draws_no_picture_anew(open_page):
    view, workbench = open_page(document(2))
    shown = card_of(view, 0).card
    workbench.selection.choose_head(1)
    assert card_of(view, 0).card is shown


def test_heads_that_share_keys_and_values_say_so(open_page):
    view, workbench = open_page(document(4, n_kv_heads=2))
    notes = [card_of(view, head).card.note for head in range(4)]
    assert notes == ["K and V of H0, H1"] * 2 + ["K and V of H2, H3"] * 2
    assert "K and V of H0, H1" in card_of(view, 1).accessibleName()
    workbench.selection.choose_step("K")
    assert titles(view) == ["H0", "H1"]
    assert card_of(view, 1).card.note == "serves H2, H3"


def test_heads_of_given_weights_speak_of_no_keys(open_page):
    view, _ = open_page(given_weights())
    notes = [card_of(view, head).card.note for head in range(2)]
    assert notes == ["V of H0, H1"] * 2


def test_a_head_of_keys_chooses_a_head_of_queries_that_it_serves(open_page, qtbot):
    view, workbench = open_page(document(4, n_kv_heads=2))
    workbench.selection.choose_step("V")
    card = card_of(view, 1)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    assert workbench.selection.head == 2
    assert card.isChecked()


def test_one_head_of_keys_for_all_says_whom_it_serves(open_page):
    view, workbench = open_page(document(4, n_kv_heads=1))
    workbench.selection.choose_step("K")
    assert [w.card.note for w in view.heads.heads.wall.cards] == ["serves H0–H3"]


def test_the_pointer_over_a_card_is_over_the_cell_for_all_views(open_page, qtbot):
    view, workbench = open_page(document(2))
    card = card_of(view, 1)
    rect = card.grid.cell_rect((3, 1)).translated(card.corner)
    qtbot.mouseMove(card, rect.center())
    assert workbench.selection.hovered == ("weights", (3, 1))


def test_the_pointer_over_a_card_is_over_the_cell_of_its_head(open_page, qtbot):
    view, workbench = open_page(document(4, n_kv_heads=2))
    status = StatusBar(workbench.engine, workbench.selection)
    qtbot.addWidget(status)
    for step, head, queries_head in (("weights", 2, 2), ("K", 1, 2), ("K", 0, 0)):
        workbench.selection.choose_step(step)
        card = card_of(view, head)
        rect = card.grid.cell_rect((3, 1)).translated(card.corner)
        qtbot.mouseMove(card, rect.center())
        assert workbench.selection.hovered_heads == (queries_head,)
        number = workbench.engine.current.trace[step][head, 3, 1]
        assert f"H{head}" in status.cell.text()
        assert repr(abs(number.item())) in status.cell.text()
        qtbot.mouseMove(view.header, QPoint(1, 1))


def test_the_pointer_over_combined_heads_tells_no_number_of_a_single_one(
    open_page, qtbot
):
    view, workbench = open_page(document(2))
    status = StatusBar(workbench.engine, workbench.selection)
    qtbot.addWidget(status)
    before = status.cell.text()
    view.heads.heads.choices.combine("mean")
    card = view.heads.heads.wall.cards[0]
    rect = card.grid.cell_rect((3, 1)).translated(card.corner)
    qtbot.mouseMove(card, rect.center())
    assert workbench.selection.hovered == ("weights", (3, 1))
    assert workbench.selection.hovered_heads == (0, 1)
    assert status.cell.text() == before
    qtbot.mouseMove(view.header, QPoint(1, 1))


def test_the_cell_under_the_pointer_is_marked_if_it_is_a_query_and_a_key(open_page):
    view, workbench = open_page(document(2))
    before = card_of(view, 0).grab().toImage()
    workbench.selection.hover("scores", (4, 4))
    assert card_of(view, 0).grab().toImage() != before
    workbench.selection.hover("scores", None)
    assert card_of(view, 0).grab().toImage() == before
    workbench.selection.hover("X", (4, 4))
    assert card_of(view, 0).grab().toImage() == before


def test_one_head_can_be_divided_and_undo_joins_it(open_page, qtbot):
    view, workbench = open_page(document(1))
    label = view.findChild(QLabel, "heads.none")
    button = view.findChild(QPushButton, "heads.remedy")
    assert label.isVisible()
    assert "Heads in the bar" in label.text()
    assert button.text() == "Divide it into 2 heads"
    qtbot.mouseClick(button, LEFT)
    workbench.engine.flush()
    assert titles(view) == ["H0", "H1"]
    assert not label.isVisible()
    assert workbench.edits.undoText() == "Set heads to 2"
    workbench.edits.undo()
    workbench.engine.flush()
    assert label.isVisible()


def test_a_step_without_heads_leads_to_the_one_that_has_them(open_page, qtbot):
    view, workbench = open_page(document(2))
    workbench.selection.choose_step("X")
    label = view.findChild(QLabel, "heads.none")
    assert label.text() == "All heads share Embeddings X."
    qtbot.mouseClick(view.findChild(QPushButton, "heads.remedy"), LEFT)
    assert workbench.selection.step == "weights"
    assert titles(view) == ["H0", "H1"]


def test_a_variant_that_cannot_have_heads_says_which_one_can(open_page):
    matrices = {"X": np.eye(3)}
    simple = Document("Simple", "abc", matrices, Spec(projected=False))
    view, _ = open_page(simple)
    assert "Multi-head attention" in view.findChild(QLabel, "heads.none").text()
    assert not view.findChild(QPushButton, "heads.remedy").isVisible()


def test_columns_that_cannot_be_divided_are_said_to_be_so(open_page):
    matrices = {"X": np.eye(3), **{f"W_{k}": np.ones((3, 1)) for k in "QKV"}}
    view, _ = open_page(Document("Narrow", "abc", matrices, Spec()))
    assert "cannot be divided" in view.findChild(QLabel, "heads.none").text()


def test_a_changed_look_repaints_the_cards(open_page):
    view, workbench = open_page(document(2))
    before = card_of(view, 0).grab().toImage()
    workbench.looks.set("weights", Look(colors="magma"))
    assert card_of(view, 0).grab().toImage() != before


def test_all_heads_share_a_scale_even_where_each_has_its_own_elsewhere(open_page):
    view, workbench = open_page(document(2))
    workbench.selection.choose_step("scores")
    workbench.looks.set("scores", Look(per_head=True))
    scales = {card_of(view, k).card.content.scale for k in range(2)}
    highest = np.abs(workbench.engine.current.trace["scores"]).max()
    assert [scale.high for scale in scales] == [highest]


def test_tab_goes_from_the_choices_to_the_chosen_card_and_on(window, qtbot):
    window.opener.open_example("two-heads")
    window.findChild(QAction, "action.heads").trigger()
    assert window.step_view.view == "heads"
    QApplication.processEvents()
    window.workbench.selection.choose_head(1)
    window.findChild(QComboBox, "heads.statistic").setFocus()
    visited = []
    for _ in range(5):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        visited.append(widget.objectName() or widget.accessibleName())
    assert visited[:2] == ["heads.sorting", "heads.combination"]
    assert visited[2].startswith("H1, entropy 0.63 bit")
    assert visited[3].startswith("explain")


def test_all_that_can_have_the_keys_looks_different_with_them(open_page):
    view, _ = open_page(document(2))
    card = card_of(view, 0)
    without = card.grab().toImage()
    card.setFocus(Qt.FocusReason.TabFocusReason)
    assert card.grab().toImage() != without


def test_what_a_filter_leaves_out_is_dimmed_on_all_cards(open_page):
    view, workbench = open_page(document(2))
    before = [card_of(view, k).grab().toImage() for k in range(2)]
    workbench.looks.set("weights", Look(filter=Largest(1)))
    for head in range(2):
        card = card_of(view, head)
        after = card.grab().toImage()
        largest = workbench.engine.current.trace["weights"][head].argmax(axis=1)
        for row, column in np.ndindex(5, 5):
            rect = card.grid.cell_rect((row, column)).translated(card.corner)
            same = after.copy(rect) == before[head].copy(rect)
            assert same == (column == largest[row])


def test_an_edit_is_painted_where_there_is_nothing_to_compare_too(open_page, qtbot):
    edited = document(1)
    view, _ = open_page(edited)
    with qtbot.waitSignal(view.painted):
        edited.apply(SetCells("Type", "X", 0, 0, np.array([[9.0]])))
