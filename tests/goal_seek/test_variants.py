"""Every variant and every normaliser whose gradient exists can be asked."""

import numpy as np
import pytest

from attnviewer import RowTarget, Target, seek
from attnviewer.compute import (
    Alibi,
    Cell,
    Disentangled,
    Learned,
    RelativeBias,
    Rotary,
    RotaryAxes,
    Sinusoidal,
    Spec,
    normalize,
    run,
)
from attnviewer.document import Document
from tests.goal_seek.by_hand import document_of, random_matrices, softmax

pytestmark = pytest.mark.usefixtures("few_starts")


def _confirmed(document: Document, proposal):
    """Return a fresh pass over the inputs with the proposed changes."""
    inputs = document.inputs()
    for name, change in proposal.changes.items():
        inputs[name] = inputs[name] + change
    return run(document.spec, inputs)


def _of(shapes: dict[str, tuple[int, int]], spec: Spec, seed: int = 0) -> Document:
    rng = np.random.default_rng(seed)
    matrices = {name: rng.standard_normal(shape) for name, shape in shapes.items()}
    first = matrices[spec.sources[0]]
    others = matrices.get("context", matrices.get("K", ())) if spec.context else ()
    tokens, more = map(str, range(len(first))), map(str, range(len(others)))
    return Document("random", tokens, matrices, spec, context_tokens=more)


GIVEN = {"Q": (4, 3), "K": (4, 3), "V": (4, 2)}
JOINED = {"Q": (4, 6), "K": (4, 3), "V": (4, 2)}
SCORES = {"S": (4, 4), "V": (4, 2)}
PROJECTED = {"X": (4, 6), "W_Q": (6, 8), "W_K": (6, 8), "W_V": (6, 8)}
ACROSS = {**PROJECTED, "context": (3, 5), "W_K": (5, 8), "W_V": (5, 8)}
GROUPED = {"X": (4, 6), "W_Q": (6, 8), "W_K": (6, 4), "W_V": (6, 4), "W_O": (8, 5)}
BIASED = {**PROJECTED, "b_Q": (1, 8), "b_K": (1, 8), "b_V": (1, 8)}
HEADS = {"n_heads": 2, "output_projection": True}
SHARED = {"n_heads": 4, "n_kv_heads": 2, "output_projection": True}
AS_THEY_ARE = {"projected": False, "given": True}
SIDE_BY_SIDE = {"heads_joined": True, "n_heads": 2, "n_kv_heads": 1, **AS_THEY_ARE}
VARIANTS = {
    "simplified": ({"X": (4, 3)}, Spec(projected=False), ["X"]),
    "heads": ({**PROJECTED, "W_O": (8, 3)}, Spec(**HEADS), ["W_Q", "W_O"]),
    "grouped": (GROUPED, Spec(**SHARED), ["W_K", "W_O"]),
    "cross": (ACROSS, Spec(context=True, n_heads=2), ["context", "W_Q"]),
    "biases": (BIASED, Spec(biases=("b_Q", "b_K", "b_V")), ["b_Q", "b_V"]),
    "bias": ({**PROJECTED, "bias": (4, 4)}, Spec(bias=True), ["bias", "W_V"]),
    "learned": ({**PROJECTED, "P": (6, 6)}, Spec(positions=Learned()), ["P"]),
    "sinusoidal": (PROJECTED, Spec(positions=Sinusoidal()), ["W_Q", "W_V"]),
    "rotary": (PROJECTED, Spec(positions=Rotary(), n_heads=2), ["W_K", "W_V"]),
    "rotary along axes": (
        {**PROJECTED, "position_ids": (4, 2)},
        Spec(positions=Rotary(axes=RotaryAxes((1, 1))), n_heads=2),
        ["position_ids", "W_Q", "W_V"],
    ),
    "alibi": (PROJECTED, Spec(positions=Alibi(), n_heads=2), ["X"]),
    "disentangled": (
        {**PROJECTED, "R": (4, 6)},
        Spec(positions=Disentangled(2), n_heads=2),
        ["R", "W_V"],
    ),
    "relative bias": (
        {**PROJECTED, "relative_bias": (8, 2)},
        Spec(positions=RelativeBias(8, 4), n_heads=2, scale=1.0),
        ["relative_bias", "W_V"],
    ),
    "softcap": (PROJECTED, Spec(softcap=5.0, window=(2, 2)), ["X"]),
    "sinks": (
        {**PROJECTED, "sinks": (1, 2)},
        Spec(sinks=True, n_heads=2),
        ["sinks", "W_Q", "W_V"],
    ),
    "gated": (
        {**PROJECTED, "W_G": (6, 8)},
        Spec(output_gate="elementwise", n_heads=2),
        ["W_G", "W_Q", "W_V"],
    ),
    "given": (GIVEN, Spec(**AS_THEY_ARE), ["K", "V"]),
    "given heads": (JOINED, Spec(**SIDE_BY_SIDE), ["Q", "V"]),
    "given scores": (SCORES, Spec(score="given", **AS_THEY_ARE), ["S", "V"]),
    "cosine": (PROJECTED, Spec(score="cosine", temperature=0.2), ["W_Q", "W_V"]),
    "general": ({**PROJECTED, "w": (8, 8)}, Spec(score="general"), ["w", "W_V"]),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_weight_and_an_output_are_reached_in_every_variant(name) -> None:
    shapes, spec, free = VARIANTS[name]
    document = _of(shapes, spec)
    head = spec.n_heads - 1
    targets = [
        Target("weights", 2, 1, "=", 0.4, head=head),
        Target("output", 2, 1, ">=", 0.7),
    ]
    proposal = seek(document, targets, free)
    fresh = _confirmed(document, proposal)
    assert proposal.reached, proposal.reason
    weight = fresh["weights"].reshape(-1, *fresh["weights"].shape[-2:])[head, 2, 1]
    assert weight == pytest.approx(0.4, abs=1e-9)
    assert fresh["output"][..., 2, 1].min() >= 0.7 - 1e-9


def test_unused_rows_of_the_position_table_stay() -> None:
    shapes, spec, free = VARIANTS["learned"]
    document = _of(shapes, spec)
    unused = document.matrix("P")[4:].copy()
    proposal = seek(document, Target("weights", 2, 1, "=", 0.4), free)
    assert proposal.changes["P"].shape == (4, 6)
    assert proposal.edit is not None
    document.apply(proposal.edit)
    np.testing.assert_array_equal(document.matrix("P")[4:], unused)
    assert document.compute()["weights"][2, 1] == pytest.approx(0.4, abs=1e-9)


def test_only_the_heads_that_share_keys_change_with_them(monkeypatch) -> None:
    # The best of few starts leaves some 1e-10 of itself in the other heads.
    monkeypatch.setattr("attnviewer.goal_seek.search.STARTS", 8)
    shapes, spec, _ = VARIANTS["grouped"]
    document = _of(shapes, spec)
    target = Target("weights", 2, 1, "=", 0.4, head=3)
    proposal = seek(document, target, ["W_K"])
    assert proposal.reached
    assert not proposal.changes["W_K"][:, :2].any()
    assert {effect.head for effect in proposal.side_effects} == {2, 3}


@pytest.mark.parametrize(
    ("normalizer", "value"),
    [
        ("softmax", 0.7),
        ("softmax1", 0.7),
        ("sigmoid", 0.7),
        ("sparsemax", 0.7),
        ("sparsemax", 0.0),
        ("entmax15", 0.7),
        ("sum", -0.4),
        ("none", -1.3),
        ("hardmax", 1.0),
        ("hardmax", 0.0),
    ],
)
def test_a_weight_is_reached_with_every_normaliser(normalizer, value) -> None:
    for column in (0, 2):
        m = random_matrices(0)
        document = document_of(m, normalizer=normalizer)
        proposal = seek(document, Target("weights", 1, column, "=", value), ["W_Q"])
        query = m["X"][1] @ (m["W_Q"] + proposal.changes["W_Q"])
        scores = m["X"] @ m["W_K"] @ query / np.sqrt(3)
        assert proposal.reached, (column, proposal.reason)
        weight = normalize(scores, normalizer)[column]
        assert weight == pytest.approx(value, abs=1e-8)


def test_the_least_change_that_makes_a_key_win_puts_it_level() -> None:
    m = random_matrices(0)
    m["X"] = m["X"][:2]
    document = document_of(m, normalizer="hardmax")
    loser = int(document.compute()["weights"][1].argmin())
    proposal = seek(document, Target("weights", 1, loser, "=", 1.0), ["W_Q"])
    keys = m["X"] @ m["W_K"]
    slope = np.outer(m["X"][1], keys[loser] - keys[1 - loser])
    gap = (slope * m["W_Q"]).sum()
    wanted = -slope * gap / (slope**2).sum()
    np.testing.assert_allclose(proposal.changes["W_Q"], wanted, atol=1e-7)


def test_a_score_far_below_the_others_is_found_again() -> None:
    m = random_matrices(0)
    m["X"] = np.diag([60.0, 60.0, 60.0])
    m["W_Q"] = m["W_K"] = np.eye(3)
    document = document_of(m)
    assert document.compute()["weights"][0, 1] == 0.0
    proposal = seek(document, Target("weights", 0, 1, "=", 0.5), ["W_Q"])
    query = m["X"][0] @ (m["W_Q"] + proposal.changes["W_Q"])
    assert proposal.reached
    assert softmax(m["X"] @ query / np.sqrt(3))[1] == pytest.approx(0.5, abs=1e-9)


def test_a_uniform_row_is_sharpened_though_its_entropy_has_no_slope() -> None:
    m = random_matrices(0)
    m["W_Q"] = np.zeros((3, 3))
    document = document_of(m)
    proposal = seek(document, RowTarget("entropy", 1, "<=", 1.0), ["W_Q"])
    assert proposal.reached
    assert _confirmed(document, proposal).statistics().entropy[1] <= 1.0 + 1e-9


def test_cells_of_two_heads_become_equal() -> None:
    shapes, spec, _ = VARIANTS["heads"]
    document = _of(shapes, spec)
    target = Target("weights", 0, 1, "=", Cell("weights", (1, 0, 1)), head=0)
    proposal = seek(document, target, ["W_Q"])
    weights = _confirmed(document, proposal)["weights"]
    assert weights[0, 0, 1] == pytest.approx(weights[1, 0, 1], abs=1e-9)
