"""What the Model dock says, and when."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QLineEdit, QToolButton

from attnviewer.document import SetCells
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.model_effect import EffectPanel
from tests.models import output_heads
from tests.models.checkpoints import write_bert, write_gpt2
from tests.models.vision import recorded_vision
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def gpt2(tmp_path):
    return write_gpt2(tmp_path / "little", n_layer=3)


@pytest.fixture
def panel_over(qtbot, appearance, open_window):
    def open_(folder):
        window = open_window("example:four-words", (1366, 768))
        open_model(qtbot, window, folder)
        window.findChild(QDockWidget, "dock.model").raise_()
        return window.findChild(EffectPanel)

    return open_


def open_model(qtbot, window, folder):
    window.workbench.model.open(folder)
    settle(qtbot, window)


def settle(qtbot, window):
    model = window.workbench.model
    qtbot.waitUntil(lambda: model.outcome is not None and not model.computing)
    QApplication.processEvents()


def text(panel, name):
    label = panel.findChild(QLabel, f"effect.{name}")
    return label.text() if label.isVisible() else None


def change(qtbot, window, layer=1):
    workbench = window.workbench
    workbench.model.show(ModelLocation(layer))
    settle(qtbot, window)
    w_o = np.zeros_like(workbench.document.matrix("W_O"))
    workbench.edits.submit(SetCells("Zeros", "W_O", 0, 0, w_o))
    workbench.engine.flush()
    workbench.model.put_back(workbench.document)
    settle(qtbot, window)


def test_without_a_model_it_says_how_one_is_opened(window):
    window.findChild(QAction, "action.dock.model").trigger()
    panel = window.findChild(EffectPanel)
    assert panel.isVisible()
    assert text(panel, "none") == "No model is open. Choose File ▸ Open model…"
    assert not panel.layers.isVisible()
    assert not panel.tokens.isVisible()


def test_it_tells_of_the_model_what_is_computed_refused_and_too_large(
    panel_over, gpt2, qtbot, appearance
):
    panel = panel_over(gpt2)
    check_names(panel, qtbot)
    open_model(qtbot, panel.window(), gpt2)
    check_what_is_computed(panel, qtbot)
    open_model(qtbot, panel.window(), gpt2)
    check_large_weights_and_keys(panel, qtbot)
    open_model(qtbot, panel.window(), gpt2)
    check_fit(panel, qtbot, appearance)


def test_it_tells_what_each_kind_of_model_predicts_or_that_it_does_not(
    panel_over, tmp_path, qtbot
):
    base = write_gpt2(tmp_path / "base", head=False, tie_word_embeddings=False)
    panel = panel_over(base)
    check_no_predictions(panel)
    open_model(qtbot, panel.window(), write_bert(tmp_path / "bert"))
    check_embeddings(panel, qtbot)
    check_heads_of_encoders(panel, tmp_path, qtbot)


def check_names(panel, qtbot):
    assert panel.heading.findChild(QLabel, "effect.name").text() == "little"
    assert text(panel, "about") == (
        "GPT-2, decoder · 3 layers × 4 heads · d_model\u00a032 · 16 tokens"
    )
    assert text(panel, "hint").startswith("None yet. Choose “Edit this head”, change")
    assert text(panel, "layers.note") == "Nothing has been changed yet."
    assert text(panel, "result.note") is None
    window = panel.window()
    for hint in ("None yet. Change the weights of this head", "None yet. Choose “Edit"):
        window.findChild(QAction, "action.model.edit_head").trigger()
        settle(qtbot, window)
        assert text(panel, "hint").startswith(hint)
    selection = window.workbench.selection
    selection.choose_cell("weights", (4, 1))
    settle(qtbot, window)
    assert text(panel, "result.title") == "Next token after “#4”, position 4"
    selection.choose_cell("W_Q", (2, 1))
    settle(qtbot, window)
    assert text(panel, "result.title") == "Next token after “#15”, position 15"
    window = panel.window()
    window.workbench.model.compare("7 8")
    settle(qtbot, window)
    assert "another number of tokens" in text(panel, "layers.note")
    across = Qt.Orientation.Horizontal
    headers = [panel.tokens.model().headerData(n, across) for n in range(4)]
    assert headers == ["token", "other", "now", "change"]
    window.workbench.model.compare(" ".join(["2"] * 16))
    settle(qtbot, window)
    assert "‖other‖" in text(panel, "layers.note")
    assert panel.layers.model().index(0, 1).data().endswith(" %")


def check_what_is_computed(panel, qtbot):
    window = panel.window()
    model = window.workbench.model
    change(qtbot, window)
    seen = []

    def look():
        rows = panel.layers.model()
        numbers = [rows.index(n, 1).data() for n in range(3)]
        note = text(panel, "layers.note")
        seen.append((model.outcome, note, numbers, panel.tokens.isVisible()))

    # At once: a little model may have been computed when the event loop is left.
    model.changed.connect(look)
    model.set_text("1 2 3")
    qtbot.waitUntil(lambda: bool(seen))
    model.changed.disconnect(look)
    assert seen[0] == (None, "Computing…", ["—"] * 3, False)
    settle(qtbot, window)
    assert text(panel, "about").endswith("3 tokens")
    assert panel.tokens.isVisible()
    window = panel.window()
    model = window.workbench.model
    with qtbot.waitSignal(model.changed):
        model.set_text("4 5 6")
    with qtbot.waitSignal(model.sentence_refused):
        model.set_text("999999")
    settle(qtbot, window)
    assert text(panel, "about").endswith("3 tokens")
    assert panel.tokens.isVisible()
    model = panel.window().workbench.model
    told = []

    def give_up():
        model.complete()  # the layers above
        model.cancel()
        told.append(text(panel, "layers.note"))

    model.changed.connect(give_up)
    with qtbot.waitSignal(model.changed):
        model.set_text("1 2 3")
    model.changed.disconnect(give_up)
    assert told[0] == "Not all layers were computed."


def check_large_weights_and_keys(panel, qtbot):
    window = panel.window()
    workbench = window.workbench
    w_o = np.full_like(workbench.document.matrix("W_O"), 3e38)
    workbench.edits.submit(SetCells("Large", "W_O", 0, 0, w_o))
    workbench.engine.flush()
    with qtbot.waitSignal(workbench.model.refused) as refused:
        workbench.model.put_back(workbench.document)
    assert text(panel, "layers.note") == refused.args[0]
    assert panel.patches.model().rowCount() == 1
    assert not panel.tokens.isVisible()
    QTest.mouseClick(panel.findChild(QToolButton), Qt.MouseButton.LeftButton)
    settle(qtbot, window)
    assert text(panel, "layers.note") == "Nothing has been changed yet."
    window = panel.window()
    change(qtbot, window)
    panel.patches.setFocus()
    visited = set()
    for _ in range(8):
        focus = QApplication.focusWidget()
        assert QAccessible.queryAccessibleInterface(focus).text(QAccessible.Text.Name)
        visited.add(focus.objectName())
        QTest.keyClick(focus, Qt.Key.Key_Tab)
    assert {"effect.patches", "effect.layers", "effect.tokens"} <= visited
    sentence = window.findChild(QLineEdit, "model.sentence")
    sentence.setFocus()
    window.findChild(QAction, "action.dock.model").trigger()
    window.findChild(QAction, "action.dock.model").trigger()
    assert QApplication.focusWidget() is panel.layers


def check_no_predictions(panel):
    assert not panel.tokens.isVisible()
    assert text(panel, "result.title") == "Next token"
    assert text(panel, "result.note").startswith("The model must predict tokens")


def check_embeddings(panel, qtbot):
    window = panel.window()
    assert text(panel, "embedding") is None
    assert text(panel, "result.note") == "Nothing has been changed yet."
    window.workbench.model.compare("7 8")
    settle(qtbot, window)
    assert text(panel, "embedding").startswith("cosine similarity to the other: ")
    assert text(panel, "result.note") is None


def check_fit(panel, qtbot, appearance):
    window = panel.window()
    change(qtbot, window)
    window.findChild(QDockWidget, "dock.model").raise_()
    for theme, percent in (("light", 100), ("dark", 200)):
        appearance.choose(theme)
        appearance.set_text_size(percent)
        for _ in range(3):
            QApplication.processEvents()
        found = misfits(window)
        assert [what for what in found if "effect" in what] == []


def check_heads_of_encoders(panel, tmp_path, qtbot):
    cases = output_heads.cases()
    window = panel.window()
    names = "DistilBertForTokenClassification", "BertForMaskedLM"
    titles = "Label of “#1”, position 4", "Token in place of “#1”, position 4"
    for name, title in zip(names, titles, strict=True):
        folder = tmp_path / name
        folder.mkdir()
        recorded_vision.write(cases[name], folder)
        window.workbench.model.open(folder)
        settle(qtbot, window)
        window.workbench.model.set_text(" ".join(map(str, output_heads.IDS)))
        settle(qtbot, window)
        window.workbench.selection.choose_cell("weights", (4, 1))
        settle(qtbot, window)
        assert text(panel, "result.title") == title
        row = output_heads.logits(cases[name])[4]
        best = int(row.argmax())
        labels = {0: "bad", 1: "fair", 2: "good"} if len(row) == 3 else {}
        rows = panel.tokens.model()
        assert rows.index(0, 0).data() == labels.get(best, f"#{best}")
        share = np.exp(row.max()) / np.exp(row).sum()
        assert float(rows.index(0, 1).data()) == pytest.approx(share, abs=1e-4)
        assert rows.headerData(0, Qt.Orientation.Horizontal) == (
            "label" if labels else "token"
        )
    change(qtbot, window, layer=0)
    assert text(panel, "embedding.title") == "Sentence embedding"
    assert rows.headerData(1, Qt.Orientation.Horizontal) == "before"
    assert "of the probability is on other tokens" in text(panel, "result.note")
