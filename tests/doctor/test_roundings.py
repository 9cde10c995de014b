"""Random rounding errors, and how far they move the numbers of a computation."""

import numpy as np
import pytest

from attnviewer.doctor import roundings
from attnviewer.doctor.precision import FLOAT32
from attnviewer.doctor.reading import read_case
from tests.doctor.planted_cases import planted, shapes

STEPS = "scores", "weights", "output"


def deviations_of(samples=64):
    shape = shapes.Shape(causal=True)
    given = shapes.inputs_of(shape, np.random.default_rng(7))
    case = read_case(given, planted.attend(shape, given, []), **shape.options())
    found = roundings.Roundings(FLOAT32).deviations(case.right, STEPS, samples)
    return {name: array[np.isfinite(case.right[name])] for name, array in found.items()}


@pytest.mark.parametrize("drawn", [7, 31])
def test_numbers_that_take_turns_with_errors_move_as_far_as_with_their_own(
    monkeypatch, drawn
):
    own = deviations_of()
    monkeypatch.setattr(roundings, "DRAWN", drawn)
    in_turn = deviations_of()
    for name in STEPS:
        assert (in_turn[name] > 0).any()
        assert np.abs(np.log(in_turn[name].sum() / own[name].sum())) < np.log(1.25)


def test_the_errors_that_are_drawn_are_a_prime_number():
    assert all(roundings.DRAWN % divisor for divisor in range(2, 257))
