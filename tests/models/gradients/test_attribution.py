"""What is estimated by gradients: patched activations, and attention × gradient."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import (
    EmbeddingCosine,
    Gradients,
    Logit,
    Site,
    attention_gradient,
    attribution_patching,
    patch,
)
from attnviewer.models.gradients import gradients as backpropagation
from tests.models.checkpoints import write_bert, write_llama

CLEAN, CORRUPTED = [3, 1, 4, 1, 5], [3, 1, 9, 1, 5]
METRIC = Logit(7, minus=11)
CHANGE = np.zeros((5, 5))
CHANGE[3, :2] = 0.05
"""Two weights of a query, up or down by a twentieth."""


@pytest.fixture
def llama(tmp_path: Path) -> models.Model:
    return models.load(write_llama(tmp_path / "llama"))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


@pytest.mark.parametrize(
    ("kind", "positions"),
    [
        ("heads", None),
        ("heads", "each"),
        ("weights", "each"),
        ("scores", None),
        ("values", None),
        ("stream", None),
        ("feed_forward", "all"),
    ],
)
def test_a_small_change_is_estimated_as_patching_finds_it(
    llama: models.Model, kind, positions
) -> None:
    corrupted = llama.run(CORRUPTED)
    direction = np.random.default_rng(7).normal(size=(5, 32))
    clean = corrupted.with_activations(
        {Site("stream", 0): lambda rows: rows + 3e-4 * direction}
    )
    exact = patch(clean, corrupted, kind, METRIC, positions)
    estimate = attribution_patching(clean, corrupted, kind, METRIC, positions)
    for name in ("row_labels", "column_labels", "sites", "axes"):
        assert getattr(estimate, name) == getattr(exact, name)
    spread = np.ptp(exact.values)
    assert spread > 0.1
    # What is left grows in proportion to the change.
    np.testing.assert_allclose(
        estimate.values, exact.values, rtol=0, atol=0.01 * spread
    )
    assert "share, estimated to first order, of the logit of #7 − #11" in estimate.title


def test_each_cell_is_the_difference_times_the_gradient(
    bert: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean, corrupted = bert.run(CLEAN), bert.run(CORRUPTED)
    metric = EmbeddingCosine(clean)  # the default of an encoder
    layers: list[int] = []
    backward = backpropagation.layer_backward
    monkeypatch.setattr(
        backpropagation,
        "layer_backward",
        lambda run, layer, on: layers.append(layer) or backward(run, layer, on),
    )
    grid = attribution_patching(clean, corrupted, "keys", positions="each")
    assert layers == [1, 0]
    site = Site("keys", 1, 2)
    differences = clean.activation(site) - corrupted.activation(site)  # (n, d_head)
    gradient = Gradients(corrupted, metric)[site]
    scale = metric(clean) - metric(corrupted)
    assert grid.sites[6] == (site,) * 5
    want = [a @ b / scale for a, b in zip(differences, gradient, strict=True)]
    np.testing.assert_allclose(grid.values[6], want, rtol=1e-5)
    whole = attribution_patching(clean, corrupted, "keys", metric)
    assert whole.values[1, 2] == pytest.approx(grid.values[6].sum(), rel=1e-9)


def test_attention_times_gradient_is_what_smaller_weights_take_away(
    llama: models.Model,
) -> None:
    run = llama.run(CLEAN)
    found = attention_gradient(run, METRIC)
    for layer, head in ((0, 3), (1, 0)):
        own = found.weights(layer, head)  # (n, n)
        assert found.net.values[layer, head] == pytest.approx(own.sum())
        assert found.totals.values[layer, head] == pytest.approx(np.abs(own).sum())
        np.testing.assert_array_equal(found.weights(layer)[head], own)
        site = Site("weights", layer, head)
        assert found.totals.sites[layer][head] == site
        less, more = (
            METRIC(run.with_activations({site: changed * run.activation(site)}))
            for changed in (1 - CHANGE, 1 + CHANGE)
        )
        assert (more - less) / 0.1 == pytest.approx(own[3, :2].sum(), abs=2e-4)
        heads = Site("heads", layer, head)
        by_outputs = run.activation(heads) * Gradients(run, METRIC)[heads]
        assert by_outputs.sum() == pytest.approx(own.sum(), rel=1e-4)
        assert np.abs(own).sum() > 1.1 * abs(own.sum())
        assert not own[0, 1:].any()  # hidden by the mask
    every = sum(found.weights(layer).sum(axis=0) for layer in (0, 1))
    np.testing.assert_allclose(found.by_token().values, every, atol=1e-12)
    assert found.by_token().values.sum() == pytest.approx(found.net.values.sum())
    assert found.net.title.endswith("of the logit of #7 − #11, summed up")
    assert "<svg" in found._repr_html_()
    assert repr(found).startswith("<AttentionGradient of the logit of #7 − #11: 2 × ")


def test_what_cannot_be_estimated_is_refused(
    llama: models.Model, bert: models.Model
) -> None:
    clean, corrupted = llama.run(CLEAN), llama.run(CORRUPTED)
    with pytest.raises(ValueError, match=r"same number of tokens.*Got 3 and 5"):
        attribution_patching(clean, llama.run([1, 2, 3]))
    with pytest.raises(ValueError, match="must differ between the two runs"):
        attribution_patching(clean, llama.run(CLEAN))
    with pytest.raises(ValueError, match="'sites' must be one of stream"):
        attribution_patching(clean, corrupted, "head")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'metric' must be a Logit"):
        attribution_patching(clean, corrupted, metric=lambda run: run.ids[2])
    with pytest.raises(ValueError, match="must predict tokens"):
        attention_gradient(bert.run(CLEAN), METRIC)
    with pytest.raises(IndexError, match="'head' of the weights must be from 0 to 3"):
        attention_gradient(clean, METRIC).weights(0, 4)
