"""The page of a head: its numbers here, its weights, examples, and links to others."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QToolButton

from attnviewer.compute import HeadLocation
from attnviewer.models import circuit, survey
from attnviewer.ui.features.head_page import HeadPageFeature
from attnviewer.ui.state.head_page.report import SentenceReport
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.head_page import HeadPagePanel
from attnviewer.ui.views.head_page.report_list import ReportList
from attnviewer.ui.views.head_page.texts import rank_sentence, rank_text
from tests.models.by_hand import tensors
from tests.models.circuits import dense
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LAYER, HEAD = 2, 1
LEFT, TIP = Qt.MouseButton.LeftButton, Qt.ItemDataRole.ToolTipRole


@pytest.fixture
def open_page(window, open_model, qtbot):
    """Return what opens a model and the page of a head in one of its layers."""

    def open_(path, layer):
        open_model(path)
        go_to(window, layer, qtbot)
        window.docks.open_panel("head")
        settle(window)
        return window.findChild(HeadPagePanel)

    return open_


def go_to(window, layer, qtbot):
    model = window.workbench.model
    model.show(ModelLocation(layer))
    qtbot.waitUntil(lambda: model.location.layer == layer)
    qtbot.waitUntil(lambda: model.outcome is not None)
    window.workbench.selection.choose_head(HEAD)
    settle(window)


def settle(window):
    QApplication.processEvents()
    window.feature(HeadPageFeature).page.worker.finish()
    window.workbench.head_report.worker.finish()
    QApplication.processEvents()


def said(panel, name):
    return panel.findChild(QLabel, f"head.{name}").text()


def listed(rows):
    model = rows.model()
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns]
        for row in range(model.rowCount())
    ]


def number(text):
    return float(text.replace("−", "-"))


def test_the_page_has_numbers_circuits_and_examples_with_links(
    window, open_page, gpt2, qtbot, appearance
) -> None:
    panel = open_page(gpt2, LAYER)
    check_numbers_and_links(window, panel, qtbot)
    go_to(window, LAYER, qtbot)
    check_examples(window, panel, qtbot, appearance)


def check_numbers_and_links(window, panel, qtbot) -> None:
    bench = window.workbench
    run = bench.model.experiment.run
    weights = np.array([run.attention(layer)["weights"] for layer in range(4)])
    previous = np.diagonal(weights[:, :, 1:, :], axis1=2, axis2=3).mean(axis=-1)
    own = previous[LAYER, HEAD]
    rows = {row[0]: row[1:] for row in listed(panel.report)}
    assert number(rows["Previous token"][0]) == pytest.approx(own, abs=5e-4)
    place = int((previous > own).sum()) + 1
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(place, "th")
    assert rows["Previous token"][1] == f"{place}{suffix} of 16"
    # No id of the first sentence occurs twice.
    assert rows["Induction"] == ["—", ""]
    induction = panel.report.model().index(list(rows).index("Induction"), 0)
    assert induction.data(TIP).startswith("No token occurs twice.")
    assert "Olsson et al. 2022" in induction.data(TIP)

    given = tensors(run.model.path)
    qk, ov = dense.gpt2(given, LAYER, HEAD)
    left, values, _ = np.linalg.svd(ov)
    share = 100 * (values[:2] ** 2).sum() / (values**2).sum()
    panel.weights.ov.setFocus()
    QTest.keyClick(panel.weights.ov, Qt.Key.Key_Right)
    settle(window)
    assert said(panel, "ov.note") == (
        f"σ2 = {values[1]:.3f}. The first 2 of 8 hold {share:.1f} % of ‖M‖²."
    )
    panel.weights.qk.setFocus()
    QTest.keyClick(panel.weights.qk, Qt.Key.Key_Right)
    assert said(panel, "qk.note").startswith("σ2 = ")
    first = listed(panel.weights.tokens)[0][0].split()[0]
    embedding = next(
        array for name, array in given.items() if name.endswith("wte.weight")
    )
    most = np.abs(embedding.astype(np.float64) @ left[:, 1]).max()
    assert abs(number(first)) == pytest.approx(most, abs=1e-3)

    earlier = [(layer, head) for layer in range(LAYER) for head in range(4)]
    composed = {
        place: dense.relative(other @ qk.T, other, qk)
        for place, (_, other) in ((at, dense.gpt2(given, *at)) for at in earlier)
    }
    layer, head = max(composed, key=composed.get)
    compositions = listed(panel.weights.compositions)
    row = [how for how, *_ in compositions].index("keys read")
    assert compositions[row][1] == f"L{layer} H{head}"
    assert number(compositions[row][2]) == pytest.approx(
        composed[layer, head], abs=5e-4
    )
    panel.weights.compositions.setFocus()
    index = panel.weights.compositions.model().index(row, 0)
    panel.weights.compositions.setCurrentIndex(index)
    QTest.keyClick(panel.weights.compositions, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.location == f"L{layer}")
    qtbot.waitUntil(lambda: bench.selection.head == head)
    settle(window)
    assert said(panel.window(), "title") == f"L{layer} H{head}"
    # Another head is told of from its first direction on.
    for circuit_of in ("qk", "ov"):
        assert said(panel, f"{circuit_of}.note").startswith("σ1 = ")


def check_examples(window, panel, qtbot, appearance) -> None:
    page, bench = window.feature(HeadPageFeature).page, window.workbench
    assert said(panel, "examples.note").startswith("No survey is open. “attnviewer")
    model = bench.model.experiment.run.model
    texts = "3 1 2", "2 1"
    bench.head_report.show_survey(survey(model, texts, ["previous_share"]), model)
    rows = panel.examples.rows
    shares = {}
    for text in texts:
        ids = list(map(int, text.split()))
        weights = model.run(ids).attention(LAYER)["weights"][HEAD]
        shares[text] = np.diagonal(weights[1:]).mean()
    told = sorted(texts, key=shares.get, reverse=True)
    assert listed(rows) == [[text, f"{shares[text]:.3f}"] for text in told]
    rows.setCurrentIndex(rows.model().index(told.index("3 1 2"), 0))
    appearance.set_text_size(150)
    for _ in range(3):
        QApplication.processEvents()
    assert [what for what in misfits(window) if "head." in what] == []
    rows.setFocus()
    QTest.keyClick(rows, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.model.text == "3 1 2")
    qtbot.waitUntil(lambda: bench.model.outcome is not None)
    settle(window)
    QTest.mouseClick(panel.findChild(QToolButton, "head.effect"), LEFT)
    assert bench.ablation.kind == "off"
    assert window.findChild(QDockWidget, "dock.model").isVisible()
    # Other panels have the same numbers, and showing it again computes none of them.
    numbers = bench.head_report.values("local", bench.model.heads)
    assert page.report.value(page.head, "local") == numbers[LAYER * 4 + HEAD]
    panel.window().docks.open_panel("head")
    assert bench.head_report.worker.jobs == []
    bench.selection.choose_head(2)
    page.cancel()
    assert page.trouble("circuits") == "The computation was cancelled."
    assert page.circuits is None
    bench.selection.choose_head(3)
    settle(window)
    assert page.trouble("circuits") == ""
    assert page.circuits.ov.head == 3


def test_rotary_positions_have_a_distance_and_shared_keys_are_named(
    window, open_page, llama
) -> None:
    window.findChild(QAction, "action.dock.head").trigger()
    assert said(window, "none").startswith("Open a model to see what a head does")
    assert not window.findChild(ReportList).isVisible()
    panel = open_page(llama, 1)
    assert said(panel, "weights.about") == "It shares its keys and values with H0."
    model = window.workbench.model.experiment.run.model
    panel.weights.distance.setValue(2)
    settle(window)
    value = circuit(model, 1, HEAD, "QK", -2).singular_values[0]
    assert value != pytest.approx(circuit(model, 1, HEAD).singular_values[0], abs=1e-3)
    assert said(panel, "qk.note").startswith(f"σ1 = {value:.3f}. It holds ")


def test_heads_with_the_same_number_share_a_rank() -> None:
    values = np.array([[1.0], [3.0], [3.0], [np.nan]])
    report = SentenceReport(("sink",), values, 2, {})
    shared = report.rank(HeadLocation(0, 1), "sink")
    assert rank_text(shared) == "=1st of 3"
    assert rank_sentence(shared) == (
        "1st of 3 heads, the largest number first; 2 share it."
    )
    assert rank_text(report.rank(HeadLocation(0, 0), "sink")) == "3rd of 3"
    assert report.rank(HeadLocation(1, 1), "sink") is None
