"""The steps from the scores to the output, of rows that are computed when read."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import ALL, Array, Index, Part, Selection, Shape
from attnviewer.compute.engine.computed_steps import window_of
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
from attnviewer.compute.engine.streamed_attention import StreamedAttention
from attnviewer.compute.row_blocks import runs
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.streaming import StreamedOverview, TiledOverview
from attnviewer.compute.weights import Weights
from attnviewer.compute.windowed import Overview, SketchedOverview
from attnviewer.compute.windowed.sketched import Sampled


class OnDemandSteps(Weights):
    """The steps that are not stored, with those after the weights.

    Parameters
    ----------
    attention : OnDemandAttention
        Computes the rows.
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        The steps before the scores.
    """

    def __init__(
        self,
        attention: OnDemandAttention,
        pipeline: Pipeline,
        steps: Mapping[str, Array],
    ) -> None:
        self._attention, self._steps = attention, steps
        self._weights = attention.weights
        self.scores = self._weights.scores
        self._mix, self._values = pipeline.mix, pipeline.mix.inputs[1]
        self._after = {stage.name: stage for stage in pipeline.after}
        self._last, self._masked = pipeline.weights, pipeline.masked
        on_scores = (pipeline.comparison, *pipeline.on_scores)
        self._holds_scores = any(stage.pins is not None for stage in on_scores)

    def reach(self, lead: Index, rows: slice) -> slice:
        return self._weights.reach(lead, rows)

    def weigh(self, lead: Index, rows: slice) -> tuple[Array, Array | None]:
        return self._weights.weigh(lead, rows)

    def shape(self, step: str) -> Shape:
        if step == self._mix.name:
            return *self.scores.shape[:-1], self._steps[self._values].shape[-1]
        if step in self._steps:
            return self._steps[step].shape
        if step in self._after:
            stage = self._after[step]
            return stage.shape(*map(self.shape, stage.inputs))
        return self.scores.shape

    def read(self, step: str, part: Part) -> Array:
        if step == self._mix.name:
            return self._mixed(part.lead, part.rows)[..., part.columns]
        if step in self._after:
            # Its rows may need those of all heads.
            return part.all_rows.of(self._later(step, part.rows))
        if step in self._steps:
            return window_of(self._steps[step], part)
        return self._weights.read(step, part)

    def own_overview(
        self, matrix: Sampled, step: str, lead: Index, most: int, *, read: bool
    ) -> Overview:
        attention, scores = self._attention, self.scores
        if step in scores.steps and not self._holds_scores:
            masked = step in self._masked
            return TiledOverview(
                *(matrix, scores, step, lead, most), masked=masked, read=read
            )
        if step == self._last and isinstance(attention, StreamedAttention):
            weights = attention.streamed
            return StreamedOverview(
                matrix, weights, lead, most, rows=attention, read=read
            )
        return SketchedOverview(matrix, most, read=read)

    def _mixed(self, lead: Index, rows: Selection) -> Array:
        mixed = self._attention.mixed(lead, rows)  # (..., rows, d_v)
        if self._mix.pins is not None:
            self._mix.pins.hold(mixed, Part(lead, rows))
        return mixed

    def _later(self, step: str, rows: Selection) -> Array:
        """Return some rows of all matrices of a step, shape (..., rows, columns)."""
        if step == self._mix.name:
            return self._mixed((), rows)
        if not isinstance(rows, slice):
            self._attention.ensure((), rows)
            each = [self._later(step, run) for run in runs(rows)]
            return np.concatenate(each, axis=-2)
        stage = self._after[step].from_row(rows.start or 0)
        inputs = []
        for number, name in enumerate(stage.inputs):
            if name not in self._steps:
                inputs.append(self._later(name, rows))
                continue
            whole = self._steps[name]
            own = rows != ALL and stage.takes_row(number, whole.shape)
            inputs.append(whole[..., rows, :] if own else whole)
        return stage.forward(Part(), *inputs)
