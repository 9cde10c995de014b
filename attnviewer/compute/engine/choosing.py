"""The choice of how an engine keeps the weights up to date."""

from attnviewer.compute.arrays import Array
from attnviewer.compute.engine.by_stage import AttentionByStage
from attnviewer.compute.engine.by_step import AttentionByStep
from attnviewer.compute.engine.incremental_attention import IncrementalAttention
from attnviewer.compute.engine.live_attention import LiveAttention
from attnviewer.compute.engine.overviews import Overviews
from attnviewer.compute.engine.pinned_attention import PinnedAttention
from attnviewer.compute.engine.storing import are_stored
from attnviewer.compute.engine.streamed_attention import unstored_attention
from attnviewer.compute.progress import Progress
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline


def choose_attention(
    pipeline: Pipeline, steps: dict[str, Array], progress: Progress | None
) -> tuple[IncrementalAttention, Overviews]:
    """Return what keeps the weights up to date, and the overviews of all steps."""
    if pipeline.mistakes:
        return AttentionByStep(pipeline, steps, progress), Overviews(pipeline, None)
    scores = Scores(pipeline, steps)
    if not are_stored(scores.shape):
        unstored = unstored_attention(pipeline, steps)
        return unstored, Overviews(pipeline, None, unstored=True)
    if not pipeline.only_normalizes:
        return AttentionByStage(scores, pipeline, steps, progress), Overviews(
            pipeline, None
        )
    fused = LiveAttention(scores, pipeline, steps, progress)
    pins = pipeline.normalize.pins
    if pins is None:
        return fused, Overviews(pipeline, fused.live)
    with_pins = PinnedAttention(fused, pipeline, steps)
    live = fused.live if pins.nonnegative else None
    return with_pins, Overviews(pipeline, live, with_pins.weights)
