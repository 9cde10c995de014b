"""A decoder goes on in a dock of the window, and the sentence follows."""

import shutil

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolTip

from attnviewer.models import generate
from attnviewer.paths import resource
from attnviewer.ui.features.generation import GenerationFeature
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.generation import Generating
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.generation import GenerationPanel
from tests.models.checkpoints import write_bert
from tests.ui.cut_off_texts import misfits

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LEFT = Qt.MouseButton.LeftButton
TEXT = "old sailor found red bell old sailor"


@pytest.fixture
def panel(window, open_model, qtbot):
    """The dock of a trained decoder over seven words."""
    model = open_model(resource("notebooks", "induction-model"))
    with qtbot.waitSignal(model.completed):
        model.set_text(TEXT)
    window.docks.toggle("generation").trigger()
    QApplication.processEvents()
    return window.findChild(GenerationPanel)


def settle(window, qtbot):
    qtbot.waitUntil(lambda: not window.workbench.model.computing)
    QApplication.processEvents()
    return window.feature(GenerationFeature).generating


def said(panel, name):
    return panel.findChild(QLabel, f"generation.{name}").text()


def listed(panel):
    rows = panel.list.rows
    return [
        [rows.index(row, column).data() for column in range(3)]
        for row in range(rows.rowCount())
    ]


def tip_over(widget, point):
    place = widget.mapToGlobal(point)
    QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, point, place))
    return QToolTip.text()


def underlined(heatmap):
    """Return the columns and the cells with the line of the cache in the picture."""
    picture, key = heatmap.viewport().grab().toImage(), QColor(LIGHT.key)
    n_rows, n_columns = heatmap._content.shape
    cells = {cell: heatmap.cell_rect(cell) for cell in np.ndindex(n_rows, n_columns)}
    low = heatmap.columns.geometry().bottom() - 1.5

    def is_key(x, y):
        return picture.pixelColor(int(x), int(y)) == key

    return (
        [k for k in range(n_columns) if is_key(cells[0, k].center().x(), low)],
        [c for c, r in cells.items() if is_key(r.center().x(), r.bottom() - 1.5)],
    )


def test_the_window_follows_each_token_and_numbers_out_of_range_are_refused(
    window, panel, qtbot
) -> None:
    check_tokens(window, panel, qtbot)
    check_choices(window, panel, qtbot)


def check_tokens(window, panel, qtbot) -> None:
    model, chips = window.workbench.model, window.ribbon.chips
    made = generate(model.experiment.run, 3)
    assert listed(panel) == [["", "the sentence, 7 tokens", ""]]
    assert said(panel, "cache").startswith("The first step fills the cache")
    assert not panel.back.isEnabled()
    QTest.mouseClick(panel.step, LEFT)
    generating = settle(window, qtbot)
    assert model.text == f"{TEXT} found"
    shown = f"{made.steps[0].token.probability:.3f}"
    assert listed(panel)[1:] == [["7", "found", shown]]
    # 2 · 2 layers · 4 heads · 8 tokens · 16 numbers · 4 bytes
    assert said(panel, "cache") == (
        "Cache: 8,192 bytes = 2 (K and V) · 2 layers · 4 key/value heads · 8 tokens · "
        "16 numbers of 4 bytes"
    )
    # The new row is selected, its keys but the last are marked.
    assert window.workbench.selection.cell[0] == 7
    assert chips.row.query == 7
    cached = "in the cache: computed in an earlier step"
    assert cached in tip_over(chips, chips.place_of(6).center())
    assert cached not in tip_over(chips, chips.place_of(7).center())
    marked = chips.grab(chips.rect_of(6)).toImage()
    chips.set_cached(range(0))
    assert chips.grab(chips.rect_of(6)).toImage() != marked
    for _ in range(2):
        QTest.mouseClick(panel.step, LEFT)
        settle(window, qtbot)
    assert [row[1] for row in listed(panel)[1:]] == ["found", "red", "bell"]
    tip = panel.list.rows.index(3, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "bell 0.99" in tip
    panel.list.chosen.emit(1)
    settle(window, qtbot)
    assert (generating.shown, model.text) == (1, f"{TEXT} found")
    assert chips.row.query == 7
    window.step_view.set_view("heatmap")
    heatmap = window.step_view.heatmap
    heatmap.fit()
    QApplication.processEvents()
    _, framed = window.workbench.selection.cell  # its frame covers the line
    cells = [(7, key) for key in range(7) if key != framed]
    assert underlined(heatmap) == ([*range(7)], cells)
    legend = "underlined keys: in the cache, computed in an earlier step"
    assert legend in [entry.text for entry in heatmap.footer.caption.entries]
    assert misfits(panel) == []
    QTest.mouseClick(panel.first, LEFT)
    settle(window, qtbot)
    assert model.text == TEXT
    assert cached not in tip_over(chips, chips.place_of(2).center())
    assert underlined(heatmap) == ([], [])
    assert heatmap.footer.caption.entries == ()


def check_choices(window, panel, qtbot) -> None:
    form, generating = panel.form, window.feature(GenerationFeature).generating
    assert not form.temperature.isVisible()
    form.way.setCurrentIndex(1)
    form.way.activated.emit(1)
    assert form.temperature.isVisible()
    for line, typed, reason in (
        (form.temperature, "0", "Temperature: It must be above 0."),
        (form.top_p, "1.5", "Top-p: It must be above 0 and at most 1."),
    ):
        before = line.text()
        line.selectAll()
        QTest.keyClicks(line, typed)
        assert said(panel, "reason") == reason
        assert not panel.step.isEnabled()
        line.selectAll()
        QTest.keyClicks(line, before)
        assert panel.step.isEnabled()
    line = form.temperature
    line.selectAll()
    QTest.keyClicks(line, "0.7")
    form.top_k.setValue(5)
    choices = generating.choices
    assert (choices.sampled, choices.temperature, choices.top_k) == (True, 0.7, 5)
    QTest.mouseClick(panel.play, LEFT)
    assert panel.play.accessibleName() == "Pause"
    qtbot.waitUntil(lambda: generating.shown >= 2)
    QTest.mouseClick(panel.play, LEFT)
    assert not settle(window, qtbot).playing
    assert panel.play.accessibleName() == "Go on token by token"
    # Another layer goes on, another document stays.
    QTest.mouseClick(panel.play, LEFT)
    window.workbench.model.show(ModelLocation(1))
    shown = generating.shown
    qtbot.waitUntil(lambda: generating.shown >= shown + 2)
    assert window.workbench.link.layer == 1
    window.opener.open_example("two-heads")
    assert not settle(window, qtbot).playing
    assert window.workbench.link is None


def test_settings_that_are_not_applied_are_told_with_the_first_token(
    window, open_model, qtbot, tmp_path
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(resource("notebooks", "induction-model"), folder)
    settings = folder / "generation_config.json"
    settings.write_text('{"repetition_penalty": 1.2}', encoding="utf-8")
    model = open_model(folder)
    window.docks.toggle("generation").trigger()
    panel = window.findChild(GenerationPanel)
    QTest.mouseClick(panel.step, LEFT)
    settle(window, qtbot)
    assert said(panel, "reason") == (
        "Tokens are chosen by the model's probabilities alone, without what "
        "generation_config.json asks for: repetition_penalty."
    )
    with qtbot.waitSignal(model.completed):
        model.set_text(TEXT)
    assert said(panel, "reason") == ""


def test_without_a_decoder_the_dock_says_why(
    window, open_model, tmp_path, monkeypatch
) -> None:
    window.docks.toggle("generation").trigger()
    QApplication.processEvents()
    panel = window.findChild(GenerationPanel)
    assert panel.empty.text == "No model is open. Choose File ▸ Open model…"
    open_model(write_bert(tmp_path / "bert"))
    assert panel.empty.text == "An encoder predicts no next token."
    assert not panel.play.isVisible()
    monkeypatch.setattr(Generating, "crosses", True)
    panel.refresh()
    assert panel.empty.text.startswith("Cross-attention predicts no next token.")
