"""A score is split over pairs of components."""

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin
from attnviewer.compute.number_text import format_number
from attnviewer.models.activations import Site
from attnviewer.models.residual import Component, components, score_parts, written
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gpt2, write_llama

IDS = [3, 1, 4, 1, 5]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


def test_each_pair_of_the_first_layer_is_the_product_of_its_own_parts(
    gpt2: models.Model,
) -> None:
    own = by_hand.tensors(gpt2.path)
    query, key, head = 4, 2, 1
    token, place = own["wte.weight"][IDS], own["wpe.weight"]
    W, b = own["h.0.attn.c_attn.weight"], own["h.0.attn.c_attn.bias"]
    queries, keys = slice(8, 16), slice(40, 48)  # of head 1, 8 wide

    def parts(at: int, columns: slice) -> np.ndarray:
        x = token[at] + place[at]
        rows = [
            (row - row.mean()) / np.sqrt(x.var() + 1e-5) * own["h.0.ln_1.weight"]
            for row in (token[at], place[at])
        ]
        return np.array(
            [
                *((row @ W[:, columns]) for row in (*rows, own["h.0.ln_1.bias"])),
                b[columns],
            ]
        )

    found = score_parts(gpt2.run(IDS), 0, head, query, key)
    expected = parts(query, queries) @ parts(key, keys).T / np.sqrt(8)
    assert [c.kind for c in found.components] == [
        *("token", "position", "input_norm", "projection_bias")
    ]
    np.testing.assert_allclose(found.matrix, expected, atol=1e-6)
    assert found.pins == 0
    row, column = np.unravel_index(np.abs(expected).argmax(), expected.shape)
    first, *others = found.pairs()
    assert first == (
        found.components[row],
        found.components[column],
        pytest.approx(expected[row, column], abs=1e-6),
    )
    assert len(others) == 15
    assert found.by_key.total == pytest.approx(expected.sum(), abs=1e-6)


def test_every_score_of_grouped_and_rotated_heads_is_the_sum_of_its_parts(
    tmp_path: Path,
) -> None:
    folder = write_llama(tmp_path, attention_bias=True, num_key_value_heads=2)
    run = models.load(folder).run(IDS)
    scaled = run.attention(1)["scaled"]
    for head in range(4):
        for query, key in (3, 1), (0, 4), (-1, -1):
            parts = score_parts(run, 1, head, query, key)
            expected = scaled[head, query, key]
            assert parts.score == expected
            assert parts.matrix.sum() == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_scores_that_are_not_scaled_are_split_as_they_are(tmp_path: Path) -> None:
    run = models.load(write_gpt2(tmp_path, scale_attn_weights=False)).run(IDS)
    parts = score_parts(run, 1, 2, 4, 0)
    assert parts.score == run.attention(1)["scores"][2, 4, 0]
    assert parts.matrix.sum() == pytest.approx(parts.score, rel=1e-5)


def test_pins_have_terms_of_their_own(gpt2: models.Model) -> None:
    output = Pin("output", 2, 0, 7.0)
    score = Pin("scores", 2, 0, 2.0, head=1, how="add")
    run = gpt2.run(IDS).with_pins(0, [output]).with_pins(1, [score])
    stream = components(run, 1)
    np.testing.assert_allclose(stream.total, run.stream(1), atol=1e-5)
    added = stream[Component("pins", 0)]
    before = run.attention(0).computed("output")[2, 0]
    assert added[2, 0] == pytest.approx(7 - before, abs=1e-6)
    assert np.count_nonzero(added) == 1
    parts = score_parts(run, 1, 1, 2, 0)
    assert parts.pins == pytest.approx(2 / np.sqrt(8), abs=1e-5)
    assert parts.matrix.sum() + parts.pins == pytest.approx(parts.score, abs=1e-6)
    later = run.with_pins(1, [Pin("weights", 2, 0, 0.5)])
    assert score_parts(later, 1, 1, 2, 0).pins == 0


def test_what_a_head_writes_is_its_weighted_values_after_w_o(tmp_path: Path) -> None:
    run = models.load(write_llama(tmp_path, num_hidden_layers=2)).run(IDS)
    trace, head = run.attention(1), 3  # the second of those that share values
    W_O = run.weights(1)["W_O"].astype(np.float64)[24:32]
    moved = np.array(
        [
            [trace["weights"][head, i, j] * (trace["V"][1, j] @ W_O) for j in range(5)]
            for i in range(5)
        ]
    )  # (n, n, d_model)
    expected = np.sqrt((moved**2).sum(axis=-1))
    np.testing.assert_allclose(written(run, 1, head), expected, atol=1e-6)
    own = components(run, 2)[Component("head", 1, head)]
    np.testing.assert_allclose(moved.sum(axis=1), own, atol=1e-6)


def test_parts_of_a_score_are_shown_and_pickled(gpt2: models.Model) -> None:
    parts = score_parts(gpt2.run(IDS), 1, 1, 3, 2)
    again = pickle.loads(pickle.dumps(parts))
    np.testing.assert_array_equal(again.matrix, parts.matrix)
    assert again.labels == parts.labels
    assert parts.labels[2] == "L0 H0"
    np.testing.assert_array_equal(parts.grid.values, parts.matrix)
    assert parts.grid.row_labels == parts.labels
    assert "scaled score of L1 H1, query 3 and key 2 = " in repr(parts)
    html = parts._repr_html_()
    pair = parts.pairs(1)[0]
    assert f"<td>{pair.query}</td>" in html
    assert f"<td>{pair.key}</td>" in html
    assert format_number(pair.value, 4) in html
    more = len(parts.labels) - 8
    assert f"and {more} more rows, {more} more columns" in html
    assert "L1 H1, query 3 and key 2" in parts.by_key._repr_html_()


def test_heads_and_tokens_that_there_are_not_are_refused(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    with pytest.raises(IndexError, match=r"'layer' must be from 0 to 1. Got 2"):
        score_parts(run, 2, 0, 0, 0)
    with pytest.raises(IndexError, match=r"'head' must be from 0 to 3. Got 4"):
        written(run, 0, 4)
    with pytest.raises(IndexError, match=r"'key' must be one of 5 tokens.*Got 5"):
        score_parts(run, 0, 0, 0, 5)
    with pytest.raises(IndexError, match=r"'positions' must be one of 5 .* Got -6"):
        components(run, 0, [-6])
    assert components(run, 0, -1).positions == (4,)
    with pytest.raises(TypeError, match=r"'positions' parameter must be an integer"):
        components(run, 0, np.array([0.5]))
    with pytest.raises(IndexError, match=r"'layer' must be from 0 to 2. Got 3"):
        components(run, 3)
    with pytest.raises(TypeError, match=r"'query' parameter must be an integer"):
        score_parts(run, 0, 0, 1.5, 0)
    with pytest.raises(KeyError, match=r"Got L1 MLP instead"):
        components(run, 1)[Component("mlp", 1)]


@pytest.mark.parametrize("write", [write_gpt2, write_bert])
def test_replaced_activations_are_components_and_all_still_sums(
    write: Callable[[Path], Path], tmp_path: Path
) -> None:
    run = models.load(write(tmp_path)).run(IDS)
    other = np.linspace(-1, 1, 5 * 32, dtype=np.float32).reshape(5, 32)
    mlp, stream = Site("feed_forward", 0), Site("stream", 2)
    changed = run.with_activations({mlp: other})
    changed = changed.with_activations({Site("after_attention", 1): other}, [1, 4])
    changed = changed.with_activations({stream: other}, [2])
    for layer in range(3):
        found = components(changed, layer)
        np.testing.assert_allclose(found.total, changed.stream(layer), atol=1e-5)
    for earlier in (
        Component("token"),
        Component("head", 0, 1),
        Component("mlp", 0),
        Component("head", 1, 2),
    ):
        there = found[earlier].any(axis=1)  # (n,)
        np.testing.assert_array_equal(there, [True, False, False, True, False])
    there = found[Component("mlp", 1)].any(axis=1)
    np.testing.assert_array_equal(there, [True, True, False, True, True])
    np.testing.assert_array_equal(found[Component("stream", 2)][2], other[2])
    parts = score_parts(changed, 1, 1, 4, 2)
    assert parts.matrix.sum() == pytest.approx(parts.score, abs=1e-5)
    assert Component("mlp", 0).site == mlp
    assert Component("head", 1, 2).site == Site("heads", 1, 2)
    assert Component("token").site is None
