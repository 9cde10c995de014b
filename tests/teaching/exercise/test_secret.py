"""The course's secret."""

import os
import stat
import sys

import pytest

from attnviewer.io import FileError
from attnviewer.teaching.exercise.secret import (
    new_secret,
    read_secret,
    secret_beside,
    write_secret,
)


def test_it_lies_beside_the_exercise(tmp_path) -> None:
    assert secret_beside(tmp_path / "week3.attnx") == tmp_path / "week3.secret"


def test_what_is_written_is_read(tmp_path) -> None:
    secret = new_secret()
    assert len(secret) == 32
    write_secret(tmp_path / "a.secret", secret)
    assert read_secret(tmp_path / "a.secret") == secret


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_only_its_owner_can_read_it(tmp_path) -> None:
    before = os.umask(0)
    try:
        write_secret(tmp_path / "a.secret", new_secret())
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.secret").stat().st_mode) == 0o600


def test_one_that_is_there_is_never_replaced(tmp_path) -> None:
    path = tmp_path / "a.secret"
    write_secret(path, b"a" * 32)
    with pytest.raises(FileError, match="There is a file already"):
        write_secret(path, b"b" * 32)
    assert read_secret(path) == b"a" * 32


@pytest.mark.parametrize("text", ["", "abc", "0" * 31, "g" * 64, "00" * 513])
def test_what_is_no_secret_is_refused(tmp_path, text: str) -> None:
    path = tmp_path / "a.secret"
    path.write_text(text)
    with pytest.raises(FileError, match="It is no secret"):
        read_secret(path)
