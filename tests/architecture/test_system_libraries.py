"""What Qt needs of the system is looked for, and installed or named if missing."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import PySide6
import pytest

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux's libraries")
EVERY_PYTHON_HAS = r"lib(c|m|gcc_s|stdc\+\+|z|zstd)\.so\.\d+"


def lack(system: ModuleType, monkeypatch: pytest.MonkeyPatch, *libraries: str) -> None:
    monkeypatch.setattr(system, "loads", lambda name: name not in libraries)


def be_user(monkeypatch: pytest.MonkeyPatch, uid: int) -> None:
    monkeypatch.setattr("os.geteuid", lambda: uid)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


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
    library: str, package: str, system: ModuleType
) -> None:
    assert system.package(library) == package


@ON_LINUX
def test_root_installs_a_missing_library_with_apt_get(
    system: ModuleType,
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lack(system, monkeypatch, "libEGL.so.1")
    be_user(monkeypatch, 0)
    with pytest.raises(SystemExit) as caught:
        environment.prepare()
    assert caught.value.code == 1  # this apt-get only pretends
    update, install, fonts = machine.calls
    assert update.endswith("apt-get update")
    assert " apt-get -o DPkg::Lock::Timeout=" in install  # waits for another apt-get
    assert install.endswith(" install -y --no-install-recommends libegl1")
    assert fonts.endswith(" fonts-inter fonts-jetbrains-mono fonts-liberation")


@ON_LINUX
def test_others_are_told_the_one_command(
    system: ModuleType,
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(system, monkeypatch, "libEGL.so.1", "libdbus-1.so.3")
    be_user(monkeypatch, 1000)
    with pytest.raises(SystemExit) as caught:
        environment.prepare()
    assert caught.value.code == 1
    assert machine.calls == []
    command = (
        "sudo apt-get update && "
        "sudo apt-get install -y --no-install-recommends libdbus-1-3 libegl1\n"
    )
    assert capsys.readouterr().err.endswith(command)


@ON_LINUX
def test_a_system_without_apt_get_names_the_libraries(
    system: ModuleType,
    environment: ModuleType,
    machine: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    lack(system, monkeypatch, "libEGL.so.1")
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
    system: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lack(system, monkeypatch, "libxcb-cursor.so.0")
    for name in display:
        monkeypatch.setenv(name, ":0")
    if platform:
        monkeypatch.setenv("QT_QPA_PLATFORM", platform)
    missing = system.find_missing(setting_up=False)
    assert system.prevents_start(missing) is stops


def test_a_python_without_venv_is_told_its_package(
    environment: ModuleType,
    machine: Any,
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
def test_every_library_that_qt_links_is_looked_for(system: ModuleType) -> None:
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
    listed = set(" ".join(system.LIBRARIES.values()).split())
    assert linked - ours - base <= listed


def test_a_font_is_found_whatever_its_folder(
    load: Callable[[str], ModuleType],
    checkout: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = load("system")
    monkeypatch.setattr(system, "FONTS", str(checkout / "fonts"))
    assert not system.has_font()
    font = checkout / "fonts" / "truetype" / "Sans.TTF"
    font.parent.mkdir(parents=True)
    font.touch()
    assert system.has_font()
