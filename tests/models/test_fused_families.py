"""What follows from parallel layers, projected embeddings and experts."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import Gradients, Logit, Site
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from attnviewer.models.residual import (
    attribution,
    components,
    logit_lens,
    score_parts,
)
from attnviewer.models.survey.forward import attentions
from tests.models import recorded
from tests.models.checkpoints import write
from tests.models.configurations import EIGHT
from tests.models.fused_configurations import FUSED as CONFIGURATIONS

_NAMES = (
    *("gpt_neox", "gpt_neox_yarn", "opt_350m", "phi3_long", "gpt_oss"),
    *("stablelm_biases", "stablelm_norms", "stablelm_parallel", "opt_plain"),
)


@pytest.fixture(params=_NAMES)
def run(request, tmp_path: Path) -> models.ModelTrace:
    case = recorded.load(request.param)
    return models.load(case.write(tmp_path)).run(case.input_ids)


def test_what_was_written_adds_up_to_stream_score_and_logit(run) -> None:
    written = components(run, 2).values.sum(axis=0)
    np.testing.assert_allclose(written, run.stream(2), atol=1e-5)
    score = score_parts(run, 1, 1, 5, 3)
    assert score.matrix.sum() == pytest.approx(score.score, abs=1e-5)
    logit = run.logits[-1, 7]
    assert attribution(run, 7).total == pytest.approx(logit, abs=1e-5)
    assert logit_lens(run).logits[-1, 7] == pytest.approx(logit, abs=1e-5)


def test_gradients_are_central_differences(run) -> None:
    metric = Logit(7, minus=11)
    gradients, rng = Gradients(run, metric), np.random.default_rng(2)
    for site in (
        Site("stream", 0),
        Site("heads", 0),
        Site("after_attention", 0),
        Site("feed_forward", 1),
        Site("weights", 1),
    ):
        gradient = gradients[site]
        way = rng.normal(size=gradient.shape).astype(np.float32)
        at = {
            s: metric(run.with_activations({site: lambda a, by=s * way: a + by}))
            for s in (1e-3, -1e-3, 2e-3, -2e-3)
        }
        near, far = ((at[s] - at[-s]) / (2 * s) for s in (1e-3, 2e-3))
        slope = (4 * near - far) / 3  # without the third derivative
        assert (gradient * way).sum() == pytest.approx(slope, abs=4e-3), site


def test_a_circuit_has_the_attention_factor_of_the_columns_that_turn(
    tmp_path: Path,
) -> None:
    folder = write("phi3", tmp_path, **CONFIGURATIONS["phi3_long"].options)
    run = models.load(folder).run(EIGHT)  # within the trained length
    own = models.circuit(run.model, 0, 1, "QK", distance=-3)
    rows = run.stream(0).astype(np.float64)
    rows /= np.sqrt((rows**2).mean(axis=1, keepdims=True) + 1e-5)
    score = rows[5] @ own.left @ own.right.T @ rows[2]
    assert run.spec(0).positions.attention_factor > 1.1
    assert score == pytest.approx(run.attention(0)["scaled"][1, 5, 2], abs=1e-5)


def test_several_texts_at_once_are_computed_as_one_by_one(run) -> None:
    texts = [list(run.ids), list(run.ids[:5])]
    alone = [run.model.run(text) for text in texts]
    for layer, text, trace in attentions(run.model, texts):
        expected = alone[text].attention(layer)["weights"]
        np.testing.assert_allclose(trace["weights"], expected, atol=2e-6)


def test_a_head_that_is_edited_is_put_back(run) -> None:
    head = 1
    document = attention_document(run, 0, head)
    trace = document.compute()
    own = run.attention(0)
    np.testing.assert_allclose(trace["weights"], own["weights"][head], atol=1e-6)
    assert with_patches(run, [patch_of(document)]).changes == {}
    name = "sinks" if "sinks" in document.matrices else "W_V"
    patch = patch_of(document)
    weights = {**patch.weights, name: patch.weights[name] + np.float32(1)}
    changed = with_patches(run, [type(patch)(0, head, weights)])
    own_heads = run.attention(0)["heads"]
    heads = changed.attention(0)["heads"]
    moved = [not np.array_equal(heads[h], own_heads[h]) for h in range(len(heads))]
    sharing = 1 if name == "sinks" else len(run.spec(0).sharing_with(head))
    assert moved[head]
    assert sum(moved) == sharing
    assert not np.allclose(changed.logits, run.logits)
