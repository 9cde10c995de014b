"""A recording in the window: its layers one by one, and their check."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from attnviewer.compute import Spec
from attnviewer.recording import RecordedRun
from attnviewer.recording.recorded_layer import RecordedLayer
from attnviewer.ui.features.recording import RecordingFeature
from attnviewer.ui.files.recent import recent_paths
from attnviewer.ui.views.recording import RecordingPanel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

BATCH, HEADS, KV_HEADS, N, D = 2, 4, 2, 5, 3
LEFT, KEY = Qt.MouseButton.LeftButton, Qt.Key


def _layer(name: str, **options) -> RecordedLayer:
    random = np.random.default_rng(len(name))
    spec = Spec(
        **{"projected": False, "given": True, "n_heads": HEADS, "n_kv_heads": KV_HEADS},
        **options,
    )
    inputs = {
        "Q": random.standard_normal((BATCH, HEADS, N, D)),
        "K": random.standard_normal((BATCH, KV_HEADS, N, D)),
        "V": random.standard_normal((BATCH, KV_HEADS, N, D)),
    }
    if spec.bias:
        inputs["bias"] = random.standard_normal((1, HEADS, N, N))
        return RecordedLayer(name, spec, inputs)
    right = RecordedLayer(name, spec, inputs)
    outputs = [right.trace(item)["output"] for item in range(BATCH)]
    return RecordedLayer(name, spec, inputs, np.stack(outputs))


@pytest.fixture
def recording(tmp_path):
    """Two layers, and one with a bias for each head and without outputs."""
    layers = _layer("first", causal=True, scale=0.5), _layer("next")
    RecordedRun([*layers, _layer("biased", bias=True)]).save(tmp_path / "run.npz")
    return tmp_path / "run.npz"


def test_layers_are_gone_through_and_checked_or_refused_by_their_path_and_place(
    window, recording, qtbot
) -> None:
    check_damage(window, recording.with_name("damaged.npz"), recording, qtbot)
    check_layers(window, recording, qtbot)


def check_layers(window, recording, qtbot) -> None:
    model = window.feature(RecordingFeature).recording

    def settle(title):
        qtbot.waitUntil(lambda: window.document.title == title)
        QApplication.processEvents()

    window.importer.open_files([recording])  # as what is dropped
    settle("first, item 0")
    assert recent_paths()[0] == recording
    panel = window.findChild(RecordingPanel)
    assert panel.isVisible()
    rows = panel.list.rows
    assert [
        [rows.index(row, column).data() for column in range(5)]
        for row in range(rows.rowCount())
    ] == [
        ["0", "first", "causal", "4/2", "5"],
        ["1", "next", "–", "4/2", "5"],
        ["2", "biased", "bias", "4/2", "5"],
    ]
    tip = rows.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Q 2×4×5×3" in tip
    assert "scale 0.5" in tip
    by_hand = model.layers[0].inputs
    # Heads stand side by side in a document.
    np.testing.assert_array_equal(
        window.document.matrix("Q"), by_hand["Q"][0].swapaxes(0, 1).reshape(N, -1)
    )
    assert not panel.back.isEnabled()
    window.workbench.selection.choose_step("scores")
    QTest.mouseClick(panel.next, LEFT)
    settle("next, item 0")
    assert window.workbench.selection.step == "scores"
    panel.item.setFocus()
    QTest.keyClick(panel.item, KEY.Key_Up)
    settle("next, item 1")
    panel.list.setFocus()
    QTest.keyClick(panel.list, KEY.Key_Down)
    QTest.keyClick(panel.list, KEY.Key_Return)
    settle("biased, head 0, item 1")  # no document holds a bias for each head
    assert (panel.head.value(), panel.head.minimum()) == (0, 0)
    assert not panel.next.isEnabled()
    assert "output of this layer was not recorded" in panel.check.toolTip()
    assert not panel.check.isEnabled()
    QTest.keyClick(panel.head, KEY.Key_Up)
    settle("biased, head 1, item 1")
    np.testing.assert_array_equal(
        window.document.matrix("bias"), model.layers[2].inputs["bias"][0, 1]
    )
    for _ in range(2):
        QTest.keyClick(panel.list, KEY.Key_Up)
    QTest.keyClick(panel.list, KEY.Key_Return)
    settle("first, head 1, item 1")
    QTest.mouseClick(panel.check, LEFT)
    dialog = window.checker.dialog
    assert dialog.spec == "n_heads=4,causal=true,scale=0.5"
    dialog.findChild(QPushButton, "check.start").click()
    qtbot.waitUntil(lambda: window.document.title == "run first", timeout=30_000)
    examination = window.workbench.doctor.examination
    assert examination.diagnosis.agrees
    assert list(examination.steps) == ["heads"]
    # A document from elsewhere is no layer, and the panel leads back.
    assert not model.is_open
    panel.list.follow(rows.index(0, 1))
    settle("first, head 1, item 1")
    assert model.is_open


def check_damage(window, damaged, recording, qtbot) -> None:
    content = dict(np.load(recording))
    content["layers.1.Q"] = content["layers.1.Q"][[0, 1, 1]]
    np.savez(damaged, **content)
    before = window.document
    window.opener.open(str(damaged))
    qtbot.waitUntil(lambda: bool(window.frame.notice.text))
    told = window.frame.notice.text
    assert told == (
        f"{damaged}, layers.1.Q: It must have shape (batch, h, …, …), with "
        "2 batch items as V has. Got (3, 4, 5, 3) instead."
    )
    assert window.document is before
