"""A score of a model's head is split in the Explain dock, with links to heads."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMenu, QToolTip

from attnviewer.compute.number_text import format_number
from attnviewer.document import SetCells
from attnviewer.io import load
from attnviewer.models.layer_documents import attention_document
from attnviewer.ui.features.score_split import OPEN, ScoreSplitFeature
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.explain.score import ScoreBox
from attnviewer.ui.views.explain.score.matrix import TermMatrix
from attnviewer.ui.views.explain.score.texts import TwoTokens

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LAYER, HEAD, QUERY, KEY = 3, 2, 3, 1
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def box(window, open_model, gpt2, qtbot):
    """The section for a cell of the weights of a head in the last layer."""
    open_model(gpt2)
    window.findChild(QDockWidget, "dock.explain").raise_()
    start(window, qtbot)
    return window.findChild(ScoreBox)


def start(window, qtbot):
    go(window, qtbot, ModelLocation(LAYER))
    window.workbench.selection.choose_head(HEAD)
    window.workbench.selection.choose_cell("weights", (QUERY, KEY))


def go(window, qtbot, location):
    model = window.workbench.model
    model.show(location)
    qtbot.waitUntil(lambda: model.location == location and model.heads is not None)
    QApplication.processEvents()


def split_of(window):
    split = window.feature(ScoreSplitFeature).split
    QApplication.processEvents()
    split.finish()
    QApplication.processEvents()
    return split


def test_terms_of_zero_alone_have_the_colour_of_zero(qtbot, appearance):
    terms = TermMatrix(appearance)
    qtbot.addWidget(terms)
    terms.resize(60, 60)
    seen = []
    for matrix in (np.zeros((1, 1)), np.array([[0.0, 2.0], [1.0, -1.0]])):
        parts = SimpleNamespace(components=("E",) * len(matrix), matrix=matrix)
        terms.show_parts(parts, TwoTokens("it", "cat"))
        seen.append(terms.grab().toImage().pixelColor(10, 10).name())
    assert seen[0] == seen[1]


def said(box):
    return box.findChild(QLabel, "explain.score.note").text()


def listed(box, column):
    rows = box.pairs.model()
    return [rows.index(row, column).data() for row in range(rows.rowCount())]


def edit(bench, name):
    cells = bench.document.matrix(name)[:1, :1] + 1.0
    bench.edits.submit(SetCells("Set", name, 0, 0, np.array(cells)))


def test_a_split_shows_terms_that_lead_to_components_and_nothing_where_it_has_none(
    window, box, qtbot
) -> None:
    check_terms(window, box)
    check_edits(window, box)
    start(window, qtbot)
    check_links_to_heads(window, box, qtbot)
    start(window, qtbot)
    check_links_to_components(window, box, qtbot)
    start(window, qtbot)
    check_closed_section(window, box)


def check_terms(window, box) -> None:
    split, run = split_of(window), window.workbench.link.run
    score = run.attention(LAYER)["scaled"][HEAD, QUERY, KEY]
    terms = run.score_parts(LAYER, HEAD, QUERY, KEY).matrix
    assert terms.sum() == pytest.approx(score, rel=1e-5)
    order = np.argsort(-np.abs(terms), axis=None, kind="stable")[:6]
    numbers = [float(n.replace("−", "-")) for n in listed(box, 2)]
    np.testing.assert_allclose(numbers, terms.ravel()[order], rtol=0.02, atol=0.005)
    count = len(terms)
    assert said(box).startswith(
        f"The scaled score {format_number(float(score), 2)} is the sum of "
        f"{count} × {count} terms"
    )
    share = 100 * terms.ravel()[order].sum() / score
    assert said(box).endswith(f", {format_number(share, 1)} % of the score.")
    assert box.pairs.accessibleName() == "Largest terms of the score"
    assert box.matrix.accessibleDescription() == f"{count} × {count} terms"
    button = QAccessible.queryAccessibleInterface(box.toggle)
    assert button.text(QAccessible.Text.Name) == "Why this score"
    assert button.state().checked
    # The heatmap has the components of the query from top to bottom.
    side = box.matrix.height()
    row, column = divmod(int(order[0]), count)
    at = QPoint(
        (2 * column + 1) * side // (2 * count), (2 * row + 1) * side // (2 * count)
    )
    tip = QHelpEvent(QEvent.Type.ToolTip, at, box.matrix.mapToGlobal(at))
    QApplication.sendEvent(box.matrix, tip)
    components = split.parts.components
    assert QToolTip.text().startswith(f"{components[row]} at ")
    assert f"× {components[column]} at " in QToolTip.text()
    QToolTip.hideText()


def check_links_to_heads(window, box, qtbot) -> None:
    bench, view = window.workbench, box.pairs

    def opened():
        return bench.location == f"L{part.layer}" and bench.selection.head == part.head

    pairs = split_of(window).parts.pairs(6)
    row, column, part = next(
        (row, column, part)
        for row, pair in enumerate(pairs)
        for column, part in enumerate(pair[:2])
        if part.kind == "head"
    )
    index = view.model().index(row, column)
    assert index.data() == str(part)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole).endswith(f"Opens {part}.")
    place = view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(opened)
    go(window, qtbot, ModelLocation(LAYER))
    bench.selection.choose_head(HEAD)
    split_of(window)
    view.setFocus()
    view.setCurrentIndex(view.model().index(row, 1 - column))
    QTest.keyClick(view, (Qt.Key.Key_Left, Qt.Key.Key_Right)[column])
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(opened)


def check_links_to_components(window, box, qtbot) -> None:
    bench, matrix, view = window.workbench, box.matrix, box.pairs
    parts = split_of(window).parts
    names = list(map(str, parts.components))
    mlp, own = names.index("L1 MLP"), names.index("token embedding")
    matrix.setFocus()
    for key, times in (
        (Qt.Key.Key_Home, 1),
        (Qt.Key.Key_Down, mlp),
        (Qt.Key.Key_Right, own),
        (Qt.Key.Key_Return, 1),
    ):
        for _ in range(times):
            QTest.keyClick(matrix, key)
    menu = matrix.findChild(QMenu, "explain.score.links")
    first, second = (action.text() for action in menu.actions())
    assert first.startswith("Open L1: L1 MLP at ")
    assert second.startswith("Open L0: token embedding at ")
    QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.location == "L1")
    go(window, qtbot, ModelLocation(LAYER))
    parts = split_of(window).parts
    head = names.index("L2 H3")
    side, count = matrix.height(), len(names)
    row, column = ((2 * k + 1) * side // (2 * count) for k in (head, mlp))
    QTest.mouseClick(matrix, LEFT, pos=QPoint(column, row))
    menu.actions()[0].trigger()
    menu.hide()
    qtbot.waitUntil(lambda: bench.location == "L2" and bench.selection.head == 3)
    go(window, qtbot, ModelLocation(LAYER))
    pairs = split_of(window).parts.pairs(6)
    row, column, layer = next(
        (row, column, part.layer or 0)
        for row, pair in enumerate(pairs)
        for column, part in enumerate(pair[:2])
        if part.head is None
    )
    place = view.visualRect(view.model().index(row, column)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: bench.location == f"L{layer}")


def check_edits(window, box) -> None:
    bench = window.workbench
    assert split_of(window).parts is not None
    edit(bench, "W_V")  # of which no score depends
    assert split_of(window).parts is not None
    edit(bench, "W_K")
    # It is the first column of H0: the other heads have their own keys.
    assert split_of(window).parts is not None
    bench.selection.choose_head(0)
    assert split_of(window).parts is None
    assert said(box).startswith("The split needs the model's own numbers: undo the")
    assert box.pairs.isHidden()
    assert box.matrix.isHidden()
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert split_of(window).parts.head == 0
    assert box.pairs.isVisible()
    document = attention_document(bench.link.run, 1, 0)
    assert document.checkpoint is not None
    document.checkpoint = replace(document.checkpoint, fingerprint="of another model")
    document.link = None
    bench.open(document)
    assert split_of(window).parts is None
    assert said(box).startswith("The split needs the model: open")
    bench.open(load("example:four-words"))
    assert box.isHidden()


def check_closed_section(window, box) -> None:
    choose, split = window.workbench.selection.choose_cell, split_of(window)
    before = split.parts
    QTest.mouseClick(box.toggle, LEFT)
    assert box.pairs.isHidden()
    choose("scaled", (QUERY, 0))
    assert split_of(window).parts is before
    window.findChild(QDockWidget, "dock.model").raise_()
    QTest.mouseClick(box.toggle, LEFT)
    QApplication.processEvents()
    assert split_of(window).parts is before  # behind another dock
    window.findChild(QDockWidget, "dock.explain").raise_()
    QApplication.processEvents()
    assert split_of(window).parts.key == 0
    choose("scaled", (QUERY, 2))
    choose("masked", (QUERY, 3))
    assert split_of(window).parts.key == 3
    assert listed(box, 2)
    choose("Q", (QUERY, 0))
    assert box.isHidden()
    choose("scores", (QUERY, 3))
    QTest.keyClick(box.toggle, Qt.Key.Key_Space)
    assert own_settings().value(OPEN, True, type=bool) is False
