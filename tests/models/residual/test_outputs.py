"""Logits and sentence embeddings are split over components, and read at each layer."""

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute.number_text import format_number
from attnviewer.models.activations import Site
from attnviewer.models.residual import (
    attribution,
    components,
    embedding_shares,
    logit_lens,
)
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gemma2, write_gpt2, write_llama

IDS = [3, 1, 4, 1, 5]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2", tie_word_embeddings=False))


def test_the_lens_reads_each_layer_as_the_formulas_do(gpt2: models.Model) -> None:
    own = by_hand.tensors(gpt2.path)
    states, _ = by_hand.gpt2(own, IDS, gpt2.n_heads)
    rows = np.array([state[2] for state in states[:2]])
    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt((rows**2).mean(axis=1, keepdims=True) + 1e-5)
    expected = (rows * own["ln_f.weight"] + own["ln_f.bias"]) @ own["lm_head.weight"].T
    run = gpt2.run(IDS)
    lens = logit_lens(run, 2)
    assert lens.logits.shape == (3, 48)
    np.testing.assert_allclose(lens.logits[:2], expected, atol=1e-5)
    np.testing.assert_allclose(lens.logits[2], run.logits[2], atol=1e-6)
    shares = by_hand.probabilities(expected)
    first = lens.most_probable[1][0]
    assert first.id == expected[1].argmax()
    assert first.probability == pytest.approx(shares[1].max(), abs=1e-6)
    assert lens.labels == ("embeddings", "after L0", "after L1")
    np.testing.assert_allclose(lens.probabilities_of(7)[:2], shares[:, 7], atol=1e-6)
    again = pickle.loads(pickle.dumps(lens))
    np.testing.assert_array_equal(again.logits, lens.logits)
    assert f"#{first.id} <small>{first.probability:.1%}" in again._repr_html_()
    words = ", ".join(f"'#{tokens[0].id}'" for tokens in lens.most_probable)
    assert repr(lens) == f"<LogitLens after token {lens.position}: {words}>"


def test_capped_logits_are_those_of_the_lens_and_the_split_is_before(
    tmp_path: Path,
) -> None:
    folder = write_gemma2(tmp_path, final_logit_softcapping=2.0)
    run = models.load(folder).run(IDS)
    logits = logit_lens(run).logits[-1]
    np.testing.assert_allclose(logits, run.logits[-1], atol=1e-6)
    assert np.abs(logits).max() < 2
    parts = attribution(run, 7)
    assert parts.of == "logit of '#7' after token 4 before the cap"
    assert 2 * np.tanh(parts.total / 2) == pytest.approx(logits[7], abs=1e-5)


def test_a_logit_is_the_sum_of_embeddings_heads_mlps_and_biases(
    gpt2: models.Model,
) -> None:
    run = gpt2.run(IDS)
    for position in (-1, 1):
        parts = attribution(run, 9, against=11, position=position)
        expected = run.logits[position, 9] - run.logits[position, 11]
        assert parts.total == pytest.approx(expected, rel=1e-5, abs=1e-6)
        assert parts.heads.shape == (2, 4)
        assert parts.mlps.shape == (2,)
        whole = parts.embedding + parts.heads.sum() + parts.mlps.sum() + parts.biases
        assert whole == pytest.approx(parts.total)
    named = dict(parts.sorted())
    assert {str(c): v for c, v in named.items()}["L1 H2"] == parts.heads[1, 2]
    sizes = [abs(value) for _, value in parts.sorted(6)]
    assert sizes == sorted(np.abs(parts.values), reverse=True)[:6]
    grid = parts.grid
    np.testing.assert_array_equal(grid.values[:, :4], parts.heads)
    np.testing.assert_array_equal(grid.values[:, 4], parts.mlps)
    assert grid.sites is not None
    assert grid.sites[1][2] == Site("heads", 1, 2)
    assert grid.sites[1][4] == Site("feed_forward", 1)
    again = pickle.loads(pickle.dumps(parts))
    assert again.components == parts.components
    assert again.of == "logit of '#9' − '#11' after token 1"
    assert "#9&#x27; − &#x27;#11" in again._repr_html_()
    assert repr(again).endswith(f"{parts.of} = {format_number(parts.total, 4)}>")


def test_tokens_are_given_as_the_vocabulary_spells_them(tmp_path: Path) -> None:
    folder = write_gpt2(tmp_path, vocab_size=4)
    vocabulary = {"a": 0, "Ġcat": 1, "Ġdog": 2, "b": 3}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    run = models.load(folder).run([1, 2])
    named, by_id = attribution(run, "Ġcat", "b"), attribution(run, 1, 3)
    np.testing.assert_array_equal(named.values, by_id.values)
    assert named.of == "logit of 'Ġcat' − 'b' after token 1"
    with pytest.raises(ValueError, match=r"Did you mean 'Ġdog'"):
        attribution(run, "a", " dog")
    with pytest.raises(ValueError, match=r"'token' must be from 0 to 3. Got 4"):
        attribution(run, 4)
    with pytest.raises(IndexError, match=r"'position' must be one of 2 .* Got 2"):
        attribution(run, 1, position=2)
    with pytest.raises(IndexError, match=r"'position' must be one of 2 .* Got -3"):
        logit_lens(run, -3)


@pytest.mark.parametrize("settings", [{}, {"first": True}, {"normalized": True}])
def test_a_sentence_embedding_is_split_along_its_direction(
    settings: dict[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = models.load(write_bert(tmp_path))
    model.pooling = model.pooling._replace(**settings)
    run = model.run(IDS)
    embedding = run.sentence_embedding.astype(np.float64)
    parts = components(run, 2)
    rows = parts.values[:, 0] if settings.get("first") else parts.values.mean(axis=1)
    expected = rows @ embedding / np.linalg.norm(embedding)
    if settings.get("normalized"):
        expected /= np.linalg.norm(rows.sum(axis=0))
    shares = embedding_shares(run)
    np.testing.assert_allclose(shares.values, expected, atol=1e-6)
    assert shares.total == pytest.approx(np.linalg.norm(embedding), rel=1e-5)
    monkeypatch.setattr(sys.modules[embedding_shares.__module__], "AT_ONCE", 1)
    one_by_one = embedding_shares(run)
    np.testing.assert_allclose(one_by_one.values, shares.values, atol=1e-7)


def test_models_without_the_output_that_is_split_are_refused(tmp_path: Path) -> None:
    bert = models.load(write_bert(tmp_path / "bert"))
    run = bert.run(IDS)
    for ask in (lambda: attribution(run, 3), lambda: logit_lens(run)):
        with pytest.raises(ValueError, match=r"must predict tokens.*Got BERT without"):
            ask()
    bert.pooling = None
    with pytest.raises(ValueError, match=r"must be the mean or the first token"):
        embedding_shares(run)
    llama = models.load(
        write_llama(tmp_path / "llama", head=False, num_hidden_layers=1)
    )
    with pytest.raises(ValueError, match=r"must be an encoder.*Got Llama"):
        embedding_shares(llama.run(IDS))
    with pytest.raises(ValueError, match=r"must predict tokens.*Got Llama without"):
        llama.weights.unembedding([3])


def test_single_columns_of_the_unembedding_are_those_of_the_table(
    gpt2: models.Model,
) -> None:
    table = gpt2.weights.logits(np.eye(32, dtype=np.float32))  # (32, 48)
    columns = gpt2.weights.unembedding([7, 0, 7])
    np.testing.assert_array_equal(columns, table[:, [7, 0, 7]].T)


def test_a_real_encoder_is_split_whole(minilm: Path) -> None:
    run = models.load(minilm).run("The animal was too tired.")
    shares = embedding_shares(run)
    assert shares.total == pytest.approx(1, rel=1e-5)
    assert shares.heads.shape == (6, 12)
