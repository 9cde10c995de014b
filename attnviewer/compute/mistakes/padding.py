"""Mistakes in hiding the keys that only fill a sequence up."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.given_masks import ignored
from attnviewer.compute.mistakes.hiding import (
    given_as,
    hidden,
    is_padding,
    stage_of,
    without_padding,
)
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.stages.mask import ApplyMask


def _unpadded(plan: Plan) -> Plan:
    """Return the plan without the lengths of sequences."""
    return _hiding_by(plan, without_padding(plan))


def _hiding_by(plan: Plan, stage: ApplyMask) -> Plan:
    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        return np.where(hidden(stage, scores, *masks), -np.inf, scores)

    return plan.computing("masked", compute)


def _ignored(plan: Plan) -> Iterator[Variation]:
    if plan.spec.key_lengths is not None:
        yield Variation(_unpadded(plan))
    elif plan.spec.mask and is_padding(plan):
        yield from ignored(plan)


def _equal_rows(right: Evaluation) -> bool:
    """Return whether a given mask has many rows, all the same: that is padding."""
    if not right.plan.spec.mask or is_padding(right.plan):
        return False
    mask = right.inputs["mask"]
    return mask.ndim > 1 and bool((mask == mask[..., :1, :]).all())


def _seen_ignored(
    right: Evaluation, _mine: Mapping[str, Numbers]
) -> Iterator[Variation]:
    if _equal_rows(right):
        yield from ignored(right.plan)


def _seen_on_queries(
    right: Evaluation, _mine: Mapping[str, Numbers]
) -> Iterator[Variation]:
    n_q, n_k = right.plan.lengths
    if _equal_rows(right) and n_q == n_k:
        yield Variation(given_as(right.plan, lambda mask: mask.swapaxes(-1, -2)))


def _wrong_side(plan: Plan) -> Iterator[Variation]:
    if plan.spec.mask and plan.shapes["mask"]:
        yield Variation(given_as(plan, lambda mask: mask[..., ::-1]))
    length = plan.spec.key_lengths
    if isinstance(length, int):
        first = plan.lengths[1] - length

        def hide(scores: Numbers) -> Numbers:
            return np.where(np.arange(scores.shape[-1]) < first, -np.inf, scores)

        yield Variation(_unpadded(plan).then("masked", hide))


def _rows_hidden(base: Plan, length: int) -> Plan:
    def hide(scores: Numbers) -> Numbers:
        rows = np.arange(scores.shape[-2])[:, None] >= length
        return np.where(rows, -np.inf, scores)

    return base.then("masked", hide)


def _on_queries(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = plan.lengths
    if n_q != n_k:
        return
    if plan.spec.mask and is_padding(plan):
        yield Variation(given_as(plan, lambda m: np.atleast_2d(m).swapaxes(-1, -2)))
    if isinstance(plan.spec.key_lengths, int):
        yield Variation(_rows_hidden(_unpadded(plan), plan.spec.key_lengths))


def _on_both(plan: Plan) -> Iterator[Variation]:
    n_q, n_k = plan.lengths
    if n_q != n_k:
        return
    if plan.spec.mask and is_padding(plan):

        def both(mask: Numbers) -> Numbers:
            real = np.atleast_2d(mask).astype(bool)
            found: Numbers = real & real.swapaxes(-1, -2)
            return found

        yield Variation(given_as(plan, both))
    if isinstance(plan.spec.key_lengths, int):
        yield Variation(_rows_hidden(plan, plan.spec.key_lengths))


def _miscounted(plan: Plan) -> Iterator[Variation]:
    length, stage = plan.spec.key_lengths, plan.stages.get("masked")
    if not isinstance(length, int) or stage is None:
        return
    own = stage_of(plan)
    for change in (1, -1):
        if 0 < length + change < plan.lengths[1]:
            other = ApplyMask(
                own.inputs[0],
                own.rules,
                given=len(own.inputs) == 2,
                query_offset=own.query_offset,
                key_lengths=length + change,
                n_keys=own.n_keys,
            )
            yield Variation(_hiding_by(plan, other), float(length + change))


_SOURCE = "transformers' attention_mask is 1 for real tokens, on the axis of the keys"

MISTAKES = (
    Mistake(
        "padding-ignored",
        "Padding is attended to",
        _ignored,
        "Queries see the keys that only fill the sequence up.",
        Remedy("model(ids)", "model(ids, attention_mask=mask)"),
        Remedy("softmax(scores)", "softmax(np.where(real, scores, -np.inf))"),
        _SOURCE,
        recognize=_seen_ignored,
    ),
    Mistake(
        "padding-wrong-side",
        "Padding is masked on the wrong side",
        _wrong_side,
        "The mask hides keys at the other end of the sequence than the padding.",
        Remedy("torch.arange(n) >= n - length", "torch.arange(n) < length"),
        Remedy("np.arange(n) >= n - length", "np.arange(n) < length"),
        "transformers' padding_side; decoders pad on the left to generate",
    ),
    Mistake(
        "padding-on-queries",
        "The padding mask hides queries instead of keys",
        _on_queries,
        "Whole rows are hidden instead of columns.",
        Remedy("mask[:, None, :, None]", "mask[:, None, None, :]"),
        Remedy("np.where(real[:, None], s, -np.inf)", "np.where(real, s, -np.inf)"),
        _SOURCE,
        recognize=_seen_on_queries,
        across_rows=True,
    ),
    Mistake(
        "padding-on-both",
        "The padding mask hides queries as well as keys",
        _on_both,
        "The rows of padding tokens are hidden as a whole. That does not change the "
        "other rows, but a softmax of such a row is NaN.",
        Remedy("mask[:, None, :] & mask[:, :, None]", "mask[:, None, :]"),
        Remedy("real[:, None] & real", "real"),
        _SOURCE,
        kind="convention",
        across_rows=True,
    ),
    Mistake(
        "padding-miscounted",
        "The number of real keys is off by one",
        _miscounted,
        "{parameter:.0f} keys are taken for real ones.",
        Remedy("torch.arange(n) <= length", "torch.arange(n) < length"),
        Remedy("np.arange(n) <= length", "np.arange(n) < length"),
        _SOURCE,
    ),
)
