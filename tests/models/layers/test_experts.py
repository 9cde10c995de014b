"""Feed-forward layers of experts, token by token, and their gradients."""

import numpy as np

from attnviewer.models.layers import Expert, Linear, routed, routed_backward

_RNG = np.random.default_rng(4)
_ROUTER = Linear(_RNG.normal(size=(3, 4)), _RNG.normal(size=4))
_EXPERTS = [
    Expert(
        Linear(_RNG.normal(size=(3, 10)), _RNG.normal(size=10)),
        Linear(_RNG.normal(size=(5, 3)), _RNG.normal(size=3)),
    )
    for _ in range(4)
]
_X = _RNG.normal(size=(6, 3))
_OPTIONS = {"k": 2, "alpha": 1.7, "limit": 1.5}


def _of_token(x: np.ndarray) -> np.ndarray:
    logits = x @ _ROUTER.weight + _ROUTER.bias
    best = sorted(range(4), key=lambda expert: -logits[expert])[:2]
    shares = np.exp(logits[best]) / np.exp(logits[best]).sum()
    total = np.zeros(3)
    for share, expert in zip(shares, best, strict=True):
        up_layer, down_layer = _EXPERTS[expert]
        pair = x @ up_layer.weight + up_layer.bias
        gate, up = np.minimum(pair[0::2], 1.5), np.clip(pair[1::2], -1.5, 1.5)
        wide = (up + 1) * gate / (1 + np.exp(-1.7 * gate))
        total += share * (wide @ down_layer.weight + down_layer.bias)
    return total


def test_a_token_goes_through_the_best_experts_alone() -> None:
    read: set[int] = set()

    def reading(expert: int) -> Expert:
        read.add(expert)
        return _EXPERTS[expert]

    one = routed(_X[:1], _ROUTER, reading, **_OPTIONS)
    np.testing.assert_allclose(one[0], _of_token(_X[0]), rtol=1e-12)
    assert len(read) == 2
    every = routed(_X, _ROUTER, reading, **_OPTIONS)
    expected = [_of_token(x) for x in _X]
    np.testing.assert_allclose(every, expected, rtol=1e-12)


def test_the_gradient_passes_through_experts_and_shares() -> None:
    on_output = _RNG.normal(size=(6, 3))
    found = routed_backward(on_output, _X, _ROUTER, _EXPERTS.__getitem__, **_OPTIONS)
    for cell in np.ndindex(_X.shape):
        moved = np.zeros_like(_X)
        moved[cell] = 1e-6
        above, below = (
            routed(_X + sign * moved, _ROUTER, _EXPERTS.__getitem__, **_OPTIONS)
            for sign in (1, -1)
        )
        slope = ((above - below) * on_output).sum() / 2e-6
        np.testing.assert_allclose(found[cell], slope, rtol=1e-6, atol=1e-8)
