"""Large computations reduced to some queries, which show nearly all mistakes."""

from dataclasses import replace

import numpy as np

from attnviewer.compute.mistakes.plan import Numbers
from attnviewer.compute.positions import Alibi, Rotary
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


def _last(array: Numbers, case: Case, name: str, first: int) -> Numbers:
    rows = case.plan.stages[name].axes[0]
    own = rows == "queries" or (rows == "tokens" and name.endswith("Q"))
    return np.asarray(array[..., first:, :] if own else array)
