"""Programs and workbooks of rules that look for the largest of another term."""

import math
from itertools import product

import numpy as np
import pytest

from attnviewer.compute import NORMALIZERS, Expression, Normalizer, Spec, run
from attnviewer.compute.expression import Maximum, Number
from attnviewer.compute.functions import Absolute, Exponential
from attnviewer.compute.rules import (
    SCORE,
    IsAt,
    Named,
    RowMaximum,
    RowSum,
    RowWinner,
    Threshold,
)
from attnviewer.document import Labels
from attnviewer.io.export import Choice, Computation, export
from tests.io.export.running import run_alone
from tests.io.export.spreadsheet import Spreadsheet, check_kept_values

# Of a masked key, whose score is −∞, it is the largest.
SIZE = Named("size", Absolute(SCORE))
LARGEST = Named("largest", RowMaximum(SIZE))
BELOW = Named("below", SIZE - LARGEST)
# Of a masked key it is 0, and of all others less.
FALLING = Named("falling", -Exponential(SCORE))
RULES = {
    "the largest size": IsAt(Named("winner", RowWinner(SIZE))),
    "the least exponential": IsAt(Named("winner", RowWinner(FALLING))),
    "sizes over the largest": SIZE / LARGEST,
    "exponentials below the least": FALLING - Named("least", RowMaximum(FALLING)),
    "sizes above a threshold": Maximum(
        Number(0.0), BELOW - Named("tau", Threshold(BELOW, 1))
    ),
    "the least of all": Named("share", FALLING / Named("total", RowSum(FALLING)))
    * IsAt(Named("winner", RowWinner(FALLING))),
}
S = np.array([[1.0, -2.0, 0.5], [-1.0, 0.5, -0.25], [2.0, 1.0, 0.0], [1.0, 4.0, -5.0]])
MASK = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]], bool)


def by_hand(name: str, scores: list[float]) -> list[float]:
    """Return the weights of the keys that are seen."""
    sizes = list(map(abs, scores))
    raised = list(map(math.exp, scores))
    if name == "the largest size":
        return [float(key == sizes.index(max(sizes))) for key in range(len(scores))]
    least = [float(key == raised.index(min(raised))) for key in range(len(scores))]
    if name == "the least exponential":
        return least
    if name == "sizes over the largest":
        return [size / max(sizes) for size in sizes]
    if name == "exponentials below the least":
        return [min(raised) - number for number in raised]
    if name == "the least of all":
        share = min(raised) / sum(raised)
        return [share * one for one in least]
    low, high = max(sizes) - 1, max(sizes)
    for _ in range(100):  # until what lies above adds up to 1
        middle = (low + high) / 2
        above = sum(max(0.0, size - middle) for size in sizes)
        low, high = (middle, high) if above > 1 else (low, middle)
    return [max(0.0, size - low) for size in sizes]


TEMPERATURES = (1.0, 0.5)


def comparing(name_of_rule: str) -> type[Normalizer]:
    class Comparing(Normalizer):
        name = name_of_rule
        title = sentence = "comparing"
        convex = False

        @property
        def rule(self) -> Expression:
            return RULES[self.name]

    return Comparing


@pytest.fixture(scope="module", autouse=True)
def registered():
    """Register the normalisers that compare."""
    with pytest.MonkeyPatch.context() as patch:
        for name in RULES:
            patch.setitem(NORMALIZERS, name, comparing(name))
        yield


@pytest.fixture(params=RULES)
def rule(request) -> str:
    return request.param


@pytest.fixture(params=TEMPERATURES)
def temperature(request) -> float:
    return request.param


@pytest.fixture
def computation(rule, temperature) -> Computation:
    return computed(rule, temperature)


def computed(rule: str, temperature: float) -> Computation:
    spec = Spec(
        **{"projected": False, "given": True, "score": "given", "mask": True},
        scale=1.0,
        normalizer=rule,
        temperature=temperature,
    )
    trace = run(spec, {"S": S, "V": np.eye(3), "mask": MASK})
    return Computation("Comparing", Labels(tuple("pqrs"), tuple("abc")), trace)


@pytest.fixture
def want(rule, temperature) -> np.ndarray:
    weights = np.zeros(S.shape)
    for row, scores, seen in zip(weights, S, MASK, strict=True):
        if seen.any():
            row[seen] = by_hand(rule, (scores[seen] / temperature).tolist())
    return weights


def test_the_weights_are_those_of_the_keys_that_are_seen(computation, want) -> None:
    np.testing.assert_allclose(computation.trace["weights"], want, atol=1e-14)


@pytest.fixture(scope="module")
def results(registered, tmp_path_factory):
    """What the programs of all computations said, run by one Python."""
    cases = list(product(RULES, TEMPERATURES))
    paths = [
        path
        for case in cases
        for path in export(computed(*case), tmp_path_factory.mktemp("program"), "py")
    ]
    return dict(zip(cases, run_alone(paths), strict=True))


def test_a_program_leaves_masked_keys_out(rule, temperature, results) -> None:
    error, said = results[rule, temperature]
    assert error is None, said


def test_a_workbook_leaves_masked_keys_out(computation, want, tmp_path) -> None:
    (path,) = export(computation, tmp_path, "xlsx", Choice(formulas=True))
    sheets = Spreadsheet(path)
    np.testing.assert_allclose(sheets.matrix("weights"), want, atol=1e-14)
    check_kept_values(path)
