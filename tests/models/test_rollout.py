"""Attention rollout and flow, worked out by hand for two tokens and beside loops."""

from itertools import product

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import Site, flow, rollout
from attnviewer.models.flow import maximum_flows
from tests.models.checkpoints import write

FIRST = np.array([[1, 0], [0.6, 0.4]])
SECOND = np.array([[1, 0], [0.2, 0.8]])


@pytest.fixture
def run(tmp_path) -> models.ModelTrace:
    """Two layers over two tokens, whose heads look as above on average."""
    model = models.load(write("gpt2", tmp_path))
    run = model.run([1, 2])
    scales = np.ones((model.n_heads, 1, 1))
    scales[:2, 0, 0] = 0.5, 1.5
    for layer, weights in enumerate((FIRST, SECOND)):
        run = run.with_activations({Site("weights", layer): scales * weights})
    return run


def test_rollout_multiplies_half_residual_half_attention(run) -> None:
    # Ã is [1 0; 0.3 0.7], then [1 0; 0.1 0.9]: 0.1 + 0.9 · 0.3 = 0.37.
    np.testing.assert_allclose(rollout(run, 0).values, [[1, 0], [0.3, 0.7]], atol=1e-7)
    last = rollout(run, 1)
    np.testing.assert_allclose(last.values, [[1, 0], [0.37, 0.63]], atol=1e-7)
    assert last.row_labels == last.column_labels
    assert last.title == "Attention rollout up to layer 1"


def test_flow_is_limited_by_the_narrowest_place(run) -> None:
    # Token 1 to token 0: 0.1 by way of token 0, 0.3 of the 0.9 by way of token 1.
    np.testing.assert_allclose(flow(run, 1).values, [[1, 0], [0.4, 0.7]], atol=1e-7)
    np.testing.assert_allclose(flow(run, 0).values, [[1, 0], [0.3, 0.7]], atol=1e-7)


def test_a_maximum_flow_is_the_smallest_cut() -> None:
    # By the theorem of Ford and Fulkerson, over all sets of nodes.
    layers, n = 3, 3
    capacities = np.random.default_rng(1).dirichlet(np.ones(n), (layers, n))
    got = np.array(list(maximum_flows(capacities)))
    inner = list(product(range(1, layers), range(n)))
    for i, j in product(range(n), range(n)):
        cuts = []
        for chosen in product((False, True), repeat=len(inner)):
            source = dict(zip(inner, chosen, strict=True))
            source |= {(layers, k): k == i for k in range(n)}
            source |= {(0, k): False for k in range(n)}
            # Other ends are no sink: they lie on either side, whichever is smaller.
            source |= {(0, k): True for k in range(n) if k != j}
            cuts.append(
                sum(
                    capacities[layer, a, b]
                    for layer, a, b in product(range(layers), range(n), range(n))
                    if source[layer + 1, a] and not source[layer, b]
                )
            )
        assert got[i, j] == pytest.approx(min(cuts), abs=1e-7)


@pytest.mark.parametrize("family", ["llama", "bert"])
def test_rollout_of_values_weighs_tokens_by_what_is_moved(family, tmp_path) -> None:
    model = models.load(write(family, tmp_path))
    run = model.run([1, 2, 3, 4])
    want = np.eye(4)
    for layer in range(model.n_layers):
        trace, W_O = run.attention(layer), run.weights(layer)["W_O"]
        width = model.architecture.d_head
        shared = model.n_heads // model.architecture.n_kv_heads
        lengths = np.zeros((4, 4))
        for i, j in product(range(4), range(4)):
            moved = sum(
                trace["weights"][h, i, j]
                * trace["V"][h // shared, j].astype(float)
                @ W_O[h * width : (h + 1) * width]
                for h in range(model.n_heads)
            )
            lengths[i, j] = np.linalg.norm(moved)
        shares = lengths / lengths.sum(-1, keepdims=True)
        want = (shares + np.eye(4)) / 2 @ want
    np.testing.assert_allclose(rollout(run, of="values").values, want, atol=1e-6)
    np.testing.assert_allclose(rollout(run).values.sum(-1), 1)


def test_rollout_and_flow_say_what_they_cannot_do(run) -> None:
    for combine in (rollout, flow):
        with pytest.raises(IndexError, match="'layer' must be from 0 to"):
            combine(run, run.model.n_layers)
    with pytest.raises(ValueError, match="'of' must be one of weights, values"):
        rollout(run, of="keys")
    below = run.with_activations({Site("weights", 0, 0): -np.eye(2)})
    with pytest.raises(ValueError, match=r"must not be negative.*-1 in layer 0"):
        rollout(below, 0)


def test_flow_refuses_long_sentences(tmp_path) -> None:
    model = models.load(write("llama", tmp_path))
    with pytest.raises(ValueError, match=r"at most 64 tokens.*Got 65"):
        flow(model.run([1] * 65))
