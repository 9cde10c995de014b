"""What is ready in `.venv` outlives lost packages and a pip without its index."""

import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


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
    update, _trial, make, _pip, install, _trial = machine.calls
    assert update == install
    assert " -m venv --clear " in make


def test_what_is_set_up_anew_belongs_to_the_python_that_does_it(
    environment: ModuleType, machine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    unpack(environment.site_packages(), "six", "six.py")
    environment.prepare()
    (environment.site_packages() / "six.py").unlink()
    monkeypatch.setattr(sys, "base_prefix", "/another/python")
    environment.prepare()
    assert environment.read_stamp()["made"]["home"][1] == "/another/python"


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


def test_without_a_network_what_no_longer_works_is_refused_and_not_cleared(
    environment: ModuleType, machine: Any
) -> None:
    packages = environment.site_packages()
    unpack(packages, "numpy", "numpy/__init__.py")
    environment.prepare()
    (packages / "numpy/__init__.py").unlink()
    machine.fails = f"{machine.python} -"  # pip, and then the import of numpy
    for _ in range(2):
        machine.calls.clear()
        with pytest.raises(SystemExit, match="pip could not install attnviewer"):
            environment.prepare()
        assert not any(" -m venv " in call for call in machine.calls)
    machine.fails = "nothing"
    machine.calls.clear()
    environment.prepare()
    assert any(" -m venv --clear " in call for call in machine.calls)


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


def test_an_update_that_was_killed_loses_nothing_without_a_network(
    environment: ModuleType,
    machine: Any,
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    environment.prepare()
    (checkout / "pyproject.toml").write_text("[project] # changed")

    def kill(*_: object, **__: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("subprocess.run", kill)
        with pytest.raises(SystemExit):
            environment.prepare()
    machine.fails = " -m pip "
    machine.calls.clear()
    environment.prepare()
    assert capsys.readouterr().err.endswith("Starting with .venv as it was.\n")
    assert not any(" -m venv " in call for call in machine.calls)


def test_what_a_killed_pip_had_set_aside_is_removed_and_never_missed(
    environment: ModuleType, machine: Any
) -> None:
    packages = environment.site_packages()
    unpack(packages, "numpy", "numpy/__init__.py")
    aside = unpack(packages, "~umpy", "~umpy/__init__.py")
    (aside / "RECORD").write_text("numpy/gone.py,,")
    environment.prepare()
    assert sorted(path.name for path in packages.iterdir()) == [
        "numpy",
        "numpy-1.0.dist-info",
    ]
    assert environment.read_stamp()["holds"] == ["numpy"]
    machine.calls.clear()
    aside.mkdir()
    environment.prepare()
    assert machine.calls == []


def test_an_environment_without_a_stamp_is_made_anew(
    environment: ModuleType, machine: Any
) -> None:
    environment.prepare()
    environment.STAMP.unlink()
    machine.calls.clear()
    environment.prepare()
    assert " -m venv --clear " in machine.calls[0]
