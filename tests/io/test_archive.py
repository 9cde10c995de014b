"""What an archive holds is known without reading more than a bounded list of parts."""

import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from attnviewer.io import FileError
from attnviewer.io.archive import entry_names, read_archive
from tests.io.damaged_archives import DAMAGED, listing


def test_the_names_of_parts_are_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("W.npy", "ä.npy", "A.npy"):
            archive.writestr(name, b"")
    assert entry_names(path) == ["W.npy", "ä.npy", "A.npy"]


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_list_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(DAMAGED[kind])
    for read in (entry_names, lambda path: read_archive(path, 2**20)):
        with pytest.raises(FileError) as refused:
            read(path)
        assert refused.value.path == path


def test_a_list_that_says_to_be_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(listing(100_000))
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r"1,048,576 bytes; it says 4,600,000\."):
            read_archive(path, 2**20)
        assert tracemalloc.get_traced_memory()[1] < 2**18
    finally:
        tracemalloc.stop()


def test_too_many_parts_are_refused_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(listing(1001))
    with pytest.raises(FileError, match="may have 1,000 parts; it has 1,001"):
        read_archive(path, 2**20)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    os.mkfifo(path)
    with pytest.raises(FileError, match="not an ordinary file"):
        entry_names(path)
