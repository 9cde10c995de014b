"""Guards for every test: nothing is left behind, no setting outside a test's folder."""

import gc
import os
import threading

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["QT_API"] = "pyside6"

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "attnviewer",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("attnviewer")


@pytest.fixture(autouse=True)
def _settings_in_a_folder_of_their_own(tmp_path_factory, request):
    if "qapp" not in request.fixturenames:
        yield
        return
    from PySide6.QtCore import QSettings

    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(
        QSettings.Format.IniFormat,
        QSettings.Scope.UserScope,
        str(tmp_path_factory.mktemp("settings")),
    )
    yield


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(request):
    """Fail a test that leaves a top-level widget, a thread or a running timer."""
    threads = set(threading.enumerate())
    yield
    if "qapp" in request.fixturenames:
        _check_qt(request.getfixturevalue("qapp"))
    left = [t for t in threading.enumerate() if t not in threads and t.is_alive()]
    assert not left, f"threads left running: {left}"


def _check_qt(qapp) -> None:
    from PySide6.QtCore import QEvent, QThreadPool, QTimer

    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
    visible = [w for w in qapp.topLevelWidgets() if w.isVisible()]
    assert not visible, f"windows left open: {visible}"
    running = [
        timer
        for timer in gc.get_objects()
        if isinstance(timer, QTimer) and _alive(timer) and timer.isActive()
    ]
    assert not running, f"timers left running: {[t.parent() for t in running]}"
    assert QThreadPool.globalInstance().activeThreadCount() == 0


def _alive(timer) -> bool:
    import shiboken6

    return shiboken6.isValid(timer)
