"""The circuits of a model's heads."""

from typing import get_args

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.positions import Rotary
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.compute.signatures import short_signature
from attnviewer.models.circuits.circuit import Circuit, Kind
from attnviewer.models.circuits.linear_norm import LinearNorm
from attnviewer.models.forward_pass import quiet
from attnviewer.models.head_slice import HeadSlice
from attnviewer.models.model import Model
from attnviewer.models.scoring import head_weights, rotated, score_factor


@short_signature
@quiet
def circuit(
    model: Model, layer: int, head: int, kind: Kind = "QK", distance: int | None = None
) -> Circuit:
    """Return the QK or OV circuit of a head, from the weights alone.

    With N the linear part of the norm before attention, if there is one, M is

    - ``QK``: scale · N W_Q R W_Kᵀ Nᵀ, so that x_i M x_jᵀ is the score of query i and
      key j, up to the scales of the norm and without biases and a soft cap. R is the
      rotation by the `distance` where the family has rotary positions. Terms with
      relative positions (DeBERTa) are left out;
    - ``OV``: N W_V W_O, followed by the linear part of a norm of attention's output
      (Gemma 2), so that x_j M is what the head writes of token j.

    A layer norm's linear part subtracts the mean and multiplies by the weights, an RMS
    norm's only multiplies. Its scale 1 / σ, different for each token, is no part of the
    circuit. So it is with a norm of queries and keys, whose linear part follows W_Q and
    W_K. Norms that follow a sum (BERT) belong to the stream, not to a head.

    Parameters
    ----------
    model : Model
        The model.
    layer, head : int
        The head, counted from zero. Heads of queries that share keys and values have
        circuits of their own with the same W_K and W_V.
    kind : str
        ``QK`` or ``OV``.
    distance : int, optional
        Position of the key minus that of the query, −1 for the token before; with
        rotary positions and ``QK`` only. By default 0. Where sentences beyond the
        trained length rotate otherwise (Phi-3), the circuit is that of shorter ones.

    Returns
    -------
    Circuit
        Factors (d_model, d_head), singular values and vectors, eigenvalues, norm.

    Raises
    ------
    IndexError
        If there is no such layer or head.
    ValueError
        If a distance has no effect on the circuit, or a weight is not finite.

    References
    ----------
    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", section
    "Splitting Attention Head terms into Query-Key and Output-Value Circuits"; Su et al.
    2021, "RoFormer", arXiv:2104.09864, equation 16, for the rotation.

    Examples
    --------
    >>> from attnviewer import models
    >>> model = models.load("all-MiniLM-L6-v2")  # doctest: +SKIP
    >>> models.circuit(model, 3, 1, "OV").singular_values[:3]  # doctest: +SKIP
    """
    check_name("kind", kind, get_args(Kind))
    layer, last = whole_number("layer", layer), model.n_layers - 1
    if not 0 <= layer <= last:
        raise IndexError(f"The 'layer' must be from 0 to {last}. Got {layer} instead.")
    if model.architecture.attention[layer].context:
        raise ValueError(
            "The circuits must be of heads of self-attention: keys and values of "
            "others are not from the same stream. Got cross-attention instead."
        )
    part = HeadSlice.within(model.architecture, head)
    scheme = model.architecture.attention[layer].positions
    if kind == "QK" and isinstance(scheme, Rotary):
        distance = 0 if distance is None else whole_number("distance", distance)
    elif distance is not None:
        raise ValueError(
            "The 'distance' must be None unless the kind is QK and positions are "
            f"rotary. Got {distance!r} for the {kind} circuit of "
            f"{model.architecture.family} instead."
        )
    if kind == "QK":
        left, right = _queries_keys(model, layer, part, distance)
    else:
        left, right = _values_outputs(model, layer, part)
    for array in left, right:
        check_numbers(f"weights of L{layer} H{head}", array)
    left.flags.writeable = right.flags.writeable = False
    return Circuit(kind, layer, int(head), left, right, distance)


def _queries_keys(
    model: Model, layer: int, part: HeadSlice, distance: int | None
) -> tuple[Array, Array]:
    """Return the factors of the QK circuit, each of shape (d_model, d_head)."""
    architecture = model.architecture
    spec = architecture.attention[layer]
    names = ("W_Q", "W_K", "attention_input", *QK_NORM_INPUTS)
    weights = model.weights.layer(layer, names)
    norm = LinearNorm.of("attention_input", weights, architecture)
    queries, keys = (
        norm.fold(head_weights(weights[f"W_{side}"], side, own, spec.qk_norm, weights))
        for side, own in (("Q", part.queries), ("K", part.keys))
    )
    if isinstance(spec.positions, Rotary):
        # (q R_i) · (k R_j) = (q R_0) · (k R_(j − i)) for rows q and k.
        queries = rotated(queries, spec.positions, 0)
        keys = rotated(keys, spec.positions, distance or 0)
    return score_factor(spec, architecture.d_head) * queries, keys


def _values_outputs(model: Model, layer: int, part: HeadSlice) -> tuple[Array, Array]:
    """Return the factors of the OV circuit, each of shape (d_model, d_head)."""
    norms = "attention_input", "attention_output"
    weights = model.weights.layer(layer, ("W_QKV", "W_V", "W_O", *norms))
    before, after = (LinearNorm.of(name, weights, model.architecture) for name in norms)
    values = weights["W_V"][:, part.keys].astype(np.float64)  # (d_model, d_head)
    outputs = weights["W_O"][part.queries].astype(np.float64)  # (d_head, d_model)
    return before.fold(values), after.apply(outputs).T
