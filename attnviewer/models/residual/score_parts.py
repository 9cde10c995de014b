"""A score of a head as a sum over pairs of components."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.html import DECIMALS, table_html
from attnviewer.compute.number_text import format_number
from attnviewer.compute.positions import Disentangled, Rotary
from attnviewer.compute.threads import one_blas_thread
from attnviewer.models.grid import Grid
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.outputs import Outputs
from attnviewer.models.parts import check_alone
from attnviewer.models.residual.component import Component
from attnviewer.models.residual.contributions import Contributions, titled_html
from attnviewer.models.residual.decomposition import stream_sum
from attnviewer.models.residual.frozen_norm import FrozenNorm
from attnviewer.models.residual.writes import writes_below
from attnviewer.models.scoring import (
    head_weights,
    norm_row,
    norm_scale,
    rotated,
    score_factor,
)
from attnviewer.models.token_positions import token_position

SHOWN = 8
"""How many components of the query and of the key an HTML table shows."""


class Pair(NamedTuple):
    """The part of a score from a component of the query and one of the key.

    Parameters
    ----------
    query, key : Component
        The components.
    value : float
        Their term, of either sign.
    """

    query: Component
    key: Component
    value: float


@dataclass(frozen=True, slots=True, eq=False)
class ScoreParts:
    """A scaled score of a head as a sum over pairs of components.

    Parameters
    ----------
    layer, head, query, key : int
        The head, and the two tokens.
    components : tuple of Component
        The c components of the streams of both tokens.
    matrix : ndarray of float64, shape (c, c)
        A term for each component of the query (rows) and of the key (columns).
    score : float
        The score of the run, which the matrix sums to.
    pins : float
        What pins on queries, keys or scores add to that sum; 0 without pins.
    """

    layer: int
    head: int
    query: int
    key: int
    components: tuple[Component, ...]
    matrix: Array
    score: float
    pins: float

    @property
    def labels(self) -> tuple[str, ...]:
        """The components in words."""
        return tuple(map(str, self.components))

    @property
    def by_query(self) -> Contributions:
        """The score by what was written at the query, whatever it meets at the key."""
        return self._marginal(1, f"query {self.query}")

    @property
    def by_key(self) -> Contributions:
        """The score by what was written at the key, whatever it meets at the query."""
        return self._marginal(0, f"key {self.key}")

    def pairs(self, count: int | None = None) -> list[Pair]:
        """Return the largest terms by magnitude, largest first."""
        flat = self.matrix.ravel()  # (c²,)
        order = np.argsort(-np.abs(flat), kind="stable")[:count]  # (count,)
        rows, columns = np.divmod(order, len(self.components))
        return [
            Pair(self.components[row], self.components[column], float(flat[cell]))
            for row, column, cell in zip(rows, columns, order, strict=True)
        ]

    @property
    def grid(self) -> Grid:
        """The matrix with its labels."""
        labels, axes = self.labels, ("query", "key")
        return Grid(self.matrix, labels, labels, self._called, axes=axes)

    @property
    def _called(self) -> str:
        tokens = f"query {self.query} and key {self.key}"
        return f"scaled score of L{self.layer} H{self.head}, {tokens}"

    def _marginal(self, axis: int, side: str) -> Contributions:
        return Contributions(
            f"{self._called}, by components at {side}",
            self.components,
            self.matrix.sum(axis=axis),
        )

    def __repr__(self) -> str:
        count, score = len(self.components), format_number(self.score, DECIMALS)
        return f"<ScoreParts of {count} × {count} components: {self._called} = {score}>"

    def _repr_html_(self) -> str:
        """Return the components with the largest terms as a table."""
        sizes, labels = np.abs(self.matrix), np.array(self.labels)
        rows = np.argsort(-sizes.sum(axis=1), kind="stable")[:SHOWN]
        columns = np.argsort(-sizes.sum(axis=0), kind="stable")[:SHOWN]
        largest = self.matrix[np.ix_(rows, columns)]  # (SHOWN, SHOWN)
        names = labels[rows].tolist(), labels[columns].tolist()
        table = table_html(largest, *names, shape=self.matrix.shape)
        return titled_html(self._called, self.score, table)


def score_parts(
    run: Outputs, layer: int, head: int, query: int, key: int
) -> ScoreParts:
    """Split a score of a head over pairs of what earlier parts wrote.

    With x_a(i) the components of the stream at query i, and x_b(j) those at key j,

        s_ij = Σ_a Σ_b scale · (R_i W_Qᵀ x_a(i)) · (R_j W_Kᵀ x_b(j)),

    where the scale of the norm before attention is frozen, the norm's bias and b_Q or
    b_K are components of their own, and R rotates by position where the family has
    rotary embeddings. A norm of queries and keys comes before R, its scales frozen as
    well. The sum is exact.

    The score is that of the step ``scaled``: Q Kᵀ times the scale, mostly 1/√d_k (where
    it is 1, that of ``scores``), before a soft cap, an additive bias and the mask. Keys
    that are hidden from the query have one, too.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer, head : int
        The head. Heads of queries that share keys use the same W_K.
    query, key : int
        The two tokens, counted from zero; negative ones from the end.

    Raises
    ------
    IndexError
        If there is no such layer, head or token.
    ValueError
        If a number up to there is not finite, or relative positions add to the scores
        (DeBERTa).

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", for the
    bilinear form; Kamath et al. 2025, "Tracing Attention Computation Through Feature
    Interactions", who split it over pairs of features.

    Examples
    --------
    >>> run.score_parts(layer=3, head=1, query=9, key=2).pairs(5)  # doctest: +SKIP
    """
    spec, part = run.spec(layer), HeadSlice.of(run, head)
    check_alone(run.model.architecture, "run whose scores are split")
    if isinstance(spec.positions, Disentangled):
        raise ValueError(
            "The scores must be products of queries and keys to be split over pairs of "
            f"components. Got those of {run.model.architecture.family} instead, to "
            "which relative positions add terms."
        )
    n = len(run.ids)
    cell = token_position(query, n, "query"), token_position(key, n, "key")
    tokens = np.array(cell)
    stream = stream_sum(run, tokens, writes_below(run, layer, tokens))
    stream.norm(_input_norm(run, layer, tokens), Component("input_norm", layer))
    written, weights = stream.components(), run.weights(layer)
    names, (query, key) = written.components, written.positions
    with one_blas_thread():
        queries = _side(run, layer, "Q", part.queries, query, written.values[:, 0])
        keys = _side(run, layer, "K", part.keys, key, written.values[:, 1])
        if {"b_Q", "b_K", "shift_Q", "shift_K"} & weights.keys():
            names = (*names, Component("projection_bias", layer))
        else:
            queries, keys = queries[:-1], keys[:-1]
        if isinstance(spec.positions, Rotary):
            first = spec.positions.offset
            queries = rotated(queries, spec.positions, query + first)
            keys = rotated(keys, spec.positions, key + first)
        scale = score_factor(spec, run.model.architecture.d_head)
        matrix = scale * (queries @ keys.T)  # (c, c)
    score, is_pinned = _score(run, layer, head, query, key)
    pins = score - float(matrix.sum()) if is_pinned else 0.0
    return ScoreParts(layer, head, query, key, names, matrix, score, pins)


def _input_norm(
    run: Outputs, layer: int, tokens: NDArray[np.intp]
) -> FrozenNorm | None:
    """Return the norm before a layer's attention, with the scales of some tokens."""
    model, norm = run.model, "attention_input"
    parts = model.weights.layer(layer, (norm,))
    return FrozenNorm.of(run.stream(layer)[tokens], norm, parts, model.architecture)


def _side(
    run: Outputs, layer: int, side: str, own: slice, token: int, parts: Array
) -> Array:
    """Return parts of a token's row as a head's query or key, after their norm.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    side : str
        ``Q`` or ``K``.
    own : slice
        The head's columns.
    token : int
        The token.
    parts : ndarray, shape (c, d_model)
        The parts.

    Returns
    -------
    ndarray, shape (c + 1, d_head)
        The last row is the sum of the biases.
    """
    weights, norm = run.weights(layer), run.spec(layer).qk_norm
    weight = head_weights(weights[f"W_{side}"], side, own, norm, weights)
    bias: Array = np.zeros((1, weight.shape[1]))  # (1, d_head)
    if f"b_{side}" in weights:
        row = weights[f"b_{side}"][np.newaxis]  # (1, h·d_head)
        bias = head_weights(row, side, own, norm, weights)
    projected: Array = np.vstack([parts @ weight, bias])  # (c + 1, d_head)
    if norm is None:
        return projected
    rows = run.attention(layer)[side][:, token]  # (h, d_head)
    projected *= norm_scale(norm, rows, own.start // weight.shape[1])
    if norm.shift:
        projected[-1] += norm_row(f"shift_{side}", own, weights)
    return projected


def _score(
    run: Outputs, layer: int, head: int, query: int, key: int
) -> tuple[float, bool]:
    """Return a scaled score, and whether pins act on it or on a step before it."""
    trace = run.attention(layer)
    steps = list(trace)
    steps = steps[: steps.index("scaled" if "scaled" in trace else "scores") + 1]
    rows, columns = slice(query, query + 1), slice(key, key + 1)
    score = trace.window(steps[-1], rows, columns, head=head)[0, 0]
    pins = run.pins.get(layer, ())
    return float(score), any(pin.enabled and pin.step in steps for pin in pins)
