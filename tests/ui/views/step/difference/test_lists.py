"""The lists beside the comparison, as models and as links."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester

from attnviewer.compute import CellChange, InMemory, LargestChanges
from attnviewer.document import Incomparable
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.views.step.difference.changes_list import (
    ChangesList,
    NamedChange,
)
from attnviewer.ui.views.step.difference.texts import (
    step_change,
    what_changed,
    what_last_edit_did,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.step_changes import step_rows

INF = float("inf")
NAN = float("nan")
ACCESSIBLE = Qt.ItemDataRole.AccessibleTextRole.value


def change(number, before=0.0, after=1.0):
    return NamedChange(f"cell {number}", CellChange(0, 0, number, before, after))


def rows(model):
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


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


@pytest.mark.parametrize("width", [235, 290, 420])
def test_columns_keep_their_widths_whatever_the_numbers_are(qtbot, width):
    view = ChangesList()
    qtbot.addWidget(view)
    view.resize(width, 200)
    with qtbot.waitExposed(view):
        view.show()
    seen = set()
    tiny, huge, whole = (0.75, 5.8e-13), (-1e200, 1234567.8), (2.0, -30.0)
    for before, after in ((0.25, 0.5), (-12.3456, 9.87654), tiny, huge, whole):
        listed = [change(0, before, after), change(1, 0.7491, 0.7492)]
        view.show_changes(listed, "cell 100")
        seen.add(tuple(map(view.columnWidth, range(3))))
        for row in range(2):
            for column in range(3):
                needed = view.sizeHintForIndex(view.model().index(row, column)).width()
                hidden = view.isColumnHidden(column)
                assert hidden or needed <= view.columnWidth(column)
    assert len(seen) == 1


def test_a_tiny_change_keeps_its_exponent_beside_numbers_that_round(tested):
    view, model = tested(ChangesList())
    view.show_changes([change(0, 0.75, 0.75 + 5.8e-7), change(1, 0.3, 5.8e-13)])
    assert rows(model) == [
        ["cell 0", "0.7500 → 0.7500", "+5.8e−7"],
        ["cell 1", "0.3000 → 0.0000", "−0.3000"],
    ]


def test_a_change_that_vanishes_beside_a_huge_number_is_not_called_none():
    before, after = np.array([[1e200, 4.0]]), np.array([[1e200, 254.0]])
    changes = changed(after, before, rounding=2.0**-44)
    assert what_changed(changes) == (
        "Nothing differs beyond rounding; the largest number is 1e200."
    )
    told = what_last_edit_did("scores", changes)
    assert told == "Last edit changed scores within rounding only (largest: 1e200)"
    told = what_last_edit_did("scores", changed(after, after, rounding=2.0**-44))
    assert told == "Last edit did not change scores"


def test_the_list_grows_and_shrinks_without_a_reset(tested):
    view, model = tested(ChangesList())
    resets = []
    model.modelReset.connect(resets.append)
    for count in (0, 3, 5, 5, 2, 0, 1):
        changes = [change(n) for n in range(count)]
        view.show_changes(changes)
        assert [row[0] for row in rows(model)] == [f"cell {n}" for n in range(count)]
    assert resets == []


def test_numbers_are_signed_and_told_in_words(tested):
    view, model = tested(ChangesList())
    view.show_changes(
        [change(0, -INF, 2.5), change(1, 1.0, NAN), change(2, 0.5, -0.25)]
    )
    assert rows(model) == [
        ["cell 0", "−∞ → 2.50", "+∞"],
        ["cell 1", "1.00 → NaN", "NaN"],
        ["cell 2", "0.50 → −0.25", "−0.75"],
    ]
    told = model.index(2, 0).data(ACCESSIBLE)
    assert told == "cell 2: from 0.5 to −0.25, −0.7500"


def changed(after, before, **options):
    changes = LargestChanges([(InMemory(after), InMemory(before))], **options)
    for _ in changes.compare():
        pass
    return changes


def test_every_step_is_told_in_one_word_and_in_a_sentence(qapp):
    zero = np.zeros((1, 2))
    some = step_change("Q", changed(np.array([[0.0, -2.5]]), zero), 5.0)
    assert (some.text, some.share) == ("2.5", 0.5)
    assert some.tip == "Queries Q: 1 of 2 cells differ, by at most 2.5."
    none = step_change("K", changed(zero, zero), 5.0)
    assert (none.text, none.share) == ("=", 0.0)
    assert none.tip == "Keys K: Nothing differs: all 2 cells are the same."
    one = step_change("K", changed(zero[:, :1], zero[:, :1]), 5.0)
    assert one.tip == "Keys K: Nothing differs: the only cell is the same."
    ones = np.ones((1, 2))
    near = step_change("K", changed(ones + 1e-15, ones, rounding=1e-14), 5.0)
    assert (near.text, near.tip) == (
        "=",
        "Keys K: Nothing differs beyond rounding; the largest number is 1.",
    )
    open_ = step_change("masked", changed(zero, np.array([[-INF, 0.0]])), 5.0)
    assert (open_.text, open_.share) == ("∞", 1.0)
    lost = step_change("weights", Incomparable("heads", 2, 1), 5.0)
    assert lost.text == "—"
    assert lost.tip == (
        "Attention weights: The heads cannot be compared: A has 1, B has 2."
    )
    begun = LargestChanges([(InMemory(zero), InMemory(zero))])
    assert what_changed(begun).startswith("Comparing…")
    assert step_change("V", begun, 5.0).text == "…"


def test_the_steps_stay_in_place_while_their_changes_do_not(tested):
    view, model = tested(LinkList(2, wide=1))
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    zero = np.zeros((1, 1))
    for number in (0.0, 1.0, 2.0):
        changes = changed(zero + number, zero)
        steps = [step_change(step, changes, 2.0) for step in ("Q", "K")]
        view.show_rows(step_rows(steps, "K"))
    assert [row[1] for row in rows(model)] == ["2", "2"]
    assert resets == []
    view.show_rows(step_rows(steps, "Q"))
    font = Qt.ItemDataRole.FontRole.value
    assert model.index(0, 0).data(font).bold()
    assert model.index(1, 0).data(font) is None


def test_only_the_rows_that_change_are_painted_again(tested):
    view, model = tested(ChangesList())
    painted = []
    model.dataChanged.connect(lambda a, b: painted.append((a.row(), b.row())))
    changes = [change(n) for n in range(5)]
    view.show_changes(changes)
    view.show_changes([*changes[:2], change(9), *changes[3:]])
    view.show_changes([*changes[:2], change(9)])
    assert painted == [(2, 2)]


def test_rows_about_others_are_other_rows(tested):
    view, model = tested(LinkList(2, wide=1))
    resets = []
    model.modelReset.connect(lambda: resets.append(1))
    found = changed(np.ones((1, 1)), np.zeros((1, 1)))
    for names, count in (("QKV", 1), ("QK", 1), ("QKV", 1), ("XKV", 2)):
        view.show_rows(step_rows([step_change(n, found, 1.0) for n in names], ""))
        assert [row[0] for row in rows(model)] == list(names)
        assert len(resets) == count - 1


def test_a_theme_colours_what_did_not_change(tested):
    view, model = tested(LinkList(2, wide=1))
    same = changed(np.zeros((1, 1)), np.zeros((1, 1)))
    view.show_rows(step_rows([step_change("Q", same, 1.0)], ""))
    for theme in (DARK, LIGHT):
        view.set_theme(theme)
        color = model.index(0, 0).data(Qt.ItemDataRole.ForegroundRole.value)
        assert color == QColor(theme.muted)


def test_links_are_followed_by_space_and_enter_but_not_by_the_arrows(qtbot):
    view = ChangesList()
    qtbot.addWidget(view)
    view.show_changes([change(n) for n in range(3)])
    view.show()
    chosen = []
    view.chosen.connect(chosen.append)
    view.setFocus()
    view.setCurrentIndex(view.model().index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert chosen == []
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Enter, Qt.Key.Key_Return):
        qtbot.keyClick(view, key)
    assert [cell.column for cell in chosen] == [1, 1, 1]


def test_the_names_are_never_squeezed_out_by_the_numbers(qtbot):
    view = ChangesList()
    qtbot.addWidget(view)
    view.resize(330, 200)
    view.show_changes([change(0, -0.12345, 0.54321)])
    view.show()
    view.fit_columns()
    for width, shown in ((330, [0, 1, 2]), (160, [0, 2]), (330, [0, 1, 2])):
        view.resize(width, 200)
        visible = [k for k in range(3) if not view.isColumnHidden(k)]
        assert visible == shown
        assert sum(map(view.columnWidth, shown)) <= view.viewport().width()
        for column in shown:
            text = view.model().index(0, column).data()
            needed = view.fontMetrics().horizontalAdvance(text)
            assert needed < view.columnWidth(column)
