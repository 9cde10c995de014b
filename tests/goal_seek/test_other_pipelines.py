"""Targets of pipelines with two normalisers, a gate, or none that normalises."""

import pytest

from attnviewer import RowTarget, Target, seek
from attnviewer.goal_seek.current import sources_of
from tests.compute.other_pipelines import (
    CHANGES,
    document_with,
    have_built,
    oracle,
    random_inputs,
    weights_of,
)


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
