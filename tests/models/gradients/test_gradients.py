"""Gradients on activations against changed activations, in double precision too."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin
from attnviewer.models import (
    EmbeddingCosine,
    Gradients,
    Logit,
    Probability,
    Site,
    weights,
)
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gpt2, write_llama

IDS, OTHERS = [3, 1, 4, 1, 5], [2, 7, 1, 8, 2]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


def slope(
    run: models.ModelTrace, site: Site, direction: np.ndarray, metric, step: float
) -> float:
    """Return by how much a metric changes along a direction of an activation."""
    above, below = (
        metric(run.with_activations({site: lambda a, s=s: a + s * direction}))
        for s in (step, -step)
    )
    return (above - below) / (2 * step)


@pytest.mark.parametrize("probability", [False, True])
def test_gradients_on_heads_are_central_differences_in_double_precision(
    gpt2: models.Model, probability: bool
) -> None:
    own = by_hand.tensors(gpt2.path)
    directions = np.random.default_rng(5).normal(size=(2, 4, 5, 8))

    def metric(step: float, layer: int, head: int) -> float:
        def moved(now: int, heads: list[np.ndarray]) -> list[np.ndarray]:
            if now == layer:
                heads[head] = heads[head] + step * directions[layer, head]
            return heads

        logits = by_hand.gpt2(own, IDS, gpt2.n_heads, moved)[1]
        if probability:
            return by_hand.probabilities(logits)[2, 7]
        return logits[2, 7] - logits[2, 11]

    logit = Logit(7, minus=11, position=2)
    gradients = Gradients(gpt2.run(IDS), Probability(7, 2) if probability else logit)
    slopes = np.array(
        [
            [(metric(1e-4, *at) - metric(-1e-4, *at)) / 2e-4 for at in row]
            for row in (((layer, head) for head in range(4)) for layer in range(2))
        ]
    )  # (layers, h)
    found = np.array(
        [
            (directions[layer] * gradients[Site("heads", layer)]).sum(axis=(1, 2))
            for layer in range(2)
        ]
    )
    np.testing.assert_allclose(found, slopes, rtol=0, atol=1e-5 * np.abs(slopes).max())
    # Tokens after the one that is predicted after have no effect.
    assert not gradients[Site("heads", 0)][:, 3:].any()


def test_the_first_token_or_unit_length_of_an_embedding_is_accounted_for(
    bert: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = bert.run(OTHERS)
    for first, normalized in ((True, False), (True, True), (False, True)):
        pooling = bert.pooling._replace(first=first, normalized=normalized)
        monkeypatch.setattr(bert, "pooling", pooling)
        run, metric = bert.run(IDS), EmbeddingCosine(reference)
        gradients = Gradients(run, metric)
        assert (gradients[Site("stream", 2)][1:] == 0).all() == first
        for site in (Site("stream", 0), Site("after_attention", 1)):
            gradient = gradients[site].astype(np.float64)
            length = np.linalg.norm(gradient)
            found = slope(run, site, gradient / length, metric, 1e-2)
            assert found == pytest.approx(length, rel=2e-3)


def test_nothing_passes_back_through_what_is_replaced_or_pinned(
    gpt2: models.Model,
) -> None:
    metric, site = Logit(7, minus=11), Site("stream", 0)
    plain = gpt2.run(IDS)
    runs = {
        "after_attention": plain.with_activations(
            {Site("after_attention", 0): lambda rows: 2 * rows}, [1, 4]
        ),
        "feed_forward": plain.with_activations(
            {Site("feed_forward", 0): lambda rows: -rows}, [0, 4]
        ),
        "heads": plain.with_pins(1, [Pin("heads", 4, slice(None), 1.0, head=2)]),
        "weights": plain.with_activations({Site("weights", 0, 1): lambda a: a[::-1]}),
    }
    unchanged = Gradients(plain, metric)[site]
    direction = np.random.default_rng(6).normal(size=unchanged.shape)
    for kind, run in runs.items():
        gradient = Gradients(run, metric)[site]
        found = slope(run, site, direction, metric, 2e-3)
        want = (direction * gradient).sum()
        assert found == pytest.approx(want, rel=2e-3), kind
        other = (direction * unchanged).sum()
        assert found != pytest.approx(other, rel=2e-2), kind
    whole = plain.with_activations({Site("stream", 1): plain.stream(1)})
    gradients = Gradients(whole, metric)
    np.testing.assert_array_equal(
        gradients[Site("stream", 1)], Gradients(plain, metric)[Site("stream", 1)]
    )
    assert not gradients[site].any()
    pinned = Gradients(runs["heads"], metric)
    assert not pinned[Site("queries", 1, 2)][4].any()
    assert pinned[Site("heads", 1, 2)][4].any()


def test_gradients_at_and_before_replaced_rows_are_taken_where_these_are(
    bert: models.Model,
) -> None:
    plain, metric = bert.run(IDS), EmbeddingCosine(bert.run(OTHERS))
    direction = np.random.default_rng(8).normal(size=(5, 32))
    for kind in ("after_attention", "feed_forward"):
        site, step = Site("after_attention", 0), 2e-3
        run = plain.with_activations({Site(kind, 0): lambda rows: 2 * rows}, [1, 4])
        gradient = Gradients(run, metric)[site]
        want = (direction * gradient).sum()
        assert slope(run, site, direction, metric, step) == pytest.approx(
            want, rel=0.01
        )
        other = (direction * Gradients(plain, metric)[site]).sum()
        assert want != pytest.approx(other, rel=0.05)


def test_a_table_that_is_read_in_pieces_gives_the_same_gradient(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, metric, last = gpt2.run(IDS), Probability(7), Site("stream", 2)
    whole = Gradients(run, metric)[last]
    monkeypatch.setattr(weights, "AT_ONCE", 7 * 32)  # of 48 rows
    pieces = Gradients(run, metric)[last]
    np.testing.assert_allclose(pieces, whole, rtol=0, atol=1e-6 * np.abs(whole).max())


def test_gradients_are_read_in_any_order_and_cannot_be_written(tmp_path: Path) -> None:
    run = models.load(write_llama(tmp_path)).run(IDS)
    gradients = Gradients(run, Logit(7))
    early = gradients[Site("values", 0)]
    assert early.shape == (2, 5, 8)
    late = gradients[Site("keys", 1, 1)]
    again = pickle.loads(pickle.dumps(gradients))
    np.testing.assert_array_equal(again[Site("keys", 1)][1], late)
    np.testing.assert_array_equal(again[Site("values", 0, 1)], early[1])
    for site in (Site("stream", 0), Site("scores", 1), Site("attention", 0)):
        assert not gradients[site].flags.writeable
    assert repr(gradients) == "<Gradients of the logit of #7>"


def test_what_has_no_gradient_is_refused(
    gpt2: models.Model, bert: models.Model
) -> None:
    run, encoder = gpt2.run(IDS), bert.run(IDS)
    with pytest.raises(TypeError, match=r"'metric' must be a Logit.*Got <built-in"):
        Gradients(run, len)
    with pytest.raises(ValueError, match="must predict tokens"):
        Gradients(encoder, Logit(3))
    with pytest.raises(ValueError, match="must be an encoder"):
        Gradients(run, EmbeddingCosine(run))
    with pytest.raises(ValueError, match="'token' must be from 0 to 47"):
        Gradients(run, Logit(48))
    with pytest.raises(IndexError, match="'position' must be one of 5 tokens"):
        Gradients(run, Logit(3, position=5))
    gradients = Gradients(run, Logit(3))
    with pytest.raises(IndexError, match="'layer' of the heads must be from 0 to 1"):
        gradients[Site("heads", 2)]
    with pytest.raises(IndexError, match="'head' of the keys must be from 0 to 3"):
        gradients[Site("keys", 1, 4)]
    with pytest.raises(TypeError, match=r"by their sites.*Got 'heads'"):
        gradients["heads"]  # type: ignore[index]
    last, metric = Site("stream", 2), EmbeddingCosine(encoder)
    with pytest.raises(ValueError, match="of the run must not be zero"):
        Gradients(encoder.with_activations({last: np.zeros_like}), metric)
    tiny = encoder.with_activations({last: lambda rows: rows[::-1] * 1e-42})
    with pytest.raises(
        ValueError, match="gradient with respect to L2 stream must hold"
    ):
        Gradients(tiny, EmbeddingCosine(bert.run(OTHERS)))
