"""Heads are switched off and activations patched in a dock of the window."""

import csv

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QPushButton,
    QToolButton,
    QToolTip,
)

from attnviewer.models import Site
from attnviewer.ui.features.patching import PatchingFeature
from attnviewer.ui.views.patching import PatchingPanel
from tests.focus import visited_by_tab
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

SENTENCE, OTHER = "1 2 3 4 5", "1 2 7 4 5"
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def panel(window, open_model, gpt2, qtbot):
    """The dock of a small decoder over five tokens, opened from the menu."""
    toggle = window.docks.toggle("patching")
    assert not toggle.isEnabled()
    assert toggle.toolTip() == "Open a model first: File ▸ Open model…"
    model = open_model(gpt2)
    assert toggle.isEnabled()
    model.set_text(SENTENCE)
    qtbot.waitUntil(lambda: model.text == SENTENCE and model.heads is not None)
    toggle.trigger()
    QApplication.processEvents()
    return window.findChild(PatchingPanel)


@pytest.fixture
def large_texts(appearance):
    """Texts of twice the size, before there is a window to be styled anew."""
    appearance.set_text_size(200)


def settle(window):
    patching = window.feature(PatchingFeature).patching
    for _ in range(2):  # what is read, and what is computed of it
        QApplication.processEvents()
        patching.finish()
    QApplication.processEvents()
    return patching


def compute(window, panel):
    settle(window)
    QTest.mouseClick(panel.run, LEFT)
    return settle(window)


def choose(box, data):
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())


def said(panel, name):
    return panel.findChild(QLabel, f"patching.{name}").text()


def runs(window):
    clean = window.workbench.model.experiment.run
    return clean, clean.model.run([int(token) for token in OTHER.split()])


def logit_difference(run, tokens):
    return float(run.next_logits()[tokens[0]] - run.next_logits()[tokens[1]])


def best_tokens(window):
    clean, other = runs(window)
    first = int(clean.next_logits().argmax())
    ranked = np.argsort(-other.next_logits(), kind="stable").tolist()
    return first, next(token for token in ranked if token != first)


def test_heads_are_patched_or_switched_off_and_what_cannot_be_used_is_refused(
    window, panel, qtbot, monkeypatch, tmp_path
) -> None:
    check_patched_head(window, panel, qtbot)
    check_tab_visits_the_panel_as_one_reads(panel)
    panel.pair.other.selectAll()
    QTest.keyClick(panel.pair.other, Qt.Key.Key_Delete)
    check_refusals(window, panel, qtbot)
    check_ablation(window, panel, monkeypatch, tmp_path)


def check_tab_visits_the_panel_as_one_reads(panel):
    switch = panel.findChild(QToolButton, "patching.way.patch")
    spoken = QAccessible.queryAccessibleInterface(switch)
    assert spoken.role() == QAccessible.Role.RadioButton
    assert (spoken.text(QAccessible.Text.Name), spoken.state().checked) == ("Patch", 1)
    switch.setFocus()
    visited = visited_by_tab(panel)
    names = [name for _, name in visited]
    assert names.index("patching.estimated") < names.index("patching.run")
    assert len(visited) > 8
    assert visited == sorted(visited, key=lambda stop: stop[0])


def check_patched_head(window, panel, qtbot):
    # To open the panel puts the focus into the field.
    QTest.keyClicks(QApplication.focusWidget(), OTHER)
    patching = settle(window)
    assert panel.pair.tokens.differing == [2]
    assert panel.pair.tokens.accessibleDescription() == "“#3” became “#7”"
    tokens = best_tokens(window)
    fields = panel.metric_form.token, panel.metric_form.minus
    assert [field.placeholderText() for field in fields] == [f"#{t}" for t in tokens]
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle(window)
    clean, other = runs(window)
    good, bad = (logit_difference(run, tokens) for run in (clean, other))
    patched = other.with_activations(
        {Site("heads", 1, 2): clean.attention(1)["heads"][2]}
    )
    share = (logit_difference(patched, tokens) - bad) / (good - bad)
    grid = patching.effect.grid
    assert grid.values.shape == (4, 4)
    assert grid.values[1, 2] == pytest.approx(share, abs=1e-5)
    numbers = f"clean {good:.2f}, corrupted {bad:.2f}".replace("-", "−")
    assert said(panel, "measured.note") == (
        f"Logit of #{tokens[0]} − #{tokens[1]}: {numbers}; 1 = all of the difference "
        "restored, 0 = none."
    )
    picture = panel.measured.picture
    picture.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right):
        QTest.keyClick(picture, key)
    told = f"L1 H2 heads: {'+' if share > 0 else '−'}{abs(share):.4g}"
    assert picture.accessibleDescription() == told
    at = picture.rect_of((1, 2)).center()
    tip = QHelpEvent(QEvent.Type.ToolTip, at, picture.mapToGlobal(at))
    QApplication.sendEvent(picture, tip)
    assert QToolTip.text().startswith(told)
    QToolTip.hideText()
    QTest.keyClick(picture, Qt.Key.Key_C, CONTROL)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == ["", "H0", "H1", "H2", "H3"]
    assert lines[2].split("\t")[0] == "L1"
    assert float(lines[2].split("\t")[3]) == grid.values[1, 2]
    bench, model = window.workbench, window.workbench.model
    QTest.keyClick(picture, Qt.Key.Key_Return)
    settle(window)
    qtbot.waitUntil(lambda: bench.location == "L1" and bench.selection.head == 2)
    assert bench.selection.step == "heads"
    assert {(pin.step, pin.head) for pin in bench.document.pins} == {("heads", 2)}
    np.testing.assert_allclose(
        bench.engine.current.trace["heads"][2], clean.attention(1)["heads"][2], 1e-5
    )
    assert model.text == SENTENCE  # which the grid is about
    assert not patching.outdated
    assert window.notice.text == (
        "Open: the corrupted sentence with L1 H2 heads of the clean one."
    )
    back = next(
        b for b in window.notice.findChildren(QPushButton) if "Back" in b.text()
    )
    QTest.mouseClick(back, LEFT)
    qtbot.waitUntil(lambda: bench.link.run is model.experiment.run)
    assert bench.document.pins == ()


def check_refusals(window, panel, qtbot) -> None:
    pair, form = panel.pair, panel.metric_form
    settle(window)
    assert not panel.run.isEnabled()
    assert panel.run.toolTip() == "Type the corrupted sentence first."
    QTest.keyClicks(pair.other, OTHER)
    patching = compute(window, panel)
    before = patching.effect
    assert before is not None
    QTest.keyClicks(pair.other, " 6 6")
    assert panel.run.isEnabled()  # it has yet to be read
    settle(window)
    assert said(panel, "other.reason") == (
        "The two sentences must have the same number of tokens, one for each of the "
        "other's. Got 5 and 7 instead."
    )
    assert pair.tokens.differing == [2, 5, 6]
    assert not panel.run.isEnabled()
    QTest.keyClicks(form.token, "wind")
    settle(window)
    assert said(panel, "token.reason").startswith("The 'token' must be given by its id")
    assert pair.other.text() == f"{OTHER} 6 6"
    assert patching.effect is before
    assert panel.findChild(QLabel, "patching.outdated").isVisible()
    items = form.kind.model()
    cosine = form.kind.findData("cosine")
    assert not items.item(cosine).isEnabled()
    assert form.kind.itemData(cosine, Qt.ItemDataRole.ToolTipRole) == (
        "The model must be an encoder to embed a sentence. Got GPT-2 instead, a "
        "decoder."
    )
    form.token.clear()
    form.token.textEdited.emit("")
    pair.other.selectAll()
    QTest.keyClicks(pair.other, SENTENCE)
    compute(window, panel)
    reason = said(panel, "trouble")
    assert reason.startswith("The 'metric' must differ between the two runs")
    assert patching.effect is before
    # It is not that of another sentence.
    model = window.workbench.model
    for text in ("1 2 3 4 6", SENTENCE):
        model.set_text(text)
        qtbot.waitUntil(lambda text=text: model.text == text and bool(model.heads))
        assert said(panel, "trouble") == ""


def check_ablation(window, panel, monkeypatch, tmp_path):
    QTest.mouseClick(panel.findChild(QToolButton, "patching.way.ablate"), LEFT)
    choose(panel.metric_form.kind, "probability")
    patching = compute(window, panel)
    run, other = runs(window)
    token = int(run.next_logits().argmax())
    heads = run.attention(3)["heads"]  # (h, n, d_head)

    def change(outputs):
        off = run.with_activations({Site("heads", 3, 1): outputs})
        return off.next_probabilities()[token] - run.next_probabilities()[token]

    assert patching.effect.grid.values[3, 1] == pytest.approx(
        change(0 * heads[1]), abs=1e-6
    )
    assert said(panel, "measured.title") == "Output of each head replaced by zero"
    assert said(panel, "measured.note").startswith(
        f"Change of the probability of #{token}"
    )
    assert panel.estimated.isHidden()
    choose(panel.ablation.to, "mean")
    patching = compute(window, panel)
    mean = np.tile(heads[1].mean(axis=0), (5, 1))
    assert patching.effect.grid.values[3, 1] == pytest.approx(change(mean), abs=1e-6)
    choose(panel.ablation.to, "resample")
    settle(window)
    assert panel.run.toolTip() == "Type the other sentences first."
    panel.ablation.over.setPlainText("1 2")
    settle(window)
    assert said(panel, "over.reason").endswith("Got 5 and 2 instead.")
    panel.ablation.over.setPlainText(f"{OTHER}\n\n")
    patching = compute(window, panel)
    resampled = change(other.attention(3)["heads"][1])
    assert patching.effect.grid.values[3, 1] == pytest.approx(resampled, abs=1e-6)
    path = tmp_path / "grid.csv"
    answer = str(path), ""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: answer)
    QTest.mouseClick(panel.findChild(QPushButton, "patching.measured.export"), LEFT)
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    assert [row[0] for row in rows] == ["", "L0", "L1", "L2", "L3"]
    assert float(rows[4][2]) == patching.effect.grid.values[3, 1]
    picture = panel.measured.picture
    QTest.mouseClick(picture, LEFT, pos=picture.rect_of((3, 1)).center())
    settle(window)
    assert window.workbench.selection.head == 1
    np.testing.assert_allclose(
        window.workbench.engine.current.trace["heads"][1],
        other.attention(3)["heads"][1],
        rtol=1e-5,
    )
    window.appearance.set_text_size(200)
    QApplication.processEvents()
    over = panel.ablation.over
    assert over.height() >= 4 * over.fontMetrics().lineSpacing()


@pytest.mark.usefixtures("large_texts")
def test_the_estimate_stands_beside_what_was_measured(window, panel, gate) -> None:
    QTest.keyClicks(panel.pair.other, OTHER)
    choose(panel.pair.sites, "stream")
    assert panel.pair.by.currentData() == "token"
    assert not panel.pair.by.model().item(0).isEnabled()
    patching = compute(window, panel)
    assert panel.estimate.isHidden()
    QTest.mouseClick(
        panel.estimated, LEFT, pos=QPoint(8, panel.estimated.height() // 2)
    )
    settle(window)
    measured, estimate = patching.effect.grid, patching.estimate.grid
    # Only the token that differs enters the first layer differently.
    np.testing.assert_allclose(measured.values[0], [0, 0, 1, 0, 0], atol=1e-5)
    assert measured.values.shape == estimate.values.shape == (4, 5)
    pairs = measured.values.ravel(), estimate.values.ravel()
    centred = [each - each.mean() for each in pairs]
    r = centred[0] @ centred[1] / np.sqrt(np.prod([c @ c for c in centred]))
    assert said(panel, "agreement").endswith(f"r = {r:.2f}.".replace("-", "−"))
    assert said(panel, "estimate.title").startswith("Estimate by gradients")
    assert misfits(window) == []
    choose(panel.pair.direction, "clean")
    settle(window)
    gate.clear()
    panel.run.setFocus()
    QTest.keyClick(panel.run, Qt.Key.Key_Space)
    QApplication.processEvents()
    assert panel.cancel.hasFocus()
    assert not panel.run.isEnabled()
    QTest.keyClick(panel.cancel, Qt.Key.Key_Space)
    gate.set()
    settle(window)
    assert panel.cancel.isHidden()
    assert panel.run.hasFocus()
    assert patching.effect.grid is measured
    assert patching.outdated
    # A patch of the stream opens the layer, of the sentence that it was put into.
    picture = panel.measured.picture
    QTest.mouseClick(picture, LEFT, pos=picture.rect_of((2, 2)).center())
    settle(window)
    bench, (clean, other) = window.workbench, runs(window)
    assert bench.location == "L2"
    rows = bench.link.run.stream(2)
    np.testing.assert_allclose(rows[2], clean.stream(2)[2], rtol=1e-5)
    np.testing.assert_allclose(rows[4], other.stream(2)[4], rtol=1e-5)
