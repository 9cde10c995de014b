"""Implementations of attention with planted mistakes, in plain NumPy.

They are written without attnviewer, so that the doctor is judged by code it does not
know.
"""

from collections.abc import Callable, Collection

import numpy as np
from planted_shapes import Array, Shape


def attend(
    shape: Shape,
    given: dict[str, Array],
    slips: Collection[str],
    each: Callable[[Array], Array] = lambda array: array,
) -> dict[str, Array]:
    """Return the steps of an implementation that makes some mistakes.

    Parameters
    ----------
    shape : Shape
        What it is meant to compute.
    given : dict of str to ndarray
        Its inputs.
    slips : collection of str
        The mistakes, by id.
    each : callable
        What rounds each result, if it computes with fewer digits.
    """
    with np.errstate(all="ignore"):
        return _Implementation(shape, given, frozenset(slips), each).steps()


class _Implementation:
    def __init__(
        self,
        shape: Shape,
        given: dict[str, Array],
        slips: frozenset[str],
        each: Callable[[Array], Array],
    ) -> None:
        self.shape, self.given, self.slips, self.each = shape, given, slips, each

    def steps(self) -> dict[str, Array]:
        shape, found = self.shape, dict[str, Array]()
        each = self.each
        x = each(self._embedded())
        q, k, v = (each(self._projected(x, letter)) for letter in "QKV")
        found |= {"Q": q, "K": k, "V": v}
        if shape.positions == "rope":
            q, k, v = map(each, self._rotated(q, k, v))
            found |= {"Q_rotated": q, "K_rotated": k}
        times = shape.heads // shape.kv_heads
        spread = np.tile if "gqa-tiled" in self.slips else None
        every_k, every_v = (
            spread(a, (times, 1, 1)) if spread else np.repeat(a, times, axis=0)
            for a in (k, v)
        )
        scores = each(q @ every_k.swapaxes(-1, -2))
        found["scores"] = scores
        scaled = each(self._scaled(scores))
        found["scaled"] = scaled
        if shape.softcap is not None:
            if not {"softcap-missing", "softcap-after-mask"} & self.slips:
                if "softcap-before-scale" in self.slips:
                    cap = shape.softcap
                    scaled = self._scaled(cap * np.tanh(scores / cap))
                    found["scaled"] = scaled
                else:
                    scaled = each(shape.softcap * np.tanh(scaled / shape.softcap))
            found["capped"] = scaled
        if shape.positions == "alibi":
            scaled = each(scaled + self._alibi())
            found["biased"] = scaled
        masked = scaled
        if shape.causal or shape.mask:
            masked = self._masked(scaled)
            found["masked"] = masked
        weights = each(self._weights(masked))
        if "mask-after-softmax" in self.slips:
            weights = np.where(self._seen(), weights, 0)
        found["weights"] = weights
        used = weights
        if "weights-rounded" in self.slips:
            used = np.round(weights, 2)
        if "weights-transposed" in self.slips:
            used = weights.swapaxes(-1, -2)
        heads = each(used @ (every_k if "mixes-keys" in self.slips else every_v))
        found["heads"] = heads
        joined = self._joined(heads)
        found["concatenated"] = joined
        found["output"] = each(self._output(joined))
        return found

    def _embedded(self) -> Array:
        x = self.given["X"]
        if self.shape.positions != "sinusoidal" or "positions-missing" in self.slips:
            return x
        n, d = x.shape
        first = 1 if "positions-from-one" in self.slips else 0
        angles = np.arange(first, first + n)[:, None] / 10000 ** (
            np.arange(0, d, 2) / d
        )
        if "sinusoidal-halves" in self.slips:
            return x + np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
        table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)
        return x + table

    def _projected(self, x: Array, letter: str) -> Array:
        taken = letter
        if "q-k-swapped" in self.slips:
            taken = {"Q": "K", "K": "Q"}.get(letter, letter)
        if "k-v-swapped" in self.slips:
            taken = {"K": "V", "V": "K"}.get(letter, letter)
        weight = self.given[f"W_{taken}"]
        if f"weight-transposed:W_{letter}" in self.slips:
            weight = weight.T
        rows = x @ weight
        bias = self.given.get(f"b_{taken}")
        if bias is not None and f"bias-missing:b_{letter}" not in self.slips:
            rows = rows + bias
        n, d = len(x), self.shape.width
        heads = rows.shape[1] // d
        if "heads-interleaved" in self.slips:
            return rows.reshape(n, d, heads).transpose(2, 0, 1)
        if "heads-not-transposed" in self.slips:
            return rows.reshape(heads, n, d)
        return rows.reshape(n, heads, d).transpose(1, 0, 2)

    def _rotated(self, q: Array, k: Array, v: Array) -> tuple[Array, Array, Array]:
        if "positions-missing" in self.slips:
            return q, k, v
        later = np.arange(self.shape.n) + ("rope-keys-offset" in self.slips)
        if "rope-queries-missing" not in self.slips:
            q = self._turned(q, np.arange(self.shape.n))
        if "rope-on-values" in self.slips:
            v = self._turned(v, later)
        if "rope-keys-missing" not in self.slips:
            k = self._turned(k, later)
        return q, k, v

    def _turned(self, rows: Array, at: Array) -> Array:
        d = rows.shape[-1]
        base = 500.0 if "rope-base" in self.slips else 10000.0
        speed = base ** (-np.arange(0, d, 2) / d)
        if "rope-scaling" in self.slips:
            speed = speed / 3.0
        if "rope-twice" in self.slips:
            speed = speed * 2
        if "rope-direction" in self.slips:
            speed = -speed
        phase = np.exp(1j * at[:, None] * speed)
        interleaved = self.shape.interleaved ^ ("rope-pairing" in self.slips)
        if interleaved:
            turned = (rows[..., ::2] + 1j * rows[..., 1::2]) * phase
            return np.stack([turned.real, turned.imag], axis=-1).reshape(rows.shape)
        turned = (rows[..., : d // 2] + 1j * rows[..., d // 2 :]) * phase
        return np.concatenate([turned.real, turned.imag], axis=-1)

    def _scaled(self, scores: Array) -> Array:
        d = self.shape.width
        if "scale-missing" in self.slips:
            return scores
        if "scale-d_model" in self.slips:
            return scores / np.sqrt(self.shape.d_model)
        if "scale-not-rooted" in self.slips:
            return scores / d
        if "scale-multiplied" in self.slips:
            return scores * np.sqrt(d)
        return scores / np.sqrt(d)

    def _alibi(self) -> Array:
        h, n = self.shape.heads, self.shape.n
        plain = 2.0 ** (-8 * np.arange(1, h + 1) / h)
        slopes = plain
        if h & (h - 1) and "alibi-slopes-plain" not in self.slips:
            below = 2 ** (h.bit_length() - 1)
            first = 2.0 ** (-8 * np.arange(1, below + 1) / below)
            more = 2.0 ** (-8 * np.arange(1, 2 * below + 1) / (2 * below))
            slopes = np.concatenate([first, more[::2][: h - below]])
        if "alibi-slopes-reversed" in self.slips:
            slopes = slopes[::-1]
        away = np.arange(n)[None, :] - np.arange(n)[:, None]
        bias = slopes[:, None, None] * away
        if "alibi-sign" in self.slips:
            bias = -bias
        if "alibi-scaled" in self.slips:
            bias = bias / np.sqrt(self.shape.width)
        return 0 * bias if "positions-missing" in self.slips else bias

    def _seen(self) -> Array:
        n = self.shape.n
        i, j = np.arange(n)[:, None], np.arange(n)[None, :]
        seen = np.ones((n, n), dtype=bool)
        if self.shape.causal and "causal-missing" not in self.slips:
            late = "causal-one-too-far" in self.slips
            seen = j <= i + int(late) - int("causal-strict" in self.slips)
            if "causal-flipped" in self.slips:
                seen = j >= i
        if self.shape.window is not None and "window-ignored" not in self.slips:
            wide = self.shape.window + ("window-one-too-far" in self.slips)
            wide -= "window-one-too-near" in self.slips
            seen &= i - j < wide
        if self.shape.mask and "mask-ignored" not in self.slips:
            mask = self.given["mask"].astype(bool)
            seen &= mask.T if "mask-transposed" in self.slips else mask
        return ~seen if "mask-inverted" in self.slips else seen

    def _masked(self, scores: Array) -> Array:
        seen = self._seen()
        if "mask-after-softmax" in self.slips:
            return scores
        if "mask-zero" in self.slips:
            return np.where(seen, scores, 0)
        if "mask-added-as-number" in self.slips:
            return scores + seen
        masked = np.where(seen, scores, -np.inf)
        if "softcap-after-mask" in self.slips and self.shape.softcap is not None:
            return self.shape.softcap * np.tanh(masked / self.shape.softcap)
        return masked

    def _weights(self, scores: Array) -> Array:
        if "temperature" in self.slips:
            scores = scores / 0.7
        if "softmax-base-two" in self.slips:
            scores = scores * np.log(2)
        if "sigmoid-for-softmax" in self.slips:
            return 1 / (1 + np.exp(-scores))
        axes: tuple[int, ...] = (-1,)
        if "softmax-over-queries" in self.slips:
            axes = (-2,)
        if "softmax-over-heads" in self.slips:
            axes = (-3,)
        if "softmax-over-all" in self.slips:
            axes = (-2, -1)
        highest = scores.max(axis=axes, keepdims=True)
        highest = np.where(np.isfinite(highest), highest, 0)
        if "softmax-plus-one" in self.slips:
            highest = 0 * highest
        powers = np.exp(scores - highest)
        total = powers.sum(axis=axes, keepdims=True)
        total = total + ("softmax-plus-one" in self.slips)
        weights = np.where(total > 0, powers / np.where(total > 0, total, 1), 0)
        if "softmax-twice" in self.slips:
            again = np.exp(weights)
            weights = again / again.sum(axis=-1, keepdims=True)
        return weights

    def _joined(self, heads: Array) -> Array:
        n = self.shape.n
        if "heads-reversed" in self.slips:
            heads = heads[::-1]
        if "concat-not-transposed" in self.slips:
            return heads.reshape(n, -1)
        if "concat-interleaved" in self.slips:
            return heads.transpose(1, 2, 0).reshape(n, -1)
        return heads.transpose(1, 0, 2).reshape(n, -1)

    def _output(self, joined: Array) -> Array:
        result = joined
        if self.shape.output and "output-projection-missing" not in self.slips:
            weight = self.given["W_O"]
            transposed = "weight-transposed:W_O" in self.slips
            result = joined @ (weight.T if transposed else weight)
            if "b_O" in self.given:
                result = result + self.given["b_O"]
        if "residual-added" in self.slips:
            result = result + self.given["X"]
        return result
