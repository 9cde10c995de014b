"""Weights of gates, as typed on the command line and found by their names."""

import numpy as np
import pytest

from attnviewer.document import EditError
from attnviewer.document.array_roles.assignment_text import parse_assignment
from attnviewer.document.array_roles.building import build
from attnviewer.document.array_roles.suggesting import suggest

_RNG = np.random.default_rng(4)
ARRAYS = {"emb": _RNG.normal(size=(5, 4))}
ARRAYS |= {name: _RNG.normal(size=(4, 4)) for name in ("q", "k", "v", "each")}
ARRAYS["one"] = _RNG.normal(size=(4, 2))


def _built(text: str):
    shapes = {name: array.shape for name, array in ARRAYS.items()}
    roles = f"X=emb,W_Q=q,W_K=k,W_V=v,heads=2,{text}"
    return build(parse_assignment(roles, shapes), ARRAYS)


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("W_G=each", "elementwise"),
        ("W_G=one", "headwise"),
        ("W_G=one,output_gate=headwise", "headwise"),
    ],
)
def test_the_columns_tell_what_has_a_gate(text, gate) -> None:
    document = _built(text)
    assert document.spec.output_gate == gate
    logits = ARRAYS["emb"] @ document.matrix("W_G")
    found = document.compute()["G"].swapaxes(0, 1).reshape(5, -1)
    np.testing.assert_allclose(found, logits)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("W_G=emb", "W_G: It has 5 rows; X has 4 columns."),
        ("W_G=each,output_gate=headwise", "W_G: It must have 2 columns: a gate for"),
        ("output_gate=headwise", "W_G: It must be given with output_gate, beside W_Q."),
        ("W_G=one,output_gate=all", "must be one of elementwise, headwise. Got 'all'"),
    ],
)
def test_what_does_not_fit_is_refused(text, reason) -> None:
    with pytest.raises(EditError, match=reason):
        _built(text)


def test_weights_of_gates_are_found_by_their_names() -> None:
    shapes = {"X": (5, 3), **dict.fromkeys(("W_Q", "W_K", "W_V", "W_G"), (3, 2))}
    picks = suggest(shapes).assignment.picks
    assert str(picks["W_G"]) == "W_G"
