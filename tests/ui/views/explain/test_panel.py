"""The Explain dock: what it writes, and where its links lead."""

import gc
import math
import re
import weakref

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from attnviewer.compute import (
    Cell,
    Difference,
    Exponential,
    Formula,
    HyperbolicTangent,
    Number,
    Power,
    Product,
    Quotient,
    Spec,
    SquareRoot,
    Sum,
)
from attnviewer.compute.notation import plain_text, write
from attnviewer.document import Document, Replace, SetCells
from attnviewer.ui.paint.formulas.formula_lines import formula_lines
from attnviewer.ui.paint.math import atoms, spoken, typeset_symbols, whole
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.state.selection import SelectionModel
from attnviewer.ui.state.sensitivity import Sensitivity
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.explain import ExplainPanel
from attnviewer.ui.views.explain.row_summary import RowSummary
from attnviewer.ui.views.explain.tree import DerivationTree
from attnviewer.ui.widgets import link_box
from attnviewer.ui.widgets.link_box import LinkBox
from tests.documents import four_words
from tests.ui.turns import follow_picture
from tests.ui.views.explain.tree_rows import rows_of

TERMS = "button.explain.all_terms"


def simplified(tokens, x, **spec) -> Document:
    return Document("Simplified", tokens, {"X": x}, Spec(projected=False, **spec))


@pytest.fixture
def selection():
    return SelectionModel()


@pytest.fixture
def open_panel(qtbot, appearance, selection, make_edits):
    """Show a document's panel; its engine is closed after the test."""
    kept = []

    def show(document: Document, width: int = 300) -> ExplainPanel:
        engine = Engine(document)
        # Qt's offscreen platform warns of windows that have a smallest size.
        window = QWidget()
        edits = make_edits(document, window)
        sensitivity = Sensitivity(engine, selection, window)
        panel = ExplainPanel(engine, selection, edits, sensitivity, appearance, window)
        kept.append((engine, window))
        qtbot.addWidget(window)
        window.resize(width, 700)
        panel.resize(window.size())
        with qtbot.waitExposed(window):
            window.show()
        return panel

    yield show
    for engine, _window in kept:
        engine.close()


def test_bars_show_what_would_change_a_cell_where_they_have_room(open_panel, selection):
    panel = open_panel(four_words(), width=900)
    selection.choose_cell("weights", (0, 2))
    box = label(panel, "influence")
    gradients = np.array([0.868, -0.562, 0.271, 0.220, 0.217, 0.217])
    axis = box.bars[0].left()
    lengths = [bar.width() if bar.left() >= axis else -bar.width() for bar in box.bars]
    shares = np.array(lengths) / lengths[0]
    np.testing.assert_allclose(shares, gradients / 0.868, atol=2e-3)
    for bar, place in zip(box.bars, box.link_places(), strict=True):
        assert place.top() < bar.top() < bar.bottom() < place.bottom()
        assert bar.right() < box.contentsRect().right()
    picture = box.grab().toImage()
    for bar, color in zip(box.bars[:2], (LIGHT.positive, LIGHT.negative), strict=True):
        assert picture.pixelColor(bar.center().toPoint()).name() == color
    panel.resize(200, 700)
    QApplication.processEvents()
    assert not box.bars


def test_a_largest_weight_of_the_row_leads_to_its_cell(open_panel, selection):
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    box = label(panel, "row")
    assert box.link_texts == ["word 3", "word 1", "word 2"]
    box.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(box, Qt.Key.Key_Tab)
    QTest.keyClick(box, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert selection.cell == (0, 0)


def test_short_names_of_the_row_are_not_broken_over_lines():
    top = ("word 2", None, "0.007"), ("a token of several words", None, "0.1")
    *_, line = RowSummary("word 1", (), "", top).lines(LIGHT)
    written = [atom.text for atom in atoms(whole(line))]
    assert "word 2" in written
    assert "several" in written


def test_gradients_that_have_no_value_are_not_called_zero(open_panel, selection):
    # The score is 1e200 · 1e200, beyond the largest number: ∞ / ∞ has no gradient.
    spec = Spec(projected=False, scale=1.0, normalizer="sum")
    panel = open_panel(Document("Large", ["a", "b"], {"X": [[1e200], [1.0]]}, spec))
    selection.choose_cell("weights", (0, 1))
    assert label(panel, "influence").text().startswith("It has no gradient: NaN or ∞")
    selection.choose_cell("output", (1, 0))
    assert "no gradient" not in label(panel, "influence").text()


def label(panel: ExplainPanel, name: str) -> QLabel:
    found = panel.findChild(QLabel, f"explain.{name}")
    assert found is not None
    return found


def read(panel: ExplainPanel, name: str) -> list[str]:
    """Return the lines of a box as a person reads them; none if it is hidden."""
    box = label(panel, name)
    if not box.isVisible():
        return []
    return box.text().split("\n")


def tree(panel: ExplainPanel) -> DerivationTree:
    found = panel.findChild(DerivationTree, "explain.tree")
    assert found is not None
    return found


def rows(panel: ExplainPanel) -> list[str]:
    """Return the rows of the tree that are seen, further in where they lie below."""
    return rows_of(tree(panel))


def place_of_link(qtbot, box: LinkBox, cell: Cell) -> QPoint:
    """Find a link as a person does: by moving the pointer until it is a hand."""
    for y in range(8, box.height(), 4):
        for x in range(8, box.width(), 3):
            qtbot.mouseMove(box, QPoint(x, y))
            here = box.cursor().shape() == Qt.CursorShape.PointingHandCursor
            if here and cell_at(box, x, y) == cell:
                return QPoint(x + 1, y)
    raise AssertionError(f"no link to {cell} in {box.objectName()}")


def cell_at(box: LinkBox, x: int, y: int) -> Cell | None:
    for link, place in zip(box.links(), box.link_places(), strict=True):
        if place.adjusted(-2, -2, 2, 2).contains(x, y):
            return link.cell
    return None


def linked(panel: ExplainPanel, name: str) -> list[Cell]:
    return [link.cell for link in label(panel, name).links()]


# The numbers of the four words, worked out by hand.


def test_a_weight_is_its_exponential_over_those_of_its_row(open_panel, selection):
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    assert read(panel, "cell") == ["weights[word 1, word 3]"]
    assert read(panel, "formula") == [
        "weightsᵢⱼ = e^(sᵢⱼ − mᵢ) / Σₖ e^(sᵢₖ − mᵢ)"
        " = e^(5.77 − mᵢ) / (e^(4.62 − mᵢ) + e^(1.15 − mᵢ) + e^(5.77 − mᵢ) "
        "+ e^(1.15 − mᵢ)) = 1 / (0.315 + 0.010 + 1 + 0.010) = 0.7491",
        "mᵢ: largest score of the row, 5.7735",
    ]


def test_a_score_is_the_dot_product_of_its_query_and_its_key(open_panel, selection):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    assert read(panel, "formula") == [
        "scoresᵢⱼ = Qᵢ·Kⱼ = 2·2 + 0·4 + 2·3 = 4 + 0 + 6 = 10"
    ]


def test_a_scaled_score_is_divided_by_the_root_of_d_k(open_panel, selection):
    selection.choose_cell("scaled", (0, 2))
    panel = open_panel(four_words())
    assert read(panel, "formula") == ["scaledᵢⱼ = scoresᵢⱼ / √dₖ = 10 / √3 = 5.7735"]


def test_a_query_points_to_the_embedding_and_the_weights_that_are_given(
    open_panel, selection
):
    selection.choose_cell("Q", (0, 0))
    panel = open_panel(four_words())
    (line,) = read(panel, "formula")
    assert line.endswith("column j = 1·2 + 0·2 + 0·2 = 2 + 0 + 0 = 2")
    assert rows(panel) == [
        "X[word 1, 0] = 1",
        "W_Q[0, 0] = 2",
        "X[word 1, 1] = 0",
        "W_Q[1, 0] = 2",
        "X[word 1, 2] = 0",
        "W_Q[2, 0] = 2",
    ]


def test_the_numbers_behind_a_weight_are_worked_out_below_it(open_panel, selection):
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    assert rows(panel) == [
        "scaled[word 1, word 3] = 10 / √3 = 5.7735",
        "  scores[word 1, word 3] = 2·2 + 0·4 + 2·3 = 10",
        "scaled[word 1, word 1] = 8 / √3 = 4.6188",
        "scaled[word 1, word 2] = 2 / √3 = 1.1547",
        "scaled[word 1, word 4] = 2 / √3 = 1.1547",
    ]


def test_the_row_of_a_weight_is_summed_up(open_panel, selection):
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    assert read(panel, "row.title") == ["Row “word 1”"]
    # −Σ w log₂ w of 0.2361, 0.0074, 0.7491, 0.0074 is 0.909; 2^0.909 is 1.88.
    assert read(panel, "row") == [
        "sum 1.0000",
        "entropy 0.91 bit",
        "effective keys 1.9 of 4",
        "largest: word 3 0.749, word 1 0.236, word 2 0.007",
    ]


def test_what_stands_out_in_a_row_is_said_in_words(open_panel, selection):
    selection.choose_cell("weights", (1, 0))
    # Equal scores: query 1 spreads evenly over the keys that it may see, 0 and 1.
    panel = open_panel(simplified(["a", "b", "c"], np.ones((3, 2)), causal=True))
    assert read(panel, "row") == [
        "sum 1.0000",
        "entropy 1.00 bit",
        "effective keys 2.0 of 2",
        "Nearly uniform: it spreads over 2.0 of 2 visible keys.",
        "largest: a 0.500, b 0.500",
    ]


def test_a_row_that_adds_up_to_less_is_told_by_its_shares(open_panel, selection):
    selection.choose_cell("weights", (0, 0))
    # Sigmoid of 0 − log 2 is 1/3 for both keys: a sum of 2/3, shared evenly by two.
    document = simplified(["a", "b"], [[0.0], [0.0]], normalizer="sigmoid")
    assert read(open_panel(document), "row")[:4] == [
        "sum 0.6667",
        "entropy 1.00 bit",
        "effective keys 2.0 of 2",
        "Nearly uniform: it spreads over 2.0 of 2 visible keys.",
    ]


def test_a_row_of_scores_names_its_largest_and_has_no_entropy(open_panel, selection):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    assert read(panel, "row") == ["largest: word 3 10, word 1 8, word 2 2"]


def test_a_row_with_plus_infinity_says_how_it_is_normalised(open_panel, selection):
    selection.choose_cell("weights", (0, 1))
    panel = open_panel(simplified(["a", "b"], [[1e200, 0.0], [1.0, 2.0]]))
    assert read(panel, "row")[3].endswith(
        "A score of +∞: the keys that have it share all weight equally, where NumPy's "
        "exp(s − max) would give NaN."
    )
    selection.choose_cell("weights", (1, 1))
    assert "+∞" not in " ".join(read(panel, "row"))
    selection.choose_cell("scores", (0, 1))
    assert read(panel, "row") == ["largest: a ∞, b 1.00·10^200"]


def test_features_have_no_row_statistics(open_panel, selection):
    selection.choose_cell("output", (0, 0))
    panel = open_panel(four_words())
    assert read(panel, "row") == []
    assert read(panel, "row.title") == []


def test_a_given_number_says_where_it_is_edited(open_panel, selection):
    selection.choose_cell("X", (2, 1))
    panel = open_panel(four_words())
    assert read(panel, "formula") == [
        "X[word 3, 1] = 1",
        "input: edit it in the table on the left",
    ]
    assert read(panel, "sources") == []


def test_a_masked_score_says_why(open_panel, selection):
    selection.choose_cell("masked", (0, 1))
    panel = open_panel(four_words(causal=True))
    assert read(panel, "formula") == [
        "maskedᵢⱼ = −∞",
        "Masked: the key comes after the query.",
    ]


def test_a_number_taken_over_as_it_is_stands_there_once(open_panel, selection):
    selection.choose_cell("masked", (2, 0))
    panel = open_panel(four_words(causal=True))
    # scores[2, 0] = [4 0 2] · [2 2 2] = 12; 12 / √3 = 6.9282.
    assert read(panel, "formula") == ["maskedᵢⱼ = scaledᵢⱼ = 6.9282"]
    assert linked(panel, "formula") == [Cell("scaled", (2, 0))]


def test_without_a_selected_cell_there_is_a_hint(open_panel):
    panel = open_panel(four_words())
    assert read(panel, "formula") == [
        "Select a cell to see where its number comes from."
    ]
    assert rows(panel) == []
    assert read(panel, "row") == []
    said = []
    panel.notified.connect(said.append)
    for action in panel.commands.copying:
        action.trigger()
    assert said == 2 * read(panel, "formula")


def test_tab_visits_a_section_that_is_added_where_it_stands(open_panel, selection):
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    section = QWidget()
    button = QPushButton("More", section)
    panel.add_section(section)
    section.show()
    panel.findChild(QCheckBox, "explain.effect").setFocus()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert button.hasFocus()
    QTest.keyClick(button, Qt.Key.Key_Tab)
    assert QApplication.focusWidget().objectName() == "explain.row"


@pytest.mark.parametrize(
    ("step", "cell"), [("masked", (0, 0)), ("weights", (3, 9)), ("weights", (4, 0))]
)
def test_a_cell_that_is_not_there_gives_the_hint(open_panel, selection, step, cell):
    selection.choose_cell(step, cell)
    panel = open_panel(four_words())
    assert read(panel, "formula")[0].startswith("Select a cell")


def test_an_edit_is_followed(open_panel, selection):
    document = four_words()
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(document)
    document.apply(SetCells("Edit", "W_Q", 0, 0, np.array([[3.0]])))
    panel._engine.flush()
    follow_picture()
    # q₀ becomes [3 0 2].
    (line,) = read(panel, "formula")
    assert line.endswith(" = 3·2 + 0·4 + 2·3 = 6 + 0 + 6 = 12")


def test_the_shown_head_is_explained_and_named(open_panel, selection):
    matrices = {name: np.eye(4) * k for k, name in enumerate(("W_Q", "W_K", "W_V"), 1)}
    document = Document("Heads", ["a", "b"], {"X": np.ones((2, 4))} | matrices)
    document.apply(Replace("Heads", spec=Spec(n_heads=2)))
    selection.choose_head(1)
    selection.choose_cell("scores", (0, 1))
    panel = open_panel(document)
    assert read(panel, "cell") == ["scores H1[a, b]"]
    assert Cell("Q", (1, 0, 0)) in linked(panel, "formula")
    selection.choose_head(0)
    assert read(panel, "cell") == ["scores H0[a, b]"]


# Links


def test_a_click_on_a_number_selects_its_cell_and_opens_its_step(
    qtbot, open_panel, selection
):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    box = label(panel, "formula")
    place = place_of_link(qtbot, box, Cell("K", (2, 1)))
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: selection.step == "K")
    assert selection.cell == (2, 1)
    assert read(panel, "cell") == ["K[word 3, 1]"]


def test_links_are_followed_with_tab_and_return(qtbot, open_panel, selection):
    selection.choose_cell("scaled", (0, 2))
    panel = open_panel(four_words())
    panel.window().activateWindow()
    box = label(panel, "formula")
    box.setFocus(Qt.FocusReason.OtherFocusReason)
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: selection.step == "scores")
    assert selection.cell == (0, 2)


def test_a_link_to_another_head_shows_that_head(qtbot, open_panel, selection):
    matrices = {name: np.eye(4) for name in ("W_Q", "W_K", "W_V", "W_O")}
    document = Document(
        "Heads",
        ["a", "b"],
        {"X": np.ones((2, 4))} | matrices,
        Spec(n_heads=2, output_projection=True),
    )
    # Column 3 of the heads side by side is column 1 of head 1.
    selection.choose_cell("concatenated", (0, 3))
    panel = open_panel(document)
    box = label(panel, "formula")
    place = place_of_link(qtbot, box, Cell("heads", (1, 0, 1)))
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: selection.step == "heads")
    assert (selection.head, selection.cell) == (1, (0, 1))


def test_all_numbers_with_a_cell_are_links_and_no_others(open_panel, selection):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    assert linked(panel, "formula") == [
        Cell(step, (row, k)) for k in range(3) for step, row in (("Q", 0), ("K", 2))
    ]


def test_a_long_sum_shows_its_largest_terms_and_all_of_them_on_demand(
    open_panel, selection
):
    selection.choose_cell("scores", (0, 0))
    # The square of (1, …, 6) is 91; its largest three terms are 16, 25 and 36.
    x = np.arange(1.0, 7.0)[np.newaxis]
    panel = open_panel(simplified(["a"], x))
    action, button = panel.commands.all_terms, panel.findChild(QToolButton, TERMS)
    assert button.isVisible()
    (line,) = read(panel, "formula")
    assert "= 4·4 + 5·5 + 6·6 + 3 more = 14 = 16 + 25 + 36 + 3 more = 14 = 91" in line
    assert len(linked(panel, "formula")) == 6
    assert len(rows(panel)) == 6
    action.trigger()
    (line,) = read(panel, "formula")
    assert "= 1·1 + 2·2 + 3·3 + 4·4 + 5·5 + 6·6 =" in line
    assert "more" not in line
    action.trigger()
    selection.choose_cell("X", (0, 0))
    assert not button.isVisible()


def test_one_more_term_is_written_rather_than_told_of(open_panel, selection):
    selection.choose_cell("scores", (0, 0))
    panel = open_panel(simplified(["a"], np.arange(1.0, 5.0)[np.newaxis]))
    assert "= 1·1 + 2·2 + 3·3 + 4·4 =" in read(panel, "formula")[0]
    assert not panel.findChild(QToolButton, TERMS).isVisible()


def test_tab_visits_every_link_and_then_leaves(qtbot, open_panel, selection):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    panel.window().activateWindow()
    box = label(panel, "formula")
    box.clearFocus()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(5):
        qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert box.hasFocus()  # on the last of six
    qtbot.keyClick(box, Qt.Key.Key_Backtab)
    followed = []
    box.followed.connect(followed.append)
    qtbot.keyClick(box, Qt.Key.Key_Return)
    assert followed == [Cell("Q", (0, 2))]
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert box.hasFocus()
    qtbot.keyClick(box, Qt.Key.Key_Tab)
    assert not box.hasFocus()


@pytest.mark.parametrize("token", ["😀", "👩‍👩‍👧", "猫😀", "𝒳"])
def test_a_token_beyond_the_basic_plane_is_clicked_where_it_stands(
    open_panel, selection, token
):
    # The value that follows the name is no part of its link.
    selection.choose_cell("weights", (0, 1))
    panel = open_panel(simplified(["a", token], [[1.0, 0.0], [0.0, 1.0]]))
    view = tree(panel)
    index = view.model().index(0, 0)
    assert index.data().startswith(f"scaled[a, {token}] = ")
    place, delegate = view.visualRect(index), view.itemDelegate()
    hit = [
        delegate.cell_at(index, place, x, place.center().y())
        for x in range(place.left(), place.right())
    ]
    own, score = Cell("scaled", (0, 1)), Cell("scores", (0, 1))
    found = [cell for cell in dict.fromkeys(hit) if cell is not None]
    assert found[0] == own
    (name, *_) = delegate._laid_out(index).links
    assert name.cell == own
    metrics = QFontMetricsF(view.font())
    assert name.places[0].width() == pytest.approx(
        metrics.horizontalAdvance(f"scaled[a, {token}]"), rel=0.05
    )
    assert hit.count(own) == pytest.approx(name.places[0].width(), abs=8)
    assert set(found) <= {own, score}


def test_the_first_layout_is_that_of_the_real_width(open_panel, selection, monkeypatch):
    rooms = []
    lay_out_line = link_box.lay_out_line

    def watched(node, faces, room):
        rooms.append(room)
        return lay_out_line(node, faces, room)

    monkeypatch.setattr(link_box, "lay_out_line", watched)
    selection.choose_cell("weights", (0, 2))
    panel = open_panel(four_words())
    box = label(panel, "influence")
    before = box.height(), box.grab().toImage()
    for _ in range(20):
        QApplication.processEvents()
    assert (box.height(), box.grab().toImage()) == before
    inside = box.contentsRect().width() - 2 * box.margin()
    assert rooms[-1] == inside


# Tokens, colours, room

NASTY = '<script>&"'


def test_tokens_that_look_like_markup_appear_as_they_are(open_panel, selection):
    selection.choose_cell("weights", (0, 1))
    panel = open_panel(simplified([NASTY, "&amp;"], [[1.0, 0.0], [0.0, 1.0]]))
    assert read(panel, "cell") == [f"weights[{NASTY}, &amp;]"]
    assert rows(panel)[0].startswith(f"scaled[{NASTY}, &amp;] = ")
    assert read(panel, "row.title") == [f"Row “{NASTY}”"]
    assert f" {NASTY} 0." in read(panel, "row")[-1]
    assert NASTY in label(panel, "formula").accessibleDescription()


def colors(*lines) -> dict[str, str]:
    return {atom.text: atom.color for line in lines for atom in atoms(whole(line))}


def test_q_k_and_v_have_their_colours_in_symbols_and_numbers():
    found = colors(typeset_symbols("Qᵢ · Kⱼ · W_V", LIGHT))
    assert (found["Q"], found["K"]) == (LIGHT.query, LIGHT.key)
    assert (found["W"], found["V"]) == (LIGHT.value, LIGHT.value)
    product = Product(Number(2.0, Cell("Q", (0, 0))), Number(3.0, Cell("V", (0, 0))))
    formula = Formula(Cell("scores", (0, 0)), 6.0, "Qᵢ · Kⱼ", (product,))
    found = colors(*formula_lines(formula, [product], DARK))
    assert (found["2"], found["3"]) == (DARK.query, DARK.value)


def test_letters_inside_words_are_not_coloured():
    assert not any(colors(typeset_symbols("KEYS and QKV_x", LIGHT)).values())


def test_a_number_of_a_formula_keeps_its_sign_and_notes_their_words():
    formula = Formula(Cell("s", (0, 0)), 1.0, "a < b", (), "if a < b & c")
    lines = map(whole, formula_lines(formula, [], LIGHT))
    assert list(map(spoken, lines)) == ["sᵢⱼ = a < b = 1", "if a < b & c"]


def test_another_theme_recolours_the_formula(open_panel, selection, appearance):
    def color_of_q():
        (line, *_) = label(panel, "formula").lines
        return colors(line)["Q"]

    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    assert color_of_q() == LIGHT.query
    appearance.choose("dark")
    assert color_of_q() == DARK.query


@pytest.mark.parametrize("step", ["weights", "output", "scores"])
def test_nothing_is_cut_off_in_a_narrow_dock(open_panel, selection, step):
    rng = np.random.default_rng(3)
    tokens = ["anextraordinarilylongtokenwithoutanyblank"] * 40
    document = simplified(tokens, 100 * rng.normal(size=(40, 30)))
    selection.choose_cell(step, (39, 3))
    panel = open_panel(document, width=280)
    scroll = panel.findChild(QScrollArea)
    assert scroll.widget().width() == scroll.viewport().width()
    assert scroll.widget().minimumSizeHint().width() <= scroll.viewport().width()


def test_the_boxes_tell_a_screen_reader_their_formula(open_panel, selection):
    selection.choose_cell("scores", (0, 2))
    panel = open_panel(four_words())
    box = label(panel, "formula")
    assert box.accessibleName()
    assert box.accessibleDescription() == (
        "scores[word 1, word 3] = 2·2 + 0·4 + 2·3 = 4 + 0 + 6 = 10"
    )
    assert panel.accessibleName() == "Explain"


def test_only_the_tokens_that_are_named_are_made_fit_for_it(
    open_panel, selection, monkeypatch
):
    asked = []

    def count(token):
        asked.append(token)
        return token

    derivation = "attnviewer.ui.views.explain.derivation.derivation_of"
    monkeypatch.setattr(f"{derivation}.__defaults__", (count,))
    selection.choose_cell("weights", (3, 5))
    tokens = [f"t{number}" for number in range(300)]
    x = np.random.default_rng(0).normal(size=(300, 2))
    panel = open_panel(simplified(tokens, x))
    assert read(panel, "cell") == ["weights[t3, t5]"]
    assert set(asked) < set(tokens)
    assert len(asked) < 50


@pytest.mark.parametrize(
    ("token", "shown"),
    [("cat", "cat"), ("", "“”"), (" ", "“ ”"), ("\n", "⏎"), ("x" * 40, "x" * 17 + "…")],
)
def test_tokens_fit_into_running_text(token, shown):
    assert token_label(token) == shown


# Writing expressions


def n(value, cell=None):
    return Number(float(value), cell)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (n(-3), "−3"),
        (Product(n(2), n(-3)), "2·(−3)"),
        (Product(n(-2), n(3)), "−2·3"),
        (Sum((Product(n(1), n(2)), Product(n(-2), n(3)))), "1·2 + (−2)·3"),
        (Sum((n(4), n(-6), n(0.5))), "4 − 6 + 0.500"),
        (Sum((n(4), n(-6, Cell("X", (0, 0))))), "4 + (−6)"),
        (Sum((n(1), n(2)), 52, 0.31), "1 + 2 + 52 more = 0.310"),
        (Sum((), 3, -2.0), "3 more = −2"),
        (Sum(()), "0"),
        (Sum((n(-5),)), "−5"),
        (Product(n(2), Sum((n(-5),))), "2·(−5)"),
        (Quotient(n(10), SquareRoot(n(3))), "10 / √3"),
        (Quotient(n(1), Sum((n(1), n(2)))), "1 / (1 + 2)"),
        (Quotient(n(1), Product(n(2), n(3))), "1 / (2·3)"),
        (Quotient(Product(n(2), n(3)), n(4)), "2·3 / 4"),
        (Product(Quotient(n(1), n(2)), n(3)), "(1 / 2)·3"),
        (Quotient(Quotient(n(1), n(2)), n(3)), "(1 / 2) / 3"),
        (Difference(n(1), Difference(n(2), n(3))), "1 − (2 − 3)"),
        (Difference(n(1), n(-2)), "1 − (−2)"),
        (Exponential(Difference(n(5.7735), n(5.7735))), "e^(5.77 − 5.77)"),
        (Exponential(n(2)), "e^2"),
        (Exponential(n(-2)), "e^(−2)"),
        (Exponential(n(-math.inf)), "e^(−∞)"),
        (Exponential(n(2e-9)), "e^(2.00e−9)"),
        (SquareRoot(Sum((n(1), n(2)))), "√(1 + 2)"),
        (Exponential(Exponential(n(1))), "e^(e^1)"),
        (Power(n(3), n(2)), "3²"),
        (Power(n(3), n(10)), "3¹⁰"),
        (Power(n(3), Sum((n(2),))), "3²"),
        (Power(n(3), n(2, Cell("X", (0, 0)))), "3^2"),
        (Power(n(3), n(0.5)), "3^0.500"),
        (Power(n(3), n(-1)), "3^(−1)"),
        (Power(n(3), n(math.inf)), "3^(∞)"),
        (Power(n(3), Quotient(n(1), n(2))), "3^(1 / 2)"),
        (Power(n(3), Power(n(2), n(2))), "3^(2²)"),
        (Power(n(-3), n(2)), "(−3)²"),
        (Power(Sum((n(-3),)), n(2)), "(−3)²"),
        (Power(n(2e-9), n(2)), "(2.00e−9)²"),
        (Power(Power(n(3), n(2)), n(2)), "(3²)²"),
        (Power(Exponential(n(3)), n(2)), "(e^3)²"),
        (Power(SquareRoot(n(3)), n(2)), "(√3)²"),
        (Power(Product(n(2), n(3)), n(2)), "(2·3)²"),
        (Power(Difference(Quotient(n(3), n(2)), n(1)), n(2)), "(3 / 2 − 1)²"),
        (SquareRoot(Power(n(3), n(2))), "√(3²)"),
        (Exponential(Power(n(3), n(2))), "e^(3²)"),
        (Product(n(2), Power(n(-3), n(2))), "2·(−3)²"),
        (Quotient(n(1), Power(n(3), n(0.5))), "1 / 3^0.500"),
        (HyperbolicTangent(n(2)), "tanh(2)"),
        (HyperbolicTangent(n(-2)), "tanh(−2)"),
        (HyperbolicTangent(Difference(n(1), n(2))), "tanh(1 − 2)"),
        (HyperbolicTangent(HyperbolicTangent(n(1))), "tanh(tanh(1))"),
        (Power(HyperbolicTangent(n(1)), n(2)), "tanh(1)²"),
        (
            Product(n(50), HyperbolicTangent(Quotient(n(10), n(50)))),
            "50·tanh(10 / 50)",
        ),
    ],
)
def test_expressions_have_the_parentheses_they_need(expression, text):
    assert plain_text(write(expression)) == text


def test_numbers_in_a_power_and_in_a_tanh_lead_to_their_cells():
    base, exponent = n(3, Cell("X", (0, 0))), n(2, Cell("X", (0, 1)))
    pieces = write(Product(Power(base, exponent), HyperbolicTangent(base)))
    linked = [(piece.text, piece.cell) for piece in pieces if piece.cell]
    assert linked == [("3", base.cell), ("2", exponent.cell), ("3", base.cell)]


def read_back(text: str) -> float:
    """Evaluate a written expression; only signs that `write` uses are known."""
    text = text.replace("−", "-").replace("·", "*")
    text = re.sub(r"\d+ more = (-?[\d.]+)", r"(\1)", text)
    # Towers are read from the right, and a bare root as far as it can reach: what
    # needs parentheses against that has another value without them.
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda m: f"**{int(superscript(m[0]))}", text)
    text = text.replace("^", "**")
    text = re.sub(r"√([\d.]+(?:\*\*[\d.]+)*)", r"sqrt(\1)", text).replace("√", "sqrt")
    assert re.fullmatch(r"(?:e\*\*|tanh|sqrt|[-+*/(). \d])*", text), text
    known = {"e": math.e, "sqrt": math.sqrt, "tanh": math.tanh}
    return float(eval(text, known))


def superscript(text: str) -> str:
    return "".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(sign)) for sign in text)


def parts_of(expression):
    names = getattr(expression, "__dataclass_fields__", {})
    for name in names:
        part = getattr(expression, name)
        for child in part if isinstance(part, tuple) else (part,):
            if hasattr(child, "evaluate"):
                yield child
                yield from parts_of(child)


numbers = st.builds(
    Number,
    st.integers(-36, 36).map(lambda k: k / 4),
    st.sampled_from([None, Cell("Q", (0, 1))]),
)


def compounds(inner):
    few = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Sum, few),
        st.builds(Sum, few, st.integers(1, 99), st.sampled_from([-2.0, 0.5, 3.0])),
        st.builds(Difference, inner, inner),
        st.builds(Product, inner, inner),
        st.builds(Quotient, inner, inner),
        st.builds(Exponential, inner),
        st.builds(SquareRoot, inner),
        st.builds(Power, inner, st.sampled_from([n(0), n(2), n(3)]) | inner),
        st.builds(HyperbolicTangent, inner),
    )


# Built level by level: st.recursive seldom nests as deep as parentheses matter.
level_1 = compounds(numbers)
level_2 = compounds(numbers | level_1)


@settings(max_examples=400)
@given(level_2 | compounds(level_1 | level_2))
def test_what_is_written_has_the_value_of_the_expression(expression):
    try:
        values = [e.evaluate() for e in (expression, *parts_of(expression))]
    except (OverflowError, ValueError, ZeroDivisionError):
        values = [math.nan]
    assume(all(v == 0 or 1e-4 < abs(v) < 1e6 for v in values))
    written = read_back(plain_text(write(expression)))
    assert written == pytest.approx(values[0], rel=1e-6, abs=1e-6)


def test_a_hidden_panel_keeps_no_trace_of_a_document_before(open_panel, selection):
    selection.choose_cell("weights", (0, 0))
    panel = open_panel(four_words())
    engine, sensitivity = panel._engine, panel.window().findChild(Sensitivity)
    sensitivity.set_shown(True)
    before = weakref.ref(engine.current.trace)
    panel.hide()
    engine.set_document(four_words())
    sensitivity.on("X")  # as the tables ask beside the panel
    gc.collect()
    assert before() is None
