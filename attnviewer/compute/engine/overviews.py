"""Overviews of the steps of a live computation, updated when they are read."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from attnviewer.compute.arrays import ALL, Array, BoolArray, Index, Part
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.engine.incremental_attention import Blocks
from attnviewer.compute.engine.live_weights import LiveWeights
from attnviewer.compute.pinned_weights import PinnedWeights
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.statistics import Limits
from attnviewer.compute.steps import StepReader
from attnviewer.compute.windowed import (
    MOST,
    Overview,
    Quotients,
    SketchedOverview,
    StepHead,
)
from attnviewer.compute.windowed.blocks import Extremes

LARGE, FINE, COARSE = 2**20, 256, 128
"""Steps of more than LARGE cells, which are never read whole, have overviews of the
largest size. Those of smaller steps, and of thumbnails, have FINE blocks per side, and
those that only serve for limits COARSE ones."""

MOST_PENDING = 16
"""Changed blocks of an overview that are listed separately until it is read."""


class Overviews:
    """Overviews by step and head.

    Changed blocks are recorded for each of them, and read again only when the overview
    is asked for.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    weights : LiveWeights or None
        The weights, whose overview is computed from their numerators; None where none
        are stored.
    pinned : PinnedWeights or None
        The same with their pins; None without any.
    unstored : bool
        Whether no n × n array is stored. The overviews of such steps begin as
        sketches, and the limits are those of what has been read.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        weights: LiveWeights | None,
        pinned: PinnedWeights | None = None,
        *,
        unstored: bool = False,
    ) -> None:
        self._step = pipeline.weights
        self._early = {stage.name for stage in pipeline.before}
        weighing = {stage.name for stage in pipeline.weighing}
        self._with_zeros = pipeline.masked & weighing
        self._weights, self._pinned, self._unstored = weights, pinned, unstored
        self._made: dict[tuple[str, Index], Overview] = {}
        self._coarse: dict[tuple[str, Index], Overview] = {}
        self._pending: dict[Overview, list[Dirty]] = {}

    @property
    def heads(self) -> frozenset[int]:
        """The heads whose weights have an up-to-date overview."""
        return frozenset(
            lead[-1] if lead else 0
            for (step, lead), overview in self._made.items()
            if step == self._step and not self._pending.get(overview)
        )

    def note(self, changed: Mapping[str, Blocks], numerators: Blocks) -> None:
        """Record changed blocks.

        Parameters
        ----------
        changed : mapping of str to tuple of Dirty
            The changed blocks of each step.
        numerators : tuple of Dirty
            The changed blocks of the numerators of the weights.
        """
        for kept in (self._made, self._coarse):
            for (step, lead), overview in kept.items():
                blocks = changed.get(step, ())
                if overview.of_numerators and blocks:
                    # Weights also change in rows whose numerators did not.
                    blocks = numerators or (Dirty(rows=np.empty(0, np.intp)),)
                pending = self._pending.setdefault(overview, [])
                pending += [block for block in blocks if _reaches(block, lead)]
                if len(pending) > MOST_PENDING:
                    pending[:] = [EVERYTHING]

    def of(self, trace: StepReader, step: str, head: int = 0) -> Overview:
        """Return the overview of one head of a step, up to date."""
        key = step, trace.matrix_index(step, head)
        if key not in self._made:
            self._coarse.pop(key, None)
            large = math.prod(trace.shape(step)[-2:]) > LARGE
            self._made[key] = self._make(trace, step, head, MOST if large else FINE)
        return self._up_to_date(self._made[key], trace, step, head)

    def thumbnail(self, trace: StepReader, step: str, head: int = 0) -> Overview:
        """Return an overview of one head of a step for a small picture, up to date.

        Where no n × n array is stored, one of the usual size takes 9 MiB: only a step
        that is looked at has it.
        """
        if not self._unstored:
            return self.of(trace, step, head)
        return self._small(trace, step, head, FINE)

    def sketched(
        self, trace: StepReader, step: str, head: int = 0
    ) -> SketchedOverview | None:
        """Return the overview of one head of a step if it begins as a sketch."""
        if not self._unstored:
            return None
        overview = self.of(trace, step, head)
        return overview if isinstance(overview, SketchedOverview) else None

    def limits(self, trace: StepReader, step: str) -> Limits | None:
        """Return the lowest and the highest finite number of a step in all heads."""
        found: list[Limits] = []
        heads: Sequence[int] = range(trace.n_heads(self._step))
        if self._unstored:
            heads = self._looked_at(trace, step) or range(1)
        for head in heads:
            overview = self._small(trace, step, head, COARSE)
            limits = overview.limits()
            if limits is not None:
                found.append(limits)
            if step in self._with_zeros and overview.extremes.has_hidden:
                found.append((0.0, 0.0))  # hidden keys have weight 0
        if not found:
            return None
        lows, highs = zip(*found, strict=True)
        return min(lows), max(highs)

    def _looked_at(self, trace: StepReader, step: str) -> Sequence[int]:
        """Return heads of the queries for all heads of a step that have overviews."""
        made = (*self._made, *self._coarse)
        own = {lead[-1] if lead else 0 for name, lead in made if name == step}
        return [trace.served_by(step, head)[0] for head in sorted(own)]

    def _small(self, trace: StepReader, step: str, head: int, most: int) -> Overview:
        """Return the overview that there is, or else a small one, up to date."""
        key = step, trace.matrix_index(step, head)
        overview = self._made.get(key) or self._coarse.get(key)
        if overview is None:
            overview = self._coarse[key] = self._make(trace, step, head, most)
        return self._up_to_date(overview, trace, step, head)

    def _make(self, trace: StepReader, step: str, head: int, most: int) -> Overview:
        matrix = StepHead(trace, step, head)
        live = self._weights
        if self._unstored and step not in self._early:
            return matrix.overview(most, read=False)
        if step != self._step or live is None or not live.normalizer.exponential:
            overview = Overview(matrix, most, read=False)
            known = self._known_extremes(trace, step, head, overview.block)
            overview.refresh(matrix, [EVERYTHING], known)
            return overview
        lead = trace.matrix_index(step, head)
        numerators = _Numerators(matrix, live, lead, self._pinned)
        return Quotients(numerators, _divisors(live, lead), most)

    def _up_to_date(
        self, overview: Overview, trace: StepReader, step: str, head: int
    ) -> Overview:
        blocks = self._pending.pop(overview, [])
        if blocks:
            matrix = StepHead(trace, step, head)
            live = self._weights
            if live is not None and isinstance(overview, Quotients):
                lead = trace.matrix_index(step, head)
                numerators = _Numerators(matrix, live, lead, self._pinned)
                overview.divide(numerators, _divisors(live, lead), blocks)
            else:
                known = self._known_extremes(trace, step, head, overview.block)
                overview.refresh(matrix, blocks, known)
        return overview

    def _known_extremes(
        self, trace: StepReader, step: str, head: int, block: tuple[int, int]
    ) -> Extremes | None:
        """Return the extremes of a step if they follow from those of its input."""
        stage = trace.stages[step]
        if not stage.inputs or self._unstored:
            return None  # of sketches, nothing follows
        first = stage.inputs[0]
        source = self._made.get((first, trace.matrix_index(first, head)))
        if source is None or source.block != block:
            return None
        found = self._up_to_date(source, trace, first, head).extremes
        with np.errstate(all="ignore"):
            lows, highs = map(stage.of_extremes, (found.lows, found.highs))
        if lows is None or highs is None:
            return None
        known = Extremes(lows, highs, found.flags.copy())
        limits = known.limits()
        # Numbers that have left the range are not extremes of the finite ones.
        return known if limits is None or np.isfinite(limits).all() else None


class _Numerators:
    """The numerators of one head's weights, as a matrix that is read by window."""

    def __init__(
        self,
        head: StepHead,
        weights: LiveWeights,
        lead: Index,
        pinned: PinnedWeights | None,
    ) -> None:
        self._head, self._weights, self._lead = head, weights, lead
        self._pinned = pinned

    @property
    def shape(self) -> tuple[int, int]:
        return self._head.shape

    def window(self, rows: slice = ALL, columns: slice = ALL) -> Array:
        part = Part(self._lead, rows, columns)
        numerators = self._weights.view.numerators(part)  # (rows, columns)
        if self._pinned is None:
            return numerators
        divisor = _divisors(self._weights, self._lead)[:, np.newaxis]  # (n_q, 1)
        return self._pinned.numerators(part, numerators, divisor)

    def hidden(self, rows: slice = ALL, columns: slice = ALL) -> BoolArray | None:
        return self._head.hidden(rows, columns)


def _divisors(weights: LiveWeights, lead: Index) -> Array:
    divisor = weights.divisor
    assert divisor is not None
    divisors: Array = divisor[lead][:, 0]  # (n_q,)
    return divisors


def _reaches(block: Dirty, lead: Index) -> bool:
    return block.heads is None or not lead or lead[-1] in block.heads
