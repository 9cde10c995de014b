"""The scripts: who may start them, and what they run."""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.architecture.blocks import PAGES, ROOT

SOURCES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in (ROOT / "scripts").glob("*.py")
}
IMPORTED = {
    name: set(re.findall(r"^import (\w+)", source, re.MULTILINE)) & SOURCES.keys()
    for name, source in SOURCES.items()
}
SELF_STARTING = {name for name, used in IMPORTED.items() if "environment" in used}
"""Those that any Python may start: they make or find the environment themselves."""


@pytest.mark.parametrize(
    "name", sorted({"environment"} | IMPORTED["environment"] | SELF_STARTING)
)
def test_an_old_python_can_read_the_scripts(name: str) -> None:
    ast.parse(SOURCES[name], feature_version=(3, 7))


def test_the_scripts_that_any_python_may_start_are_known_by_what_they_import() -> None:
    assert {"run", "test", "bench", "fuzz"} <= SELF_STARTING
    assert "screenshots" not in SELF_STARTING


def test_only_scripts_that_find_the_environment_are_to_be_started_by_python3() -> None:
    texts = [*SOURCES.values(), *(page.read_text("utf-8") for page in PAGES)]
    told = set(re.findall(r"python3 scripts/(\w+)\.py", "\n".join(texts)))
    assert told == SELF_STARTING


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
@pytest.mark.parametrize(
    ("failing", "code"), [("", 0), ("mypy", 1), ("pytest", 5), ("mypy pytest", 5)]
)
def test_every_check_runs_and_pytest_has_the_last_word(
    failing: str,
    code: int,
    load: Callable[[str], ModuleType],
    environment: ModuleType,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(environment, "prepare", lambda *_: checkout)
    for name in ("QT_QPA_PLATFORM", "QT_API", "PYQTGRAPH_QT_LIB"):
        monkeypatch.setenv(name, "to be restored")
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        program = checkout / name
        status = 5 if name in failing.split() else 0
        program.write_text(
            f'#!/bin/sh\necho "{name} $* on $QT_QPA_PLATFORM"\nexit {status}\n'
        )
        program.chmod(0o755)
    assert load("test").main(["-k", "one"]) == code
    lines = capfd.readouterr().out.splitlines()
    spoken = [line for line in lines if line.endswith("on offscreen")]
    order = [line.split()[0] for line in spoken]
    assert order == ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    shared = "--numprocesses=auto --maxprocesses=8 --dist=worksteal"
    assert lines[-1] == f"pytest {shared} -k one on offscreen"
    assert ("Failed: mypy" in lines) is ("mypy" in failing)


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
def test_without_arguments_the_other_checks_run_beside_pytest(
    load: Callable[[str], ModuleType],
    environment: ModuleType,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(environment, "prepare", lambda *_: checkout)
    for name in ("QT_QPA_PLATFORM", "QT_API", "PYQTGRAPH_QT_LIB"):
        monkeypatch.setenv(name, "to be restored")
    started = checkout / "pytest has started"
    programs = {
        "ruff": "echo clean",
        # Only beside pytest does this one end.
        "mypy": f"while [ ! -e '{started}' ]; do sleep 0.01; done; echo wrong; exit 1",
        "lint-imports": "echo kept",
        "pytest": f"touch '{started}'",
    }
    for name, lines in programs.items():
        program = checkout / name
        program.write_text(f"#!/bin/sh\n{lines}\n")
        program.chmod(0o755)
    assert load("test").main([]) == 1
    told = capfd.readouterr().out
    for heading, words in (
        ("ruff check", "clean"),
        ("mypy", "wrong"),
        ("lint-imports --no-logo", "kept"),
    ):
        assert f"\n== {heading} ==\n{words}\n" in told
    assert "\nFailed: mypy\n" in told


PROCESSES = """
import json, sys
import pytest
for arguments in json.load(sys.stdin):
    config = pytest.Config.fromdictargs({"numprocesses": "auto"}, arguments)
    print(config.hook.pytest_xdist_auto_num_workers(config=config))
"""


def test_all_tests_are_shared_and_those_that_are_picked_run_in_one_process() -> None:
    shared = [], ["-x"], ["tests/compute", "tests/test_cli.py"]
    picked = (
        ["tests/test_cli.py", "tests/compute/test_attention.py::test_one"],
        *(["-k", "one"], ["-m", "one"], ["--lf"], ["-s"], ["--trace"]),
    )
    done = subprocess.run(
        [sys.executable, "-c", PROCESSES],
        cwd=ROOT,
        env={**os.environ, "PYTEST_XDIST_AUTO_NUM_WORKERS": "7"},
        input=json.dumps([*shared, *picked]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["7"] * len(shared) + ["0"] * len(picked)


def test_the_app_is_started_by_the_environments_python(
    load: Callable[[str], ModuleType],
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[list[str]] = []
    brought: list[str] = []
    monkeypatch.setattr(environment, "prepare", lambda *extras: brought.extend(extras))
    monkeypatch.setattr("os.execv", lambda _, command: started.append(command))
    monkeypatch.setattr(sys, "argv", ["run.py", "open", "a file.json"])
    load("run").main()
    python = str(environment.PYTHON)
    assert started == [[python, "-P", "-m", "attnviewer", "open", "a file.json"]]
    assert "models" in brought  # without it no sentence can be typed


def test_continuous_integration_runs_the_same_command() -> None:
    command = ROOT / ".ci" / "run"
    assert command.stat().st_mode & 0o100
    subprocess.run(["bash", "-n", str(command)], check=True)
    last = command.read_text().splitlines()[-1]
    assert last == "exec python3 scripts/test.py"
