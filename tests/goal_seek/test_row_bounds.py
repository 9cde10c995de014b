"""What the targets of a row leave to its entropy, beside rows drawn at random."""

import numpy as np
import pytest
from scipy.optimize import minimize

from attnviewer import RowTarget, Target, seek
from attnviewer.compute import Cell
from attnviewer.goal_seek.quantities import CellValue
from attnviewer.goal_seek.requirements import Requirement
from attnviewer.goal_seek.row_bounds import RowBounds
from tests.goal_seek.by_hand import document_of, entropy_in_bits, random_matrices

pytestmark = pytest.mark.usefixtures("few_starts")


def bounds_of(relations, numbers, most_sum=1.0) -> RowBounds:
    """Return the bounds of a row of which the first weights are asked for."""
    count = 5
    least_sum = 1.0 if most_sum == 1 else 0.0
    bounds = RowBounds(np.arange(count), 0.0, 1.0, least_sum, most_sum)
    bounds.keep_to(
        [
            Requirement(
                0, CellValue(Cell("weights", (0, key))), relation, float(number)
            )
            for key, (relation, number) in enumerate(
                zip(relations, numbers, strict=True)
            )
        ]
    )
    return bounds


def meets(row, relations, numbers) -> bool:
    pairs = zip(row, relations, numbers, strict=False)
    sign = {"=": 0, "<=": 1, ">=": -1}
    return all(sign[r] * (w - x) <= 0 if r != "=" else w == x for w, r, x in pairs)


@pytest.mark.parametrize("seed", range(16))
def test_no_row_that_meets_the_targets_lies_outside_the_bounds(seed) -> None:
    rng = np.random.default_rng(seed)
    some = rng.dirichlet(rng.uniform(0.1, 2, 5))
    relations = rng.choice(["=", "<=", ">="], size=rng.integers(1, 5)).tolist()
    numbers = some[: len(relations)]
    low, high = bounds_of(relations, numbers).entropy()
    drawn = rng.dirichlet(np.full(5, 0.3), 4000)
    for key, relation in enumerate(relations):
        if relation == "=":
            others = np.arange(5) > key - 1
            others[key] = False
            rest = 1 - drawn[:, :key].sum(axis=1) - numbers[key]
            ours = drawn[:, others]
            drawn[:, others] = ours / ours.sum(axis=1, keepdims=True) * rest[:, None]
            drawn[:, key] = numbers[key]
    rows = [r for r in drawn if (r >= 0).all() and meets(r, relations, numbers)]
    found = [entropy_in_bits(row) for row in [some, *rows]]
    assert low - 1e-6 <= min(found)
    assert max(found) <= high + 1e-6


@pytest.mark.parametrize("seed", range(10))
def test_the_most_even_row_is_that_of_an_optimiser(seed) -> None:
    rng = np.random.default_rng(seed)
    some = rng.dirichlet(np.full(5, 0.7))
    relations = rng.choice(["<=", ">="], size=4).tolist()
    limits = [
        (0, min(w + 0.05, 1)) if r == "<=" else (max(w - 0.05, 0), 1)
        for r, w in zip(relations, some, strict=False)
    ]
    pairs = zip(relations, limits, strict=True)
    asked = [high if r == "<=" else low for r, (low, high) in pairs]
    found = minimize(
        lambda row: float((row * np.log2(np.maximum(row, 1e-300))).sum()),
        some,
        bounds=[*limits, (0, 1)],
        constraints={"type": "eq", "fun": lambda row: row.sum() - 1},
        method="SLSQP",
    )
    _, high = bounds_of(relations, asked).entropy()
    assert high == pytest.approx(-found.fun, abs=1e-5)


@pytest.mark.parametrize("seed", range(10))
def test_shares_of_a_row_without_a_fixed_sum_keep_to_the_bounds(seed) -> None:
    rng = np.random.default_rng(seed)
    relations = rng.choice(["=", "<=", ">="], size=4).tolist()
    numbers = rng.uniform(0, 1, 4)
    low, high = bounds_of(relations, numbers, most_sum=5.0).entropy()
    for _ in range(2000):
        row = rng.uniform(0, 1, 5)
        for key, (relation, number) in enumerate(zip(relations, numbers, strict=True)):
            pick = {"=": number, "<=": row[key] * number}
            row[key] = pick.get(relation, number + row[key] * (1 - number))
        assert low - 1e-6 <= entropy_in_bits(row / row.sum()) <= high + 1e-6


@pytest.mark.parametrize(
    "targets",
    [
        [Target("weights", 1, 2, "=", 0.9), RowTarget("effective_keys", 1, "=", 1.5)],
        [Target("weights", 1, 2, "=", 0.9), RowTarget("effective_keys", 1, "=", 1.4)],
        [
            Target("weights", 1, 0, "=", 0.4),
            Target("weights", 1, 1, ">=", 0.3),
            RowTarget("entropy", 1, "<=", 1.2),
        ],
    ],
)
def test_targets_of_a_row_that_are_just_possible_are_not_refused(targets) -> None:
    assert seek(document_of(random_matrices(0)), targets, ["X", "W_Q"]).reached
