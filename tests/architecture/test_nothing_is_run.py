"""No file can run code, and nothing leaves the machine."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "attnviewer"
MODULES = {
    # what makes code or objects of bytes
    *("pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal"),
    *("shelve", "dbm", "yaml", "code", "codeop", "runpy", "imp", "importlib"),
    # other programs and libraries
    *("subprocess", "multiprocessing", "pty", "ctypes", "cffi"),
    # the network
    *(
        "socket",
        "_socket",
        "socketserver",
        "ssl",
        "http",
        "urllib",
        "ftplib",
        "smtplib",
    ),
    *("poplib", "imaplib", "telnetlib", "xmlrpc", "webbrowser", "requests", "httpx"),
    *("aiohttp", "urllib3", "PySide6.QtNetwork", "PySide6.QtWebEngineWidgets"),
    *("dask", "distributed"),
}
BUILT_IN = {"eval", "exec", "compile", "__import__"}
NAMES = {
    *("QNetworkAccessManager", "QTcpSocket", "QUdpSocket", "QProcess", "QLibrary"),
    *("QPluginLoader", "setOpenExternalLinks"),
}
CALLS = {
    "system",
    "popen",
    "execv",
    "execve",
    "execvp",
    "spawnv",
    "spawnl",
    "startfile",
}
READERS = {"load", "read_array", "genfromtxt", "loadtxt", "DataSource", "openUrl"}
"""What is not to be used with some arguments, or of some modules."""
ALLOWED = {
    # what it asks, in Python's own words, is whether this machine's screen answers
    "ui/window/display.py": {"import socket", "import subprocess", "import ctypes"},
    # how many threads the library that NumPy has loaded computes in
    "compute/threads.py": {"import ctypes"},
    # copies of this process for a survey, where a person asks for several
    "models/survey/processes.py": {"import multiprocessing"},
    # the scheduler that a person names for a survey, and whether it answers
    "models/survey/cluster.py": {"import socket"},
    "models/optional_libraries.py": {"import distributed"},
    # only names that stand there
    "__init__.py": {"import importlib"},
    "ui/views/step/pages.py": {"import importlib"},
    # texts to and from the names of files
    "ui/files/recent.py": {"import urllib.parse"},
    # a link in the manual, which a person clicks
    "ui/manual/browser.py": {"setOpenExternalLinks"},
}


NEVER_WITHOUT = re.compile(
    rf"\b({'|'.join(name.rpartition('.')[2] for name in MODULES | NAMES)}"
    rf"|{'|'.join(BUILT_IN | CALLS | READERS)}|allow_pickle)\b"
)
"""Code without any of these words need not be parsed, which takes far longer."""


def _found(code: str) -> Iterator[str]:
    """Yield what some code uses of what is not to be used."""
    if not NEVER_WITHOUT.search(code):
        return
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (
                f"import {alias.name}" for alias in node.names if _bad(alias.name)
            )
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
            yield from (f"import {name}" for name in names[:1] if _bad(name))
            yield from (f"import {name}" for name in names[1:] if name in MODULES)
            yield from (alias.name for alias in node.names if alias.name in NAMES)
        elif isinstance(node, ast.Name) and node.id in BUILT_IN | NAMES:
            yield node.id
        elif isinstance(node, ast.Attribute) and node.attr in NAMES:
            yield node.attr
        elif isinstance(node, ast.Call):
            yield from _in_call(node)


def _in_call(call: ast.Call) -> Iterator[str]:
    called = ast.unparse(call.func)
    given = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    first, _, last = called.rpartition(".")
    if given.get("allow_pickle", "False") != "False":
        yield "allow_pickle"
    if called in ("np.load", "numpy.load") and "allow_pickle" not in given:
        yield called
    if last in READERS - {"load", "openUrl"}:
        yield called  # which may unpickle, run out of the file, or fetch it
    if last == "openUrl" and "QUrl.fromLocalFile(" not in ast.unparse(call):
        yield called
    if first == "torch" and last == "load":
        yield called
    if first == "os" and last in CALLS:
        yield called


def _bad(module: str) -> bool:
    parts = module.split(".")
    return any(".".join(parts[:k]) in MODULES for k in range(1, len(parts) + 1))


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "def f():\n    from pickle import loads",
        "import os, urllib.request",
        "from urllib import request",
        "from PySide6 import QtNetwork",
        "from PySide6.QtNetwork import QLocalSocket",
        "QDesktopServices.openUrl(QUrl('https://example.org'))",
        "eval('1')",
        "parse = eval",
        "exec(compile('1', '', 'exec'))",
        "__import__(name)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "np.lib.format.write_array(f, a, allow_pickle=allowed)",
        "np.lib.format.read_array(f)",
        "torch.load(path)",
        "os.system('ls')",
        "label.setOpenExternalLinks(True)",
    ],
)
def test_what_is_not_to_be_used_is_found(code: str) -> None:
    assert list(_found(code))


@pytest.mark.parametrize(
    "code",
    [
        "import re; re.compile('a')",
        "application.exec()",
        "np.load(path, allow_pickle=False)",
        "QDesktopServices.openUrl(QUrl.fromLocalFile(folder))",
        "PICKLE = 'a pickle of Python'",
        "from attnviewer.io import load; load(path)",
    ],
)
def test_what_is_harmless_is_let_be(code: str) -> None:
    assert list(_found(code)) == []


def test_nothing_in_the_package_runs_files_or_reaches_out() -> None:
    sources = {p.relative_to(PACKAGE).as_posix(): p for p in PACKAGE.rglob("*.py")}
    assert ALLOWED.keys() <= sources.keys()
    found = {
        name: set(_found(path.read_text(encoding="utf-8")))
        for name, path in sources.items()
    }
    assert {n: f for n, f in found.items() if f} == ALLOWED


GUARDED = """
import sys

WATCHED = "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "pickle."

def watch(event, arguments):
    if event.startswith(WATCHED):
        raise AssertionError(f"{event}{arguments}")

sys.addaudithook(watch)
"""
"""Makes whatever reaches out of the process fail; Python tells of every socket."""

SESSION = """
import numpy as np
from PySide6.QtCore import QEvent
import attnviewer
from attnviewer import cli
from attnviewer.document import SetCells
from attnviewer.io import load, read_matrices
from attnviewer.ui.window.app import create_window

attnviewer.save(attnviewer.load_example("two-heads"), "a.attn")
window = create_window("a.attn")
window.show()
window.workbench.edits.submit(SetCells("edit", "X", 0, 0, np.array([[9.0]])))
window.saver.save()
assert not window.workbench.modified
window.opener.open("example:four-words")
np.savez("b.npz", X=np.eye(2))
assert read_matrices("b.npz").values["X"].shape == (2, 2)
assert cli.main(["export", "a.attn", "--to", "out"]) == 0
window.close()
window.deleteLater()
window.appearance.parent().sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
assert load("a.attn").matrix("X")[0, 0] == 9
loaded = [m for m in sys.modules if m.startswith("PySide6.QtNetwork")]
assert loaded == [], loaded
print("done")
"""


def _run(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", GUARDED + code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_opening_editing_saving_and_exporting_open_no_socket(tmp_path: Path) -> None:
    done = _run(SESSION, tmp_path)
    assert done.stderr == ""
    assert done.stdout.endswith("done\n")


@pytest.mark.parametrize(
    "code",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import _socket; _socket.socket()",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
        "import subprocess; subprocess.run(['true'])",
        "import pickle; pickle.loads(b'cos\\nsystem\\n.')",
    ],
)
def test_the_guard_would_see_it(tmp_path: Path, code: str) -> None:
    assert "AssertionError" in _run(code, tmp_path).stderr
