"""The phases of every normaliser, on a row that is worked by hand."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

from attnviewer.compute import Spec, run
from attnviewer.compute.normalizers.by_name import NORMALIZERS
from attnviewer.compute.walk import QueryWalk

RECIPE = Path(__file__).parents[2] / "architecture" / "recipes" / "softplus.py"

# The scores 1.5, 2 and −1, and a masked key.
ROW = [1.5, 2.0, -1.0, -math.inf]
RAISED = [math.exp(-0.5), 1.0, math.exp(-3.0), 0.0]
TOTAL = sum(RAISED)
BESIDE = TOTAL + math.exp(-2.0)
# t² + (t − 1/4)² = 1 with t = −τ, as z is −1/4, 0 and −3/2.
TAU = -(0.5 + math.sqrt(7.75)) / 4
SOFT = [math.log(1 + math.exp(score)) for score in ROW[:3]] + [0.0]

PHASES = {
    "softmax": {
        "maximum": [2.0],
        "exponentials": RAISED,
        "sum": [TOTAL],
        "weights": [number / TOTAL for number in RAISED],
    },
    "softmax1": {
        "maximum": [2.0],
        "exponentials": RAISED,
        "sum": [BESIDE],
        "weights": [number / BESIDE for number in RAISED],
    },
    "sum": {"sum": [2.5], "weights": [0.6, 0.8, -0.4, 0.0]},
    "sparsemax": {
        "maximum": [2.0],
        "terms": [-0.5, 0.0, -3.0, -math.inf],
        "threshold": [-0.75],  # (0 − 1/2 − 1) / 2
        "weights": [0.25, 0.75, 0.0, 0.0],
    },
    "entmax15": {
        "maximum": [2.0],
        "terms": [-0.25, 0.0, -1.5, -math.inf],
        "threshold": [TAU],
        "weights": [(-0.25 - TAU) ** 2, TAU**2, 0.0, 0.0],
    },
    "hardmax": {"winner": [1.0], "weights": [0.0, 1.0, 0.0, 0.0]},
    "sigmoid": {"weights": [1 / (1 + 4 * math.exp(-score)) for score in ROW]},
    "none": {"weights": [1.5, 2.0, -1.0, 0.0]},
    "softplus": {
        "terms": SOFT,
        "sum": [sum(SOFT)],
        "weights": [number / sum(SOFT) for number in SOFT],
    },
}
LINES = {
    "softmax": [
        "m = max(masked)",
        "e[j] = exp(masked[j] − m)",
        "total = Σⱼ e[j]",
        "weights[j] = e[j] / total",
    ],
    "softmax1": [
        "m = max(0, max(masked))",
        "e[j] = exp(masked[j] − m)",
        "total = exp(0 − m) + Σⱼ e[j]",
        "weights[j] = e[j] / total",
    ],
    "sum": ["total = Σⱼ masked[j]", "weights[j] = masked[j] / total"],
    "sparsemax": [
        "m = max(masked)",
        "z[j] = masked[j] − m",
        "τ such that Σⱼ max(0, z[j] − τ) = 1",
        "weights[j] = max(0, z[j] − τ)",
    ],
    "entmax15": [
        "m = max(masked)",
        "z[j] = (masked[j] − m) / 2",
        "τ such that Σⱼ max(0, z[j] − τ)² = 1",
        "weights[j] = max(0, z[j] − τ)²",
    ],
    "hardmax": ["winner = argmax(masked)", "weights[j] = 1 if j = winner, else 0"],
    "softplus": [
        "softplus[j] = max(0, masked[j]) + log(1 + exp(−|masked[j]|))",
        "total = Σⱼ softplus[j]",
        "weights[j] = softplus[j] / total",
    ],
}


@pytest.fixture(autouse=True)
def _with_the_recipe(monkeypatch):
    spec = importlib.util.spec_from_file_location("softplus", RECIPE)
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    monkeypatch.setitem(NORMALIZERS, "softplus", recipe.Softplus)


def walk_of(normalizer, row=ROW, **options):
    scores = np.array([row])
    masked = np.isneginf(scores)
    inputs = {"S": np.where(masked, 0, scores), "V": np.eye(len(row)), "mask": ~masked}
    options_of_all = {"given": True, "projected": False, "score": "given", "scale": 1.0}
    spec = Spec(**options_of_all, mask=True, normalizer=normalizer)
    return QueryWalk(run(spec, inputs), 0, **options)


def phases_of(walk):
    return [phase for phase in walk.phases if phase.kind not in ("step", "mix")]


def moves_of(walk, phase):
    return [walk.move(phase.start + place) for place in range(phase.moves)]


def test_every_normaliser_is_worked_by_hand():
    assert set(PHASES) == set(NORMALIZERS)


@pytest.mark.parametrize("normalizer", PHASES)
def test_the_phases_have_the_numbers_worked_by_hand(normalizer):
    walk = walk_of(normalizer)
    phases = phases_of(walk)
    assert [phase.kind for phase in phases] == list(PHASES[normalizer])
    for phase in phases:
        moves = moves_of(walk, phase)
        want = PHASES[normalizer][phase.kind]
        np.testing.assert_allclose([m.loop[-1] for m in moves], want, rtol=1e-14)
        np.testing.assert_allclose(moves[-1].matrix, want, rtol=1e-14)
        for move in moves:
            for step in move.steps:
                assert step.evaluate() == pytest.approx(move.loop[-1], rel=1e-13)


@pytest.mark.parametrize("normalizer", LINES)
def test_the_phases_are_the_lines_of_a_program(normalizer):
    walk = walk_of(normalizer)
    assert list(map(walk.loop_line, phases_of(walk))) == LINES[normalizer]


def test_each_number_is_written_with_those_before_it():
    walk = walk_of("sparsemax")
    maximum, terms, _, weights = (moves_of(walk, phase) for phase in phases_of(walk))
    (step,) = terms[0].steps
    assert [part.evaluate() for part in step.parts] == [1.5, maximum[0].loop[0]]
    (step,) = weights[1].steps
    below = step.parts[1]
    assert [part.evaluate() for part in below.parts] == [0.0, -0.75]


def test_a_weight_that_the_rule_alone_does_not_decide_says_why():
    cancelled = walk_of("sum", [3.0, -3.0, 1e-9, -1e-9])
    *_, weights = phases_of(cancelled)
    for move in moves_of(cancelled, weights):
        assert np.isnan(move.loop[-1])
        assert move.steps == ()
        assert "add up to 0" in move.note
    (move, *_) = moves_of(cancelled, phases_of(cancelled)[0])
    assert move.loop == move.matrix == [0]
    winner = moves_of(walk_of("hardmax"), phases_of(walk_of("hardmax"))[-1])
    assert "takes all the weight" in winner[1].note


@pytest.mark.parametrize("normalizer", ["sparsemax", "entmax15", "softmax"])
def test_scores_of_infinity_share_the_row(normalizer):
    # 1e200 · 1e200 is beyond the largest float64.
    spec = Spec(projected=False, scale=1.0, normalizer=normalizer)
    with np.errstate(over="ignore"):
        trace = run(spec, {"X": np.array([[1e200], [1.0], [1e200]])})
    walk = QueryWalk(trace, 0)
    moves = moves_of(walk, phases_of(walk)[-1])
    assert [move.loop[-1] for move in moves] == pytest.approx(
        [0.5, 0.0, 0.5], rel=1e-14
    )
    np.testing.assert_allclose(moves[-1].matrix, moves[-1].loop, rtol=1e-14)


@pytest.mark.parametrize("normalizer", PHASES)
def test_a_row_that_is_masked_as_a_whole_has_no_weight(normalizer):
    walk = walk_of(normalizer, [-math.inf, -math.inf])
    moves = moves_of(walk, phases_of(walk)[-1])
    assert [move.loop[-1] for move in moves] == [0, 0]


def test_only_what_becomes_an_exponent_can_go_without_its_maximum():
    bare = phases_of(walk_of("softmax", shifted=False))
    assert [phase.kind for phase in bare] == ["exponentials", "sum", "weights"]
    sparse = walk_of("sparsemax", shifted=False)
    assert sparse.exponentials is None
    assert [phase.kind for phase in phases_of(sparse)] == list(PHASES["sparsemax"])
