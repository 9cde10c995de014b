"""What a change does to a model is told in a few numbers, which others find as well."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.effect import effect_of, next_tokens
from attnviewer.models.experiment import Experiment
from attnviewer.models.layer_documents import WeightPatch
from tests.models import by_hand, recorded
from tests.models.checkpoints import write_bert, write_gpt2

IDS = [3, 1, 4, 1, 5]
LAYER = 1


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2", n_layer=3))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


def without_attention(run: models.ModelTrace) -> Experiment:
    """Switch all heads of a layer off by their W_O."""
    weights = run.weights(LAYER)
    weights["W_O"] = np.zeros_like(weights["W_O"])
    return Experiment.over(run).with_patches((WeightPatch(LAYER, None, weights),))


def test_layers_and_next_tokens_are_as_the_formulas_give_them(
    gpt2: models.Model,
) -> None:
    own = by_hand.tensors(gpt2.path)
    changed = own | {"h.1.attn.c_proj.weight": np.zeros((32, 32))}
    was, logits_were = by_hand.gpt2(own, IDS, gpt2.n_heads)
    now, logits = by_hand.gpt2(changed, IDS, gpt2.n_heads)
    outcome = effect_of(without_attention(gpt2.run(IDS)))
    assert outcome.layers is not None
    expected = [
        np.sqrt(((b - a) ** 2).sum() / (a**2).sum())
        for a, b in zip(was, now, strict=True)
    ]
    assert expected[:2] == [0, 0]
    assert min(expected[2:]) > 0.01
    np.testing.assert_array_equal(outcome.layers[:2], [0, 0])
    np.testing.assert_allclose(outcome.layers, expected, rtol=1e-4)
    (*_, before), (*_, after) = map(by_hand.probabilities, (logits_were, logits))
    found = outcome.next_tokens
    assert found is not None
    assert outcome.similarity is None
    assert outcome.missing == ""
    assert found.position == 4
    expected_ids = {*np.argsort(-before)[:10], *np.argsort(-after)[:10]}
    assert list(found.ids) == sorted(expected_ids, key=lambda id: -after[id])
    assert found.tokens == tuple(f"#{id}" for id in found.ids)
    np.testing.assert_allclose(found.before, before[list(found.ids)], rtol=1e-4)
    np.testing.assert_allclose(found.after, after[list(found.ids)], rtol=1e-4)
    moved = np.maximum(after - before, 0).sum()  # what some gain the others lose
    assert moved > 0.01
    assert found.distance == pytest.approx(moved, rel=1e-4)


@pytest.mark.parametrize("position", [0, 2, -1, -5])
def test_any_token_can_be_the_one_before(gpt2: models.Model, position: int) -> None:
    _, logits = by_hand.gpt2(by_hand.tensors(gpt2.path), IDS, gpt2.n_heads)
    row = by_hand.probabilities(logits)[position]
    found = next_tokens(Experiment.over(gpt2.run(IDS)), position, count=3)
    assert found.position == position % 5
    assert list(found.ids) == np.argsort(-row)[:3].tolist()
    np.testing.assert_allclose(found.after, np.sort(row)[:-4:-1], rtol=1e-4)
    np.testing.assert_array_equal(found.before, found.after)


@pytest.mark.parametrize("position", [5, -6])
def test_a_token_that_is_not_there_is_refused(gpt2: models.Model, position) -> None:
    with pytest.raises(IndexError):
        effect_of(Experiment.over(gpt2.run(IDS)), position)


def test_nothing_has_moved_where_nothing_is_changed(
    gpt2: models.Model, bert: models.Model
) -> None:
    outcome = effect_of(Experiment.over(gpt2.run(IDS)))
    assert outcome.layers is not None
    assert outcome.layers.tolist() == [0, 0, 0, 0]
    assert outcome.next_tokens is not None
    assert outcome.next_tokens.distance == 0
    embedded = effect_of(Experiment.over(bert.run(IDS)))
    assert embedded.next_tokens is None
    assert embedded.similarity is not None
    assert embedded.similarity.cosine == pytest.approx(1, abs=1e-12)
    assert embedded.similarity.distance == 0


def test_the_next_tokens_are_those_of_transformers(tmp_path: Path) -> None:
    case = recorded.load("gpt2")
    run = models.load(case.write(tmp_path)).run(case.input_ids)
    expected = by_hand.probabilities(case.results["logits"].reshape(len(run.ids), -1))
    found = next_tokens(Experiment.over(run))
    assert list(found.ids) == np.argsort(-expected[-1], kind="stable")[:10].tolist()
    np.testing.assert_allclose(found.after, np.sort(expected[-1])[:-11:-1], rtol=1e-4)


def test_embeddings_of_sentences_are_compared_by_angle_and_length(
    bert: models.Model,
) -> None:
    experiment = without_attention(bert.run(IDS))
    was = experiment.original.hidden_states[-1].mean(axis=0)
    now = experiment.run.hidden_states[-1].mean(axis=0)
    similarity = effect_of(experiment).similarity
    assert similarity is not None
    angle = np.arccos(similarity.cosine)
    lengths = np.sqrt([was @ was, now @ now, (now - was) @ (now - was)])
    assert lengths[2] > 0.1
    assert similarity.distance == pytest.approx(lengths[2], rel=1e-4)
    # The law of cosines.
    third = (
        lengths[0] ** 2 + lengths[1] ** 2 - 2 * lengths[0] * lengths[1] * np.cos(angle)
    )
    assert third == pytest.approx(lengths[2] ** 2, rel=1e-3)


def test_it_is_said_why_there_is_nothing_to_tell(
    bert: models.Model, tmp_path: Path
) -> None:
    bert.pooling = None
    outcome = effect_of(without_attention(bert.run(IDS)))
    assert outcome.similarity is None
    assert outcome.missing.startswith("The pooling of the model must be")
    assert outcome.layers is not None
    assert outcome.layers.any()
    headless = models.load(
        write_gpt2(tmp_path / "base", head=False, tie_word_embeddings=False)
    )
    outcome = effect_of(Experiment.over(headless.run(IDS)))
    assert outcome.next_tokens is None
    assert outcome.missing.startswith("The model must predict tokens")


def test_another_sentence_is_what_it_is_compared_with(gpt2: models.Model) -> None:
    own = by_hand.tensors(gpt2.path)
    for other in ([9, 9, 4, 1, 2], [2, 7]):
        experiment = Experiment.over(gpt2.run(IDS)).compared_with(gpt2.run(other))
        outcome = effect_of(experiment, 1)
        was, logits_were = by_hand.gpt2(own, other, gpt2.n_heads)
        now, logits = by_hand.gpt2(own, IDS, gpt2.n_heads)
        after = by_hand.probabilities(logits)[1]
        before = by_hand.probabilities(logits_were)[1]  # the last one of two tokens
        assert outcome.next_tokens is not None
        ids = list(outcome.next_tokens.ids)
        np.testing.assert_allclose(outcome.next_tokens.after, after[ids], rtol=1e-4)
        np.testing.assert_allclose(outcome.next_tokens.before, before[ids], rtol=1e-4)
        if len(other) != len(IDS):
            assert outcome.layers is None
            continue
        assert outcome.layers is not None
        change = np.linalg.norm(now[0] - was[0]) / np.linalg.norm(was[0])
        assert outcome.layers[0] == pytest.approx(change, rel=1e-5)


def test_a_change_of_what_was_zero_has_no_measure(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    zeros = models.ModelTrace(gpt2, run, streams=(np.zeros((5, 32), np.float32),))
    outcome = effect_of(Experiment.over(run).compared_with(zeros))
    assert outcome.layers is not None
    assert outcome.layers[0] == np.inf


@pytest.mark.parametrize(
    ("other", "position"),
    [([2, 7, 1, 8, 2, 8, 3], 4), ([2, 7, 1, 8, 2, 8], 1), ([2], 3)],
)
def test_of_a_sentence_of_another_length_the_last_token_is_compared(
    gpt2: models.Model, other: list[int], position: int
) -> None:
    own = by_hand.tensors(gpt2.path)
    _, logits = by_hand.gpt2(own, other, gpt2.n_heads)
    want = by_hand.probabilities(logits)[-1]
    experiment = Experiment.over(gpt2.run(IDS)).compared_with(gpt2.run(other))
    found = next_tokens(experiment, position)
    assert found.position == position
    np.testing.assert_allclose(found.before, want[list(found.ids)], rtol=1e-4)
