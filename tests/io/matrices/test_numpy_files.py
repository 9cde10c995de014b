"""NumPy's files: read bit for bit, or refused with the reason, and nothing is run."""

import io
import mmap
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnviewer.io.matrices import read_matrices
from tests.io.matrices.files import (
    NUMBERS,
    Evil,
    evil_pickle,
    npy_header,
    plain,
    refusal,
)

_FLOATS = st.sampled_from(["<f8", ">f8", "<f4", ">f4", "<f2", ">f2"])
_WHOLE = st.sampled_from(["<i8", ">i4", "i2", "i1", "<u8", "u4", ">u2", "u1", "?"])
_SHAPES = arrays.array_shapes(max_dims=4, max_side=4)
_NO_SHAPE = "Its shape must be whole numbers from 0 to 2⁶³ − 1."


@pytest.fixture
def npy(tmp_path: Path) -> Path:
    return tmp_path / "W.npy"


@pytest.fixture
def npz(tmp_path: Path) -> Path:
    return tmp_path / "a.npz"


def _saved(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


@given(arrays.arrays(_FLOATS, _SHAPES), st.booleans())
def test_floats_come_back_bit_for_bit(tmp_path_factory, array, in_columns) -> None:
    array = np.where(np.isfinite(array), array, array.dtype.type(1)).astype(array.dtype)
    path = tmp_path_factory.mktemp("npy") / "W.npy"
    np.save(path, np.asfortranarray(array) if in_columns else array)
    for limit in (2**20, 1) if array.dtype.isnative else (2**20,):
        read = read_matrices(path, limit).values["W"]
        assert read.dtype == array.dtype.newbyteorder("=")
        assert read.shape == array.shape
        assert read.tobytes() == array.astype(read.dtype).tobytes()


@given(arrays.arrays(_WHOLE, _SHAPES))
def test_whole_numbers_become_the_nearest_floats(tmp_path_factory, array) -> None:
    path = tmp_path_factory.mktemp("npz") / "a.npz"
    np.savez_compressed(path, W=array)
    matrices = read_matrices(path)
    read = matrices.values["W"]
    want = [float(number) for number in array.ravel().tolist()]
    assert read.ravel().tolist() == want
    assert read.dtype == np.float64
    rounded = max(abs(int(number)) for number in array.ravel().tolist()) > 2**53
    assert bool(matrices.notices) == rounded


def _is_mapped(array: np.ndarray) -> bool:
    base: object = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return isinstance(base, mmap.mmap)


def test_an_array_above_the_limit_stays_on_the_disk(npy: Path) -> None:
    np.save(npy, np.array(NUMBERS))
    read = read_matrices(npy, 100).values["W"]
    assert _is_mapped(read)
    assert read.tolist() == NUMBERS
    assert not _is_mapped(read_matrices(npy, 1000).values["W"])


def test_a_small_file_takes_little_memory_whatever_the_limit(npy: Path) -> None:
    np.save(npy, np.array(NUMBERS))
    tracemalloc.start()
    try:
        read_matrices(npy, 2**29)
        assert tracemalloc.get_traced_memory()[1] < 2**22
    finally:
        tracemalloc.stop()


def test_a_file_within_the_limit_may_be_rewritten_after_it_was_read(npy: Path) -> None:
    np.save(npy, np.array(NUMBERS))
    read = read_matrices(npy).values["W"]
    npy.write_bytes(b"")
    assert read.tolist() == NUMBERS


def test_whole_numbers_above_the_limit_as_floats_are_refused(npy: Path) -> None:
    np.save(npy, np.ones((100, 100), np.int8))
    told = refusal(npy, 40_000)
    assert told == "It takes 80,000 bytes as floats; 40,000 more may be read."


@pytest.mark.parametrize("dtype", [">f2", ">f4", ">f8"])
def test_floats_with_their_bytes_in_reverse_count_as_themselves(npy, dtype) -> None:
    np.save(npy, np.ones((100, 100), dtype))
    size = 10_000 * np.dtype(dtype).itemsize
    assert read_matrices(npy, size).values["W"].nbytes == size
    told = f"It takes {size:,} bytes as floats; {size - 1:,} more may be read."
    assert refusal(npy, size - 1) == told


def test_minus_infinity_is_told_of(npy: Path) -> None:
    np.save(npy, [[0.0, -np.inf]])
    matrices = read_matrices(npy)
    assert plain(matrices) == {"W": [[0.0, -np.inf]]}
    assert matrices.notices == ["'W' has −∞ in it, which only a bias can use."]
    np.save(npy, [[-np.inf, -np.inf]])
    assert read_matrices(npy).notices == matrices.notices


@given(
    st.sampled_from([np.nan, np.inf]),
    _SHAPES.flatmap(
        lambda s: st.tuples(*(st.integers(0, n - 1) for n in s), st.just(s))
    ),
)
def test_what_is_not_finite_is_refused_with_its_place_and_rows(
    tmp_path_factory, wrong, place
) -> None:
    *index, shape = place
    array = np.zeros(shape)
    array[tuple(index)] = wrong
    array.flat[-1] = np.nan
    path = tmp_path_factory.mktemp("npy") / "W.npy"
    np.save(path, array)
    where = ", ".join(map(str, index))
    # The last number of all is in the same row, or in another.
    other = tuple(index[:-1]) != tuple(size - 1 for size in shape[:-1])
    more = ", and in 1 more of its rows" if other else ""
    told = f"It must hold finite numbers. It has NaN or ∞ at [{where}]{more}."
    assert refusal(path) == told


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "The file is empty."),
        (b"1,2\n3,4\n", "It is not an array in NumPy's format."),
        (
            npy_header(version=b"\x09\0"),
            "It is in version 9.0 of NumPy's format; versions 1.0 to 3.0 can be read.",
        ),
        (npy_header()[:40], "The description of the array is cut short."),
        (
            npy_header((100_000, 100_000)) + bytes(64),
            "An array of the shape (100000, 100000) takes 80,000,000,000 bytes. "
            "Got 64 instead.",
        ),
        (
            npy_header((2, 2)) + bytes(31),
            "An array of the shape (2, 2) takes 32 bytes. Got 31 instead.",
        ),
        (npy_header((-1, 3)) + bytes(24), _NO_SHAPE),
        (npy_header((0, 2**70)), _NO_SHAPE),
        (npy_header((0, 2**62)), f"There is no array of the shape (0, {2**62})."),
        (npy_header((2**62,), "<U0"), f"There is no array of the shape ({2**62},)."),
        (npy_header((1,) * 99), "An array cannot have 99 dimensions here."),
        (
            npy_header((2,), ("<f8", (3,))) + bytes(48),
            "Its elements must be numbers. Got arrays of the shape (3,) instead.",
        ),
        (
            _saved(np.array([["1", "2"], ["3", "4"]])),
            "It holds text. It must hold numbers.",
        ),
        (_saved(np.array([[1j]])), "Complex numbers cannot be used here."),
        (
            _saved(np.array([["2026-11-21"]], "M8[D]")),
            "It must hold numbers. Got datetime64[D] instead.",
        ),
        (
            _saved(np.ones((3, 0))),
            "The array must have at least 1 row and 1 column. "
            "Got 3 rows and 0 columns instead.",
        ),
        (
            _saved(np.ones((1,) * 9)),
            "The array must have 1 to 5 dimensions. Got 9 instead.",
        ),
        (_saved(np.ones(())), "The array must have 1 to 5 dimensions. Got 0 instead."),
    ],
)
def test_an_array_that_cannot_be_used_is_refused(npy: Path, content, told) -> None:
    npy.write_bytes(content)
    assert refusal(npy) == told


@pytest.mark.parametrize(
    "described",
    [
        "{'descr': (), 'fortran_order': False, 'shape': (2,)}",
        "{'descr': [('a',)], 'fortran_order': False, 'shape': (2,)}",
        "{'descr': 'a5', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f8', 'fortran_order': 2, 'shape': (2,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2.0,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': '''",
        "{" * 5000,
        "__import__('os').abort()",
        "[" * 300 + "]" * 300,
        "\\",
        "0x",
    ],
)
def test_a_description_of_anything_else_is_refused(npy: Path, described: str) -> None:
    text = described.encode()
    start = b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little")
    npy.write_bytes(start + text + bytes(16))
    assert refusal(npy)


def test_a_size_of_more_digits_than_python_writes_is_refused(npy: Path) -> None:
    shape = f"(0x{'f' * 5000},)"
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}".encode()
    npy.write_bytes(b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text)
    assert refusal(npy) == _NO_SHAPE


def test_a_description_of_gigabytes_is_not_read(npy: Path) -> None:
    with npy.open("wb") as file:
        file.write(b"\x93NUMPY\2\0" + (2**32 - 1).to_bytes(4, "little"))
        file.truncate(2**33)  # takes no room on the disk
    assert refusal(npy) == "The description of the array is cut short."


def test_arrays_come_back_by_their_names_in_the_order_of_the_file(npz: Path) -> None:
    np.savez(npz, **{"Wé_Q": np.array(NUMBERS), "layer.0/b": np.ones(2)})
    matrices = read_matrices(npz)
    assert plain(matrices) == {"Wé_Q": NUMBERS, "layer.0/b": [1.0, 1.0]}
    assert list(matrices.values) == ["Wé_Q", "layer.0/b"]
    assert matrices.notices == []


def test_an_array_without_a_name_has_that_which_numpy_gives_it(npz: Path) -> None:
    np.savez_compressed(npz, np.array(NUMBERS))
    assert plain(read_matrices(npz)) == {"arr_0": NUMBERS}


def test_what_is_no_array_of_numbers_is_left_out_with_its_reason(npz: Path) -> None:
    np.savez(npz, Q=np.array(NUMBERS), notes=np.array(["a"]), step=np.int64(3))
    with zipfile.ZipFile(npz, "a") as archive:
        archive.writestr("readme.txt", "hi")
    matrices = read_matrices(npz)
    assert plain(matrices) == {"Q": NUMBERS}
    assert matrices.notices == [
        "'notes' was left out. It holds text. It must hold numbers.",
        "'step' was left out. The array must have 1 to 5 dimensions. Got 0 instead.",
        "'readme.txt' was left out. It is no array.",
    ]


def test_of_many_left_out_only_some_are_told_of_one_by_one(npz: Path) -> None:
    left_out = {f"word {k}": np.array(["a"]) for k in range(20)}
    np.savez(npz, Q=np.array(NUMBERS), **left_out)
    notices = read_matrices(npz).notices
    assert len(notices) == 6
    assert notices[-1] == "So were 15 more."


@pytest.mark.parametrize("limit", [2**20, 10])
def test_an_array_of_python_objects_is_not_run(npy: Path, limit: int) -> None:
    trace = npy.with_name("trace")
    content = evil_pickle(trace)
    npy.write_bytes(npy_header((1,), "|O") + content)
    told = refusal(npy, limit)
    assert told.startswith("It holds Python objects, which could run code")
    npy.write_bytes(content)
    assert refusal(npy).startswith("It is a pickle of Python.")
    assert not trace.exists()


def test_a_part_of_python_objects_is_not_run(npz: Path) -> None:
    trace = npz.with_name("trace")
    evil_pickle(trace)
    np.savez(npz, Q=np.array([Evil(trace)], dtype=object))
    assert refusal(npz).startswith("Q: It holds Python objects")
    assert not trace.exists()


def _npz(path: Path, content: bytes = b"", compression: int = zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("Q.npy", content or _saved(np.array(NUMBERS)))
    return bytearray(path.read_bytes())


def test_a_damaged_archive_is_refused(npz: Path) -> None:
    whole = _npz(npz)
    npz.write_bytes(whole[:-30])
    told = "it is no ZIP archive, or one that was cut short or changed."
    assert refusal(npz) == f"The file is damaged: {told}"
    place = whole.index(b"PK\1\2") + 16  # the checksum in the list of parts
    whole[place] ^= 1
    npz.write_bytes(whole)
    told = "The part is damaged: its checksum is another one. (Q.npy)"
    assert refusal(npz) == told


def test_an_encrypted_archive_is_refused(npz: Path) -> None:
    whole = _npz(npz)
    whole[whole.index(b"PK\3\4") + 6] |= 1
    whole[whole.index(b"PK\1\2") + 8] |= 1
    npz.write_bytes(whole)
    assert refusal(npz) == "Q.npy: The part is encrypted, which cannot be read."


def test_an_archive_without_arrays_is_refused(npz: Path) -> None:
    with zipfile.ZipFile(npz, "w") as archive:
        archive.writestr("readme.txt", "hi")
    assert refusal(npz).startswith("It is a ZIP archive without arrays.")


def test_parts_that_say_they_are_too_long_are_refused_packed(npz: Path) -> None:
    content = npy_header((2**18,)) + bytes(2**21)
    _npz(npz, content)
    told = "Its parts may have 1,048,576 bytes together; they say {:,}."
    assert refusal(npz) == told.format(len(content))


def test_a_part_that_unpacks_into_more_than_it_says_takes_no_memory(npz: Path) -> None:
    whole = _npz(npz, bytes(2**26))
    for start, offset in ((b"PK\3\4", 22), (b"PK\1\2", 24)):
        place = whole.index(start) + offset  # how long it says to be
        whole[place : place + 4] = (100).to_bytes(4, "little")
    npz.write_bytes(whole)
    tracemalloc.start()
    try:
        told = refusal(npz)
        assert tracemalloc.get_traced_memory()[1] < 2**22
    finally:
        tracemalloc.stop()
    assert told.startswith("The part is damaged")


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_parts_that_can_only_be_unpacked_whole_are_refused(npz, compression) -> None:
    _npz(npz, compression=compression)
    told = "Q.npy: The part is compressed in a way that cannot be read."
    assert refusal(npz) == told


def test_parts_of_small_numbers_count_as_the_floats_they_become(npz: Path) -> None:
    np.savez_compressed(npz, Q=np.ones((400, 1000), np.int8))
    assert "takes 3,200,000 bytes as floats" in refusal(npz)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_arrays_of_one_name_are_refused(npz: Path) -> None:
    with zipfile.ZipFile(npz, "w") as archive:
        for numbers in (NUMBERS, [[1.0]]):
            archive.writestr("Q.npy", _saved(np.array(numbers)))
    assert refusal(npz) == "Two of its parts have the same name."


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1])
def test_the_first_whole_number_that_is_no_float_is_told_of(npy, number) -> None:
    np.save(npy, np.array([[number, 0]]))
    told = "'W' holds whole numbers above 2⁵³; they are rounded."
    assert read_matrices(npy).notices == [told]
    np.save(npy, np.array([[2**53, -(2**53)]]))
    assert read_matrices(npy).notices == []


def test_what_comes_after_the_end_of_an_array_is_told_of(npy: Path) -> None:
    npy.write_bytes(_saved(np.array(NUMBERS)) + b"\n\0")
    for limit in (2**20, 100):
        read = read_matrices(npy, limit)
        assert plain(read) == {"W": NUMBERS}
        told = "2 bytes after the end of 'W' in the file were not read."
        assert read.notices == [told]
    npy.write_bytes(_saved(np.array(NUMBERS)) + b"\n")
    told = "1 byte after the end of 'W' in the file was not read."
    assert read_matrices(npy).notices == [told]
    npy.write_bytes(_saved(np.array(NUMBERS)) * 2)  # np.save into an open file, twice
    told = "Another array after the end of 'W' in the file was not read."
    assert read_matrices(npy).notices == [told]


def test_one_odd_array_does_not_make_a_file_unreadable(npz: Path) -> None:
    odd = np.array([("a", 1.0)], dtype=[("name", "U1"), ("value", "f8")])
    objects = np.array(["the", None], dtype=object)
    np.savez(npz, Q=np.array(NUMBERS), texts=objects, odd=odd, z=np.ones(2) * 1j)
    with zipfile.ZipFile(npz, "a") as archive:
        archive.writestr("cut.npy", _saved(np.array(NUMBERS))[:-1])
    read = read_matrices(npz)
    assert plain(read) == {"Q": NUMBERS}
    assert [notice.split(".")[0] for notice in read.notices] == [
        f"'{name}' was left out" for name in ("texts", "odd", "z", "cut")
    ]
    assert "dtype=str" in read.notices[0]


@pytest.mark.parametrize(
    ("name", "texts", "got"),
    [
        ("tokens", np.array(["the", "ĉat"]), ("the", "ĉat")),
        ("str_tokens", np.array([b"the", b"\xc3\xa9"]), ("the", "é")),
        ("Words", np.array(["the", "cat"]), ("the", "cat")),
        ("notes", np.array(["the", "cat"]), ()),
        ("tokens", np.array([["the"], ["cat"]]), ()),
        ("tokens", np.array([3.0, 5.0]), ()),
    ],
)
def test_texts_that_are_called_tokens_are_the_tokens(npz, name, texts, got) -> None:
    np.savez(npz, Q=np.array(NUMBERS), **{name: texts})
    assert read_matrices(npz).tokens == got


def test_bfloat16_in_a_file_of_numpy_is_refused_with_the_way_out(npy: Path) -> None:
    # As np.save writes an array of ml_dtypes.bfloat16.
    npy.write_bytes(npy_header((2, 2), "<V2") + bytes(8))
    assert "bfloat16: save it as .astype('float32')" in refusal(npy)
