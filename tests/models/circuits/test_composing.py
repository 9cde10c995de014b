"""Composition of heads, against products of whole matrices."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import composition
from attnviewer.models.circuits import compositions_of_head
from tests.models.by_hand import tensors
from tests.models.checkpoints import write_bert, write_gemma2, write_gpt2
from tests.models.circuits import dense
from tests.models.circuits.dense import relative


def test_every_pair_of_heads_of_gpt2_composes_as_the_whole_matrices(
    tmp_path: Path,
) -> None:
    model = models.load(write_gpt2(tmp_path, n_layer=3))
    given = tensors(model.path)
    grids = {kind: composition(model, kind) for kind in ("Q", "K", "V")}
    places = [(layer, head) for layer in range(3) for head in range(4)]
    for grid in grids.values():
        assert grid.values.shape == (8, 8)
        assert grid.row_labels[4] == "L1 H0"
        assert grid.column_labels[-1] == "L2 H3"
        assert grid.center == pytest.approx(1 / np.sqrt(32))
    for row, first in enumerate(places[:8]):
        for column, second in enumerate(places[4:]):
            found = {kind: grid.values[row, column] for kind, grid in grids.items()}
            if first[0] >= second[0]:
                assert np.isnan(list(found.values())).all()
                continue
            (_, ov), (qk, later) = (dense.gpt2(given, *at) for at in (first, second))
            expected = {
                "Q": relative(ov @ qk, ov, qk),
                "K": relative(ov @ qk.T, ov, qk),
                "V": relative(ov @ later, ov, later),
            }
            assert found == pytest.approx(expected, rel=1e-5)


def test_grouped_heads_compose_at_a_distance(tmp_path: Path) -> None:
    model = models.load(write_gemma2(tmp_path))
    given = tensors(model.path)
    _, ov = dense.gemma2(given, 0, 1)
    qk, _ = dense.gemma2(given, 1, 2, query=7, key=2)
    for kind, product in ("Q", ov @ qk), ("K", ov @ qk.T):
        grid = composition(model, kind, distance=-5)
        assert grid.title == f"{kind}-composition at distance -5"
        expected = relative(product, ov, qk)
        assert grid.values[1, 2] == pytest.approx(expected, rel=1e-5)
        near = composition(model, kind)
        assert near.title == f"{kind}-composition at distance 0"
        assert abs(near.values[1, 2] - expected) > 1e-4


def test_what_bert_writes_passes_the_norms_in_between(tmp_path: Path) -> None:
    model = models.load(write_bert(tmp_path, num_hidden_layers=3))
    given = tensors(model.path)
    norms = [dense.bert_norms(given, layer) for layer in range(2)]
    ov = dense.bert(given, 0, 1)[1] @ norms[0] @ norms[1]
    qk, later = dense.bert(given, 2, 3)
    for kind, product, other in ("K", ov @ qk.T, qk), ("V", ov @ later, later):
        found = composition(model, kind).values[1, 7]
        assert found == pytest.approx(relative(product, ov, other), rel=1e-5)


def test_random_heads_have_the_number_that_has_no_colour(tmp_path: Path) -> None:
    model = models.load(write_gpt2(tmp_path, n_embd=64, n_head=8))
    grid = composition(model, "V")
    root_mean_square = np.sqrt((grid.values**2).mean())
    assert root_mean_square == pytest.approx(grid.center, rel=0.05)


def test_what_cannot_compose_is_refused(tmp_path: Path) -> None:
    single = models.load(write_gpt2(tmp_path / "single", n_layer=1))
    with pytest.raises(ValueError, match=r"at least 2 layers.* Got 1"):
        composition(single)
    with pytest.raises(ValueError, match=r"'kind' must be one of Q, K, V. Got 'QK'"):
        composition(single, "QK")
    gemma = models.load(write_gemma2(tmp_path / "gemma"))
    with pytest.raises(ValueError, match=r"'distance' must be None"):
        composition(gemma, "V", distance=1)


def test_the_compositions_of_one_head_are_those_of_all_heads(tmp_path: Path) -> None:
    model = models.load(write_bert(tmp_path, num_hidden_layers=3))
    grid, heads = composition(model, "K").values, model.n_heads
    found = dict(compositions_of_head(model, 1, 2, "K"))
    assert list(found) == [0, 2]
    # Earlier heads are rows from layer 0 on, later ones columns from layer 1 on.
    np.testing.assert_allclose(found[0], grid[:heads, 2], rtol=1e-5)
    np.testing.assert_allclose(found[2], grid[heads + 2, heads:], rtol=1e-5)
    with pytest.raises(IndexError, match="The 'head' must be from 0"):
        compositions_of_head(model, 1, heads, "K")
