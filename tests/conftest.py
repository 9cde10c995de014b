"""Guards for every test: nothing is left behind, no setting outside a test's folder."""

import errno
import gc
import itertools
import os
import reprlib
import threading
import types
import weakref
from functools import cache, wraps
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_API"] = "pyside6"

import pytest
from hypothesis import HealthCheck, settings

from attnviewer.compute.threads import end_idle_threads
from tests.minilm import minilm as minilm
from tests.rapid import is_rapid, may_hold_rapid

settings.register_profile(
    "attnviewer",
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("attnviewer")

_SETTINGS = "_settings_in_a_folder_of_their_own"
_THREADS = pytest.StashKey[set[threading.Thread]]()
"""The threads before a test."""
_MADE: set[weakref.ref] = set()
"""Qt's timers, threads and pools that there are."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Answer 0 to ``--numprocesses auto`` where single tests or files are picked.

    Processes of their own take seconds to start, and what is printed in them is lost.
    All tests are shared among as many processes as there are cores: with one more,
    which would use the time that others wait for timers, they take longer (measured).
    """
    options = ("keyword", "markexpr", "lf", "stepwise", "trace")
    picked = any(config.getoption(name, None) for name in options)
    whole = any(Path(argument).is_dir() for argument in config.args)
    shown = config.getoption("capture") == "no"
    if picked or shown or not whole:
        return 0
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return _cores()


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep the collector from what stays: modules, and thousands of tests.

    It would walk them all again and again while they come, and in each test that leaves
    it work. Few do, so it need not look each time that 700 objects are made.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 10, 10)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Have each process that shares the tests begin with another part of each folder.

    In a fresh checkout all would compile each file at the same time, and each for
    itself; so they mostly find what another has compiled.
    """
    report = yield
    number, count = _place_among_processes(collector.config)
    if isinstance(collector, pytest.Directory) and count:
        start = number * len(report.result) // count
        report.result = [*report.result[start:], *report.result[:start]]
    return report


def _place_among_processes(config) -> tuple[int, int]:
    """Return the number of this process, and how many share the tests; 0 if alone."""
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return 0, 0
    return int(worker["workerid"].removeprefix("gw")), worker["workercount"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the rapid tests before any are picked by their marker.

    Tests of the window ask for settings in a folder of their own; the others are spared
    them, as all that every test asks for takes a tenth of a millisecond or more.
    """
    if _place_among_processes(config)[1]:
        items.sort(key=lambda item: item.path)  # every process needs the same order
    for item in items:
        if is_rapid(item.nodeid):
            item.add_marker(pytest.mark.rapid)
        # The list is the same for all cases of a function.
        if "qapp" in item.fixturenames and _SETTINGS not in item.fixturenames:
            item.fixturenames.insert(0, _SETTINGS)


def pytest_ignore_collect(collection_path, config):
    """Leave out files without rapid tests where only those are wanted.

    To import them all takes longer than the rapid tests do.
    """
    only_rapid = config.getoption("markexpr") == "rapid"
    return True if only_rapid and not may_hold_rapid(collection_path) else None


@pytest.fixture(autouse=True, scope="session")
def _files_of_commands_in_folders_of_their_own(tmp_path_factory):
    """Keep the person's data and settings from processes that tests start.

    And from Qt itself, whose file dialog notes the folders that it has shown.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in ("data", "config"):
            folder = tmp_path_factory.mktemp(name)
            patch.setenv(f"XDG_{name.upper()}_HOME", str(folder))
        # No test cuts the power, and thousands of files would wait for the disk.
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session")
def _home_folders(tmp_path_factory, _files_of_commands_in_folders_of_their_own):
    """Paths of folders, one per test, which are made when something is written there.

    Numbered here, as pytest looks through all its folders for the next number.
    """
    base = tmp_path_factory.mktemp("homes")
    return (base / str(number) for number in itertools.count())


@pytest.fixture
def _settings_in_a_folder_of_their_own(_home_folders, monkeypatch):
    from PySide6.QtCore import QSettings

    home = next(_home_folders)
    settings = QSettings.Format.IniFormat
    QSettings.setDefaultFormat(settings)
    QSettings.setPath(settings, QSettings.Scope.UserScope, str(home / "settings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Note which threads there are, before the test starts any."""
    item.stash[_THREADS] = set(threading.enumerate())
    # While Qt holds the lock on its signals, the end of one of its objects would wait
    # for that lock for ever.
    if "qapp" in item.fixturenames:
        _note_what_may_run()
        gc.disable()


@cache
def _note_what_may_run() -> None:
    """From now on, note all timers, threads and pools as they are made.

    To find them among all of Qt's objects that Python knows takes milliseconds, after
    each of thousands of tests.
    """
    from PySide6.QtCore import QThread, QThreadPool, QTimer
    from shiboken6 import getAllValidWrappers

    def note(thing) -> None:
        _MADE.add(weakref.ref(thing, _MADE.discard))

    def noting(make):
        @wraps(make)
        def made(thing, *arguments, **options):
            make(thing, *arguments, **options)
            note(thing)

        return made

    kinds = QThread, QThreadPool, QTimer
    for kind in kinds:
        kind.__init__ = noting(kind.__init__)
    for thing in getAllValidWrappers():  # made before, by modules
        if isinstance(thing, kinds):
            note(thing)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item):
    """Fail a test that leaves a thread behind, or something of Qt's.

    Last of all, after pytest-qt has closed its widgets.
    """
    try:
        return (yield)
    finally:
        left = _left_behind(item)
        gc.enable()
        assert not left, "left behind:\n" + "\n".join(left)


def _left_behind(item) -> list[str]:
    end_idle_threads()
    left = [
        f"a thread: {thread}"
        for thread in threading.enumerate()
        if thread not in item.stash[_THREADS]
        and thread.is_alive()
        # Dask keeps one as long as the program runs.
        and not thread.name.startswith("Dask-Offload")
    ]
    if "qapp" in item.fixturenames:
        from PySide6.QtWidgets import QApplication

        qapp = QApplication.instance()
        left += _left_in_qt(qapp) if qapp is not None else []  # none if it was skipped
    return left


@pytest.fixture
def no_locks(monkeypatch):
    """Have the file system refuse every lock, as some on a network do."""

    def refuse(file, *, wait):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("attnviewer.io.file_lock._lock", refuse)


@pytest.fixture
def few_starts(monkeypatch):
    """Have a search for inputs start at random once, not forty times.

    For tests that ask whether targets are met, not how small a change meets them.
    """
    monkeypatch.setattr("attnviewer.goal_seek.search.STARTS", 1)


@pytest.fixture
def few_mistakes(monkeypatch):
    """Have a diagnosis try every eighth mistake, and pairs of these.

    For tests of numbers that no mistake explains, or that agree: all that there are
    would be tried, and nothing asked of them.
    """
    from attnviewer.doctor import hypotheses

    monkeypatch.setattr(hypotheses, "CATALOGUE", hypotheses.CATALOGUE[::8])


@pytest.fixture
def theme_is_put_back(qapp):
    """Take away, after the test, every appearance and what it put in force."""
    from PySide6.QtGui import QPalette

    from attnviewer.ui.paint.appearance import Appearance

    font = qapp.font()
    yield
    for appearance in qapp.findChildren(Appearance):
        appearance.deleteLater()
    # First, so that no dying widget is styled anew.
    _delete_what_is_to_be(qapp)
    qapp.setFont(font)
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")


@pytest.fixture
def appearance(qapp, theme_is_put_back):
    """The application's one appearance, light at first; windows find it, too."""
    from attnviewer.ui.paint.appearance import Appearance

    appearance = Appearance(qapp)
    appearance.choose("light")
    return appearance


@pytest.fixture
def open_window(qtbot, theme_is_put_back):
    """Return what opens the main window with the keys, by default as it opens."""
    from attnviewer.ui.window.app import create_window

    windows = []

    def open_(source, size=None):
        window = create_window(source)
        windows.append(window)
        qtbot.addWidget(window)
        if size is not None:
            window.resize(*size)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return window

    yield open_
    for window in windows:
        window.close()


@pytest.fixture
def window(appearance, open_window):
    """The main window with the keys, on the first example and a small screen."""
    return open_window("example:four-words", (1366, 768))


def _delete_what_is_to_be(qapp) -> None:
    from PySide6.QtCore import QEvent

    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()


def _left_in_qt(qapp) -> list[str]:
    """Describe what is left, and put an end to it for the sake of the next tests."""
    _delete_what_is_to_be(qapp)
    if not _leftovers(qapp):
        return []
    # Not left, but waiting for the collector: such as a window that nobody holds.
    gc.collect()
    _delete_what_is_to_be(qapp)
    described = []
    found = _leftovers(qapp)
    if found:
        gc.unfreeze()  # as modules may hold them
    for thing in found:
        described.append(f"{thing}, child of {thing.parent()}")
        described += [f"    held by {holder}" for holder in _holders(thing, found)]
        _end(thing)
    _delete_what_is_to_be(qapp)
    return described


def _leftovers(qapp) -> list:
    """Return windows, appearances, and whatever still runs."""
    from PySide6.QtCore import QThreadPool
    from shiboken6 import isValid

    from attnviewer.ui.paint.appearance import Appearance

    made = filter(None, (reference() for reference in tuple(_MADE)))
    may_run = {QThreadPool.globalInstance(), *made}
    running = {thing for thing in may_run if isValid(thing) and _runs(thing)}
    running -= {qapp.thread()}
    # Menus and the like have a parent, and go with its window.
    windows = [w for w in qapp.topLevelWidgets() if w.parent() is None]
    return [*windows, *qapp.findChildren(Appearance), *running]


def _runs(thing) -> bool:
    from PySide6.QtCore import QThread, QThreadPool, QTimer

    if isinstance(thing, QTimer):
        return thing.isActive()
    if isinstance(thing, QThreadPool):
        return thing.activeThreadCount() > 0
    return isinstance(thing, QThread) and thing.isRunning()


def _end(thing) -> None:
    from PySide6.QtCore import QThread, QThreadPool, QTimer

    if isinstance(thing, QTimer):
        thing.stop()
    elif isinstance(thing, QThreadPool):
        thing.waitForDone()
    elif isinstance(thing, QThread):
        thing.quit()
        thing.wait(1000)
    else:
        thing.deleteLater()


def _holders(thing, besides: list) -> list[str]:
    """Describe what keeps an object, but for the running code."""
    return [
        f"{type(holder).__name__} {reprlib.repr(holder)}"
        for holder in gc.get_referrers(thing)
        if holder is not besides and not isinstance(holder, types.FrameType)
    ]
