"""Models with narrow embeddings, and models whose layers share their weights."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileError
from attnviewer.models import Gradients, Logit, Site
from attnviewer.models.layer_documents import attention_document
from attnviewer.models.residual import components
from tests.models import by_hand
from tests.models.checkpoints import write

IDS = [3, 17, 42, 5, 29]


def test_the_components_of_a_narrow_embedding_sum_to_the_stream(
    tmp_path: Path,
) -> None:
    run = models.load(write("albert", tmp_path)).run(IDS)
    for layer in 0, 3:
        parts = components(run, layer)
        np.testing.assert_allclose(
            parts.values.sum(axis=0), run.stream(layer), rtol=0, atol=2e-6
        )
    assert "embedding projection bias" in [
        str(part) for part in components(run, 0).components
    ]


def test_gradients_of_a_masked_logit_are_central_differences(tmp_path: Path) -> None:
    run = models.load(write("electra", tmp_path, head=True)).run(IDS)
    metric, site = Logit(7, minus=9, position=2), Site("stream", 2)
    direction = np.random.default_rng(3).normal(size=run.stream(2).shape)

    def at(step: float) -> float:
        moved = run.with_activations({site: lambda a: a + step * direction})
        row = moved.logits[2].astype(np.float64)
        return row[7] - row[9]

    slope = (at(0.01) - at(-0.01)) / 0.02
    gradient = Gradients(run, metric)[site]
    assert np.sum(gradient * direction) == pytest.approx(slope, rel=2e-3)


def test_an_edit_of_a_shared_layer_is_of_one_layer_of_the_run(tmp_path: Path) -> None:
    run = models.load(write("albert", tmp_path)).run(IDS)
    document = attention_document(run, 1, 2)
    assert "L0 and L2 have the same weights" in document.notes
    changed = run.with_weights(1, {"W_Q": 2 * run.weights(1)["W_Q"]})
    np.testing.assert_array_equal(changed.stream(1), run.stream(1))
    assert not np.allclose(changed.stream(2), run.stream(2))
    np.testing.assert_array_equal(changed.weights(2)["W_Q"], run.weights(2)["W_Q"])


def test_what_a_configuration_asks_for_beyond_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="There may be at most 4,096 layers"):
        models.load(write("albert", tmp_path / "a", inner_group_num=10**9))
    with pytest.raises(FileError, match=r"\$\.layer_types"):
        models.load(write("modernbert", tmp_path / "m", layer_types=["full_attention"]))
    path = write("electra", tmp_path / "e", embedding_size=24)
    config = (path / "config.json").read_text().replace("24", "20", 1)
    (path / "config.json").write_text(config)
    with pytest.raises(FileError, match="shape"):
        models.load(path)


def test_directions_are_read_from_narrow_embeddings(tmp_path: Path) -> None:
    folder = write("electra", tmp_path)
    model = models.load(folder)
    own = models.circuit(model, 0, 1, "OV")
    [first, *_] = own.top_tokens(model, count=1)
    stored = by_hand.tensors(folder)
    table = stored["embeddings.word_embeddings.weight"].astype(np.float64)
    table = table - table.mean(axis=1, keepdims=True)
    table = table * stored["embeddings.LayerNorm.weight"]
    products = table @ stored["embeddings_project.weight"].T @ own.left_vectors[:, 0]
    assert first.id == np.argmax(np.abs(products))
    assert first.value == pytest.approx(products[first.id], rel=1e-4)
