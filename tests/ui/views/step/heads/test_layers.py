"""The heads of all layers of an open model, by mouse and keys."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton

from attnviewer.compute import HeadLocation
from attnviewer.document import Labels, SetCells
from attnviewer.io import load as load_document
from attnviewer.models import load
from attnviewer.models.heads import ModelHeads
from attnviewer.models.layer_documents import link_of
from attnviewer.models.sentences import FIRST
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.views.spec.head_menu import HeadMenu
from attnviewer.ui.views.step.heads.layers import content_of_layers
from attnviewer.ui.views.step.heads.view import HeadsView
from tests.models.checkpoints import write_gpt2
from tests.ui.gates import gated

LEFT = Qt.MouseButton.LeftButton
IDS = "3 14 15 9 2 6"
LAYERS, HEADS = 6, 4


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return write_gpt2(tmp_path_factory.mktemp("gpt2"), n_layer=LAYERS)


@pytest.fixture(scope="module")
def weights(checkpoint):
    """The attention weights of all layers, shape (layers, heads, n, n)."""
    run = load(checkpoint).run([int(number) for number in IDS.split()])
    return np.stack([run.attention(layer)["weights"] for layer in range(LAYERS)])


@pytest.fixture
def opened(window, qtbot, checkpoint):
    """The window with the model open, all layers computed, and its heads in sight."""
    reopen(window, qtbot, checkpoint)
    return window


def reopen(window, qtbot, checkpoint):
    model = window.workbench.model
    with qtbot.waitSignal(model.completed, timeout=10_000):
        model.open(checkpoint, IDS)
    window.step_view.set_view("heads")


@pytest.fixture
def wall(qtbot, appearance, checkpoint):
    """The heads of all layers by themselves, without a window around them."""
    run = load(checkpoint).run([int(number) for number in IDS.split()])
    heads = ModelHeads(run)
    first = Computed(run.attention(0), Labels((), ()), 0, None)
    shown = DisplayedStep(first, "weights", 0, Look(), LIGHT)
    view = HeadsView()
    qtbot.addWidget(view, before_close_func=lambda widget: widget.hide())
    view.resize(900, 700)
    view.show_heads(heads, content_of_layers(heads, shown), LIGHT)
    with qtbot.waitExposed(view):
        view.show()
    view.finish()
    return view


def view_of(shown):
    return shown if isinstance(shown, HeadsView) else shown.step_view.heads.heads


def pick(qtbot, window, box, title):
    """Choose a line of a box with the keys."""
    combo = window.findChild(QComboBox, f"heads.{box}")
    assert combo.isVisible()
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.findText(title)):
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.currentText() == title


def names(window):
    return [widget.card.title for widget in view_of(window).wall.cards]


def card_of(window, layer, head):
    return view_of(window).wall.card_of(HeadLocation(layer, head))


def chosen(window):
    return [w.card.title for w in view_of(window).wall.cards if w.isChecked()]


def place_in_model(window):
    link = link_of(window.workbench.document)
    return link.layer, link.head


def wait_for(qtbot, window, layer, head):
    def is_there():
        assert place_in_model(window)[0] == layer
        assert window.workbench.selection.head == head

    qtbot.waitUntil(is_there)


def entropies(weights):
    """Return the mean over the queries of the entropy in bits, (layers, heads)."""
    known = weights.astype(np.float64)
    bits = -known * np.log2(np.where(known > 0, known, 1))
    return bits.sum(axis=-1).mean(axis=-1)


# A menu that pops up offscreen has nothing to be raised above.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_heads_of_all_layers_are_shown_where_asked_for_and_lead_to_each_head(
    opened, qtbot, monkeypatch, checkpoint
):
    check_where_they_are_shown(opened, qtbot)
    reopen(opened, qtbot, checkpoint)
    check_clicks_and_arrow_keys(opened, qtbot)
    check_what_opens_a_head(opened, qtbot)
    reopen(opened, qtbot, checkpoint)
    with monkeypatch.context() as patch:
        check_another_layer(opened, qtbot, patch)
    pick(qtbot, opened, "layers", "this layer")
    check_one_head_alone(opened, qtbot)


def check_where_they_are_shown(opened, qtbot):
    assert names(opened) == [f"H{head}" for head in range(HEADS)]
    pick(qtbot, opened, "layers", "all layers")
    assert names(opened) == [f"L{k} H{h}" for k in range(LAYERS) for h in range(HEADS)]
    headings = view_of(opened).wall.headings
    assert headings.rows == ("L0", "L1", "L2", "L3", "L4", "L5")
    assert chosen(opened) == ["L0 H0"]
    pick(qtbot, opened, "layers", "this layer")
    assert names(opened) == [f"H{head}" for head in range(HEADS)]
    pick(qtbot, opened, "layers", "all layers")
    opened.workbench.selection.choose_step("scores")
    assert names(opened) == [f"H{head}" for head in range(HEADS)]
    assert not opened.findChild(QComboBox, "heads.layers").isVisible()
    opened.workbench.selection.choose_step("weights")
    assert len(names(opened)) == LAYERS * HEADS
    pick(qtbot, opened, "layers", "all layers")
    box = opened.findChild(QComboBox, "heads.layers")
    opened.workbench.open(load_document("example:two-heads"))
    assert not box.isVisible()
    assert names(opened) == ["H0", "H1"]


def test_cards_hold_the_weights_of_their_layers(wall, qtbot, weights):
    for layer in range(LAYERS):
        for head in range(HEADS):
            shown = card_of(wall, layer, head).card.content.matrix.window()
            np.testing.assert_allclose(shown, weights[layer, head], atol=1e-6)


@pytest.mark.parametrize("sorting", ["largest first", "smallest first"])
def test_heads_of_all_layers_are_sorted_by_entropy(wall, qtbot, weights, sorting):
    pick(qtbot, wall, "sorting", sorting)
    bits = entropies(weights)
    sign = -1 if sorting == "largest first" else 1
    order = np.argsort(sign * bits, axis=None, kind="stable")
    expected = [divmod(int(location), HEADS) for location in order]
    assert names(wall) == [f"L{layer} H{head}" for layer, head in expected]
    first = card_of(wall, *expected[0])
    assert first.caption.short == f"{bits[expected[0]]:.2f} bit"


def test_heads_are_sorted_by_what_they_give_the_first_token(wall, qtbot, weights):
    pick(qtbot, wall, "statistic", "First key (sink)")
    pick(qtbot, wall, "sorting", "largest first")
    shares = weights[..., 0].mean(axis=-1)  # (layers, heads)
    layer, head = divmod(int(np.argmax(shares)), HEADS)
    assert names(wall)[0] == f"L{layer} H{head}"


def test_a_card_tells_all_that_is_known_of_its_head(wall, qtbot, weights):
    matrix = weights[2, 1]  # (n, n)
    positions = np.arange(len(matrix))
    distance = (matrix * np.abs(positions[:, None] - positions)).sum(axis=1).mean()
    before = np.diagonal(matrix, -1).mean()
    lines = card_of(wall, 2, 1).caption.every.splitlines()
    assert f"entropy {entropies(weights)[2, 1]:.2f} bit" in lines
    assert f"distance {distance:.2f}" in lines
    assert f"first key {100 * matrix[:, 0].mean():.0f} %" in lines
    assert f"previous {100 * before:.0f} %" in lines
    assert f"itself {100 * np.diagonal(matrix).mean():.0f} %" in lines


def check_clicks_and_arrow_keys(opened, qtbot):
    pick(qtbot, opened, "layers", "all layers")
    before = opened.workbench.document
    card = card_of(opened, 0, 2)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    assert opened.workbench.selection.head == 2
    assert opened.workbench.document is before
    assert not opened.workbench.model.computing
    pick(qtbot, opened, "layers", "all layers")
    selection = opened.workbench.selection
    card = card_of(opened, 1, 1)
    middle = card.grid.cell_rect((4, 2)).translated(card.corner).center()
    qtbot.mouseMove(card, middle)
    qtbot.mouseMove(card, middle + QPoint(1, 0))
    assert selection.hovered == ("weights", (4, 2))
    assert selection.hovered_heads == ()
    pick(qtbot, opened, "layers", "all layers")
    card = card_of(opened, 2, 3)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    wait_for(qtbot, opened, 2, 3)
    assert chosen(opened) == ["L2 H3"]
    assert opened.workbench.model.location == ModelLocation(2)
    assert card_of(opened, 2, 3) is card
    assert card.hasFocus()
    pick(qtbot, opened, "layers", "all layers")
    card = card_of(opened, 0, 1)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    for _ in range(2):  # faster than layers are opened
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    wait_for(qtbot, opened, 2, 1)
    assert card_of(opened, 2, 1).hasFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Up)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Down)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Right)
    wait_for(qtbot, opened, 2, 2)
    assert chosen(opened) == ["L2 H2"]


def check_what_opens_a_head(opened, qtbot):
    """Open a head by itself by Enter, a double click and the menu."""
    pick(qtbot, opened, "layers", "all layers")
    card = card_of(opened, 1, 3)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    qtbot.mouseDClick(card, LEFT, pos=card.rect().center())
    wait_for(qtbot, opened, 1, 3)
    assert opened.step_view.view == "heatmap"
    opened.step_view.set_view("heads")
    assert chosen(opened) == ["L1 H3"]
    card_of(opened, 1, 3).setFocus()
    qtbot.keyClick(card_of(opened, 1, 3), Qt.Key.Key_Left)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    wait_for(qtbot, opened, 1, 2)
    assert opened.step_view.view == "heatmap"
    opened.step_view.set_view("heads")
    pick(qtbot, opened, "layers", "all layers")
    menu = opened.findChild(HeadMenu)
    card = card_of(opened, 2, 1)
    where = card.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, where, card.mapToGlobal(where))
    QApplication.sendEvent(card, event)
    assert not menu.isVisible()
    qtbot.waitUntil(menu.isVisible)
    assert place_in_model(opened) == (2, None)
    assert opened.workbench.selection.head == 1
    texts = [action.text() for action in menu.actions() if action.text()]
    assert texts == [
        "Switch &off L2 H1",
        "Set L2 H1 to its &mean",
        "Goal See&k…",
        "&About this head",
    ]
    menu.close()


def check_another_layer(opened, qtbot, monkeypatch):
    """Nothing of the wall changes but its frame."""
    pick(qtbot, opened, "layers", "all layers")
    pick(qtbot, opened, "sorting", "largest first")
    wall = view_of(opened).wall
    bar = wall.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    before, order, location = wall.cards, names(opened), bar.value()
    shown = []
    monkeypatch.setattr(wall, "show_cards", lambda *_: shown.append(1))
    last = before[-1]
    layer, head = last.card.location
    qtbot.mouseClick(last, LEFT, pos=last.rect().center())
    wait_for(qtbot, opened, layer, head)
    opened.workbench.model.show(ModelLocation((layer + 1) % LAYERS))
    wait_for(qtbot, opened, (layer + 1) % LAYERS, head)
    assert wall.cards == before
    assert names(opened) == order
    assert bar.value() == location
    assert last.hasFocus()
    assert not shown


def check_weights_put_back_and_another_sentence(opened, qtbot, checkpoint, weights):
    pick(qtbot, opened, "layers", "all layers")
    workbench = opened.workbench
    none = np.zeros(workbench.document.matrix("W_Q").shape)
    workbench.edits.submit(SetCells("Clear W_Q", "W_Q", 0, 0, none))
    workbench.engine.flush()
    with qtbot.waitSignal(workbench.model.completed):
        workbench.model.put_back(workbench.document)
    run = load(checkpoint).run([int(number) for number in IDS.split()])
    run = run.with_weights(0, {"W_Q": none.astype(np.float32)})
    for layer in range(LAYERS):
        expected = run.attention(layer)["weights"][3]
        shown = card_of(opened, layer, 3).card.content.matrix.window()
        np.testing.assert_allclose(shown, expected, atol=1e-6)
        assert np.abs(expected - weights[layer, 3]).max() > 1e-4
    pick(qtbot, opened, "layers", "all layers")
    cards = view_of(opened).wall.cards
    card = card_of(opened, 0, 1)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    with qtbot.waitSignal(opened.workbench.model.completed):
        opened.workbench.model.set_text("1 2 3")
    assert card_of(opened, 2, 3).card.content.shape == (3, 3)
    assert view_of(opened).wall.cards == cards
    assert card.hasFocus()


def check_changes_out_of_sight(opened, qtbot, weights):
    pick(qtbot, opened, "layers", "all layers")
    workbench = opened.workbench
    none = np.zeros(workbench.document.matrix("W_Q").shape)
    workbench.edits.submit(SetCells("Clear W_Q", "W_Q", 0, 0, none))
    workbench.engine.flush()
    opened.step_view.set_view("table")
    with qtbot.waitSignal(workbench.model.completed):
        workbench.model.put_back(workbench.document)
    opened.step_view.set_view("heads")
    shown = card_of(opened, 1, 1).card.content.matrix.window()
    assert np.abs(shown - weights[1, 1]).max() > 1e-4
    opened.step_view.set_view("table")
    with qtbot.waitSignal(workbench.model.completed):
        workbench.model.set_text("1 2 3")
    opened.step_view.set_view("heads")
    assert card_of(opened, 1, 1).card.content.matrix.window().shape == (3, 3)


def check_one_head_alone(opened, qtbot):
    model = opened.workbench.model
    model.show(ModelLocation(1, 2))
    qtbot.waitUntil(lambda: place_in_model(opened) == (1, 2))
    # A head by itself is seen large.
    assert opened.step_view.view == "heatmap"
    opened.step_view.set_view("heads")
    label = opened.findChild(QLabel, "heads.none")
    assert label.isVisible()
    assert label.text() == "This is one head of a model."
    button = opened.findChild(QPushButton, "heads.remedy")
    assert button.text() == "Show the heads of all layers"
    qtbot.mouseClick(button, LEFT)
    assert chosen(opened) == ["L1 H2"]
    # Another head is then one by itself as well.
    card = card_of(opened, 2, 0)
    qtbot.mouseClick(card, LEFT, pos=card.rect().center())
    qtbot.waitUntil(lambda: place_in_model(opened) == (2, 0))
    assert chosen(opened) == ["L2 H0"]
    workbench = opened.workbench
    workbench.model.show(ModelLocation(1, 2))
    qtbot.waitUntil(lambda: place_in_model(opened) == (1, 2))
    workbench.selection.choose_step("scores")
    opened.step_view.set_view("heads")
    button = opened.findChild(QPushButton, "heads.remedy")
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)
    assert workbench.selection.step == "weights"
    assert len(names(opened)) == LAYERS * HEADS


@pytest.fixture
def gate(monkeypatch):
    """Hold the worker before it computes the heads of a layer while it is cleared."""
    with gated(monkeypatch, ModelHeads, "compute") as open_:
        yield open_


def test_the_wall_follows_what_is_computed_anew_and_says_what_is_not_yet(
    opened, qtbot, tmp_path, checkpoint, weights, gate
):
    check_weights_put_back_and_another_sentence(opened, qtbot, checkpoint, weights)
    reopen(opened, qtbot, checkpoint)
    check_changes_out_of_sight(opened, qtbot, weights)
    reopen(opened, qtbot, checkpoint)
    check_another_model(opened, qtbot, tmp_path)
    check_another_sentence(opened, qtbot, gate)


def check_another_model(opened, qtbot, tmp_path):
    pick(qtbot, opened, "layers", "all layers")
    model = opened.workbench.model
    other = write_gpt2(tmp_path, n_layer=LAYERS)
    label = opened.findChild(QLabel, "heads.layers.none")
    with qtbot.waitSignals([model.changed, model.completed]):
        model.changed.connect(lambda: seen.append((label.isVisible(), label.text())))
        seen = []
        model.open(other, IDS)
    assert seen == [(True, "The layers are still being computed.")]
    assert opened.findChild(QComboBox, "heads.layers").isVisible()
    assert not label.isVisible()
    assert len(names(opened)) == LAYERS * HEADS


def check_another_sentence(opened, qtbot, gate):
    """Heads of the one before are not left in sight."""
    pick(qtbot, opened, "layers", "all layers")
    model = opened.workbench.model
    label = opened.findChild(QLabel, "heads.layers.none")
    gate.clear()
    with qtbot.waitSignal(model.changed):
        model.set_text("1 2 3")
    assert not label.isVisible()  # nobody has waited yet
    qtbot.waitUntil(label.isVisible)
    assert label.text() == "The layers are still being computed."
    model.cancel()
    assert label.text() == "Not all layers were computed."
    gate.set()
    with qtbot.waitSignal(model.completed):
        model.complete()
    assert not label.isVisible()
    assert card_of(opened, 1, 1).card.content.matrix.window().shape == (3, 3)
    pick(qtbot, opened, "layers", "all layers")
    model = opened.workbench.model
    gate.clear()
    with qtbot.waitSignal(model.changed):
        model.set_text("4 5 6 7")
    model.cancel()
    gate.set()
    label = opened.findChild(QLabel, "heads.layers.none")
    assert label.isVisible()
    assert label.text() == "Not all layers were computed."


def test_the_wall_finds_the_heads_that_look_from_a_pronoun_at_its_noun(
    qtbot, appearance, minilm
):
    run = load(minilm).run(FIRST)
    heads = ModelHeads(run)
    first = Computed(run.attention(0), Labels((), ()), 0, None)
    view = HeadsView()
    qtbot.addWidget(view, before_close_func=lambda widget: widget.hide())
    content = content_of_layers(
        heads, DisplayedStep(first, "weights", 0, Look(), LIGHT)
    )
    view.show_heads(heads, content, LIGHT)
    for name, title in (("statistic", "Selected cell"), ("sorting", "largest first")):
        box = view.findChild(QComboBox, f"heads.{name}")
        box.setCurrentIndex(box.findText(title))
        box.activated.emit(box.currentIndex())
    view.mark((run.tokens.index("it"), run.tokens.index("animal")), None)
    cards = [(card.card.title, card.caption.short) for card in view.wall.cards[:3]]
    # As transformers computes them with eager attention.
    assert cards == [("L3 H1", "0.6768"), ("L5 H11", "0.6733"), ("L5 H3", "0.2486")]
    assert len(view.wall.cards) == 72
