"""The system under `.venv`: what Qt needs of it, and how its programs are run.

Only the standard library, as nothing else is installed yet.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

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
    "WAYLAND_DISPLAY": "libwayland-client.so.0 libwayland-cursor.so.0",
}
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
INSTALL = ("install", "-y", "--no-install-recommends")
# Seconds to wait for another apt-get to end.
PATIENCE = ("-o", "DPkg::Lock::Timeout=300")
FONTS = "/usr/share/fonts /usr/local/share/fonts ~/.fonts ~/.local/share/fonts"
# The fonts of the window and of figures; both look well enough without them.
OWN_FONTS = ("fonts-inter", "fonts-jetbrains-mono", "fonts-liberation")
PACKAGES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "a font": "fonts-dejavu-core",
    "Python's venv": f"python3.{sys.version_info[1]}-venv",
}


def check_system(setting_up: bool) -> None:
    """See to what Qt needs of the system, and stop if it cannot start without.

    What this start can do without matters on the first one only: the later ones stay
    quick, quiet and off the network.
    """
    missing = find_missing(setting_up)
    if not prevents_start(missing) and not (setting_up and any(missing.values())):
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        say("Installing what Qt needs of the system with apt-get …")
        apt_get = ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get")
        run(*apt_get, "update", inherits=False)
        run(*apt_get, *PATIENCE, *INSTALL, *packages(missing), inherits=False)
        # By themselves, as older systems lack some of them.
        run(*apt_get, *PATIENCE, *INSTALL, *OWN_FONTS, quoted=False, inherits=False)
        importlib.invalidate_caches()
        missing = find_missing(setting_up)
    if any(missing.values()):
        say(advice(missing))
    if prevents_start(missing):
        sys.exit(1)


def find_missing(setting_up: bool) -> dict[str, list[str]]:
    """List what the system lacks, by what makes it necessary (see `LIBRARIES`)."""
    missing: dict[str, list[str]] = {"": []}
    if sys.platform == "linux":
        for need, names in LIBRARIES.items():
            missing[need] = [name for name in names.split() if not loads(name)]
        missing["text"] = [] if has_font() else ["a font"]
    if setting_up and importlib.util.find_spec("ensurepip") is None:
        missing[""].append("Python's venv")
    return missing


def prevents_start(missing: dict[str, list[str]]) -> bool:
    if missing[""]:
        return True
    platform = os.environ.get("QT_QPA_PLATFORM", "xcb")
    if not platform.startswith(("xcb", "wayland")):
        return False
    # Qt turns to the other kind of display if one's libraries are missing.
    displays = [missing.get(need) for need in DISPLAYS if os.environ.get(need)]
    return bool(displays) and all(displays)


def loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    return any(
        name.lower().endswith((".ttf", ".ttc", ".otf", ".pfb"))
        for folder in FONTS.split()
        for _, _, names in os.walk(Path(folder).expanduser())
        for name in names
    )


def packages(missing: dict[str, list[str]]) -> list[str]:
    return sorted({package(name) for names in missing.values() for name in names})


def package(name: str) -> str:
    """Name the Debian package of something missing: of libfoo2.so.1, libfoo2-1."""
    if name in PACKAGES:
        return PACKAGES[name]
    library, version = name.lower().split(".so.")
    return library + ("-" if library[-1].isdigit() else "") + version


def advice(missing: dict[str, list[str]]) -> str:
    lacking = ", ".join(name for names in missing.values() for name in names)
    if not shutil.which("apt-get"):
        return f"This system lacks {lacking}; please install what is missing."
    install = " ".join(("sudo apt-get", *INSTALL, *packages(missing)))
    command = f"sudo apt-get update && {install}"
    return f"This system lacks {lacking}. To install what is missing:\n    {command}"


def run(*command: str, quoted: bool = True, inherits: bool = True) -> bool:
    """Run quietly; on failure show the program's own last lines, if quoted.

    The program inherits the lock of `locking.exclusive`, unless it may start others
    that outlive it.
    """
    done = subprocess.run(
        command,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        close_fds=not inherits,
    )
    if done.returncode and quoted:
        say("\n".join(done.stdout.splitlines()[-20:]))
    return done.returncode == 0


def say(text: str) -> None:
    """Speak on stderr: stdout belongs to what is started."""
    print(text, file=sys.stderr, flush=True)
