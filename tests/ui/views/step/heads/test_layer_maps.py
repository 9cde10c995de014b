"""All layers of an open model as one map, and what their heads write."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel

from attnviewer import models
from attnviewer.compute import HeadLocation
from attnviewer.models import ModelTrace
from tests.models.checkpoints import write_bert
from tests.ui.gates import gated

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

IDS = "3 14 15 9 2 6"


@pytest.fixture
def opened(window, open_model, gpt2, qtbot):
    """The window with the heads of all layers in sight."""
    open_model(gpt2)
    window.step_view.set_view("heads")
    start(window, qtbot)
    return window


def start(window, qtbot):
    """Show the heads of all layers for the sentence."""
    model = window.workbench.model
    if model.text != IDS:
        model.set_text(IDS)
        qtbot.waitUntil(lambda: model.text == IDS and model.heads is not None)
    pick(window, "layers", "all layers")


def pick(window, box, title):
    """Choose a line of a box with the keys, and wait for what that asks for."""
    combo = window.findChild(QComboBox, f"heads.{box}")
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.findText(title)):
        QTest.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentText() == title


def settle(window):
    window.workbench.layer_maps.finish()
    QApplication.processEvents()


def first_card(window):
    return window.step_view.heads.heads.wall.cards[0].card


def said(window):
    label = window.findChild(QLabel, "heads.note")
    return label.text() if label.isVisible() else None


def by_hand(run):
    """Return the attention rollout of a run."""
    mixed = np.eye(len(run.ids))
    for layer in range(run.model.n_layers):
        mean = run.attention(layer)["weights"].mean(axis=0)
        mixed = (mean + np.eye(len(mean))) / 2 @ mixed
    return mixed


def test_layers_are_combined_up_to_a_layer_or_token_and_cells_show_what_is_written(
    opened, qtbot, monkeypatch
) -> None:
    check_what_is_written(opened)
    start(opened, qtbot)
    check_cancelling(opened, monkeypatch)
    start(opened, qtbot)
    check_ends(opened, qtbot)
    start(opened, qtbot)
    check_combinations(opened, qtbot)


def check_combinations(opened, qtbot) -> None:
    bench = opened.workbench
    run = bench.model.experiment.run
    assert said(opened) is None
    pick(opened, "combination", "rollout")
    settle(opened)
    card = first_card(opened)
    assert card.title == "rollout over all layers"
    np.testing.assert_allclose(card.content.matrix.window(), by_hand(run), atol=1e-6)
    assert said(opened).startswith("Rollout leaves out the values, W_O, the MLPs")

    pick(opened, "combination", "attention × gradient")
    settle(opened)
    card = first_card(opened)
    likely = int(run.logits[-1].argmax())
    assert card.title == f"attention × gradient of the logit of “#{likely}”"
    totals = models.attention_gradient(run, models.Logit(likely)).net.values
    window = card.content.matrix.window()
    assert window.sum() == pytest.approx(totals.sum(), rel=1e-6)
    assert f"the logit of “#{likely}”" in said(opened)
    pick(opened, "combination", "rollout")
    settle(opened)
    bench.model.set_text("1 2 3")
    qtbot.waitUntil(
        lambda: bench.model.text == "1 2 3" and bench.model.heads is not None
    )
    QApplication.processEvents()
    settle(opened)
    run = bench.model.experiment.run
    window = first_card(opened).content.matrix.window()
    np.testing.assert_allclose(window, by_hand(run), atol=1e-6)
    opened.step_view.heads.heads.choices.show_large()
    assert opened.step_view.heads.heads.choices.status == "rollout over all layers"

    pick(opened, "layers", "this layer")
    combo = opened.findChild(QComboBox, "heads.combination")
    assert combo.currentText() == "none"
    assert combo.findText("rollout") < 0
    assert said(opened) is None


def check_ends(opened, qtbot) -> None:
    bench = opened.workbench
    run = bench.model.experiment.run
    end = opened.findChild(QComboBox, "heads.end")
    assert not end.isVisible()
    pick(opened, "combination", "rollout")
    assert (end.accessibleName(), end.currentText()) == ("Up to", "L3")
    pick(opened, "end", "L1")
    settle(opened)
    assert first_card(opened).title == "rollout up to L1"
    window = first_card(opened).content.matrix.window()
    mixed = [
        (run.attention(layer)["weights"].mean(axis=0) + np.eye(6)) / 2
        for layer in (0, 1)
    ]
    np.testing.assert_allclose(window, mixed[1] @ mixed[0], atol=1e-6)
    # Another way keeps the layer; in flow, nothing is narrower than a single layer.
    pick(opened, "combination", "flow")
    pick(opened, "end", "L0")
    settle(opened)
    window = first_card(opened).content.matrix.window()
    np.testing.assert_allclose(window, mixed[0], atol=1e-6)
    pick(opened, "combination", "rollout of values")
    assert end.currentText() == "L0"
    settle(opened)
    assert first_card(opened).title == "rollout of values up to L0"
    window = first_card(opened).content.matrix.window()
    np.testing.assert_allclose(
        window, models.rollout(run, 0, "values").values, atol=1e-6
    )
    assert said(opened).startswith("Rollout of values leaves out")

    pick(opened, "combination", "attention × gradient")
    assert (end.accessibleName(), end.currentText()) == ("After token", "5 #6")
    pick(opened, "end", "2 #15")
    settle(opened)
    likely = int(run.logits[2].argmax())
    card = first_card(opened)
    assert card.title.endswith(f"the logit of “#{likely}” after token 2")
    window = card.content.matrix.window()
    metric = models.Logit(likely, position=2)
    expected = models.attention_gradient(run, metric).by_token().values
    np.testing.assert_allclose(window, expected, atol=1e-6)
    assert not window[3:].any()  # later tokens are not read
    # A shorter sentence has no such token.
    bench.model.set_text("1 2")
    qtbot.waitUntil(lambda: bench.model.text == "1 2" and bench.model.heads is not None)
    QApplication.processEvents()
    assert end.currentText() == "1 #2"
    pick(opened, "layers", "this layer")
    assert not end.isVisible()


def check_what_is_written(opened) -> None:
    run = opened.workbench.model.experiment.run
    pick(opened, "cells", "what is written")
    settle(opened)
    wall = opened.step_view.heads.heads.wall
    weights = run.attention(2)
    values = weights["V"][1].astype(np.float64)  # (n, d_head)
    width = values.shape[1]
    moved = values @ run.weights(2)["W_O"][width : 2 * width]  # (n, d_model)
    expected = weights["weights"][1] * np.linalg.norm(moved, axis=1)  # (n, n)
    card = wall.card_of(HeadLocation(2, 1)).card
    np.testing.assert_allclose(card.content.matrix.window(), expected, rtol=1e-5)
    highest = max(c.card.content.matrix.window().max() for c in wall.cards)
    assert card.content.scale.high == pytest.approx(highest)
    pick(opened, "combination", "mean")
    combined = first_card(opened).content.matrix.window()
    every = [c.card.content.matrix.window() for c in wall.cards[1:]]
    np.testing.assert_allclose(combined, np.mean(every, axis=0))
    pick(opened, "cells", "weights")
    row = wall.card_of(HeadLocation(2, 1)).card.content.matrix.window()[5]
    assert row.sum() == pytest.approx(1, abs=1e-5)


def check_cancelling(opened, monkeypatch) -> None:
    maps = opened.workbench.layer_maps
    with gated(monkeypatch, ModelTrace, "attention") as gate:
        gate.clear()
        pick(opened, "combination", "flow")  # by way of the rollout, which is left
        (job,) = maps.worker.jobs
        assert said(opened) == "Computing…"
        assert maps.progress(job) == "combining layers… 0 %"
        maps.cancel()
        gate.set()
    assert said(opened).startswith("This was cancelled.")
    pick(opened, "combination", "none")
    pick(opened, "combination", "flow")
    settle(opened)
    values = first_card(opened).content.matrix.window()
    # All that is in the first token is its own.
    np.testing.assert_allclose(values[0], [1, 0, 0, 0, 0, 0], atol=1e-7)
    assert said(opened).startswith("Flow leaves out")


def test_a_gradient_of_an_encoder_needs_a_second_sentence(
    window, open_model, tmp_path, qtbot
) -> None:
    model = open_model(write_bert(tmp_path / "encoder"))
    window.step_view.set_view("heads")
    pick(window, "layers", "all layers")
    pick(window, "combination", "attention × gradient")
    settle(window)
    assert "needs a second sentence" in said(window)
    before = model.experiment
    model.compare("5 4 3")
    qtbot.waitUntil(lambda: model.experiment is not before and model.heads is not None)
    QApplication.processEvents()
    window.step_view.set_view("heads")
    settle(window)
    assert first_card(window).title == "attention × gradient of the cosine"
    assert not window.findChild(QComboBox, "heads.end").isVisible()
    assert np.abs(first_card(window).content.matrix.window()).max() > 0
