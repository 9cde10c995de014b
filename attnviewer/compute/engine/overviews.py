"""Overviews of the steps of a live computation, brought up to date when looked at."""

import math
from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.engine.live_attention import Blocks
from attnviewer.compute.engine.live_weights import LiveWeights
from attnviewer.compute.steps import StepReader
from attnviewer.compute.windowed import MOST, Overview, Quotients, StepHead
from attnviewer.compute.windowed.blocks import Extremes

LARGE, FINE, COARSE = 2**20, 256, 128
"""Steps of more cells have overviews as large as they may be, because nobody reads
them whole; those of others, and of heads that are only asked for their limits, are
as small as does for a small picture."""

MOST_PENDING = 16
"""Changed blocks of an overview that are told apart until it is looked at."""

Limits = tuple[float, float]


class Overviews:
    """Overviews by step and head.

    What has changed is noted for each of them, and read again only when it is
    looked at.

    Parameters
    ----------
    weights : LiveWeights
        Whose numerators the overview of the weights follows.
    """

    def __init__(self, weights: LiveWeights) -> None:
        self._weights = weights
        self._made: dict[tuple[str, Index], Overview] = {}
        self._coarse: dict[tuple[str, Index], Overview] = {}
        self._pending: dict[Overview, list[Dirty]] = {}

    @property
    def heads(self) -> frozenset[int]:
        """The heads of whose weights an overview is there and up to date."""
        return frozenset(
            lead[-1] if lead else 0
            for (step, lead), overview in self._made.items()
            if step == "weights" and not self._pending.get(overview)
        )

    def note(self, changed: Mapping[str, Blocks], numerators: Blocks) -> None:
        """Take note of what has changed.

        Parameters
        ----------
        changed : mapping of str to tuple of Dirty
            The changed blocks of each step.
        numerators : tuple of Dirty
            Those of the numerators of the weights.
        """
        for kept in (self._made, self._coarse):
            for (step, lead), overview in kept.items():
                blocks = changed.get(step, ())
                if isinstance(overview, Quotients) and blocks:
                    # Also the weights of rows whose numerators stayed.
                    blocks = numerators or (Dirty(rows=np.empty(0, np.intp)),)
                pending = self._pending.setdefault(overview, [])
                pending += [block for block in blocks if _reaches(block, lead)]
                if len(pending) > MOST_PENDING:
                    pending[:] = [EVERYTHING]

    def of(self, trace: StepReader, step: str, head: int = 0) -> Overview:
        """Return the overview of one head of a step, up to date."""
        key = step, trace.place(step, head)
        if key not in self._made:
            self._coarse.pop(key, None)
            large = math.prod(trace.shape(step)[-2:]) > LARGE
            self._made[key] = self._make(trace, step, head, MOST if large else FINE)
        return self._up_to_date(self._made[key], trace, step, head)

    def limits(self, trace: StepReader, step: str) -> Limits | None:
        """Return the lowest and the highest finite number of a step in all heads."""
        found: list[Limits] = []
        for head in range(trace.n_heads("weights")):
            key = step, trace.place(step, head)
            overview = self._made.get(key) or self._coarse.get(key)
            if overview is None:
                overview = self._make(trace, step, head, COARSE)
                self._coarse[key] = overview
            overview = self._up_to_date(overview, trace, step, head)
            limits = overview.limits()
            if limits is not None:
                found.append(limits)
            if step == "weights" and overview.extremes.has_hidden:
                found.append((0.0, 0.0))  # as what a mask hides weighs nothing
        if not found:
            return None
        lows, highs = zip(*found, strict=True)
        return min(lows), max(highs)

    def _make(self, trace: StepReader, step: str, head: int, most: int) -> Overview:
        matrix = StepHead(trace, step, head)
        normalizer = self._weights.normalizer
        if step != "weights" or not normalizer.exponential:
            overview = Overview(matrix, most, read=False)
            known = self._known_extremes(trace, step, head, overview.block)
            overview.refresh(matrix, [EVERYTHING], known)
            return overview
        lead = trace.place(step, head)
        numerators = _Numerators(matrix, self._weights, lead)
        return Quotients(numerators, self._divisors(lead), most)

    def _divisors(self, lead: Index) -> Array:
        divisor = self._weights.divisor
        assert divisor is not None
        divisors: Array = divisor[lead][:, 0]  # (n_q,)
        return divisors

    def _up_to_date(
        self, overview: Overview, trace: StepReader, step: str, head: int
    ) -> Overview:
        blocks = self._pending.pop(overview, [])
        if blocks:
            matrix = StepHead(trace, step, head)
            if isinstance(overview, Quotients):
                lead = trace.place(step, head)
                numerators = _Numerators(matrix, self._weights, lead)
                overview.divide(numerators, self._divisors(lead), blocks)
            else:
                known = self._known_extremes(trace, step, head, overview.block)
                overview.refresh(matrix, blocks, known)
        return overview

    def _known_extremes(
        self, trace: StepReader, step: str, head: int, block: tuple[int, int]
    ) -> Extremes | None:
        """Return those of a step that follow from those of the step before it."""
        stage = trace.stages[step]
        if not stage.inputs:
            return None
        before = stage.inputs[0]
        source = self._made.get((before, trace.place(before, head)))
        if source is None or source.block != block:
            return None
        found = self._up_to_date(source, trace, before, head).extremes
        with np.errstate(all="ignore"):
            lows, highs = map(stage.of_extremes, (found.lows, found.highs))
        if lows is None or highs is None:
            return None
        known = Extremes(lows, highs, found.flags.copy())
        limits = known.limits()
        # Numbers that have left the range are no extremes any more.
        return known if limits is None or np.isfinite(limits).all() else None


class _Numerators:
    """The numerators of the weights of one head as a matrix that is read by window."""

    def __init__(self, head: StepHead, weights: LiveWeights, lead: Index) -> None:
        self._head, self._weights, self._lead = head, weights, lead

    @property
    def shape(self) -> tuple[int, int]:
        return self._head.shape

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        return self._weights.view.numerators(Part(self._lead, rows, columns))

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        return self._head.hidden(rows, columns)


def _reaches(block: Dirty, lead: Index) -> bool:
    return block.heads is None or not lead or lead[-1] in block.heads
