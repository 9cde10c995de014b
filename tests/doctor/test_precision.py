"""The precision of arrays is recognised from their numbers."""

import numpy as np
import pytest

from attnviewer.compute.mistakes.mistake import Range
from attnviewer.compute.mistakes.rounding import bfloat16
from attnviewer.doctor.agreement import worst
from attnviewer.doctor.fitting import fit, rounded
from attnviewer.doctor.precision import (
    BFLOAT16,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    precision_of,
)

NUMBERS = np.random.default_rng(0).normal(size=(6, 7))


@pytest.mark.parametrize(
    ("array", "name"),
    [
        (NUMBERS, "float64"),
        (NUMBERS.astype(np.float32), "float32"),
        (NUMBERS.astype(np.float32).astype(np.float64), "float32"),
        (NUMBERS.astype(np.float16), "float16"),
        (NUMBERS.astype(np.float16).astype(np.float32), "float16"),
        (bfloat16(NUMBERS), "bfloat16"),
        (np.where(NUMBERS > 1, -np.inf, bfloat16(NUMBERS)), "bfloat16"),
        (np.arange(12.0), "float64"),
        (np.arange(12, dtype=np.float32), "float32"),
    ],
)
def test_the_type_with_the_fewest_bits_is_recognised(array, name):
    assert precision_of(array).name == name


def test_cutting_off_loses_less_than_the_distance_to_the_next_number():
    # bfloat16 is the upper half of float32: 0x3F80 is 1, 0x3F81 the next number.
    bits = np.array([0x3F80, 0x3F81], dtype=np.uint32) << np.uint32(16)
    one, following = bits.view(np.float32)
    assert BFLOAT16.roundoff == following - one
    for precision in (FLOAT16, FLOAT32, FLOAT64):
        assert precision.roundoff == np.spacing(np.ones((), precision.name))


def test_bfloat16_rounds_to_the_nearest_and_ties_to_even():
    # By hand: neighbours are 2⁻⁷ apart, and 1 + 2⁻⁸ lies halfway between two of them.
    numbers = np.array([1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-16, np.inf])
    assert bfloat16(numbers).tolist() == [1.0, 1 + 2**-6, 1 + 2**-7, np.inf]


def test_infinite_numbers_and_nan_have_to_be_the_same():
    limits = np.full(2, 1e-3)
    assert worst(np.array([np.inf, 1]), np.array([np.inf, 1]), limits) == 0
    assert worst(np.array([np.nan, 1]), np.array([np.nan, 1]), limits) == 0
    assert worst(np.array([np.inf, 1]), np.array([-np.inf, 1]), limits) == np.inf
    assert worst(np.array([np.nan, 1]), np.array([0.0, 1]), limits) == np.inf
    assert worst(np.array([0.0, 1]), np.array([0.0, 1.002]), limits) == pytest.approx(2)
    assert worst(np.zeros(3), np.zeros(2), np.zeros(2)) == np.inf


@pytest.mark.parametrize("wanted", [0.013, 0.7, 2.0, 41.5])
def test_a_parameter_is_found_to_full_precision(wanted):
    at = np.linspace(0, 1, 9)
    found = fit(
        lambda p: np.log1p(p * at) - np.log1p(wanted * at), Range(1e-3, 1e3, True)
    )
    assert found == pytest.approx(wanted, rel=1e-12)


def test_a_fitted_parameter_is_tried_with_few_digits_first():
    assert rounded(0.7000000000001) == [0.7, 0.7000000000001]
    assert rounded(123456.7)[-1] == 123456.7
