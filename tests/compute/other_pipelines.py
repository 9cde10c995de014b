"""Pipelines of stages that the product does not have, and what NumPy says of them."""

import sys
from collections.abc import Callable

import numpy as np

from attnviewer.compute import NORMALIZERS, Spec, build_stages
from attnviewer.compute.positions import Alibi, alibi_slopes
from attnviewer.compute.stages import (
    AddBias,
    ApplyMask,
    Mix,
    Normalize,
    Scale,
    Score,
    Stage,
)
from attnviewer.document import Document
from tests.compute.other_stages import Gate, Hold, Shares, Squares, Subtract, Unfolded

N, D, HEADS, KV = 7, 6, 4, 2
SPEC = Spec(
    n_heads=HEADS,
    n_kv_heads=KV,
    causal=True,
    output_projection=True,
    positions=Alibi(),
)
SHAPES = {"X": (N, D), "W_Q": (D, 12), "W_K": (D, 6), "W_V": (D, 6), "W_O": (12, D)}
FACTOR, HELD_SCORE, HELD_WEIGHT = 0.4, 1.5, 0.25
ALIBI = -alibi_slopes(HEADS)[:, None, None] * (np.arange(N)[:, None] - np.arange(N))
SEEN = np.tril(np.ones((N, N), dtype=bool))

Change = Callable[[list[Stage]], list[Stage]]


def _renamed(stage: Stage, name: str, *inputs: str) -> Stage:
    stage.name, stage.inputs = name, inputs
    return stage


def _gated(stages: list[Stage]) -> list[Stage]:
    return _before_mix(stages, [Gate()], "gated")


def _squared(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    return [*stages[:normalize], Squares("masked"), *stages[normalize + 1 :]]


def _differential(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    second = [
        _renamed(Score("Q", "V"), "scores 2", "Q", "V"),
        _renamed(Scale(3), "scaled 2", "scores 2"),
        _renamed(
            AddBias("scaled 2", given=False, alibi_heads=HEADS, n_keys=N),
            "biased 2",
            "scaled 2",
        ),
        _renamed(
            ApplyMask("biased 2", stages[normalize - 1].rules, n_keys=N),
            "masked 2",
            "biased 2",
        ),
        _softmax("masked 2", "weights 2"),
    ]
    return [
        *stages[:normalize],
        _softmax("masked", "weights 1"),
        *second,
        Subtract("weights 1", "weights 2", FACTOR),
        *stages[normalize + 1 :],
    ]


def _linear(stages: list[Stage]) -> list[Stage]:
    comparison, normalize = _index(stages, Score), _index(stages, Normalize)
    mask = stages[normalize - 1]
    return [
        *stages[:comparison],
        Unfolded("Q"),
        Unfolded("K"),
        Score("φ(Q)", "φ(K)"),
        ApplyMask("scores", mask.rules, n_keys=N),
        Shares("masked"),
        *stages[normalize + 1 :],
    ]


def _held(stages: list[Stage]) -> list[Stage]:
    normalize = _index(stages, Normalize)
    kept = [
        *stages[:normalize],
        Hold("held scores", "masked", 3, 1, HELD_SCORE),
        _softmax("held scores", "weights"),
        *stages[normalize + 1 :],
    ]
    return _before_mix(
        kept, [Hold("held weights", "weights", 4, 2, HELD_WEIGHT)], "held weights"
    )


def _softmax(source: str, name: str) -> Stage:
    return _renamed(Normalize(source, NORMALIZERS["softmax"]()), name, source)


def _before_mix(stages: list[Stage], more: list[Stage], weights: str) -> list[Stage]:
    place = _index(stages, Mix)
    mix = Mix(stages[place].name, "V", weights)
    return [*stages[:place], *more, mix, *stages[place + 1 :]]


def _index(stages: list[Stage], kind: type[Stage]) -> int:
    return next(k for k, stage in enumerate(stages) if isinstance(stage, kind))


def oracle(kind: str, inputs) -> dict[str, np.ndarray]:
    """Compute the attention with NumPy alone; complex inputs give derivatives."""
    queries, keys, values = (
        (inputs["X"] @ inputs[f"W_{letter}"]).reshape(N, count, 3).swapaxes(0, 1)
        for letter, count in (("Q", HEADS), ("K", KV), ("V", KV))
    )
    keys, values = (np.repeat(side, HEADS // KV, axis=0) for side in (keys, values))

    def softmax(scores):
        powers = np.where(SEEN, np.exp(np.where(SEEN, scores, 0)), 0)
        return powers / powers.sum(axis=-1, keepdims=True)

    def scores(right):
        return queries @ right.swapaxes(-1, -2) / np.sqrt(3) + ALIBI

    if kind == "gated":
        gate = 1 / (1 + np.exp(-(queries[..., :1] + keys[..., :1].swapaxes(-1, -2))))
        mixed = softmax(scores(keys)) * gate
    elif kind == "squared":
        squares = np.where(SEEN, scores(keys), 0) ** 2
        mixed = squares / squares.sum(axis=-1, keepdims=True)
    elif kind == "differential":
        mixed = softmax(scores(keys)) - FACTOR * softmax(scores(values))
    elif kind == "linear":
        products = _unfolded(queries) @ _unfolded(keys).swapaxes(-1, -2)
        shares = np.where(SEEN, products, 0)
        mixed = shares / shares.sum(axis=-1, keepdims=True)
    else:
        held = scores(keys)
        held[:, 3, 1] = HELD_SCORE
        mixed = softmax(held)
        mixed[:, 4, 2] = HELD_WEIGHT
    heads = mixed @ values
    if kind == "linear":
        heads = _recurrent(_unfolded(queries), _unfolded(keys), values)
    output = heads.swapaxes(0, 1).reshape(N, -1) @ inputs["W_O"]
    return {"mixed by": mixed, "heads": heads, "output": output}


CHANGES: dict[str, Change] = {
    "gated": _gated,
    "squared": _squared,
    "differential": _differential,
    "held": _held,
    "linear": _linear,
}


def _unfolded(rows):
    return np.where(rows.real > 0, rows + 1, np.exp(rows))


def _recurrent(queries, keys, values):
    """Compute linear attention without weights, by a state that grows token by token.

    Katharopoulos et al. 2020, "Transformers are RNNs", equations 10 and 11.
    """
    outer = keys[..., :, np.newaxis] * values[..., np.newaxis, :]  # (h, n, d, d_v)
    states, totals = outer.cumsum(axis=1), keys.cumsum(axis=1)
    mixed = (queries[..., np.newaxis, :] @ states)[..., 0, :]  # (h, n, d_v)
    return mixed / (queries * totals).sum(axis=-1, keepdims=True)


def have_built(monkeypatch, kind: str) -> None:
    """Have specs built with other stages."""

    def build(spec, shapes):
        return tuple(CHANGES[kind](list(build_stages(spec, shapes))))

    for module in ("compute.run", "compute.engine.engine", "training.slope"):
        if f"attnviewer.{module}" in sys.modules:
            monkeypatch.setattr(
                sys.modules[f"attnviewer.{module}"], "build_stages", build
            )


def weights_of(kind: str) -> str:
    """Return the step that the values are mixed by."""
    return {"gated": "gated", "held": "held weights"}.get(kind, "weights")


def document_with(inputs) -> Document:
    """Return a document of the variant that the pipelines are changed from."""
    return Document("Other", "abcdefg"[:N], inputs, SPEC)


def random_inputs(seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    return {name: random.normal(size=shape) for name, shape in SHAPES.items()}
