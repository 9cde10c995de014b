"""Every task, every optimiser and every variant, against runs of PyTorch."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.cases import CASES, STEPS
from tests.training.documents import training_of

FILE = Path(__file__).resolve().parents[1] / "data" / "training" / "torch.npz"


@pytest.mark.parametrize("name", CASES)
def test_three_hundred_steps_are_those_of_torch(name: str) -> None:
    case = CASES[name]
    training = training_of(case)
    losses = [step.loss for step in training]
    assert len(losses) == STEPS
    with np.load(FILE) as recorded:
        expected = {key: recorded[f"{name}.{key}"] for key in ("loss", *case.free)}
    np.testing.assert_allclose(losses[::13], expected.pop("loss"), rtol=1e-9)
    after = training.matrices(STEPS)
    for matrix, numbers in expected.items():
        least = 1e-9 * np.abs(numbers[np.isfinite(numbers)]).max()
        np.testing.assert_allclose(after[matrix], numbers, 1e-9, least, err_msg=matrix)
