"""The two commands' groundwork, tried in a small checkout without a network."""

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import PySide6
import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux's libraries")
EVERY_PYTHON_HAS = r"lib(c|m|gcc_s|stdc\+\+|z|zstd)\.so\.\d+"


class Machine:
    """Stands in for every program that `environment` calls, and notes the calls."""

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


def load(name: str, folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]")
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    return tmp_path


@pytest.fixture
def environment(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module as it would be in a checkout on a machine that lacks nothing."""
    module = load("environment", checkout / "scripts")
    monkeypatch.setitem(sys.modules, "environment", module)
    monkeypatch.setattr(module, "loads", lambda _: True)
    monkeypatch.setattr(module, "has_font", lambda: True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return module


@pytest.fixture
def machine(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(environment.PYTHON)
    monkeypatch.setattr(environment.subprocess, "run", machine.run)
    return machine


def lack(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, *libraries: str
) -> None:
    monkeypatch.setattr(environment, "loads", lambda name: name not in libraries)


def be_user(monkeypatch: pytest.MonkeyPatch, uid: int) -> None:
    monkeypatch.setattr("os.geteuid", lambda: uid)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


@pytest.mark.parametrize("name", ["environment", "run", "test"])
def test_an_old_python_can_read_the_scripts(name: str) -> None:
    source = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))


def test_an_old_python_is_told_so_in_one_sentence(environment: ModuleType) -> None:
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, not 3\.10"):
        environment.check_python(3, 10)
    environment.check_python(3, 11)


def test_a_first_start_makes_the_environment_and_installs_the_package(
    environment: ModuleType, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    make, install = machine.calls
    assert make.endswith(f"-m venv --clear {machine.python.parents[1]}")
    assert install.endswith("--editable .")
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_a_matching_stamp_starts_without_calling_pip(
    environment: ModuleType, machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    capsys.readouterr()
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []
    assert capsys.readouterr() == ("", "")


def test_the_tests_environment_serves_the_app_and_keeps_its_extras(
    environment: ModuleType, machine: Machine, checkout: Path
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
    environment: ModuleType, machine: Machine
) -> None:
    environment.prepare()
    machine.calls.clear()
    environment.prepare("test")
    (install,) = machine.calls
    assert install.endswith("--editable .[test]")


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
    machine: Machine,
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
    environment: ModuleType, machine: Machine, capsys: pytest.CaptureFixture[str]
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
    environment: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.prepare()

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment.subprocess, "run", interrupt)
        with pytest.raises(SystemExit) as caught:
            environment.prepare("test")
    assert caught.value.code == 130
    assert environment.read_stamp() == {}


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libX11.so.6", "libx11-6"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
        ("libxcb-icccm.so.4", "libxcb-icccm4"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("a font", "fonts-dejavu-core"),
    ],
)
def test_what_is_missing_is_named_as_debian_names_it(
    library: str, package: str, environment: ModuleType
) -> None:
    assert environment.package(library) == package


@ON_LINUX
def test_root_installs_a_missing_library_with_apt_get(
    environment: ModuleType, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lack(environment, monkeypatch, "libEGL.so.1")
    be_user(monkeypatch, 0)
    with pytest.raises(SystemExit) as caught:
        environment.prepare()
    assert caught.value.code == 1  # this apt-get only pretends
    update, install = machine.calls
    assert update.endswith("apt-get update")
    assert install.endswith("apt-get install -y --no-install-recommends libegl1")


@ON_LINUX
def test_others_are_told_the_one_command(
    environment: ModuleType,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(environment, monkeypatch, "libEGL.so.1", "libdbus-1.so.3")
    be_user(monkeypatch, 1000)
    with pytest.raises(SystemExit) as caught:
        environment.prepare()
    assert caught.value.code == 1
    assert machine.calls == []
    command = "sudo apt-get install -y --no-install-recommends libdbus-1-3 libegl1\n"
    assert capsys.readouterr().err.endswith(command)


@ON_LINUX
def test_a_system_without_apt_get_names_the_libraries(
    environment: ModuleType,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(environment, monkeypatch, "libEGL.so.1")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(SystemExit):
        environment.prepare()
    message = capsys.readouterr().err
    assert "libEGL.so.1" in message
    assert "apt" not in message


@ON_LINUX
@pytest.mark.parametrize(
    ("display", "platform", "stops"),
    [
        ([], None, False),
        (["DISPLAY"], None, True),
        (["DISPLAY"], "xcb", True),
        (["DISPLAY"], "offscreen", False),
        (["DISPLAY", "WAYLAND_DISPLAY"], None, False),
        (["WAYLAND_DISPLAY"], None, False),
    ],
)
def test_a_displays_libraries_stop_only_a_start_that_needs_them(
    display: list[str],
    platform: str | None,
    stops: bool,
    environment: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lack(environment, monkeypatch, "libxcb-cursor.so.0")
    for name in display:
        monkeypatch.setenv(name, ":0")
    if platform:
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    missing = environment.find_missing(setting_up=False)
    assert environment.prevents_start(missing) is stops


def test_a_python_without_venv_is_told_its_package(
    environment: ModuleType,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    be_user(monkeypatch, 1000)
    with pytest.raises(SystemExit):
        environment.prepare()
    assert machine.calls == []
    package = f"python3.{sys.version_info.minor}-venv"
    assert package in capsys.readouterr().err


@ON_LINUX
def test_every_library_that_qt_links_is_looked_for(environment: ModuleType) -> None:
    qt = Path(PySide6.__file__).parent / "Qt"
    names = ("Core", "Gui", "Widgets", "DBus", "XcbQpa", "WaylandClient")
    binaries = [
        *(qt / "lib" / f"libQt6{name}.so.6" for name in names),
        *(qt / "plugins" / "platforms" / f"libq{n}.so" for n in ("offscreen", "xcb")),
        *(qt / "plugins" / "xcbglintegrations").glob("*.so"),
    ]
    # The names stand in each binary's string table, ended by zero bytes.
    name = re.compile(rb"(?<=\0)lib[\w+.-]+\.so\.\d+(?=\0)")
    linked = {n.decode() for b in binaries for n in name.findall(b.read_bytes())}
    ours = {path.name for path in (qt / "lib").iterdir()}
    base = {n for n in linked if re.fullmatch(EVERY_PYTHON_HAS, n)}
    listed = set(" ".join(environment.LIBRARIES.values()).split())
    assert linked - ours - base <= listed


def test_a_font_is_found_whatever_its_folder(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment = load("environment", checkout / "scripts")
    monkeypatch.setattr(environment, "FONTS", str(checkout / "fonts"))
    assert not environment.has_font()
    font = checkout / "fonts" / "truetype" / "Sans.TTF"
    font.parent.mkdir(parents=True)
    font.touch()
    assert environment.has_font()


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")
@pytest.mark.parametrize(
    ("failing", "code"), [("", 0), ("mypy", 1), ("pytest", 5), ("mypy pytest", 5)]
)
def test_every_check_runs_and_pytest_has_the_last_word(
    failing: str,
    code: int,
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
    assert load("test", checkout / "scripts").main(["-k", "one"]) == code
    lines = capfd.readouterr().out.splitlines()
    spoken = [line for line in lines if line.endswith("on offscreen")]
    order = [line.split()[0] for line in spoken]
    assert order == ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    assert lines[-1] == "pytest -k one on offscreen"
    assert ("Failed before pytest: mypy" in lines) is ("mypy" in failing)


def test_the_app_is_started_by_the_environments_python(
    environment: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(environment, "prepare", lambda: checkout)
    monkeypatch.setattr("os.execv", lambda _, command: started.append(command))
    monkeypatch.setattr(sys, "argv", ["run.py", "open", "a file.json"])
    load("run", checkout / "scripts").main()
    python = str(environment.PYTHON)
    assert started == [[python, "-P", "-m", "attnviewer", "open", "a file.json"]]


def test_continuous_integration_runs_the_same_command() -> None:
    command = SCRIPTS.parent / ".ci" / "run"
    assert command.stat().st_mode & 0o100
    subprocess.run(["bash", "-n", str(command)], check=True)
    last = command.read_text().splitlines()[-1]
    assert last == "exec python3 scripts/test.py"
