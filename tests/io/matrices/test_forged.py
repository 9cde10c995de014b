"""Files with anything in them are read or refused, and nothing else happens."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from attnviewer.io import FileError
from attnviewer.io.matrices import read_matrices
from tests.io.forged import forged
from tests.io.matrices.files import NUMBERS, npy_header, safetensors


def _with(save: Callable[..., None], **arrays: object) -> bytes:
    file = io.BytesIO()
    save(file, **arrays)
    return file.getvalue()


_WHOLE = {
    ".npy": _with(np.save, arr=np.array(NUMBERS)),
    ".npz": _with(np.savez_compressed, W=np.array(NUMBERS), b=np.arange(3)),
    ".safetensors": safetensors(
        {
            "W": ("F32", [2, 2], np.ones(4, "<f4").tobytes()),
            "b": ("BF16", [3], bytes(6)),
        }
    ),
    ".json": json.dumps({"tokens": ["a", "\ud83d\ude00"], "X": NUMBERS[:2]}).encode(),
}
_TABLES = {
    ".csv": b'name,"a",b\n"x, y",1.5,-2\nz,3e-3,0\n',
    ".tsv": "\ufeffsep=\t\n1,5\t2\n-0\t1.000,5\n".encode("utf-16"),
    ".txt": b"# 1 2\n 1.5  -2\n  0   7\n",
}
"""Of which parts are tables as well: they may break off and be read."""


def _check(told: str) -> None:
    assert told.isprintable()


def _read(path: Path, content: bytes) -> None:
    """Read a file in memory and on the disk; anything but `FileError` is an error."""
    path.write_bytes(content)
    for limit in (2**20, 16):
        try:
            matrices = read_matrices(path, limit)
        except FileError as error:
            _check(str(error))
        else:
            for array in matrices.values.values():
                assert array.dtype.kind == "f"
                assert not np.isnan(array).any()


@pytest.mark.parametrize("suffix", _WHOLE)
def test_a_file_that_breaks_off_anywhere_is_refused(tmp_path, suffix) -> None:
    path = tmp_path / f"W{suffix}"
    for end in range(len(_WHOLE[suffix])):
        path.write_bytes(_WHOLE[suffix][:end])
        with pytest.raises(FileError):
            read_matrices(path)


@pytest.mark.parametrize("suffix", _WHOLE)
def test_any_bit_may_be_wrong(tmp_path: Path, suffix: str) -> None:
    whole = _WHOLE[suffix]
    for place in range(len(whole)):
        for bit in (0, 3, 5, 7):
            wrong = bytearray(whole)
            wrong[place] ^= 1 << bit
            _read(tmp_path / f"W{suffix}", bytes(wrong))


@settings(max_examples=100)
@given(st.data())
def test_pieces_may_be_anything(tmp_path_factory, data) -> None:
    suffix = data.draw(st.sampled_from(sorted(_WHOLE | _TABLES)))
    path = tmp_path_factory.mktemp("forged") / f"W{suffix}"
    _read(path, data.draw(forged((_WHOLE | _TABLES)[suffix])))


_BEGINNINGS = [
    b"",
    b"\x93NUMPY\1\0",
    b"PK\3\4",
    b"PK\5\6",
    b"{",
    b"[[",
    bytes(8) + b"{",
]


@settings(max_examples=60)
@given(
    st.sampled_from([*sorted(_WHOLE), ".txt", ""]),
    st.sampled_from(_BEGINNINGS),
    st.binary(max_size=200),
)
@example(".npy", b"", npy_header((10**4000, 10**4000)))
@example(".npy", b"", npy_header((1,) * 3000))
@example(".npy", b"", npy_header((True, 1)) + bytes(8))
@example(".npy", b"", npy_header((2,), "(2**31,)<f8"))
@example(".npy", b"", npy_header((2,), [("a", "<f8", (2, 2))]) + bytes(64))
@example(".npy", b"", npy_header((2,), [("a", "|O")]))
@example(".npy", b"", npy_header((0,), "|V0"))
@example(".npy", b"", npy_header((1,), "<f16") + bytes(16))
@example(".json", b"", b'{"X": [[' + b"9" * 10_000 + b"]]}")
@example(".json", b"", b'{"X": [[1e' + b"9" * 10_000 + b"]]}")
@example(".json", b"", b'{"X": [[0.' + b"9" * 100_000 + b"]]}")
def test_bytes_may_be_anything(tmp_path_factory, suffix, beginning, rest) -> None:
    path = tmp_path_factory.mktemp("forged") / f"W{suffix}"
    _read(path, beginning + rest)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["dtype", "shape", "data_offsets", "W", "__metadata__"]
                ),
                inner,
            )
        ),
    ),
    st.binary(max_size=20),
)
def test_the_description_of_tensors_may_be_anything(
    tmp_path_factory, description, data
) -> None:
    header = json.dumps(description).encode()
    path = tmp_path_factory.mktemp("forged") / "W.safetensors"
    _read(path, len(header).to_bytes(8, "little") + header + data)
