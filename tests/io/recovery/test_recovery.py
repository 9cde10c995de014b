"""What a process keeps, and who finds it when that process is gone."""

import json
import os
import signal
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from attnviewer.io import FileError, FileFormatError
from attnviewer.io.file_lock import claim
from attnviewer.io.recovery import About, RecoveryFolder, find_recoverable
from tests.documents import four_words, state_of


def abandon(folder: RecoveryFolder) -> None:
    """End a folder's process as far as others can see it."""
    folder._lock.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


def left(root: Path) -> RecoveryFolder:
    folder = RecoveryFolder(root)
    about = About(
        "Four words", "/somewhere/words.attn", (1, 2, 3), "4 tokens", "Set X[0, 0]"
    )
    folder.keep(1, four_words(), about)
    abandon(folder)
    return folder


def found_in(root: Path):
    recoverables = find_recoverable(root)
    recoverables.close()
    return recoverables.found


def test_what_came_from_a_file_whose_name_is_no_text_is_kept(root):
    folder = RecoveryFolder(root)
    folder.keep(1, four_words(), About("\udcff", "/somewhere/\udcff.attn"))
    abandon(folder)
    (recoverable,) = found_in(root)
    assert recoverable.about.title == r"\udcff"
    assert recoverable.about.file == r"/somewhere/\udcff.attn"


def test_without_unsaved_work_there_is_no_folder(root):
    RecoveryFolder(root).close()
    assert not root.exists()
    assert found_in(root) == []


def test_what_is_left_behind_is_found_with_its_title_its_file_and_its_time(root):
    left(root)
    (recoverable,) = found_in(root)
    assert recoverable.about is not None
    assert recoverable.about.title == "Four words"
    assert recoverable.about.file == "/somewhere/words.attn"
    assert recoverable.about.stamp == (1, 2, 3)
    assert abs(datetime.now(UTC) - recoverable.time) < timedelta(minutes=1)
    assert state_of(recoverable.read()) == state_of(four_words())


def test_what_is_told_beside_it_is_strict_json(root):
    left(root)
    (about,) = root.glob("*/*.json")
    told = json.loads(about.read_bytes())
    assert told.pop("time").endswith("Z")
    assert told == {
        "title": "Four words",
        "file": "/somewhere/words.attn",
        "stamp": [1, 2, 3],
        "content": "4 tokens",
        "change": "Set X[0, 0]",
        "format": "attnviewer-recovery",
        "version": 1,
    }


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"title": "t", "file": null, "time": "2026-01-01T00:00:00"}',
        b'{"title": "t", "file": null, "time": NaN}',
        b'{"title": "t", "file": null, "time": "2026-01-01T00:00:00Z", "version": 2}',
        None,
    ],
)
def test_a_document_of_which_nothing_readable_is_told_is_found_all_the_same(
    root, damage
):
    left(root)
    (about,) = root.glob("*/*.json")
    if damage is None:
        about.unlink()
    else:
        about.write_bytes(damage)
    (recoverable,) = found_in(root)
    assert recoverable.about is None
    assert abs(datetime.now(UTC) - recoverable.time) < timedelta(minutes=1)
    assert recoverable.read().title == "Four words"


def test_of_a_document_that_was_not_written_any_more_no_newer_edit_is_told(
    root, monkeypatch
):
    folder = RecoveryFolder(root)
    folder.keep(1, four_words(), About("Four words", change="Set X[0, 0] to 7"))
    (path,) = root.glob("*/*.attn")
    written = path.stat().st_mtime

    def fail(*_):
        raise FileError(path, "simulated")

    with monkeypatch.context() as ended:
        ended.setattr("attnviewer.io.recovery.folder.save_session", fail)
        with pytest.raises(FileError):
            folder.keep(1, four_words(), About("Four words", change="Set X[0, 0] to 8"))
    # As if between the two a moment had passed that the file system can tell.
    os.utime(path, (written - 1, written - 1))
    abandon(folder)
    (recoverable,) = found_in(root)
    assert recoverable.about.title == "Four words"
    assert recoverable.about.change == ""
    assert recoverable.time.timestamp() == pytest.approx(written - 1, abs=1e-3)


def test_what_a_living_process_keeps_is_not_found(root):
    folder = RecoveryFolder(root)
    folder.keep(1, four_words(), About("Four words"))
    assert found_in(root) == []
    abandon(folder)
    assert len(found_in(root)) == 1


def test_two_who_look_do_not_find_the_same(root):
    left(root)
    first = find_recoverable(root)
    assert len(first.found) == 1
    assert found_in(root) == []
    first.close()
    assert len(found_in(root)) == 1


def test_what_is_kept_no_longer_and_an_orderly_end_leave_nothing(root):
    folder = RecoveryFolder(root)
    folder.keep(1, four_words(), About("Four words"))
    folder.keep(2, four_words(), About("Four words"))
    folder.remove(1)
    assert [path.name for path in root.glob("*/*.attn")] == ["2.attn"]
    folder.close()
    assert list(root.iterdir()) == []


def test_what_is_taken_over_is_kept_by_another_process_from_then_on(root):
    left(root)
    recoverables = find_recoverable(root)
    folder = RecoveryFolder(root)
    folder.take(3, recoverables.found[0])
    recoverables.close()
    assert found_in(root) == []
    assert len(list(root.iterdir())) == 1
    abandon(folder)
    (recoverable,) = found_in(root)
    assert (recoverable.path.name, recoverable.about.title) == ("3.attn", "Four words")


def test_what_is_discarded_is_gone_with_its_folder(root):
    left(root)
    recoverables = find_recoverable(root)
    recoverables.found[0].discard()
    recoverables.close()
    assert list(root.iterdir()) == []


def test_a_damaged_one_is_put_apart_and_found_no_more(root):
    left(root)
    recoverables = find_recoverable(root)
    (recoverable,) = recoverables.found
    whole, mode = recoverable.path.read_bytes(), recoverable.path.parent.stat().st_mode
    recoverable.path.write_bytes(whole[:-99])
    with pytest.raises(FileFormatError, match="damaged"):
        recoverable.read()
    apart = recoverable.put_apart()
    recoverables.close()
    assert apart.read_bytes() == whole[:-99]
    assert apart.parent.stat().st_mode == mode
    assert os.name != "posix" or stat.S_IMODE(mode) == 0o700
    assert found_in(root) == []
    assert [path.name for path in root.iterdir()] == ["damaged"]


def test_where_nothing_can_be_kept_the_reason_is_told(tmp_path):
    (tmp_path / "recovery").write_bytes(b"a file")
    with pytest.raises(FileError, match="a file, not a folder"):
        RecoveryFolder(tmp_path / "recovery").keep(1, four_words(), About("t"))
    assert found_in(tmp_path / "recovery") == []


@pytest.mark.usefixtures("no_locks")
def test_where_nothing_can_be_locked_the_reason_is_told_and_no_folder_stays(root):
    with pytest.raises(FileError, match=r"can be locked\. .* No locks available\."):
        RecoveryFolder(root).keep(1, four_words(), About("t"))
    assert list(root.iterdir()) == []


def test_what_was_left_behind_stays_where_nothing_can_be_locked(root, request):
    left(root)
    request.getfixturevalue("no_locks")
    assert found_in(root) == []
    assert len(list(root.glob("*/*.attn"))) == 1


def test_folders_that_others_have_locked_are_not_left_behind(root, monkeypatch):
    monkeypatch.setattr("attnviewer.io.recovery.folder.claim", lambda path: None)
    with pytest.raises(FileError, match="can be locked"):
        RecoveryFolder(root).keep(1, four_words(), About("t"))
    assert list(root.iterdir()) == []


def test_a_lock_is_had_by_one_at_a_time(tmp_path):
    first = claim(tmp_path / "lock")
    assert first is not None
    assert claim(tmp_path / "lock") is None
    first.close()
    second = claim(tmp_path / "lock")
    assert second is not None
    second.close()


_KEEPING = """
import sys
from pathlib import Path
from attnviewer.io.recovery import About, RecoveryFolder
from tests.documents import four_words
folder = RecoveryFolder(Path(sys.argv[1]))
folder.keep(1, four_words(), About("Four words"))
print("kept", flush=True)
while True:
    folder.keep(1, four_words(), About("Four words"))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_what_a_killed_process_was_keeping_is_found_at_once_and_not_before(root):
    command = [sys.executable, "-c", _KEEPING, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as keeping:
        assert keeping.stdout is not None
        keeping.stdout.readline()
        assert found_in(root) == []
        keeping.send_signal(signal.SIGKILL)
    (recoverable,) = found_in(root)
    assert state_of(recoverable.read()) == state_of(four_words())
