"""What TransformerLens makes of the same checkpoints; see `record_transformer_lens`.

By default it centres the unembedding and what heads write, and adds values' biases to
b_O. So its logits are shifted, all alike, and differences of two are compared; ‖M_OV‖
in its composition scores and the eigenvalues of its copying score are others; and what
a head writes has none of b_V, also where it is ablated. Recorded is what it gives
without.
"""

import json

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import (
    Gradients,
    Logit,
    ModelTrace,
    Site,
    ablate,
    attention_gradient,
    attribution_patching,
    composition,
    patch,
)
from attnviewer.models.detectors import duplicate_token, induction, pattern_score
from tests.models import lensed

_RECORDED = json.loads(lensed.FILE.read_text("utf-8"))


@pytest.fixture(params=lensed.CASES)
def case(request, tmp_path) -> tuple[models.Model, lensed.Case, dict[str, np.ndarray]]:
    chosen = lensed.CASES[request.param]
    want = {name: np.array(got) for name, got in _RECORDED[request.param].items()}
    return models.load(chosen.folder(tmp_path)), chosen, want


def _close(got: np.ndarray, want: np.ndarray) -> None:
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-4)


def _weights(run: ModelTrace) -> np.ndarray:
    """Return the attention weights, shape (layers, h, n, n)."""
    layers = range(run.model.n_layers)
    return np.stack([run.attention(layer)["weights"] for layer in layers])


def test_detectors_attribution_and_lens_are_those_of_transformer_lens(case) -> None:
    model, chosen, want = case
    run = model.run(chosen.ids)
    A, previous = _weights(run), np.eye(len(run.ids), k=-1, dtype=bool)
    _close(pattern_score(A, previous), want["previous_token"])
    _close(duplicate_token(A, run.ids), want["duplicate_token"])
    _close(induction(A, run.ids), want["induction"])
    token, against = chosen.tokens
    logits = run.logit_lens().logits
    _close(logits[:, token] - logits[:, against], want["logit_lens"])
    parts = run.attribution(token, against)
    _close(parts.heads.ravel(), want["attribution_heads"])
    _close(parts.mlps, want["attribution_mlps"])


def test_patching_and_ablation_are_those_of_transformer_lens(case) -> None:
    model, chosen, want = case
    metric = Logit(*chosen.tokens)
    clean, corrupted = model.run(chosen.ids), model.run(chosen.other_ids)
    _close(metric(clean), want["good"])
    _close(metric(corrupted), want["bad"])
    for kind in lensed.KINDS:
        got = patch(clean, corrupted, kind, metric).values
        _close(got, want[f"patch_{kind}"])
    _close(ablate(clean, metric=metric).values, want["ablated"])


def test_gradients_and_what_is_estimated_by_them_are_those_of_transformer_lens(
    case,
) -> None:
    model, chosen, want = case
    metric, layers = Logit(*chosen.tokens), range(model.n_layers)
    clean, corrupted = model.run(chosen.ids), model.run(chosen.other_ids)
    gradients = Gradients(clean, metric)
    pattern = want["gradient_weights"]  # (layers, h, n, n)
    _close(
        [gradients[Site("stream", layer)] for layer in layers], want["gradient_stream"]
    )
    _close([gradients[Site("weights", layer)] for layer in layers], pattern)
    products = _weights(clean) * pattern
    found = attention_gradient(clean, metric)
    _close(found.net.values, products.sum(axis=(2, 3)))
    _close(found.totals.values, np.abs(products).sum(axis=(2, 3)))
    _close(found.by_token().values, products.sum(axis=(0, 1)))
    for kind in lensed.KINDS:
        got = attribution_patching(clean, corrupted, kind, metric).values
        _close(got, want[f"estimate_{kind}"])


def test_composition_and_copying_are_those_of_transformer_lens(case) -> None:
    model, _, want = case
    for kind in ("Q", "K", "V"):
        _close(composition(model, kind).values, want[f"composition_{kind}"])
    layers, heads = range(model.n_layers), range(model.n_heads)
    scores = [[models.copying_score(model, at, h) for h in heads] for at in layers]
    _close(scores, want["copying"])
