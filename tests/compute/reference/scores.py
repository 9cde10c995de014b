"""Attention between an encoder and a decoder, as Bahdanau and Luong wrote it."""

from typing import Any

import numpy as np

from attnviewer import attention

from .cases import Case

# The papers' matrices act on columns from the left, attnviewer's on rows from the
# right; neither paper scales.


def bahdanau(case: Case) -> dict[str, np.ndarray]:
    inputs = case.inputs
    weights = {"w_q": inputs["W_a"].T, "w_k": inputs["U_a"].T, "v": inputs["v_a"]}
    return _attend(case, score="additive", score_weights=weights)


def luong(case: Case) -> dict[str, np.ndarray]:
    results = _attend(case, **_luong_options(case))
    both = np.concatenate([results["context"], case.inputs["decoder"]], axis=-1)
    return results | {"h_tilde": np.tanh(both @ case.inputs["W_c"].T)}


def _luong_options(case: Case) -> dict[str, Any]:
    kind, inputs = case.attrs["kind"], case.inputs
    if kind == "dot":
        return {"scale": 1.0}
    if kind == "general":
        return {"score": kind, "score_weights": {"w": inputs["W_a"]}}
    # One matrix acts on the two states, one below the other.
    w_q, w_k = np.split(inputs["W_a"].T, [inputs["decoder"].shape[-1]])
    return {
        "score": kind,
        "score_weights": {"w_q": w_q, "w_k": w_k, "v": inputs["v_a"]},
    }


def _attend(case: Case, **options: Any) -> dict[str, np.ndarray]:
    encoder = case.inputs["encoder"]
    trace = attention(case.inputs["decoder"], encoder, encoder, **options)
    return {
        "scores": trace["scores"],
        "weights": trace["weights"],
        "context": trace["output"],
    }
