"""A lock is held by one at a time; where there are none, that is said."""

import errno
import gc

import pytest

from attnviewer.io.file_lock import claim, lock


def test_a_file_that_is_locked_is_not_locked_again(tmp_path) -> None:
    path = tmp_path / "lock"
    with path.open("ab") as one, path.open("ab") as other:
        assert lock(one)
        assert not lock(other)


@pytest.mark.usefixtures("no_locks")
def test_a_file_system_without_locks_is_not_taken_for_a_held_lock(tmp_path) -> None:
    with pytest.raises(OSError, match="No locks") as caught:
        claim(tmp_path / "lock")
    assert caught.value.errno == errno.ENOLCK
    del caught
    gc.collect()  # a file that is still open would warn
