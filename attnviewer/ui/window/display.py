"""Detection of a screen to show a window on."""

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

INVISIBLE_PLATFORMS = {"offscreen", "minimal"}
PROBE = (
    "import sys; from PySide6.QtGui import QGuiApplication;"
    "sys.exit(not QGuiApplication([]).screens())"
)
PROBE_SECONDS = 20


def missing_display(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return why no window can be shown, or None if one can.

    Qt aborts the process when its platform plugin finds no display, so this is checked
    before Qt is started. Only Linux and other Unixes can lack one.

    Parameters
    ----------
    environment : mapping of str to str
        The environment variables.
    """
    named = environment.get("QT_QPA_PLATFORM", "")
    platform = named.split(":")[0]
    if platform in INVISIBLE_PLATFORMS:
        return f"QT_QPA_PLATFORM={named} shows no window."
    if sys.platform in ("win32", "darwin"):
        return None
    if platform not in ("", "xcb", "wayland"):
        return None if _qt_starts(environment) else f"Qt cannot start on {named}."
    wayland = environment.get("WAYLAND_DISPLAY")
    if wayland and platform != "xcb" and _wayland_answers(wayland, environment):
        return None
    display = environment.get("DISPLAY")
    if display and platform != "wayland":
        if _x_server_answers(display):
            return None
        return f"No X server answers at DISPLAY={display}."
    return "There is no display (neither DISPLAY nor WAYLAND_DISPLAY leads to one)."


def _qt_starts(environment: Mapping[str, str]) -> bool:
    """Start Qt in a subprocess, which may abort: for platforms not known here."""
    command = [sys.executable, "-c", PROBE]
    try:
        done = subprocess.run(  # noqa: S603 only our own words are run
            command,
            env=dict(environment),
            capture_output=True,
            timeout=PROBE_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _wayland_answers(name: str, environment: Mapping[str, str]) -> bool:
    path = Path(environment.get("XDG_RUNTIME_DIR", "/")) / name
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def _x_server_answers(display: str) -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
        ctypes.CDLL("libxcb-cursor.so.0")
    except OSError:
        # Without these libraries Qt's plugin cannot load, whatever the server answers.
        return False
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    answers: bool = xcb.xcb_connection_has_error(connection) == 0
    xcb.xcb_disconnect(connection)
    return answers
