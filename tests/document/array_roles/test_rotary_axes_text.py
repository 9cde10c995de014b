"""Rotary positions along several axes, as typed on the command line."""

import numpy as np
import pytest

from attnviewer.compute import Rotary, RotaryAxes, Spec, run
from attnviewer.document import EditError
from attnviewer.document.array_roles.assignment_text import parse_assignment
from attnviewer.document.array_roles.building import build

_RNG = np.random.default_rng(4)
ARRAYS = {"emb": _RNG.normal(size=(5, 8)), "ids": _RNG.integers(0, 4, size=(5, 2))}
_GIVEN = {name: _RNG.normal(size=(5, 8)) for name in ("Q", "K", "V")}


def _built(text: str, arrays=ARRAYS):
    shapes = {name: array.shape for name, array in arrays.items()}
    return build(parse_assignment(text, shapes), arrays)


def test_sections_and_positions_are_read() -> None:
    words = "rope[base=50,sections=3:1,mrope_interleaved=1,own_frequencies=1]"
    document = _built(f"X=emb,position_ids=ids,positions={words}")
    axes = RotaryAxes((3, 1), interleaved=True, own_frequencies=True)
    spec = Spec(projected=False, positions=Rotary(base=50.0, axes=axes))
    assert document.spec == spec
    ids = ARRAYS["ids"].astype(float)
    want = run(spec, {"X": ARRAYS["emb"], "position_ids": ids})["output"]
    np.testing.assert_array_equal(document.compute()["output"], want)


def test_queries_and_keys_that_are_given_may_be_rotated_so() -> None:
    given = _built(
        "Q=Q,K=K,V=V,position_ids=ids,positions=rope[sections=2:2]", ARRAYS | _GIVEN
    )
    assert given.spec.positions == Rotary(axes=RotaryAxes((2, 2)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("positions=rope[sections=2:2]", "position_ids: It must be given with rotary"),
        ("position_ids=ids", "position_ids: It must be given with rotary"),
        ("position_ids=ids,positions=rope[sections=4]", "each of at least two axes"),
        ("position_ids=ids,positions=rope[sections=1:1]", "must sum to 4, the pairs"),
        ("position_ids=ids,positions=rope[sections=a]", "It must be a whole number."),
        (
            "position_ids=ids,positions=rope[own_frequencies=1]",
            "The axes of rope must have sections=16:24:24.",
        ),
        (
            "position_ids=emb,positions=rope[sections=2:2]",
            r"must have shape \(5, 2\). Got \(5, 8\) instead.",
        ),
    ],
)
def test_what_does_not_fit_is_refused(text, reason) -> None:
    with pytest.raises(EditError, match=reason):
        _built(f"X=emb,{text}")
