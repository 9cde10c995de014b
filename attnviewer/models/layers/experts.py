"""Feed-forward layers of experts, of which a router chooses some for each token.

Only the experts that some token goes through are read.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.models.layers.activations import logistic
from attnviewer.models.layers.feed_forward import Linear


class Expert(NamedTuple):
    """The linear layers of an expert.

    Parameters
    ----------
    gate_up : Linear, (d, 2 d_ff)
        Gate and up in turn: gate 0, up 0, gate 1, …
    down : Linear, (d_ff, d)
    """

    gate_up: Linear
    down: Linear


ReadExpert: TypeAlias = Callable[[int], Expert]


class Routing(NamedTuple):
    """Where tokens go.

    Parameters
    ----------
    chosen : ndarray of int, shape (n, k)
        The experts of each token, the likeliest first.
    shares : ndarray, shape (n, k)
        The factors on their outputs, softmax of the logits of the chosen.
    """

    chosen: NDArray[np.intp]
    shares: Array

    @classmethod
    def of(cls, x: Array, router: Linear, k: int) -> "Routing":
        """Return the routing of rows x, (n, d), to k experts each."""
        logits = router.of(x.T).T  # (n, count)
        chosen = np.argsort(-logits, axis=-1, kind="stable")[:, :k]  # (n, k)
        best = np.take_along_axis(logits, chosen, axis=-1)  # (n, k)
        powers = np.exp(best - best[:, :1])
        return cls(chosen, powers / powers.sum(axis=-1, keepdims=True))

    def by_expert(self) -> Iterator[tuple[int, NDArray[np.intp], NDArray[np.intp]]]:
        """Yield each expert with its tokens, and its places among theirs."""
        for expert in np.unique(self.chosen).tolist():
            tokens, places = np.nonzero(self.chosen == expert)
            yield expert, tokens, places


def clamped_swiglu(gate_up: Array, alpha: float, limit: float) -> Array:
    """Return (up + 1) · gate · σ(α gate), shape (n, d_ff).

    The gate is at most the limit, and up within ± the limit.

    Parameters
    ----------
    gate_up : ndarray, shape (n, 2 d_ff)
        Gate and up in turn.
    alpha, limit : float

    References
    ----------
    OpenAI 2025, "gpt-oss-120b & gpt-oss-20b Model Card", section 2.2; Shazeer 2020,
    "GLU Variants Improve Transformer".
    """
    gate, up = _clamped(gate_up, limit)
    swished: Array = (up + 1) * gate * logistic(alpha * gate)
    return swished


def routed(
    x: Array,
    router: Linear,
    read: ReadExpert,
    *,
    k: int,
    alpha: float,
    limit: float,
) -> Array:
    """Return the sum of each token's experts, weighted by their shares.

    Parameters
    ----------
    x : ndarray of float32, shape (n, d)
    router : Linear, (d, count)
    read : callable
        Returns an expert by its number.
    k : int
        How many experts a token goes through.
    alpha, limit : float
        See `clamped_swiglu`.

    Returns
    -------
    ndarray of float32, shape (n, d)
    """
    routing = Routing.of(x, router, k)
    out = np.zeros_like(x, order="F")  # (n, d)
    for expert, tokens, places in routing.by_expert():
        gate_up, down = read(expert)
        wide = clamped_swiglu(gate_up.of(x[tokens].T).T, alpha, limit)  # (m, d_ff)
        shares = routing.shares[tokens, places]  # (m,)
        out[tokens] += shares[:, np.newaxis] * down.of(wide.T).T
    return out


def routed_backward(
    gradient: Array,
    x: Array,
    router: Linear,
    read: ReadExpert,
    *,
    k: int,
    alpha: float,
    limit: float,
) -> Array:
    """Return the gradient on the rows of `routed`, given that on its output.

    Which experts are chosen has no gradient; their shares have one.

    Parameters
    ----------
    gradient : ndarray, shape (n, d)
        The gradient of some number on the output.
    x, router, read, k, alpha, limit
        As in `routed`.

    Returns
    -------
    ndarray, shape (n, d)
    """
    routing = Routing.of(x, router, k)
    on_x = np.zeros_like(x, order="F")  # (n, d)
    on_shares = np.zeros_like(routing.shares)  # (n, k)
    for expert, tokens, places in routing.by_expert():
        gate_up, down = read(expert)
        pair = gate_up.of(x[tokens].T).T  # (m, 2 d_ff)
        output = down.of(clamped_swiglu(pair, alpha, limit).T).T  # (m, d)
        on_output = gradient[tokens]  # (m, d)
        on_shares[tokens, places] = (output * on_output).sum(axis=-1)
        on_output = routing.shares[tokens, places][:, np.newaxis] * on_output
        on_wide = down.backward(on_output.T).T  # (m, d_ff)
        on_pair = on_wide.repeat(2, axis=-1) * _slopes(pair, alpha, limit)
        on_x[tokens] += gate_up.backward(on_pair.T).T
    mean = (routing.shares * on_shares).sum(axis=-1, keepdims=True)  # (n, 1)
    on_logits = np.zeros((len(x), router.weight.shape[1]), x.dtype)  # (n, count)
    np.put_along_axis(
        on_logits, routing.chosen, routing.shares * (on_shares - mean), axis=-1
    )
    on_x += router.backward(on_logits.T).T
    return on_x


def _clamped(gate_up: Array, limit: float) -> tuple[Array, Array]:
    gate, up = gate_up[:, ::2], gate_up[:, 1::2]  # (n, d_ff)
    return np.minimum(gate, limit), np.clip(up, -limit, limit)


def _slopes(gate_up: Array, alpha: float, limit: float) -> Array:
    """Return the derivatives of `clamped_swiglu`, gate and up in turn, (n, 2 d_ff)."""
    gate, up = _clamped(gate_up, limit)
    share = logistic(alpha * gate)  # (n, d_ff)
    slopes = np.empty_like(gate_up)
    slopes[:, ::2] = (up + 1) * share * (1 + alpha * gate * (1 - share))
    slopes[:, 1::2] = gate * share
    inside = np.abs(gate_up) <= limit
    inside[:, ::2] = gate_up[:, ::2] <= limit
    slopes *= inside
    return slopes
