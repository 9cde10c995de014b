"""What PyTorch, ONNX, transformers and entmax computed, computed here."""

from collections import Counter

import numpy as np
import pytest

from .adapter import run
from .cases import CASES, FOLDER, Case

_REQUIRED = [case for case in CASES if "policy" not in case.tags]
_FOR_INFORMATION = [case for case in CASES if "policy" in case.tags]


def test_no_case_is_lost() -> None:
    known = {
        "masks": 8,
        "normalizers": 26,
        "onnx_attention": 39,
        "onnx_rotary": 2,
        "positions": 15,
        "scores": 6,
        "softcap": 2,
        "torch_grad": 5,
        "torch_mha": 12,
        "torch_sdpa": 22,
    }
    found = Counter(case.id.partition("/")[0] for case in CASES)
    assert found >= Counter(known)
    assert len(list(FOLDER.glob("*/*.npz"))) == len(CASES)
    assert len(_FOR_INFORMATION) == 1


@pytest.mark.parametrize("case", _REQUIRED, ids=lambda case: case.id)
def test_the_outputs_are_the_recorded_ones(case: Case) -> None:
    got = run(case)
    assert case.outputs
    for name, want in case.outputs.items():
        _assert_close(np.asarray(got[name]), want, *case.tolerance(name), name)


@pytest.mark.parametrize("case", _FOR_INFORMATION, ids=lambda case: case.id)
def test_scores_beyond_all_numbers_are_computed_without_a_warning(case: Case) -> None:
    got = run(case)
    for name, want in case.outputs.items():
        assert got[name].shape == want.shape


def _assert_close(
    got: np.ndarray, want: np.ndarray, rtol: float, atol: float, name: str
) -> None:
    assert got.shape == want.shape, name
    if want.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, err_msg=name)
        assert got.dtype == want.dtype
        return
    np.testing.assert_allclose(
        got.astype(np.float64),
        want.astype(np.float64),
        rtol=rtol,
        atol=atol,
        equal_nan=True,
        err_msg=name,
    )
