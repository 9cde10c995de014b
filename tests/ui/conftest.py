"""What the tests of the window's parts have in common."""

import json

import pytest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from attnviewer.models.trace import ModelTrace
from attnviewer.ui.paint.fonts import text_font
from attnviewer.ui.state.model import OpenModel
from attnviewer.ui.state.undo import EditStack
from tests.models.checkpoints import write_gpt2, write_llama
from tests.ui.gates import gated

WORDS = ["?", "the", "cat", "sat", "on", "a", "mat", "and", "slept"]


@pytest.fixture(autouse=True, scope="session")
def _texts_have_the_font_of_windows(qapp):
    """Give parts that are shown without a window the font that they have in one."""
    qapp.setFont(text_font(qapp.font()))


@pytest.fixture
def make_edits(qapp):
    """Return what makes the edits of a document, as part of a window or of nothing.

    After the test they are closed: Python's collector must not come first, see
    `EditStack.close`.
    """
    made = []

    def make(document, window=None):
        made.append(EditStack(document, window))
        return made[-1]

    yield make
    for edits in filter(isValid, made):
        edits.close()
        edits.deleteLater()


@pytest.fixture
def gpt2(tmp_path):
    """Four layers of four heads without a tokenizer: ids are typed."""
    return write_gpt2(tmp_path / "little", n_layer=4)


@pytest.fixture
def llama(tmp_path):
    """Two layers of four heads over two of keys, and words."""
    folder = write_llama(tmp_path / "wordy")
    rules = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {
            "type": "WordLevel",
            "vocab": {word: number for number, word in enumerate(WORDS)},
            "unk_token": "?",
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder


@pytest.fixture
def gate(monkeypatch):
    """Hold the worker, not the window, before each layer while it is cleared."""
    with gated(monkeypatch, ModelTrace, "stream") as open_:
        yield open_


@pytest.fixture
def model(qtbot, qapp, gate):
    """An open model by itself, without a window."""
    model = OpenModel()
    yield model
    gate.set()
    model.close()
    model.deleteLater()


@pytest.fixture
def open_model(window, qtbot, gate):
    """Return what opens a model in the window and waits until all is computed."""

    def open_(path):
        model = window.workbench.model
        before = model.experiment
        window.opener.open(str(path))
        qtbot.waitUntil(lambda: model.experiment is not before)
        qtbot.waitUntil(lambda: model.heads is not None)
        QApplication.processEvents()
        return model

    yield open_
    gate.set()
