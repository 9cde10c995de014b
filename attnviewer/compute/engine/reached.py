"""The cells of the scores that a change of earlier steps reaches."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arrays import Array, Index, Shape
from attnviewer.compute.changes import Dirty
from attnviewer.compute.row_blocks import blocks, row_blocks, runs
from attnviewer.compute.sections import Pipeline


def reached_blocks(
    pipeline: Pipeline, steps: Mapping[str, Array], dirty: Mapping[str, Dirty]
) -> dict[str, Dirty]:
    """Return the blocks of the steps from the scores to the weighted values.

    Parameters
    ----------
    pipeline : Pipeline
        All stages.
    steps : mapping of str to ndarray
        The steps before the scores.
    dirty : mapping of str to Dirty
        Where these have changed.

    Returns
    -------
    dict of str to Dirty
        Where each step may have changed; unchanged ones are left out.
    """
    reached = {
        name: block.broadcast(steps[name].shape) for name, block in dirty.items()
    }
    queries, keys, *_ = (steps[name].shape for name in pipeline.comparison.inputs)
    shape = *queries[:-1], keys[-2]  # of the scores
    found: dict[str, Dirty] = {}
    stages = pipeline.comparison, *pipeline.on_scores, *pipeline.weighing
    for stage in (*stages, pipeline.mix.unpinned):
        blocks_of = [reached.get(name) for name in stage.inputs]
        if any(block is not None for block in blocks_of):
            block = stage.reach(blocks_of, shape)
            if block is not None:
                reached[stage.name] = found[stage.name] = block
    return found


def covering(dirty: Dirty, shape: Shape) -> Iterator[tuple[Index, slice]]:
    """Yield matrices and rows that cover a block of a step of a shape."""
    if dirty.rows is None and dirty.heads is None:
        yield from blocks(shape)
        return
    for lead in np.ndindex(shape[:-2]):
        if dirty.heads is None or not lead or lead[-1] in dirty.heads:
            few = [slice(0, shape[-2])] if dirty.rows is None else runs(dirty.rows)
            for rows in few:
                for part in row_blocks(rows.stop, shape[-1], rows.start):
                    yield lead, part
