"""Attention over embeddings, with projections and heads."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from attnviewer.compute.arguments import check_name, whole_number
from attnviewer.compute.arrays import Array
from attnviewer.compute.options import Options, parameter
from attnviewer.compute.positions import (
    Alibi,
    Disentangled,
    Learned,
    Positions,
    RelativeBias,
    Rotary,
    Sinusoidal,
)
from attnviewer.compute.run import compute_copies
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.spec import BIASES, OutputGate, Spec
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs

Scheme: TypeAlias = Sinusoidal | Rotary | Alibi | RelativeBias | Disentangled
"""A position scheme, by name or object; or a learned table."""

_NAMES = (
    *("n_heads", "n_kv_heads", "positions", "position_ids", "relative", "context"),
    *("values", "output_gate"),
)
"""Keyword arguments that an unknown option may have been meant for."""

_SCHEMES: dict[str, type[Sinusoidal | Rotary | Alibi | RelativeBias]] = {
    "sinusoidal": Sinusoidal,
    "rope": Rotary,
    "alibi": Alibi,
    "relative": RelativeBias,
}
_RELATIVE = ("R", "W_KR", "b_KR", "W_QR", "b_QR")
"""The inputs of `Disentangled` positions."""


@short_signature
def multi_head_attention(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike | None = None,
    *,
    b_q: ArrayLike | None = None,
    b_k: ArrayLike | None = None,
    b_v: ArrayLike | None = None,
    b_o: ArrayLike | None = None,
    w_g: ArrayLike | None = None,
    output_gate: OutputGate | None = None,
    context: ArrayLike | None = None,
    values: ArrayLike | None = None,
    n_heads: int = 1,
    n_kv_heads: int | None = None,
    positions: str | Scheme | ArrayLike | None = None,
    relative: Mapping[str, ArrayLike] | None = None,
    relative_bias: ArrayLike | None = None,
    position_ids: ArrayLike | None = None,
    extra_keys: ArrayLike | None = None,
    extra_values: ArrayLike | None = None,
    **options: Any,
) -> Trace:
    """Compute self- or cross-attention over embeddings with every step.

    Parameters
    ----------
    x : array_like, shape (n, d_model) or (batch, n, d_model)
        The embeddings that the queries are computed from.
    w_q : array_like, shape (d_model, h·d_k)
        Multiplied from the right, q = x W_Q, as in the papers and GPT-2's Conv1D;
        PyTorch's Linear (``nn.MultiheadAttention``, BERT, Llama) stores the
        transpose: pass ``weight.T``. Head k owns the columns k·d_k to (k + 1)·d_k.
    w_k : array_like, shape (d_model, h_kv·d_k)
        The same for the keys; with as many rows as `context` has columns.
    w_v : array_like, shape (d_model, h_kv·d_v)
        The same for the values; with as many rows as `values` has columns.
    w_o : array_like, shape (h·d_v, any), optional
        The output projection of the concatenated heads.
    b_q, b_k, b_v, b_o : array_like, optional
        Added to each row of the projections; as long as their rows.
    w_g : array_like, shape (d_model, h·d_v) or (d_model, h), optional
        The weights of the gates that `output_gate` calls for.
    output_gate : {"elementwise", "headwise"}, optional
        Multiplies what each head has found by σ(x W_G) before the heads are joined:
        each number by a gate of its own, or a head's whole row by one (Qiu et al. 2025;
        Qwen3-Next, whose ``q_proj`` holds the columns of W_Q and W_G of each head in
        turn).
    context : array_like, shape (n_k, any) or (batch, n_k, any), optional
        The second sequence, for keys and values (cross-attention).
    values : array_like, shape (n_k, any) or (batch, n_k, any), optional
        A separate sequence for the values.
    n_heads : int
        Number of heads h.
    n_kv_heads : int, optional
        Number of heads h_kv of keys and values, a divisor of `n_heads`; query head
        h looks at key head h // (n_heads / n_kv_heads).
    positions : optional
        ``"sinusoidal"`` or a learned table (at least n, d_model) is added to `x`
        (not to `context`: add it there yourself); ``"rope"`` turns queries and
        keys; ``"alibi"`` adds −slope·(i − j) to the scores, ``"relative"`` a learned
        number for the bucket of j − i (T5). Their options are given by `Sinusoidal`,
        `Rotary`, `Alibi` and `RelativeBias` objects, such as
        ``Rotary(base=500000.0, interleaved=True)``. `Disentangled` adds scores with
        relative positions, for which `relative` has the arrays.
    relative : mapping of str to array_like, optional
        With `Disentangled` positions, the table ``R`` (2·span, d_model); where these
        have weights of their own, also ``W_KR`` (d_model, h_kv·d_k) and ``W_QR``
        (d_model, h·d_k), with biases ``b_KR`` and ``b_QR`` if there are any.
    relative_bias : array_like, shape (n_buckets, h), optional
        The numbers of `RelativeBias`, a row for each bucket.
    position_ids : array_like, shape (n_k, axes) or (batch, n_k, axes), optional
        With `Rotary` positions along several axes, such as
        ``Rotary(axes=RotaryAxes((16, 24, 24)))``: the position of each key along each,
        of which queries have those from `query_offset` on. They need not be integers.
    extra_keys, extra_values : array_like, shape (m, h_kv·d_k) and (m, h_kv·d_v)
        Rows appended after the projection, as PyTorch's ``add_bias_kv`` and
        ``add_zero_attn`` do. They have no position: `causal`, `window`,
        `key_lengths` and positions leave them alone. A mask or bias that is only
        as wide as the real keys lets them be seen.
    **options
        Those of `attention`.

    Returns
    -------
    Trace
        ``X`` (and ``context``, ``values``), the weights, ``Q``, ``K``, ``V`` with
        an axis for the heads even if there is one, the steps of `attention` up to
        ``weights`` (…, h, n, n_k), ``heads`` (…, h, n, d_v), ``gated`` with an output
        gate, whose logits are ``G``, ``concatenated`` where `w_o` follows, and
        ``output`` (…, n, any).

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit, heads do not divide, a number is not finite, or a
        name is unknown.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", section 3.2.2.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer import multi_head_attention
    >>> eye = np.eye(4)
    >>> trace = multi_head_attention(eye, eye, eye, eye, n_heads=2)
    >>> trace["weights"].shape, trace["output"].shape
    ((2, 4, 4), (4, 4))
    """
    return compute_copies(
        *projected(
            *(x, w_q, w_k, w_v, w_o),
            b_q=b_q,
            b_k=b_k,
            b_v=b_v,
            b_o=b_o,
            w_g=w_g,
            output_gate=output_gate,
            context=context,
            values=values,
            n_heads=n_heads,
            n_kv_heads=n_kv_heads,
            positions=positions,
            relative=relative,
            relative_bias=relative_bias,
            position_ids=position_ids,
            extra_keys=extra_keys,
            extra_values=extra_values,
            **options,
        )
    )


def projected(
    x: ArrayLike,
    w_q: ArrayLike,
    w_k: ArrayLike,
    w_v: ArrayLike,
    w_o: ArrayLike | None = None,
    *,
    b_q: ArrayLike | None = None,
    b_k: ArrayLike | None = None,
    b_v: ArrayLike | None = None,
    b_o: ArrayLike | None = None,
    w_g: ArrayLike | None = None,
    output_gate: OutputGate | None = None,
    context: ArrayLike | None = None,
    values: ArrayLike | None = None,
    n_heads: int = 1,
    n_kv_heads: int | None = None,
    positions: str | Scheme | ArrayLike | None = None,
    relative: Mapping[str, ArrayLike] | None = None,
    relative_bias: ArrayLike | None = None,
    position_ids: ArrayLike | None = None,
    extra_keys: ArrayLike | None = None,
    extra_values: ArrayLike | None = None,
    **options: Any,
) -> tuple[Spec, dict[str, Array]]:
    """Return what `multi_head_attention` computes, and its inputs.

    Nothing is computed; the parameters are those of that function.

    Returns
    -------
    spec : Spec
        The variant.
    inputs : dict of str to ndarray
        Its inputs, which have been checked.

    Raises
    ------
    ValueError, TypeError
        As there.
    """
    parsed = Options.of(options, _NAMES)
    scheme, table = scheme_and_table(positions)
    own = _relative(scheme, relative)
    inputs = parsed.arrays(
        {"X": x, "W_Q": w_q, "W_K": w_k, "W_V": w_v},
        {
            "context": context,
            "values": values,
            "P": table,
            "relative_bias": relative_bias,
            "position_ids": position_ids,
            "b_Q": b_q,
            "b_K": b_k,
            "b_V": b_v,
            **own,
            "extra_keys": extra_keys,
            "extra_values": extra_values,
            "W_G": w_g,
            "W_O": w_o,
            "b_O": b_o,
        },
    )
    _check_together("extra_keys", extra_keys, "extra_values", extra_values)
    if b_o is not None:
        _check_together("b_o", b_o, "w_o", w_o)
    if output_gate is not None or w_g is not None:
        _check_together("w_g", w_g, "output_gate", output_gate)
    if isinstance(scheme, RelativeBias) != (relative_bias is not None):
        there = "given with" if relative_bias is None else "left out without"
        raise ValueError(
            f"The 'relative_bias' parameter must be {there} positions=\"relative\" or "
            f"RelativeBias(). Got {'none' if relative_bias is None else 'one'} instead."
        )
    axial = isinstance(scheme, Rotary) and scheme.axes is not None
    if axial != (position_ids is not None):
        there = "given with" if position_ids is None else "left out without"
        raise ValueError(
            f"The 'position_ids' parameter must be {there} Rotary(axes=…). "
            f"Got {'none' if position_ids is None else 'them'} instead."
        )
    spec = parsed.spec(
        inputs["X"].shape[:-2],
        context=context is not None,
        values=values is not None,
        n_heads=whole_number("n_heads", n_heads, 1),
        n_kv_heads=None
        if n_kv_heads is None
        else whole_number("n_kv_heads", n_kv_heads, 1),
        head_axis=True,
        biases=tuple(n for n in BIASES if n in inputs),
        output_projection=w_o is not None,
        output_gate=output_gate,
        positions=scheme,
        extra_rows=extra_keys is not None,
    )
    check_inputs(spec, inputs, parameter)
    return spec, inputs


def scheme_and_table(
    positions: str | Scheme | ArrayLike | None,
) -> tuple[Positions | None, ArrayLike | None]:
    """Return the scheme of `positions`, and the table if it has one.

    Raises
    ------
    ValueError, TypeError
        If there is no scheme of a name, or it is a class.
    """
    if positions is None or isinstance(positions, Scheme):
        return positions, None
    if isinstance(positions, str):
        check_name("positions", positions, _SCHEMES)
        return _SCHEMES[positions](), None
    if isinstance(positions, type):
        raise TypeError(
            "The 'positions' parameter must be a scheme or a table. Got the class "
            f"{positions.__name__} instead; write {positions.__name__}()."
        )
    return Learned(), positions


def _relative(
    scheme: Positions | None, given: Mapping[str, ArrayLike] | None
) -> Mapping[str, ArrayLike]:
    """Return the inputs of `Disentangled` positions; none with others."""
    if (given is None) != (not isinstance(scheme, Disentangled)):
        raise ValueError(
            "The 'relative' parameter must be given with Disentangled positions, and "
            f"only with them. Got {'none' if given is None else 'it'} instead."
        )
    for name in given or ():
        check_name("relative", name, _RELATIVE)
    return given or {}


def _check_together(name: str, given: object, other: str, also: object) -> None:
    if (given is None) != (also is None):
        missing, there = (name, other) if given is None else (other, name)
        raise ValueError(
            f"The '{missing}' parameter must be given with '{there}'. Got none instead."
        )
