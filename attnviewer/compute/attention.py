"""Attention as a function of queries, keys and values."""

import math
from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike, DTypeLike

from attnviewer.compute.arrays import Array
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.options import Options, Window, parameter
from attnviewer.compute.pins import Pin
from attnviewer.compute.qk_norm import QKNorm
from attnviewer.compute.run import compute_copies
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.spec import Spec
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs


@short_signature
def attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    *,
    scale: float | None = None,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    causal: bool = False,
    window: Window | None = None,
    chunk: int | None = None,
    length_scale: str | LengthScale | None = None,
    softcap: float | None = None,
    normalizer: str = "softmax",
    temperature: float = 1.0,
    query_offset: ArrayLike = 0,
    key_lengths: ArrayLike | None = None,
    score: str = "dot",
    score_weights: Mapping[str, ArrayLike] | None = None,
    normalizer_options: Mapping[str, bool] | None = None,
    qk_norm: str | QKNorm | None = None,
    qk_norm_weights: Mapping[str, ArrayLike] | None = None,
    sinks: ArrayLike | None = None,
    pins: Sequence[Pin] = (),
    dtype: DTypeLike | None = None,
) -> Trace:
    """Compute attention over queries, keys and values, with every step.

    Norm of queries and keys → score → scale → soft cap → bias → mask → normalise →
    weighted sum of the values.

    Parameters
    ----------
    q : array_like, shape (..., h_q, n_q, d_k)
        The queries; also (n_q, d_k) without heads and (h_q, n_q, d_k).
    k : array_like, shape (..., h_kv, n_k, d_k)
        The keys. h_q is a multiple of h_kv: query head h looks at key head
        h // (h_q / h_kv) (GQA; MQA with h_kv = 1), each repeated, not tiled.
    v : array_like, shape (..., h_kv, n_k, d_v)
        The values.
    scale : float, optional
        Factor on the scores; 1/√d_k by default with ``score="dot"``, none with
        the other scores, as in their papers.
    mask : array_like of bool, optional
        True where a query may attend to a key, as in ONNX and PyTorch's
        ``scaled_dot_product_attention`` (``nn.MultiheadAttention`` has it the other
        way round: pass ``~mask``). Broadcast to (..., h_q, n_q, n_k): a mask per
        batch item and key has shape (batch, 1, 1, n_k).
    bias : array_like, optional
        Added to the scores, broadcast as `mask` is; −inf hides a key.
    causal : bool
        Whether a query cannot see the keys after it. Query i has position
        i + `query_offset`: with 0, as in PyTorch and ONNX, the mask is aligned at
        the top left; pass n_k − n_q for the bottom right, as with a KV cache.
    window : tuple of two (int or None), optional
        How many keys a query sees to the left and to the right of its own position.
        transformers' causal window W is ``(W - 1, 0)``, its bidirectional one
        ``(W, W)``.
    chunk : int, optional
        Size c of chunks: a query at position i sees keys j with ⌊j / c⌋ = ⌊i / c⌋ only
        (Llama 4).
    length_scale : str or LengthScale, optional
        A factor on the scaled scores of a query that grows with its position or with
        the number of keys it sees: ``ssmax``, ``llama4``, or a `LengthScale`.
    softcap : float, optional
        c of c·tanh(s / c) on the scaled scores, before bias and mask (Gemma 2).
    normalizer : str
        ``softmax``, ``sum``, ``softmax1``, ``sigmoid``, ``sparsemax``, ``entmax15``,
        ``hardmax`` or ``none``; see `normalize`.
    temperature : float
        The divisor of the masked scores before they are normalised.
    query_offset : int, or array_like of int with one per batch item
        The position of the first query among the keys.
    key_lengths : int, or array_like of int with one per batch item, optional
        How many keys are real; those after them are padding and hidden.
    score : str
        ``dot``; ``cosine``; ``general``, q W kᵀ; ``additive`` and ``concat``,
        tanh(q W_q + k W_k)·v (the concatenated form has W_q and W_k side by side
        in one matrix).
    score_weights : mapping of str to array_like, optional
        ``{"w": (d_q, d_k)}`` for ``general``; ``{"w_q": (d_q, a), "w_k": (d_k, a),
        "v": (a,)}`` for ``additive`` and ``concat``; the same for every head.
    normalizer_options : mapping of str to bool, optional
        Such as ``{"length_bias": False}`` for ``sigmoid``.
    qk_norm : str or QKNorm, optional
        A norm of queries and keys, before they are rotated: ``rms`` or ``layer``, of
        each head by itself; a `QKNorm` for others, such as over all heads together.
    qk_norm_weights : mapping of str to array_like, optional
        ``gain_q`` and ``gain_k``, (d_k,) for all heads or (h·d_k,), and for a layer
        norm ``shift_q`` and ``shift_k``.
    sinks : array_like, shape (h_q,), optional
        A learned logit per head (gpt-oss), beside the scores of each of its rows as
        they are when they are normalised: it takes part in softmax, and its weight is
        then left out. No scale, cap, mask or temperature acts on it.
    pins : sequence of Pin
        Cells of computed steps that are set, added to or scaled before the next step
        reads them; `Trace.computed` has them as they were.
    dtype : dtype, optional
        The type that everything is computed in: float16, float32 or float64. By
        default that of q, k and v together, whatever bias and score weights have;
        integers count as float64. Pass ``np.float32`` to compute float16 inputs
        with more digits.

    Returns
    -------
    Trace
        ``Q``, ``K``, ``V``, then ``normed Q`` and ``normed K`` with a norm, ``scores``,
        then ``scaled``, ``tempered``, ``capped``, ``biased`` and ``masked`` where the
        options call for them, ``weights`` (..., h_q, n_q, n_k) and ``output``
        (..., h_q, n_q, d_v), all of `dtype`. A query that sees no key has zero weights
        and a zero output; see `Trace.blind`.

    Raises
    ------
    ValueError, TypeError
        If a shape does not fit, a number is not finite, or a name is unknown.

    References
    ----------
    Vaswani et al. 2017, "Attention Is All You Need", equation 1; Ainslie et al.
    2023, "GQA"; Bahdanau et al. 2015; Luong et al. 2015; ONNX, operator Attention.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer import attention
    >>> trace = attention(np.eye(2), np.eye(2), [[1.0], [3.0]], scale=1.0, causal=True)
    >>> list(trace)
    ['Q', 'K', 'V', 'scores', 'masked', 'weights', 'output']
    >>> trace["masked"]
    array([[  1., -inf],
           [  0.,   1.]])
    """
    options = Options(
        scale=scale,
        mask=mask,
        bias=bias,
        causal=causal,
        window=window,
        chunk=chunk,
        length_scale=length_scale,
        softcap=softcap,
        normalizer=normalizer,
        temperature=temperature,
        query_offset=query_offset,
        key_lengths=key_lengths,
        score=score,
        score_weights=score_weights,
        normalizer_options=normalizer_options,
        qk_norm=qk_norm,
        qk_norm_weights=qk_norm_weights,
        sinks=sinks,
        pins=pins,
        dtype=dtype,
    )
    return compute_copies(*given(q, k, v, options))


def given(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, options: Options
) -> tuple[Spec, dict[str, Array]]:
    """Return what `attention` computes, and its inputs, without computing it.

    Parameters
    ----------
    q, k, v, options
        As there.

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
    inputs = options.arrays({"Q": q, "K": k, "V": v})
    *batch, n_heads = inputs["Q"].shape[:-2] or (1,)
    *_, n_kv_heads = inputs["K"].shape[:-2] or (1,)
    spec = options.spec(
        tuple(batch),
        projected=False,
        given=True,
        n_heads=n_heads or 1,
        # Whether the heads divide evenly is checked on the arrays.
        n_kv_heads=math.gcd(n_heads, n_kv_heads) or 1,
    )
    check_inputs(spec, inputs, parameter)
    return spec, inputs
