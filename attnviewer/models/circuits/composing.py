"""Composition scores: how much later heads read of what earlier heads write."""

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name
from attnviewer.compute.positions import Rotary
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.threads import one_blas_thread, product
from attnviewer.models.circuits.circuit import Kind
from attnviewer.models.circuits.linear_norm import LinearNorm
from attnviewer.models.circuits.of_head import circuit
from attnviewer.models.grid import Grid
from attnviewer.models.model import Model

Composition: TypeAlias = Literal["Q", "K", "V"]
"""By which of its inputs the later head reads."""
_LATER: dict[Composition, Kind] = {"Q": "QK", "K": "QK", "V": "OV"}
"""Which circuit of the later head takes part."""


@short_signature
def composition(
    model: Model, kind: Composition = "K", distance: int | None = None
) -> Grid:
    """Return how much each later head reads of what each earlier head writes.

    With the circuits M of rows (see `Circuit`), OV of the earlier head and QK or OV of
    the later one, and Frobenius norms,

    - ``Q``: ‖M_OV M_QK‖ / ‖M_OV‖‖M_QK‖, for the queries of the later head;
    - ``K``: ‖M_OV M_QKᵀ‖ / ‖M_OV‖‖M_QK‖, for its keys, as between a previous-token head
      and an induction head;
    - ``V``: ‖M_OV M_OV'‖ / ‖M_OV‖‖M_OV'‖, for its values.

    If the circuits' singular vectors pointed in random directions, the root mean square
    would be 1 / √d_model, which has no colour in pictures. No text enters: the numbers
    say what later heads can read, not what they attend to.

    The weights of norms are folded in, see `circuit`: also those that the stream passes
    between the two heads (BERT). The MLPs in between are left out.

    Parameters
    ----------
    model : Model
        A model of two layers at least.
    kind : str
        ``Q``, ``K`` or ``V``.
    distance : int, optional
        As for `circuit`, with rotary positions and ``Q`` or ``K`` only.

    Returns
    -------
    Grid
        Earlier heads × later heads. NaN where the row's head is not in an earlier
        layer, or one of the two heads is zero.

    Raises
    ------
    ValueError
        If the model has a single layer, or a distance has no effect, or a weight is not
        finite.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section
    "Three Kinds of Composition".

    Examples
    --------
    >>> from attnviewer import models
    >>> models.composition(models.load("gpt2"), "K").values.shape  # doctest: +SKIP
    (132, 132)
    """
    check_name("kind", kind, get_args(Composition))
    layers, heads = model.n_layers, model.n_heads
    if layers < 2:
        raise ValueError(
            "The 'model' must have at least 2 layers to compose heads. "
            f"Got {layers} instead."
        )
    # Checks the distance, which is 0 by default where positions are rotary.
    first = next((i for i in range(layers) if _turns(model, i)), 0)
    distance = circuit(model, first, 0, _LATER[kind], distance).distance
    with one_blas_thread():
        values = _compositions(model, kind, distance)
    labels = [f"L{layer} H{head}" for layer in range(layers) for head in range(heads)]
    at = "" if distance is None else f" at distance {distance}"
    return Grid(
        values,
        labels[:-heads],
        labels[heads:],
        f"{kind}-composition{at}",
        axes=("earlier head", "later head"),
        center=1 / np.sqrt(model.architecture.d_model),
    )


def compositions_of_head(
    model: Model,
    layer: int,
    head: int,
    kind: Composition = "K",
    distance: int | None = None,
) -> Iterator[tuple[int, Array]]:
    """Yield how one head composes with the heads of each other layer.

    The numbers of `composition` that belong to the head: for an earlier layer how much
    the head reads of what each head there writes, for a later one how much each head
    there reads of what the head writes.

    Parameters
    ----------
    model : Model
        The model.
    layer, head : int
        The head, counted from zero.
    kind, distance
        As for `composition`.

    Yields
    ------
    tuple of int and ndarray, shape (h,)
        Another layer, and the number of each of its heads.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If a distance has no effect, or a weight is not finite.
    """
    check_name("kind", kind, get_args(Composition))
    distance = circuit(model, layer, head, _LATER[kind], distance).distance
    return _of_head(model, layer, head, kind, distance)


def _of_head(
    model: Model, layer: int, head: int, kind: Composition, distance: int | None
) -> Iterator[tuple[int, Array]]:
    heads = range(model.n_heads)
    with one_blas_thread():
        own = _read(model, layer, head, kind, distance)[np.newaxis]  # (1, r, d_model)
        written = [_written(model, layer, head)[np.newaxis]]  # (1, r, d_model)
    for earlier in range(layer):
        with one_blas_thread():
            rows = [np.stack([_written(model, earlier, other) for other in heads])]
            for passed in range(earlier, layer):
                rows = _after_sums(model, passed, rows)
            values = _relative_norms(rows[0], own)[:, 0]  # (h,)
        yield earlier, values
    for later in range(layer + 1, model.n_layers):
        with one_blas_thread():
            written = _after_sums(model, later - 1, written)
            reads = np.stack([_read(model, later, o, kind, distance) for o in heads])
            values = _relative_norms(written[0], reads)[0]  # (h,)
        yield later, values


def _compositions(model: Model, kind: Composition, distance: int | None) -> Array:
    """Return the number of each pair, shape (earlier heads, later heads)."""
    layers, heads = model.n_layers, model.n_heads
    size = (layers - 1) * heads
    values = np.full((size, size), np.nan)  # (earlier heads, later heads)
    written: list[Array] = []  # (h, r, d_model) of each earlier layer
    for later in range(layers):
        if later:
            reads = np.stack(
                [_read(model, later, head, kind, distance) for head in range(heads)]
            )  # (h, r, d_model)
            columns = slice((later - 1) * heads, later * heads)
            for earlier, writes in enumerate(written):
                rows = slice(earlier * heads, (earlier + 1) * heads)
                values[rows, columns] = _relative_norms(writes, reads)
        if later < layers - 1:
            own = np.stack([_written(model, later, head) for head in range(heads)])
            written = _after_sums(model, later, [*written, own])
    return values


def _read(
    model: Model, layer: int, head: int, kind: Composition, distance: int | None
) -> Array:
    """Return what a head reads, (r, d_model), up to a similarity of the rows."""
    # Some layers of a model may have no positions (SmolLM3).
    turned = distance if _turns(model, layer) else None
    own = circuit(model, layer, head, _LATER[kind], turned)
    if kind == "K":
        return _reduced(own.right, own.left)
    return _reduced(own.left, own.right)


def _turns(model: Model, layer: int) -> bool:
    """Return whether a layer's queries and keys are rotated by their positions."""
    return isinstance(model.architecture.attention[layer].positions, Rotary)


def _written(model: Model, layer: int, head: int) -> Array:
    """Return what a head writes, (r, d_model), up to a similarity of the rows."""
    own = circuit(model, layer, head, "OV")
    return _reduced(own.right, own.left)


def _reduced(near: Array, far: Array) -> Array:
    """Return rows X (r, d_model) with ‖A near farᵀ‖ = c ‖A Xᵀ‖ for every A.

    With far = Q R, X is R nearᵀ / c: the orthogonal columns of Q keep the norm. With
    c = ‖near farᵀ‖, squares of a head that is nearly zero do not underflow in float32.
    """
    small = np.linalg.qr(far, mode="r")  # (r, d_head)
    reduced = small @ near.T
    length = np.linalg.norm(reduced) or 1.0
    scaled: Array = (reduced / length).astype(np.float32)
    return scaled


def _after_sums(model: Model, layer: int, written: list[Array]) -> list[Array]:
    """Return what was written after the norms that follow a layer's sums (BERT)."""
    names = "attention_sum", "feed_sum"
    parts = model.weights.layer(layer, names)
    for name in names:
        if f"{name}.weight" in parts:
            norm = LinearNorm.of(name, parts, model.architecture)
            written = [norm.apply(rows).astype(np.float32) for rows in written]
    return written


def _relative_norms(writes: Array, reads: Array) -> Array:
    """Return ‖W Rᵀ‖ / ‖W‖‖R‖ for each pair of heads, (earlier heads, later heads)."""
    width = writes.shape[-1]
    pairs = product(writes.reshape(-1, width), reads.reshape(-1, width).T)
    blocks = pairs.reshape(*writes.shape[:2], *reads.shape[:2])  # (h, r, h, r)
    together = np.sqrt(np.einsum("arbs,arbs->ab", blocks, blocks))  # (h, h)
    lengths = (np.linalg.norm(rows, axis=(1, 2)) for rows in (writes, reads))
    with np.errstate(invalid="ignore"):  # 0 / 0
        relative: Array = together / np.multiply.outer(*lengths)
    return relative
