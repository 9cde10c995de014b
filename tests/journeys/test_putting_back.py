"""A person changes a head of a model, sees what that does, and takes it back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QLineEdit,
    QTableView,
    QToolButton,
)

from attnviewer import models
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.model_effect import EffectPanel
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gpt2

LEFT = Qt.MouseButton.LeftButton
IDS = range(16)  # what models without a tokenizer run over at first
LAYER, HEAD, WIDTH = 1, 2, 8
ROW, COLUMN = 3, 5


@pytest.fixture
def open_model(appearance, open_window, qtbot):
    windows = []

    def open_(folder):
        if not windows:
            windows.append(open_window("example:four-words", (1366, 768)))
        (window,) = windows
        window.workbench.model.open(folder)
        wait(qtbot, window)
        if not is_seen(window):
            window.findChild(
                QAction, "action.dock.model"
            ).trigger()  # brings it forward
        QApplication.processEvents()
        assert is_seen(window)
        return window

    return open_


@pytest.fixture
def gpt2(tmp_path):
    return write_gpt2(tmp_path / "little", n_layer=3)


def wait(qtbot, window):
    model = window.workbench.model
    qtbot.waitUntil(lambda: model.outcome is not None and not model.computing)
    QApplication.processEvents()


def is_seen(window):
    dock = window.findChild(QDockWidget, "dock.model")
    return dock.isVisible() and window.rect().contains(dock.geometry())


def panel_of(window):
    return window.findChild(EffectPanel)


def press(window, name):
    button = window.findChild(QToolButton, f"button.model.{name}")
    assert button.isEnabled()
    QTest.mouseClick(button, LEFT)


def click(view, row, column=0):
    rect = view.visualRect(view.model().index(row, column)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=rect)


def type_into(window, name, row, column, text):
    table = window.findChild(QTableView, f"table.{name}")
    table.scrollTo(table.model().index(row, column))
    QApplication.processEvents()
    click(table, row, column)
    for key in text:
        QTest.keyClicks(QApplication.focusWidget(), key)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    window.workbench.engine.flush()


def put_back(qtbot, window):
    """Open the head by itself by a click on its layer, and change a weight of it."""
    panel = panel_of(window)
    click(panel.layers, LAYER)
    wait(qtbot, window)
    assert window.workbench.model.location == ModelLocation(LAYER)
    window.workbench.selection.choose_head(HEAD)
    press(window, "edit_head")
    wait(qtbot, window)
    assert window.workbench.model.location == ModelLocation(LAYER, HEAD)
    change_and_put_back(qtbot, window)


def change_and_put_back(qtbot, window):
    type_into(window, "W_V", ROW, COLUMN, "3")
    press(window, "put_back")
    wait(qtbot, window)


def changed(folder):
    """Change the same weight of the checkpoint's own tensors."""
    own = by_hand.tensors(folder)
    both = own[f"h.{LAYER}.attn.c_attn.weight"].copy()  # (d_model, 3 d_model)
    both[ROW, 2 * 32 + HEAD * WIDTH + COLUMN] = 3
    return own, own | {f"h.{LAYER}.attn.c_attn.weight": both}


def rows(view):
    model = view.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def texts(values):
    return [f"{value:.4f}" for value in values]


def a_change_reaches_later_layers_and_the_head_can_be_edited_again(
    open_model, gpt2, qtbot
):
    window = open_model(gpt2)
    panel, model = panel_of(window), window.workbench.model
    assert panel.layers.isVisible()
    assert not panel.patches.isVisible()
    assert [row[1] for row in rows(panel.layers)] == ["=", "=", "="]
    put_back(qtbot, window)
    assert rows(panel.patches) == [["L1 H2", "Remove"]]
    unchanged, *later = [row[1] for row in rows(panel.layers)]
    assert unchanged == "="
    (was, logits_were), (now, logits) = (
        by_hand.gpt2(tensors, IDS, 4) for tensors in changed(gpt2)
    )
    expected = [
        100 * np.linalg.norm(b - a) / np.linalg.norm(a)
        for a, b in zip(was[2:], now[2:], strict=True)
    ]
    assert later == [f"{number:.3g} %" for number in expected]
    before, after = map(by_hand.probabilities, (logits_were, logits))
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    select_query(window, 11)
    wait(qtbot, window)
    assert_told(panel, before[11], after[11])
    QTest.keyClick(window.step_view.heatmap, Qt.Key.Key_Down)
    wait(qtbot, window)
    assert panel.findChild(QLabel, "effect.result.title").text() == (
        "Next token after “#12”, position 12"
    )
    assert_told(panel, before[12], after[12])
    assert model.experiment is not None
    moved = np.abs(after[12] - before[12]).sum() / 2
    note = panel.findChild(QLabel, "effect.result.note").text()
    assert note.startswith(f"{100 * moved:.4g} % of the probability")

    window.step_view.set_view("difference")
    for layer in (0, 1, 2):
        click(panel_of(window).layers, layer)
        wait(qtbot, window)
        assert window.workbench.model.location == ModelLocation(layer)
        reference = window.workbench.baseline.reference()
        assert reference is not None
        assert reference.title == "the model's own weights"
        own = models.load(gpt2).run(list(IDS)).attention(layer)
        before, now = reference.trace, window.workbench.engine.current.trace
        for step in ("X", "W_V"):
            np.testing.assert_array_equal(before[step], own[step])
        for step in ("weights", "output"):
            np.testing.assert_allclose(before[step], own[step], atol=1e-5)
        same = [np.array_equal(now[s], before[s]) for s in ("X", "W_V", "output")]
        assert same == [layer < 2, layer != LAYER, layer < LAYER], layer

    click(panel_of(window).layers, 2)
    wait(qtbot, window)
    click(panel_of(window).patches, 0)
    wait(qtbot, window)
    assert window.workbench.model.location == ModelLocation(LAYER, HEAD)
    assert window.document.matrix("W_V")[ROW, COLUMN] == 3
    type_into(window, "W_V", 0, 0, "-2")
    press(window, "put_back")
    wait(qtbot, window)
    assert rows(panel_of(window).patches) == [["L1 H2", "Remove"]]
    _, tensors = changed(gpt2)
    tensors[f"h.{LAYER}.attn.c_attn.weight"][0, 2 * 32 + HEAD * WIDTH] = -2
    expected, _ = by_hand.gpt2(tensors, IDS, 4)
    found = window.workbench.model.experiment.run.hidden_states[-1]
    np.testing.assert_allclose(found, expected[-1], rtol=1e-3, atol=1e-4)


def select_query(window, row):
    window.step_view.set_view("heatmap")
    window.workbench.selection.choose_cell("weights", (row, 0))
    window.step_view.heatmap.setFocus()


def assert_told(panel, before, after):
    ids = [int(row[0].removeprefix("#")) for row in rows(panel.tokens)]
    likely = {*np.argsort(-before)[:10], *np.argsort(-after)[:10]}
    assert ids == sorted(likely, key=lambda id: -after[id])
    told = [[row[1], row[2]] for row in rows(panel.tokens)]
    assert [row[0] for row in told] == texts(before[ids])
    assert [row[1] for row in told] == texts(after[ids])


def what_is_taken_out_leaves_the_model_as_it_was(open_model, gpt2, qtbot):
    window = open_model(gpt2)
    panel = panel_of(window)
    own = models.load(gpt2).run(list(IDS))
    for way in ["row", "Delete", "all"]:
        # Its head stays open as it is taken out.
        change_and_put_back(qtbot, window) if way != "row" else put_back(qtbot, window)
        assert panel.patches.isVisible()
        if way == "row":
            click(panel.patches, 0, 1)
        elif way == "Delete":
            panel.patches.setFocus()
            QTest.keyClick(panel.patches, Qt.Key.Key_Delete)
        else:
            QTest.mouseClick(panel.findChild(QToolButton, "effect.take_out"), LEFT)
        wait(qtbot, window)
        assert not panel.patches.isVisible()
        assert [row[1] for row in rows(panel.layers)] == ["=", "=", "="]
        assert [len(row) for row in rows(panel.tokens)] == [2] * 10
        experiment = window.workbench.model.experiment
        for found, expected in zip(
            experiment.run.hidden_states, own.hidden_states, strict=True
        ):
            np.testing.assert_array_equal(found, expected)
        own_values = own.weights(LAYER)["W_V"][:, HEAD * WIDTH : (HEAD + 1) * WIDTH]
        np.testing.assert_array_equal(window.document.matrix("W_V"), own_values)
        assert window.workbench.baseline.pinned is None


def a_head_that_was_set_to_its_mean_keeps_it_as_it_is_edited_again(
    open_model, gpt2, qtbot
) -> None:
    window = open_model(gpt2)
    click(panel_of(window).layers, LAYER)
    wait(qtbot, window)
    press(window, "edit_head")
    wait(qtbot, window)
    mean = window.workbench.engine.current.trace["output"].mean(axis=0)  # (d_model,)
    window.findChild(QAction, "action.head.mean").trigger()
    window.workbench.engine.flush()
    press(window, "put_back")
    wait(qtbot, window)
    first = window.workbench.model.experiment.run.hidden_states[-1]
    click(panel_of(window).layers, 2)
    wait(qtbot, window)
    click(panel_of(window).patches, 0)
    wait(qtbot, window)
    np.testing.assert_allclose(window.document.matrix("b_O"), [mean], rtol=1e-5)
    type_into(window, "W_Q", 0, 0, "1")  # nothing that it looks at counts any more
    press(window, "put_back")
    wait(qtbot, window)
    again = window.workbench.model.experiment.run.hidden_states[-1]
    np.testing.assert_allclose(again, first, rtol=1e-6)
    own = models.load(gpt2).run(list(IDS)).hidden_states[-1]
    assert np.abs(first - own).max() > 1e-3


def an_encoder_tells_how_far_its_embedding_has_moved(
    open_model, tmp_path, qtbot
) -> None:
    window = open_model(write_bert(tmp_path / "bert"))
    panel = panel_of(window)
    assert not panel.tokens.isVisible()
    assert not panel.findChild(QLabel, "effect.embedding").isVisible()
    put_back(qtbot, window)
    experiment = window.workbench.model.experiment
    a, b = (
        run.hidden_states[-1].mean(axis=0)
        for run in (experiment.original, experiment.run)
    )
    cosine = a @ b / np.sqrt((a @ a) * (b @ b))
    assert panel.findChild(QLabel, "effect.embedding").isVisible()
    assert (
        f"cosine similarity to before: {cosine:.4f}"
        in panel.findChild(QLabel, "effect.embedding").text()
    )


def test_the_dock_comes_with_the_first_model_and_stays_closed_afterwards(
    open_model, gpt2, qtbot, appearance, open_window
) -> None:
    window = open_window("example:four-words", (1366, 768))
    dock, lines = (
        window.findChild(QDockWidget, name) for name in ("dock.model", "dock.lines")
    )
    assert dock.isHidden()
    window.workbench.model.open(gpt2)
    wait(qtbot, window)
    assert not dock.isHidden()
    assert window.step_view.view == "heatmap"
    # The lines are before it, beside the heatmap.
    assert window.rect().contains(lines.geometry())
    dock.close()
    click_sentence(window, "1 2 3")
    wait(qtbot, window)
    assert dock.isHidden()


def click_sentence(window, text):
    sentence = window.findChild(QLineEdit, "model.sentence")
    sentence.selectAll()
    QTest.keyClicks(sentence, text)
    QTest.keyClick(sentence, Qt.Key.Key_Return)


def test_what_is_changed_reaches_later_layers_and_nothing_is_left_of_what_is_taken_out(
    open_model, gpt2, qtbot
):
    what_is_taken_out_leaves_the_model_as_it_was(open_model, gpt2, qtbot)
    a_change_reaches_later_layers_and_the_head_can_be_edited_again(
        open_model, gpt2, qtbot
    )


def test_a_head_keeps_its_mean_as_it_is_edited_and_an_encoder_tells_how_far_it_moved(
    open_model, gpt2, qtbot, tmp_path
) -> None:
    a_head_that_was_set_to_its_mean_keeps_it_as_it_is_edited_again(
        open_model, gpt2, qtbot
    )
    an_encoder_tells_how_far_its_embedding_has_moved(open_model, tmp_path, qtbot)
