"""The bar of a model: its contents, typing into it, and when it is shown."""

import json
import sys

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QToolBar,
    QToolButton,
)

from attnviewer.document import Replace, SetCells
from attnviewer.document.token_groups import TokenGroup
from attnviewer.models.layer_documents import link_of
from attnviewer.ui.files.recent import RecentMenu
from attnviewer.ui.state.building import Build
from attnviewer.ui.state.model.request import ModelLocation
from attnviewer.ui.widgets.reason import ReasonBubble
from tests.menus import action_of
from tests.ui.cut_off_texts import misfits
from tests.ui.dragging import drag_enter
from tests.ui.gates import gated

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

Key, LEFT = Qt.Key, Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier

GROUPS = (TokenGroup("ab", 0, 2),)


def bar(window):
    return window.findChild(QToolBar, "model.bar")


def part(window, name):
    return bar(window).findChild(object, f"model.{name}")


def button(window, name) -> QToolButton:
    return bar(window).findChild(QToolButton, f"button.model.{name}")


def action(window, name) -> QAction:
    return window.findChild(QAction, f"action.model.{name}")


def opened(window):
    """Return the open document's place in the model."""
    return link_of(window.document).name


@pytest.fixture
def wait(window, qtbot):
    """Return a function that waits until a place is open and computed."""

    def wait_for(name):
        model = window.workbench.model
        qtbot.waitUntil(
            lambda: (
                link_of(window.document) is not None
                and opened(window) == name
                and model.heads is not None
            )
        )
        QApplication.processEvents()

    return wait_for


def type_sentence(window, text):
    box = part(window, "sentence")
    box.setFocus()
    QTest.keyClick(box, Key.Key_A, CONTROL)
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Key.Key_Return)


def bubble(window):
    return window.findChild(ReasonBubble)


def test_a_model_brings_the_bar_that_shows_where_one_looks(
    window, open_model, llama, qtbot
) -> None:
    assert not bar(window).isVisible()
    bar(window).show()  # as restoreState() does
    assert not bar(window).isVisible()
    assert not action(window, "back").isEnabled()
    model = open_model(llama)
    assert bar(window).isVisible()
    assert part(window, "layer").text() == "L0"
    assert part(window, "head").text() == "H0"
    assert part(window, "sentence").text().startswith("The animal")
    assert part(window, "count").text() == "11 tokens"
    assert window.windowTitle() == "wordy · L0[*] — attnviewer"
    labels = bar(window).findChildren(QLabel)
    captions = [c.text() for c in labels if c.buddy()]
    # The first is hidden: it is for screen readers.
    assert captions == ["Part of the model", "Layer", "Head", "Sentence"]
    for name in ("layer", "head", "sentence"):
        assert part(window, name).accessibleName() == name.capitalize()
    assert not button(window, "take_out").isVisible()
    # A sentence that is there is not computed again, a typed one is.
    document = window.document
    with qtbot.assertNotEmitted(model.layer_computed):
        QTest.keyClick(part(window, "sentence"), Key.Key_Return)
        assert model.worker.jobs == []
    assert window.document is document
    with qtbot.waitSignal(model.changed):
        type_sentence(window, "the cat slept")
    assert window.document.tokens == ("the", "cat", "slept")
    assert part(window, "count").text() == "3 tokens"
    with qtbot.waitSignal(model.changed):
        type_sentence(window, "cat")
    assert part(window, "count").text() == "1 token"


def a_sentence_stays_that_is_refused_with_a_reason_or_being_typed(
    window, model, wait, qtbot
) -> None:
    document = window.document
    box = part(window, "sentence")
    assert "Ids" in box.placeholderText()
    with qtbot.waitSignal(model.sentence_refused):
        type_sentence(window, "3 48")
    assert box.text() == "3 48"
    assert bubble(window).isVisible()
    assert "from 0 to 47" in bubble(window).text()
    assert window.document is document
    assert window.notice.text == ""
    QTest.keyClick(box, Key.Key_Backspace)
    assert not bubble(window).isVisible()
    with qtbot.waitSignal(model.sentence_refused):
        type_sentence(window, "the cat")
    QTest.keyClick(box, Key.Key_Escape)
    assert box.text() == model.text
    assert not bubble(window).isVisible()
    QTest.keyClick(box, Key.Key_Z, CONTROL)
    assert box.text() == "the cat"
    QTest.keyClick(box, Key.Key_Escape)
    # What is being typed stays while a layer comes.
    QTest.keyClick(box, Key.Key_A, CONTROL)
    QTest.keyClicks(box, "4 5")
    part(window, "layer").setValue(2)
    wait("L2")
    assert box.text() == "4 5"
    QTest.keyClick(box, Key.Key_Escape)
    assert box.text().startswith("0 1 2")


def a_layer_keeps_what_is_looked_at(window, wait) -> None:
    window.step_view.set_view("table")
    window.workbench.open_step("scaled", (3, 2))
    part(window, "head").setValue(2)
    part(window, "layer").setValue(3)
    wait("L3")
    selection = window.workbench.selection
    assert (selection.step, selection.cell, selection.head) == ("scaled", (3, 2), 2)
    assert window.step_view.view == "table"
    # The head of the bar is the head of all views.
    assert part(window, "head").text() == "H2"
    selection.choose_head(1)
    assert part(window, "head").text() == "H1"
    # Groups made by hand are those of the sentence.
    window.workbench.edits.submit(Replace("Group the first two", groups=GROUPS))
    window.workbench.engine.flush()
    window.workbench.folds.fold_all()
    part(window, "layer").setValue(2)
    wait("L2")
    assert window.document.groups == GROUPS
    assert window.workbench.folds.current.folded == {
        ("queries", *GROUPS),
        ("keys", *GROUPS),
    }
    # What was left has no other change, which closing would ask about once for each.
    assert window.workbench.changed == [window.document]
    part(window, "layer").setValue(3)
    wait("L3")
    assert window.document.groups == GROUPS
    assert window.workbench.changed == [window.document]


def a_head_is_opened_alone_and_its_layer_again(window, wait) -> None:
    part(window, "head").setValue(2)
    QTest.mouseClick(button(window, "edit_head"), LEFT)
    wait("L3 H2")
    assert button(window, "edit_head").accessibleName() == "Whole layer"
    assert part(window, "head").text() == "H2"
    part(window, "head").setValue(3)
    wait("L3 H3")
    part(window, "layer").setValue(1)
    wait("L1 H3")
    QTest.mouseClick(button(window, "edit_head"), LEFT)
    wait("L1")
    assert window.workbench.selection.head == 3
    assert button(window, "edit_head").accessibleName() == "Edit this head"


def tab_goes_on_to_buttons_and_heads(window) -> None:
    part(window, "sentence").setFocus()
    visited = []
    for _ in range(9):
        QTest.keyClick(QApplication.focusWidget(), Key.Key_Tab)
        visited.append(QApplication.focusWidget().objectName())
    assert visited == [
        "button.model.edit_head",
        "model.compare",
        "button.pin",
        "export",
        "atlas.next",
        "atlas.order",
        "atlas.search",
        "atlas.survey",
        "atlas.maps",
    ]


def arrows_bring_earlier_sentences_back(window, model, qtbot) -> None:
    first, box = model.text, part(window, "sentence")
    for sentence in ("4 5", "6 7"):
        with qtbot.waitSignal(model.changed):
            type_sentence(window, sentence)
    QTest.keyClicks(box, " 8")
    for key, shown in (
        (Key.Key_Up, "6 7"),
        (Key.Key_Up, "4 5"),
        (Key.Key_Up, first),
        (Key.Key_Up, first),
        (Key.Key_Down, "4 5"),
        (Key.Key_Down, "6 7"),
        (Key.Key_Down, "6 7 8"),
        (Key.Key_Down, "6 7 8"),
    ):
        QTest.keyClick(box, key)
        assert box.text() == shown


def test_sentences_layers_and_heads_are_chosen_by_keys_and_buttons(
    window, open_model, gpt2, wait, qtbot
) -> None:
    model = open_model(gpt2)
    tab_goes_on_to_buttons_and_heads(window)
    a_sentence_stays_that_is_refused_with_a_reason_or_being_typed(
        window, model, wait, qtbot
    )
    a_layer_keeps_what_is_looked_at(window, wait)
    a_head_is_opened_alone_and_its_layer_again(window, wait)
    arrows_bring_earlier_sentences_back(window, model, qtbot)


def test_another_document_hides_the_bar_and_layers_given_up_are_offered_again(
    window, open_model, gpt2, wait, gate, qtbot
) -> None:
    model = open_model(gpt2)
    part(window, "layer").setValue(2)
    wait("L2")
    assert not action(window, "back").isEnabled()
    window.opener.open_example("two-heads")
    assert not bar(window).isVisible()
    assert action(window, "back").isEnabled()
    action(window, "back").trigger()
    wait("L2")
    assert bar(window).isVisible()
    assert not action(window, "back").isEnabled()
    # A presentation hides it as well, whatever is opened.
    QTest.keyClick(window, Key.Key_F11)
    QApplication.processEvents()
    assert not bar(window).isVisible()
    model.show(ModelLocation(0))
    wait("L0")
    assert not bar(window).isVisible()
    window.presentation.leave()
    assert bar(window).isVisible()
    # A document that is opened while a layer is computed stays.
    gate.clear()
    part(window, "layer").setValue(1)
    window.opener.open_example("two-heads")
    gate.set()
    model.worker.finish()
    assert window.document.title == "Two heads with a causal mask"
    assert model.location == ModelLocation(0)

    action(window, "back").trigger()
    wait("L0")
    model.changed.connect(gate.clear)  # before the other layers start
    with qtbot.waitSignal(model.changed):
        model.set_text("4 5")
    model.changed.disconnect(gate.clear)
    qtbot.waitUntil(window.work.isVisible)
    QTest.mouseClick(window.work.cancel, LEFT)
    gate.set()
    model.worker.finish()
    assert model.heads is None
    assert window.notice.text == "The rest of the model was not computed."
    offer = window.notice.findChild(object, "notice.offer.0")
    with qtbot.waitSignal(model.completed):
        QTest.mouseClick(offer, LEFT)
    assert model.heads is not None
    # The window closes while another layer is computed.
    gate.clear()
    model.show(ModelLocation(3))
    gate.set()
    window.close()
    assert model.worker.jobs == []


def edit(window, matrix: str = "W_Q") -> None:
    window.workbench.edits.submit(
        SetCells(f"Set {matrix}[0, 0] to 5", matrix, 0, 0, np.array([[5.0]]))
    )


def open_head(folder, open_model, wait):
    model = open_model(folder)
    model.show(ModelLocation(1, 2))
    wait("L1 H2")
    return model


def put_back(window, qtbot) -> None:
    with qtbot.waitSignal(window.workbench.model.changed):
        QTest.mouseClick(button(window, "put_back"), LEFT)


def compared(window):
    return window.workbench.baseline.pinned


def an_edited_head_is_set_aside_and_comes_back(
    window, open_model, gpt2, wait, qtbot
) -> None:
    model = open_head(gpt2, open_model, wait)
    edited = window.document
    edit(window)
    with qtbot.waitSignal(model.changed):
        type_sentence(window, "4 5 6")
    assert window.document is not edited
    assert "“little · L1 H2” are kept" in window.notice.text
    assert window.opener.set_aside == [edited]
    part(window, "layer").setValue(3)
    wait("L3 H2")
    window.opener.reopen(edited)
    assert edited.matrix("W_Q")[0, 0] == 5
    assert part(window, "layer").text() == "L1"
    assert part(window, "count").text() == "another sentence"
    # Its weights can still be put back, but over another sentence nothing is compared.
    put_back(window, qtbot)
    assert compared(window) is None
    assert model.experiment.run.weights(1)["W_Q"][0, 16] == 5
    assert model.experiment.run.ids == (4, 5, 6)


def a_head_that_comes_back_is_compared_with_its_own_weights(
    window, open_model, gpt2, wait, qtbot
) -> None:
    model = open_head(gpt2, open_model, wait)
    edit(window)
    edited = window.document
    put_back(window, qtbot)
    part(window, "layer").setValue(3)
    wait("L3 H2")
    elsewhere = compared(window)
    window.opener.reopen(edited)
    qtbot.waitUntil(lambda: compared(window) not in (None, elsewhere))
    own = model.experiment.original.weights(1)["W_Q"][:, 16:24]
    np.testing.assert_array_equal(compared(window).snapshot.inputs["W_Q"], own)
    assert model.location == ModelLocation(1, 2)
    # An example has nothing to do with the model's weights.
    window.opener.open_example("two-heads")
    assert compared(window) is None


def test_an_edited_head_is_set_aside_and_compared_with_its_own_weights_once_back(
    window, open_model, gpt2, wait, qtbot
) -> None:
    for follows in (
        an_edited_head_is_set_aside_and_comes_back,
        a_head_that_comes_back_is_compared_with_its_own_weights,
    ):
        follows(window, open_model, gpt2, wait, qtbot)


def what_cannot_be_put_back_is_unchanged_or_stays_behind_is_said(
    window, open_model, gpt2, wait, qtbot
) -> None:
    model = open_head(gpt2, open_model, wait)
    window.workbench.edits.submit(Replace("Group the first two", groups=GROUPS))
    assert not button(window, "put_back").isVisible()
    edit(window, "X")
    assert button(window, "put_back").isVisible()
    put_back(window, qtbot)
    own, behind = window.notice.text.splitlines()
    assert own == "These weights of L1 H2 are the model's own."
    assert model.experiment.patches == ()
    assert behind.startswith("X comes from the previous layers")
    before = model.experiment
    action_of(window, "variant.0").trigger()
    with qtbot.waitSignal(model.refused):
        button(window, "put_back").click()
    assert "to be applied to the model" in window.notice.text
    assert model.experiment is before
    window.workbench.edits.activeStack().setIndex(0)


def a_head_is_put_back_compared_and_taken_out(
    window, open_model, gpt2, wait, qtbot
) -> None:
    model = open_head(gpt2, open_model, wait)
    edit(window)
    edited = window.document
    QApplication.processEvents()
    pressed = button(window, "put_back")
    before = pressed.mapTo(window, pressed.rect().center())
    put_back(window, qtbot)
    QApplication.processEvents()
    # Pressing it again does not take out what was put back.
    assert pressed.mapTo(window, pressed.rect().center()) == before
    assert window.notice.text == "The model now computes with these weights of L1 H2."
    assert window.document is edited
    pinned = window.workbench.baseline.pinned
    assert pinned.title == "the model's own weights"
    assert button(window, "take_out").isVisible()
    with qtbot.waitSignal(model.changed):
        QTest.mouseClick(button(window, "take_out"), LEFT)
    assert window.workbench.baseline.pinned is None
    assert not button(window, "take_out").isVisible()
    assert window.document.matrix("W_Q")[0, 0] != 5
    assert window.opener.set_aside == [edited]
    # What the person has pinned stays pinned.
    edit(window)
    put_back(window, qtbot)
    window.workbench.baseline.pin()
    with qtbot.waitSignal(model.changed):
        button(window, "take_out").click()
    assert window.workbench.baseline.pinned is not None


def test_a_head_is_put_back_and_taken_out_and_it_is_said_what_cannot_be(
    window, open_model, gpt2, wait, qtbot
) -> None:
    for follows in (
        what_cannot_be_put_back_is_unchanged_or_stays_behind_is_said,
        a_head_is_put_back_compared_and_taken_out,
    ):
        follows(window, open_model, gpt2, wait, qtbot)


def heads_that_share_keys_are_named_when_one_is_put_back_into_its_own_model(
    window, open_model, llama, gpt2, wait, qtbot
) -> None:
    open_head(llama, open_model, wait)
    assert "H3 uses the same keys and values" in window.document.notes
    edit(window)
    put_back(window, qtbot)
    assert "also those of H3" in window.notice.text
    # A head of another model is not put back.
    edited = window.document
    open_model(gpt2)
    window.opener.reopen(edited)
    assert not bar(window).isVisible()
    assert not action(window, "put_back").isEnabled()


def a_model_says_why_its_words_or_the_rules_for_them_are_not_used(
    window, open_model, llama, monkeypatch
) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "tokenizers", None)
        open_model(llama)
    assert part(window, "sentence").text().startswith("0 1 2")
    assert "'tokenizers', which is not installed" in window.notice.text
    rules = llama / "tokenizer.json"
    bert = {"type": "BertNormalizer", "lowercase": True, "strip_accents": None}
    bert |= {"clean_text": True, "handle_chinese_chars": True}
    rules.write_text(json.dumps(json.loads(rules.read_text()) | {"normalizer": bert}))
    (llama / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    open_model(llama)
    assert "'do_lower_case' to false, tokenizer.json to true" in window.notice.text


def test_a_model_says_which_heads_share_keys_and_why_its_words_are_not_used(
    window, open_model, llama, gpt2, wait, qtbot, monkeypatch
) -> None:
    heads_that_share_keys_are_named_when_one_is_put_back_into_its_own_model(
        window, open_model, llama, gpt2, wait, qtbot
    )
    a_model_says_why_its_words_or_the_rules_for_them_are_not_used(
        window, open_model, llama, monkeypatch
    )


def large_layers_are_opened_head_by_head(
    window, open_model, gpt2, wait, monkeypatch
) -> None:
    monkeypatch.setattr("attnviewer.models.layer_documents.MOST_WEIGHTS", 4095)
    open_model(gpt2)
    assert opened(window) == "L0 H0"
    assert "“little” are too large to be opened whole" in window.notice.text
    whole = button(window, "edit_head")
    assert not whole.isEnabled()
    assert whole.toolTip() == "Whole layer: it is too large to be opened"
    part(window, "layer").setValue(2)
    wait("L2 H0")
    part(window, "head").setValue(3)
    wait("L2 H3")
    assert window.notice.text == ""


def a_document_too_large_for_a_frame_is_waited_for(
    window, open_model, gpt2, wait, monkeypatch, qtbot
) -> None:
    model = open_model(gpt2)
    monkeypatch.setattr("attnviewer.ui.state.engine.FRAME_COST", -1)
    with qtbot.waitSignal(window.workbench.engine.prepared):
        part(window, "layer").setValue(2)
    wait("L2")
    assert part(window, "layer").text() == "L2"
    window.workbench.engine.delayed.connect(window.workbench.engine.cancel)
    with qtbot.waitSignal(window.workbench.engine.unprepared):
        part(window, "layer").setValue(3)
    qtbot.waitUntil(lambda: model.heads is not None)
    assert "was not opened" in window.notice.text
    assert (opened(window), model.location) == ("L2", ModelLocation(2))
    assert part(window, "layer").text() == "L2"
    window.workbench.engine.delayed.disconnect(window.workbench.engine.cancel)


def the_model_is_had_that_is_asked_for_after_a_large_document(
    window, open_model, llama, monkeypatch, qtbot
) -> None:
    monkeypatch.setattr("attnviewer.ui.state.engine.FRAME_COST", -1)
    engine, titles = window.workbench.engine, []
    window.workbench.opened.connect(lambda: titles.append(window.document.title))
    with gated(monkeypatch, Build, "run") as computed:
        computed.clear()
        window.opener.open_example("journey")
        assert engine.preparing is not None
        window.opener.open(str(llama))
        assert engine.preparing is None
        computed.set()
        qtbot.waitUntil(
            lambda: bool(titles) and window.workbench.model.heads is not None
        )
    assert titles[0].startswith("wordy")


def test_large_layers_are_opened_head_by_head_and_large_documents_waited_for(
    window, open_model, gpt2, llama, wait, monkeypatch, qtbot
) -> None:
    with monkeypatch.context() as patch:
        large_layers_are_opened_head_by_head(window, open_model, gpt2, wait, patch)
    a_document_too_large_for_a_frame_is_waited_for(
        window, open_model, gpt2, wait, monkeypatch, qtbot
    )
    the_model_is_had_that_is_asked_for_after_a_large_document(
        window, open_model, llama, monkeypatch, qtbot
    )


def a_second_model_takes_the_place_of_the_first_what_is_none_does_not(
    window, open_model, gpt2, llama, wait, qtbot, monkeypatch
) -> None:
    model = open_model(gpt2)
    document = window.document
    empty = gpt2.parent / "empty"
    empty.mkdir()
    with qtbot.waitSignal(model.refused):
        window.opener.open(str(empty))
    assert "The folder is empty." in window.notice.text
    assert window.document is document
    assert bar(window).isVisible()
    part(window, "layer").setValue(3)
    part(window, "sentence").setText("being typed")
    asked = []

    def ask(_parent, _title, folder):
        asked.append(folder)
        return str(llama)

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", ask)
    QTest.keyClick(window, Key.Key_M, CONTROL)
    qtbot.waitUntil(lambda: window.windowTitle().startswith("wordy"))
    qtbot.waitUntil(lambda: model.heads is not None)
    assert asked == [str(gpt2.parent)]  # where the last model was
    assert part(window, "layer").maximum() == 1
    assert part(window, "layer").text() == "L0"
    assert part(window, "sentence").text().startswith("The animal")
    assert window.windowTitle().startswith("wordy · L0")
    # Both are among the recent files.
    menu = window.findChild(RecentMenu)
    menu.aboutToShow.emit()
    recent = [a for a in menu.actions() if a.data() in (gpt2, llama)]
    assert [a.data() for a in recent] == [llama, gpt2]
    recent[1].trigger()
    qtbot.waitUntil(lambda: window.windowTitle().startswith("little"))
    wait("L0")


def a_model_can_be_dropped_or_opened_by_any_of_its_files(
    window, gpt2, wait, qtbot
) -> None:
    point = window.rect().center()
    for name in (".", "config.json", "model.safetensors"):
        window.opener.open_example("two-heads")
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(gpt2 / name))])
        QApplication.sendEvent(window, drag_enter(point.x(), point.y(), data))
        drop = QDropEvent(
            QPointF(point),
            Qt.DropAction.CopyAction,
            data,
            LEFT,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(window, drop)
        wait("L0")
    # Weights without a description are imported.
    (gpt2 / "config.json").unlink()
    with qtbot.waitSignal(window.opener.import_wanted):
        window.opener.open(str(gpt2 / "model.safetensors"))
    window.importer.close()


def test_a_second_model_takes_the_place_of_the_first_and_can_be_dropped_by_any_file(
    window, open_model, gpt2, llama, wait, qtbot, monkeypatch
) -> None:
    a_second_model_takes_the_place_of_the_first_what_is_none_does_not(
        window, open_model, gpt2, llama, wait, qtbot, monkeypatch
    )
    a_model_can_be_dropped_or_opened_by_any_of_its_files(window, gpt2, wait, qtbot)


def test_texts_fit_the_bar_on_a_small_screen(
    window, open_model, gpt2, qtbot, appearance
) -> None:
    model = open_model(gpt2)
    edit(window)
    with qtbot.waitSignal(model.completed):
        button(window, "put_back").click()
    window.notice.dismiss()
    with qtbot.waitSignal(model.changed):
        type_sentence(window, "4 5")
    for percent in (80, 200):
        if percent == 200:
            appearance.choose("dark")
        appearance.set_text_size(percent)
        for _ in range(3):
            QApplication.processEvents()
        assert [found for found in misfits(window) if "model" in found] == [], percent
        extension = bar(window).findChild(QToolButton, "qt_toolbar_ext_button")
        assert not extension.isVisible(), percent
        line = window.fontMetrics().height()
        assert part(window, "sentence").width() > 12 * line, percent
