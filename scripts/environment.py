"""What both commands need first: Qt's system libraries and a ready `.venv`.

Only the standard library, in syntax that an old Python can still read, so that it
says what is wrong instead of stumbling over the first new word.
"""

import ctypes
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


def check_python(major: int, minor: int) -> None:
    if (major, minor) < (3, 11):
        sys.exit(f"attnviewer needs Python 3.11 or newer, not {major}.{minor}.")


# On import: older Pythons cannot evaluate the annotations further down.
check_python(*sys.version_info[:2])

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "attnviewer.json"

# Qt's own needs beyond what every Python brings, by what makes them necessary:
# nothing at all, or the variable that announces a display of that kind.
LIBRARIES = {
    "": "libEGL.so.1 libGL.so.1 libX11.so.6 libdbus-1.so.3 libfontconfig.so.1"
    " libfreetype.so.6 libglib-2.0.so.0 libgthread-2.0.so.0 libxkbcommon.so.0",
    "DISPLAY": "libX11-xcb.so.1 libxcb.so.1 libxcb-cursor.so.0 libxcb-glx.so.0"
    " libxcb-icccm.so.4 libxcb-image.so.0 libxcb-keysyms.so.1 libxcb-randr.so.0"
    " libxcb-render-util.so.0 libxcb-render.so.0 libxcb-shape.so.0 libxcb-shm.so.0"
    " libxcb-sync.so.1 libxcb-util.so.1 libxcb-xfixes.so.0 libxcb-xkb.so.1"
    " libxkbcommon-x11.so.0",
    "WAYLAND_DISPLAY": "libwayland-client.so.0 libwayland-cursor.so.0"
    " libwayland-egl.so.1",
}
FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
)


def prepare(*extras: str) -> Path:
    """Make the machine and `.venv` ready where they are not.

    Parameters
    ----------
    *extras
        Optional dependencies of the package; those installed earlier stay.

    Returns
    -------
    Path
        The folder of `.venv`'s programs.
    """
    try:
        old = read_stamp()
        new = fingerprint({*extras, *old.get("extras", [])})
        check_system(setting_up=new != old)
        if new != old:
            install(new, into_existing=new["home"] == old.get("home"))
    except KeyboardInterrupt:
        say("Interrupted; the next start sets .venv up anew.")
        sys.exit(130)
    return BIN


def fingerprint(extras: set[str]) -> dict[str, Any]:
    """Everything that an installed `.venv` depends on."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    project = (ROOT / "pyproject.toml").read_bytes()
    return {
        "home": [str(ROOT), sys.base_prefix, version],
        "project": hashlib.sha256(project).hexdigest(),
        "extras": sorted(extras),
    }


def read_stamp() -> dict[str, Any]:
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) and PYTHON.exists() else {}


def install(stamp: dict[str, Any], into_existing: bool) -> None:
    """Install the package into `.venv`, made anew unless it can be kept."""
    if into_existing:
        say("Bringing .venv up to date …")
    else:
        say("Setting up .venv (first start only, takes about a minute) …")
        base = getattr(sys, "_base_executable", sys.executable)
        run([base, "-m", "venv", "--clear", str(VENV)], "Python could not make .venv.")
    # Whatever interrupts pip leaves no stamp, and so a .venv that is made anew.
    STAMP.unlink(missing_ok=True)
    package = "." + (f"[{','.join(stamp['extras'])}]" if stamp["extras"] else "")
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    run(
        [*pip, "install", "--quiet", "--editable", package],
        "pip could not install attnviewer; is there a network?",
    )
    STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def run(command: list[str], failure: str) -> None:
    """Run quietly; on failure show the program's own last lines and stop."""
    done = capture(command)
    if done.returncode:
        sys.exit(last_lines(done) + failure)


def capture(command: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
