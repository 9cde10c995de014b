"""The two commands' scripts in a small checkout, on a machine that only pretends."""

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


class Machine:
    """Stands in for every program that the scripts call, and notes the calls."""

    def __init__(self, python: Path) -> None:
        self.python = python
        self.calls: list[str] = []
        self.fails = "nothing"

    def run(self, command: tuple[str, ...], **_: object) -> SimpleNamespace:
        line = " ".join(command)
        self.calls.append(line)
        if " -m venv " in line:
            self.python.parent.mkdir(parents=True, exist_ok=True)
            self.python.touch()
        failed = self.fails in line
        return SimpleNamespace(returncode=int(failed), stdout="its own words")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]")
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    return tmp_path


@pytest.fixture
def load(checkout: Path) -> Callable[[str], ModuleType]:
    """Import a script of the checkout anew."""

    def load(name: str) -> ModuleType:
        file = checkout / "scripts" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


@pytest.fixture
def system(
    load: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> ModuleType:
    """The module as it would be on a machine that lacks nothing."""
    module = load("system")
    monkeypatch.setitem(sys.modules, "system", module)
    monkeypatch.setattr(module, "loads", lambda _: True)
    monkeypatch.setattr(module, "has_font", lambda: True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return module


@pytest.fixture
def environment(
    load: Callable[[str], ModuleType],
    system: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> ModuleType:
    for name in ("contents", "locking", "relocation"):
        monkeypatch.setitem(sys.modules, name, load(name))
    module = load("environment")
    monkeypatch.setitem(sys.modules, "environment", module)
    return module


@pytest.fixture
def machine(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(environment.PYTHON)
    monkeypatch.setattr("subprocess.run", machine.run)
    return machine
