"""Numbers that open down to the inputs, with the keys and the mouse."""

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from attnviewer.compute import Cell, Spec, run
from attnviewer.document import Derivation, Labels, Replace, SetCells
from attnviewer.document.sequences import insert_tokens
from attnviewer.io import load
from attnviewer.ui.views.explain.tree import DerivationTree
from attnviewer.ui.views.explain.tree.model import DerivationModel
from attnviewer.ui.views.flow.card import FlowCard
from tests.documents import FOUR_WORDS
from tests.ui.turns import follow_picture
from tests.ui.views.explain.tree_rows import rows_of

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier

WEIGHT = [
    "scaled[word 1, word 3] = 10 / √3 = 5.7735",
    "  scores[word 1, word 3] = 2·2 + 0·4 + 2·3 = 10",
    "scaled[word 1, word 1] = 8 / √3 = 4.6188",
    "scaled[word 1, word 2] = 2 / √3 = 1.1547",
    "scaled[word 1, word 4] = 2 / √3 = 1.1547",
]


def tree_of(window) -> DerivationTree:
    found = window.findChild(DerivationTree, "explain.tree")
    assert found is not None
    return found


def rows(window) -> list[str]:
    return rows_of(tree_of(window))


def current(window) -> str:
    return tree_of(window).currentIndex().data()


def press(window, *keys) -> None:
    for key in keys:
        QTest.keyClick(tree_of(window), key)


def restart(window) -> None:
    """Open the four words anew, with the keys in the tree's first row."""
    window.workbench.open(load("example:four-words"))
    window.workbench.selection.choose_cell("weights", (0, 2))
    QApplication.processEvents()
    tree_of(window).setFocus(Qt.FocusReason.TabFocusReason)
    # Rows stay open: that of the scores is closed again.
    press(window, Key.Key_Home, Key.Key_Down, Key.Key_Left, Key.Key_Home)


def do(window, name) -> None:
    window.findChild(QAction, f"action.explain.{name}").trigger()


def test_rows_open_down_to_the_inputs_by_keys_and_are_copied(window, qtbot):
    tree_of(window).setFocus(Qt.FocusReason.TabFocusReason)
    check_arrow_keys(window)
    restart(window)
    check_arrows_of_rows(window)
    restart(window)
    check_edit(window)
    restart(window)
    check_height_and_open_rows(window, qtbot)
    restart(window)
    check_copies(window)


def test_a_number_is_followed_by_clicks_and_keys_back_and_forward(window, qtbot):
    tree_of(window).setFocus(Qt.FocusReason.TabFocusReason)
    check_enter_and_brackets(window, qtbot)
    QTest.keyClick(tree_of(window), Key.Key_BracketLeft, CONTROL)
    press(window, Key.Key_Home)
    check_back_and_forward(window, qtbot)
    restart(window)
    check_back_after_edits(window)
    restart(window)
    check_click_and_letters(window, qtbot)
    check_narrower_rows_are_never_lower(window)


def test_inputs_tell_their_origin_and_what_they_move_with_links_to_their_tables(
    window, qtbot
):
    check_influence(window, qtbot)
    restart(window)
    check_origin(window, qtbot)


def check_copies(window):
    assert rows(window) == WEIGHT
    press(window, Key.Key_Asterisk)
    assert rows(window) == WEIGHT
    do(window, "copy_text")
    assert QGuiApplication.clipboard().text().split("\n") == [
        "weights[word 1, word 3] = e^(sᵢⱼ − maxᵢ) / Σₖ e^(sᵢₖ − maxᵢ)",
        "  = e^(5.77 − 5.77) / (e^(4.62 − 5.77) + e^(1.15 − 5.77) + "
        "e^(5.77 − 5.77) + e^(1.15 − 5.77))",
        "  = 1 / (0.315 + 0.010 + 1 + 0.010)",
        "  = 0.7491",
        *(f"  {row}" for row in WEIGHT),
        "",
    ]
    press(window, Key.Key_Left)  # closed: no scores
    do(window, "copy_latex")
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines[0] == r"\begin{align*}"
    assert r"  &= \frac{1}{0.315 + 0.010 + 1 + 0.010} \\" in lines
    assert sum("scores" in line for line in lines) == 0
    assert sum(r"\mathrm{scaled}" in line for line in lines) == 4
    window.findChild(QAction, "action.dock.explain").trigger()
    window.workbench.selection.choose_cell("scores", (1, 0))
    do(window, "copy_text")
    assert QGuiApplication.clipboard().text().startswith("scores[word 2, word 1] = ")


def check_arrows_of_rows(window):
    view = tree_of(window)
    second = view.model().index(1, 0)

    def arrow():
        place = view.visualRect(second)
        width = view.indentation()
        return (
            view.viewport().grab(QRect(0, place.y(), width, place.height())).toImage()
        )

    press(window, Key.Key_Down, Key.Key_Down)
    assert current(window) == WEIGHT[2]
    closed = arrow()
    press(window, Key.Key_Right)
    assert view.isExpanded(second)
    assert arrow() != closed
    press(window, Key.Key_Left)
    assert arrow() == closed


def check_arrow_keys(window):
    assert current(window) == WEIGHT[0]
    press(window, Key.Key_Down, Key.Key_Right)  # scores
    press(window, Key.Key_Right, Key.Key_Right)  # its first number
    assert rows(window)[1:6] == [
        "  scores[word 1, word 3] = 2·2 + 0·4 + 2·3 = 10",
        "    Q[word 1, 0] = 1·2 + 0·2 + 0·2 = 2",
        "      X[word 1, 0] = 1",
        "      W_Q[0, 0] = 2",
        "      X[word 1, 1] = 0",
    ]
    assert current(window) == "Q[word 1, 0] = 1·2 + 0·2 + 0·2 = 2"
    press(window, Key.Key_Right, Key.Key_Right)  # an input, which does not open
    assert current(window) == "X[word 1, 0] = 1"
    press(window, Key.Key_Left, Key.Key_Left)  # to Q, and Q closed
    assert rows(window)[2:4] == [
        "    Q[word 1, 0] = 1·2 + 0·2 + 0·2 = 2",
        "    K[word 3, 0] = 1·2 + 1·0 + 0·0 = 2",
    ]


def point_of(window, row: int, cell: Cell) -> QPoint:
    """Find a link of a row as a person does: by moving the pointer over it."""
    view = tree_of(window)
    place = view.visualRect(view.model().index(row, 0))
    for y in range(place.top() + 2, place.bottom(), 4):
        for x in range(place.left(), place.right(), 2):
            index = view.indexAt(QPoint(x, y))
            if view.itemDelegate().cell_at(index, place, x, y) == cell:
                return QPoint(x + 1, y)
    raise AssertionError(f"no link to {cell}")


def check_click_and_letters(window, qtbot):
    view, selection = tree_of(window), window.workbench.selection
    # The third row's name leads to itself, what is right of its value nowhere.
    name = point_of(window, 1, Cell("scaled", (0, 0)))
    row = view.visualRect(view.model().index(1, 0))
    beside = QPoint(row.right() - 2, name.y())
    QTest.mouseMove(view.viewport(), beside)
    assert view.viewport().cursor().shape() == Qt.CursorShape.ArrowCursor
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=beside)
    assert selection.step == "weights"
    QTest.mouseMove(view.viewport(), name)
    assert view.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=name)
    qtbot.waitUntil(lambda: selection.step == "scaled")
    assert selection.cell == (0, 0)
    first = view.model().index(0, 0)
    before = view.visualRect(first).height()
    view.setStyleSheet("font-size: 20pt;")
    qtbot.waitUntil(lambda: view.visualRect(first).height() > 1.5 * before)


def check_narrower_rows_are_never_lower(window):
    """Else a scroll bar would be shown and hidden again until the stack overflows."""
    window.workbench.open(load("example:two-heads"))
    view = tree_of(window)
    for step, cell in [("weights", (4, 1)), ("masked", (1, 0)), ("output", (6, 1))]:
        window.workbench.selection.choose_cell(step, cell)
        QApplication.processEvents()
        heights = []
        for width in range(600, 200, -1):
            view.resize(width, view.height())
            heights.append(view.sizeHint().height())
        assert len(set(heights)) > 1
        assert heights == sorted(heights)


def check_edit(window):
    press(window, Key.Key_Down, Key.Key_Right, Key.Key_Down)
    before = rows(window)
    assert len(before) == len(WEIGHT) + 6
    window.workbench.edits.submit(SetCells("Edit", "W_Q", 0, 0, np.array([[3.0]])))
    window.workbench.engine.flush()
    follow_picture()
    after = rows(window)
    assert after[1] == "  scores[word 1, word 3] = 3·2 + 0·4 + 2·3 = 12"
    assert after[2] == "    Q[word 1, 0] = 1·3 + 0·2 + 0·2 = 3"
    assert len(after) == len(before)
    assert current(window) == after[2].strip()


def check_enter_and_brackets(window, qtbot):
    selection = window.workbench.selection
    back = window.findChild(QAction, "action.explain.back")
    assert not back.isEnabled()
    press(window, Key.Key_Down, Key.Key_Return)
    qtbot.waitUntil(lambda: selection.step == "scores")
    assert selection.cell == (0, 2)
    assert tree_of(window).hasFocus()
    press(window, Key.Key_Return)
    qtbot.waitUntil(lambda: selection.step == "Q")
    QTest.keyClick(tree_of(window), Key.Key_BracketLeft, CONTROL)
    assert selection.step == "scores"
    QTest.keyClick(tree_of(window), Key.Key_BracketLeft, CONTROL)
    assert (selection.step, selection.cell) == ("weights", (0, 2))
    assert not back.isEnabled()
    QTest.keyClick(tree_of(window), Key.Key_BracketRight, CONTROL)
    assert selection.step == "scores"


def check_back_and_forward(window, qtbot):
    selection = window.workbench.selection
    back, forward = (
        window.findChild(QToolButton, f"button.explain.{name}")
        for name in ("back", "forward")
    )
    assert back.isVisible()
    assert not back.isEnabled()
    press(window, Key.Key_Down, Key.Key_Return)
    qtbot.waitUntil(lambda: selection.step == "scores")
    card = window.findChild(FlowCard, "flow.output")
    qtbot.mouseClick(card, LEFT, pos=QPoint(card.width() // 2, 12))
    assert (selection.step, selection.cell) == ("output", (0, 0))
    qtbot.mouseClick(back, LEFT)
    assert (selection.step, selection.cell) == ("scores", (0, 2))
    # The buttons at a mouse's side, wherever the pointer is.
    handle, place = window.windowHandle(), QPoint(700, 500)
    QTest.mouseClick(handle, Qt.MouseButton.BackButton, pos=place)
    assert (selection.step, selection.cell) == ("weights", (0, 2))
    assert not back.isEnabled()
    QTest.mouseClick(handle, Qt.MouseButton.ForwardButton, pos=place)
    qtbot.mouseClick(forward, LEFT)
    assert (selection.step, selection.cell) == ("output", (0, 0))
    assert not forward.isEnabled()
    selection.choose_cell("output", (1, 1))  # of the same step: no other page
    qtbot.mouseClick(back, LEFT)
    assert (selection.step, selection.cell) == ("scores", (0, 2))
    qtbot.mouseClick(forward, LEFT)
    assert (selection.step, selection.cell) == ("output", (1, 1))


def check_back_after_edits(window):
    workbench = window.workbench
    edits, selection, document = workbench.edits, workbench.selection, window.document
    back = window.findChild(QToolButton, "button.explain.back")
    assert not back.isEnabled()  # restarted: what was visited before is of no use
    edits.submit(Replace("Heads", spec=replace(document.spec, n_heads=3)))
    workbench.engine.flush()
    selection.choose_head(2)
    selection.choose_step("scores")
    selection.choose_step("output")
    edits.submit(Replace("Heads", spec=replace(document.spec, n_heads=1)))
    row = np.zeros((1, document.matrix("X").shape[1]))
    edits.submit(insert_tokens(document, "X", 0, ["new"], row, "Insert"))
    workbench.engine.flush()
    QTest.mouseClick(back, LEFT)
    assert (selection.step, selection.cell) == ("scores", (1, 3))
    assert selection.head == 0
    QTest.mouseClick(back, LEFT)
    assert (selection.step, selection.cell) == ("weights", (1, 3))


def check_height_and_open_rows(window, qtbot):
    view = tree_of(window)

    def whole():
        last = view.model().index(view.model().rowCount() - 1, 0)
        return (
            view.visualRect(last).bottom()
            < view.viewport().height()
            <= (view.visualRect(last).bottom() + 9)
        )

    qtbot.waitUntil(whole)
    press(window, Key.Key_Down, Key.Key_Right)
    qtbot.waitUntil(whole)
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert rows(window)[:3] == [
        "scaled[word 2, word 1] = 4 / √3 = 2.3094",
        "  scores[word 2, word 1] = 2·2 + 0·2 + 0·2 = 4",
        "    Q[word 2, 0] = 0·2 + 1·2 + 0·2 = 2",
    ]
    window.workbench.selection.choose_cell("scores", (1, 0))
    window.workbench.selection.choose_cell("weights", (1, 0))
    assert len(rows(window)) == len(WEIGHT) + 6


def test_the_model_keeps_qts_promises(qapp):
    arrays = {name: np.array(array, float) for name, array in FOUR_WORDS.items()}
    tokens = ("word 1", "word 2", "word 3", "word 4")
    model = DerivationModel()
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    for shift in (0, 1):
        arrays["X"] = arrays["X"] + shift
        derivation = Derivation(run(Spec(), arrays), Labels(tokens, tokens))
        root = derivation.of(Cell("weights", (0, 2)))
        derivation.open_first(root)
        # Other cells at first, then the same with other numbers.
        assert model.show(root, derivation) == (shift == 0)
    index = model.index(1, 0)
    model.open(index)
    assert model.index(0, 0, index).data().startswith("scores[word 1, word 1] = ")
    model.close(index)
    assert model.rowCount(index) == 0
    model.show(None, None)
    assert model.rowCount() == 0
    del tester


# Inputs


def label(window, name) -> QLabel:
    found = window.findChild(QLabel, f"explain.{name}")
    assert found is not None
    return found


def check_influence(window, qtbot):
    # As on the drawing of the window, which counts from one.
    assert label(window, "influence").accessibleDescription() == (
        "X[word 3, 0] +0.868, X[word 1, 0] −0.562, X[word 1, 2] +0.271, "
        "W_Q[0, 1] +0.220, X[word 3, 1] +0.217, X[word 3, 2] +0.217"
    )
    table = window.inputs.table("X")
    table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(table, Key.Key_Down)
    follow_picture()
    assert window.workbench.selection.step == "weights"
    assert label(window, "cell").text() == "weights[word 1, word 3]"
    assert label(window, "input.title").text() == "Input X[word 2, 0]"
    told = label(window, "input").accessibleDescription()
    assert told == (
        "value 0. gradient of weights[word 1, word 3]: −0.026. "
        "used by row word 2 of Q, row word 2 of K, row word 2 of V, scores, scaled, "
        "weights, output"
    )
    label(window, "influence").followed.emit(Cell("W_Q", (0, 1)))
    selection = window.workbench.selection
    qtbot.waitUntil(lambda: selection.step == "W_Q")
    assert selection.cell == (0, 1)
    table = window.inputs.table("W_Q")
    assert table.hasFocus()
    index = table.currentIndex()
    assert (index.row(), index.column()) == (0, 1)
    assert label(window, "cell").text() == "W_Q[0, 1]"
    assert label(window, "input.title").text() == "Input W_Q[0, 1]"
    # What it does is said of the cell that was selected before.
    assert label(window, "input").accessibleDescription() == (
        "value 0 · drawn with seed 42, randint 0–2. "
        "gradient of weights[word 1, word 3]: +0.220. "
        "used by column 1 of Q, scores, scaled, weights, output"
    )


def check_origin(window, qtbot):
    table = window.inputs.table("W_Q")
    table.setFocus(Qt.FocusReason.TabFocusReason)

    def told():
        window.workbench.engine.flush()
        window.explain.catch_up()
        return label(window, "input").accessibleDescription().split(". ")[0]

    qtbot.waitUntil(lambda: told() == "value 2 · drawn with seed 42, randint 0–2")
    QTest.keyClick(table, Key.Key_7)
    QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
    QTest.keyClick(table, Key.Key_Left)
    changed = "changed since it was drawn (the rest with seed 42, randint 0–2)"
    qtbot.waitUntil(lambda: told() == f"value 7 · {changed}")
    window.findChild(QAction, "action.undo").trigger()
    qtbot.waitUntil(lambda: told() == "value 2 · drawn with seed 42, randint 0–2")
    table.selectAll()
    QTest.keyClick(table, Key.Key_Delete)
    qtbot.waitUntil(lambda: told() == "value 0")
    table = window.inputs.table("W_V")
    table.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(table, Key.Key_Right)
    QApplication.processEvents()
    box = label(window, "input")
    cells = [Cell("V", (0, 1)), Cell("output", (0, 1))]
    qtbot.waitUntil(lambda: [link.cell for link in box.links()] == cells)
    box.followed.emit(cells[0])
    qtbot.waitUntil(lambda: window.workbench.selection.step == "V")
