"""Results that are not computed again while they are in use."""

import gc
from weakref import ref

import numpy as np
import pytest

from attnviewer.compute.mistakes.remembering import Remembering


@pytest.fixture
def counted():
    calls = []

    def double(array):
        calls.append(array.shape)
        return 2 * array

    return Remembering(double), calls


def test_the_same_array_is_computed_once(counted):
    double, calls = counted
    array = np.arange(3.0)
    first = double(array)
    assert double(array) is first
    assert len(calls) == 1


def test_equal_numbers_in_another_array_are_computed_again(counted):
    double, calls = counted
    array = np.arange(3.0)
    first = double(array)
    np.testing.assert_array_equal(double(array.copy()), first)
    assert len(calls) == 2


def test_neither_arrays_nor_results_are_kept_alive(counted):
    double, _ = counted
    array = np.arange(3.0)
    result = double(array)
    kept = ref(array), ref(result)
    del array, result
    gc.collect()
    assert [one() for one in kept] == [None, None]


def test_an_array_that_takes_the_place_of_another_is_computed_again(counted):
    double, _ = counted
    for number in range(50):  # ids are used again
        array = np.full(1000, float(number))
        result = double(array)
        assert result[0] == 2 * number
        del array
