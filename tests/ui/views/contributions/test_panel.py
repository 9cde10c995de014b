"""The Contributions dock splits the output of the open model, with links to parts."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from attnviewer.document.sequences import insert_tokens, move_tokens
from attnviewer.ui.features.contributions import ContributionsFeature
from attnviewer.ui.views.contributions import ContributionsPanel
from tests.models.checkpoints import write_bert

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(window):
    """The panel, opened before there is a model."""
    window.frame.docks.open_panel("contributions")
    return window.findChild(ContributionsPanel)


def settle(window):
    QApplication.processEvents()
    window.feature(ContributionsFeature).split.finish()
    QApplication.processEvents()


def said(panel, name):
    return panel.findChild(QLabel, f"contributions.{name}").text()


def listed(rows, column):
    return [rows.rows.index(row, column).data() for row in range(rows.rows.rowCount())]


def numbers(rows, column):
    return [float(n.replace("−", "-")) for n in listed(rows, column)]


def test_a_logit_or_an_embedding_is_split_into_parts_that_lead_to_heads_and_layers(
    window, panel, open_model, llama, tmp_path, qtbot
) -> None:
    check_logit(window, panel, open_model, llama, qtbot)
    check_embedding(window, panel, open_model, tmp_path)


def check_logit(window, panel, open_model, llama, qtbot) -> None:
    assert said(panel, "none").startswith("Open a model to see")
    model, bench = open_model(llama), window.workbench
    window.frame.docks.open_panel("contributions")  # others came to the front
    model.set_text("the cat sat on a mat")
    qtbot.waitUntil(lambda: model.text.endswith("mat") and model.heads is not None)
    bench.selection.choose_cell("weights", (2, 1))
    settle(window)
    run = model.experiment.run
    logits = run.next_logits(2)
    values = numbers(panel.parts, 1)
    assert sum(values) == pytest.approx(logits.max(), abs=0.0005 * len(values))
    assert np.all(np.diff(np.abs(values)) <= 0)
    # Two layers of four heads with an MLP each, the embeddings and the biases.
    assert len(values) == 12
    likely = run.next_tokens(1, 2)[0]
    assert numbers(panel.next, 1)[0] == pytest.approx(likely.probability, abs=5e-5)
    assert listed(panel.lens, 0) == ["L1", "L0", "input"]
    assert numbers(panel.lens, 4)[0] == pytest.approx(likely.probability, abs=5e-4)
    assert said(panel, "next.title") == "Next token after “sat”, position 2"

    fields = panel.fields
    fields.token.setFocus()
    QTest.keyClicks(fields.token, "the cat")
    QTest.keyClick(fields.token, Qt.Key.Key_Return)
    assert said(panel, "tokens.reason").endswith("which is split into the, cat.")
    fields.token.clear()
    QTest.keyClicks(fields.token, "cat")
    QTest.keyClicks(fields.against, "mat")
    QTest.keyClick(fields.against, Qt.Key.Key_Return)
    assert said(panel, "tokens.reason") == ""
    settle(window)
    values = numbers(panel.parts, 1)
    expected = logits[run.model.id_of("cat")] - logits[run.model.id_of("mat")]
    assert sum(values) == pytest.approx(expected, abs=0.0005 * len(values))
    assert said(panel, "summary").startswith("The logit of “cat” − “mat”, ")

    # What was split before is there again at once, and gone after another sentence.
    split = window.feature(ContributionsFeature).split
    before = split.parts
    bench.selection.choose_cell("weights", (3, 1))
    settle(window)
    assert split.parts is not before
    bench.selection.choose_cell("weights", (2, 1))
    assert split.parts is before
    check_tokens_of_its_own(window, split, before)
    model.set_text("a mat")
    qtbot.waitUntil(lambda: model.text == "a mat" and model.heads is not None)
    settle(window)
    assert split.parts.prediction.lens.position == 1

    names = listed(panel.parts, 0)
    assert {"L1 H3", "L0 MLP", "embeddings", "biases"} < set(names)
    view = panel.parts
    view.setCurrentIndex(view.rows.index(names.index("biases"), 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert model.requested.layer == 0
    view.setCurrentIndex(view.rows.index(names.index("L1 H3"), 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bench.location == "L1" and bench.selection.head == 3)
    settle(window)
    view = panel.lens
    place = view.visualRect(view.rows.index(2, 0)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.waitUntil(lambda: bench.location == "L0")


def check_tokens_of_its_own(window, split, before) -> None:
    """Tokens are moved and added in the document, in which “sat” is selected."""
    edits = window.workbench.edits
    edits.submit(move_tokens(window.document, "X", 0, 1, 5, "Move"))
    settle(window)
    assert window.workbench.selection.cell[0] == 1
    assert split.parts is before
    new = np.zeros((1, window.document.matrix("X").shape[1]))
    edits.submit(insert_tokens(window.document, "X", 0, ["new"], new, "Insert"))
    settle(window)
    assert split.parts is before
    window.workbench.selection.choose_cell("weights", (0, 0))
    settle(window)
    assert split.parts.prediction.lens.position == 5  # the last one: the model has none
    edits.undo()
    edits.undo()
    window.workbench.selection.choose_cell("weights", (2, 1))


def check_embedding(window, panel, open_model, tmp_path) -> None:
    model = open_model(write_bert(tmp_path / "encoder"))
    window.frame.docks.open_panel("contributions")
    settle(window)
    values = numbers(panel.parts, 1)
    length = np.linalg.norm(model.experiment.run.sentence_embedding)
    assert sum(values) == pytest.approx(length, abs=0.0005 * len(values))
    window.workbench.layer_maps.finish()
    QApplication.processEvents()
    window.workbench.selection.choose_head(1)
    assert said(panel, "written.title") == "What L0 H1 writes"
    (card,) = panel.written.wall.cards
    written = model.experiment.run.written(0, 1)
    np.testing.assert_allclose(card.card.content.matrix.window(), written, rtol=1e-5)
    assert panel.fields.isHidden()
    assert panel.lens.isHidden()
    assert said(panel, "summary").startswith("The length of the sentence embedding, ")
