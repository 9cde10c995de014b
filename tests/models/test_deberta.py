"""DeBERTa's heads as documents, and what other tools make of its scores."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import HeadLocation
from attnviewer.io import FileError
from attnviewer.models import EmbeddingCosine, Gradients, Site
from attnviewer.models.heads import ModelHeads
from attnviewer.models.kept_edits import keeps_other_edits, keeps_scores
from attnviewer.models.layer_documents import (
    attention_document,
    link_of,
    patch_of,
    with_patches,
)
from attnviewer.models.residual import components
from tests.models import recorded
from tests.models.checkpoints import write


@pytest.fixture
def run(tmp_path: Path) -> models.ModelTrace:
    case = recorded.load("deberta_own_projections")
    return models.load(case.write(tmp_path)).run(case.input_ids)


def test_a_head_alone_has_its_part_of_the_relative_weights(
    run: models.ModelTrace,
) -> None:
    trace = run.attention(1)
    document = attention_document(run, 1, 2)
    own = document.compute()
    np.testing.assert_allclose(own["weights"], trace["weights"][2], atol=2e-6)
    np.testing.assert_array_equal(document.matrix("R"), run.weights(1)["R"])
    weights = run.weights(1)["W_QR"]
    np.testing.assert_array_equal(document.matrix("W_QR"), weights[:, 16:24])


def test_an_edited_relative_projection_is_put_back(run: models.ModelTrace) -> None:
    document = attention_document(run, 1, 2)
    assert with_patches(run, [patch_of(document)]).changed_layers == frozenset()
    edited = document.with_matrices(
        {**document.matrices, "W_KR": 2 * document.matrix("W_KR")}
    )
    edited.link = document.link
    changed = with_patches(run, [patch_of(edited)])
    assert changed.changed_layers == {1}
    np.testing.assert_array_equal(
        changed.weights(1)["W_KR"][:, 16:24], 2 * run.weights(1)["W_KR"][:, 16:24]
    )
    before, after = run.attention(1)["weights"], changed.attention(1)["weights"]
    np.testing.assert_allclose(after[[0, 1, 3]], before[[0, 1, 3]], atol=1e-6)
    assert np.abs(after[2] - before[2]).max() > 0.01


def test_an_edited_table_is_put_back_for_all_heads_of_the_layer(
    run: models.ModelTrace,
) -> None:
    document = attention_document(run, 0, 1)
    edited = document.with_matrices(
        {**document.matrices, "R": 2 * document.matrix("R")}
    )
    edited.link = link_of(document)
    assert not keeps_other_edits(edited)
    assert not keeps_scores(edited, 1)
    assert keeps_scores(document, 1)
    changed = with_patches(run, [patch_of(edited)])
    assert set(changed.changes[0]) == {"R"}
    assert "affect all heads of this layer" in document.notes


def test_the_heads_of_all_layers_have_the_terms_with_relative_positions(
    run: models.ModelTrace,
) -> None:
    shown = ModelHeads(run).matrix(HeadLocation(1, 2)).window()
    np.testing.assert_allclose(shown, run.attention(1)["weights"][2], atol=1e-6)


def test_gradients_go_through_the_terms_with_relative_positions(
    run: models.ModelTrace,
) -> None:
    other = run.model.run([9, 8, 7, 3])
    metric, site = EmbeddingCosine(other), Site("stream", 1)
    direction = np.random.default_rng(2).normal(size=run.stream(1).shape)
    values = []
    for step in (0.02, -0.02):
        moved = run.with_activations({site: lambda a, s=step: a + s * direction})
        one, two = moved.sentence_embedding, other.sentence_embedding
        one, two = one.astype(np.float64), two.astype(np.float64)
        values.append(one @ two / np.linalg.norm(one) / np.linalg.norm(two))
    slope = (values[0] - values[1]) / 0.04
    gradient = Gradients(run, metric)[site]
    assert np.sum(gradient * direction) == pytest.approx(slope, rel=5e-3)


def test_components_sum_and_scores_are_not_split(run: models.ModelTrace) -> None:
    total = components(run, 2).values.sum(axis=0)
    np.testing.assert_allclose(total, run.stream(2), atol=5e-6)
    with pytest.raises(ValueError, match="relative positions add terms"):
        run.score_parts(1, 0, 2, 3)


def test_what_deberta_has_beyond_is_refused(tmp_path: Path) -> None:
    for number, (name, value) in enumerate(
        {"conv_kernel_size": 3, "pos_att_type": ["p2p"], "hidden_act": "mish"}.items()
    ):
        path = write("deberta-v2", tmp_path / str(number), **{name: value})
        with pytest.raises(FileError, match=name if number < 2 else "activation"):
            models.load(path)
