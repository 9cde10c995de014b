"""Arrays in NumPy's format, written as NumPy reads them."""

import io

import numpy as np
import pytest

from attnviewer.io import npy as npy_module
from attnviewer.io.npy import npy_pieces


@pytest.mark.parametrize(
    "array",
    [
        np.array("title"),
        np.array(["a", "bcd"]),
        np.array(["", ""]),
        np.array(2.5),
        np.array([True, False]),
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        np.arange(6.0).reshape(2, 3).T,
        np.arange(24.0).reshape(4, 6)[::2, 1::2],
        np.arange(4, dtype=">f8"),
    ],
    ids=lambda array: f"{array.dtype}-{array.shape}",
)
def test_numpy_reads_what_is_written(monkeypatch, array):
    for piece in (7, 2**20):
        monkeypatch.setattr(npy_module, "PIECE", piece)
        read = np.load(io.BytesIO(b"".join(npy_pieces(array))), allow_pickle=False)
        assert (read.shape, read.dtype) == (array.shape, array.dtype)
        assert np.array_equal(read, array)


def test_the_pieces_of_a_large_array_show_it_and_are_short():
    array = np.arange(300_000.0)
    pieces = npy_pieces(array)[1:]
    assert [len(piece) for piece in pieces] == [2**20, 2**20, 2_400_000 - 2 * 2**20]
    array[0] = 7.0
    assert np.frombuffer(pieces[0])[0] == 7.0
