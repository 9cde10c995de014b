"""Models that normalise queries and keys, beyond what they compute."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.document import SetCells
from attnviewer.io import FileError
from attnviewer.models import Gradients, Logit, Site, circuit, composition
from attnviewer.models.layer_documents import (
    attention_document,
    link_of,
    patch_of,
    with_patches,
)
from attnviewer.models.residual import score_parts
from tests.models.checkpoints import write, write_gemma3, write_olmo2, write_smollm3

IDS = [3, 1, 4, 1, 5]
WAYS = {
    "qwen3": ("qwen3", {"attention_bias": True}),
    "olmo2": ("olmo2", {"attention_bias": True}),
    "smollm3": ("smollm3", {"no_rope_layers": [1, 0]}),
    "gemma3": ("gemma3_text", {}),
}


@pytest.fixture(params=WAYS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> models.Model:
    family, options = WAYS[request.param]
    return models.load(write(family, tmp_path, **options))


def test_every_score_is_the_sum_of_its_parts(model: models.Model) -> None:
    run = model.run(IDS)
    scaled = run.attention(1)["scaled"]
    for head, query, key in (0, 3, 1), (3, 4, 4), (2, 1, 4):
        parts = score_parts(run, 1, head, query, key)
        assert parts.matrix.sum() == pytest.approx(
            scaled[head, query, key], rel=1e-4, abs=1e-6
        )


def test_a_circuit_gives_scores_up_to_the_scales_of_the_norms(tmp_path: Path) -> None:
    model = models.load(write_olmo2(tmp_path))
    run, head = model.run(IDS), 2
    trace, stream = run.attention(1), run.stream(1).astype(np.float64)
    sizes = [
        np.sqrt((trace[side].astype(np.float64) ** 2).mean(axis=(0, 2)) + 1e-6)
        for side in "QK"
    ]  # (n,) each
    for i, j in (4, 1), (2, 2), (0, 3):
        own = circuit(model, 1, head, distance=j - i)
        score = stream[i] @ own.left @ (stream[j] @ own.right)
        assert score / sizes[0][i] / sizes[1][j] == pytest.approx(
            trace["scaled"][head, i, j], rel=1e-4, abs=1e-6
        )


def test_gradients_pass_the_norms(model: models.Model) -> None:
    run, metric = model.run(IDS), Logit(7)
    site = Site("stream", 0)
    direction = np.random.default_rng(0).normal(size=(5, 32)).astype(np.float32)
    found = float((Gradients(run, metric)[site] * direction).sum())
    step = 2e-3
    above, below = (
        metric(run.with_activations({site: lambda a, s=s: a + s * direction}))
        for s in (step, -step)
    )
    # In single precision; the gradients of the stages are checked in double.
    assert found == pytest.approx((above - below) / (2 * step), rel=5e-3)


def test_gains_of_a_head_are_put_back_for_all_heads(tmp_path: Path) -> None:
    run = models.load(write("qwen3", tmp_path)).run(IDS)
    document = attention_document(run, 0, 1)
    link = link_of(document)
    assert link is not None
    assert link.sharing == (0,)
    assert "All heads of the layer share the gains" in document.notes
    same = with_patches(run, [patch_of(document)])
    assert not same.changed_layers
    gain = document.matrix("gain_K").copy()
    gain[0, 3] = 2.5
    document.apply(SetCells("Type", "gain_K", 0, 0, gain))
    changed = with_patches(run, [patch_of(document)])
    expected = run.with_weights(0, {"gain_K": gain[0].astype(np.float32)})
    np.testing.assert_array_equal(changed.logits, expected.logits)
    assert not np.allclose(changed.logits, run.logits)


def test_a_head_that_is_normalised_with_the_others_is_not_opened_alone(
    tmp_path: Path,
) -> None:
    run = models.load(write_olmo2(tmp_path)).run(IDS)
    with pytest.raises(ValueError, match="normalised over all heads together"):
        attention_document(run, 0, 1)
    document = attention_document(run, 0)
    gain = document.matrix("gain_Q") * 2
    document.apply(SetCells("Type", "gain_Q", 0, 0, gain))
    changed = with_patches(run, [patch_of(document)])
    np.testing.assert_allclose(
        changed.attention(0)["scaled"], 2 * run.attention(0)["scaled"], rtol=1e-5
    )


def test_layers_without_positions_compose_without_a_distance(tmp_path: Path) -> None:
    model = models.load(write_smollm3(tmp_path, no_rope_layers=[0, 1]))
    near, far = (composition(model, "K", distance=d).values for d in (0, -3))
    assert near.shape == (4, 4)
    assert not np.allclose(near, far)
    with pytest.raises(ValueError, match="'distance' must be None unless"):
        circuit(model, 0, 0, distance=1)


def test_the_text_part_of_a_gemma_3_for_images_is_read_alone(tmp_path: Path) -> None:
    plain = models.load(write_gemma3(tmp_path / "plain")).run(IDS)
    folder = write_gemma3(tmp_path / "whole")
    path = folder / "config.json"
    text = json.loads(path.read_text())
    # The class for both does not cap logits, unlike that for texts.
    capped = text | {"final_logit_softcapping": 3.0}
    path.write_text(json.dumps({"model_type": "gemma3", "text_config": capped}))
    np.testing.assert_array_equal(models.load(folder).run(IDS).logits, plain.logits)
    seeing = text | {"use_bidirectional_attention": True}
    path.write_text(json.dumps({"model_type": "gemma3", "text_config": seeing}))
    with pytest.raises(FileError, match=r"\$\.text_config\.use_bidirectional"):
        models.load(folder)
    write_gemma3(folder, extra={"vision_tower.embed": "d"})
    path.write_text(json.dumps({"model_type": "gemma3", "text_config": text}))
    with pytest.raises(FileError, match=r"Only the text part.*a vision tower"):
        models.load(folder)
    path.write_text(json.dumps({"model_type": "gemma3"}))
    with pytest.raises(FileError, match=r"\$\.text_config"):
        models.load(folder)


@pytest.mark.parametrize(
    ("family", "options", "told"),
    [
        (
            "gemma3_text",
            {"rope_parameters": {"rope_theta": 10.0}},
            r"\$\.rope_parameters: It must hold full_attention and sliding_attention",
        ),
        (
            "gemma3_text",
            {"rope_parameters": {"full_attention": 3}},
            r"\$\.rope_parameters\.full_attention",
        ),
        (
            "gemma3_text",
            {"rope_parameters": {"full_attention": {"rope_type": "dynamic"}}},
            r"\$\.rope_parameters\.full_attention\.rope_type: It must be one of",
        ),
        (
            "gemma3_text",
            {"rope_scaling": {"rope_type": "linear"}},
            r"\$\.rope_scaling: Object missing required field 'factor'",
        ),
        *(
            (
                family,
                {"rope_scaling": {"type": "linear", "factor": 2.0}},
                r"\$\.rope_scaling\.type: It must be called rope_type",
            )
            for family in ("gemma3_text", "modernbert")
        ),
        (
            "modernbert",
            {"rope_parameters": {"rope_type": "linear", "factor": 2.0}},
            r"\$\.rope_parameters: It must hold full_attention and sliding_attention",
        ),
        ("gpt_neox", {"head_dim": 16}, r"\$\.head_dim: Only 8 is computed here"),
        ("smollm3", {"no_rope_layers": [1]}, "There must be one for each of the 2"),
        ("smollm3", {"no_rope_layers": [1, 2]}, r"\$\.no_rope_layers\[1\]"),
        (
            "qwen3",
            {"layer_types": ["chunked_attention"] * 2},
            r"\$\.layer_types\[0\]",
        ),
    ],
)
def test_what_is_not_supported_is_refused_by_name(
    tmp_path: Path, family: str, options: dict, told: str
) -> None:
    folder = write(family, tmp_path, **options)
    with pytest.raises(FileError, match=told):
        models.load(folder)
