"""An encoder–decoder in the window: which part is shown, and edits of each."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from attnviewer.compute import HeadLocation
from attnviewer.document import SetCells
from attnviewer.models.layer_documents import link_of
from attnviewer.ui.pictures.shown_panel import has_figure
from tests.models import encoder_decoders

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_each_part_of_an_encoder_decoder_is_shown_edited_and_put_back(
    window, open_model, qtbot, tmp_path
) -> None:
    model = open_model(encoder_decoders.load("t5").write(tmp_path / "t5"))
    box = window.findChild(QComboBox, "model.part")

    def computed() -> bool:
        return model.heads is not None and not model.computing

    def choose(part: str) -> None:
        box.setCurrentIndex(box.findData(part))
        box.activated.emit(box.currentIndex())
        qtbot.waitUntil(computed)

    assert box.isVisibleTo(window)
    assert box.currentData() == "decoder"
    assert window.document.title == "t5 · decoder L0"
    model.set_text("3 4 5 6 7 => 0 8 9")
    qtbot.waitUntil(lambda: model.text == "3 4 5 6 7 => 0 8 9" and computed())
    choose("encoder")
    assert window.document.tokens == ("#3", "#4", "#5", "#6", "#7")
    choose("cross")
    assert window.document.title == "t5 · cross L0"
    assert window.document.context_tokens == ("#3", "#4", "#5", "#6", "#7")
    assert window.document.tokens == ("#0", "#8", "#9")
    assert model.heads.crosses
    assert model.heads.matrix(HeadLocation(0, 1)).shape == (3, 5)
    check_the_ribbon_of_keys(window)

    size = window.document.matrix("W_V").shape
    edit = SetCells("edit", "W_V", 0, 0, np.full(size, 2.0))
    window.workbench.edits.submit(edit)
    model.put_back(window.document)
    qtbot.waitUntil(lambda: bool(model.experiment.patches) and computed())
    assert link_of(window.document).name == "cross L0"
    assert model.outcome.next_tokens.distance > 0
    reasons: list[str] = []
    model.refused.connect(reasons.append)
    choose("encoder")
    qtbot.waitUntil(lambda: bool(reasons))
    assert reasons[0].startswith("Another part of the model can be shown once")
    assert box.currentData() == "cross"
    model.take_out()
    qtbot.waitUntil(lambda: not model.experiment.patches and computed())
    choose("decoder")
    assert window.document.title == "t5 · decoder L0"
    window.workbench.selection.choose_step("weights")
    window.step_view.set_view("heads")
    assert has_figure(window.step_view)
    window.step_view.heads.heads.choices.show_all_layers()
    assert not has_figure(window.step_view)


def check_the_ribbon_of_keys(window) -> None:
    """Its words are the encoder's, and no query is among them."""
    chips, selection = window.ribbon.chips, window.workbench.selection
    selection.choose_here(None)
    hint = window.findChild(QLabel, "ribbon.hint")
    assert hint.text().startswith("Select a query")
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.rect_of(4).center())
    assert selection.cell is None
    selection.choose_cell("weights", (1, 0))
    QTest.mouseMove(window.step_view)
    assert window.findChild(QLabel, "ribbon.query").text() == "#8"
    QTest.mouseMove(chips, chips.rect_of(3).center())
    assert selection.hovered == ("weights", (1, 3))
    assert window.findChild(QLabel, "ribbon.query").text() == "#8"
    QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.rect_of(3).center())
    assert (selection.step, selection.cell) == ("weights", (1, 3))
    QTest.keyClick(chips, Qt.Key.Key_Right)
    assert selection.cell == (1, 4)
    QTest.keyClick(chips, Qt.Key.Key_Home)
    assert selection.cell == (1, 0)
    row = window.workbench.engine.current.trace["weights"][0, 1]
    assert chips.texts() == [f"{weight:.2f}" for weight in row]
