"""Large computations reduced to some queries or to the first tokens."""

from dataclasses import replace

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.positions import Alibi, Rotary, Sinusoidal
from attnviewer.compute.spec import Spec
from attnviewer.doctor.case import Case

MOST_NUMBERS = 3_000_000
"""Numbers of all steps up to which every hypothesis is tried on all of them."""

QUERIES = 48
"""The last queries, which all hypotheses are tried on otherwise."""


def reduced(case: Case) -> Case | None:
    """Return a large case with the last queries alone; None where it is small."""
    return last_queries(case, QUERIES) if numbers_of(case) > MOST_NUMBERS else None


def last_queries(case: Case, count: int) -> Case | None:
    """Return a case with the last queries alone, which attend to all keys.

    Parameters
    ----------
    case : Case
        All queries.
    count : int
        How many are kept.

    Returns
    -------
    Case or None
        None where there are no more, or where it cannot be reduced.
    """
    spec, inputs = case.spec, case.inputs
    n_q = inputs[spec.sources[0]].shape[-2]
    first = n_q - count
    if first <= 0 or not _can_be_reduced(spec):
        return None
    source = spec.sources[0]
    changed = dict(inputs)
    changed[source] = inputs[source][..., first:, :]
    assert isinstance(spec.query_offset, int)
    small = replace(spec, query_offset=spec.query_offset + first)
    if not spec.given and not spec.context:
        small = replace(small, context=True)
        changed["context"] = inputs["X"]
    for name in ("mask", "bias"):
        if name in inputs and inputs[name].ndim > 1 and inputs[name].shape[-2] == n_q:
            changed[name] = inputs[name][..., first:, :]
    kept = {name: changed[name] for name in small.input_names}
    mine = {
        name: _last(array, case, name, first)
        for name, array in case.mine.items()
        if name in case.plan
    }
    return Case(small, kept, mine, case.names, case.notes, case.assumed)


def first_tokens(case: Case, count: int) -> Case | None:
    """Return a case of a sequence that ends after some tokens.

    No query of a causal computation sees what is left out. Of others, only the steps
    up to the weights are kept: what softmax gives some keys is, divided by its sum,
    what it gives them where there are no others.

    Parameters
    ----------
    case : Case
        The whole sequence.
    count : int
        How many tokens are kept.

    Returns
    -------
    Case or None
        None where there are no more, where the length is part of the computation, or
        where none of the steps is left.
    """
    spec, shapes = case.spec, case.plan.shapes
    length, *others = {shapes[source][-2] for source in spec.sources}
    if others or length <= count or not _can_be_cut(spec):
        return None
    kept = dict(case.inputs)
    for name in spec.sources:
        kept[name] = _cut(case.inputs[name], -2, count)
    for name in {"mask", "bias"}.intersection(kept):
        for axis in range(-min(kept[name].ndim, 2), 0):
            if kept[name].shape[axis] == length:
                kept[name] = _cut(kept[name], axis, count)
    steps = list(case.plan.steps)
    last = len(steps) if spec.causal else steps.index("weights")
    mine = {
        name: _first(array, case, name, count)
        for name, array in case.mine.items()
        if name in steps[:last]
    }
    if not spec.causal and "weights" in case.mine and spec.normalizer == "softmax":
        part = _first(case.mine["weights"], case, "weights", count)
        with np.errstate(all="ignore"):
            whole = part / part.sum(axis=-1, keepdims=True)
        mine["weights"] = whole.astype(part.dtype)
    if not mine:
        return None
    return Case(spec, kept, mine, case.names, case.notes, case.precision)


def numbers_of(case: Case) -> int:
    """Return about how many numbers all steps have together."""
    spec = case.spec
    n_q, n_k = (case.inputs[spec.sources[side]].shape[-2] for side in (0, 1))
    maps = sum(stage.axes == ("queries", "keys") for stage in case.plan.stages.values())
    return int(maps * spec.n_heads * n_q * n_k)


def _can_be_reduced(spec: Spec) -> bool:
    placed = spec.positions is None or isinstance(spec.positions, Alibi | Rotary)
    simple = spec.projected or (spec.given and spec.score != "given")
    return placed and simple and isinstance(spec.query_offset, int)


def _can_be_cut(spec: Spec) -> bool:
    """Return whether the first tokens are computed as if there were no others."""
    placed = isinstance(spec.positions, Alibi | Rotary | Sinusoidal | None)
    lengths = (spec.length_scale, spec.key_lengths, *spec.normalizer_options)
    plain = not (spec.extra_rows or spec.context or any(lengths))
    plain = plain and (spec.causal or not spec.sinks)
    simple = spec.projected or (spec.given and spec.score != "given")
    return placed and plain and simple and spec.query_offset == 0


def _first(array: Numbers, case: Case, name: str, count: int) -> Numbers:
    for axis, what in zip((-2, -1), case.plan.stages[name].axes, strict=True):
        if what != "features":
            array = _cut(array, axis, count)
    return array


def _cut(array: Numbers, axis: int, count: int) -> Numbers:
    return np.asarray(array[..., :count] if axis == -1 else array[..., :count, :])


def _last(array: Numbers, case: Case, name: str, first: int) -> Numbers:
    rows = case.plan.stages[name].axes[0]
    own = rows == "queries" or (rows == "tokens" and name.endswith("Q"))
    return np.asarray(array[..., first:, :] if own else array)
