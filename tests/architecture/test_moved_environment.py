"""A `.venv` that was moved with its folder runs there, without pip or a network."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROGRAM = b"\nimport sys\nprint(sys.argv[1])\n"


@pytest.mark.skipif(os.name == "nt", reason="programs have paths compiled in")
def test_what_pip_wrote_is_led_to_the_new_folder(
    environment: ModuleType, machine: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment.prepare()
    stamp = environment.STAMP.read_text()
    environment.STAMP.write_text(stamp.replace(str(environment.ROOT), "/before"))
    packages = environment.site_packages()
    packages.mkdir(parents=True)
    program, path = environment.BIN / "pytest", packages / "_attnviewer.pth"
    program.write_bytes(b"#!/before/.venv/bin/python" + PROGRAM)
    program.chmod(0o755)
    path.write_text("/before\n/before/other")
    compiled = environment.BIN / "ruff"
    compiled.write_bytes(b"\x7fELF\0/before/.venv")
    machine.calls.clear()
    capsys.readouterr()
    environment.prepare()
    assert capsys.readouterr().err == "Letting .venv run from this folder …\n"
    assert not any(" -m pip " in c or "--clear" in c for c in machine.calls)
    assert program.read_text().splitlines()[0] == f"#!{environment.BIN / 'python'}"
    assert program.stat().st_mode & 0o777 == 0o755
    assert path.read_text().splitlines() == [str(environment.ROOT), "/before/other"]
    assert compiled.read_bytes() == b"\x7fELF\0/before/.venv"
    machine.calls.clear()
    environment.prepare()
    assert machine.calls == []


@pytest.mark.skipif(os.name == "nt", reason="programs have paths compiled in")
def test_a_program_starts_from_a_folder_with_spaces(
    load: Callable[[str], ModuleType], tmp_path: Path
) -> None:
    after = tmp_path / "a folder"
    programs = after / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "tool").write_bytes(b"#!/before/.venv/bin/python" + PROGRAM)
    (programs / "tool").chmod(0o755)
    load("relocation").relocate(programs, tmp_path, Path("/before"), after)
    done = subprocess.run([programs / "tool", "it runs"], stdout=subprocess.PIPE)
    assert done.stdout == b"it runs\n"
