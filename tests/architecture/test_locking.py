"""Starts that set up wait for each other, where the file system has locks."""

import errno
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

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
    assert log.read_text().split() == ["begin", "end"] * 4
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
    assert len(machine.calls) == 4
    told, _setting_up = capsys.readouterr().err.splitlines()
    assert told.startswith("No lock can be had (No locks here); ")
