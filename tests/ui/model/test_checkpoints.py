"""The open model compared with another checkpoint of its architecture."""

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel
from safetensors.numpy import load_file, save_file

from attnviewer.compute import HeadLocation
from attnviewer.models import load
from attnviewer.ui.model.checkpoints import CheckpointComparing
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.head_atlas import HeadAtlas
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.tint_legend import TintLegend
from tests.models import encoder_decoders
from tests.models.checkpoints import write_gpt2


def notice(window):
    return window.findChild(QLabel, "notice.text").text()


@pytest.fixture
def base(gpt2, tmp_path):
    """What the model was tuned from: all but the values of L1 H2 are the same."""
    folder = tmp_path / "base"
    folder.mkdir()
    tensors = load_file(gpt2 / "model.safetensors")
    tensors["transformer.h.1.attn.c_attn.weight"][:, 64 + 16 : 64 + 24] *= 3
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_bytes((gpt2 / "config.json").read_bytes())
    return folder


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_another_checkpoint_is_the_baseline_of_every_head_until_the_comparison_ends(
    window, open_model, gpt2, base, tmp_path, qtbot, monkeypatch
) -> None:
    compare = window.findChild(QAction, "action.model.compare_checkpoint")
    end = window.findChild(QAction, "action.model.end_checkpoint")
    assert not compare.isEnabled()
    model = open_model(gpt2)
    workbench = window.workbench
    assert not end.isVisible()

    def choose(folder):
        chosen = str(folder / "config.json"), "Models"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a: chosen)
        compare.trigger()

    choose(write_gpt2(tmp_path / "small", n_layer=3))
    told = "must have n_layers 4, as little has. Got n_layers 3 instead."
    qtbot.waitUntil(lambda: notice(window).endswith(told))
    assert model.experiment.reference is None

    choose(base)
    qtbot.waitUntil(lambda: model.heads is not None and end.isVisible())
    assert notice(window).startswith("Compared with “base”: heads can be sorted by")
    assert window.step_view.view == "difference"

    window.docks.open_panel("heads")
    QApplication.processEvents()
    atlas = window.findChild(HeadAtlas)
    box = atlas.choices.order
    shown = [box.itemText(k) for k in range(box.count())]
    first = shown.index("Difference from “base”") + 1
    assert shown[first : first + 3] == ["ΔW, norm", "ΔW, largest", "ΔW_Q, relative"]
    # Tinted by the weights until another difference is chosen.
    legend = atlas.findChild(TintLegend)
    assert legend.text.startswith("Tint: ΔW, norm 0 … ")
    box.setCurrentIndex(shown.index("Δ attention, largest"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: legend.text.startswith("Tint: Δ attention, largest"))
    experiment = model.experiment
    pair = (experiment.run, experiment.reference)
    own, theirs = (run.attention(2)["weights"] for run in pair)  # (h, n, n)
    changes = workbench.head_report.values("change.largest", model.heads)
    np.testing.assert_allclose(
        changes[8:12], abs(own - theirs).max(axis=(1, 2)), rtol=1e-5
    )
    assert not changes[:8].any()  # V of layer 1 reaches attention from layer 2 on
    changes = workbench.head_report.values("change.mean", model.heads)
    np.testing.assert_allclose(
        changes[8:12], abs(own - theirs).sum(axis=2).mean(axis=1) / 2, rtol=1e-5
    )
    box.setCurrentIndex(shown.index("ΔW_V, relative"))
    box.activated.emit(box.currentIndex())
    changed = HeadLocation(1, 2)
    assert atlas.maps.arrangement.order[0] == changed
    tinted = dict(zip(("changed", "same"), (changed, HeadLocation(1, 1)), strict=True))
    assert {k: atlas.maps.tints[at] for k, at in tinted.items()} == {
        "changed": 1,
        "same": 0,
    }

    # The cards of all heads are tinted in the same way.
    window.step_view.set_view("heads")
    cards = window.step_view.page_of("heads").heads
    cards.choices.show_all_layers()
    qtbot.waitUntil(lambda: cards.wall.card_of(changed) is not None)
    shown = cards.choices.findChild(ChoiceBox, "heads.statistic")
    shown.setCurrentIndex(shown.findText("ΔW_V, relative"))
    shown.activated.emit(shown.currentIndex())
    assert {k: cards.wall.card_of(at).tint for k, at in tinted.items()} == {
        "changed": 1,
        "same": 0,
    }
    assert cards.remarks.legend.text.startswith("Tint: ΔW_V, relative 0 … ")

    model.show(ModelLocation(2), 1)
    qtbot.waitUntil(lambda: model.location.layer == 2 and model.heads is not None)
    reference = workbench.baseline.reference()
    assert reference.title == "base"
    ids = list(model.experiment.run.ids)
    np.testing.assert_allclose(
        reference.trace["weights"],
        load(base).run(ids).attention(2)["weights"],
        rtol=1e-5,
    )
    model.set_text("3 4 5")
    qtbot.waitUntil(lambda: model.text == "3 4 5" and model.heads is not None)
    assert model.experiment.reference.ids == (3, 4, 5)

    end.trigger()
    qtbot.waitUntil(lambda: not end.isVisible() and model.heads is not None)
    assert model.experiment.compared is None
    assert not legend.isVisible()
    assert not atlas.maps.tints
    assert {card.tint for card in cards.wall.cards} <= {0}
    assert not cards.remarks.legend.isVisible()
    assert workbench.baseline.pinned is None
    headings = [group.heading for group in workbench.head_report.groups]
    assert not any(heading.startswith("Difference") for heading in headings)
    check_that_a_model_with_bad_weights_leaves_no_tint(window, base, choose, qtbot)


def check_that_a_model_with_bad_weights_leaves_no_tint(window, base, choose, qtbot):
    model, atlas = window.workbench.model, window.findChild(HeadAtlas)
    legend = atlas.findChild(TintLegend)
    choose(base)
    qtbot.waitUntil(legend.isVisible)
    tensors = load_file(base / "model.safetensors")
    tensors["transformer.h.1.mlp.c_fc.weight"][0, 0] = np.nan
    bad = base.with_name("bad")
    bad.mkdir()
    save_file(tensors, bad / "model.safetensors")
    (bad / "config.json").write_bytes((base / "config.json").read_bytes())
    before = model.experiment
    window.opener.open(str(bad))
    qtbot.waitUntil(lambda: model.experiment is not before and not model.computing)
    QApplication.processEvents()
    told = "The hidden states after layer 1 must hold finite numbers."
    assert notice(window).startswith(told)
    assert atlas.findChild(QLabel, "atlas.note").text().startswith(told)
    assert not legend.isVisible()


def test_all_parts_of_an_encoder_decoder_are_compared(
    window, open_model, tmp_path, qtbot
) -> None:
    case = encoder_decoders.load("t5")
    folder = case.write(tmp_path / "t5")
    name = "decoder.block.0.layer.1.EncDecAttention.k.weight"
    weights = load_file(folder / "model.safetensors")[name].copy()
    width = case.told["config"]["d_kv"]
    weights[width : 2 * width] *= 3  # of head 1
    base = case.write(tmp_path / "base", {name: weights})
    model = open_model(folder)
    comparing = window.findChild(CheckpointComparing)
    comparing.open(base)
    qtbot.waitUntil(
        lambda: model.heads is not None and model.experiment.reference is not None
    )
    report = window.workbench.head_report

    def changed(name):
        return np.flatnonzero(report.values(name, model.heads)).tolist()

    assert changed("difference.norm") == []
    assert len(model.experiment.run.model.parts) == 3
    for part, expected in (("cross", [1]), ("encoder", [])):
        model.show_part(part)
        qtbot.waitUntil(lambda: not model.computing and model.heads is not None)
        assert changed("difference.W_K") == expected
        run, other = model.experiment.run, model.experiment.reference
        assert other.model.name == "base"
        assert other.ids == run.ids
        assert other.attention(0)["weights"].shape == run.attention(0)["weights"].shape
