import os
import socket
import sys

import pytest

from attnviewer.ui.window.display import missing_display

linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems always have a display"
)


@linux_only
def test_without_any_display_the_reason_is_one_sentence():
    assert missing_display({}) == (
        "There is no display (neither DISPLAY nor WAYLAND_DISPLAY leads to one)."
    )


@linux_only
def test_a_display_that_nobody_serves_is_named():
    assert missing_display({"DISPLAY": ":4711"}) == (
        "No X server answers at DISPLAY=:4711."
    )


@linux_only
def test_a_wayland_socket_without_a_server_is_no_display(tmp_path):
    environment = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
    assert missing_display(environment) is not None


@linux_only
def test_a_wayland_server_that_listens_is_a_display(tmp_path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-0"))
        server.listen()
        environment = {"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": str(tmp_path)}
        assert missing_display(environment) is None


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "offscreen:size=10"])
def test_a_platform_without_windows_shows_none(platform):
    reason = missing_display({"QT_QPA_PLATFORM": platform, "DISPLAY": ":0"})
    assert reason is not None
    assert "shows no window" in reason


@linux_only
@pytest.mark.parametrize("platform", ["nonsense", "wayland;xcb", "eglfs:"])
def test_what_qt_cannot_start_on_is_found_out_without_dying_of_it(platform):
    environment = {"PATH": os.environ["PATH"], "QT_QPA_PLATFORM": platform}
    assert missing_display(environment) == f"Qt cannot start on {platform}."


@linux_only
def test_a_list_of_platforms_of_which_one_starts_is_a_display():
    environment = {"PATH": os.environ["PATH"], "QT_QPA_PLATFORM": "wayland;offscreen"}
    assert missing_display(environment) is None
