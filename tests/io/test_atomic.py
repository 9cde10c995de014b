"""Files that are either whole or not there."""

import errno
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest

from attnviewer.io import FileError, atomic, write_atomically
from attnviewer.io.atomic import remove_temporary_files
from attnviewer.io.file_lock import lock

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions and links")


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _refusal(path: Path, content: bytes = b"new") -> str:
    with pytest.raises(FileError) as caught:
        write_atomically(path, content)
    assert caught.value.path == path
    assert str(caught.value).endswith(f": {caught.value.reason}")
    return caught.value.reason


@pytest.mark.parametrize("content", [b"new", [b"n", b"", b"ew"], iter([b"new"])])
def test_a_file_is_written_whole_and_nothing_else(tmp_path: Path, content) -> None:
    path = tmp_path / "file.csv"
    path.write_bytes(b"a longer old content")
    write_atomically(path, content)
    assert path.read_bytes() == b"new"
    assert _names(tmp_path) == ["file.csv"]


def test_a_name_as_long_as_names_can_be_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"


class _BrokenOffError(Exception):
    pass


@pytest.mark.parametrize(
    ("failure", "raised"),
    [
        (OSError(errno.ENOSPC, "simulated"), FileError),
        (_BrokenOffError(), _BrokenOffError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ],
)
def test_pieces_that_break_off_leave_the_old_file(
    tmp_path: Path, failure, raised
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"half"
        raise failure

    path = tmp_path / "file.csv"
    path.write_bytes(b"old")
    with pytest.raises(raised):
        write_atomically(path, pieces())
    assert path.read_bytes() == b"old"
    assert _names(tmp_path) == ["file.csv"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (errno.ENOSPC, "The disk is full."),
        (errno.EDQUOT, "The disk quota is used up."),
        (errno.EIO, "The disk reports a hardware error."),
        (errno.EROFS, "The disk is read-only."),
        (errno.EACCES, "Permission denied."),
    ],
)
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_disk_that_fails_is_named_and_leaves_the_old_file(
    tmp_path: Path, monkeypatch, call: str, code: int, reason: str
) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError(code, "simulated")

    path = tmp_path / "file.csv"
    path.write_bytes(b"old")
    if call == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    else:
        monkeypatch.setattr(Path, "replace", fail)
    assert _refusal(path) == reason
    assert path.read_bytes() == b"old"
    assert _names(tmp_path) == ["file.csv"]


def test_the_bytes_are_on_the_disk_before_they_take_the_place(
    tmp_path: Path, monkeypatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def seen_fsync(descriptor: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def seen_replace(self: Path, target: Path) -> Path:
        calls.append("replace")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    monkeypatch.setattr(Path, "replace", seen_replace)
    write_atomically(tmp_path / "file", b"new")
    assert calls == ["file", "replace"] + (["folder"] if os.name == "posix" else [])


def test_places_that_cannot_hold_a_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    assert _refusal(tmp_path / "folder") == "It is a folder, not a file."
    missing = tmp_path / "missing"
    assert _refusal(missing / "file") == f"There is no folder {missing}."
    below_file = _refusal(tmp_path / "file" / "below")
    assert below_file == "A part of the path is a file, not a folder."
    assert _refusal(tmp_path / ("x" * 300)) == "The name is too long."
    assert _refusal(tmp_path / "nu\0ll") == "The name holds a null character."
    assert _names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_bytes() == b"old"


@posix
def test_a_device_or_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert _refusal(pipe) == "It is not an ordinary file."
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_an_existing_file_keeps_its_permission_bits(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_bytes() == b"new"


@posix
def test_a_new_file_has_the_bits_that_any_new_file_gets(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_atomically(tmp_path / "ours", b"")
    modes = {(tmp_path / name).stat().st_mode for name in ("plain", "ours")}
    assert len(modes) == 1


@posix
def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    # A super-user may write anything, so the system's answer is simulated.
    monkeypatch.setattr(os, "access", lambda _path, mode: mode != os.W_OK)
    assert _refusal(path) == "The file is write-protected."
    assert path.read_bytes() == b"old"


@posix
def test_a_symbolic_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "file", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"through a dangling link", b"again"):
        write_atomically(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    assert _names(tmp_path / "there") == ["file"]


@posix
def test_links_that_lead_in_a_circle_are_refused(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    assert _refusal(one) == "Its symbolic links lead in a circle."
    assert one.is_symlink()


_LIMITED = """
import resource, sys
from attnviewer.io import FileError, write_atomically
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    write_atomically(sys.argv[1], (b"n" * 1000 for _ in range(1000)))
except FileError as error:
    print(error.reason)
"""


@posix
def test_a_write_that_the_system_stops_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    told = subprocess.run(
        [sys.executable, "-c", _LIMITED, path],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert told.stdout == "The file would be larger than the system allows.\n"
    assert path.read_bytes() == b"old"
    assert _names(tmp_path) == ["file"]


_ENDLESS = """
import itertools, sys
from attnviewer.io import write_atomically
for letter in itertools.cycle((b"a", b"b")):
    write_atomically(sys.argv[1], (letter * 4096 for _ in range(64)))
    print(letter.decode(), flush=True)
"""


@posix
@pytest.mark.parametrize("attempt", [0, 2, 5])
def test_a_process_killed_while_writing_leaves_a_whole_file(
    tmp_path: Path, attempt: int
) -> None:
    path = tmp_path / "file"
    command = [sys.executable, "-c", _ENDLESS, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()  # the first file is there
        time.sleep(0.003 * attempt)
        writer.send_signal(signal.SIGKILL)
    content = path.read_bytes()
    assert len(content) == 64 * 4096
    assert set(content) in ({ord("a")}, {ord("b")})
    left = [name for name in _names(tmp_path) if name != "file"]
    assert all(name.startswith(".attnviewer-") for name in left)
    assert len(left) <= 1


def test_what_can_be_made_again_does_not_wait_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise AssertionError

    monkeypatch.setattr(os, "fsync", refuse)
    write_atomically(tmp_path / "file", [b"a", b"b"], lasting=False)
    assert (tmp_path / "file").read_bytes() == b"ab"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@posix
def test_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "file"
    seen: list[int] = []

    def pieces() -> Iterator[bytes]:
        for piece in (b"a", b"b"):
            (temporary,) = tmp_path.glob(".attnviewer-*.tmp")
            seen.append(stat.S_IMODE(temporary.stat().st_mode))
            yield piece

    path.write_bytes(b"old")
    path.chmod(0o600)
    write_atomically(path, pieces())
    assert seen == [0o600, 0o600]
    assert path.read_bytes() == b"ab"


@posix
@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives a file away"
)
def test_a_file_of_somebody_else_stays_theirs(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 12345, 23456)
    write_atomically(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


@posix
def test_the_temporary_file_of_a_living_process_is_not_removed(tmp_path: Path) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"a"
        remove_temporary_files(tmp_path)
        yield b"b"

    write_atomically(tmp_path / "file", pieces())
    assert (tmp_path / "file").read_bytes() == b"ab"
    assert _names(tmp_path) == ["file"]


@posix
def test_one_that_is_removed_before_it_is_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed: list[Path] = []

    def late(file: BinaryIO, *, wait: bool = False) -> bool:
        if not removed:
            removed.extend(tmp_path.glob(".attnviewer-*.tmp"))
            removed[0].unlink()
        return lock(file, wait=wait)

    monkeypatch.setattr(atomic, "lock", late)
    write_atomically(tmp_path / "file", b"new")
    assert len(removed) == 1
    assert (tmp_path / "file").read_bytes() == b"new"
    assert _names(tmp_path) == ["file"]


@pytest.mark.usefixtures("no_locks")
def test_a_file_system_without_locks_is_written_to(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert _names(tmp_path) == ["file"]


@posix
def test_nothing_is_left_where_permissions_cannot_be_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int, _mode: int) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fchmod", refuse)
    with pytest.raises(FileError):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert _names(tmp_path) == ["file"]
