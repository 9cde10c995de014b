"""Windows opened from Python."""

import gc
import subprocess
import sys
import threading
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QEventLoop, QSettings, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QTreeWidget,
    QWidget,
)

import attnviewer
from attnviewer.document import EditError, SetCells
from attnviewer.ui.interactive import exploration, input_hook
from attnviewer.ui.offscreen import drawing
from attnviewer.ui.recovery import autosave
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.window.closing import ClosingDialog
from attnviewer.ui.window.main_window import MainWindow
from tests.documents import four_words
from tests.models.checkpoints import write_gpt2

X, W = np.eye(3), np.full((3, 3), 2.0)


@pytest.fixture
def prompt(qapp, theme_is_put_back, monkeypatch):
    """Simulate Python's own prompt; close the windows afterwards."""
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    yield
    exploration._close_all()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def script(prompt, monkeypatch):
    monkeypatch.delattr(sys, "ps1")


def _windows():
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]


def _answer(button):
    dialogs = QApplication.topLevelWidgets()
    (box,) = (w for w in dialogs if isinstance(w, ClosingDialog))
    text = box.findChild(QTreeWidget).topLevelItem(0).text(0)
    box.findChild(QPushButton, f"closing.{button}").click()
    return text


def test_at_a_prompt_the_window_is_alive_beside_it(prompt):
    shown = attnviewer.explore(x=X, w_q=W, w_k=W, w_v=W, tokens=["a", "b", "c"])
    (window,) = _windows()
    assert window.isVisible()
    assert window.document is shown.document
    assert shown.is_open
    assert shown.trace["Q"].tolist() == [[2, 2, 2]] * 3
    assert shown.document.tokens == ("a", "b", "c")
    assert "open" in repr(shown)
    # Edits in the window are read back after it has closed.
    edits = window.workbench.edits
    edits.submit(SetCells("e", "X", 0, 0, np.array([[9.0]])))
    window.close()  # without asking: Python holds the document
    assert shown.document.matrix("X")[0, 0] == 9
    assert shown.trace["X"][0, 0] == 9


def test_given_queries_keys_and_values_and_computations_are_shown(prompt):
    heads = np.stack([X, 2 * X])
    shown = attnviewer.explore(q=heads, k=heads, v=heads, head=1, scale=1.0)
    assert _windows()[0].isVisible()
    assert shown.trace["scores"].tolist() == (4 * X).tolist()
    trace = attnviewer.multi_head_attention(X, W, W, W, causal=True)
    shown = attnviewer.explore(trace, title="A trace")
    assert shown.document.title == "A trace"
    assert shown.document.spec.causal


def test_attention_weights_alone_are_shown(prompt):
    layers = np.stack([np.stack([np.eye(3), np.full((3, 3), 1 / 3)])] * 2)
    shown = attnviewer.explore(weights=layers, layer=1, tokens=list("abc"))
    (window,) = _windows()
    assert shown.trace["weights"].tolist() == layers[1].tolist()
    assert shown.document.tokens == ("a", "b", "c")
    edits = window.workbench.edits
    edits.submit(SetCells("e", "S", 0, 4, np.array([[0.5]])))  # of the second head
    assert shown.trace["weights"][1, 0, 1] == 0.5
    for wrong, reason in (
        ({"weights": layers}, "'layer' parameter must be given"),
        ({"weights": layers, "q": X}, "must be given alone. Got q"),
        ({"x": X, "layer": 0}, "layer must not be given without a model"),
    ):
        with pytest.raises(ValueError, match=reason):
            attnviewer.explore(**wrong)


def test_a_script_stays_until_the_window_is_closed(script, qtbot):
    QTimer.singleShot(0, lambda: _windows()[0].close())
    shown = attnviewer.explore(four_words())
    assert not shown.is_open
    assert "closed" in repr(shown)


def test_a_script_may_open_several_and_wait_for_one(script):
    one = attnviewer.explore(four_words(), block=False)
    other = attnviewer.explore(four_words(), block=False)
    assert len(_windows()) == 2
    QTimer.singleShot(0, other.close)
    other.wait()
    assert one.is_open
    one.close()
    one.close()
    assert not one.is_open


def test_where_an_event_loop_runs_nothing_waits(script, qtbot):
    loop, shown = QEventLoop(), []

    def slot():
        shown.append(attnviewer.explore(four_words()))
        loop.quit()

    QTimer.singleShot(0, slot)
    loop.exec()
    assert shown[0].is_open


def test_another_document_that_was_changed_is_asked_about(prompt, qtbot):
    shown = attnviewer.explore(four_words())
    (window,) = _windows()
    window.opener.open("example:two-heads")
    window.workbench.edits.submit(SetCells("e", "X", 0, 0, np.array([[9.0]])))
    messages = []
    QTimer.singleShot(0, lambda: messages.append(_answer("cancel")))
    window.close()
    assert "Two heads" in messages[0]
    assert shown.is_open
    assert "Four words" in shown.document.title


def _save_by_keys(qtbot, window):
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)


def test_a_document_is_saved_to_the_file_that_it_was_opened_from_or_saved_to(
    prompt, qtbot, tmp_path, monkeypatch
):
    path = tmp_path / "words.attn"
    attnviewer.save(four_words(), path)
    monkeypatch.chdir(tmp_path)
    opened, saved = attnviewer.open("words.attn"), four_words()
    monkeypatch.chdir("/")
    # The second window knows what the first has stored.
    for value, document in ((7.0, opened), (8.0, opened), (9.0, saved)):
        if document is saved:
            attnviewer.save(saved, path)
        shown = attnviewer.explore(document)
        (window,) = _windows()
        assert "words.attn" in window.windowTitle()
        edits = window.workbench.edits
        edits.submit(SetCells("e", "X", 0, 0, np.array([[value]])))
        _save_by_keys(qtbot, window)
        assert attnviewer.open(path).matrix("X")[0, 0] == value
        assert window.notice.text == ""
        shown.close()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_matrices_of_a_file_are_read_again_when_an_experiment_rewrites_it(
    prompt, qtbot, tmp_path
):
    path = tmp_path / "trained.npz"
    np.savez(path, X=X, W_Q=W, W_K=W, W_V=W)
    shown = attnviewer.explore(attnviewer.open(path))
    (window,) = _windows()
    np.savez(path, X=5 * X, W_Q=W, W_K=W, W_V=W)
    with qtbot.waitActive(window):
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: shown.document.matrix("X")[0, 0] == 5)


def test_what_is_edited_is_kept_for_a_crash_and_what_was_is_offered_above_the_window(
    prompt, qapp, qtbot, monkeypatch
):
    monkeypatch.setattr(type(qapp), "applicationName", lambda *_: "attnviewer")
    monkeypatch.setattr(autosave, "INTERVAL_MS", 0)
    seen = []

    class Noting(exploration.RecoveryFeature):
        def __init__(self, frame):
            super().__init__(frame)
            seen.append(frame.window.isVisible())

    monkeypatch.setattr(exploration, "RecoveryFeature", Noting)
    shown = attnviewer.explore(four_words())
    assert seen == [True]
    (window,) = _windows()
    edits = window.workbench.edits
    edits.submit(SetCells("e", "X", 0, 0, np.array([[9.0]])))
    root = data_folder() / "recovery"
    qtbot.waitUntil(lambda: len([*root.glob("process-*/*.attn")]) == 1)
    shown.close()
    assert [*root.glob("process-*")] == []


@pytest.fixture
def host_collector():
    """Have a host that has set up Python's collector; here it never comes to run."""
    threshold = gc.get_threshold()
    gc.set_threshold(0)
    gc.enable()
    gc.freeze()
    yield lambda: (gc.isenabled(), gc.get_freeze_count() > 0)
    gc.unfreeze()
    gc.disable()  # as the guard of all tests has it
    gc.set_threshold(*threshold)


@pytest.mark.parametrize("where", ["IPython", "an event loop"])
def test_the_collector_of_the_host_is_left_alone(where, host_collector, request):
    request.getfixturevalue("shell" if where == "IPython" else "prompt")
    seen = []

    def explore():
        shown = attnviewer.explore(four_words())
        seen.append(host_collector())
        shown.close()
        seen.append(host_collector())

    if where == "an event loop":
        loop = QEventLoop()
        QTimer.singleShot(0, explore)
        QTimer.singleShot(0, loop.quit)
        loop.exec()
    else:
        explore()
    assert seen == [(True, True)] * 2


def test_settings_of_another_program_stay_as_they_are(
    prompt, qapp, monkeypatch, tmp_path
):
    monkeypatch.setattr(type(qapp), "applicationName", lambda *_: "theirs")
    QSettings().setValue("theme", "dark")
    document = four_words()
    shown = attnviewer.explore(document)
    assert _windows()[0].appearance.choice != "dark"
    _windows()[0].origins.keep_source(document, str(tmp_path / "mine.attn"), None)
    shown.close()
    assert QSettings().allKeys() == ["theme"]
    assert str(own_settings().value("files/recent")).endswith("mine.attn")


class Shell:
    """Stands in for IPython's shell."""

    active_eventloop = None

    def __init__(self):
        self.enabled = []

    def enable_gui(self, gui):
        self.enabled.append(gui)
        self.active_eventloop = f"{gui}6"


@pytest.fixture
def shell(script, monkeypatch):
    shell = Shell()
    module = ModuleType("IPython")
    module.get_ipython = lambda: shell
    monkeypatch.setitem(sys.modules, "IPython", module)
    return shell


def test_ipython_turns_the_event_loop_and_a_notebook_s_own_sees_to_the_window(
    shell, monkeypatch
):
    for _ in range(2):
        attnviewer.explore(four_words())
    assert shell.enabled == ["qt"]
    assert len(_windows()) == 2
    exploration._close_all()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    shell.enabled.clear()
    shell.active_eventloop = None
    shell.kernel = object()
    later = []
    loop = SimpleNamespace(call_later=lambda seconds, act: later.append(act))
    monkeypatch.setattr(input_hook.asyncio, "get_event_loop", lambda: loop)
    shown = attnviewer.explore(four_words())
    assert shell.enabled == []
    seen = []
    QTimer.singleShot(0, lambda: seen.append(1))
    later.pop()()
    assert seen == [1]
    shown.close()
    later.pop()()
    assert later == []
    assert _windows() == []


@pytest.fixture
def message(qapp, monkeypatch):
    """Return what is said where there is no display."""
    reason = "There is no display."
    monkeypatch.setattr(exploration, "invisible_reason", lambda: reason)

    def message(*what, **arrays):
        with pytest.raises(RuntimeError, match=r"^There is no display\. ") as caught:
            attnviewer.explore(*what, **arrays)
        return str(caught.value)

    return message


def test_a_figure_drawn_before_without_a_display_makes_no_window_visible(
    qapp, monkeypatch
):
    with monkeypatch.context() as headless:
        headless.setattr(drawing, "missing_display", lambda: "There is no display.")
        headless.setattr(drawing, "create_application", lambda: qapp)
        headless.setattr(drawing.QCoreApplication, "instance", lambda: None)
        drawing.start_drawing()
    try:
        with pytest.raises(RuntimeError, match=r"^There is no display\. "):
            attnviewer.explore(four_words())
    finally:
        qapp.setProperty("attnviewer.invisible", None)


def test_without_a_display_the_ways_to_go_on_are_those_of_what_was_passed(
    message, gpt2
):
    assert "attnviewer.save(document, 'name.attn')" in message(four_words())
    saved = "attnviewer.save(attnviewer.document_of(trace), 'name.attn')"
    assert saved in message(four_words().compute())
    assert saved in message(x=X)
    assert "attnviewer.attention(q, k, v)" in message(x=X)
    figure = "attnviewer.figure(run, layer=1, head=2)"
    assert figure in message(gpt2.run([1, 2]), 1, 2)


@pytest.fixture
def gpt2(tmp_path):
    return attnviewer.models.load(write_gpt2(tmp_path / "gpt2"))


def test_a_run_is_explored_with_its_changes_and_a_model_over_a_text_or_ids(
    prompt, gpt2, qtbot
):
    run = gpt2.run([3, 1, 2])
    edited = run.with_weights(0, {"W_O": 2 * run.weights(0)["W_O"]})
    shown = attnviewer.explore(edited, 1, 2)
    (window,) = _windows()
    model = window.workbench.model
    assert model.experiment.run.model is gpt2
    assert model.location.layer == 1
    assert window.workbench.selection.head == 2
    qtbot.waitUntil(lambda: model.outcome is not None)
    np.testing.assert_allclose(
        shown.trace["output"], edited.attention(1)["output"], atol=1e-5
    )
    np.testing.assert_array_equal(
        model.experiment.original.weights(0)["W_O"], run.weights(0)["W_O"]
    )
    assert window.findChild(QWidget, "model.bar").isVisible()
    shown.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    shown = attnviewer.explore(gpt2, layer=1, text=(5, 6))
    assert shown.document.tokens == ("#5", "#6")
    assert _windows()[0].workbench.model.text == "5 6"


def test_what_does_not_belong_to_a_model_is_refused(prompt, gpt2):
    run = gpt2.run([1, 2])
    with pytest.raises(IndexError, match="The 'layer' must be from 0 to 1"):
        attnviewer.explore(run, 2)
    with pytest.raises(IndexError, match="The 'head' must be from 0 to 3"):
        attnviewer.explore(run, 0, 4)
    with pytest.raises(ValueError, match="The title must not be given with a model"):
        attnviewer.explore(run, title="t")
    with pytest.raises(ValueError, match="The text must not be given with a run"):
        attnviewer.explore(run, text="t")
    with pytest.raises(ValueError, match="The layer must not be given without a model"):
        attnviewer.explore(four_words(), layer=1)
    assert _windows() == []


def test_another_thread_is_refused(qapp):
    refused = []

    def explore():
        try:
            attnviewer.explore(four_words())
        except RuntimeError as error:
            refused.append(str(error))

    thread = threading.Thread(target=explore)
    thread.start()
    thread.join()
    assert refused == ["A window must be opened in the main thread of Python."]


@pytest.mark.parametrize(
    ("given", "error", "reason"),
    [
        ({}, ValueError, "'x' parameter must be given"),
        ({"q": X}, ValueError, "'k' parameter must be given"),
        ({"x": X, "causl": True}, ValueError, "Did you mean 'causal'"),
        ({"x": X, "w_q": W, "w_k": W, "w_v": np.ones((2, 2))}, ValueError, "w_v"),
        ({"x": X, "tokens": ["a"]}, EditError, "'tokens' must be as many"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_before_there_is_a_window(
    prompt, given, error, reason
):
    with pytest.raises(error, match=reason):
        attnviewer.explore(**given)
    assert _windows() == []


@pytest.mark.parametrize(
    "arrays",
    [
        {"q": X, "k": X, "v": X, "causal": True},
        {"x": X, "w_q": W, "w_k": W, "w_v": W, "n_heads": 3},
        {"x": X},
    ],
)
def test_the_window_is_there_before_arrays_are_attended(prompt, monkeypatch, arrays):
    attended = []
    module = sys.modules[attnviewer.compute.run.__module__]
    monkeypatch.setattr(module, "attend", lambda *given: attended.append(given))
    shown = attnviewer.explore(**arrays)
    assert shown.is_open
    assert attended == []


def test_only_documents_and_computations_are_explored(prompt):
    with pytest.raises(TypeError, match=r"Got str instead; .*attnviewer\.open\(path\)"):
        attnviewer.explore("name.attn")
    with pytest.raises(ValueError, match="arrays must not be given"):
        attnviewer.explore(four_words(), x=X)
    with pytest.raises(ValueError, match="title must not be given"):
        attnviewer.explore(four_words(), title="t")


def test_python_ends_well_with_a_window_open():
    code = (
        "import attnviewer; from attnviewer.ui.interactive import exploration as e; "
        "e.invisible_reason = lambda: None; "
        "attnviewer.explore(attnviewer.load_example('four-words'), block=False)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
