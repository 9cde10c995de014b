"""One layer of attention, written down with NumPy alone, with all of its steps."""

import numpy as np

RNG = np.random.default_rng


def inputs(*, n=5, d_model=12, h=2, kv=None, d=6, out=12, batch=None, seed=0):
    """Return X and the weights, as (in, out)."""
    draw = RNG(seed).normal
    kv = h if kv is None else kv
    shape = (n, d_model) if batch is None else (batch, n, d_model)
    return {
        "X": draw(size=shape),
        "W_Q": draw(size=(d_model, h * d)),
        "W_K": draw(size=(d_model, kv * d)),
        "W_V": draw(size=(d_model, kv * d)),
        "W_O": draw(size=(h * d, out)),
    }


def steps(given, *, h=2, kv=None, causal=False, allowed=None):
    """Return every step in the order (batch, heads, rows, columns).

    `allowed` is True where a query may look, (n, n) or (batch, 1, n, n).
    """
    kv = h if kv is None else kv
    x = np.asarray(given["X"])
    b, n, _ = (1, *x.shape) if x.ndim == 2 else x.shape
    x = x.reshape(b, n, -1)

    def split(letter, count):
        flat = x @ given[f"W_{letter}"] + given.get(f"b_{letter}", 0)
        return flat.reshape(b, n, count, -1).transpose(0, 2, 1, 3)

    q, k, v = split("Q", h), split("K", kv), split("V", kv)
    many_k, many_v = (np.repeat(a, h // kv, axis=1) for a in (k, v))
    scores = q @ many_k.transpose(0, 1, 3, 2)
    scaled = scores / np.sqrt(q.shape[-1])
    found = {"Q": q, "K": k, "V": v, "scores": scores, "scaled": scaled}
    last = scaled
    seen = np.ones((n, n), bool) if allowed is None else allowed
    if causal:
        seen = seen & np.tril(np.ones((n, n), bool))
    if causal or allowed is not None:
        last = found["masked"] = np.where(seen, scaled, -np.inf)
    powers = np.exp(last - last.max(axis=-1, keepdims=True))
    found["weights"] = powers / powers.sum(axis=-1, keepdims=True)
    found["heads"] = found["weights"] @ many_v
    found["concatenated"] = found["heads"].transpose(0, 2, 1, 3).reshape(b, n, -1)
    found["output"] = found["concatenated"] @ given["W_O"] + given.get("b_O", 0)
    return found


def one(found):
    """Return the steps of the only batch item."""
    return {name: array[0] for name, array in found.items()}
