"""A head is switched off, or held at its mean, and nothing else changes."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QToolButton

from attnviewer.compute import HeadLocation
from attnviewer.models import load
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.model_effect import EffectPanel
from tests.models.checkpoints import write_bert
from tests.ui.cut_off_texts import misfits

AS_IT_IS, OFF, MEAN = range(3)


@pytest.fixture
def panel(window, open_model, gpt2):
    open_model(gpt2)
    window.findChild(QDockWidget, "dock.model").raise_()
    return window.findChild(EffectPanel)


def button(panel, number):
    return panel.findChild(QToolButton, f"effect.switch.{number}")


def click(panel, number, qtbot):
    QTest.mouseClick(button(panel, number), Qt.MouseButton.LeftButton)
    wait(panel, qtbot)


def wait(panel, qtbot):
    model, preview = (getattr(workbench(panel), n) for n in ("model", "ablation"))
    qtbot.waitUntil(lambda: model.outcome is not None and not model.computing)
    qtbot.waitUntil(lambda: preview.kind is None or preview.effect is not None)
    QApplication.processEvents()


def workbench(panel):
    return panel.window().workbench


def said(panel):
    return panel.findChild(QLabel, "effect.switch.note").text()


def shares(panel):
    rows = panel.layers.model()
    return [rows.index(n, 1).data() for n in range(rows.rowCount())]


def without_rows(run, layer, head, position):
    """Return layers' changes and probabilities of a run without a head's W_O."""
    w_o = run.weights(layer)["W_O"].copy()
    width = len(w_o) // run.model.n_heads
    w_o[head * width : (head + 1) * width] = 0
    other = run.with_weights(layer, {"W_O": w_o})
    pairs = list(zip(run.hidden_states, other.hidden_states, strict=True))[1:]
    changes = [np.linalg.norm(b - a) / np.linalg.norm(a) for a, b in pairs]
    rows = [
        np.linalg.norm(p - q) / np.linalg.norm(p)
        for p, q in zip(*pairs[layer], strict=True)
    ]
    return changes, rows, other.next_probabilities(position)


def test_a_switch_tells_what_a_head_does_changes_nothing_and_follows_the_head(
    panel, qtbot
) -> None:
    check_going_back(panel, qtbot)
    click(panel, AS_IT_IS, qtbot)
    check_what_is_told(panel, qtbot)
    click(panel, AS_IT_IS, qtbot)
    check_following(panel, qtbot)


def check_what_is_told(panel, qtbot) -> None:
    model = workbench(panel).model
    workbench(panel).selection.choose_head(2)
    layer = model.location.layer
    click(panel, OFF, qtbot)
    run, (query, _) = model.experiment.run, workbench(panel).selection.cell
    changes, rows, probabilities = without_rows(run, layer, 2, query)
    for share, change in zip(shares(panel), changes, strict=True):
        if change:
            assert float(share.removesuffix(" %")) == pytest.approx(
                100 * change, rel=0.01
            )
        else:
            assert share == "="
    assert changes[layer] > 0
    token, most = run.tokens[int(np.argmax(rows))], 100 * max(rows)
    assert said(panel).startswith(f"Without L{layer} H2, “{token}” changes most")
    told = said(panel).rsplit("by ", 1)[1].removesuffix(" %.")
    assert float(told) == pytest.approx(most, rel=0.06)
    table = panel.tokens.model()
    now = {
        int(table.index(row, 0).data().strip("“”#")): float(table.index(row, 2).data())
        for row in range(table.rowCount())
    }
    for id, probability in now.items():
        assert probability == pytest.approx(probabilities[id], abs=6e-5)
    bench = workbench(panel)
    click(panel, OFF, qtbot)
    before = bench.ablation.effect
    bench.open_step("weights", (3, 1))
    qtbot.waitUntil(lambda: bench.model.outcome.next_tokens.position == 3)
    qtbot.waitUntil(
        lambda: (
            bench.ablation.effect is not None
            and bench.ablation.effect.outcome.next_tokens.position == 3
        )
    )
    assert bench.ablation.effect.run is before.run


def check_going_back(panel, qtbot) -> None:
    before = shares(panel), said(panel)
    click(panel, MEAN, qtbot)
    assert shares(panel) != before[0]
    assert "held at its mean" in said(panel)
    click(panel, AS_IT_IS, qtbot)
    assert (shares(panel), said(panel)) == before
    assert said(panel) == "A preview: neither the document nor the model changes."
    preview = workbench(panel).ablation
    preview.choose("mean")
    preview.cancel()
    assert preview.kind is None
    assert button(panel, AS_IT_IS).isChecked()
    assert preview.worker.jobs == []
    button(panel, AS_IT_IS).setFocus()
    QTest.keyClick(button(panel, AS_IT_IS), Qt.Key.Key_Right)
    wait(panel, qtbot)
    assert QApplication.focusWidget() is button(panel, OFF)
    QTest.keyClick(button(panel, OFF), Qt.Key.Key_Space)
    wait(panel, qtbot)
    assert workbench(panel).ablation.kind == "off"
    bench = workbench(panel)
    document, experiment = bench.document, bench.model.experiment
    inputs = {n: document.matrix(n).copy() for n in document.spec.input_names}
    weights = bench.engine.current.trace["weights"].copy()
    click(panel, OFF, qtbot)
    click(panel, MEAN, qtbot)
    assert bench.document is document
    assert bench.model.experiment is experiment
    assert not bench.edits.canUndo()
    assert not bench.modified
    assert document.pins == ()
    for name, matrix in inputs.items():
        np.testing.assert_array_equal(document.matrix(name), matrix)
    np.testing.assert_array_equal(bench.engine.current.trace["weights"], weights)


def check_following(panel, qtbot) -> None:
    bench = workbench(panel)
    bench.model.show(ModelLocation(1))
    wait(panel, qtbot)
    click(panel, OFF, qtbot)
    seen = []
    for head in (0, 3):
        bench.selection.choose_head(head)
        wait(panel, qtbot)
        assert bench.ablation.effect.ablation.name == f"L1 H{head}"
        assert panel.findChild(QLabel, "effect.switch.title").text() == (
            f"Effect of L1 H{head}"
        )
        seen.append(shares(panel))
    bench.model.set_text("5 4 3")
    wait(panel, qtbot)
    assert len(bench.ablation.effect.tokens) == 3
    bench.model.show(ModelLocation(0))
    wait(panel, qtbot)
    assert bench.ablation.head == HeadLocation(0, 3)
    seen.append(shares(panel))
    assert len({tuple(rows) for rows in seen}) == 3
    click(panel, OFF, qtbot)
    panel.window().opener.open("example:four-words")
    QApplication.processEvents()
    assert not button(panel, OFF).isVisible()
    assert workbench(panel).ablation.effect is None


def test_an_encoder_tells_its_embedding_and_all_texts_are_whole(
    window, open_model, tmp_path, qtbot, appearance
) -> None:
    folder = write_bert(tmp_path / "bert")
    open_model(folder)
    window.findChild(QDockWidget, "dock.model").raise_()
    panel = window.findChild(EffectPanel)
    click(panel, OFF, qtbot)
    bench = window.workbench
    run = load(folder).run(list(bench.model.experiment.run.ids))
    location = bench.ablation.head
    w_o = run.weights(location.layer)["W_O"].copy()
    width = len(w_o) // run.model.n_heads
    w_o[location.head * width : (location.head + 1) * width] = 0
    other = run.with_weights(location.layer, {"W_O": w_o})
    a, b = (r.hidden_states[-1].mean(axis=0) for r in (run, other))
    text = panel.findChild(QLabel, "effect.embedding").text()
    cosine = float(text.splitlines()[0].removeprefix("cosine similarity to before: "))
    expected = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert cosine == pytest.approx(expected, abs=1e-4)
    for percent in (100, 200):
        appearance.set_text_size(percent)
        wait(panel, qtbot)
        assert misfits(panel) == [], percent
