"""Mistakes in the use of a given mask, and of masks as a whole."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.hiding import (
    by_mask,
    given_as,
    hidden,
    stage_of,
    window_of,
)
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.stages.mask import ApplyMask


def _has_rules(plan: Plan) -> bool:
    return plan.spec.causal or window_of(plan) != (None, None)


def _inverted(plan: Plan) -> Iterator[Variation]:
    if plan.masked:
        yield Variation(by_mask(plan, np.logical_not))
    if plan.spec.mask and _has_rules(plan):
        yield Variation(given_as(plan, lambda mask: ~mask.astype(bool)))


def _square(plan: Plan) -> bool:
    shape = plan.shapes.get("mask", ())
    return plan.spec.mask and len(shape) >= 2 and shape[-1] == shape[-2] > 1


def _transposed(plan: Plan) -> Iterator[Variation]:
    if _square(plan):
        yield Variation(given_as(plan, lambda mask: mask.swapaxes(-1, -2)))


def ignored(plan: Plan) -> Iterator[Variation]:
    """Yield the plan without the given mask."""
    if plan.spec.mask:
        yield Variation(given_as(plan, np.ones_like))


def _shifted(plan: Plan) -> Iterator[Variation]:
    if not plan.spec.mask or plan.shapes["mask"][-1:] in ((), (1,)):
        return
    for places in (1, -1):

        def move(mask: Numbers, places: int = places) -> Numbers:
            moved = np.ones_like(mask)
            if places > 0:
                moved[..., places:] = mask[..., :-places]
            else:
                moved[..., :places] = mask[..., -places:]
            return moved

        yield Variation(given_as(plan, move), float(places))
        around = partial(np.roll, shift=places, axis=-1)
        yield Variation(given_as(plan, around), float(places))


def _joined_by_or(plan: Plan) -> Iterator[Variation]:
    if not (plan.spec.mask and _has_rules(plan)):
        return
    stage = stage_of(plan)
    rules = ApplyMask(
        stage.inputs[0],
        stage.rules,
        query_offset=stage.query_offset,
        key_lengths=stage.key_lengths,
        n_keys=stage.n_keys,
    )
    given = ApplyMask(stage.inputs[0], given=True, n_keys=stage.n_keys)

    def compute(scores: Numbers, mask: Numbers) -> Numbers:
        both = hidden(rules, scores) & hidden(given, scores, mask)
        return np.where(both, -np.inf, scores)

    yield Variation(plan.computing("masked", compute))


def _mask_alone(plan: Plan) -> Iterator[Variation]:
    """Yield the plan in which a given mask replaces the causal one and the window."""
    if plan.spec.mask and _has_rules(plan):
        stage = stage_of(plan)
        given = ApplyMask(
            stage.inputs[0],
            given=True,
            key_lengths=stage.key_lengths,
            n_keys=stage.n_keys,
        )

        def compute(scores: Numbers, mask: Numbers) -> Numbers:
            return np.where(hidden(given, scores, mask), -np.inf, scores)

        yield Variation(plan.computing("masked", compute))


def _one_head_alone(plan: Plan) -> Iterator[Variation]:
    if plan.masked and plan.spec.n_heads > 1:
        step = plan["masked"]

        def compute(scores: Numbers, *masks: Numbers) -> Numbers:
            found = scores.copy()
            found[..., 0, :, :] = step.compute(scores, *masks)[..., 0, :, :]
            return found

        yield Variation(plan.computing("masked", compute))


MISTAKES = (
    Mistake(
        "mask-inverted",
        "The mask is inverted",
        _inverted,
        "Queries see what they should not, and do not see what they should: True means "
        "“attend” in one place and “hide” in the other.",
        Remedy("masked_fill(mask, -math.inf)", "masked_fill(~mask, -math.inf)"),
        Remedy("np.where(mask, -np.inf, scores)", "np.where(mask, scores, -np.inf)"),
        "True attends in scaled_dot_product_attention, hides in MultiheadAttention",
        kind="convention",
    ),
    Mistake(
        "mask-transposed",
        "The mask is transposed",
        _transposed,
        "Rows and columns of the mask are exchanged: it is read by key and query "
        "instead of by query and key.",
        Remedy("masked_fill(~mask.mT, -math.inf)", "masked_fill(~mask, -math.inf)"),
        Remedy("np.where(mask.T, scores, -np.inf)", "np.where(mask, scores, -np.inf)"),
        "Rows are queries and columns keys in PyTorch, JAX and ONNX",
        across_rows=True,
    ),
    Mistake(
        "mask-ignored",
        "The given mask is not applied",
        ignored,
        "Queries see keys that the mask hides.",
        Remedy(
            "F.scaled_dot_product_attention(q, k, v)",
            "F.scaled_dot_product_attention(q, k, v, attn_mask=mask)",
        ),
        Remedy("softmax(scores)", "softmax(np.where(mask, scores, -np.inf))"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "mask-one-head",
        "Only the first head is masked",
        _one_head_alone,
        "The mask hides keys from the first head, and the others see all of them: an "
        "index selects a head where it should have added an axis.",
        Remedy(
            "scores[:, 0].masked_fill_(~mask, -inf)", "scores.masked_fill_(~mask, -inf)"
        ),
        Remedy("scores[0][~mask] = -np.inf", "scores[:, ~mask] = -np.inf"),
        "Rows are queries and columns keys in PyTorch, JAX and ONNX",
    ),
    Mistake(
        "mask-shifted",
        "The mask is shifted by one key",
        _shifted,
        "The mask is off by {parameter:.0f} against the keys, as where a token is put "
        "before the sequence or dropped from it but not from the mask.",
        Remedy("mask = F.pad(mask, (1, -1), value=True)", "mask"),
        Remedy("np.roll(mask, 1, axis=-1)", "mask"),
        "PyTorch's scaled_dot_product_attention",
    ),
    Mistake(
        "masks-joined-by-or",
        "A key is visible if either mask allows it",
        _joined_by_or,
        "The given mask and the causal one, or the window, are joined by “or”. A key "
        "is to be visible only if all of them allow it.",
        Remedy("mask = causal | padding", "mask = causal & padding"),
        Remedy("mask = causal | padding", "mask = causal & padding"),
        "Vaswani et al. 2017, section 3.2.3",
    ),
    Mistake(
        "mask-replaces-causal",
        "The given mask takes the place of the causal one",
        _mask_alone,
        "Only the given mask hides keys. The causal mask, or the window, is dropped "
        "where a mask is given.",
        Remedy("mask if mask is not None else causal", "mask & causal"),
        Remedy("mask if mask is not None else causal", "mask & causal"),
        "PyTorch's scaled_dot_product_attention takes attn_mask or is_causal, not both",
    ),
)
