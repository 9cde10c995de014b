"""From the command to the window, with a display and an event loop of the test's."""

import gc
import threading
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QByteArray, QEvent, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QPushButton,
    QSpinBox,
    QTreeWidget,
    QWidget,
)

from attnviewer import cli
from attnviewer.io import FileError, load, read_session, save_session
from attnviewer.io.recovery import About, RecoveryFolder
from attnviewer.models import ModelTrace
from attnviewer.sources import ModelSource
from attnviewer.ui import launch as launch_module
from attnviewer.ui.failures.dialog import FailureDialog
from attnviewer.ui.launch import launch
from attnviewer.ui.log import FILE, log_folder
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.paint.theme import DARK
from attnviewer.ui.recovery.dialog import RecoveryDialog
from attnviewer.ui.state.folders import data_folder
from attnviewer.ui.state.model.opening import ModelOpening
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.views.recording import RecordingPanel
from attnviewer.ui.views.spec.temperature import TemperatureControl
from attnviewer.ui.window.main_window import MainWindow
from tests.documents import four_words
from tests.menus import action_of
from tests.models import encoder_decoders
from tests.models.checkpoints import write_gpt2

SOURCE = "example:four-words"
GPT2 = Path(__file__).parents[1] / "data" / "recorded" / "gpt2.npz"


class Screen:
    def __init__(self, width, height):
        self._room = QRect(0, 0, width, height)

    def availableGeometry(self):
        return self._room


def remembered():
    settings = own_settings()
    return {name: settings.value(name) for name in settings.allKeys()}


@pytest.fixture
def launched(qtbot, qapp, theme_is_put_back, monkeypatch):
    """Launch the window and do what a person would do in the event loop."""

    def launch_and(
        act,
        screen=(1920, 1200),
        code=0,
        *,
        empty=False,
        source=SOURCE,
        assign=None,
    ):
        windows = []

        def loop(*_):
            every = qapp.topLevelWidgets()
            windows.extend(w for w in every if isinstance(w, MainWindow))
            (window,) = windows
            if not empty:
                qtbot.waitUntil(lambda: window.is_filled)
            act(window)
            return code

        monkeypatch.setattr(launch_module, "missing_display", lambda: None)
        monkeypatch.setattr(QApplication, "exec", loop)
        monkeypatch.setattr(MainWindow, "screen", lambda _: Screen(*screen))
        try:
            assert launch(source, assign) == code
        finally:
            for window in windows:
                window.confirm_close = None
                window.close()
                window.deleteLater()
            qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert windows, "the event loop was not entered"

    return launch_and


def test_the_window_is_shown_and_fills_a_screen_that_is_small(launched):
    seen, sizes, frozen = [], [], []

    def look(window):
        seen.append((window.isVisible(), window.isMaximized()))
        sizes.append(window.normalGeometry().size().toTuple())
        frozen.append(gc.get_freeze_count())

    # The window alone would fit the first of them, but its frame would not.
    for small in ((1920, 1030), (1600, 1200), (1366, 768)):
        launched(look, small, empty=True)
    launched(look, (2560, 1440), code=3)  # which is the event loop's
    assert seen == [(True, True), (True, True), (True, True), (True, False)]
    # Without a window manager, it is as large as it was before it was maximised.
    assert sizes == [(1600, 1000), (1600, 1000), (1366, 768), (1600, 1000)]
    # The collector leaves out what the start has loaded.
    assert frozen[-1] > 10_000
    assert gc.get_freeze_count() == 0


def test_the_stored_theme_and_text_size_are_there_before_the_window(
    launched, monkeypatch
):
    own_settings().setValue("theme", "dark")
    own_settings().setValue("text_size", "125")
    built = []

    class Built(MainWindow):
        def __init__(self, appearance):
            appearance.changed.connect(lambda: built.append("changed"))
            built.append((appearance.theme, appearance.text_size))
            super().__init__(appearance)

    monkeypatch.setattr(launch_module, "MainWindow", Built)
    seen = []
    launched(lambda window: seen.append(window.appearance.choice))
    assert built == [(DARK, 125)]
    assert seen == ["dark"]


def test_chosen_theme_and_text_size_come_back_but_for_an_unknown_theme(launched):
    own_settings().setValue("theme", "purple")
    seen = []

    def choose(window):
        seen.append(window.appearance.choice)
        window.findChild(QAction, "action.theme.dark").trigger()
        window.findChild(QAction, "action.text_size.125").trigger()

    launched(choose)
    assert own_settings().value("theme") == "dark"
    launched(lambda w: seen.append((w.appearance.choice, w.appearance.text_size)))
    assert seen == ["system", ("dark", 125)]


def test_changes_are_lost_only_if_the_person_says_so(launched, qtbot):
    seen = []

    def act(window):
        mask = window.findChild(QComboBox, "spec.mask")
        mask.setFocus()
        qtbot.keyClick(mask, Qt.Key.Key_Down)
        assert window.isWindowModified()
        for answer, closes in (("cancel", False), ("discard", True)):

            def answer_box(answer=answer):
                box = QApplication.activeModalWidget()
                seen.append(box.findChild(QTreeWidget).topLevelItem(0).text(0))
                box.findChild(QPushButton, f"closing.{answer}").click()

            QTimer.singleShot(0, answer_box)
            assert window.close() == closes
            assert window.document.title in seen.pop()

    launched(act)
    # One that was not changed closes unasked.
    launched(lambda window: seen.append(window.close()))
    assert seen == [True]


def test_the_window_is_in_sight_before_it_is_filled(launched, qtbot):
    def watch(window):
        opening = window.centralWidget()
        seen = window.isVisible(), window.is_filled, opening.isVisible()
        assert seen == (True, False, True)
        assert opening.text() == "Opening four-words…"
        assert window.windowTitle() == "attnviewer"
        native, place = window.winId(), window.geometry()
        # Keys and clicks change nothing before it is filled.
        for key in (Qt.Key.Key_Delete, Qt.Key.Key_1, Qt.Key.Key_Tab):
            qtbot.keyClick(window, key)
        qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        qtbot.mouseClick(window.centralWidget(), Qt.MouseButton.LeftButton)
        qtbot.mouseClick(window.centralWidget(), Qt.MouseButton.RightButton)
        qtbot.waitUntil(lambda: window.is_filled)
        assert (window.winId(), window.geometry()) == (native, place)
        # At once, before another turn of the event loop could show half of it.
        assert window.windowTitle().startswith(window.document.title)
        for part in (window.menuBar(), window.centralWidget(), window.statusBar()):
            assert part.isVisible()
        shown = {name: visible for name, visible, _ in docks_of(window)}
        assert shown["dock.inputs"]
        assert shown["dock.explain"]
        assert window.centralWidget().width() > window.width() // 2
        assert window.focusWidget() is not None
        assert not window.workbench.modified
        assert QApplication.activePopupWidget() is None
        assert QApplication.activeModalWidget() is None
        with qtbot.waitSignal(window.step_view.painted):
            pass
        assert window.findChild(QLabel, "opening") is None

    launched(watch, empty=True)


def test_a_window_closed_before_it_is_filled_stays_empty(launched, qapp):
    own_settings().setValue("theme", "dark")
    before = remembered()

    def close(window):
        assert window.close()
        qapp.processEvents()
        assert not window.isVisible()
        assert not window.is_filled

    launched(close, empty=True)
    assert {
        name: own_settings().value(name) for name in own_settings().allKeys()
    } == before


def place_of_the_step(window):
    step = window.step_view
    return QRect(step.mapTo(window, step.rect().topLeft()), step.size())


def fit_the_screen(window):
    """Take a size that the screen of the platform has room for."""
    window.setGeometry(20, 30, 960, 640)
    QApplication.processEvents()


def places_of(window):
    return place_of_the_step(window), window.step_view.page_of("how").geometry()


def test_the_step_comes_before_the_other_views_where_its_place_is_known(
    launched, qtbot, monkeypatch
):
    for check in (
        check_the_step_is_first_and_need_not_move,
        check_a_window_that_is_painted_twice_shows_the_step_first,
        check_a_window_closed_with_the_step_alone_leaves_nothing,
    ):
        with monkeypatch.context() as patch:
            check(launched, qtbot, patch)
    check_a_step_whose_place_is_not_known_comes_with_the_others(launched, monkeypatch)


def check_the_step_is_first_and_need_not_move(launched, qtbot, monkeypatch):
    seen = []
    complete = MainWindow.complete

    def see_before(window):
        seen.append((window.step_view.page_of("how").isVisible(), *places_of(window)))
        complete(window)

    def leave(window):
        fit_the_screen(window)
        qtbot.waitUntil(lambda: window.step_view.page_of("how").isVisible())
        QApplication.processEvents()
        seen.append((True, *places_of(window)))

    def look(window):
        seen.append((True, *places_of(window)))
        # What features add to pages is also added to the one that was there first.
        assert window.step_view.page_of("how").findChild(TemperatureControl)

    launched(leave)
    monkeypatch.setattr(MainWindow, "complete", see_before)
    launched(look)
    assert seen[0] == seen[1] == seen[2]


def check_a_window_that_is_painted_twice_shows_the_step_first(
    launched, qtbot, monkeypatch
):
    painted, seen = [], []
    begin, complete = MainWindow.begin, MainWindow.complete

    def begin_watched(window, document, place):
        begin(window, document, place)
        window.step_view.painted.connect(lambda: painted.append(window))

    def see_before(window):
        seen.append(bool(painted))
        complete(window)

    def paint_twice(window):
        window.grab()
        window.grab()
        qtbot.waitUntil(lambda: window.is_filled)

    monkeypatch.setattr(MainWindow, "begin", begin_watched)
    monkeypatch.setattr(MainWindow, "complete", see_before)
    launched(paint_twice, empty=True)
    assert seen == [True]


def test_a_long_name_makes_the_window_no_wider(qapp, seen_source, monkeypatch):
    widths = []
    monkeypatch.setattr(
        QApplication,
        "exec",
        lambda *_: widths.extend(
            window.minimumSizeHint().width() for window in qapp.topLevelWidgets()
        ),
    )
    launch(str(seen_source.with_name("long" * 200)))
    assert widths
    assert max(widths) < 200


def check_a_window_closed_with_the_step_alone_leaves_nothing(
    launched, qtbot, monkeypatch
):
    before = remembered()
    begin = MainWindow.begin

    def begin_and_close(window, document, place):
        begin(window, document, place)
        queued = Qt.ConnectionType.QueuedConnection
        window.step_view.painted.connect(window.close, queued)

    def see_it_close(window):
        qtbot.waitUntil(lambda: not window.isVisible())
        QApplication.processEvents()
        assert not window.is_filled

    monkeypatch.setattr(MainWindow, "begin", begin_and_close)
    launched(see_it_close, empty=True)
    assert {
        name: own_settings().value(name) for name in own_settings().allKeys()
    } == before


def check_a_step_whose_place_is_not_known_comes_with_the_others(launched, monkeypatch):
    seen = []
    complete = MainWindow.complete

    def see_before(window):
        seen.append(window.step_view.isVisible())
        complete(window)

    monkeypatch.setattr(MainWindow, "complete", see_before)
    for name, value in (
        ("window/step", "text"),
        ("window/step", QRect(300, 200, 5000, 400)),
        ("window/step_in", QSize(1234, 777)),
    ):
        own_settings().setValue(name, value)
        seen.clear()
        launched(lambda window: seen.append(window.step_view.isVisible()))
        assert seen == [False, True], name


@pytest.fixture
def seen_source(qapp, theme_is_put_back, monkeypatch, tmp_path):
    """Return a file that is no example, where a window could be seen."""
    monkeypatch.setattr(launch_module, "missing_display", lambda: None)
    file = tmp_path / "numbers.json"
    file.write_text("{}", encoding="utf-8")
    return file


@pytest.fixture
def slow_file(tmp_path, monkeypatch):
    """Return a session, and what lets the thread go on that reads it."""
    path, go = tmp_path / "slow.attn", threading.Event()
    save_session(four_words(), path)

    def wait_and_read(*arguments):
        assert go.wait(10)
        return read_session(*arguments)

    monkeypatch.setattr("attnviewer.io.source.read_session", wait_and_read)
    yield path, go
    go.set()


def test_the_window_lives_while_its_file_is_read(launched, qtbot, slow_file):
    path, go = slow_file

    def look(window):
        with qtbot.waitSignal(window.seen_empty):
            window.resize(1000, 700)
        assert window.centralWidget().text() == "Opening slow.attn…"
        go.set()
        qtbot.waitUntil(lambda: window.is_filled)
        assert "slow.attn" in window.windowTitle()
        assert window.document.title == "Four words"

    launched(look, empty=True, source=str(path))


def test_a_window_closed_while_its_file_is_read_waits_for_nothing_else(
    launched, qtbot, slow_file
):
    path, go = slow_file

    def close(window):
        with qtbot.waitSignal(window.seen_empty):
            pass
        assert window.close()
        go.set()

    launched(close, empty=True, source=str(path))


def test_a_model_opens_at_its_layer_and_head(launched, qtbot, tmp_path):
    model = ModelSource(write_gpt2(tmp_path / "tiny"), (2, 7), 1, 3)
    launched(lambda window: window.close())

    def look(window):
        assert window.document.title == "tiny · L1"
        assert window.workbench.selection.head == 3
        assert window.workbench.model.text == "2 7"
        assert window.document.tokens == ("#2", "#7")
        assert not window.isWindowModified()
        qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
        assert_around_a_model(window)

    launched(look, source=model)


def test_a_recording_opens_at_its_first_layer_beside_the_others(launched):
    def look(window):
        assert window.document.title == "h.0.attn, item 0"
        panel = window.findChild(RecordingPanel)
        assert panel.isVisible()
        assert panel.list.rows.rowCount() == 2

    launched(look, source=str(GPT2))


def test_a_folder_opens_as_a_model_with_its_bar_and_panels_after_another_session(
    launched, qtbot, tmp_path
):
    launched(lambda window: window.close())
    assert remembered()["window/layout"] is not None
    folder = write_gpt2(tmp_path / "tiny")

    def look(window):
        assert window.centralWidget().text() == "Opening tiny…"
        qtbot.waitUntil(lambda: window.is_filled)
        assert window.document.title == "tiny · L0"
        qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
        assert window.workbench.model.location.layer == 0
        assert not window.notice.isVisible()  # no offer to open it once more
        assert_around_a_model(window)

    launched(look, empty=True, source=str(folder))


def assert_around_a_model(window):
    """Check that the bar and the panels of a model are there, as the atlas is."""
    parts = ("model.bar", "model.sentence", "dock.model", "dock.heads")
    seen = {n: window.findChild(QWidget, n).isVisible() for n in parts}
    assert seen == dict.fromkeys(seen, True)
    # Nothing was changed that could be applied.
    assert not window.findChild(QAction, "action.model.put_back").isVisible()


def test_a_layer_that_is_too_large_opens_at_its_head_alone(
    launched, tmp_path, monkeypatch
):
    monkeypatch.setattr("attnviewer.models.layer_documents.MOST_WEIGHTS", 10)
    model = ModelSource(write_gpt2(tmp_path / "tiny"), (2, 7), 1, 3)

    def look(window):
        assert window.document.title == "tiny · L1 H3"
        assert window.document.spec.n_heads == 1
        assert window.findChild(QSpinBox, "model.head").text() == "H3"

    launched(look, source=model)


def test_a_long_text_opens_at_its_head_as_soon_as_it_is_computed(
    launched, qtbot, tmp_path
):
    folder = write_gpt2(tmp_path / "tiny", n_positions=512)
    model = ModelSource(folder, tuple(k % 48 for k in range(512)), 1, 3)

    def look(window):
        # Until then the first example is there, if that takes as long as this call.
        assert window.document.title.startswith(("Four words", "tiny"))
        qtbot.waitUntil(lambda: window.document.title == "tiny · L1", timeout=30_000)
        assert window.workbench.selection.head == 3
        bar = window.findChild(QSpinBox, "model.head")
        assert bar.text() == "H3"
        qtbot.waitUntil(lambda: window.workbench.model.heads is not None)

    launched(look, source=model)


def test_a_model_that_is_none_leaves_no_window(qapp, seen_source):
    folder = seen_source.parent
    for model, told in (
        (str(folder), "neither config.json nor"),
        (ModelSource(write_gpt2(folder / "tiny"), layer=2), "'layer' must be from 0"),
    ):
        with pytest.raises(FileError, match=told):
            launch(model)
        assert not any(window.isVisible() for window in qapp.topLevelWidgets())


def test_a_model_is_opened_at_the_part_that_is_asked_for(tmp_path):
    folder = encoder_decoders.load("t5").write(tmp_path / "t5")
    for part, text in (("cross", "3 4 => 0 8 9"), ("encoder", "3 4")):
        source = ModelSource(folder, "3 4 => 0 8 9", 0, 1, part)
        opening = ModelOpening(source)
        assert opening.read().title == f"t5 · {part} L0"
        assert opening.job.text == text


def test_a_window_closed_while_its_model_is_computed_waits_for_one_layer_at_most(
    launched, qtbot, tmp_path, monkeypatch
):
    model = ModelSource(write_gpt2(tmp_path / "tiny"), (2, 7), 1)
    computed, going, stopped = [], threading.Event(), threading.Event()
    compute, stop = ModelTrace.stream, ModelOpening.stop

    def wait_and_compute(run, layer):
        computed.append(layer)
        going.set()
        assert stopped.wait(10)
        return compute(run, layer)

    monkeypatch.setattr(ModelTrace, "stream", wait_and_compute)

    def close(window):
        qtbot.waitUntil(going.is_set)
        assert window.close()

    def stop_and_let_go(opening):
        stop(opening)
        stopped.set()

    monkeypatch.setattr(ModelOpening, "stop", stop_and_let_go)
    launched(close, empty=True, source=model)
    assert computed == [0]


def test_a_source_that_cannot_be_read_leaves_no_window(qapp, seen_source):
    # In Qt's own event loop, which ends with its last window.
    with pytest.raises(FileError, match="no such file"):
        launch(str(seen_source.with_name("nothing.json")))
    assert not any(window.isVisible() for window in qapp.topLevelWidgets())


def test_a_refused_source_is_one_clear_line_and_exit_code_2(capsys, seen_source):
    assert cli.main([str(seen_source)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"attnviewer: {seen_source}")
    assert told.err.count("\n") == 1


def test_the_tour_waits_for_a_start_without_a_model_and_comes_until_it_was_ended(
    launched, qtbot, tmp_path
):
    seen = []

    def look(window):
        seen.append(window.tour.balloon is not None)
        qtbot.waitUntil(lambda: window.workbench.model.heads is not None)
        heads = window.findChild(QDockWidget, "dock.heads")
        inputs = window.findChild(QDockWidget, "dock.inputs")
        seen.append((heads.isVisible(), inputs.isVisible()))
        # As narrow as its maps, though inputs once had its place.
        seen.append(heads.width() < 20 * usual_line(window.font()))

    launched(look, source=str(write_gpt2(tmp_path / "tiny")))
    # Closing the window is no end of the tour.
    launched(lambda window: seen.append(window.tour.balloon is not None))
    launched(lambda window: (seen.append(bool(window.tour.balloon)), window.tour.end()))
    launched(lambda window: seen.append(window.tour.balloon is not None))
    assert seen == [False, (True, False), True, True, True, False]


def docks_of(window):
    docks = sorted(window.findChildren(QDockWidget), key=QDockWidget.objectName)
    return [(d.objectName(), d.isVisible(), window.dockWidgetArea(d)) for d in docks]


def test_the_window_and_its_docks_come_back_as_they_were(launched):
    seen = []

    def change(window):
        action_of(window, "dock.explain.left").trigger()
        action_of(window, "dock.inputs.close").trigger()
        window.setGeometry(20, 30, 960, 640)
        QApplication.processEvents()
        explain = window.findChild(QDockWidget, "dock.explain")
        window.resizeDocks([explain], [333], Qt.Orientation.Horizontal)
        QApplication.processEvents()
        look(window)

    def look(window):
        widths = [d.width() for d in window.findChildren(QDockWidget) if d.isVisible()]
        seen.append((docks_of(window), widths, window.size()))

    launched(change)
    launched(look)
    assert seen[0] == seen[1]
    assert seen[0][1] == [333]


def test_a_stored_window_that_cannot_be_read_opens_as_at_first(launched):
    seen = []
    launched(lambda window: seen.append(docks_of(window)))
    for broken in (QByteArray(b"\x00\x01\x02"), "text"):
        for name in ("window/geometry", "window/layout"):
            own_settings().setValue(name, broken)
        launched(lambda window: seen.append(docks_of(window)))
    assert seen == seen[:1] * 3


def test_what_is_kept_of_a_presentation_is_the_window_before_it(launched):
    seen = []

    def look(window):
        fit_the_screen(window)
        seen.append(docks_of(window))

    launched(look)
    assert isinstance(own_settings().value("window/step"), QRect)
    launched(lambda window: window.presentation.action.trigger())
    assert own_settings().value("window/step") is None
    launched(lambda window: seen.extend([docks_of(window), window.isFullScreen()]))
    assert seen[1:] == [seen[0], False]


def log_text():
    return (log_folder() / FILE).read_text(encoding="utf-8")


def test_a_start_and_its_end_are_in_the_log(launched):
    launched(lambda window: None)
    lines = [line.split(" INFO ")[1] for line in log_text().splitlines()]
    assert lines[0].startswith("started: attnviewer ")
    assert lines[1:] == ["opened example:four-words", "ended"]


def test_a_refused_source_is_in_the_log(qapp, seen_source):
    with pytest.raises(FileError):
        launch(str(seen_source.with_name("nothing.json")))
    assert "refused nothing.json: There is no such file or folder." in log_text()
    assert str(seen_source.parent) not in log_text()


def test_a_mistake_while_the_window_is_filled_is_in_the_log(
    qapp, seen_source, monkeypatch
):
    def fail(_window):
        raise ZeroDivisionError("filling")

    monkeypatch.setattr(MainWindow, "complete", fail)
    with pytest.raises(ZeroDivisionError):
        launch(SOURCE)
    assert "ZeroDivisionError: filling" in log_text()


def test_an_unexpected_error_opens_a_dialog(launched, qtbot):
    def fail():
        raise ZeroDivisionError("in a slot")

    def act(window):
        QTimer.singleShot(0, fail)
        qtbot.waitUntil(lambda: window.findChild(FailureDialog) is not None)
        window.findChild(FailureDialog).reject()

    with qtbot.capture_exceptions() as raised:
        launched(act)
    assert [kind for kind, *_ in raised] == [ZeroDivisionError]
    assert "ZeroDivisionError: in a slot" in log_text()


def test_what_was_left_behind_is_offered_until_it_is_discarded_and_then_the_tour(
    launched,
):
    folder = RecoveryFolder(data_folder() / "recovery")
    folder.keep(1, four_words(), About("Four words"))
    folder._lock.close()
    seen = []

    def see(window):
        offered = window.findChild(RecoveryDialog) is not None
        seen.append((offered, window.tour.balloon is not None))

    def discard(window):
        see(window)
        window.findChild(QPushButton, "recovery.discard").click()

    launched(see)  # an orderly end leaves what was left behind
    launched(discard)
    launched(see)
    assert seen == [(True, False), (True, False), (False, True)]


@pytest.mark.parametrize("name", ["model.pt", "model.pkl", "table.xls"])
def test_a_file_that_is_never_read_leaves_no_window_and_its_reason(
    qapp, seen_source, tmp_path, name
):
    path = tmp_path / name
    path.write_bytes(b"any bytes")
    with pytest.raises(FileError, match=r"Loading it could run code|Save it as .xlsx"):
        launch(str(path))
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def test_a_file_of_arrays_is_asked_about_over_the_first_example(
    launched, qtbot, tmp_path
):
    np.savez(tmp_path / "toy.npz", X=np.eye(3))

    def look(window):
        qtbot.waitUntil(lambda: window.importer.dialog is not None)
        assert window.document.title == load(SOURCE).title
        window.importer.dialog.reject()

    launched(look, source=str(tmp_path / "toy.npz"))


def test_what_was_left_out_of_an_assigned_file_is_told(launched, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("1,2,\n3,4,\n", encoding="utf-8")

    def look(window):
        assert "Every line ends with a separator" in window.frame.notice.text

    launched(look, source=str(path), assign="X=x")


def test_a_file_whose_arrays_are_assigned_is_opened_at_once(launched, tmp_path):
    np.savez(tmp_path / "toy.npz", a=np.eye(3), b=2 * np.eye(3))

    def look(window):
        assert window.document.matrix("X")[0, 0] == 2
        origin = window.origins.origin(window.document)
        assert origin.read().matrix("X")[0, 0] == 2

    launched(look, source=str(tmp_path / "toy.npz"), assign="X=b")
