"""Attention in plain NumPy, written without attnviewer, a method for each step.

A mistake is planted by putting another function in the place of a method.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # arrays of numbers and of flags
Hook: TypeAlias = Callable[..., Any]


@dataclass(frozen=True)
class Layer:
    """What an attention layer is meant to compute."""

    n: int = 6
    n_keys: int | None = None
    d_model: int = 12
    heads: int = 2
    kv_heads: int | None = None
    width: int | None = None
    value_width: int | None = None
    causal: bool = False
    window: tuple[int | None, int | None] | None = None
    positions: str | None = None
    interleaved: bool = False
    turned: int | None = None
    frequencies: tuple[float, ...] | None = None
    attention_factor: float = 1.0
    first_key: int = 0
    first_query: int = 0
    softcap: float | None = None
    scale: float | None = None
    temperature: float = 1.0
    normalizer: str = "softmax"
    score: str = "dot"
    mask: str | None = None
    key_lengths: int | None = None
    bias: bool = False
    biases: bool = False
    extra: int = 0
    output: bool = True
    size: float = 1.0
    values_apart: bool = False
    norm: str | None = None
    norm_late: bool = False
    sinks: bool = False
    chunk: int | None = None
    batch: int = 0

    @property
    def d(self) -> int:
        """The width of a head's queries and keys."""
        return self.width or self.d_model // self.heads

    @property
    def d_v(self) -> int:
        """The width of a head's values."""
        return self.value_width or self.d

    @property
    def shared(self) -> int:
        """The number of heads of keys and values."""
        return self.kv_heads or self.heads

    @property
    def keys(self) -> int:
        """The number of keys."""
        return self.n_keys or self.n


def inputs_of(layer: Layer, seed: int = 0) -> dict[str, Array]:
    """Return random inputs of a layer."""
    random = np.random.default_rng(seed)
    d_model, h, g = layer.d_model, layer.heads, layer.shared

    def normal(*shape: int) -> Array:
        return random.normal(size=shape)

    found = {"X": normal(*(layer.batch,) * bool(layer.batch), layer.n, d_model)}
    if layer.n_keys is not None:
        found["context"] = normal(layer.keys, d_model)
    root = d_model**0.5
    found["W_Q"] = layer.size * 1.5 * normal(d_model, h * layer.d) / root
    found["W_K"] = layer.size * 1.5 * normal(d_model, g * layer.d) / root
    found["W_V"] = normal(d_model, g * layer.d_v) / root
    if layer.output:
        found["W_O"] = normal(h * layer.d_v, d_model) / root
    if layer.biases:
        found |= {"b_Q": normal(h * layer.d), "b_K": normal(g * layer.d)}
        found |= {"b_V": normal(g * layer.d_v)}
        if layer.output:
            found["b_O"] = normal(d_model)
    if layer.positions == "learned":
        found["P"] = normal(layer.n + 4, d_model)
    if layer.mask == "square":
        found["mask"] = (random.random((layer.n, layer.keys)) < 0.6) | (
            np.arange(layer.keys) == np.arange(layer.n)[:, None]
        )
    if layer.mask == "blind":
        found["mask"] = random.random((layer.n, layer.keys)) < 0.6
        found["mask"][2] = False
    if layer.mask == "padding":
        found["mask"] = np.arange(layer.keys) < layer.keys - 2
    if layer.bias:
        found["bias"] = normal(h, layer.n, layer.keys)
    if layer.score == "additive":
        found |= {"w_q": normal(layer.d, 5), "w_k": normal(layer.d, 5), "v": normal(5)}
    if layer.score == "general":
        found["w"] = normal(layer.d, layer.d)
    if layer.norm:
        found |= {"gain_Q": 0.5 + normal(layer.d) ** 2}
        found |= {"gain_K": 0.5 + normal(layer.d) ** 2}
    if layer.sinks:
        found["sinks"] = normal(h)
    if layer.extra:
        found["extra_keys"] = normal(layer.extra, g * layer.d)
        found["extra_values"] = normal(layer.extra, g * layer.d_v)
    return found


def softmax(scores: Array, axis: int | tuple[int, ...] = -1) -> Array:
    """Return exp(s) / Σ exp(s); 0 where all are −∞."""
    top = scores.max(axis=axis, keepdims=True)
    powers = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = powers.sum(axis=axis, keepdims=True)
    return np.where(total == 0, 0.0, powers / np.where(total == 0, 1, total))


def turn_pairs(rows: Array, angles: Array, interleaved: bool) -> Array:
    """Return rows (..., n, D) with pairs of columns turned by angles (n, D / 2)."""
    half = rows.shape[-1] // 2
    first, second = (
        (rows[..., ::2], rows[..., 1::2])
        if interleaved
        else (rows[..., :half], rows[..., half:])
    )
    turned = (first + 1j * second) * np.exp(1j * angles)
    if interleaved:
        return np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)
    return np.concatenate([turned.real, turned.imag], axis=-1)


@dataclass
class Plain:
    """An implementation; its methods may be replaced by mistaken ones."""

    layer: Layer
    given: dict[str, Array]
    hooks: dict[str, Hook] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, hook in self.hooks.items():
            assert hasattr(self, name), name
            setattr(self, name, partial(hook, self))

    def steps(self) -> dict[str, Array]:
        """Return all steps by the names of the plan."""
        with np.errstate(all="ignore"):
            return self._steps()

    def _steps(self) -> dict[str, Array]:
        if self.layer.batch:
            return self._steps_of_each()
        found: dict[str, Array] = {}
        sides = {}
        for letter in "QKV":
            rows = self.project(letter, self.source(letter))
            sides[letter] = found[letter] = self.split(letter, rows)
        for letter in "QK":
            sides[letter] = self.prepared(letter, sides[letter])
        if self.layer.positions == "rope" and not self.layer.norm:
            found |= {f"rotated {letter}": sides[letter] for letter in "QK"}
        q, k, v = (self.extended(name, sides[name]) for name in "QKV")
        k, v = self.spread("K", k), self.spread("V", v)
        found["scores"] = self.compare(q, k)
        found["scaled"] = self.scaled(found["scores"])
        found["capped"] = self.capped(found["scaled"])
        found["biased"] = self.biased(found["capped"])
        found["masked"] = self.hidden(found["biased"])
        found["weights"] = self.normalized(found["masked"])
        found["heads"] = self.mixed(found["weights"], v, q, k)
        found["concatenated"] = self.joined(found["heads"])
        found["output"] = self.finished(found["concatenated"])
        return found

    def _steps_of_each(self) -> dict[str, Array]:
        """Return the steps of all batch items."""
        each = []
        for rows in self.sequences():
            layer = replace(self.layer, batch=0, n=len(rows))
            each.append(replace(self, layer=layer, given=self.given | {"X": rows}))
        steps = [item.steps() for item in each]
        return {name: self.gathered([one[name] for one in steps]) for name in steps[0]}

    def sequences(self) -> Array:
        return self.given["X"]

    def gathered(self, arrays: list[Array]) -> Array:
        return np.stack(arrays)

    def source(self, letter: str) -> Array:
        """Return the sequence that queries, keys or values are made from."""
        x = self.embedded()
        return x if letter == "Q" else self.given.get("context", x)

    def embedded(self) -> Array:
        x = self.given["X"]
        return x + self.encoding() if self.encodes() else x

    def encodes(self) -> bool:
        return self.layer.positions in ("sinusoidal", "learned")

    def encoding(self) -> Array:
        if self.layer.positions == "learned":
            return self.given["P"][: self.layer.n]
        return self.sinusoids(np.arange(self.layer.n))

    def sinusoids(self, at: Array, base: float = 10000.0) -> Array:
        d = self.layer.d_model
        table = np.zeros((len(at), d))
        for pair in range(d // 2):
            angle = at / base ** (2 * pair / d)
            table[:, 2 * pair], table[:, 2 * pair + 1] = np.sin(angle), np.cos(angle)
        return table

    def weight(self, letter: str) -> Array:
        return self.given[f"W_{letter}"]

    def offset(self, letter: str) -> Array:
        """Return the bias of a projection."""
        return self.given.get(f"b_{letter}", 0.0)

    def project(self, letter: str, rows: Array) -> Array:
        return rows @ self.weight(letter) + self.offset(letter)

    def count(self, letter: str) -> int:
        return self.layer.heads if letter == "Q" else self.layer.shared

    def split(self, letter: str, rows: Array) -> Array:
        count = self.count(letter)
        return np.stack(np.split(rows, count, axis=-1))

    def places(self, letter: str, n: int) -> Array:
        """Return the positions that rows are turned by."""
        first = self.layer.first_query if letter == "Q" else 0
        return np.arange(n) + self.layer.first_key + first

    def speeds(self, width: int) -> Array:
        if self.layer.frequencies is not None:
            return np.array(self.layer.frequencies)
        return 10000.0 ** (-2 * np.arange(width // 2) / width)

    def angles(self, letter: str, n: int, width: int) -> Array:
        return np.outer(self.places(letter, n), self.speeds(width))

    def turn(self, letter: str, heads: Array) -> Array:
        n, width = heads.shape[-2], self.layer.turned or heads.shape[-1]
        angles = self.angles(letter, n, width)
        turned = turn_pairs(heads[..., :width], angles, self.layer.interleaved)
        turned = self.layer.attention_factor * turned
        return np.concatenate([turned, heads[..., width:]], axis=-1)

    def prepared(self, letter: str, heads: Array) -> Array:
        """Return queries or keys after norm and rotation."""
        for late in (False, True):
            if self.layer.norm and late == self.layer.norm_late:
                heads = self.normed(letter, heads)
            if self.layer.positions == "rope" and not late:
                heads = self.turn(letter, heads)
        return heads

    def normed(self, letter: str, heads: Array) -> Array:
        return self.gain(letter) * self.bare(heads)

    def gain(self, letter: str) -> Array:
        return self.given[f"gain_{letter}"]

    def bare(self, heads: Array, epsilon: float = 1e-6) -> Array:
        """Return rows whose mean square is 1, without their mean for a layer norm."""
        if self.layer.norm == "layer":
            heads = heads - heads.mean(axis=-1, keepdims=True)
        return heads / np.sqrt(np.square(heads).mean(-1, keepdims=True) + epsilon)

    def extended(self, letter: str, heads: Array) -> Array:
        name = {"K": "extra_keys", "V": "extra_values"}.get(letter, "")
        if name not in self.given:
            return heads
        more = Plain.split(self, letter, self.given[name])
        return np.concatenate([heads, more], axis=-2)

    def spread(self, letter: str, heads: Array) -> Array:
        """Return a head of keys or values for each head of queries."""
        times = self.layer.heads // self.layer.shared
        return np.stack([head for head in heads for _ in range(times)])

    def compare(self, q: Array, k: Array) -> Array:
        if self.layer.score == "cosine":
            q, k = self.unit(q), self.unit(k)
        if self.layer.score == "general":
            q = q @ self.given["w"]
        if self.layer.score == "additive":
            return self.network(q, k)
        return np.einsum("hid,hjd->hij", q, k)

    def unit(self, rows: Array) -> Array:
        return rows / np.linalg.norm(rows, axis=-1, keepdims=True)

    def network(self, q: Array, k: Array) -> Array:
        left, right = q @ self.given["w_q"], k @ self.given["w_k"]
        sums = left[:, :, None, :] + right[:, None, :, :]
        return np.tanh(sums) @ self.given["v"]

    def factor(self) -> float:
        if self.layer.scale is not None:
            return self.layer.scale
        return self.layer.d**-0.5 if self.layer.score == "dot" else 1.0

    def scaled(self, scores: Array) -> Array:
        return scores * self.factor()

    def capped(self, scores: Array) -> Array:
        cap = self.layer.softcap
        return scores if cap is None else cap * np.tanh(scores / cap)

    def slopes(self) -> Array:
        return self.authors_slopes(self.layer.heads)

    def authors_slopes(self, count: int) -> Array:
        """Return the slopes of the authors' code, for any number of heads."""
        if count & (count - 1) == 0:
            return 2.0 ** (-8 * np.arange(1, count + 1) / count)
        below = 2 ** (count.bit_length() - 1)
        more = self.authors_slopes(2 * below)[::2][: count - below]
        return np.concatenate([self.authors_slopes(below), more])

    def alibi(self, i: Array, j: Array) -> Array:
        """Return what the slopes are multiplied by."""
        return j - i

    def score_bias(self) -> Array:
        return self.given.get("bias", 0.0)

    def grid(self) -> tuple[Array, Array]:
        """Return the positions of queries (n_q, 1) and keys (n_k,)."""
        i = np.arange(self.layer.n)[:, None] + self.layer.first_query
        return i, np.arange(self.layer.keys)

    def biased(self, scores: Array) -> Array:
        if self.layer.positions == "alibi":
            slopes = self.slopes()[:, None, None]
            scores = scores + slopes * self.alibi(*self.grid())
        return scores + self.score_bias()

    def sees(self) -> Array:
        """Return which keys queries see, by causality and the window."""
        i, j = self.grid()
        seen = j <= i if self.layer.causal else np.full((len(i), len(j)), True)
        left, right = self.layer.window or (None, None)
        if left is not None:
            seen = seen & (i - j <= left)
        if right is not None:
            seen = seen & (j - i <= right)
        if self.layer.chunk is not None:
            seen = seen & (i // self.layer.chunk == j // self.layer.chunk)
        return seen

    def mask(self) -> Array:
        return np.broadcast_to(
            self.given.get("mask", True), (self.layer.n, self.layer.keys)
        )

    def real(self) -> Array:
        """Return which keys are no padding."""
        length = self.layer.key_lengths
        keys = np.arange(self.layer.keys)
        return keys < (self.layer.keys if length is None else length)

    def visible(self) -> Array:
        seen = self.sees() & self.mask() & self.real()
        extra = np.full((self.layer.n, self.layer.extra), True)
        return np.concatenate([seen, extra], axis=-1)

    def hidden(self, scores: Array) -> Array:
        return np.where(self.visible(), scores, -np.inf)

    def normalized(self, scores: Array) -> Array:
        scores = scores / self.layer.temperature
        kind = self.layer.normalizer
        if self.layer.sinks:
            more = np.exp(self.sink())[:, None, None]
            return np.exp(scores) / (np.exp(scores).sum(-1, keepdims=True) + more)
        if kind == "softmax1":
            return np.exp(scores) / (1 + np.exp(scores).sum(-1, keepdims=True))
        if kind == "sigmoid":
            return 1 / (1 + scores.shape[-1] * np.exp(-scores))
        if kind == "hardmax":
            return np.eye(scores.shape[-1])[scores.argmax(axis=-1)]
        if kind == "sum":
            return scores / scores.sum(axis=-1, keepdims=True)
        if kind == "sparsemax":
            return sparsemax(scores)
        if kind == "entmax15":
            return entmax(scores)
        assert kind == "softmax"
        return softmax(scores)

    def sink(self) -> Array:
        return self.given["sinks"]

    def mixed(self, weights: Array, v: Array, q: Array, k: Array) -> Array:
        return np.einsum("hij,hjd->hid", weights, v)

    def joined(self, heads: Array) -> Array:
        return np.concatenate(list(heads), axis=-1)

    def finished(self, joined: Array) -> Array:
        return (
            joined @ self.weight("O") + self.offset("O")
            if self.layer.output
            else (joined)
        )


def sparsemax(scores: Array) -> Array:
    """Return the projection onto the simplex, by bisection of its threshold."""
    return _thresholded(scores, 1.0)


def entmax(scores: Array) -> Array:
    """Return 1.5-entmax, by bisection of its threshold."""
    return _thresholded(scores / 2, 2.0)


def _thresholded(scores: Array, power: float) -> Array:
    high = scores.max(axis=-1, keepdims=True)
    low = high - 1.0
    for _ in range(200):
        middle = (low + high) / 2
        total = (np.maximum(scores - middle, 0) ** power).sum(axis=-1, keepdims=True)
        low, high = np.where(total > 1, middle, low), np.where(total > 1, high, middle)
    return np.maximum(scores - high, 0) ** power
