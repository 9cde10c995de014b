"""The lists of the Model dock, as models and as widgets."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from attnviewer.models.effect import NextTokens
from attnviewer.models.layer_documents import WeightPatch
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.model_effect.layers_list import layer_changes
from attnviewer.ui.views.model_effect.patch_list import PatchList
from attnviewer.ui.views.model_effect.tokens_list import TokensList
from attnviewer.ui.widgets.link_lists.rows import SHARE

ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole.value
TIP = Qt.ItemDataRole.ToolTipRole.value
NAN, INF = float("nan"), float("inf")
PATCHES = (WeightPatch(3, 1, {}), WeightPatch(5, None, {}))


def rows(model):
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def header(model):
    across = Qt.Orientation.Horizontal
    return [model.headerData(n, across) for n in range(model.columnCount())]


@pytest.fixture
def tested(qtbot):
    testers = []

    def make(view):
        qtbot.addWidget(view)
        mode = QAbstractItemModelTester.FailureReportingMode.Fatal
        testers.append(QAbstractItemModelTester(view.model(), mode))
        return view, view.model()

    yield make
    for tester in testers:
        tester.deleteLater()


def tokens(after, before, names=None):
    ids = tuple(range(len(after)))
    names = names or tuple(f"t{id}" for id in ids)
    return NextTokens(2, ids, names, np.array(before), np.array(after), 0.25)


def test_tokens_have_their_probabilities_before_and_now_and_the_change(tested):
    view, model = tested(TokensList())
    assert rows(model) == []
    found = tokens([0.5, 0.25, 0.0], [0.125, 0.25, 0.00004], ("␣cat", "\n", "<b>"))
    view.show_tokens(found, "before")
    assert header(model) == ["token", "before", "now", "change"]
    assert rows(model) == [
        ["␣cat", "0.1250", "0.5000", "+0.3750"],
        ["⏎", "0.2500", "0.2500", "0.0000"],
        ["<b>", "4.00e−5", "0.0000", "−4.00e−5"],
    ]
    shares = [[model.index(r, c).data(SHARE) for c in range(4)] for r in range(2)]
    assert shares == [[0, 0.25, 1, 0], [0, 0.5, 0.5, 0]]
    told = model.index(0, 0).data(ACCESSIBLE)
    assert told == "␣cat: 0.5 now, 0.125 before, +0.3750"
    assert "&lt;b&gt;" in model.index(2, 1).data(TIP)


def test_without_a_change_there_is_one_probability(tested):
    view, model = tested(TokensList())
    view.show_tokens(tokens([0.5, 0.25], [0.5, 0.25]), "before")
    view.show_tokens(tokens([0.5, 0.25], [0.5, 0.25]), "")
    assert header(model) == ["token", "now"]
    assert rows(model) == [["t0", "0.5000"], ["t1", "0.2500"]]
    assert model.index(1, 1).data(SHARE) == 0.5
    assert model.index(1, 1).data(ACCESSIBLE) == "t1: 0.25"
    view.show_tokens(None, "")
    assert rows(model) == []


@pytest.mark.parametrize("value", [0.0, NAN])
def test_probabilities_that_are_no_numbers_have_no_bars(tested, value):
    view, model = tested(TokensList())
    with np.errstate(invalid="ignore"):
        view.show_tokens(tokens([value], [value]), "before")
        assert model.index(0, 1).data(SHARE) == 0


def test_places_can_be_looked_at_and_taken_out(tested):
    view, model = tested(PatchList())
    view.show_patches(PATCHES)
    assert rows(model) == [["L3 H1", "Remove"], ["L5", "Remove"]]
    told = [model.index(0, c).data(ACCESSIBLE) for c in range(2)]
    assert told == ["Open L3 H1", "Restore the model's own weights of L3 H1"]
    view.show_patches(PATCHES[1:])
    assert rows(model) == [["L5", "Remove"]]


def test_keys_and_clicks_do_what_the_rows_say(qtbot):
    view = PatchList()
    qtbot.addWidget(view)
    view.show_patches(PATCHES)
    view.resize(300, view.sizeHint().height())
    with qtbot.waitActive(view):
        view.show()
        view.activateWindow()
    heard = []
    view.chosen.connect(heard.append)
    view.taken_out.connect(heard.append)
    left = Qt.MouseButton.LeftButton
    for column, row in ((0, 0), (1, 1)):
        location = view.visualRect(view.model().index(row, column)).center()
        QTest.mouseClick(view.viewport(), left, pos=location)
    assert heard == [ModelLocation(3, 1), ModelLocation(5)]
    with qtbot.waitSignal(view.taken_out):
        QTest.keyClick(view, Qt.Key.Key_Delete)
    QTest.keyClick(view, Qt.Key.Key_Up)
    with qtbot.waitSignal(view.taken_out):
        QTest.keyClick(view, Qt.Key.Key_Return)
    QTest.keyClick(view, Qt.Key.Key_Left)
    with qtbot.waitSignal(view.chosen):
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert heard[2:] == [ModelLocation(5), ModelLocation(3, 1), ModelLocation(3, 1)]


def test_a_list_is_as_high_as_its_rows(qtbot):
    view = TokensList()
    qtbot.addWidget(view)
    view.show_tokens(tokens([0.1] * 30, [0.1] * 30), "before")
    view.resize(300, 200)
    with qtbot.waitExposed(view):
        view.show()
    for count, seen in ((3, 3), (30, 20)):
        view.show_tokens(tokens([0.1] * count, [0.1] * count), "before")
        view.resize(300, view.sizeHint().height())
        assert view.viewport().height() == seen * view.rowHeight(0)


def test_the_change_gives_way_where_there_is_no_room_for_all_columns(qtbot):
    view = TokensList()
    qtbot.addWidget(view)
    view.show_tokens(tokens([0.1], [0.2], ("understandings",)), "before")
    view.resize(300, 200)
    with qtbot.waitExposed(view):
        view.show()
    em = view.fontMetrics().horizontalAdvance("0")
    view.resize(60 * em, 200)
    assert not view.isColumnHidden(3)
    view.resize(28 * em, 200)
    assert [view.isColumnHidden(column) for column in range(4)] == [0, 0, 0, 1]
    view.show_tokens(tokens([0.1], [0.2]), "")
    assert not any(view.isColumnHidden(column) for column in range(2))


def test_layers_are_told_in_a_word_and_in_a_sentence(qapp):
    found = layer_changes(np.array([0, 0, 0.05, 0.1, INF, NAN]), 5)
    assert [(c.step, c.text, c.share) for c in found] == [
        ("L0", "=", 0.0),
        ("L1", "5 %", 0.5),
        ("L2", "10 %", 1.0),
        ("L3", "∞ %", 1.0),
        ("L4", "—", 0.0),
    ]
    assert found[0].tip == "L0: the hidden states after it are the same"
    assert found[1].tip == "L1: the hidden states after it changed by 5 %"
    unknown = layer_changes(None, 2)
    assert [(c.step, c.text, c.share) for c in unknown] == [
        ("L0", "—", 0.0),
        ("L1", "—", 0.0),
    ]
