"""A diagnosis of arrays, for Python sessions."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from attnviewer.compute.signatures import short_signature
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.reading import read_case


@short_signature
def diagnose(
    inputs: Mapping[str, ArrayLike], mine: Mapping[str, ArrayLike], **options: Any
) -> Diagnosis:
    """Find what is wrong with an implementation of attention, and name the mistake.

    Each step is compared with what the inputs give, as closely as the precision in
    which it was computed allows. A mistake is named only if, with that mistake made,
    the right computation gives the implementation's numbers.

    Parameters
    ----------
    inputs : mapping of str to array_like, or Trace
        What the implementation was given: X and the weights and biases of the
        projections, or Q, K and V; named as in a document (``W_Q``, ``b_Q``,
        ``context``, ``mask``) or as in a checkpoint (``q_proj.weight``,
        ``in_proj_weight``, ``hidden_states``). Weights are (in, out), or as their
        names or shapes tell. In a mask 1 is for what a query may look at. Gains of
        norms (``gain_Q``, ``q_norm.weight``) and ``sinks`` are recognised. A
        computation of `attention` or `multi_head_attention` stands for its inputs and
        options.
    mine : mapping of str to array_like
        What it computed: any of ``Q``, ``K``, ``V``, ``Q_rotated``, ``K_rotated``,
        ``scores``, ``scaled``, ``capped``, ``biased``, ``masked``, ``weights``,
        ``heads``, ``concatenated`` and ``output``, or what libraries call them.
        Axes may come in the orders that libraries use. Arrays of PyTorch, JAX and
        others are taken as they are.
    **options
        What was meant: those of `multi_head_attention`, such as ``n_heads=8``,
        ``n_kv_heads=2``, ``causal=True``, ``positions="rope"``, ``softcap=50``; further
        a `window` of one number (the query's own key and those before it),
        ``rope_base``, ``rope_dim``, ``rope_interleaved``, ``rope_offset``,
        ``rope_frequencies``, ``batch_first``, ``output_projection`` and
        ``output_gate``.

    Returns
    -------
    Diagnosis
        ``print`` shows it as text, and Jupyter as a page.

    Raises
    ------
    ValueError
        If something is missing or unknown, or a shape fits no reading.

    Examples
    --------
    >>> import numpy as np
    >>> import attnviewer
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 5, 4))
    >>> weights = np.exp(q @ k.T)
    >>> weights /= weights.sum(axis=-1, keepdims=True)
    >>> diagnosis = attnviewer.diagnose({"Q": q, "K": k, "V": v}, {"weights": weights})
    >>> diagnosis.agrees, diagnosis.first_different
    (False, 'weights')
    >>> diagnosis.findings[0].id
    'scale-missing'
    """
    return diagnose_case(read_case(inputs, mine, **options))
