"""Mistakes in the chunks that attention is cut into."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.masks import Chunk
from attnviewer.compute.mistakes.hiding import Hidden, first_query, hidden, stage_of
from attnviewer.compute.mistakes.mistake import Mistake, Remedy, Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.stages.mask import ApplyMask


def _by(plan: Plan, rule: Callable[[Numbers, Numbers], Hidden]) -> Plan:
    """Return the plan with another rule in place of its chunks."""
    own = stage_of(plan)
    kept = ApplyMask(
        own.inputs[0],
        tuple(other for other in own.rules if not isinstance(other, Chunk)),
        given=len(own.inputs) == 2,
        query_offset=own.query_offset,
        key_lengths=own.key_lengths,
        n_keys=own.n_keys,
    )

    def compute(scores: Numbers, *masks: Numbers) -> Numbers:
        n_q, n_k = scores.shape[-2:]
        found = rule(np.arange(n_q)[:, None] + first_query(plan), np.arange(n_k))
        return np.where(found | hidden(kept, scores, *masks), -np.inf, scores)

    return plan.computing("masked", compute)


def _ignored(plan: Plan) -> Iterator[Variation]:
    if plan.spec.chunk is not None:
        yield Variation(_by(plan, lambda i, j: (i < 0) & (j < 0)))


def _sliding(plan: Plan) -> Iterator[Variation]:
    size = plan.spec.chunk
    if size is not None:
        yield Variation(_by(plan, lambda i, j: np.abs(i - j) >= size), float(size))


def _other_size(plan: Plan) -> Iterator[Variation]:
    own = plan.spec.chunk
    if own is None:
        return
    for size in dict.fromkeys((own + 1, own - 1, 2 * own, own // 2)):
        if size > 0:

            def rule(i: Numbers, j: Numbers, size: int = size) -> Hidden:
                found: Hidden = i // size != j // size
                return found

            yield Variation(_by(plan, rule), float(size))


def _shifted(plan: Plan) -> Iterator[Variation]:
    """Yield the plan whose chunks begin one token earlier."""
    size = plan.spec.chunk
    if size is not None and size > 1:
        yield Variation(_by(plan, lambda i, j: (i + 1) // size != (j + 1) // size))


_LLAMA = "Llama 4's attention_chunk_size"

MISTAKES = (
    Mistake(
        "chunk-ignored",
        "The sequence is not cut into chunks",
        _ignored,
        "Queries see keys of other chunks than their own.",
        Remedy("mask = causal", "mask = causal & (i // size == j // size)"),
        Remedy("mask = causal", "mask = causal & (i // size == j // size)"),
        _LLAMA,
    ),
    Mistake(
        "chunk-sliding",
        "A sliding window takes the place of the chunks",
        _sliding,
        "Queries see the {parameter:.0f} keys up to their own, where they should see "
        "those of their chunk.",
        Remedy("i - j < size", "i // size == j // size"),
        Remedy("i - j < size", "i // size == j // size"),
        _LLAMA,
    ),
    Mistake(
        "chunk-size",
        "The chunks have the wrong size",
        _other_size,
        "Each chunk has {parameter:.0f} tokens, not the intended number.",
        Remedy("size = 8192", "size = config.attention_chunk_size"),
        Remedy("size = 8192", "size = config['attention_chunk_size']"),
        _LLAMA,
    ),
    Mistake(
        "chunk-shifted",
        "The chunks begin one token too early",
        _shifted,
        "Positions count from 1 where chunks are cut, so that the last token of each "
        "belongs to the next.",
        Remedy("(i + 1) // size", "i // size"),
        Remedy("(i + 1) // size", "i // size"),
        _LLAMA,
    ),
)
