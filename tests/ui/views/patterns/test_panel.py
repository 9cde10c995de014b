"""Where a head attends, and what a sparse kernel loses, in a dock of the window."""

import csv
import io

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolButton

from attnviewer.compute import Spec
from attnviewer.compute.number_text import bytes_text
from attnviewer.compute.patterns import DEFINITIONS, SETS
from attnviewer.document import Document
from attnviewer.ui.features.patterns import PatternsFeature
from attnviewer.ui.state.live import Veil
from attnviewer.ui.state.patterns import Costs, Patterns, head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.marked_rows import marked_sentence
from attnviewer.ui.views.patterns import PatternsPanel
from attnviewer.ui.views.patterns.count_row import CountRow, steps
from attnviewer.ui.views.patterns.texts import duration, sight_sentence
from tests.compute.patterns.planted import streaming_head
from tests.focus import press
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

N = 128
LEFT, TIP = Qt.MouseButton.LeftButton, Qt.ItemDataRole.ToolTipRole
TESTER = QAbstractItemModelTester.FailureReportingMode.Fatal


def planted() -> Document:
    """Return a head that attends to four sinks and eight keys near each query."""
    rng = np.random.default_rng(3)
    weights = streaming_head(rng, N, 4, 8)
    weights[100, 40] = 0.5  # a needle
    scores = np.log(np.where(weights > 0, weights, 1.0))
    spec = Spec(given=True, projected=False, score="given", scale=1.0, causal=True)
    inputs = {"S": scores, "V": rng.normal(size=(N, 3))}
    return Document("planted", [f"t{n % 90}" for n in range(N)], inputs, spec)


@pytest.fixture
def bench(qapp):
    bench = Workbench(planted())
    yield bench
    bench.close()


@pytest.fixture
def panel(bench, appearance, qtbot):
    """The panel of a planted head by itself, filled."""
    patterns = Patterns(bench)
    costs = Costs(bench, patterns)
    panel = PatternsPanel(patterns, costs, bench, appearance, None)
    panel.patterns, panel.state = patterns, costs
    qtbot.addWidget(panel)
    panel.resize(380, 1100)
    with qtbot.waitActive(panel):
        panel.show()
        panel.activateWindow()
    settle(panel)
    yield panel
    costs.close()
    patterns.close()


def settle(panel) -> None:
    for _ in range(2):
        QApplication.processEvents()
        panel.patterns.finish()
        panel.state.finish()
    QApplication.processEvents()


def said(panel, name) -> str:
    return panel.findChild(QLabel, f"patterns.{name}").text()


def listed(view, column) -> list[str]:
    rows = view.rows
    return [rows.index(row, column).data() for row in range(rows.rowCount())]


def test_a_planted_head_has_its_name_its_definition_shares_and_plots(panel) -> None:
    for view in (panel.shares, panel.needles, panel.costs.list):
        QAbstractItemModelTester(view.rows, TESTER, view)
    found = panel.patterns.found
    name = panel.findChild(QLabel, "patterns.name")
    assert name.text() == "streaming"
    assert DEFINITIONS["streaming"].split(",")[0] in name.toolTip()
    assert said(panel, "about") == DEFINITIONS["streaming"]
    budget = panel.patterns.found.cheapest
    told = said(panel, "budget").replace("\u00a0", " ")
    assert told == f"Cheapest: {budget}: 4 sinks, window 8."
    assert listed(panel.shares, 0) == list(SETS)
    percents = [float(text.removesuffix("\u00a0%")) for text in listed(panel.shares, 2)]
    assert sum(percents) == pytest.approx(100, abs=0.4)
    tip = panel.shares.rows.index(1, 0).data(TIP)
    assert DEFINITIONS["local"].split(",")[0] in tip
    assert sum(panel.distances.heights) == pytest.approx(100)
    assert len(panel.effective.drawn[0]) == N
    assert found.needles[0][:2] == (100, 40)
    assert misfits(panel) == []
    check_tab_visits_the_panel_as_one_reads(panel)


def check_tab_visits_the_panel_as_one_reads(panel) -> None:
    panel.shares.setFocus()
    names = []
    while not names or QApplication.focusWidget() is not panel.shares:
        name = QApplication.focusWidget().objectName()
        names.append(name.removeprefix("patterns."))
        press(Qt.Key.Key_Tab)
    expected = "shares copy export needles way sinks.slider sinks.box window.slider"
    assert names == [*expected.split(), "window.box", "bytes", "costs", "all"]


def test_a_needle_is_followed_by_the_mouse_and_by_enter(panel, bench) -> None:
    view, selection = panel.needles, bench.selection
    assert listed(view, 0)[0] == "t10 (100) → t40 (40)"
    assert listed(view, 1)[0] == "60"
    selection.choose_step("output")
    place = view.visualRect(view.rows.index(0, 0)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    assert (selection.step, selection.cell) == ("weights", (100, 40))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert selection.cell == (100, 40)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert selection.cell == panel.patterns.found.needles[1][:2]


def test_a_slider_moved_by_keys_changes_what_is_kept_of_the_rows_in_sight(
    panel,
) -> None:
    row, state = panel.costs.counts["window"], panel.state
    row.slider.setFocus()
    QTest.keyClick(row.slider, Qt.Key.Key_Home)
    settle(panel)
    assert state.choice.window == row.box.value() == 0
    fewer = state.in_sight.mean
    for _ in range(12):
        QTest.keyClick(row.slider, Qt.Key.Key_Right)
    settle(panel)
    assert state.choice.window == row.box.value() == 12
    assert state.in_sight.mean > fewer
    shown = float(listed(panel.costs.list, 1)[0].removesuffix("\u00a0%"))
    assert shown == pytest.approx(100 * state.in_sight.mean, abs=0.05)
    row.box.setFocus()
    row.box.selectAll()
    QTest.keyClicks(row.box, "100")
    settle(panel)
    assert state.choice.window == 100
    assert listed(panel.costs.list, 2)[0] == "—"
    QTest.mouseClick(panel.costs.all_rows, LEFT)
    settle(panel)
    assert listed(panel.costs.list, 2)[0] != "—"


def test_a_large_search_is_started_and_cancelled_by_buttons(
    panel, bench, monkeypatch
) -> None:
    monkeypatch.setattr(head, "MOST_COPIED", 0)
    bench.selection.choose_step("output")
    panel.patterns._forget()
    assert panel.search.isVisible()
    assert said(panel, "state") == f"All {N} × {N} weights are read."
    panel.search.setFocus()
    QTest.keyClick(panel.search, Qt.Key.Key_Space)
    assert panel.cancel.hasFocus()
    QTest.keyClick(panel.cancel, Qt.Key.Key_Space)
    assert panel.patterns.computing is None
    assert panel.search.hasFocus()
    assert said(panel, "trouble") == "The search was cancelled."
    QTest.mouseClick(panel.search, LEFT)
    settle(panel)
    assert said(panel, "name") == "streaming"


def test_what_a_lesson_withholds_is_hidden(panel, bench) -> None:
    bench.engine.withhold(Veil(frozenset({"weights"})))
    settle(panel)
    assert said(panel, "none") == "Hidden until you answer"
    assert not panel.shares.isVisible()
    assert panel.patterns.found is None
    assert panel.state.in_sight is None


def test_the_window_opens_the_panel_copies_the_list_and_writes_it(
    open_window, appearance, tmp_path, monkeypatch
) -> None:
    window = open_window("example:four-words", (1366, 768))
    window.workbench.open(planted())
    window.docks.toggle("patterns").trigger()
    feature = window.feature(PatternsFeature)
    for each in (feature.patterns, feature.costs):
        QApplication.processEvents()
        each.finish()
    QApplication.processEvents()
    panel = window.findChild(PatternsPanel)
    assert panel.isVisible()
    QTest.mouseClick(panel.findChild(QToolButton, "patterns.copy"), LEFT)
    copied = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert copied[0] == [
        *("query", "query token", "key", "key token", "distance", "weight")
    ]
    assert copied[1][:5] == ["100", "t10", "40", "t40", "60"]
    assert float(copied[1][5]) == feature.patterns.found.needles[0].weight
    path = tmp_path / "needles.csv"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), "")
    )
    QTest.mouseClick(panel.findChild(QToolButton, "patterns.export"), LEFT)
    with path.open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == copied
    window.close()
    assert not feature.patterns.worker.jobs


def test_the_slider_moves_by_one_at_first_and_doubles_in_four_steps() -> None:
    assert steps(0, 5) == (0, 1, 2, 3, 4, 5)
    assert steps(1, 64) == (*range(1, 17), 19, 23, 27, 32, 38, 45, 54, 64)
    assert steps(0, 131_072)[-5:] == (65536, 77936, 92682, 110218, 131072)


def test_with_a_single_key_there_is_nothing_to_choose(qtbot) -> None:
    row = CountRow("row", "Keys each", 1, None)
    qtbot.addWidget(row)
    row.show_count(1, 1)
    for key in (Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_PageUp):
        QTest.keyClick(row.slider, key)
    assert row.slider.maximum() == 0
    assert (row.box.minimum(), row.box.value(), row.box.maximum()) == (1, 1, 1)


def test_bytes_and_durations_have_fitting_units() -> None:
    assert bytes_text(512) == "512 bytes"
    assert bytes_text(2**20 + 2**19) == "1.5 MiB"
    assert (duration(0.2), duration(40), duration(420)) == ("1 s", "40 s", "7 min")


def test_marked_rows_are_counted_in_words() -> None:
    assert not marked_sentence(0)
    assert marked_sentence(1).startswith("1 row holds NaN")
    assert marked_sentence(1200).startswith("1,200 rows hold NaN")
    assert sight_sentence(slice(0, 9), 0).endswith("0 to 8, around the selected one.")
    assert " one. 2 rows hold NaN" in sight_sentence(slice(0, 9), 2)
