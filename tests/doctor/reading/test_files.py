"""Cases are read from files of arrays, with NaN where an implementation made it."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from attnviewer.doctor.reading import holds_case, read_case_file
from attnviewer.io import FileError
from tests.doctor.reading.layer import inputs, one, steps
from tests.io.damaged_archives import DAMAGED

GIVEN = inputs()
RIGHT = one(steps(GIVEN, causal=True))
MINE = {f"mine_{n}": RIGHT[n] for n in ("masked", "weights", "output")}
OPTIONS = "heads=2,causal=true"


def test_an_npz_file_holds_a_case(tmp_path) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN, **MINE)
    case = read_case_file(path, OPTIONS)
    assert list(case.mine) == ["masked", "weights", "output"]
    np.testing.assert_array_equal(case.mine["masked"], RIGHT["masked"])
    assert case.notes == ()


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_file_that_cannot_be_read_holds_no_case(tmp_path, kind) -> None:
    path = tmp_path / "case.npz"
    path.write_bytes(DAMAGED[kind])
    assert not holds_case(path)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_file_keeps_the_precision(tmp_path, dtype) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN, mine_output=RIGHT["output"].astype(dtype))
    case = read_case_file(path, OPTIONS)
    assert case.mine["output"].dtype == dtype
    assert case.precision.name == dtype


def test_nan_of_an_implementation_is_kept(tmp_path) -> None:
    path = tmp_path / "case.npz"
    wrong = RIGHT["weights"].copy()
    wrong[0, 0] = np.nan
    wrong[1, 2, 3] = np.inf
    np.savez(path, **GIVEN, mine_weights=wrong)
    case = read_case_file(path, OPTIONS)
    np.testing.assert_array_equal(case.mine["weights"], wrong)


def test_nan_of_the_inputs_is_refused(tmp_path) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN | {"X": np.full((5, 12), np.nan)}, **MINE)
    with pytest.raises(FileError, match="must hold finite numbers"):
        read_case_file(path, OPTIONS)


def test_a_safetensors_file_holds_a_case(tmp_path) -> None:
    path = tmp_path / "case.safetensors"
    wrong = RIGHT["output"].astype(np.float16)
    wrong[0, 0] = np.nan
    save_file(
        {n: np.ascontiguousarray(a) for n, a in GIVEN.items()} | {"mine_output": wrong},
        path,
    )
    case = read_case_file(path, OPTIONS)
    np.testing.assert_array_equal(case.mine["output"], wrong)
    assert case.mine["output"].dtype == np.float16


def test_a_json_file_holds_a_case(tmp_path) -> None:
    path = tmp_path / "case.json"
    arrays = GIVEN | {"mine_weights": RIGHT["weights"]}
    path.write_text(json.dumps({n: a.tolist() for n, a in arrays.items()}))
    case = read_case_file(path, OPTIONS)
    np.testing.assert_array_equal(case.mine["weights"], RIGHT["weights"])


def test_a_file_without_an_implementation_is_refused(tmp_path) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN)
    with pytest.raises(FileError, match="must hold arrays named mine_STEP"):
        read_case_file(path, OPTIONS)


def test_what_is_wrong_is_told_with_the_file(tmp_path) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN, mine_weights=np.ones((2, 9, 9)))
    with pytest.raises(FileError, match="another run") as caught:
        read_case_file(path, OPTIONS)
    assert caught.value.path == path


def test_a_file_cannot_run_code(tmp_path) -> None:
    path = tmp_path / "case.npz"
    np.savez(path, **GIVEN, mine_output=np.array([print], dtype=object))
    with pytest.raises(FileError):
        read_case_file(path, OPTIONS)


def test_bits_without_a_type_are_told_of(tmp_path) -> None:
    """NumPy's files forget that an array is of bfloat16."""
    path = tmp_path / "case.npz"
    bits = RIGHT["output"].astype(np.float32).view("V2")[:, 1::2].copy()
    np.savez(path, **GIVEN, mine_output=bits)
    with pytest.raises(FileError, match=r"save it as .astype\('float32'\)"):
        read_case_file(path, OPTIONS)
    np.savez(path, **GIVEN, mine_output=bits, mine_weights=RIGHT["weights"])
    case = read_case_file(path, OPTIONS)
    assert list(case.mine) == ["weights"]
    assert "'mine_output' was left out." in case.notes[0]
