"""Files are read up to a limit, even those that grow meanwhile."""

import os

import pytest

from attnviewer.io.errors import FileError
from attnviewer.io.reading import read_bounded


@pytest.fixture
def growing(tmp_path, monkeypatch):
    """A file that has three times its bytes once its size was asked."""
    path = tmp_path / "growing.csv"
    path.write_bytes(b"1,2\n")
    size_of = os.fstat

    def grow(descriptor):
        before = size_of(descriptor)
        path.write_bytes(3 * b"1,2\n")
        return before

    monkeypatch.setattr(os, "fstat", grow)
    return path


def test_a_file_that_grows_meanwhile_is_read_to_its_end(growing):
    assert read_bounded(growing, 12) == 3 * b"1,2\n"


def test_a_file_that_grows_beyond_the_limit_is_refused(growing):
    with pytest.raises(FileError, match="larger than"):
        read_bounded(growing, 11)
