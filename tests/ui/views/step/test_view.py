import gc
import weakref

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QWidget

from attnviewer.compute import Spec, run
from attnviewer.document import Document, Labels, Replace, SetCells, spec_edit
from attnviewer.ui.paint.step_content import DisplayedStep, content_of
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Marked
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.views import VIEWS


@pytest.fixture
def open_view(qtbot, appearance):
    workbenches = []

    def open_on(document):
        workbench = Workbench(document)
        workbenches.append(workbench)
        engine, selection = workbench.engine, workbench.selection
        selection.choose_cell("weights", None)
        view = StepView(workbench, appearance)
        view.set_view("heatmap")
        qtbot.addWidget(view)
        view.resize(900, 740)
        with qtbot.waitExposed(view):
            view.show()
        return view, engine, selection

    yield open_on
    for workbench in workbenches:
        workbench.close()


@pytest.fixture
def open_first(qtbot, appearance):
    """Open a view that shows the page it begins with."""
    workbenches = []

    def open_on(document):
        workbenches.append(Workbench(document))
        view = StepView(workbenches[-1], appearance)
        qtbot.addWidget(view)
        view.resize(900, 740)
        with qtbot.waitExposed(view):
            view.show()
        return view

    yield open_on
    for workbench in workbenches:
        workbench.close()


def four_words(spec=None):
    generator = np.random.RandomState(42)
    drawn = {f"W_{name}": generator.randint(3, size=(3, 3)) for name in "QKV"}
    embeddings = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
    tokens = [f"word {number}" for number in range(1, 5)]
    return Document("Four words", tokens, {"X": embeddings, **drawn}, spec)


def two_heads():
    generator = np.random.default_rng(0)
    names = ("X", "W_Q", "W_K", "W_V", "W_O")
    matrices = {name: generator.normal(size=(4, 4)) for name in names}
    return Document("Heads", "abcd", matrices, Spec(n_heads=2, output_projection=True))


def color_at(view, cell):
    rect = view.heatmap.cell_rect(cell)
    place = rect.topLeft() + QPointF(rect.width() / 6, rect.height() / 6)
    return view.heatmap.grab().toImage().pixelColor(place.toPoint()).name()


def click(qtbot, view, cell):
    place = view.heatmap.cell_rect(cell).center().toPoint()
    qtbot.mouseClick(view.heatmap.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_it_opens_with_the_operation_behind_the_attention_weights(open_first, qtbot):
    view = open_first(four_words())
    assert view.view == "how"
    qtbot.waitUntil(lambda: view.page.objectName() == "step.how.page")
    assert view.page.stage.drawing.covers >= {"Q", "K", "scores", "scaled", "weights"}


def test_the_heatmap_shows_title_formula_and_numbers(open_view):
    view, _, _ = open_view(four_words())
    assert view.view == "heatmap"
    assert view.header.title.accessibleName() == "Attention weights"
    assert view.header.hint.text() == "softmax(scaled)"
    view.heatmap.grab()
    assert "0.7491" in view.heatmap.cells.texts()
    assert not view.header.head.isVisible()


@pytest.mark.parametrize("step", ["X", "W_Q", "Q", "K", "V", "scores", "output"])
def test_choosing_a_step_shows_it(open_view, step):
    view, engine, selection = open_view(four_words())
    selection.choose_step(step)
    view.heatmap.grab()
    values = engine.current.trace[step]
    assert len(view.heatmap.cells.texts()) == values.size
    assert step.lower() in view.header.title.text().lower()


def test_the_name_in_the_title_has_its_subscript(open_view):
    view, _, selection = open_view(four_words())
    free = {}
    for step in ("Q", "W_Q"):
        selection.choose_step(step)
        title = view.header.title
        title.resize(title.sizeHint())
        image = title.grab().toImage()
        ground = image.pixel(image.width() - 1, 0)
        inked = [
            x
            for x in range(image.width())
            if any(image.pixel(x, y) != ground for y in range(image.height()))
        ]
        free[step] = image.width() - 1 - inked[-1]
    # “_” takes no room, and the letter below the line less.
    assert free["Q"] < 4
    assert free["W_Q"] > 6


def test_an_edit_reaches_the_pixels(open_view):
    document = four_words()
    view, engine, _ = open_view(document)
    before = color_at(view, (0, 2))
    document.apply(SetCells("Type", "W_Q", 0, 2, np.array([[-4.0]])))
    engine.flush()
    after = color_at(view, (0, 2))
    assert after != before
    assert "0.7491" not in view.heatmap.cells.texts()


def test_an_edit_changes_the_axis_labels_when_it_changes_the_tokens(open_view):
    document = four_words()
    view, engine, _ = open_view(document)
    document.apply(Replace("Rename", tokens=("we", "are", "the", "words")))
    engine.flush()
    labels = [label.text for label in view.heatmap.columns.placed()]
    assert labels == ["we", "are", "the", "words"]


def test_a_click_selects_and_the_selection_marks(open_view, qtbot):
    view, _, selection = open_view(four_words())
    click(qtbot, view, (1, 2))
    assert (selection.step, selection.cell) == ("weights", (1, 2))
    assert "word 2, word 3" in view.heatmap.accessibleDescription()
    before = view.heatmap.grab().toImage()
    selection.choose_cell("weights", (3, 0))
    assert view.heatmap.grab().toImage() != before


def test_keys_move_the_selection_and_escape_lets_go_of_it(open_view, qtbot):
    view, _, selection = open_view(four_words())
    click(qtbot, view, (1, 2))
    qtbot.keyClick(view.heatmap, Qt.Key.Key_Down)
    assert selection.cell == (2, 2)
    qtbot.keyClick(view.heatmap, Qt.Key.Key_Escape)
    assert selection.cell is None


def test_hovering_reports_step_and_cell(open_view, qtbot):
    view, _, selection = open_view(four_words())
    said = []

    def note(*arguments):
        said.append(arguments)

    selection.hover_changed.connect(note)
    selection.choose_step("scores")
    place = view.heatmap.cell_rect((0, 1)).center().toPoint()
    qtbot.mouseMove(view.heatmap.viewport(), place)
    assert said[-1] == ("scores", (0, 1))


def test_each_head_has_its_own_masked_cells():
    spec = Spec(projected=False, given=True, mask=True)
    ones, mask = np.ones((2, 2, 1)), np.array([[[1, 0], [1, 1]], [[1, 1], [0, 1]]])
    trace = run(spec, {"Q": ones, "K": ones, "V": ones, "mask": mask > 0})
    computed = Computed(trace, Labels(("a", "b"), ("a", "b")), 0, None)
    for head in (0, 1):
        shown = DisplayedStep(computed, "masked", head, Look(), LIGHT)
        hidden = content_of(shown).matrix.hidden()
        assert hidden.tolist() == (mask[head] == 0).tolist()


def test_a_step_that_the_variant_lost_gives_way_to_the_weights(open_view):
    document = four_words(Spec(causal=True))
    view, engine, selection = open_view(document)
    selection.choose_cell("masked", (0, 1))
    document.apply(spec_edit(document, Spec(), "No mask"))
    engine.flush()
    assert (selection.step, selection.cell) == ("weights", (0, 1))
    assert view.header.title.accessibleName() == "Attention weights"


def test_a_head_and_a_cell_that_are_gone_give_way_to_the_nearest(open_view):
    document = two_heads()
    view, engine, selection = open_view(document)
    selection.choose_head(1)
    selection.choose_cell("weights", (3, 3))
    small = {"X": np.eye(2, 4)}
    document.apply(Replace("Cut", Spec(), tuple("ab"), small))
    engine.flush()
    assert (selection.head, selection.cell) == (0, (1, 1))
    assert not view.header.head.isVisible()


def test_the_head_switch_and_the_selected_head_follow_each_other(open_view, qtbot):
    view, engine, selection = open_view(two_heads())
    switch = view.header.head
    assert [switch.itemText(n) for n in range(switch.count())] == ["H0", "H1"]
    first = color_at(view, (0, 0))
    switch.setFocus()
    qtbot.keyClick(switch, Qt.Key.Key_Down)
    assert selection.head == 1
    weights = engine.current.trace["weights"][:, 0, 0]
    assert (color_at(view, (0, 0)) != first) == (abs(np.diff(weights)[0]) > 0.01)
    selection.choose_head(0)
    assert switch.currentText() == "H0"
    selection.choose_step("X")
    assert not switch.isVisible()


def test_heads_share_one_colour_scale(open_view):
    view, _, selection = open_view(two_heads())
    selection.choose_step("scores")
    ticks = view.heatmap.bar.ticks()
    selection.choose_head(1)
    assert view.heatmap.bar.ticks() == ticks


def test_the_tabs_switch_between_the_views(open_view, qtbot):
    view, _, selection = open_view(four_words())
    selection.choose_cell("weights", (0, 2))
    tabs = view.header.tabs
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(2).center())
    assert view.view == "lines"
    assert view.page_of("lines").isVisible()
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(3).center())
    assert view.view == "heads"
    assert view.heads.isVisible()
    qtbot.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(4).center())
    assert view.view == "table"
    assert view.table.isVisible()
    index = view.table.currentIndex()
    assert (index.row(), index.column()) == (0, 2)
    assert index.data() == "0.7491"
    view.set_view("heatmap")
    assert view.heatmap.isVisible()
    assert tabs.currentIndex() == 1


@pytest.mark.parametrize("name", VIEWS)
def test_the_chosen_tab_which_is_bold_takes_no_room_from_the_others(open_view, name):
    view, _, _ = open_view(four_words())
    view.set_view(name)
    QApplication.processEvents()
    assert view.header.tabs.width() >= view.header.tabs.sizeHint().width()


def test_in_a_narrow_view_the_tabs_have_a_row_of_their_own_below_the_heads(open_view):
    view, _, _ = open_view(two_heads())
    header = view.header
    view.resize(header.tabs.sizeHint().width() + 40, 500)
    QApplication.processEvents()
    assert header.tabs.width() >= header.tabs.sizeHint().width()
    assert header.head.geometry().bottom() < header.tabs.geometry().top()


def test_an_unknown_view_is_refused_with_the_known_ones(open_view):
    view, _, _ = open_view(four_words())
    wanted = rf"{', '.join(VIEWS)}\. Got 'bars'"
    with pytest.raises(ValueError, match=wanted):
        view.set_view("bars")


def test_the_hidden_table_waits_until_it_is_shown(open_view):
    document = four_words()
    view, engine, _ = open_view(document)
    assert view.table.model().rowCount() == 0
    view.set_view("table")
    view.set_view("heatmap")
    changed = []

    def note(*arguments):
        changed.append(arguments)

    view.table.model().dataChanged.connect(note)
    document.apply(SetCells("Type", "X", 0, 0, np.array([[2.0]])))
    engine.flush()
    assert changed == []
    view.set_view("table")
    assert len(changed) == 1


def test_going_to_a_cell_of_the_table_selects_it(open_view, qtbot):
    view, _, selection = open_view(four_words())
    view.set_view("table")
    selection.choose_cell("weights", (0, 0))
    qtbot.keyClick(view.table, Qt.Key.Key_Right)
    assert selection.cell == (0, 1)
    selection.choose_cell("weights", (3, 3))
    assert view.table.currentIndex().row() == 3


def test_the_dark_theme_repaints(open_view, appearance):
    view, _, _ = open_view(four_words())
    appearance.choose("dark")
    assert view.heatmap.grab().toImage().pixelColor(2, 2).name() == DARK.window


def test_names_are_where_other_parts_and_screen_readers_look_for_them(open_view):
    view, _, _ = open_view(two_heads())
    view.open_page()
    view.set_view("table")
    for name in ("step.title", "step.head", "step.tabs", "step.heatmap", "step.table"):
        widget = view.findChild(QWidget, name)
        assert widget is not None
        assert widget.accessibleName()


def test_the_first_page_comes_after_the_view_has_been_painted(open_first, qtbot):
    view = open_first(four_words())
    assert view.findChild(QWidget, "step.how.page") is None
    with qtbot.waitSignal(view.painted):
        pass
    page = view.findChild(QWidget, "step.how.page")
    assert page is view.page
    assert page.isVisible()
    assert view.findChild(QWidget, "step.heatmap") is None


def test_a_view_that_is_hidden_at_once_makes_no_page(open_first):
    view = open_first(four_words())
    view.grab()  # paints it
    view.hide()
    QApplication.processEvents()
    assert view.findChild(QWidget, "step.how.page") is None


def test_a_page_that_comes_later_shows_what_is_selected(open_view):
    early, late = open_view(four_words()), open_view(four_words())
    early[0].open_page()
    for _, _, selection in (early, late):
        selection.choose_cell("scores", (2, 1))
        selection.mark(Marked(frozenset({3}), frozenset({0})))
    late[0].open_page()
    pictures = [view.heatmap.grab().toImage() for view, _, _ in (early, late)]
    assert pictures[0] == pictures[1]
    early[2].mark(Marked())
    assert early[0].heatmap.grab().toImage() != pictures[0]


def test_nothing_keeps_a_closed_view_alive(qapp, appearance):
    workbench = Workbench(four_words())
    view = StepView(workbench, appearance)
    view.resize(600, 500)
    view.show()
    QApplication.processEvents()
    heatmap = weakref.ref(view.heatmap)
    view.hide()
    view.deleteLater()
    del view
    QApplication.sendPostedEvents(None, 52)
    QApplication.processEvents()
    gc.collect()
    assert heatmap() is None
    workbench.engine.set_document(four_words())
    workbench.close()


@pytest.mark.parametrize("hidden", ["heatmap", "difference"])
def test_what_is_marked_may_not_be_there_on_a_page_that_is_hidden(
    open_view, qtbot, hidden
):
    view, _, selection = open_view(four_words())
    selection.choose_step("Q")
    view.set_view(hidden)  # with the three columns of Q
    view.set_view("table")
    selection.choose_step("weights")
    selection.mark(Marked(frozenset([3]), frozenset([1, 3])))
    view.set_view("heatmap")
    assert view.heatmap.columns._marked == {1, 3}
    assert view.heatmap.footer.reader.facts.count == 2


def test_pages_out_of_sight_keep_no_trace_of_a_document_before(open_view):
    view, engine, _ = open_view(two_heads())
    workbench = engine.parent()
    workbench.baseline.pin()
    workbench.sensitivity.set_shown(True)
    for name in VIEWS:
        view.set_view(name)
        view.grab()
    for after in VIEWS:
        view.set_view(after)
        before = weakref.ref(engine.current.trace)
        workbench.open(two_heads())
        view.grab()
        workbench.sensitivity.on("X")  # as the tables ask beside the view
        gc.collect()
        assert before() is None, after


@pytest.mark.parametrize("clicks", [1, 2])
def test_heads_large_and_as_cards_keep_no_trace_of_before_for_each_other(
    open_view, qtbot, clicks
):
    view, engine, _ = open_view(two_heads())
    view.set_view("heads")
    heads = view.heads.heads
    heads.choices.combine("mean")
    view.grab()
    for _ in range(clicks):
        qtbot.mouseClick(heads.choices.large_button, Qt.MouseButton.LeftButton)
        view.grab()
    assert heads.large.isVisible() == (clicks == 1)
    before = weakref.ref(engine.current.trace)
    engine.parent().open(two_heads())
    view.grab()
    gc.collect()
    assert before() is None


def test_a_difference_that_is_none_any_more_keeps_no_trace_of_before(open_view):
    document = two_heads()
    view, engine, _ = open_view(document)
    workbench = engine.parent()
    workbench.baseline.pin()
    document.apply(SetCells("Type", "W_Q", 0, 2, np.array([[-4.0]])))
    engine.flush()
    view.set_view("difference")
    view.grab()
    assert view.difference.heatmap.isVisible()
    before = weakref.ref(engine.current.trace)
    workbench.open(two_heads())
    view.grab()
    assert not view.difference.heatmap.isVisible()
    gc.collect()
    assert before() is None


def test_a_page_out_of_sight_keeps_its_place_while_the_numbers_change(open_view, qtbot):
    document = four_words()
    view, engine, selection = open_view(document)
    view.set_view("heatmap")
    selection.choose_cell("weights", (1, 1))
    qtbot.keyClick(view.heatmap, Qt.Key.Key_Plus)
    sight = view.heatmap.box.sight
    view.set_view("lines")
    view.grab()
    QApplication.processEvents()  # the controls get the rows they need
    qtbot.keyClick(view.page_of("lines").picture, Qt.Key.Key_Plus)
    row = view.page_of("lines").picture.arrangement().row
    view.set_view("table")
    qtbot.keyClick(view.table, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    block = view.table.selectionModel().selection().indexes()
    assert len(block) == 2
    view.set_view("difference")
    document.apply(SetCells("Type", "W_Q", 0, 2, np.array([[-4.0]])))
    engine.flush()
    view.set_view("heatmap")
    assert view.heatmap.box.sight == sight != view.heatmap.cells.boundingRect()
    view.set_view("lines")
    assert view.page_of("lines").picture.arrangement().row == row
    view.set_view("table")
    assert view.table.selectionModel().selection().indexes() == block
    number = engine.current.trace["weights"][1, 1]
    assert block[0].data(Qt.ItemDataRole.ToolTipRole.value) == repr(float(number))
