"""Targets of pipelines with two normalisers, a gate, or none that normalises."""

import pytest

from attnviewer import RowTarget, Target, seek
from attnviewer.goal_seek.current import sources_of
from attnviewer.goal_seek.requirements import requirements
from attnviewer.goal_seek.score_gaps import by_ratios
from tests.compute.other_pipelines import (
    CHANGES,
    FACTOR,
    document_with,
    have_built,
    oracle,
    random_inputs,
    weights_of,
)

pytestmark = pytest.mark.usefixtures("few_starts")


@pytest.mark.parametrize("kind", CHANGES)
def test_a_weight_becomes_what_was_asked_for(kind, monkeypatch) -> None:
    have_built(monkeypatch, kind)
    inputs = random_inputs()
    before = oracle(kind, inputs)["mixed by"]
    target = Target(weights_of(kind), 4, 1, "=", before[1, 4, 1] + 0.02, head=1)
    proposal = seek(document_with(inputs), target, ["W_Q", "W_K"])
    assert proposal.reached, proposal.reason
    changed = {name: a + proposal.changes.get(name, 0.0) for name, a in inputs.items()}
    after = oracle(kind, changed)["mixed by"]
    assert after[1, 4, 1] == pytest.approx(target.value, abs=1e-8)
    assert proposal.side_effects
    for effect in proposal.side_effects:
        cell = effect.head, effect.row, effect.column
        assert effect.change == pytest.approx(after[cell] - before[cell], abs=1e-12)


@pytest.mark.parametrize("kind", CHANGES)
def test_the_temperature_is_a_source_where_something_normalises(
    kind, monkeypatch
) -> None:
    have_built(monkeypatch, kind)
    trace = document_with(random_inputs()).compute()
    normalises = bool(trace.pipeline.normalizing)
    assert normalises is (kind not in ("squared", "linear"))
    assert ("temperature" in sources_of(trace, "output")) is normalises


def test_each_map_of_differential_attention_has_the_range_of_its_normaliser(
    monkeypatch,
) -> None:
    have_built(monkeypatch, "differential")
    document = document_with(random_inputs())
    for step in ("weights 1", "weights 2"):
        high = seek(document, Target(step, 3, 1, "=", 1.5, head=0), ["W_Q"])
        assert "weights of softmax are from 0 to 1" in high.reason
        row = RowTarget("sum", 3, "=", 0.6, step=step, head=0)
        assert "add up to 1, whatever" in seek(document, row, ["W_Q"]).reason
        hidden = seek(document, Target(step, 1, 3, "=", 0.5, head=0), ["W_Q"])
        assert "the mask hides key 3 from query 1" in hidden.reason
    # Their difference can be negative, as no weight of a normaliser can.
    target = Target("weights", 3, 1, "=", -0.1, head=0)
    assert seek(document, target, ["W_Q", "W_K", "W_V"]).reached


def test_targets_of_a_row_of_each_map_are_refused_together(monkeypatch) -> None:
    have_built(monkeypatch, "differential")
    document = document_with(random_inputs())
    for step in ("weights 1", "weights 2"):
        large = [Target(step, 3, key, ">=", 0.6, head=1) for key in (0, 2)]
        reason = seek(document, large, ["W_Q"]).reason
        assert f"the weights of {step}[3] of head 1 to add up to at least 1.2" in reason
        one = Target(step, 3, 1, "=", 0.9, head=1)
        even = RowTarget("entropy", 3, ">=", 1.5, step=step, head=1)
        reason = seek(document, [one, even], ["W_Q"]).reason
        assert f"bits in {step}[3] of head 1. Take one" in reason
    # The weights of two maps, or of their difference, add up to no fixed number.
    others = [
        Target(step, 3, 1, "=", 0.7, head=1) for step in ("weights 1", "weights 2")
    ]
    assert seek(document, others, ["W_Q", "W_K", "W_V"]).reached
    difference = [Target("weights", 3, key, ">=", 0.6, head=1) for key in (0, 2)]
    assert "add up to" not in seek(document, difference, ["W_Q"], 0.1).reason


def test_whole_rows_of_each_map_are_sought_by_ratios(monkeypatch) -> None:
    have_built(monkeypatch, "differential")
    inputs = random_inputs()
    wanted = {"weights 1": (0.1, 0.2, 0.3, 0.4), "weights 2": (0.4, 0.1, 0.2, 0.3)}
    targets = [
        Target(step, 3, key, "=", weight, head=0)
        for step, row in wanted.items()
        for key, weight in enumerate(row)
    ]
    document = document_with(inputs)
    ratios = by_ratios(document.compute(), requirements(document.compute(), targets))
    assert [sorted(asked.quantity.steps) for asked in ratios] == (
        [["masked"]] * 3 + [["masked 2"]] * 3
    )
    proposal = seek(document, targets, ["W_Q", "W_K", "W_V"])
    assert proposal.reached, proposal.reason
    changed = {name: a + proposal.changes.get(name, 0.0) for name, a in inputs.items()}
    after = oracle("differential", changed)["mixed by"]
    first, second = wanted.values()
    difference = [a - FACTOR * b for a, b in zip(first, second, strict=True)]
    assert after[0, 3, :4] == pytest.approx(difference, abs=1e-8)
