"""A saved head is reconnected with its model, by a click and never without one."""

import json
import shutil

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QPushButton, QToolBar

from attnviewer.document import SetCells
from attnviewer.io import read_session, save_session
from attnviewer.models import load
from attnviewer.models.layer_documents import attention_document, link_of
from tests.mnemonics import letters_of_menus, mnemonic
from tests.models.checkpoints import write_gpt2

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def saved(llama, tmp_path):
    """A head over a sentence, edited and saved."""
    document = attention_document(load(llama).run(["the", "cat", "slept"]), 1, 2)
    document.apply(SetCells("Set", "W_Q", 0, 0, np.array([[7.0]])))
    path = tmp_path / "head.attn"
    save_session(document, path)
    return path


@pytest.fixture
def reopen(window, qtbot):
    """Return a function that opens a session and waits for its document."""

    def open_(path):
        before = window.document
        window.opener.open(str(path))
        qtbot.waitUntil(lambda: window.document is not before)
        QApplication.processEvents()

    return open_


def offers(window):
    buttons = window.notice.findChildren(QPushButton)
    assert not {mnemonic(b) for b in buttons} & letters_of_menus(window)
    return {b.accessibleName(): b for b in buttons if b.isVisible()}


def click(window, name):
    QTest.mouseClick(offers(window)[name], LEFT)


def bar(window):
    return window.findChild(QToolBar, "model.bar")


def choose(monkeypatch, folder):
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_: str(folder or "")
    )


def connected(window, qtbot):
    qtbot.waitUntil(lambda: window.workbench.link is not None)
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    QApplication.processEvents()


def a_saved_head_is_connected_by_one_click_and_put_back(
    window, reopen, saved, llama, qtbot, monkeypatch
):
    # Whatever path a file names, it is not accessed unasked.
    with monkeypatch.context() as patch:
        patch.setattr("attnviewer.models.load", None)
        reopen(saved)
    assert window.notice.text == (
        f"This is L1 H2 of the model in {llama}. Open the model to apply its weights."
    )
    assert window.workbench.model.experiment is None
    assert not bar(window).isVisible()
    click(window, "Open the model")
    connected(window, qtbot)
    assert bar(window).isVisible()
    assert window.workbench.location == "L1 H2"
    assert window.workbench.model.experiment.run.tokens == ("the", "cat", "slept")
    assert window.document.matrix("W_Q")[0, 0] == 7.0
    assert not window.isWindowModified()
    assert not window.findChild(QAction, "action.model.find").isEnabled()
    put_back = bar(window).findChild(object, "button.model.put_back")
    QTest.mouseClick(put_back, LEFT)
    qtbot.waitUntil(lambda: window.workbench.model.experiment.patches != ())
    qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
    run = window.workbench.model.experiment.run
    assert run.weights(1)["W_Q"][0, 16] == 7.0


def test_the_sentence_comes_back_as_it_was_typed(
    window, reopen, llama, qtbot, tmp_path
):
    model = window.workbench.model
    with qtbot.waitSignal(model.completed):
        model.open(llama, "the cat  sat")
    path = tmp_path / "layer.attn"
    save_session(window.document, path)
    window.opener.open("example:four-words")
    reopen(path)
    # The same model is open: nothing is asked, and no file is opened.
    connected(window, qtbot)
    assert model.text == "the cat  sat"
    assert model.experiment.run.model is link_of(window.document).run.model
    assert offers(window) == {}


def test_a_model_that_was_moved_is_looked_for_and_remembered(
    window, reopen, saved, llama, qtbot, monkeypatch, tmp_path
):
    elsewhere = tmp_path / "elsewhere"
    shutil.move(llama, elsewhere)
    reopen(saved)
    click(window, "Open the model")
    qtbot.waitUntil(lambda: "Find its model…" in offers(window))
    assert str(llama) in window.notice.text
    choose(monkeypatch, None)
    click(window, "Find its model…")
    assert not window.workbench.model.computing
    choose(monkeypatch, elsewhere)
    window.findChild(QAction, "action.model.find").trigger()
    connected(window, qtbot)
    assert window.document.checkpoint.path == str(elsewhere)


def test_another_model_is_told_and_used_if_the_person_insists(
    window, reopen, saved, llama, qtbot
):
    weights = llama / "model.safetensors"
    whole = bytearray(weights.read_bytes())
    whole[-1] ^= 1  # the last number of the last tensor
    whole[len(whole) // 2] ^= 1
    weights.write_bytes(whole)
    reopen(saved)
    click(window, "Open the model")
    qtbot.waitUntil(lambda: "Use it anyway" in offers(window))
    assert "its configuration or its weights differ" in window.notice.text
    assert window.workbench.link is None
    click(window, "Use it anyway")
    connected(window, qtbot)
    assert window.document.checkpoint.fingerprint == load(llama).fingerprint


def a_model_without_such_a_head_is_refused_and_the_document_stays(
    window, reopen, saved, qtbot, monkeypatch, tmp_path
):
    other = write_gpt2(tmp_path / "other", n_layer=1)
    reopen(saved)
    choose(monkeypatch, other)
    click(window, "Find it elsewhere…")
    qtbot.waitUntil(lambda: "Use it anyway" in offers(window))
    click(window, "Use it anyway")
    qtbot.waitUntil(lambda: "'layer' must be from 0 to 0" in window.notice.text)
    assert window.workbench.model.experiment is None
    assert window.document.matrix("W_Q")[0, 0] == 7.0


def a_path_is_shown_in_one_line_from_its_host_to_its_end(window, reopen, saved):
    document = read_session(saved)
    known = document.checkpoint
    path = "//host/tmp/\u202e" + "x" * 3000 + "\nmodel"
    document.checkpoint = type(known)(path, known.fingerprint, 1, 2, known.ids)
    save_session(document, saved.with_name("elsewhere.attn"))
    reopen(saved.with_name("elsewhere.attn"))
    assert "\n" not in window.notice.text
    assert "\u202e" not in window.notice.text
    assert "the model in //host/tmp/" in window.notice.text
    assert r"xxx\nmodel" in window.notice.text
    assert len(window.notice.text) < 300


def test_a_saved_head_is_connected_by_one_click_with_a_model_that_has_such_a_head(
    window, reopen, saved, llama, qtbot, monkeypatch, tmp_path
):
    a_path_is_shown_in_one_line_from_its_host_to_its_end(window, reopen, saved)
    with monkeypatch.context() as patch:
        a_model_without_such_a_head_is_refused_and_the_document_stays(
            window, reopen, saved, qtbot, patch, tmp_path
        )
    a_saved_head_is_connected_by_one_click_and_put_back(
        window, reopen, saved, llama, qtbot, monkeypatch
    )


def test_settings_of_the_found_model_that_contradict_each_other_are_told(
    window, reopen, saved, llama, qtbot
):
    settings = {"bos_token": "the", "add_bos_token": True}
    (llama / "tokenizer_config.json").write_text(json.dumps(settings))
    (notice,) = load(llama).notices
    reopen(saved)
    click(window, "Open the model")
    connected(window, qtbot)
    assert notice.startswith("tokenizer_config.json sets 'add_bos_token' to true")
    assert window.notice.text == notice
