"""Many targets at once: whole rows of weights, and gradients in a faster form."""

import numpy as np
import pytest

from attnviewer import RowTarget, Target, seek
from attnviewer.goal_seek import search
from attnviewer.goal_seek.gradient_rows import GradientRows
from attnviewer.goal_seek.problem import TOLERANCE
from tests.goal_seek.by_hand import (
    changed,
    document_of,
    random_matrices,
    weights_and_output,
)

CLOSE = 1e-9


def rows_of_weights(seed: int, n: int) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(n), n)


def sought(m, targets, free=("X", "W_Q", "W_K"), limits=None, norm="least-squares"):
    """Return the proposal and how many computations it took."""
    told: list[float] = []
    proposal = seek(document_of(m), targets, free, limits, norm, progress=told.append)
    return proposal, len(told)


def test_all_weights_are_found_together_in_few_computations() -> None:
    m = random_matrices(0, n=16, d=32)
    for name in ("W_Q", "W_K"):
        m[name] /= np.sqrt(32)
    wanted = rows_of_weights(5, 16)
    targets = [
        Target("weights", i, j, "=", float(wanted[i, j]))
        for i in range(16)
        for j in range(15)
    ]
    proposal, computations = sought(m, targets)
    assert proposal.reached
    assert computations < 200
    weights, _ = weights_and_output(changed(m, proposal.changes))
    np.testing.assert_allclose(weights, wanted, rtol=0, atol=20 * TOLERANCE)


@pytest.mark.parametrize(
    ("norm", "most"), [("least-squares", 1500), ("fewest-cells", 4000)]
)
def test_many_weights_out_of_reach_of_limits_are_given_up_in_time(
    norm, most, monkeypatch
) -> None:
    # Every computation counts as one of a large document.
    monkeypatch.setattr(search, "OVERHEAD", 10**15)
    wanted = rows_of_weights(5, 6)
    targets = [
        Target("weights", i, j, "=", float(wanted[i, j]))
        for i in range(6)
        for j in range(5)
    ]
    m = random_matrices(0, n=6, d=8)
    proposal, computations = sought(m, targets, limits=0.03, norm=norm)
    assert not proposal.reached
    assert "The nearest found makes weights[0, 0]" in proposal.reason
    assert computations < most
    now = document_of(m).compute()["weights"]
    nearest = np.linalg.norm(proposal.result["weights"] - wanted)
    assert nearest < 0.9 * np.linalg.norm(now - wanted)
    assert all(np.abs(a).max() <= 0.03 for a in proposal.changes.values())


@pytest.mark.usefixtures("few_starts")
@pytest.mark.parametrize("spec", [{"temperature": 0.3}, {"normalizer": "softmax1"}])
def test_some_weights_of_a_row_are_found_with_other_targets(spec) -> None:
    m = random_matrices(2, n=6, d=5)
    document = document_of(m, **spec)
    targets = [
        Target("weights", 1, 0, "=", 0.3),
        Target("weights", 1, 4, "=", 0.2),
        Target("weights", 1, 5, "=", 0.1),
        Target("weights", 2, 2, ">=", 0.5),
        RowTarget("entropy", 3, "<=", 1.0),
    ]
    proposal = seek(document, targets, ["X", "W_Q", "W_K"])
    assert proposal.reached
    row = proposal.result["weights"][1, [0, 4, 5]]
    np.testing.assert_allclose(row, [0.3, 0.2, 0.1], rtol=0, atol=CLOSE)


@pytest.mark.usefixtures("few_starts")
def test_a_whole_row_counts_masked_keys_out() -> None:
    document = document_of(random_matrices(3), causal=True)
    targets = [Target("weights", 2, k, "=", w) for k, w in enumerate((0.2, 0.3, 0.5))]
    proposal = seek(document, [*targets, Target("weights", 2, 3, "=", 0)], ["W_Q"])
    assert proposal.reached
    wanted = [0.2, 0.3, 0.5, 0.0]
    np.testing.assert_allclose(proposal.result["weights"][2], wanted, atol=CLOSE)


@pytest.mark.usefixtures("few_starts")
def test_weights_of_a_row_are_met_where_the_temperature_may_change() -> None:
    document = document_of(random_matrices(4))
    targets = [Target("weights", 1, k, "=", 0.3) for k in (0, 2)]
    proposal = seek(document, targets, ["W_Q", "temperature"])
    assert proposal.reached
    assert proposal.changes["temperature"] != 0


@pytest.mark.parametrize("depth", [0.0, 3.0, 6.0, 12.0])
def test_many_gradients_are_projected_as_by_least_squares(depth) -> None:
    rng = np.random.default_rng(0)
    count, size = 40, 300
    left, _ = np.linalg.qr(rng.normal(size=(count, count)))
    right, _ = np.linalg.qr(rng.normal(size=(size, count)))
    rows = left @ np.diag(np.logspace(0, -depth, count)) @ right.T
    rows *= rng.uniform(1e-3, 1e3, (count, 1))
    chosen = rng.random(count) < 0.7
    some = GradientRows(rows).only(chosen)
    vector, off = rng.normal(size=size), rows[chosen] @ rng.normal(size=size)
    step = some.normal_step(off)
    size_of_off = np.abs(off).max()
    np.testing.assert_allclose(rows[chosen] @ step, -off, atol=1e-6 * size_of_off)
    least = np.linalg.lstsq(rows[chosen], -off, rcond=None)[0]
    assert np.linalg.norm(step) <= 1.0001 * np.linalg.norm(least)
    along = some.along(vector)
    units = rows[chosen] / np.linalg.norm(rows[chosen], axis=1, keepdims=True)
    np.testing.assert_allclose(units @ along, 0.0, atol=1e-10)
    inside = rows[chosen].T @ np.linalg.lstsq(rows[chosen].T, vector, rcond=None)[0]
    np.testing.assert_allclose(along, vector - inside, atol=1e-6)
