"""Scores that are a sum over columns, with terms of one's own."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from attnviewer.compute.arrays import Part
from attnviewer.compute.expression import Cell, numbers
from attnviewer.compute.functions import Absolute, Exponential
from attnviewer.compute.notation import plain_text, write
from attnviewer.compute.rules import KEY, QUERY, Entry, Named
from attnviewer.compute.stages.column_sum import ColumnSum

_GAP = Named("gap", QUERY - KEY)
_DISTANCE = ColumnSum("Q", "K", -(_GAP**2))
_BUMP = ColumnSum("Q", "K", Entry("w") * Exponential(-Absolute(_GAP)), ("w",))


def _distance(query: float, key: float) -> float:
    return -((query - key) ** 2)


def _bump(query: float, key: float, weight: float) -> float:
    return weight * math.exp(-abs(query - key))


_EVERY = {"without a weight": (_DISTANCE, _distance), "with one": (_BUMP, _bump)}
_each = pytest.mark.parametrize(("stage", "term"), _EVERY.values(), ids=_EVERY)
_shapes = pytest.mark.parametrize(
    ("queries", "keys"),
    [((3, 2), (4, 2)), ((2, 3, 2), (2, 4, 2)), ((4, 3, 2), (2, 4, 2))],
    ids=["no heads", "heads", "grouped heads"],
)


def _inputs(stage: ColumnSum, queries, keys) -> list[np.ndarray]:
    random = np.random.default_rng(7)
    arrays = [random.normal(size=queries), random.normal(size=keys)]
    return arrays + [random.normal(size=(1, 2)) for _ in stage.weights]


def _by_loops(term, queries, keys, *weights) -> np.ndarray:
    """Return the scores, number by number in plain Python."""
    *lead, n_q, d = queries.shape
    scores = np.empty((*lead, n_q, keys.shape[-2]))
    group = queries.shape[0] // keys.shape[0] if lead else 1
    for index in np.ndindex(scores.shape):
        *heads, i, j = index
        query = queries[(*heads, i)]
        key = keys[(*(head // group for head in heads), j)]
        scores[index] = math.fsum(
            term(query[c], key[c], *(weight.reshape(-1)[c] for weight in weights))
            for c in range(d)
        )
    return scores


@_each
@_shapes
def test_scores_are_those_of_a_loop_over_columns(stage, term, queries, keys) -> None:
    inputs = _inputs(stage, queries, keys)
    got = stage.forward(Part(), *inputs)
    np.testing.assert_allclose(got, _by_loops(term, *inputs), rtol=1e-14)


@_each
@_shapes
def test_a_window_is_that_part_of_the_scores(stage, term, queries, keys) -> None:
    inputs = _inputs(stage, queries, keys)
    whole = stage.forward(Part(), *inputs)
    lead = (1,) if len(queries) > 2 else ()
    for rows, columns in [
        (slice(1, 3), slice(0, 2)),
        (np.array([2, 0]), slice(None)),
        (slice(None), np.array([3, 1])),
    ]:
        part = Part(lead, rows, columns)
        got = stage.forward(part, *inputs)
        np.testing.assert_array_equal(got, part.of(whole))
        out = np.full_like(got, np.nan)
        assert stage.forward(part, *inputs, out=out) is out
        np.testing.assert_array_equal(out, got)


@_each
@_shapes
def test_gradients_are_those_of_finite_differences(stage, term, queries, keys) -> None:
    inputs = _inputs(stage, queries, keys)
    scores = stage.forward(Part(), *inputs)
    factors = np.random.default_rng(8).normal(size=scores.shape)
    gradients = stage.backward(inputs, scores, factors)
    step = 1e-6
    for array, gradient in zip(inputs, gradients, strict=True):
        assert gradient.shape == array.shape
        for place in np.ndindex(array.shape):
            value, sides = array[place], []
            for moved in (value + step, value - step):
                array[place] = moved
                sides.append((factors * _by_loops(term, *inputs)).sum())
            array[place] = value
            want = (sides[0] - sides[1]) / (2 * step)
            assert gradient[place] == pytest.approx(want, rel=1e-6, abs=1e-8)


def _steps(stage: ColumnSum, inputs) -> SimpleNamespace:
    arrays = dict(zip(stage.inputs, inputs, strict=True))
    arrays["scores"] = stage.forward(Part(), *inputs)
    return SimpleNamespace(
        shape=lambda step: arrays[step].shape,
        value=lambda cell: float(arrays[cell.step][cell.index]),
        row=lambda step, index: arrays[step][index],
    )


@_each
@_shapes
@pytest.mark.parametrize("limit", [1, 8])
def test_an_explanation_comes_to_the_number_in_its_cell(
    stage, term, queries, keys, limit
) -> None:
    inputs = _inputs(stage, queries, keys)
    steps = _steps(stage, inputs)
    for index in np.ndindex(steps.shape("scores")):
        told = stage.explain(steps, index, limit)
        assert told.value == steps.value(Cell("scores", index))
        assert len(told.steps) == 2
        for written in told.steps:
            assert written.evaluate() == pytest.approx(told.value, rel=1e-13)
            for number in numbers(written):
                assert number.cell is None or number.value == steps.value(number.cell)


def test_an_explanation_names_the_cells_of_the_head_that_is_shared() -> None:
    inputs = _inputs(_BUMP, (4, 3, 2), (2, 4, 2))
    told = _BUMP.explain(_steps(_BUMP, inputs), (3, 2, 1), 1)
    assert {cell.step: cell.index[:-1] for cell in told.cells} == {
        "Q": (3, 2),
        "K": (1, 1),
        "w": (0,),
    }


def test_a_cell_is_written_with_its_numbers_and_then_with_its_parts() -> None:
    inputs = [np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])]
    told = _DISTANCE.explain(_steps(_DISTANCE, inputs), (0, 0), 8)
    assert told.symbols == "Σₖ (−(Qᵢₖ − Kⱼₖ)²)"
    assert [plain_text(write(step)) for step in told.steps] == [
        "(−(1 − 3)²) + (−(2 − (−1))²)",
        "(−(−2)²) + (−3²)",
    ]


def test_the_formula_names_steps_and_weights() -> None:
    assert _BUMP.formula == "Σ w · e^(−|Q − K|)"
    assert _BUMP.operation == "Σ w · e^(−|q − k|)"
    assert _BUMP.inputs == ("Q", "K", "w")


def test_numbers_in_a_term_leave_single_precision_as_it_is() -> None:
    rng = np.random.default_rng(5)
    q = rng.normal(size=(40, 1)).astype(np.float32)
    k = rng.normal(size=(30, 1)).astype(np.float32)
    stage = ColumnSum("Q", "K", 0.1 * (QUERY - KEY) ** 2)
    scores = stage.forward(Part(), q, k)
    apart = q - k.T  # (40, 30)
    assert scores.dtype == np.float32
    np.testing.assert_array_equal(scores, np.float32(0.1) * apart**2)
    on_q, on_k = stage.backward([q, k], scores, np.ones_like(scores))
    slopes = np.float32(0.1) * (2 * apart)  # (40, 30)
    np.testing.assert_array_equal(on_q[:, 0], slopes.sum(axis=1))
    np.testing.assert_array_equal(on_k[:, 0], -slopes.sum(axis=0))
