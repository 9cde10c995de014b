"""Circuits of heads, against products of whole matrices."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Rotary
from attnviewer.models import circuit
from attnviewer.models.circuits import Circuit
from attnviewer.models.scoring import rotated
from tests.models.by_hand import tensors
from tests.models.checkpoints import write_bert, write_gemma2, write_gpt2, write_llama
from tests.models.circuits import dense

IDS = [3, 1, 4, 1, 5]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


def check(found: Circuit, whole: np.ndarray) -> None:
    """Check everything that a circuit has against the whole matrix."""
    close = {"rtol": 0, "atol": 1e-5 * np.abs(whole).max()}
    np.testing.assert_allclose(found.left @ found.right.T, whole, **close)
    rank = len(found.singular_values)
    assert rank == found.left.shape[1] == np.linalg.matrix_rank(whole, 1e-6)
    values = np.linalg.svd(whole, compute_uv=False)
    np.testing.assert_allclose(found.singular_values, values[:rank], rtol=1e-5)
    vectors = found.left_vectors, found.right_vectors
    for own in vectors:
        np.testing.assert_allclose(own.T @ own, np.eye(rank), atol=1e-10)
    again = vectors[0] * found.singular_values @ vectors[1].T
    np.testing.assert_allclose(again, whole, **close)
    own = np.linalg.eigvals(whole)
    own = own[np.argsort(-np.abs(own))][:rank]
    np.testing.assert_allclose(
        np.sort_complex(found.eigenvalues), np.sort_complex(own), rtol=1e-5
    )
    assert (np.diff(np.abs(found.eigenvalues)) <= 1e-12).all()
    assert found.norm == pytest.approx(np.sqrt((whole**2).sum()), rel=1e-5)


def test_the_circuits_of_gpt2_are_those_of_the_whole_matrices(
    gpt2: models.Model,
) -> None:
    given = tensors(gpt2.path)
    for head in 0, 3:
        qk, ov = dense.gpt2(given, 1, head)
        check(circuit(gpt2, 1, head), qk)
        check(circuit(gpt2, 1, head, "OV"), ov)


def test_gemma_2_has_grouped_heads_rotations_and_a_norm_behind_them(
    tmp_path: Path,
) -> None:
    model = models.load(write_gemma2(tmp_path))
    given = tensors(model.path)
    for query, key in (3, 3), (5, 4), (2, 9):
        qk, ov = dense.gemma2(given, 1, 3, query, key)
        check(circuit(model, 1, 3, distance=key - query), qk)
    check(circuit(model, 1, 3), dense.gemma2(given, 1, 3)[0])
    check(circuit(model, 1, 3, "OV"), ov)


def test_a_circuit_gives_the_scores_of_a_run_at_each_distance(tmp_path: Path) -> None:
    model = models.load(write_llama(tmp_path))
    run, head = model.run(IDS), 2
    stream = run.stream(1).astype(np.float64)  # (n, d_model)
    stream /= np.sqrt((stream**2).mean(axis=1, keepdims=True) + 1e-6)
    scaled = run.attention(1)["scaled"][head]  # (n, n)
    for i, j in (4, 1), (2, 2), (0, 3):
        own = circuit(model, 1, head, distance=j - i)
        score = stream[i] @ own.left @ (stream[j] @ own.right)
        assert score == pytest.approx(scaled[i, j], rel=1e-4, abs=1e-6)


def test_the_rest_of_the_columns_keeps_its_numbers_in_a_partial_rotation() -> None:
    rows = np.arange(12.0).reshape(2, 6)
    found = rotated(rows, Rotary(rotary_dim=4), 3)
    np.testing.assert_array_equal(found[:, 4:], rows[:, 4:])
    np.testing.assert_allclose(found[:, :4], rows[:, :4] @ dense.rotation(3, 4))


def test_the_tokens_of_a_vector_are_those_of_whole_products(
    gpt2: models.Model, tmp_path: Path
) -> None:
    given = tensors(gpt2.path)
    table = given["wte.weight"]  # (n_tokens, d_model), also the unembedding
    final = dense.CENTRE @ np.diag(given["ln_f.weight"])
    own = circuit(gpt2, 0, 1, "OV")
    bert = models.load(write_bert(tmp_path / "bert"))
    embeddings = tensors(bert.path)
    first = dense.CENTRE @ np.diag(embeddings["embeddings.LayerNorm.weight"])
    words = embeddings["embeddings.word_embeddings.weight"]
    keys = circuit(bert, 0, 1)
    gemma = models.load(write_gemma2(tmp_path / "gemma"))
    scaled = np.sqrt(32) * tensors(gemma.path)["model.embed_tokens.weight"]
    ov = circuit(gemma, 0, 2, "OV")
    for model, found, side, expected in (
        (gpt2, own, "left", table @ own.left_vectors[:, 1]),
        (gpt2, own, "right", own.right_vectors[:, 1] @ final @ table.T),
        (gemma, ov, "left", scaled @ ov.left_vectors[:, 1]),
        (bert, keys, "right", words @ first @ keys.right_vectors[:, 1]),
    ):
        tokens = found.top_tokens(model, 1, side, count=4)
        order = np.argsort(-np.abs(expected))[:4]
        assert [token.id for token in tokens] == order.tolist()
        assert [token.token for token in tokens] == [f"#{id}" for id in order]
        products = [token.value for token in tokens]
        np.testing.assert_allclose(products, expected[order], rtol=1e-4)
    with pytest.raises(ValueError, match=r"must predict tokens.*Got BERT without one"):
        circuit(bert, 0, 1, "OV").top_tokens(bert, side="right")


def test_a_circuit_is_shown_and_pickled(gpt2: models.Model) -> None:
    own = circuit(gpt2, 1, 2, "OV")
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.singular_values, own.singular_values)
    assert (again.kind, again.layer, again.head) == ("OV", 1, 2)
    html = own._repr_html_()
    assert "<b>OV circuit of L1 H2</b>" in html
    assert f"{own.singular_values[0]:.4f}" in html
    assert f"{own.norm:.4f}" in repr(own)
    with pytest.raises(ValueError, match="read-only"):
        own.left[0, 0] = 1


def test_what_there_is_not_is_refused(gpt2: models.Model, tmp_path: Path) -> None:
    with pytest.raises(IndexError, match=r"'layer' must be from 0 to 1. Got -1"):
        circuit(gpt2, -1, 0)
    with pytest.raises(IndexError, match=r"'head' must be from 0 to 3. Got 4"):
        circuit(gpt2, 0, 4)
    with pytest.raises(ValueError, match=r"'kind' must be one of QK, OV. Got 'VO'"):
        circuit(gpt2, 0, 0, "VO")
    with pytest.raises(ValueError, match=r"'distance' must be None.* of GPT-2"):
        circuit(gpt2, 0, 0, distance=0)
    llama = models.load(write_llama(tmp_path / "llama", hidden_size=64))
    with pytest.raises(ValueError, match=r"'distance' must be None.* OV circuit"):
        circuit(llama, 0, 0, "OV", distance=1)
    with pytest.raises(TypeError, match=r"'distance' parameter must be an integer"):
        circuit(llama, 0, 0, distance=0.5)
    own = circuit(gpt2, 0, 0)
    with pytest.raises(IndexError, match=r"'index' must be from 0 to 7. Got 8"):
        own.top_tokens(gpt2, 8)
    with pytest.raises(ValueError, match=r"'side' must be one of left, right"):
        own.top_tokens(gpt2, side="query")
    with pytest.raises(ValueError, match=r"rows of 32 numbers.* Got 64"):
        own.top_tokens(llama)
