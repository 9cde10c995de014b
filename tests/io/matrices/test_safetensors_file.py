"""Safetensors files: read bit for bit, or refused with the reason."""

import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from attnviewer.io.matrices import read_matrices
from tests.io.matrices.files import NUMBERS, plain, refusal, safetensors

_ONE = ("F32", [1], struct.pack("<f", 1.0))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.safetensors"


def _float(kind: str, array: np.ndarray) -> tuple[str, list[int], bytes]:
    return kind, list(array.shape), array.astype(f"<f{kind[1:]}").tobytes()


_TENSORS = st.dictionaries(
    st.text(max_size=5).filter(lambda name: name != "__metadata__"),
    st.sampled_from([64, 32, 16]).flatmap(
        lambda bits: arrays.arrays(
            f"<f{bits // 8}",
            arrays.array_shapes(max_dims=4, max_side=3),
            elements=st.floats(width=bits, allow_nan=False, allow_infinity=False),
        )
    ),
    min_size=1,
    max_size=4,
)


@given(_TENSORS, st.sampled_from([1, 2**20]))
def test_floats_come_back_bit_for_bit(tmp_path_factory, tensors, limit) -> None:
    path = tmp_path_factory.mktemp("tensors") / "a.safetensors"
    parts = {
        name: (f"F{8 * array.itemsize}", list(array.shape), array.tobytes())
        for name, array in tensors.items()
    }
    path.write_bytes(safetensors(parts, __metadata__={"format": "pt"}))
    read = read_matrices(path, limit).values
    assert list(read) == list(tensors)
    for name, array in tensors.items():
        assert read[name].dtype == array.dtype
        assert read[name].shape == array.shape
        assert read[name].tobytes() == array.tobytes()


@pytest.mark.parametrize(
    ("dtype", "code", "numbers"),
    [
        ("I64", "q", [-(2**53), 7]),
        ("I32", "i", [-(2**31), 7]),
        ("I16", "h", [-(2**15), 7]),
        ("I8", "b", [-128, 7]),
        ("U64", "Q", [2**53, 7]),
        ("U32", "I", [2**32 - 1, 7]),
        ("U16", "H", [2**16 - 1, 7]),
        ("U8", "B", [255, 7]),
        ("BOOL", "?", [1, 0]),
    ],
)
def test_whole_numbers_are_read_as_they_are(path, dtype, code, numbers) -> None:
    content = struct.pack(f"<2{code}", *numbers)
    path.write_bytes(safetensors({"a": (dtype, [1, 2], content)}))
    matrices = read_matrices(path)
    assert plain(matrices) == {"a": [[float(number) for number in numbers]]}
    assert matrices.notices == []


def test_bfloat16_is_the_upper_half_of_a_float(path: Path) -> None:
    numbers = [1.0, -2.5, 0.15625, 2.0**-130, 3.0e38]
    upper = b"".join(struct.pack("<f", number)[2:] for number in numbers)
    path.write_bytes(safetensors({"W": ("BF16", [5], upper)}))
    want = [
        struct.unpack("<f", b"\0\0" + upper[k : k + 2])[0]
        for k in range(0, len(upper), 2)
    ]
    assert want[:3] == numbers[:3]
    assert plain(read_matrices(path)) == {"W": want}


def test_a_tensor_may_begin_at_any_byte(path: Path) -> None:
    parts = {"a": ("U8", [1], b"\7"), "b": _float("F8", np.array(NUMBERS))}
    parts["b"] = ("F64", *parts["b"][1:])
    path.write_bytes(safetensors(parts))
    assert plain(read_matrices(path)) == {"a": [7.0], "b": NUMBERS}


def test_what_cannot_be_used_is_left_out_with_its_reason(path: Path) -> None:
    step = ("I64", [], struct.pack("<q", 3))
    path.write_bytes(safetensors({"step": step, "W": _ONE}))
    matrices = read_matrices(path)
    assert plain(matrices) == {"W": [1.0]}
    told = "The array must have 1 to 5 dimensions. Got 0 instead."
    assert matrices.notices == [f"'step' was left out. {told}"]
    path.write_bytes(safetensors({"step": step}))
    assert refusal(path) == f"step: {told}"


def test_a_type_that_is_not_read_keeps_no_other_tensor_from_it(path: Path) -> None:
    path.write_bytes(safetensors({"a": ("F8_E4M3", [1], b"\1"), "W": _ONE}))
    matrices = read_matrices(path)
    assert plain(matrices) == {"W": [1.0]}
    told = (
        "The type must be one of F64, F32, F16, BF16, I64, I32, I16, I8, BOOL, U64, "
        "U32, U16, U8. Got F8_E4M3."
    )
    assert matrices.notices == [f"'a' was left out. {told}"]


def test_converted_tensors_may_not_take_more_than_the_limit(path: Path) -> None:
    big = ("U8", [1000, 200], bytes(200_000))
    path.write_bytes(safetensors({"big": big, "W": _ONE}))
    matrices = read_matrices(path, 10**6)
    assert list(matrices.values) == ["W"]
    told = "It takes 1,600,000 bytes as floats; 1,000,000 more may be read."
    assert matrices.notices == [f"'big' was left out. {told}"]


def test_bfloat16_counts_as_the_single_precision_that_it_becomes(path: Path) -> None:
    path.write_bytes(safetensors({"W": ("BF16", [100, 10], bytes(2000))}))
    assert read_matrices(path, 4000).values["W"].nbytes == 4000
    told = "W: It takes 4,000 bytes as floats; 3,999 more may be read."
    assert refusal(path, 3999) == told


def _described(header: bytes, data: bytes = b"") -> bytes:
    return len(header).to_bytes(8, "little") + header + data


_A = b'"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
_CANNOT = "The description of its tensors cannot be read."


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "The file is empty."),
        (b"abc", "It is no safetensors file, or was cut short."),
        (bytes(8), f"{_CANNOT} It is not JSON: the text breaks off."),
        (
            safetensors({"a": _ONE})[:-1],
            "The tensors have 4 bytes, and the file 3 for them.",
        ),
        (
            safetensors({"a": _ONE}) + bytes(96),
            "The tensors have 4 bytes, and the file 100 for them.",
        ),
        (safetensors({"a": _ONE})[:20], "It is no safetensors file, or was cut short."),
        (safetensors({}), "There are no arrays in it."),
        (
            safetensors({"a": ("F32", [2**40, 2**40], bytes(8))}),
            "a: A tensor of the shape (1099511627776, 1099511627776) in F32 must take "
            "the 4,835,703,278,458,516,698,824,704 bytes from 0 on. "
            "Got 0 to 8 instead.",
        ),
        (
            safetensors({"a": ("F8_E4M3", [1], bytes(1))}),
            "a: The type must be one of F64, F32, F16, BF16, I64, I32, I16, I8, BOOL, "
            "U64, U32, U16, U8. Got F8_E4M3.",
        ),
        (
            safetensors({"a": ("F32", [-1], bytes(4))}),
            f"$.shape[0]: {_CANNOT} Expected a whole number >= 0.",
        ),
        (
            safetensors({"a": ("F32", [1] * 33, bytes(4))}),
            f"$.shape: {_CANNOT} Expected a list of length <= 32.",
        ),
        (
            _described(b"{" + _A + b"," + _A + b"}", bytes(4)),
            f"{_CANNOT} Two entries have the name 'a'.",
        ),
        (
            _described(b"{" + _A + b"," + _A.replace(b"a", b"b", 1) + b"}", bytes(4)),
            "b: A tensor of the shape (1,) in F32 must take the 4 bytes from 4 on. "
            "Got 0 to 4 instead.",
        ),
        (_described(b"{" + b"[" * 10**6), f"{_CANNOT} It is not JSON"),
        (_described(b'{"a":' + b"[" * 10**6), f"{_CANNOT} Its lists are nested"),
        (_described(b'{"a":{}}'), f"{_CANNOT} Object missing required field 'dtype'."),
        (_described(b'{"\xff":{}}'), f"{_CANNOT} It is not text in UTF-8."),
        (
            _described(b"{" + b'"":{},' * (2**18 + 1)),
            f"{_CANNOT} It has more than 262,144 tensors.",
        ),
        (
            safetensors({"a": ("F32", [1], struct.pack("<f", float("nan")))}),
            "a: It must hold finite numbers. It has NaN or ∞ at [0].",
        ),
    ],
)
def test_what_is_no_such_file_is_refused(path: Path, content: bytes, told) -> None:
    path.write_bytes(content)
    assert told in refusal(path, 2**24)
