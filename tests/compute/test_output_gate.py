"""Gates on the outputs of heads, against transformers and numbers worked by hand."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from attnviewer import QKNorm, Rotary, multi_head_attention
from attnviewer.compute import IncrementalEngine, Spec, run
from attnviewer.compute.engine import storing

RECORDED = Path(__file__).parents[1] / "data" / "output_gate.npz"
"""What transformers 5.24 computed; see `tests.compute.record_output_gate`."""


def test_an_elementwise_gate_equals_that_of_qwen3_next() -> None:
    with np.load(RECORDED) as stored:
        recorded = dict(stored)
    weights = {name.lower(): recorded[name] for name in recorded if name[:2] == "W_"}
    gains = {f"gain_{side}": recorded[f"gain_{side.upper()}"] for side in "qk"}
    trace = multi_head_attention(
        recorded["X"],
        **weights,
        output_gate="elementwise",
        n_heads=4,
        n_kv_heads=2,
        causal=True,
        positions=Rotary(rotary_dim=4, base=float(recorded["base"])),
        qk_norm=QKNorm(gain_offset=1.0, epsilon=float(recorded["epsilon"])),
        qk_norm_weights=gains,
    )
    # transformers normalises and turns in single precision.
    np.testing.assert_allclose(trace["weights"], recorded["weights"], atol=1e-6)
    np.testing.assert_allclose(trace["output"], recorded["output"], atol=1e-6)


_THREE = math.log(3)  # σ(ln 3) = 3/4 and σ(−ln 3) = 1/4


def test_a_headwise_gate_multiplies_the_whole_row_of_its_head() -> None:
    # One token, which attends to itself: what the heads find are its values.
    trace = multi_head_attention(
        [[1.0, 2.0]],
        *(np.eye(2), np.eye(2)),
        [[4.0, 8.0, 0.0, 0.0], [0.0, 0.0, 2.0, 6.0]],
        [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]],
        w_g=[[_THREE, _THREE], [0.0, -_THREE]],
        output_gate="headwise",
        n_heads=2,
    )
    np.testing.assert_allclose(trace["heads"][:, 0], [[4, 8], [4, 12]])
    np.testing.assert_allclose(trace["G"][:, 0], [[_THREE], [-_THREE]])
    np.testing.assert_allclose(trace["gated"][:, 0], [[3, 6], [1, 3]])
    np.testing.assert_allclose(trace["concatenated"], [[3, 6, 1, 3]])
    np.testing.assert_allclose(trace["output"], [[9, 4]])
    told = trace.explain("gated", (1, 0, 1))
    assert str(told) == "gated[1, 0, 1] = 12·σ(−1.10) = 3"
    assert told.note == "The head has one gate for the whole row."


def test_gates_of_one_head_may_be_the_last_step() -> None:
    x = np.array([[0.0, _THREE]])
    inputs = {"X": x, **dict.fromkeys(("W_Q", "W_K", "W_V", "W_G"), np.eye(2))}
    trace = run(Spec(output_gate="elementwise"), inputs)
    assert list(trace)[-2:] == ["heads", "output"]
    np.testing.assert_allclose(trace["output"], [[0.0, 0.75 * _THREE]])


def test_gates_of_large_logits_are_open_or_shut_in_every_type() -> None:
    for dtype in (np.float16, np.float32, np.float64):
        one = np.ones((1, 1), dtype)
        for logit, opening in ((1000.0, 1.0), (-1000.0, 0.0)):
            gate = np.full((1, 1), logit, dtype)
            trace = multi_head_attention(
                one, one, one, one, w_g=gate, output_gate="headwise"
            )
            assert trace["output"].dtype == dtype
            assert trace["output"].item() == opening


def test_a_weight_of_a_gate_reaches_its_column_alone() -> None:
    random = np.random.default_rng(3)
    shapes = {"X": (5, 4), **dict.fromkeys(("W_Q", "W_K", "W_V", "W_G"), (4, 4))}
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    engine = IncrementalEngine(Spec(n_heads=2, output_gate="elementwise"), inputs)
    weights, before = (engine.window(n, head=1).copy() for n in ("weights", "gated"))
    inputs["W_G"][1, 3] += 1
    engine.edit("W_G", (slice(1, 2), slice(3, 4)))
    assert "weights" not in engine.update()
    after = engine.window("gated", head=1)
    np.testing.assert_array_equal(engine.window("weights", head=1), weights)
    np.testing.assert_array_equal(after[:, 0], before[:, 0])
    assert (after[:, 1] != before[:, 1]).all()


@pytest.mark.parametrize(("gate", "columns"), [("elementwise", 4), ("headwise", 2)])
def test_rows_of_unstored_attention_pass_their_own_gates(
    monkeypatch, gate, columns
) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 16)
    random = np.random.default_rng(5)
    shapes = {"X": (9, 4), **dict.fromkeys(("W_Q", "W_K", "W_V", "W_O"), (4, 4))}
    shapes["W_G"] = (4, columns)
    inputs = {name: random.normal(size=shape) for name, shape in shapes.items()}
    spec = Spec(n_heads=2, output_projection=True, output_gate=gate, causal=True)
    engine = IncrementalEngine(spec, inputs)
    inputs["W_G"][2, 1] += 1
    engine.edit("W_G", (slice(2, 3), slice(1, 2)))
    whole = run(spec, inputs)
    for step in ("gated", "output"):
        for rows in (slice(None), slice(3, 6)):
            want = whole.window(step, rows, head=1)
            found = engine.window(step, rows, head=1)
            np.testing.assert_allclose(found, want, rtol=1e-12)


_EYE = np.eye(4)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"w_g": _EYE}, "The 'output_gate' parameter must be given with 'w_g'."),
        (
            {"output_gate": "headwise"},
            "The 'w_g' parameter must be given with 'output_gate'. Got none instead.",
        ),
        (
            {"w_g": _EYE, "output_gate": "columnwise"},
            "The 'output_gate' must be one of elementwise, headwise. "
            "Got 'columnwise' instead.",
        ),
        (
            {"w_g": _EYE, "output_gate": "headwise"},
            "The 'w_g' parameter must have shape (4, 2). Got (4, 4) instead.",
        ),
        (
            {"w_g": _EYE[:, :2], "output_gate": "elementwise"},
            "The 'w_g' parameter must have shape (4, 4). Got (4, 2) instead.",
        ),
    ],
)
def test_gates_that_do_not_fit_are_refused(options, told) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        multi_head_attention(_EYE, _EYE, _EYE, _EYE, n_heads=2, **options)


@pytest.mark.parametrize(
    ("choices", "told"),
    [
        (
            {"projected": False},
            "The 'output_gate' must be None without projections (simplified "
            "self-attention); there is no W_G. Got headwise instead.",
        ),
        (
            {"projected": False, "given": True},
            "The 'output_gate' must be None where queries, keys and values are given; "
            "there is no W_G. Got headwise instead.",
        ),
    ],
)
def test_gates_need_embeddings_and_weights(choices, told) -> None:
    with pytest.raises(ValueError, match=re.escape(told)):
        Spec(output_gate="headwise", **choices)
