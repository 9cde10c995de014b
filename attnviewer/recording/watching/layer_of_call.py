"""A recorded layer from the queries, keys, values and masks of a call."""

import math

import numpy as np

from attnviewer.compute import Array, Spec
from attnviewer.compute.arrays import Numbers
from attnviewer.doctor.reading.masks import HIDING
from attnviewer.recording.call import Call
from attnviewer.recording.masks import Masks
from attnviewer.recording.recorded_layer import RecordedLayer


def layer_of_heads(
    name: str,
    queries: Numbers,
    keys: Numbers,
    values: Numbers,
    masks: Masks,
    *,
    causal: bool = False,
    scale: float | None = None,
    softcap: float | None = None,
    sinks: Numbers | None = None,
    output: Numbers | None = None,
) -> RecordedLayer:
    """Return the attention of queries, keys and values that are split into heads.

    Parameters
    ----------
    name : str
        The layer's name.
    queries : ndarray, shape (..., h, n_q, d_k)
        The queries; fewer axes than four get leading ones.
    keys : ndarray, shape (..., h_kv, n_k, d_k)
        The keys.
    values : ndarray, shape (..., h_kv, n_k, d_v)
        The values.
    masks : Masks
        The masks, each of which broadcasts to (batch, h, n_q, n_k).
    causal : bool
        Whether no query sees a key after it, aligned at the top left.
    scale : float, optional
        The factor on the scores; 1/√d_k by default.
    softcap : float, optional
        The bound of the scores.
    sinks : ndarray, shape (h,), optional
        The learned logit of each head's sink.
    output : ndarray, shape (..., h, n_q, d_v), optional
        What was computed.
    """
    masked = Call()
    masks.tell(masked)
    given = (queries, keys, values, *masked.inputs.values())
    lead = np.broadcast_shapes(*(array.shape[:-3] for array in given))
    q, k, v = (  # (batch, h, n, d)
        _four_axes(_broadcast(array, lead)) for array in (queries, keys, values)
    )
    if scale is not None and math.isclose(scale, q.shape[-1] ** -0.5, rel_tol=1e-6):
        scale = None
    causal = causal or bool(masked.options.get("causal"))
    # Of one axis of batch items or none, a mask for all of them stays a single one.
    extra = {
        name: _four_axes(
            _broadcast(array, lead) if len(lead) > 1 and array.ndim > 3 else array
        )
        for name, array in masked.inputs.items()
    }
    if sinks is not None:
        extra["sinks"] = sinks
    spec = Spec(
        projected=False,
        given=True,
        n_heads=q.shape[1],
        n_kv_heads=k.shape[1],
        scale=scale,
        softcap=softcap,
        causal=causal,
        mask="mask" in extra,
        bias="bias" in extra,
        sinks="sinks" in extra,
    )
    inputs = _of_one_type({"Q": q, "K": k, "V": v, **extra})
    made = None if output is None else _four_axes(output)
    return RecordedLayer(name, spec, inputs, made)


def layer_of_scores(name: str, scores: Numbers, values: Numbers) -> RecordedLayer:
    """Return the attention of scores that a softmax was taken of.

    Parameters
    ----------
    name : str
        The layer's name.
    scores : ndarray, shape (batch, h, n_q, n_k)
        The scores with their masks added: very low ones are hidden.
    values : ndarray, shape (batch, h, n_k, d_v)
        The values.
    """
    # A softmax spreads a row evenly that is hidden altogether by one finite number.
    largest = scores.max(axis=-1, keepdims=True)  # (batch, h, n_q, 1)
    even = (largest <= HIDING) & np.isfinite(largest)
    scores = np.where(even, scores - np.where(even, largest, 0), scores)
    visible = scores > HIDING
    spec = Spec(
        projected=False,
        given=True,
        score="given",
        heads_joined=True,
        n_heads=scores.shape[1],
        n_kv_heads=values.shape[1],
        mask=not visible.all(),
    )
    inputs = {"S": np.where(visible, scores, 0), "V": values}
    if spec.mask:
        inputs["mask"] = visible
    return RecordedLayer(name, spec, _of_one_type(inputs))


def _broadcast(array: Numbers, lead: tuple[int, ...]) -> Numbers:
    """Return an array with the axes before those of heads broadcast."""
    return np.broadcast_to(array, (*lead, *array.shape[-3:]))


def _four_axes(array: Numbers) -> Numbers:
    """Return an array with one axis for all batch items, (batch, h, rows, columns)."""
    if array.ndim < 4:
        return array.reshape((1,) * (4 - array.ndim) + array.shape)
    return array.reshape(-1, *array.shape[-3:])


def _of_one_type(inputs: dict[str, Numbers]) -> dict[str, Array]:
    """Return arrays in the type that all of them fit, at least float32."""
    numbers = [a for a in inputs.values() if a.dtype != bool]
    common = np.result_type(np.float32, *numbers)
    return {n: a if a.dtype == bool else a.astype(common) for n, a in inputs.items()}
