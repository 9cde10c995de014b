"""A `.venv` that leads elsewhere is refused, and what it leads to stays as it is."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.mark.parametrize("leads_to", ["a ready environment", "files", "nothing"])
def test_a_linked_environment_is_refused_and_left_alone(
    leads_to: str,
    environment: ModuleType,
    machine: Any,
    checkout: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    elsewhere = checkout / "elsewhere"
    if leads_to == "a ready environment":
        environment.prepare("test")
        environment.VENV.rename(elsewhere)
    elif leads_to == "files":
        (elsewhere / "bin").mkdir(parents=True)
        (elsewhere / "bin" / "python").touch()
    environment.VENV.symlink_to(elsewhere, target_is_directory=True)
    before = sorted(elsewhere.rglob("*"))
    machine.calls.clear()
    capsys.readouterr()
    with pytest.raises(SystemExit, match=r"^\.venv is a symbolic link, .* empty"):
        environment.prepare("test")
    assert machine.calls == []
    assert sorted(elsewhere.rglob("*")) == before
    assert environment.VENV.is_symlink()


def test_once_the_link_is_removed_the_environment_is_made_in_its_place(
    environment: ModuleType, machine: Any, checkout: Path
) -> None:
    elsewhere = checkout / "elsewhere"
    elsewhere.mkdir()
    environment.VENV.symlink_to(elsewhere, target_is_directory=True)
    with pytest.raises(SystemExit, match="Remove the link"):
        environment.prepare()
    environment.VENV.unlink()
    environment.prepare()
    assert " -m venv --clear " in machine.calls[0]
    assert list(elsewhere.iterdir()) == []
