"""The fill menus: in the Edit menu for the selection, beside titles for matrices."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QMenu, QToolButton

from attnviewer.compute import Spec
from attnviewer.document import Document, Draw, Recipe, Region, SetCells
from attnviewer.document.drawing.distributions import Integers, Normal
from attnviewer.document.drawing.draws import draw_edit
from attnviewer.document.masks import MaskPreset, mask_edit
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.inputs.fills.dialog import FillDialog
from tests.menus import action_of

# Menus ask for a raised window and the keyboard, which offscreen there are none of.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key = Qt.Key
NOTEBOOK = ["np.random.seed(42)", "W_Q = np.random.randint(3, size=(3, 3))"]


def seed_42(*names):
    return Recipe(42, tuple(Draw((3, 3), Integers(3), name) for name in names))


@pytest.fixture
def drawn(open_bench):
    """Weights of which W_Q, and nothing else, was drawn."""
    matrices = {f"W_{n}": np.full((3, 3), 9.0) for n in "QKV"}
    matrices |= {"X": np.eye(3)}
    document = Document("D", ["a", "b", "c"], matrices, Spec())
    document.apply(
        draw_edit(document, Recipe(42, ()), seed_42("W_Q").draws, "Draw W_Q")
    )
    return open_bench(document)


def button(bench, name):
    return bench.panel.findChild(QToolButton, name)


def pick(bench, menu_of, action):
    """Open the menu of a button and press Enter on one of its lines."""
    menu = button(bench, menu_of).menu()
    menu.popup(bench.window.mapToGlobal(bench.window.rect().topLeft()))
    menu.setActiveAction(bench.panel.findChild(QAction, f"action.fill.{action}"))
    QTest.keyClick(menu, Key.Key_Return)
    QApplication.processEvents()


def test_a_title_tells_the_seed_and_the_tip_the_lines_of_python(drawn):
    random = button(drawn, "random.W_Q")
    assert random.text() == "seed 42"
    assert random.toolTip() == "\n".join(["seed 42 · randint 0–2", "", *NOTEBOOK])
    assert random.accessibleName() == "Draw W_Q at random: seed 42 · randint 0–2"
    assert button(drawn, "random.W_K").text() == "random"
    assert button(drawn, "fill.W_K").accessibleName() == "Fill W_K"


def test_an_edit_and_its_undo_are_told_beside_the_title(drawn):
    drawn.enter("W_Q", 0, 1, "7")
    random = button(drawn, "random.W_Q")
    assert random.text() == "seed 42*"
    assert random.toolTip().startswith("seed 42 · randint 0–2 · edited since\n")
    drawn.edits.undo()
    assert random.text() == "seed 42"


def test_a_matrix_too_large_to_compare_does_not_claim_its_seed(drawn):
    large = Document("L", ["a"], {"X": np.ones((1, 300)), **{
        f"W_{n}": np.ones((300, 300)) for n in "QKV"
    }}, Spec())  # fmt: skip
    draws = [Draw((300, 300), Normal(), "W_Q")]
    large.apply(draw_edit(large, Recipe(42, ()), draws, "Draw"))
    drawn.edits.set_document(large)
    drawn.panel.set_document(large)
    random = button(drawn, "random.W_Q")
    assert random.text() == "seed 42?"
    assert random.toolTip().startswith(
        "seed 42 · normal 0 ± 1 · too large to check for later edits\n"
    )


def test_another_document_brings_its_own_draws(drawn):
    other = Document("O", ["a"], {"X": np.eye(1, 3), **{
        f"W_{n}": np.eye(3) for n in "QKV"
    }}, Spec())  # fmt: skip
    drawn.edits.set_document(other)
    drawn.panel.set_document(other)
    assert button(drawn, "random.W_Q").text() == "random"


def test_many_lines_are_cut_in_the_tip_but_not_in_the_clipboard(drawn):
    draws = [Draw((1, 1), Normal(), "W_Q", n // 3, n % 3) for n in range(9)] * 2
    edit = draw_edit(drawn.document, Recipe(5, ()), draws, "D")
    drawn.edits.submit(edit)
    tip = button(drawn, "random.W_Q").toolTip().splitlines()
    assert len(tip) == 2 + 12 + 1
    assert tip[-1] == "…"
    pick(drawn, "random.W_Q", "W_Q.copy")
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[:2] == ["import numpy as np", ""]
    # The first draw was wholly drawn over, nine ones by themselves not.
    assert copied[2:5] == [
        "W_Q = np.zeros((3, 3))",
        "np.random.seed(42)",
        "W_Q[0:3, 0:3] = np.random.randint(3, size=(3, 3))",
    ]
    assert copied[5] == "np.random.seed(5)"
    assert len(copied) == 6 + 18


def test_the_menu_beside_a_title_fills_the_whole_matrix(drawn):
    drawn.at("X", 1, 1)
    pick(drawn, "fill.W_K", "W_K.identity")
    assert drawn.document.matrix("W_K").tolist() == np.eye(3).tolist()
    assert drawn.edits.undoText() == "Fill W_K with the identity"
    assert drawn.edits.cursor.selection == InputSelection("W_K", Region(0, 0, 3, 3))
    drawn.edits.undo()
    assert (drawn.document.matrix("W_K") == 9).all()
    assert drawn.edits.cursor.selection == InputSelection("X", Region(1, 1, 1, 1))


def test_filling_a_drawn_matrix_takes_its_seed_away_until_undo(drawn):
    pick(drawn, "fill.W_Q", "W_Q.zeros")
    assert button(drawn, "random.W_Q").text() == "random"
    assert drawn.document.recipes == ()
    drawn.edits.undo()
    assert button(drawn, "random.W_Q").text() == "seed 42"
    pick(drawn, "fill.W_Q", "W_Q.negate")
    assert button(drawn, "random.W_Q").text() == "seed 42*"


def test_a_refused_fill_is_told_at_its_table(drawn):
    drawn.edits.submit(SetCells("Set", "X", 0, 0, np.zeros((1, 1))))
    document = drawn.document
    before = document.revision
    wide = Document("W", ["a"], {"X": np.ones((1, 3))}, Spec(projected=False))
    drawn.edits.set_document(wide)
    drawn.panel.set_document(wide)
    pick(drawn, "fill.X", "X.transpose")
    assert drawn.reason.isVisible()
    assert drawn.reason.text() == (
        "The cells must be a square to be transposed. Got 1 × 3 instead."
    )
    assert document.revision == before
    assert wide.revision == 0


def test_what_was_not_drawn_cannot_be_copied_as_python(drawn):
    QGuiApplication.clipboard().setText("mine")
    pick(drawn, "random.W_K", "W_K.copy")
    assert drawn.reason.text() == "W_K was not drawn at random."
    assert QGuiApplication.clipboard().text() == "mine"


def test_the_random_menu_opens_the_dialog_for_the_whole_matrix(drawn):
    drawn.at("X", 1, 1)
    pick(drawn, "random.W_V", "W_V.normal")
    dialog = drawn.window.findChild(FillDialog)
    assert dialog.findChild(QComboBox, "fill.what").currentText() == "Random normal"
    QTest.keyClick(dialog, Key.Key_Return)
    # NumPy's first normal numbers after np.random.seed(42).
    want = [0.4967141530112327, -0.13826430117118466, 0.6476885381006925]
    assert drawn.document.matrix("W_V")[0].tolist() == pytest.approx(want, abs=1e-15)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_the_buttons_leave_the_round_of_tab_to_the_tables(drawn):
    table = drawn.at("W_V", 2, 2)
    QTest.keyClick(table, Key.Key_Tab)
    assert drawn.elsewhere.hasFocus()


# ------------------------------------------------------------- the Edit menu


def choose(window, *mnemonics):
    """Walk the menu bar by its letters."""
    QTest.keyClick(window, Key.Key_E, Qt.KeyboardModifier.AltModifier)
    for key in mnemonics:
        QTest.keyClick(QApplication.activePopupWidget(), key)


def go(window, name, row, column):
    table = window.inputs.table(name)
    table.setFocus()
    table.setCurrentIndex(table.model().index(row, column))
    return table


def header(window):
    menu = window.findChild(QMenu, "menu.fill")
    menu.aboutToShow.emit()
    return menu.actions()[0]


def test_the_edit_menu_fills_what_is_selected_with_what_it_can_be_filled_with(window):
    check_no_matrix(window)
    check_keys(window)
    check_titles(window)
    check_recipe(window)
    window.workbench.edits.undo()
    check_selection(window)
    check_mask(window)
    check_fullest_variant(window)


def check_selection(window):
    table = go(window, "W_K", 0, 0)
    assert header(window).text() == "W_K"
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(table, Key.Key_Right, shift)
    assert header(window).text() == "W_K, row 0, columns 0–1"
    assert not header(window).isEnabled()
    window.findChild(QAction, "action.fill.ones").trigger()
    assert window.document.matrix("W_K")[0].tolist() == [1, 1, 2]
    assert window.workbench.edits.undoText() == (
        "Fill W_K, row 0, columns 0–1 with ones"
    )
    QTest.keyClick(window, Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.matrix("W_K")[0].tolist() == [2, 2, 2]


def check_no_matrix(window):
    refusal = "Select cells of a matrix first."
    assert header(window).text() == "No matrix is selected"
    for name in ("fill.zeros", "fill", "fill.copy"):
        window.reason.clear()
        window.findChild(QAction, f"action.{name}").trigger()
        assert window.reason.isVisible()
        assert window.reason.text() == refusal
    go(window, "tokens", 1, 0)
    assert header(window).text() == "No matrix is selected"
    assert window.document.revision == 0


def check_mask(window):
    edits = window.workbench.edits
    edits.submit(mask_edit(window.document, MaskPreset("block", (2,)), "Block"))
    go(window, "mask", 0, 0)
    assert header(window).text() == "mask"
    rows = window.findChild(QMenu, "menu.fill").actions()
    off = [a.objectName() for a in rows[1:] if not a.isEnabled()]
    assert off == [f"action.fill.{name}" for name in ("constant", "scale", "round")]
    window.findChild(QAction, "action.fill.negate").trigger()
    assert window.document.matrix("mask")[0].tolist() == [False, False, True, True]
    go(window, "W_K", 0, 0)
    header(window)
    assert all(action.isEnabled() for action in rows[1:])


def check_fullest_variant(window):
    for name in ("variant.3", "output_projection", "bias.all", "positions.2", "bias"):
        action_of(window, name).trigger()
    window.findChild(QAction, "action.draw_all").trigger()
    dialog = window.findChildren(FillDialog)[-1]
    assert dialog.findChild(QCheckBox, "fill.into.11") is not None
    assert dialog.height() <= 560
    dialog.reject()


def check_keys(window):
    go(window, "W_Q", 1, 1)
    choose(window, Key.Key_F, Key.Key_F)
    dialog = window.findChild(FillDialog)
    assert dialog.isVisible()
    QTest.keyClick(dialog, Key.Key_Escape)
    assert not dialog.isVisible()
    assert window.document.revision == 0


def check_recipe(window):
    go(window, "W_V", 0, 0)
    random = window.findChild(QToolButton, "random.W_V")
    (recipe,) = window.document.recipes
    assert random.text() == "seed 42"
    window.findChild(QAction, "action.fill.zeros").trigger()
    assert [draw.matrix for draw in window.document.recipes[0].draws] == [
        "W_Q",
        "W_K",
        None,
    ]
    assert random.text() == "random"
    window.workbench.edits.undo()
    assert window.document.recipes == (recipe,)
    assert not window.isWindowModified()
    window.workbench.edits.redo()
    assert random.text() == "random"


def check_titles(window):
    for name in ("X", "W_Q", "W_K", "W_V"):
        table = go(window, name, 0, 0)
        for kind in ("fill", "random"):
            one = window.findChild(QToolButton, f"{kind}.{name}")
            right = one.mapTo(window.inputs, one.rect().topRight()).x()
            assert right < window.inputs.width()
            assert one.width() >= one.sizeHint().width()
        assert table.isVisible()
