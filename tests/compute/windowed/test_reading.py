"""A matrix that is read strip by strip has the overview of one read at once."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from attnviewer.compute import (
    IncrementalEngine,
    InMemory,
    Overview,
    Pooling,
    Spec,
    StepHead,
)
from attnviewer.compute.windowed import overview as overview_module


def unread(matrix: InMemory, height: int, width: int) -> Overview:
    return Overview(matrix, (height, width), read=False)


def turns_of(reading: Iterator[None]) -> int:
    return 1 + sum(1 for _ in reading)


@pytest.mark.parametrize("keep", ["extreme", "mean"])
@pytest.mark.parametrize(("at_once", "turns"), [(2**18, 1), (40, 5), (1, 5)])
def test_it_equals_the_overview(
    monkeypatch, at_once: int, turns: int, keep: Pooling
) -> None:
    monkeypatch.setattr(overview_module, "AT_ONCE", at_once)
    values = np.random.default_rng(0).normal(size=(13, 20))
    values[3, 4], values[7, 7], values[8, 8] = math.nan, math.inf, -math.inf
    hidden = np.zeros(values.shape, dtype=bool)
    hidden[9:, 12:] = True
    matrix = InMemory(values, hidden)
    strips = unread(matrix, 5, 7)
    assert turns_of(strips.reading(keep)) == turns
    found = strips.pooled((1, 1), keep=keep)
    whole = Overview(matrix).fitted(5, 7, keep)
    np.testing.assert_allclose(found.values, whole.values, rtol=1e-12)
    np.testing.assert_array_equal(found.hidden, whole.hidden)
    assert (found.rows, found.columns) == (whole.rows, whole.columns)
    assert found.block == whole.block == (3, 3)


def test_a_lone_hot_cell_of_a_large_matrix_stays() -> None:
    values = np.zeros((1000, 1000))
    values[777, 333] = 1.0
    strips = unread(InMemory(values), 50, 50)
    assert turns_of(strips.reading()) == 4
    found = strips.fitted(50, 50)
    assert found.hidden is None
    assert np.argwhere(found.values == 1.0).tolist() == [[777 // 20, 333 // 20]]


def test_a_small_matrix_is_itself() -> None:
    values = np.array([[1.0, -2.0], [0.0, math.nan]])
    strips = unread(InMemory(values), 9, 9)
    assert turns_of(strips.reading()) == 1
    found = strips.fitted(9, 9)
    np.testing.assert_array_equal(found.values, values)
    assert found.block == (1, 1)


def test_the_mean_of_a_block_is_that_of_its_cells() -> None:
    values = np.array([[1.0, 3.0, 5.0, 7.0], [2.0, 2.0, 0.0, 0.0]])
    strips = unread(InMemory(values), 1, 2)
    assert turns_of(strips.reading("mean")) == 1
    assert strips.fitted(1, 2, "mean").values.tolist() == [[2.0, 3.0]]


def test_the_same_head_of_the_same_steps_is_told_from_others() -> None:
    engine = IncrementalEngine(Spec(projected=False), {"X": np.eye(2)})
    trace = engine.trace()
    head = StepHead(trace, "scores")
    assert head == StepHead(engine.trace(), "scores")
    assert head != StepHead(trace, "weights")
    engine.edit("X", (slice(0, 1), slice(0, 1)))
    assert head != StepHead(engine.trace(), "scores")
