"""Documents from the inputs of a computation."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from attnviewer.compute import Array, Index, Spec, Trace
from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Shape
from attnviewer.compute.pin_checks import step_shapes
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.stages.project import join_heads, split_heads
from attnviewer.document.document import Document
from attnviewer.document.given_heads import (
    check_alone,
    columns_of_head,
    pins_of_head,
    pins_of_heads,
)
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.document.position_ids import POSITION_IDS
from attnviewer.document.sequences import next_names


@short_signature
def document_of(
    trace: Trace,
    *,
    tokens: Iterable[str] | None = None,
    context_tokens: Iterable[str] | None = None,
    batch: int | Index | None = None,
    head: int | None = None,
    title: str = "From Python",
) -> Document:
    """Return a new document with the inputs of a computation.

    Parameters
    ----------
    trace : Trace
        The computation.
    tokens : iterable of str, optional
        Names of the query tokens; numbered by default.
    context_tokens : iterable of str, optional
        Names of the key tokens where they are others.
    batch : int or tuple of int, optional
        The batch item, as a document holds only one: required if there are several.
    head : int, optional
        The head of given queries, keys and values; all by default.
    title : str
        The document's title.

    Returns
    -------
    Document
        It computes the same steps, in float64 and without the axes of the batch and
        of a single head. Several heads of given queries, keys and values are side by
        side in its matrices.

    Raises
    ------
    TypeError, ValueError
        If there is no such batch item or head, or a document cannot hold such inputs.
    """
    inputs = {name: trace[name] for name in trace.spec.input_names}
    return document_of_inputs(
        trace.spec,
        inputs,
        tokens=tokens,
        context_tokens=context_tokens,
        batch=batch,
        head=head,
        title=title,
    )


def document_of_inputs(
    spec: Spec,
    inputs: Mapping[str, Array],
    *,
    tokens: Iterable[str] | None = None,
    context_tokens: Iterable[str] | None = None,
    batch: int | Index | None = None,
    head: int | None = None,
    title: str = "From Python",
) -> Document:
    """Return a new document with inputs that nothing has been computed of yet.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        Its inputs.
    tokens, context_tokens, batch, head, title
        As in `document_of`.

    Returns
    -------
    Document
        As there.

    Raises
    ------
    TypeError, ValueError
        As there.
    """
    if spec.values:
        raise ValueError(
            "The 'values' must be None in a document, whose values come from the "
            "sequence of the keys. Got a sequence of their own instead."
        )
    queries, keys, _ = spec.sources
    shapes = {name: array.shape for name, array in inputs.items()}
    steps = step_shapes(spec, shapes)
    scores = steps["scores"]
    lead = scores[:-2] if spec.given else shapes[queries][:-2]
    if spec.given:
        lead_index = _item(batch, lead[:-1])
        if lead and (head is not None or lead[-1] == 1):
            chosen = _below("head", 0 if head is None else head, lead[-1])
            check_alone(spec, chosen)
            lead_index = (*lead_index, chosen)
    else:
        lead_index = _item(batch, lead)
        if head is not None:
            raise ValueError(
                "The 'head' parameter must be None where heads are made by the "
                f"projections: a document holds them all. Got {head} instead."
            )
    matrices = {
        name: _matrix(
            name, _by_head(name, inputs[name], spec), lead_index, scores, spec
        )
        for name in spec.input_names
    }
    if spec.given and 0 < len(lead) == len(lead_index):
        matrices |= columns_of_head(spec, lead_index[-1], matrices)
    spec = _single(spec, lead_index, lead, steps)
    n_queries, n_keys = len(matrices[queries]), len(matrices[keys])
    own_keys = spec.context or context_tokens is not None or n_keys != n_queries
    return Document(
        title,
        called(tokens, "tokens", n_queries),
        matrices,
        replace(spec, context=own_keys) if spec.given else spec,
        context_tokens=(
            called(context_tokens, "context_tokens", n_keys) if own_keys else ()
        ),
    )


def _item(batch: int | Index | None, shape: tuple[int, ...]) -> Index:
    """Return the index of a batch item, checked."""
    given = () if batch is None else batch if isinstance(batch, tuple) else (batch,)
    if batch is None and all(size == 1 for size in shape):
        return (0,) * len(shape)
    if len(given) != len(shape):
        expected = (
            f"given, {len(shape)} numbers below {shape}: a document holds one batch "
            "item"
            if shape
            else "None where there is no batch"
        )
        raise ValueError(
            f"The 'batch' parameter must be {expected}. Got {batch} instead."
        )
    return tuple(
        _below("batch", number, size) for number, size in zip(given, shape, strict=True)
    )


def _below(name: str, value: object, count: int) -> int:
    number = whole_number(name, value, 0)
    if number >= count:
        raise ValueError(
            f"The '{name}' parameter must be from 0 to {count - 1}. "
            f"Got {number} instead."
        )
    return number


def _by_head(name: str, array: Array, spec: Spec) -> Array:
    """Return an input, with the heads of given queries, keys or values as an axis."""
    if not spec.heads_joined or name not in spec.sources:
        return array
    return split_heads(array, _heads_of(spec, name))


def _heads_of(spec: Spec, name: str) -> int:
    return spec.n_heads if name == spec.sources[0] else spec.kv_heads


def _matrix(
    name: str, array: Array, lead_index: Index, scores: tuple[int, ...], spec: Spec
) -> Array:
    """Return one input as a matrix."""
    if name in (MASK, BIAS):
        return _for_scores(name, array, lead_index, scores, spec)
    if name == POSITION_IDS:
        lead_index = lead_index[: array.ndim - 2]
    elif name in spec.sources:
        if spec.given and len(lead_index) == array.ndim - 2 > 0:
            if name != spec.sources[0]:
                lead_index = (*lead_index[:-1], spec.kv_head_of(lead_index[-1]))
        elif spec.given and len(lead_index) < array.ndim - 2:
            return join_heads(array[lead_index])  # (n, h·d)
    elif array.ndim < 3:
        lead_index = ()
    matrix: Array = np.atleast_2d(array[lead_index])
    return matrix


def _for_scores(
    name: str, array: Array, lead_index: Index, scores: tuple[int, ...], spec: Spec
) -> Array:
    """Return the mask or the bias of all scores of one batch item and head."""
    array = np.atleast_2d(array)
    whole = np.broadcast_to(array, (*scores[:-2], *array.shape[-2:]))
    mine: Array = whole[lead_index]  # (heads,) n_q, n_k, before these broadcast
    if mine.ndim > 2:
        if array.ndim > 2 and array.shape[-3] > 1 and (mine != mine[:1]).any():
            raise ValueError(
                f"The '{name}' must be the same for all heads in a document. "
                f"Got shape {array.shape} instead."
            )
        mine = mine[0]
    extra = 0
    if spec.extra_rows and mine.shape[-1] != 1:
        extra = scores[-1] - mine.shape[-1]
    return np.broadcast_to(mine, (scores[-2], scores[-1] - extra))


def _single(
    spec: Spec, lead_index: Index, lead: Shape, steps: Mapping[str, Shape]
) -> Spec:
    """Return the spec of one batch item, and of one head where one is chosen.

    `lead` is the shape of the batch and, where Q, K and V are given, of the heads;
    `steps` has those of the steps.
    """
    whole = spec.given and len(lead_index) < len(lead)
    item = lead_index[:-1] if spec.given and lead and not whole else lead_index
    offset, lengths = spec.query_offset, spec.key_lengths
    for number in item:
        offset = offset[number] if isinstance(offset, tuple) else offset
        lengths = lengths[number] if isinstance(lengths, tuple) else lengths
    single = replace(spec, head_axis=False, query_offset=offset, key_lengths=lengths)
    if whole:
        return replace(single, heads_joined=True, pins=pins_of_heads(spec))
    if not spec.given:
        return single
    pins = pins_of_head(spec, lead_index[-1], steps) if lead else spec.pins
    return replace(single, n_heads=1, n_kv_heads=None, heads_joined=False, pins=pins)


def called(tokens: Iterable[str] | None, name: str, count: int) -> tuple[str, ...]:
    """Return the names of tokens."""
    if tokens is None:
        return next_names((), count)
    if isinstance(tokens, str):
        raise TypeError(
            f"The '{name}' parameter must be a list of texts, one for each token. "
            f"Got {tokens!r} instead."
        )
    return tuple(map(str, tokens))
