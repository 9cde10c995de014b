"""Implementations with gates on the outputs of heads."""

import numpy as np
import pytest

import attnviewer
from tests.doctor.reading.layer import RNG, inputs, one, steps

GIVEN = inputs()
WEIGHTS = {"elementwise": RNG(8).normal(size=(12, 12)), "headwise": np.eye(12)[:, :2]}


def _gated(gate: str) -> dict[str, np.ndarray]:
    """Return the steps of a layer with gates, each (h, n, d) or (n, any)."""
    found = one(steps(GIVEN))
    logits = GIVEN["X"] @ WEIGHTS[gate]  # (n, h·d) or (n, h)
    by_head = logits.reshape(5, 2, -1).swapaxes(0, 1)
    found["gated"] = found["heads"] / (1 + np.exp(-by_head))
    joined = found["concatenated"] = found["gated"].swapaxes(0, 1).reshape(5, -1)
    return found | {"output": joined @ GIVEN["W_O"]}


@pytest.mark.parametrize("gate", WEIGHTS)
@pytest.mark.parametrize("told", [(), ("output_gate",)])
def test_a_right_implementation_agrees(gate, told) -> None:
    given = GIVEN | {"W_G": WEIGHTS[gate]}
    meant = {"n_heads": 2} | dict.fromkeys(told, gate)
    assert attnviewer.diagnose(given, _gated(gate), **meant).agrees


def test_gates_that_were_forgotten_are_where_it_differs_first() -> None:
    given, mine = GIVEN | {"W_G": WEIGHTS["headwise"]}, one(steps(GIVEN))
    shown = {"heads": mine["heads"], "gated_heads": mine["heads"]}
    diagnosis = attnviewer.diagnose(given, shown, n_heads=2)
    assert diagnosis.first_different == "gated"


@pytest.mark.parametrize(
    ("given", "gate", "told"),
    [
        ({}, "headwise", "'W_G' must be given with output_gate=headwise. Got none"),
        ({"W_G": np.eye(12)}, "all", "'output_gate' must be one of elementwise, head"),
        ({"W_G": np.eye(12)}, "headwise", r"'W_G' matrix must have shape \(12, 2\)"),
    ],
)
def test_gates_that_do_not_fit_are_refused(given, gate, told) -> None:
    given, mine = GIVEN | given, {"output": np.ones((5, 12))}
    with pytest.raises(ValueError, match=told):
        attnviewer.diagnose(given, mine, n_heads=2, output_gate=gate)
