"""The masks of a plan, changed by mistakes."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.arrays import Numbers, Part
from attnviewer.compute.masks import Chunk
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.stages.mask import ApplyMask

Hidden = NDArray[np.bool_]


def stage_of(plan: Plan) -> ApplyMask:
    """Return the stage that masks."""
    stage = plan.stages["masked"]
    assert isinstance(stage, ApplyMask)
    return stage


def hidden(stage: ApplyMask, scores: Numbers, *masks: Numbers) -> Hidden:
    """Return which scores a stage hides, of the shape of the scores."""
    spread = stage.spread(scores.shape, *masks)
    found: Hidden = np.broadcast_to(stage.hidden(scores, Part(), *spread), scores.shape)
    return found


def hides(plan: Plan) -> Callable[..., Hidden]:
    """Return what tells which scores a plan hides, with the mistakes that are in it.

    Parameters
    ----------
    plan : Plan
        A plan with a mask.

    Returns
    -------
    callable
        From what the step ``masked`` reads to what is hidden, of the shape of the
        scores.
    """
    step = plan["masked"]

    def found(scores: Numbers, *masks: Numbers) -> Hidden:
        away: Hidden = np.isneginf(step.compute(np.zeros_like(scores), *masks))
        return away

    return found


def by_positions(plan: Plan, rule: Callable[[Numbers, Numbers], Hidden]) -> Plan:
    """Return the plan with another rule in place of its causal mask and its window.

    The given mask, padding and chunks hide keys as before. Of a rule that a mistake has
    changed before, that change remains.

    Parameters
    ----------
    plan : Plan
        A plan with a mask.
    rule : callable
        From the positions of queries (n_q, 1) and keys (n_k,) to what is hidden.
    """
    stage = stage_of(plan)
    kept = ApplyMask(
        stage.inputs[0],
        tuple(rule for rule in stage.rules if isinstance(rule, Chunk)),
        given=len(stage.inputs) == 2,
        query_offset=stage.query_offset,
        key_lengths=stage.key_lengths,
        n_keys=stage.n_keys,
    )

    so_far = hides(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        n_q, n_k = scores.shape[-2:]
        keys = np.arange(n_k)
        found = rule(np.arange(n_q)[:, None] + first_query(plan), keys)
        found = (found & (keys < stage.n_keys)) | hidden(kept, scores, *masks)
        found = found ^ hidden(stage, scores, *masks) ^ so_far(scores, *masks)
        return np.where(found, -np.inf, scores)

    return plan.computing("masked", compute)


def by_mask(plan: Plan, change: Callable[[Hidden], Hidden]) -> Plan:
    """Return the plan with what is hidden changed by a function."""
    so_far = hides(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        return np.where(change(so_far(scores, *masks)), -np.inf, scores)

    return plan.computing("masked", compute)


def by_value(plan: Plan, change: Callable[[Numbers, Hidden], Numbers]) -> Plan:
    """Return the plan with hidden scores treated in another way."""
    so_far = hides(plan)

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        return change(scores, so_far(scores, *masks))

    return plan.computing("masked", compute)


def given_as(plan: Plan, change: Callable[[Numbers], Numbers]) -> Plan:
    """Return the plan with the given mask changed."""
    step = plan["masked"]
    return plan.computing("masked", lambda s, mask: step.compute(s, change(mask)))


def without_padding(plan: Plan) -> ApplyMask:
    """Return the stage that masks, without the lengths of sequences."""
    stage = stage_of(plan)
    return ApplyMask(
        stage.inputs[0],
        stage.rules,
        given=len(stage.inputs) == 2,
        query_offset=stage.query_offset,
        n_keys=stage.n_keys,
    )


def is_padding(plan: Plan) -> bool:
    """Return whether a given mask is one row for all queries."""
    shape = plan.shapes["mask"]
    return len(shape) == 1 or (len(shape) > 1 and shape[-2] == 1)


def first_query(plan: Plan) -> int:
    """Return the position of the first query."""
    return int(np.asarray(plan.spec.query_offset).reshape(-1)[0])


def window_of(plan: Plan) -> tuple[int | None, int | None]:
    """Return how many keys to the left and to the right a query sees."""
    return plan.spec.window or (None, None)
